# SPDX-License-Identifier: BSD-3-Clause
"""What the program makes of plugins: one of version 1 is refused with a sentence; sentences for people decide nothing."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from suite_program import Case, suite

SAME = pathlib.Path(os.environ["SUITE_SAME_PLUGINS"])
VERSION_1 = pathlib.Path(os.environ["SUITE_VERSION_1_PLUGIN"])
REFUSED = "it was built for version 1 of the plugin contract; this suite has version 2"


def of_same(*arguments, folder):
    return suite(*arguments, folder=folder, environment={"SUITE_PLUGIN_PATH": str(SAME)})


class Version1(Case):
    def setUp(self):
        super().setUp()
        shutil.copy(VERSION_1, self.folder)
        (self.folder / VERSION_1.name).chmod(0o644)
        self.write("k.yaml", "kernel: same.sum\n")

    def test_it_is_listed_with_the_reason(self):
        done = suite("list", "--plugin", ".", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(" ".join(f"unavailable {self.folder}/{VERSION_1.name} {REFUSED}".split()), " ".join(done.stdout.split()))
        listed = json.loads(suite("list", "--plugin", ".", "--json", folder=self.folder).stdout)
        self.assertIn({"file": f"{self.folder}/{VERSION_1.name}", "why": REFUSED}, listed["unusable"])

    def test_it_is_refused_by_name(self):
        self.refused(["run", "k.yaml", "--plugin", VERSION_1.name], 3, f"suite: error: cannot use ./{VERSION_1.name}: {REFUSED}\n",
                     environment={"SUITE_PLUGIN_PATH": str(SAME)})


class Verdicts(Case):
    """The choice `rough` is off by 1e-6; plain and reworded allow it 1e-7, in other words, and generous 1e-5."""

    def verdicts(self, precision):
        self.write("k.yaml", "kernel: same.sum\nsize: small\nrepeat: 6\n")
        done = of_same("compare", "k.yaml", "--implementations", "reference,plain,permuted,reworded,generous", "--parameter", f"precision={precision}",
                       "--json", folder=self.folder)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return {c["implementation"]: c["verification"]["status"] for c in json.loads(done.stdout)["contenders"] if c["implementation"] != "reference"}

    def test_the_stated_tolerance_decides_and_its_words_do_not(self):
        self.assertEqual(self.verdicts("rough"), {"plain": "failed", "permuted": "failed", "reworded": "failed", "generous": "verified"})
        self.assertEqual(self.verdicts("exact"), {name: "verified" for name in ("plain", "permuted", "reworded", "generous")})

    def test_tune_tries_no_choice_that_is_less_exact(self):
        tried = json.loads(of_same("bench", "same.sum", "--implementations", "plain", "--tune", "--json", folder=self.folder).stdout)
        self.assertNotIn("rough", json.dumps(tried))

    def test_the_test_of_all_plugins_agrees(self):
        """tests/plugins/agreement.cpp: `plain` and `reworded` are refused alike, `generous` is not."""
        if "SUITE_TEST_PLUGINS" not in os.environ:
            self.skipTest("test_plugins was not built")
        for name, fine in (("plain", False), ("permuted", False), ("reworded", False), ("generous", True)):
            with self.subTest(name):
                done = subprocess.run([os.environ["SUITE_TEST_PLUGINS"], "--run_test=*same.sum*", "--", "--choices", str(SAME / f"suite_same_{name}.so")],
                                      env={**os.environ, "SUITE_PLUGIN_PATH": str(SAME)}, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode == 0, fine, done.stdout + done.stderr)
                if not fine:
                    self.assertIn("precision=rough", done.stdout + done.stderr)


class Listed(Case):
    def test_choices_are_data(self):
        listed = json.loads(of_same("list", "same.sum", "--json", folder=self.folder).stdout)
        by_name = {i["implementation"]: i["parameters"] for i in listed["implementations"]}
        self.assertEqual(by_name["reference"], [])
        (parameter,) = by_name["generous"]
        self.assertEqual(parameter, {
            "name": "precision", "meaning": "how exact y is", "unit": "1", "value": 0, "low": 0, "high": 1, "changes_result": False, "choices": [
                {"name": "exact", "meaning": "as written", "tolerance": 0, "after": None, "expected": "", "published": []},
                {"name": "rough", "meaning": "off by 1e-6", "tolerance": 1e-05, "after": None, "expected": "", "published": []}]})
        text = of_same("list", "same.sum", folder=self.folder).stdout
        self.assertIn("  precision (default exact): how exact y is\n    exact: as written\n    rough: off by 1e-6; tolerance 1e-05\n", text)
        self.assertRegex(text, r"\n  factor +real64, in, optional\n +multiplies x; unset: 1\n")
        self.assertEqual(next(a for a in listed["arguments"] if a["name"] == "factor")["when_unset"], "1")
        self.assertEqual(listed["merit"], {"unit": "numbers", "formula": "n"})


if __name__ == "__main__":
    unittest.main()
