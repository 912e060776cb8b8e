# SPDX-License-Identifier: BSD-3-Clause
"""Tables for other programs: --csv, --junit and suite history."""
import csv
import io
import json
import unittest
import xml.etree.ElementTree as ElementTree

from suite_program import Case, SMALL_KERNEL, WRONG_PLUGIN, suite

TINY = ["--size", "test:1", "--repeat", "6"]


class Tables(Case):
    def rows(self, *arguments, code=0):
        done = suite(*arguments, "--csv", folder=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertTrue(rows)
        for row in rows:
            self.assertNotIn(None, row, "more cells than columns")
            self.assertNotIn(None, row.values(), "fewer cells than columns")
        return rows

    def result(self, name):
        return json.loads((self.folder / name / "result.json").read_text())

    def test_rows_are_those_of_the_result(self):
        rows = self.rows("bench", "gpp.sigma", *TINY, "--implementations", "reference,cpu", "--threads", "1,2", "--output", "bench")
        blocks = self.result("bench")["blocks"]
        self.assertEqual(len(rows), sum(len(block["contenders"]) for block in blocks))
        stored = [(block, row) for block in blocks for row in block["contenders"]]
        for row, (block, of_file) in zip(rows, stored):
            for key in ("implementation", "variant", "device"):
                self.assertEqual(row[key], of_file[key])
            self.assertEqual((row["kernel"], row["size"], row["threads"]), (block["kernel"], block["size"], str(block["threads"])))
            for key in ("median_s", "low_s", "high_s", "flops"):
                self.assertEqual(float(row[key]), of_file[key])
            self.assertEqual(row["verification.status"], "verified")
            self.assertEqual(float(row["ratio.median"]), of_file["ratio"]["median"])
            self.assertNotIn("samples_s", row)

    def test_every_command_that_prints_a_table(self):
        self.write("k.yaml", SMALL_KERNEL)
        compared = self.rows("compare", "k.yaml", "--implementations", "reference,cpu", "--repeat", "6", "--output", "old")
        self.assertEqual([row["implementation"] for row in compared], ["reference", "cpu"])
        self.rows("compare", "k.yaml", "--implementations", "reference,cpu", "--repeat", "6", "--output", "new")
        self.assertEqual([row["implementation"] for row in self.rows("compare", "old", "new")], ["reference", "cpu"])
        self.rows_of_two_results("old", "new")
        self.assertIn("v1", [row["step"] for row in self.rows("ladder", "gpp.sigma", *TINY)])
        self.assertIn("roofline.flop_per_s", self.rows("roofline", "gpp.sigma", *TINY, "--implementations", "cpu")[0])
        listed = self.rows("list")
        self.assertIn(("gpp", "reference"), [(row["family"], row["implementation"]) for row in listed])
        self.assertEqual(self.rows("list", "gpp.sigma")[0]["name"], "wtilde_array")
        self.assertIn("gw", [row["family"] for row in self.rows("validate")])
        self.assertEqual(self.rows("bench", "gpp.sigma", *TINY, "--dry-run")[0]["kernel"], "gpp.sigma")

    def rows_of_two_results(self, *arguments):
        """Each number that the comparison of two results has, by its own keys."""
        rows, document = self.rows("compare", *arguments), json.loads(suite("compare", *arguments, "--json", folder=self.folder).stdout)
        expected = [*document["physics"]["observables"], *({**row, **metric} for row in document["rows"] for metric in row["metrics"] or [{}])]
        self.assertEqual(len(rows), len(expected))
        for row, stored in zip(rows, expected):
            for key in {"name", "kernel", "implementation", "metric", "verdict"} & stored.keys():
                self.assertEqual(row[key], stored[key])
            for key in {"old", "new", "difference", "allowed"} & stored.keys():
                self.assertEqual(float(row[key]), stored[key])
            for key, value in {**(stored.get("ratio") or {})}.items():
                self.assertEqual(float(row["ratio." + key]), value)
        return rows

    def test_two_results_of_an_app(self):
        gas = "app: vmc\nsystem: {rs: 5 bohr, electrons: 14}\njastrow: {type: slater}\nvmc: {walkers: 4, steps: 40, equilibration: 100}\n"
        self.write("gas.yaml", gas)
        for name, seed in (("old", 1), ("new", 2)):
            self.assertEqual(suite("run", "gas.yaml", "--set", f"seed={seed}", "--output", name, folder=self.folder).returncode, 0)
        self.assertIn("Hartree-Fock energy", [row["name"] for row in self.rows_of_two_results("old", "new")])

    def test_a_history_tells_parameters_apart(self):
        for pairs in ("half", "full"):
            self.rows("bench", "lfd.kin_prop", *TINY, "--implementations", "reference", "--parameter", f"p={pairs}", "--output", pairs)
        self.assertEqual({row["parameters.p"] for row in self.rows("history", "half", "full")}, {"half", "full"})

    def test_json_and_csv_exclude_each_other(self):
        self.refused(["list", "--json", "--csv"], 2, "suite: error: --json and --csv exclude each other\nsee: suite list --help\n")

    def cases(self, name):
        tree = ElementTree.parse(self.folder / name).getroot()
        self.assertEqual(tree.tag, "testsuites")
        cases = {(case.get("classname"), case.get("name")): case for case in tree.iter("testcase")}
        count = {kind: sum(1 for _ in tree.iter(kind)) for kind in ("failure", "error", "skipped")}
        self.assertEqual((int(tree.get("tests")), int(tree.get("failures")), int(tree.get("errors")), int(tree.get("skipped"))),
                         (len(cases), count["failure"], count["error"], count["skipped"]))
        return cases

    def test_junit_has_a_case_for_each_row(self):
        self.write("k.yaml", SMALL_KERNEL)
        done = suite("compare", "k.yaml", "--implementations", f"reference,cpu,{WRONG_PLUGIN}", "--repeat", "6", "--junit", "junit.xml", "--quiet",
                     folder=self.folder)
        self.assertEqual(done.returncode, 1)
        cases = self.cases("junit.xml")
        self.assertEqual(len(cases), 3)
        failed = [name for (kernel, name), case in cases.items() if case.find("failure") is not None]
        self.assertEqual(len(failed), 1)
        self.assertIn(WRONG_PLUGIN.name, failed[0])
        for (kernel, name), case in cases.items():
            self.assertEqual(kernel, "gpp.sigma")
            if name not in failed:
                self.assertGreater(float(case.get("time")), 0)
        # Written again, but never over anything else.
        suite("bench", "gpp.sigma", *TINY, "--implementations", "cpu", "--junit", "junit.xml", "--quiet", folder=self.folder)
        self.assertEqual(len(self.cases("junit.xml")), 1)
        before = (self.folder / "k.yaml").read_text()
        self.refused(["compare", "k.yaml", "--junit", "k.yaml"], 2,
                     "suite: error: --junit 'k.yaml' exists and was not written by suite; it is not overwritten\nsee: suite compare --help\n")
        self.assertEqual((self.folder / "k.yaml").read_text(), before)
        self.refused(["compare", "k.yaml", "--junit", "no/junit.xml"], 2, "suite: error: --junit: there is no folder 'no'\nsee: suite compare --help\n")

    def test_junit_of_two_results_fails_where_a_regression_is(self):
        suite("bench", "gpp.sigma", *TINY, "--implementations", "reference,cpu", "--output", "old", "--quiet", folder=self.folder)
        found = self.result("old")
        slow = found["blocks"][0]["contenders"][1]
        slow.update(samples_s=[3 * s for s in slow["samples_s"]], median_s=3 * slow["median_s"], low_s=3 * slow["low_s"], high_s=3 * slow["high_s"])
        self.write("new.json", json.dumps(found))
        done = suite("compare", "old", "new.json", "--fail-on", "slower:50%", "--junit", "junit.xml", "--quiet", folder=self.folder)
        self.assertEqual(done.returncode, 7, done.stderr)
        cases = self.cases("junit.xml")
        failed = {name: case.find("failure").get("message") for (_, name), case in cases.items() if case.find("failure") is not None}
        self.assertEqual(len(cases), 2)
        ((name, message),) = failed.items()
        self.assertIn("cpu", name)
        self.assertIn("slower by more than 50 %", message)

    def test_junit_of_two_results_without_common_rows(self):
        suite("bench", "gpp.sigma", *TINY, "--implementations", "reference,cpu", "--output", "old", "--quiet", folder=self.folder)
        found = self.result("old")
        found["blocks"][0]["size"] = "test:2"
        self.write("other.json", json.dumps(found))
        suite("compare", "old", "other.json", "--junit", "junit.xml", "--quiet", folder=self.folder)
        skipped = {name: case.find("skipped").get("message") for (_, name), case in self.cases("junit.xml").items() if case.find("skipped") is not None}
        self.assertEqual(len(self.cases("junit.xml")), 4)
        self.assertEqual(list(skipped.values()), ["only in the old result"] * 2)
        self.assertTrue(all(name.startswith("test:1 ") for name in skipped))
        found["blocks"] = []
        self.write("empty.json", json.dumps(found))
        suite("compare", "empty.json", "empty.json", "--junit", "junit.xml", "--quiet", folder=self.folder)
        ((name, case),) = self.cases("junit.xml").items()
        self.assertEqual((name, case.find("skipped").get("message")), (("suite compare", "rows"), "the result has no rows"))

    def test_junit_of_a_validation(self):
        self.write("mine/kernel.yaml", SMALL_KERNEL)
        self.write("mine.yaml", "kernel:\n  checks:\n    - {quantity: median_s, below: 1e9, source: a book}\n    - {quantity: low_s, below: 1.0e-12}\n")
        done = suite("validate", "mine.yaml", "--junit", "junit.xml", "--quiet", folder=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        cases = self.cases("junit.xml")
        self.assertEqual([case.find("failure") is not None for case in cases.values()], [False, True])


class History(Case):
    def setUp(self):
        super().setUp()
        suite("bench", "gpp.sigma", *TINY, "--implementations", "reference,cpu", "--output", "first", "--quiet", folder=self.folder)
        self.first = json.loads((self.folder / "first" / "result.json").read_text())

    def plant(self, number, seconds, host="here", commit="0123456789", **more):
        """A result of another day, with these times of cpu."""
        document = json.loads(json.dumps(self.first))
        document["provenance"].update(utc=f"2026-10-{number:02}T08:00:00Z", suite_commit=commit, **more)
        document["provenance"]["host"]["name"] = host
        row = document["blocks"][0]["contenders"][1]
        samples = [seconds * (1 + 0.001 * i) for i in range(-5, 6)]
        row.update(samples_s=samples, median_s=seconds, low_s=samples[1], high_s=samples[-2])
        self.write(f"results/bench-{host}-{number}/result.json", json.dumps(document))

    def series(self, *arguments):
        done = suite("history", *arguments, "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {(s["implementation"], s["machine"].split(",")[0]): s for s in json.loads(done.stdout)["series"]}

    def test_a_change_is_found_and_noise_is_not(self):
        for number, seconds in enumerate((1.0, 1.001, 0.999, 0.5, 0.501, 0.8), 1):
            self.plant(number, seconds, commit=f"{number:010}")
        points = self.series()["cpu", "here"]["points"]
        self.assertEqual([p["verdict"] for p in points], ["", "same", "same", "FASTER", "same", "SLOWER"])
        self.assertAlmostEqual(points[3]["ratio"]["median"], 0.5, delta=0.01)
        self.assertAlmostEqual(points[5]["ratio"]["median"], 1.6, delta=0.02)  # to the level since the last change, not to the first
        self.assertEqual([p["suite_commit"] for p in points], [f"{n:010}" for n in range(1, 7)])
        done = suite("history", "--fail-on", "slower:5%", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 7, done.stderr)
        sentence = json.loads(done.stdout)["regressions"][0]
        self.assertRegex(sentence, r"^gpp\.sigma, .*, cpu .* is slower by more than 5 %: ratio 1\.(59|60)\d \(")
        self.assertIn(f"suite: regression: {sentence}\n", done.stderr)
        self.assertEqual(suite("history", "--fail-on", "slower:80%", folder=self.folder).returncode, 0)
        text = suite("history", folder=self.folder).stdout
        self.assertRegex(text, r"2026-10-04 08:00 .* 00000000 +500 ms .* 0\.500 +FASTER\n")

    def test_machines_never_share_a_series(self):
        self.plant(1, 1.0)
        self.plant(2, 0.5, host="elsewhere")
        found = self.series()
        self.assertEqual([len(found["cpu", host]["points"]) for host in ("here", "elsewhere")], [1, 1])
        self.assertEqual([p["verdict"] for s in found.values() for p in s["points"]], [""] * 4)
        self.refused(["history", "--fail-on", "slower:5%"], 2, "suite: error: --fail-on cannot be evaluated: no series has two results\n")
        self.refused(["history", "--fail-on", "failed"], 2,
                     "suite: error: --fail-on has 'failed'; 'history' takes slower:5% (or another percentage)\nsee: suite history --help\n")

    def test_figure_and_page(self):
        for number in range(1, 5):
            self.plant(number, 1.0 / number)
        for name in ("history.svg", "history.html"):
            done = suite("history", "results", "--output", name, folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        drawing = ElementTree.parse(self.folder / "history.svg")
        text = "".join(drawing.getroot().itertext())
        for part in ("gpp.sigma", "FASTER 0.50", "2026-10-01 01234567", "time (s)"):
            self.assertIn(part, text)
        page = (self.folder / "history.html").read_text()
        self.assertIn("data:image/svg+xml;base64,", page)
        self.assertIn("2026-10-04T08:00:00Z", page)
        self.refused(["history", "--output", "history.html", "--quiet"], 2,
                     "suite: error: --output 'history.html' exists; it is not overwritten\nsee: suite history --help\n")
        self.refused(["history", "--output", "history.txt"], 2,
                     "suite: error: --output must end in .html or .svg; got 'history.txt'\nsee: suite history --help\n")

    def test_what_is_shown_can_be_chosen(self):
        self.plant(1, 1.0)
        self.assertEqual(self.series("--kernel", "gpp").keys(), self.series().keys())
        done = suite("history", "--kernel", "nosuch", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no times of the kernel or family 'nosuch' in 1 result file", done.stderr)

    def test_nothing_to_show(self):
        self.refused(["history"], 6, "suite: error: there is no folder 'results' here; 'suite bench' creates it, or name results: suite history "
                     "RESULT|FOLDER...\n")
        self.refused(["history", "no"], 6, "suite: error: 'no': no such file or folder\n")
        self.write("results/bad/result.json", "{")
        done = suite("history", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("warning: left out: results/bad/result.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
