# SPDX-License-Identifier: BSD-3-Clause
"""suite compare OLD NEW: two stored results, what else differs between them, and exit code 7."""
import json
import shutil

from suite_program import Case, WRONG_PLUGIN, suite

SIZE = "ntband=8,ngpown=12,ncouls=40,nw=2"


class TwoResults(Case):
    def setUp(self):
        super().setUp()
        done = suite("bench", "gpp.sigma", "--size", SIZE, "--implementations", "cpu", "--variants", "v1,best", "--repeat", "12", "--threads", "1",
                     "--output", "old", "--quiet", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def changed(self, change, name="new"):
        """A copy of the result with something changed."""
        result = json.loads((self.folder / "old" / "result.json").read_text())
        change(result)
        self.write(f"{name}/result.json", json.dumps(result))
        return name

    def slowed(self, factor):
        def change(result):
            row = result["blocks"][0]["contenders"][1]
            row["samples_s"] = [factor * s for s in row["samples_s"]]
        return self.changed(change)

    def compare(self, *arguments):
        done = suite("compare", *arguments, "--json", folder=self.folder)
        return done, json.loads(done.stdout)

    def test_a_result_and_itself(self):
        done, result = self.compare("old", "old/result.json", "--fail-on", "slower:0%,failed,missing")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((result["schema"], result["status"], result["differences"]), ("suite-comparison-1", "ok", []))
        self.assertEqual([(r["variant"], r["threads"], r["size"]) for r in result["rows"]], [("v1", 1, SIZE), ("best", 1, SIZE)])
        for row in result["rows"]:
            self.assertIn(row["verdict"], ("same", "unclear"))
            (time,) = row["metrics"]
            self.assertEqual((time["metric"], time["unit"], time["better"], time["old"]), ("time", "s", "lower", time["new"]))
            self.assertAlmostEqual(time["ratio"]["median"], 1)

    def test_a_slower_row_is_a_regression(self):
        new = self.slowed(3)
        done, result = self.compare("old", new)
        self.assertEqual((done.returncode, done.stderr, result["rows"][1]["verdict"]), (0, "", "SLOWER"))
        done, result = self.compare("old", new, "--fail-on", "slower:5%")
        self.assertEqual((done.returncode, result["status"], len(result["regressions"])), (7, "regression", 1))
        self.assertRegex(done.stderr, rf"^suite: regression: gpp.sigma {SIZE} cpu best 1 thread is slower by more than 5 %: ratio \d\.\d+ \(\d\.\d+ - \d\.\d+\)\n$")
        self.assertEqual(self.compare("old", new, "--fail-on", "slower:2000%,failed,missing")[0].returncode, 0)
        done, result = self.compare(new, "old", "--fail-on", "slower:5%")
        self.assertEqual((done.returncode, result["rows"][1]["verdict"]), (0, "FASTER"))

    def test_table(self):
        def change(result):
            result["provenance"]["plugins"][0]["compiler"] = "another compiler -O1"
            del result["blocks"][0]["contenders"][0]
        done = suite("compare", "old", self.changed(change), "--fail-on", "missing", folder=self.folder)
        self.assertEqual(done.returncode, 7)
        self.assertRegex(done.stdout, r"^old  old/result\.json   20\S+Z   suite \d")
        self.assertRegex(done.stdout, r"\ndifferent +old +new\ncompiler and flags of suite_gpp_cpu\.so(?: \(x86-64-v\d\))? +\S.* another compiler -O1\n")
        self.assertRegex(done.stdout, r"\n  row +old +new +ratio +95 % interval +p +verdict\n  gpp\.sigma \S+ cpu best 1 thread .* (same|unclear)\n")
        self.assertIn(f"\n  only in old: gpp.sigma {SIZE} cpu v1 1 thread\n", done.stdout)
        self.assertEqual(done.stderr, f"suite: regression: gpp.sigma {SIZE} cpu v1 1 thread is missing\n")

    def test_a_wrong_row_has_no_rank(self):
        def change(result):
            result["blocks"][0]["contenders"][1]["verification"] = {"status": "failed", "max_relative_error": 1.0, "detail": "asxtemp(1,1) is (0, 0)"}
        done = suite("compare", "old", self.changed(change), "--fail-on", "failed", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (7, f"suite: regression: gpp.sigma {SIZE} cpu best 1 thread fails its verification\n"))
        self.assertRegex(done.stdout, r"\n  gpp\.sigma \S+ cpu best 1 thread +- +- +- +- +- +FAILED\n")
        self.assertIn("FAILED: asxtemp(1,1) is (0, 0)\n", done.stdout)

    def test_mistakes(self):
        shutil.copy(self.folder / "old" / "result.json", self.folder / "one.json")
        for arguments, sentence in (
                (["old", "old", "--repeat", "3"], "two stored results are compared without running anything; --repeat applies to an input"),
                (["one.json"], "'one.json' is a result; comparing needs two: suite compare OLD NEW"),
                (["x.yaml", "--fail-on", "failed"], "--fail-on needs two results: suite compare OLD NEW")):
            self.refused(["compare", *arguments], 2, f"suite: error: {sentence}\nsee: suite compare --help\n")
        self.refused(["compare", "old", "old", "--fail-on", "slower:5"], 2,
                     "suite: error: --fail-on has 'slower:5'; it takes physics, slower:5% (or another percentage), failed, missing, separated by commas\n")
        def of_another_size(result):
            result["blocks"][0]["size"] = "test:1"
        self.refused(["compare", "old", self.changed(of_another_size), "--fail-on", "slower:5%"], 2,
                     "suite: error: --fail-on cannot be evaluated: the results have no common rows\n")
        self.assertEqual(suite("compare", "old", "nothing", folder=self.folder).returncode, 6)
        self.refused(["compare", "missing", "nothing"], 6, "suite: error: cannot read 'missing': No such file or directory\n")
        self.write("broken.json", "{")
        self.assertEqual(suite("compare", "old", "broken.json", folder=self.folder).returncode, 2)


class Physics(Case):
    """What apps computed."""

    def result(self, name, *observables, app="dfpt", **more):
        row = {"kernel": "dfpt.rho", "implementation": "cpu", "samples_s": [1.0] * 6}
        self.write(f"{name}/result.json", json.dumps({"schema": "suite-result-1", "app": app, "status": "ok", "kernels": [row], "results": {},
                                                      "observables": list(observables), **more}))

    def compare(self, *arguments):
        done = suite("compare", "old", "new", *arguments, "--json", folder=self.folder)
        return done, json.loads(done.stdout)["physics"]

    def test_a_total_energy_that_is_another(self):
        energy = {"name": "total energy", "unit": "Ha", "tolerance": 1e-6}
        self.result("old", {**energy, "values": [-1.1372]})
        self.result("new", {**energy, "values": [-0.6372]})
        done, physics = self.compare("--fail-on", "physics")
        self.assertEqual((done.returncode, physics["verdict"]), (7, "different"))
        self.assertEqual(done.stderr, "suite: regression: total energy (Ha) is -0.6372, was -1.1372: differs by 0.5, allowed 1e-06\n")
        done = suite("compare", "old", "new", folder=self.folder)
        self.assertRegex(done.stdout, r"\n  quantity +old +new +difference +allowed *\n  total energy \(Ha\) +-1\.1372 +-0\.6372 +0\.5 +1e-06 +DIFFERENT\n")
        # The larger of the two tolerances holds, and it is absolute.
        self.result("new", {**energy, "values": [-1.1372001], "tolerance": 2e-7})
        done, physics = self.compare("--fail-on", "physics")
        self.assertEqual((done.returncode, physics["verdict"], physics["observables"][0]["allowed"]), (0, "same", 1e-6))

    def test_numbers_that_are_none_never_agree(self):
        energy = {"name": "total energy", "unit": "Ha", "tolerance": 1e30}
        self.result("old", {**energy, "values": [None]})
        self.result("new", {**energy, "values": [None]})
        done, physics = self.compare("--fail-on", "physics")
        self.assertEqual((done.returncode, physics["verdict"], physics["observables"][0]["new"]), (7, "different", None))

    def test_statistical_ones_by_their_error_bars(self):
        energy = {"name": "energy", "unit": "Ha", "tolerance": 0}
        self.result("old", {**energy, "values": [-1.110], "errors": [3e-4]}, app="vmc")
        for value, verdict in ((-1.1119, "same"), (-1.1081, "same"), (-1.1121, "different")):  # four times 5e-4
            self.result("new", {**energy, "values": [value], "errors": [4e-4]}, app="vmc")
            done, physics = self.compare("--fail-on", "physics")
            self.assertEqual((physics["verdict"], done.returncode), (verdict, 7 if verdict == "different" else 0))
            self.assertAlmostEqual(physics["observables"][0]["allowed"], 2e-3)

    def test_of_a_list_the_farthest_off_is_shown(self):
        levels = {"name": "levels", "unit": "eV", "tolerance": 1e-3}
        self.result("old", {**levels, "values": [1, 2, 3], "labels": ["a", "b", "c"]}, {**levels, "name": "gap", "values": [1]})
        self.result("new", {**levels, "values": [3.5, 2.1, 9], "labels": ["c", "b", "d"]})
        _, physics = self.compare()
        (row,) = physics["observables"]
        self.assertEqual((row["label"], row["count"], row["old"], row["new"], row["verdict"]), ("c", 2, 3, 3.5, "different"))
        self.assertEqual((physics["only_old"], physics["only_new"]), (["levels a", "gap"], ["levels d"]))
        done = suite("compare", "old", "new", "--fail-on", "physics", folder=self.folder)
        self.assertIn("suite: regression: levels (eV), largest deviation of 2: c is 3.5, was 3", done.stderr)
        self.assertIn("suite: regression: gap is not in the new result\n", done.stderr)
        self.result("new", {**levels, "unit": "Ha", "values": [1, 2, 3], "labels": ["a", "b", "c"]})
        self.assertEqual(self.compare()[1]["observables"][0]["why"], "in eV before and in Ha after")

    def test_results_without_observables_say_so(self):
        self.result("old")
        self.result("new", {"name": "gap", "unit": "eV", "values": [1], "tolerance": 1})
        self.assertEqual(self.compare()[1]["verdict"], "not compared")
        done = suite("compare", "old", "new", folder=self.folder)
        self.assertIn("physical results could not be compared: the old one has no observables, which earlier versions did not write\n", done.stdout)
        self.refused(["compare", "old", "new", "--fail-on", "physics"], 2,
                     "suite: error: --fail-on physics cannot be evaluated: the old one has no observables, which earlier versions did not write\n")
        self.result("old", {"name": "gap", "unit": "eV", "values": [1], "tolerance": 1}, app="gw")
        self.assertEqual(self.compare()[1]["why"], "the old one is from app gw, the new one from dfpt")

    def test_a_report_tells_runs_of_one_input_that_differ(self):
        provenance = {"input": {"file": "h2.yaml", "sha256": "0" * 64}, "overrides": [], "command_line": []}
        energy = {"name": "total energy", "unit": "Ha", "tolerance": 1e-6}
        for name, value in (("old", -1.1), ("new", -1.2)):
            self.result(name, {**energy, "values": [value]}, provenance=provenance, results={"total_energy_Ha": value})
        self.assertEqual(suite("report", "old", "new", "--output", "page.html", folder=self.folder).returncode, 0)
        page = (self.folder / "page.html").read_text()
        self.assertIn("Results differ", page)
        self.assertIn("A and B computed different numbers from the same input", page)
        self.result("new", {**energy, "values": [-1.1]}, provenance=provenance, results={"total_energy_Ha": -1.1})
        suite("report", "old", "new", "--output", "again.html", folder=self.folder)
        page = (self.folder / "again.html").read_text()
        self.assertNotIn("Results differ", page)
        self.assertIn("✓ same", page)


class OneName(Case):
    """Two plugins of one file name."""

    def test_they_are_told_apart(self):
        for folder in ("first", "second"):
            (self.folder / folder).mkdir(mode=0o755)
            shutil.copy(WRONG_PLUGIN, self.folder / folder / "mine.so")
        done = suite("bench", "gpp.sigma", "--size", SIZE, "--implementations", "first/mine.so,second/mine.so", "--repeat", "5", "--output", "out",
                     folder=self.folder)
        self.assertRegex(done.stdout, r"\n  first/mine\.so .*\n  second/mine\.so ")
        done = suite("compare", "out", "out", "--json", folder=self.folder)
        self.assertEqual([row["implementation"] for row in json.loads(done.stdout)["rows"]], ["first/mine.so", "second/mine.so"])
        done = suite("compare", "out", "out", folder=self.folder)
        self.assertRegex(done.stdout, r" first/mine\.so .*\n.* second/mine\.so ")
        suite("report", "out", "--output", "page.html", folder=self.folder)
        page = (self.folder / "page.html").read_text()
        for name in ("first/mine.so", "second/mine.so"):
            self.assertIn(name, page)
        # Alone it is called by its file.
        done = suite("bench", "gpp.sigma", "--size", SIZE, "--implementations", "first/mine.so", "--repeat", "5", folder=self.folder)
        self.assertRegex(done.stdout, r"\n  mine\.so ")
