# SPDX-License-Identifier: BSD-3-Clause
"""Kernels as functions of NumPy arrays."""
import gc
import inspect
import pydoc
import re
import subprocess
import sys
import unittest
import weakref

import numpy as np

import suite
from suite import _abi
from support import SMALL, SOURCE, Case

# One of each backend that this build has; "emulated" has the manners of a GPU: memory of its own.
IMPLEMENTATIONS = [i for i in ("reference", "cpu", "emulated") if i in suite.kernels()["gpp.sigma"]]
needs_emulated = unittest.skipUnless("emulated" in IMPLEMENTATIONS, "this build has no backend emulated")


def sigma(implementation="cpu", **options):
    return suite.open("gpp.sigma", implementation, **options)


def arguments():
    return sigma("reference").generate(SMALL)


class Calls(Case):
    def setUp(self):
        super().setUp()
        self.given = arguments()
        self.expected = sigma("reference")(**self.given)

    def assert_expected(self, found):
        for name in ("asxtemp", "achtemp"):
            scale = abs(self.expected[name]).max()
            self.assertLessEqual(abs(found[name] - self.expected[name]).max(), 1e-11 * scale)  # the interface's tolerance

    def test_every_implementation_gives_the_reference(self):
        self.assertIn("reference", IMPLEMENTATIONS)
        for implementation in IMPLEMENTATIONS:
            with self.subTest(implementation):
                self.assert_expected(sigma(implementation)(**self.given))

    def test_the_formula_written_out(self):
        """One term, by hand: the formula of gpp.hpp, far from its poles."""
        w, eps, v, m, x = 3.0 + 0j, -0.5 + 0.25j, 2.0, 0.5 + 1j, 7.0
        r = sigma("reference")(wtilde_array=np.full((1, 1), w), I_eps_array=np.full((1, 1), eps), vcoul=[v], occ_array=[1.0],
                               aqsntemp=np.full((1, 1), m), aqsmtemp=np.full((1, 1), m), wx_array=[[x]])
        asx, ach = r
        self.assertEqual(asx.shape, (1,))
        self.assertAlmostEqual(ach[0], 0.5 * abs(m) ** 2 * v * eps * w / (x - w), 14)
        self.assertAlmostEqual(asx[0], -abs(m) ** 2 * v * w**2 * eps / (x**2 - w**2), 14)

    def test_results_have_names_order_and_time(self):
        r = sigma()(**self.given)
        asx, ach = r
        self.assertIs(asx, r.asxtemp)
        self.assertIs(ach, r["achtemp"])
        self.assertEqual(r.keys(), ("asxtemp", "achtemp"))
        self.assertGreater(r.seconds, 0)
        self.assertIn("asxtemp=", repr(r))
        self.fails(AttributeError, "there are: asxtemp, achtemp", lambda: r.acht_n1)

    def test_optional_results_come_on_request(self):
        r = sigma()(**self.given, acht_n1=True, achstemp=True)
        np.testing.assert_allclose(r.acht_n1.sum(axis=1), r.achtemp, rtol=1e-11)
        self.assertEqual(r.achstemp.shape, (1,))

    def test_extents_in_brackets_may_be_left_out(self):
        bare = {name: value[..., 0] if name in ("aqsntemp", "aqsmtemp", "wx_array") else value for name, value in self.given.items()}
        r = sigma()(**bare)
        self.assertEqual(r.asxtemp.shape, self.expected.asxtemp.shape[:1])
        np.testing.assert_array_equal(r.asxtemp, sigma()(**self.given).asxtemp[:, 0])

    def test_arrays_in_fortran_order_are_used_in_place(self):
        with sigma(copies=False) as k:
            k(**self.given)
            self.assertIs(k._given["wtilde_array"], self.given["wtilde_array"])
            c_order = {**self.given, "wtilde_array": np.ascontiguousarray(self.given["wtilde_array"])}
            self.fails(suite.InvalidArgument, "wtilde_array(ncouls, ngpown) is not in Fortran order", k, **c_order)
        self.assert_expected(sigma()(**c_order))
        strided = {**self.given, "vcoul": np.repeat(self.given["vcoul"], 2)[::2]}
        self.assert_expected(sigma()(**strided))

    def test_a_result_can_be_given(self):
        k, place = sigma(), np.zeros(self.expected.asxtemp.shape, complex, order="F")
        r = k(**self.given, asxtemp=place)
        self.assertIs(r.asxtemp, place)
        self.assert_expected(r)
        self.fails(suite.InvalidArgument, "asxtemp(nw[, nex]) is written in place", k, **self.given, asxtemp=[[0j]])
        place.flags.writeable = False
        self.fails(suite.InvalidArgument, "asxtemp is read-only", k, **self.given, asxtemp=place)

    def test_an_earlier_result_is_not_overwritten(self):
        k = sigma()
        first = k(**self.given)
        before = first.achtemp.copy()
        k(**{**self.given, "vcoul": 2 * self.given["vcoul"]})
        np.testing.assert_array_equal(first.achtemp, before)

    def test_the_next_call_may_have_other_sizes(self):
        for implementation in IMPLEMENTATIONS:
            k = sigma(implementation)
            for size in (SMALL, "ncouls=30,ngpown=7,ntband=3,nw=4"):
                given = k.generate(size)
                np.testing.assert_allclose(k(**given).achtemp, sigma("reference")(**given).achtemp, rtol=1e-11)

    def test_none_is_not_given(self):
        self.assert_expected(sigma()(**self.given, gamma=None, acht_n1=None))

    def test_every_kernel_can_be_called(self):
        """With the arguments that it generates; on reference and cpu alike, within the interface's tolerances."""
        tried = 0
        for name, tables in suite.kernels().items():
            if "reference" not in tables or "cpu" not in tables or name.startswith(("heat.", "ceilings.")):
                continue
            with self.subTest(name):
                outcomes = []
                for implementation in ("reference", "cpu"):
                    k = suite.open(name, implementation)
                    outcomes.append(k(**k.generate("small", seed=3)))
                for result, truth, theirs in zip(outcomes[1].keys(), *outcomes):
                    allowed = tables["cpu"].arguments[result].tolerance * np.max(np.abs(truth), initial=0)
                    self.assertLessEqual(np.max(np.abs(truth - theirs), initial=0), allowed, result)
                tried += 1
        self.assertGreater(tried, 30)

    def test_what_is_set_stays_and_what_is_passed_does_not(self):
        constants = ("wtilde_array", "I_eps_array", "vcoul")
        k = sigma()
        k.set(**{name: self.given[name] for name in constants})
        rest = {name: value for name, value in self.given.items() if name not in constants}
        self.assert_expected(k(**rest))
        other = k(**rest, gamma=5.0)
        self.assertNotEqual(abs(other.achtemp - self.expected.achtemp).max(), 0)
        self.assert_expected(k(**rest))
        self.assertNotEqual(abs(k(**rest, vcoul=2 * self.given["vcoul"]).achtemp - self.expected.achtemp).max(), 0)
        self.assert_expected(k(**rest))  # with the vcoul that was set
        k.set(gamma=5.0)
        np.testing.assert_array_equal(k(**rest).achtemp, other.achtemp)
        k.set(gamma=None)
        self.assert_expected(k(**rest))
        k.forget()
        self.fails(suite.InvalidArgument, "gpp.sigma also needs wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown), vcoul(ncouls)", k, **rest)

    def test_state_is_changed_in_place(self):
        """lfd.kin_prop turns psi into another one of the same norm."""
        k = suite.open("lfd.kin_prop", "cpu")
        given = k.generate("small")
        psi = given["psi"]
        before = psi.copy()
        r = k(**given)
        self.assertIs(r.psi, psi)
        self.assertGreater(abs(psi - before).max(), 1e-6)
        self.assertAlmostEqual(np.linalg.norm(psi), np.linalg.norm(before), 8)
        self.fails(suite.InvalidArgument, "is written in place and must be a NumPy array in Fortran order", k,
                   **{**given, "psi": np.ascontiguousarray(psi)})

    def test_parameters(self):
        k = sigma()
        self.assertEqual(k.parameters["variant"], "best")
        k.set_parameters(variant="v1", block=32)
        self.assertEqual((k.parameters["variant"], k.parameters["block"]), ("v1", 32))
        self.assert_expected(k(**self.given))
        self.fails(suite.NotFound, "no choice 'v11'; did you mean 'v1'?", k.set_parameters, variant="v11")
        self.fails(suite.NotFound, "no parameter 'blok'", k.set_parameters, blok=1)
        self.fails(suite.InvalidArgument, "block is 0; it must be from 1 to 65536", k.set_parameters, block=0)

    def test_the_work_of_a_run(self):
        k = sigma()
        r = k(**self.given)
        self.assertEqual(k.work(), 40 * 13 * 5 * r.asxtemp.size)


class Errors(Case):
    def setUp(self):
        super().setUp()
        self.given, self.k = arguments(), sigma()

    def refused(self, sentence, **changed):
        self.fails(suite.InvalidArgument, sentence, self.k, **{**self.given, **changed})

    def test_each_names_the_argument_and_both_values(self):
        g = self.given
        self.refused("gpp.sigma has no argument 'wtilde_aray'; did you mean 'wtilde_array'?", wtilde_aray=1)
        self.refused("ncouls is 40 in wtilde_array but 39 in vcoul", vcoul=g["vcoul"][:-1].copy())
        self.refused("vcoul takes float64, but float32 was given", vcoul=g["vcoul"].astype("float32"))
        self.refused("vcoul takes float64, but >f8 was given", vcoul=g["vcoul"].astype(">f8"))
        self.refused("I_eps_array takes float64 or complex128, but int64 was given", I_eps_array=np.ones((40, 13), int, order="F"))
        self.refused("gamma is a number, but an array of shape (2,) was given", gamma=[1.0, 2.0])
        self.refused("indigp takes int32, but float64 was given", indigp=[1.5])
        self.refused("indigp takes int32, which [4294967297] does not fit into", indigp=[2**32 + 1])
        self.refused("iw_n1 takes int32, but <U1 was given", iw_n1="1")
        self.refused("vcoul has rank 1 (ncouls), but an array of rank 2 was given", vcoul=np.ones((40, 1)))
        self.refused("vcoul(3) is NaN", vcoul=np.where(np.arange(40) == 2, np.nan, g["vcoul"]))

    def test_missing_arguments_are_all_named(self):
        self.fails(suite.InvalidArgument, "gpp.sigma also needs vcoul(ncouls), occ_array(ntband)", self.k,
                   **{n: v for n, v in self.given.items() if n not in ("vcoul", "occ_array")})

    def test_names_that_do_not_exist(self):
        self.fails(suite.NotFound, "no implementation 'cpuu' of gpp.sigma; did you mean 'cpu'?", suite.open, "gpp.sigma", "cpuu")
        self.fails(suite.NotFound, "did you mean 'gpp.sigma'?", suite.open, "gpp.sigm")
        self.fails(suite.NotFound, "no backend 'cup'", suite.Device, "cup")

    @needs_emulated
    def test_a_device_of_another_backend_is_refused(self):
        self.fails(suite.InvalidArgument, "runs on backend cpu, but the given device is emulated:0", sigma, device="emulated")

    def test_a_closed_kernel_says_so(self):
        self.k.close()
        self.refused("gpp.sigma is closed")

    def test_exceptions_are_those_of_python_too(self):
        for kind, builtin in ((suite.InvalidArgument, ValueError), (suite.NotFound, LookupError), (suite.OutOfMemory, MemoryError),
                              (suite.FileError, OSError), (suite.LibraryNotFound, ImportError)):
            self.assertTrue(issubclass(kind, builtin) and issubclass(kind, suite.Error))

    def test_without_a_library_the_places_are_named(self):
        done = subprocess.run([sys.executable, "-c", "import suite; suite.kernels()"], env={"SUITE_ROOT": "/nowhere", "PYTHONPATH": str(SOURCE / "python")},
                              capture_output=True, text=True)
        self.assertIn("LibraryNotFound: there is no libsuite.so.0.1 in /nowhere (SUITE_ROOT)", done.stderr)


class Tables(Case):
    def test_help_is_made_from_the_tables(self):
        text = pydoc.plain(pydoc.render_doc(sigma()))
        for line in (r"wtilde_array\(ncouls, ngpown\) : complex128, eV; constant", r"gpp_broadening \(default: 0\.5\)", r"asxtemp\(nw\[, nex\]\) : complex128, Ry",
                     r"variant = 'best' : v1 \| v2", r"Work of a run, in terms: ncouls\*ngpown\*ntband\*nex\*nw"):
            self.assertRegex(text, line)

    def test_the_signature_is_that_of_the_kernel(self):
        parameters = inspect.signature(sigma()).parameters
        self.assertEqual(list(parameters)[:2], ["wtilde_array", "I_eps_array"])
        self.assertIs(parameters["vcoul"].default, inspect.Parameter.empty)
        self.assertIsNone(parameters["acht_n1"].default)

    def test_all_kernels_are_listed(self):
        kernels = suite.kernels()
        self.assertGreater(len(kernels), 30)
        table = kernels["gpp.sigma"]["reference"]
        self.assertEqual(table.arguments["vcoul"].unit, "Ry")
        self.assertEqual(table.arguments["asxtemp"].tolerance, 1e-11)
        self.assertEqual(table.arguments["aqsntemp"].least_rank, 2)
        for tables in kernels.values():
            for each in tables.values():
                self.assertIn(each.summary, str(each))

    def test_the_structs_are_those_of_the_header(self):
        """Sizes and offsets by ctypes against the C compiler's."""
        lines = ["#include <suite/abi.h>"]
        for name in ("suite_error", "suite_array", "suite_argument", "suite_published", "suite_choice", "suite_parameter", "suite_sizes", "suite_backend",
                     "suite_kernel_table", "suite_plugin"):
            struct = getattr(_abi, name)
            lines.append(f'_Static_assert(sizeof({name}) == {_abi.c.sizeof(struct)}, "{name}");')
            lines += [f'_Static_assert(offsetof({name}, {field[0]}) == {getattr(struct, field[0]).offset}, "{name}.{field[0]}");' for field in struct._fields_]
        (self.folder / "abi.c").write_text("\n".join(lines) + "\n")
        done = subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-I", SOURCE / "core" / "include", "abi.c"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        header = (SOURCE / "core" / "include" / "suite" / "abi.h").read_text()
        self.assertIn(f"SUITE_ABI_VERSION {_abi.ABI_VERSION}u", header)
        self.assertIn(f"SUITE_MAX_RANK {_abi.MAX_RANK}", header)

    def test_every_function_is_declared_in_the_header(self):
        header = (SOURCE / "core" / "include" / "suite" / "suite.h").read_text()
        for name, (_, types) in _abi.FUNCTIONS.items():
            declared = re.search(rf"\b{name}\(((?:[^()]|\([^()]*\))*)\);", header)
            self.assertIsNotNone(declared, name)
            flat = re.sub(r"\([^()]*\)", "", declared[1])
            self.assertEqual(0 if flat == "void" else flat.count(",") + 1, len(types), name)


class Devices(Case):
    def test_arrays_go_there_and_back(self):
        for name in {"cpu", *IMPLEMENTATIONS} - {"reference"}:
            with self.subTest(name):
                device = suite.Device(name)
                values = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
                array = device.array(values)
                np.testing.assert_array_equal(array.numpy(), values)
                np.testing.assert_array_equal(np.asarray(array), values)
                array.set(2 * values)
                np.testing.assert_array_equal(array.numpy(), 2 * values)
                self.fails(suite.InvalidArgument, "float64(2, 3, 4), but float32(3,) was given", array.set, np.zeros(3, "float32"))
                self.assertEqual((array.shape, array.dtype, array.nbytes, array.ndim), ((2, 3, 4), np.dtype(float), 192, 3))
                self.assertGreater(device.memory[1], 0)

    @needs_emulated
    def test_kernels_use_arrays_on_their_device_in_place(self):
        given, expected = arguments(), sigma("reference")(**arguments())
        k = sigma("emulated")
        there = {name: k.device.array(value) if np.ndim(value) else value for name, value in given.items() if value is not True}
        r = k(**there, asxtemp="device")
        self.assertIsInstance(r.asxtemp, suite.DeviceArray)
        self.assertEqual(r.asxtemp.device.name, "emulated:0")
        np.testing.assert_allclose(r.asxtemp.numpy(), expected.asxtemp, rtol=1e-11)
        np.testing.assert_allclose(r.achtemp, expected.achtemp, rtol=1e-11)

    @needs_emulated
    def test_one_device_serves_several_kernels(self):
        device = suite.Device("emulated")
        a, b = sigma("emulated", device=device), sigma("emulated", device=device)
        vcoul = device.array(arguments()["vcoul"])
        results = [k(**{**arguments(), "vcoul": vcoul}).achtemp for k in (a, b)]
        np.testing.assert_array_equal(*results)

    @needs_emulated
    def test_an_array_outlives_the_kernel_whose_device_it_is_on(self):
        k = sigma("emulated")
        array = k.device.array(np.ones(5))
        k.close()
        del k
        gc.collect()
        np.testing.assert_array_equal(array.numpy(), np.ones(5))


class Exported:
    """An array as another library has it: nothing but DLPack."""

    def __init__(self, array, versions=True):
        self.array, self.versions = array, versions

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**(options if self.versions else {}))


class DLPack(Case):
    def test_numpy_sees_an_array_of_the_host_without_a_copy(self):
        array = suite.Device("cpu").array(np.asfortranarray([[1.0, 2, 3], [4, 5, 6]]))
        seen = np.from_dlpack(array)
        np.testing.assert_array_equal(seen, [[1, 2, 3], [4, 5, 6]])
        self.assertTrue(seen.flags.f_contiguous)
        self.assertEqual(seen.ctypes.data, array._array.data)

    def test_an_exported_array_lives_as_long_as_its_consumer(self):
        array = suite.Device("cpu").array(np.ones(3))
        seen, watched = np.from_dlpack(array), weakref.ref(array)
        del array
        gc.collect()
        self.assertIsNotNone(watched())
        del seen
        gc.collect()
        self.assertIsNone(watched())

    def test_a_capsule_that_nobody_consumes_is_dropped(self):
        device = suite.Device("cpu")
        array = device.array(np.ones(3))
        watched = weakref.ref(array)
        array.__dlpack__()
        del array
        device.array(np.ones(1)).__dlpack__()
        gc.collect()
        self.assertIsNone(watched())

    @needs_emulated
    def test_arrays_of_other_libraries_are_used_in_place(self):
        given, expected = arguments(), sigma("reference")(**arguments())
        host = sigma("cpu")(**{**given, "vcoul": Exported(given["vcoul"])})
        np.testing.assert_allclose(host.achtemp, expected.achtemp, rtol=1e-11)
        k = sigma("emulated")
        for name in ("vcoul", "wtilde_array"):
            there = Exported(k.device.array(given[name]))
            r = k(**{**given, name: there})
            np.testing.assert_allclose(r.achtemp, expected.achtemp, rtol=1e-11)
            self.assertEqual(k._given[name][1].address, there.array._array.data)

    @needs_emulated
    def test_arrays_on_another_device_are_refused(self):
        there = Exported(suite.Device("emulated").array(arguments()["vcoul"]))
        self.fails(suite.InvalidArgument, "vcoul is on DLPack device (12, 0), but the kernel runs on cpu:0, which is (1, 0)", sigma("cpu"),
                   **{**arguments(), "vcoul": there})

    @needs_emulated
    def test_arrays_on_a_device_must_be_in_fortran_order(self):
        k = sigma("emulated")

        class Transposed(Exported):
            def __dlpack__(self, **options):
                capsule = self.array.__dlpack__()
                address = suite._dlpack._python.PyCapsule_GetPointer(capsule, b"dltensor")
                tensor = suite._dlpack._Managed.from_address(address).tensor
                tensor.shape[0], tensor.shape[1] = tensor.shape[1], tensor.shape[0]
                tensor.strides[0], tensor.strides[1] = tensor.strides[1], tensor.strides[0]
                return capsule

        wrong = Transposed(k.device.array(arguments()["wtilde_array"]))
        self.fails(suite.InvalidArgument, "wtilde_array(ncouls, ngpown) is not in Fortran order", k, **{**arguments(), "wtilde_array": wrong})


if __name__ == "__main__":
    unittest.main()
