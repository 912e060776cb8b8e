# SPDX-License-Identifier: BSD-3-Clause
"""The program from Python: runs, comparisons, results, and what goes wrong."""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest
import warnings

import numpy as np

import suite
from suite import _results, _units
from support import SMALL, SOURCE, Case, needs

APPS = suite.version()["apps"]
# Hydrogen in the minimal basis on a light grid: a third of a second.
HYDROGEN = {"app": "dfpt", "molecule": {"unit": "bohr", "elements": ["H", "H"], "positions": [[0, 0, 0.7], [0, 0, -0.7]]}, "basis": {"tier": 0}}
KERNEL = {"kernel": "gpp.sigma", "size": SMALL}


@unittest.skipUnless("dfpt" in APPS, "this build has no app dfpt")
class Runs(Case):
    @classmethod
    def setUpClass(cls):
        cls.run_ = suite.run(HYDROGEN, threads=1)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.run_.folder.parent)

    def test_numbers_are_those_of_the_program(self):
        (self.folder / "h2.yaml").write_text(json.dumps(HYDROGEN))
        done = subprocess.run([suite.program(), "run", "h2.yaml", "--threads", "1", "--json"], capture_output=True, text=True, check=True)
        theirs, ours = json.loads(done.stdout)["results"], self.run_.json["results"]
        for key in ("total_energy_Ha", "eigenvalues_Ha", "polarizability_bohr3", "dipole_e_bohr"):
            self.assertEqual(theirs[key], ours[key])

    def test_numbers_have_their_units(self):
        r = self.run_
        self.assertEqual(r.total_energy, r.json["results"]["total_energy_Ha"])
        self.assertEqual(r.total_energy.unit, "Ha")
        self.assertAlmostEqual(r.total_energy.to("eV"), r.total_energy * 27.21138506, 9)
        self.assertEqual((r.polarizability.unit, r.polarizability.shape), ("bohr^3", (3, 3)))
        self.assertEqual(r.results["energies"].kinetic.unit, "Ha")
        self.assertEqual(r.results.unit("total_energy"), "Ha")
        self.assertIn("total_energy_Ha: -1.0", repr(r.results))
        self.assertIn("ascending", r.results.meaning("eigenvalues_Ha"))
        self.assertEqual(r.times.wall.unit, "s")
        self.fails(AttributeError, "results has no 'gap_eV'; it has: total_energy_Ha", lambda: r.gap_eV)
        self.fails(suite.InvalidArgument, "bohr^3 cannot be converted to eV; it can be bohr^3, angstrom^3", r.polarizability.to, "eV")

    def test_every_unit_of_a_key_can_be_converted_or_left_out(self):
        """The units of the apps' schemas are at the ends of the keys, as results.md says."""
        schema = _results._schema("suite-result-1")
        found = 0
        for rule in schema["allOf"]:
            results = rule["then"].get("properties", {}).get("results", {})
            for key, described in _results._properties(results).items():
                unit = _results._unit_of(described)
                if key.endswith(("_eV", "_Ha", "_bohr3", "_e_bohr", "_fs", "_s")):
                    found += 1
                    self.assertTrue(key.endswith(_results._suffix(unit)), f"{key}: {unit}")
        self.assertGreater(found, 15)

    def test_its_files(self):
        r = self.run_
        self.assertEqual(r.folder.parent.name, "results")
        self.assertRegex(r.folder.name, r"^dfpt-\d+T\d+Z")
        self.assertIn("convergence.csv", r.files)
        columns = r.columns("convergence.csv")
        self.assertEqual(columns["stage"][0], "ground_state")
        self.assertAlmostEqual(columns["energy_Ha"][columns["stage"] == "ground_state"][-1], r.total_energy, 8)
        self.fails(suite.NotFound, "left no file 'spectrum.dat'; there are: checkpoint.h5, convergence.csv", r.columns, "spectrum.dat")
        again = suite.load(r.folder)
        self.assertIsInstance(again, suite.Run)
        self.assertEqual(again.json, r.json)

    def test_a_report_is_written(self):
        page = self.run_.report(self.folder / "page.html")
        self.assertIn("<title>", page.read_text())

    def test_a_stored_result_is_compared_with_another(self):
        found = suite.compare(self.run_, self.run_, fail_on=["physics", "failed"])
        self.assertIsInstance(found, suite.StoredComparison)
        self.assertEqual(found.json["physics"]["verdict"], "same")
        other = suite.run(HYDROGEN, set={"grid.angular_points": 50}, threads=1)
        error = self.fails(suite.Regression, "total energy (Ha) is -1.06", suite.compare, self.run_, other, fail_on="physics")
        self.assertEqual(error.result.json["physics"]["verdict"], "different")

    def test_keys_are_overridden(self):
        r = suite.run(HYDROGEN, set={"calculation": "ground_state", "scf": {"tolerance": 1e-6}}, threads=1, output="here", implementation="reference")
        self.assertEqual(r.folder, self.folder / "here")
        self.assertNotIn("polarizability_bohr3", r.results)
        self.assertEqual(r.provenance.overrides, ["calculation=ground_state", "scf.tolerance=1e-06"])
        self.assertEqual({k["implementation"] for k in r.json["kernels"]}, {"reference"})

    def test_files_named_in_a_dictionary_are_relative_to_here(self):
        (self.folder / "h2.xyz").write_text("2\n\nH 0 0 0.37\nH 0 0 -0.37\n")
        for name in ("h2.xyz", pathlib.Path("h2.xyz")):
            self.assertIn("H2", suite.check({**HYDROGEN, "molecule": {"xyz": name}}))

    @needs("pandas")
    def test_tables(self):
        frame = self.run_.table()
        self.assertEqual((list(frame.columns), list(frame.index)), (list("xyz"), list("xyz")))
        self.assertEqual(frame.loc["z", "z"], self.run_.polarizability[2, 2])
        self.assertEqual(self.run_.tables[:2], ["polarizability_bohr3", "uncoupled_bohr3"])
        laws = self.run_.table("consistency")
        self.assertEqual(list(laws["name"]), [law["name"] for law in self.run_.json["consistency"]])
        self.assertIn("<table", self.run_._repr_html_())
        self.fails(suite.NotFound, "there is no table 'peaks'; there are: polarizability_bohr3", self.run_.table, "peaks")

    @needs("matplotlib")
    def test_a_figure(self):
        import matplotlib

        matplotlib.use("Agg")
        ax = self.run_.plot()
        self.assertEqual([t.get_text() for t in ax.get_legend().get_texts()], ["ground state", "response"])
        self.assertEqual(len(ax.lines[0].get_xdata()), self.run_.results.iterations.ground_state)


class Warnings(Case):
    @unittest.skipUnless("tddft" in APPS, "this build has no app tddft")
    def test_what_the_program_warns_of_is_a_warning(self):
        narrow = {"app": "tddft", "system": {"unit": "angstrom", "cell": [3.2, 3.2, 3.2], "spacing": "0.4 angstrom", "elements": ["He"],
                                             "positions": [[0, 0, 0]]},
                  "propagation": {"duration": "0 fs", "settling": "0 fs"}, "excitation": {"type": "none"}}
        with self.assertWarnsRegex(suite.RunWarning, "the cell is small") as caught:
            run = suite.run(narrow, threads=1)
        self.assertEqual(caught.filename, __file__)
        self.assertEqual(run.warnings[0], str(caught.warning))
        narrow["system"]["cell"] = [7, 7, 7]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(suite.run(narrow, threads=1).warnings, [])


class Mistakes(Case):
    def test_an_input_has_all_of_its_mistakes_in_the_exception(self):
        error = self.fails(suite.InputError, "unknown key 'elemnts' in 'molecule'; did you mean 'elements'?", suite.run,
                           {"app": "dfpt", "molecule": {"elemnts": ["H"], "unit": "meter"}})
        self.assertIn("'unit'", str(error))
        self.assertIsInstance(error, ValueError)
        self.fails(suite.InputError, "unknown key 'elemnts'", suite.check, {"app": "dfpt", "molecule": {"elemnts": ["H"]}})

    def test_what_does_not_exist_is_named(self):
        self.fails(suite.FileError, "nofile.yaml: no such file", suite.run, "nofile.yaml")
        self.fails(suite.NotFound, "no implementation 'cpuu' of gpp.sigma; did you mean 'cpu'?", suite.run, KERNEL, implementation="cpuu")
        self.fails(suite.NotFound, "unknown app 'dftp'", suite.run, {"app": "dftp"})
        self.fails(suite.FileError, "cannot read nothing/here", suite.load, "nothing/here")
        (self.folder / "result.json").write_text("{\n x")
        self.fails(suite.InputError, "result.json:2:2:", suite.load, self.folder)
        self.fails(suite.InvalidArgument, "compare takes one input, or two results", suite.compare)

    @unittest.skipUnless("vmc" in APPS, "this build has no app vmc")
    def test_a_run_is_interrupted_once_and_keeps_its_results(self):
        """SIGINT of the process of Python, as Ctrl-C or a notebook's stop button sends it, once the run has begun its walk."""
        program = """if True:
            import glob, os, signal, threading, time, suite
            def interrupt():
                while not glob.glob("results/heg14-*"):
                    time.sleep(0.1)
                time.sleep(3)  # for the kernel's check and the first steps: before, there is nothing to keep
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=interrupt, daemon=True).start()
            try:
                suite.run("heg14.yaml", set={"vmc.steps": 1000000}, threads=1)
            except KeyboardInterrupt as e:
                print(type(e.__cause__).__name__, e.__cause__.result.status)
            """
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stdout.strip(), "Interrupted interrupted", done.stderr)


class Measurements(Case):
    def test_bench_and_compare_verify_before_they_rank(self):
        found = suite.bench("gpp.sigma", size=SMALL, implementations=["reference", "cpu"], repeat=3, threads=1)
        self.assertEqual([row.implementation for row in found.rows], ["reference", "cpu"])
        self.assertEqual(found.rows[1].verification.status, "verified")
        self.assertEqual(found.rows[1].median.unit, "s")
        self.assertEqual(found.tables[0], "candidates")

    @needs("pandas", "matplotlib")
    def test_their_table_and_figure(self):
        import matplotlib

        matplotlib.use("Agg")
        found = suite.bench("gpp.sigma", size=SMALL, implementations=["reference", "cpu"], repeat=3, threads=1)
        frame = found.table()
        self.assertEqual(list(frame["implementation"]), ["reference", "cpu"])
        self.assertTrue((frame["verification"] == "verified").all())
        self.assertEqual(frame.attrs["units"]["median_s"], "s")
        ax = found.plot()
        self.assertEqual(len(ax.patches), 2)


class Units(Case):
    def test_factors_are_those_of_the_program(self):
        header = (SOURCE / "apps" / "base" / "units.hpp").read_text()
        for name, value in (("rydberg_eV", _units.HARTREE_EV / 2), ("bohr_angstrom", _units.BOHR_ANGSTROM), ("atomic_time_fs", _units.ATOMIC_TIME_FS)):
            self.assertIn(f"{name} = {value!r}", header)

    def test_arithmetic_gives_plain_numbers(self):
        a = suite.QuantityArray([1.0, 2.0], "Ha")
        self.assertEqual(type(a * 2), np.ndarray)
        self.assertEqual(a[:1].unit, "Ha")
        self.assertEqual(type(suite.Quantity(1, "Ha") + 1), float)
        self.assertEqual(str(suite.QuantityArray([1.5], "eV")), "[1.5] eV")


if __name__ == "__main__":
    unittest.main()
