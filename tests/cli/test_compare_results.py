# SPDX-License-Identifier: BSD-3-Clause
"""suite compare OLD NEW: two stored results, what else differs between them, and exit code 7."""
import json
import shutil

from suite_program import Case, suite

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
                (["old", "old", "--repeat", "3"], "two results are compared as they are stored; --repeat is for an input"),
                (["one.json"], "'one.json' is a result, which needs another to be compared with: suite compare OLD NEW"),
                (["x.yaml", "--fail-on", "failed"], "--fail-on needs two results: suite compare OLD NEW")):
            self.refused(["compare", *arguments], 2, f"suite: error: {sentence}\nsee: suite compare --help\n")
        self.refused(["compare", "old", "old", "--fail-on", "slower:5"], 2,
                     "suite: error: --fail-on has 'slower:5'; it takes slower:5% (or another percentage), failed, missing, separated by commas\n")
        def of_another_size(result):
            result["blocks"][0]["size"] = "test:1"
        self.refused(["compare", "old", self.changed(of_another_size), "--fail-on", "slower:5%"], 2,
                     "suite: error: --fail-on has nothing to judge: no row is in both results\n")
        self.assertEqual(suite("compare", "old", "nothing", folder=self.folder).returncode, 6)
        self.refused(["compare", "missing", "nothing"], 6, "suite: error: cannot read 'missing': No such file or directory\n")
        self.write("broken.json", "{")
        self.assertEqual(suite("compare", "old", "broken.json", folder=self.folder).returncode, 2)
