# SPDX-License-Identifier: BSD-3-Clause
"""Kernels written in Python: registered, judged, and as strict as others."""
import importlib.util
import json
import os
import subprocess
import sys
import unittest

import numpy as np

import suite
from support import INPUTS, SMALL, SOURCE, Case, needs


def terms(w, eps, x, gamma, sexcut):
    """ssx and sch of gpp.hpp for all G, G' at one x."""
    x = x if abs(x) >= 1e-12 else 1e-12
    with np.errstate(all="ignore"):
        distance = x - w
        delta = w / distance
        far = (abs(distance) ** 2 > gamma**2) & (abs(delta) ** 2 < 1 / 4e-6)
        near = ~far & (abs(delta) ** 2 > 1e-12)
        sch = np.where(far, eps * delta, 0)
        ssx = np.where(far, w**2 * eps / (x**2 - w**2), np.where(near, -(w**2) * eps * delta / (4 * w**2 * (delta + 0.5)), 0))
    if x < 0:
        ssx[abs(ssx) > sexcut * abs(eps)] = 0
    return ssx, sch


def sigma(wtilde_array, I_eps_array, vcoul, indigp, occ_array, aqsntemp, aqsmtemp, wx_array, gamma, sexcut, asxtemp, achtemp, **_):
    """gpp.sigma with NumPy."""
    columns = np.arange(wtilde_array.shape[1]) if indigp is None else indigp - 1
    for e, iw in np.ndindex(asxtemp.shape[1], asxtemp.shape[0]):
        sx = ch = 0
        for n1, occupation in enumerate(occ_array):
            ssx, sch = terms(wtilde_array, I_eps_array, wx_array[iw, n1, e], gamma, sexcut)
            left, right = aqsntemp[:, n1, e], np.conj(aqsmtemp[columns, n1, e]) * vcoul[columns]
            sx -= occupation * (left @ ssx @ right) if occupation > 0 else 0
            ch += 0.5 * (left @ sch @ right)
        asxtemp[iw, e], achtemp[iw, e] = sx, ch


class Implementations(Case):
    def test_one_in_numpy_is_verified(self):
        suite.implement("gpp.sigma", "numpy")(sigma)
        judgements = suite.judge("gpp.sigma", ["cpu", "numpy"], SMALL, samples=3)
        self.assertTrue(judgements.verified, str(judgements))
        self.assertEqual([len(j.samples_s) for j in judgements], [3, 3])
        self.assertRegex(str(judgements), r"(?m)^numpy +verified, max rel \d")
        k = suite.open("gpp.sigma", "numpy")
        np.testing.assert_allclose(k(**k.generate(SMALL)).achtemp, suite.open("gpp.sigma", "cpu")(**k.generate(SMALL)).achtemp, rtol=1e-11)
        self.assertIn("numpy", suite.kernels()["gpp.sigma"])

    def test_a_wrong_one_is_caught_and_not_timed(self):
        def conjugated(**a):
            sigma(**a)
            a["achtemp"][...] = np.conj(a["achtemp"])

        suite.implement("gpp.sigma", "wrong")(conjugated)
        judgement = suite.judge("gpp.sigma", "wrong", SMALL)[0]
        self.assertFalse(judgement.verified)
        self.assertEqual(judgement.samples_s, ())
        self.assertIn("wrong        FAILED: achtemp differs by", str(judgement))
        self.fails(suite.VerificationFailed, "achtemp differs by", suite.verify, "gpp.sigma", "wrong", SMALL)

    def test_one_that_writes_nothing_is_caught(self):
        suite.implement("gpp.sigma", "idle")(lambda asxtemp, achtemp: None)
        self.assertFalse(suite.judge("gpp.sigma", "idle", SMALL).verified)

    def test_a_cell_of_a_notebook_may_run_again(self):
        for factor in (1.0, 2.0):
            @suite.implement("gpp.sigma", "again")
            def scaled(asxtemp, achtemp, factor=factor):
                asxtemp[...] = achtemp[...] = factor

        k = suite.open("gpp.sigma", "again")
        self.assertEqual(k(**k.generate(SMALL)).achtemp[0, 0], 2.0)

    def test_parameters_reach_the_function(self):
        seen = []

        @suite.implement("gpp.sigma", "tuned", parameters={"block": suite.knob(64, 1, 4096, "columns at a time"),
                                                          "order": suite.choices("how to sum", ("up", "ascending"), "down")})
        def tuned(block, order, asxtemp, achtemp):
            seen.append((block, order))

        k = suite.open("gpp.sigma", "tuned")
        given = k.generate(SMALL)
        k(**given)
        k.set_parameters(block=128, order="down")
        k(**given)
        self.assertEqual(seen, [(64, "up"), (128, "down")])
        self.assertIn("block = 64 : 1 to 4096", str(k.table))
        self.fails(suite.InvalidArgument, "block is 5000; it must be from 1 to 4096", k.set_parameters, block=5000)

    def test_prepare_is_called_when_constants_change(self):
        calls = []
        suite.implement("gpp.sigma", "prepared", prepare=lambda wtilde_array: calls.append(wtilde_array[0, 0]))(lambda asxtemp: None)
        k = suite.open("gpp.sigma", "prepared")
        given = k.generate(SMALL)
        constants = {a.name: given.pop(a.name) for a in k.table.inputs if a.intent == "constant" and a.name in given}
        k.set(**constants)
        k(**given)
        k(**given)
        self.assertEqual(len(calls), 1)
        k.set(wtilde_array=2 * constants["wtilde_array"])
        k(**given)
        self.assertEqual(calls[1], 2 * calls[0])

    def test_what_it_raises_is_the_error_of_the_call(self):
        def refuse(nothing=None, wx_array=None):
            raise suite.Unsupported("no energies above 5 eV")

        def broken(vcoul):
            return vcoul[10**6]

        for function, kind, sentence in ((refuse, suite.Unsupported, "no energies above 5 eV"), (broken, suite.InternalError, "IndexError: index 1000000")):
            suite.implement("gpp.sigma", "failing")(function)
            k = suite.open("gpp.sigma", "failing")
            self.fails(kind, sentence, k, **k.generate(SMALL))

    def test_mistakes_are_found_when_it_is_registered(self):
        self.fails(suite.InvalidArgument, "<lambda> takes 'wtilde', which is neither an argument nor a parameter of the kernel", suite.implement("gpp.sigma", "x"),
                   lambda wtilde: None)
        self.fails(suite.NotFound, "so its interface is not known; for a new kernel give interface=[...]", suite.implement("gpp.sigm", "x"), lambda: None)
        self.fails(suite.InvalidArgument, "a kernel is named family.name", suite.implement, "sigma", "x")

    @needs("numba")
    def test_one_in_numba(self):
        import numba

        inner = numba.njit(lambda u, rate: u + rate * (np.roll(u, 1) - 2 * u + np.roll(u, -1)))
        heat(inner, "numba")


def heat(step, name):
    @suite.implement("heat.step", name, summary="a step of the heat equation on a ring", interface=[
        suite.argument("u", "float64", "n", "in", "K", "temperatures"),
        suite.argument("rate", "float64", "", "in", "1", "a dt / dx^2", default="0.25"),
        suite.argument("u_next", "float64", "n", "out", "K", "temperatures after the step", tolerance=1e-14)])
    def function(u, rate, u_next):
        u_next[...] = step(u, rate)

    r = suite.open("heat.step", name)(u=[0.0, 4, 0, 0])
    np.testing.assert_array_equal(r.u_next, [1, 2, 1, 0])


class NewKernels(Case):
    def test_a_family_of_ones_own(self):
        heat(lambda u, rate: u + rate * (np.roll(u, 1) - 2 * u + np.roll(u, -1)), "rolled")
        self.assertEqual(suite.kernels()["heat.step"]["rolled"].summary, "a step of the heat equation on a ring")
        self.fails(suite.InvalidArgument, "n is 4 in u but 3 in u_next", suite.open("heat.step", "rolled"), u=np.zeros(4), u_next=np.zeros(3))

    def test_kernels_of_one_implementation_stay_together(self):
        heat(lambda u, rate: u + rate * (np.roll(u, 1) - 2 * u + np.roll(u, -1)), "both")

        @suite.implement("heat.content", "both", summary="the sum of the temperatures",
                         interface=[suite.argument("u", ["float32", "float64"], "n", "in", "K", "temperatures"),
                                    suite.argument("content", "float64", "1", "out", "K", "their sum", tolerance=1e-12)])
        def content(u, content):
            content[0] = u.sum()

        self.assertEqual(suite.open("heat.content", "both")(u=np.ones(3, "float32")).content[0], 3)
        self.assertEqual(suite.open("heat.step", "both")(u=[0.0, 4, 0, 0]).u_next[1], 2)


class Captures(Case):
    def test_a_call_of_a_kernel_in_python_can_be_replayed(self):
        """In a process of its own, for the settings of captures are read once."""
        program = (f"import sys; sys.path.insert(0, {str(SOURCE / 'tests' / 'python')!r})\n"
                   "import suite, test_plugins\n"
                   "suite.implement('gpp.sigma', 'numpy')(test_plugins.sigma)\n"
                   f"k = suite.open('gpp.sigma', 'numpy'); k(**k.generate({SMALL!r}))\n")
        done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "SUITE_CAPTURE": str(self.folder)}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = list(self.folder.glob("*.h5"))
        if not files:
            self.skipTest("this build writes no captures: it has no HDF5")
        if importlib.util.find_spec("h5py"):
            call = suite.load_capture(files[0])
            self.assertEqual((call.kernel, call.implementation, call.units["vcoul"]), ("gpp.sigma", "numpy", "Ry"))
            self.assertTrue(call.arguments["wtilde_array"].flags.f_contiguous)
            again = suite.open(call.kernel, "cpu")(**call.arguments)
            np.testing.assert_allclose(again.achtemp, call.results["achtemp"], rtol=1e-11)
            self.fails(suite.FileError, "cannot read the capture nothing.h5", suite.load_capture, "nothing.h5")
            self.fails(suite.InputError, "WFN_inner.h5 is no capture", suite.load_capture, INPUTS / "data" / "silicon" / "WFN_inner.h5")
        run = suite.run(files[0], implementation="cpu", threads=1)
        self.assertEqual(run.results.capture.implementation, "numpy")
        self.assertNotIn("plugin_sha256", run.results.capture)
        self.assertEqual(run.json["results"]["capture"]["stored"]["status"], "verified", json.dumps(run.json["results"]))


if __name__ == "__main__":
    unittest.main()
