# SPDX-License-Identifier: BSD-3-Clause
"""suite validate: results beside published ones."""
import json
import re
import signal
import subprocess
import time
import unittest

from suite_program import Case, INPUTS, PROGRAM, SMALL_KERNEL, suite

# Two cases: the first is finished soon, the second takes as long as a test may wait for it.
FIRST = "first:\n  cpu_s: 90\n  memory_MiB: 64\n  checks:\n    - {quantity: median_s, below: 1e9}\n"
SECOND = "second:\n  cpu_s: 3600\n  memory_MiB: 100\n  checks:\n    - {quantity: median_s, below: 1e9}\n"


class Validate(Case):
    def validate(self, checks, *arguments):
        self.write("mine.yaml", f"fma:\n  checks:\n{checks}")
        (self.folder / "mine").mkdir(exist_ok=True)
        (self.folder / "mine" / "fma.yaml").write_text(SMALL_KERNEL)
        return suite("validate", "mine.yaml", *arguments, folder=self.folder)

    def test_numbers_that_fit_and_that_do_not(self):
        done = self.validate("    - {quantity: median_s, below: 1e9, source: a book}\n"
                             "    - {quantity: median_s, quantity_error: high_s, expected: -1e9, source: another}\n"
                             "    - {quantity: median_s, expected: 0, tolerance: 1e6}\n", "--json", "--output", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["status"], "failed")
        self.assertEqual([row["verdict"] for row in found["checks"]], ["ok", "failed", "ok"])
        self.assertEqual(found["checks"][0]["source"], "a book")
        self.assertEqual(json.loads((self.folder / "out" / "validation.json").read_text()), found)
        self.assertTrue((self.folder / "out" / "fma" / "result.json").exists())

    def test_an_error_bar_may_be_too_long(self):
        check = "    - {{quantity: low_s, quantity_error: high_s, expected: 0, error: 1e9, largest_error: {}}}\n"
        self.assertEqual(self.validate(check.format("1e9")).returncode, 0)
        self.assertEqual(self.validate(check.format("1e-30")).returncode, 1)

    def test_a_table_for_readers(self):
        done = self.validate("    - {quantity: median_s, below: 1e9, source: a book}\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"fma +median_s +\S+ +<= 1000000000 .*ok.*a book")

    def test_bad_lists_have_their_place(self):
        for checks, sentence in (("    - {quantity: median_s}\n", "mine.yaml:3:7: error: the check needs 'expected' or 'below'"),
                                 ("    - {below: 1}\n", "mine.yaml:3:7: error: the check has no 'quantity'"),
                                 ("    - {quantity: x, below: soon}\n", "mine.yaml:3:28: error: 'below' "),
                                 ("    - {quantity: x, below: 1, nonsense: 2}\n", "mine.yaml:3:31: error: unknown key 'nonsense'")):
            done = self.validate(checks)
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)

    def test_an_unknown_family_is_told(self):
        done = suite("validate", "qcm")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"there is no validation of 'qcm'; did you mean 'qmc'\? \(there are: .*dfpt, .*qmc")

    def test_a_number_that_is_not_there_is_told(self):
        done = self.validate("    - {quantity: nothing.here, below: 1}\n")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the results have no number nothing.here", done.stderr)

    def test_what_it_takes_is_told_before_it_begins(self):
        self.write("two.yaml", FIRST + SECOND)
        done = suite("validate", "two.yaml", "--dry-run", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"first +1 +90 s +64.0 MiB\nsecond +1 +60 min +100.0 MiB\n")
        self.assertIn("two: 2 cases, about 62 min of CPU time and 100.0 MiB of memory", done.stdout)
        self.assertFalse((self.folder / "results").exists())
        families = suite("validate", "--json", folder=self.folder)
        for family in json.loads(families.stdout)["families"]:
            for case in family["cases"]:  # measured, for every case that is shipped
                self.assertGreater(case["cpu_s"], 0, case)
                self.assertGreater(case["memory_B"], 0, case)

    def interrupted(self):
        """Ctrl-C in the second case."""
        self.write("two.yaml", FIRST + SECOND)
        (self.folder / "two").mkdir()
        (self.folder / "two" / "first.yaml").write_text(SMALL_KERNEL)
        (self.folder / "two" / "second.yaml").write_text(SMALL_KERNEL.replace("repeat: 6", "repeat: 100000"))
        running = subprocess.Popen([str(PROGRAM), "validate", "two.yaml", "--output", "out"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 100
        while not (self.folder / "out" / "second").exists() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=100)
        self.assertEqual(running.returncode, 130, said)
        self.assertIn("suite: to continue: suite validate --resume out\n", said)
        found = json.loads((self.folder / "out" / "validation.json").read_text())
        self.assertEqual((found["status"], [c["case"] for c in found["cases"]]), ("interrupted", ["first"]))

    def test_an_interrupted_validation_continues(self):
        self.interrupted()
        finished = (self.folder / "out" / "first" / "result.json").read_bytes()
        (self.folder / "two" / "second.yaml").write_text(SMALL_KERNEL)
        done = suite("validate", "--resume", "out", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("first is finished\n", done.stderr)
        self.assertEqual((self.folder / "out" / "first" / "result.json").read_bytes(), finished)
        found = json.loads((self.folder / "out" / "validation.json").read_text())
        self.assertEqual((found["status"], [c["case"] for c in found["cases"]], len(found["checks"])), ("ok", ["first", "second"], 2))
        # A finished one is only compared again; a case whose input has changed runs again.
        (self.folder / "two" / "first.yaml").write_text(SMALL_KERNEL + "title: another\n")
        done = suite("validate", "--resume", "out", "--json", folder=self.folder)
        self.assertEqual([c["folder"] for c in json.loads(done.stdout)["cases"]], ["first-2", "second-2"])

    def test_resume_takes_a_validation_and_nothing_besides(self):
        self.write("k.yaml", SMALL_KERNEL)
        suite("run", "k.yaml", "--output", "run", folder=self.folder)
        for arguments, code, sentence in ((("--resume", "nowhere"), 6, "nowhere/validation.json"), (("--resume", "run"), 6, "run/validation.json"),
                                          (("qmc", "--resume", "run"), 2, "leave out 'qmc'"),
                                          (("--resume", "run", "--threads", "1"), 2, "it may be combined only with --json, --csv, --junit and --quiet")):
            done = suite("validate", *arguments, folder=self.folder)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(sentence, done.stderr)

    def test_every_shipped_case_has_a_right_input(self):
        for file in sorted((INPUTS / "validation").glob("*.yaml")):
            names = re.findall(r"^(\w+):", file.read_text(), re.M)
            self.assertEqual(sorted(names), sorted(p.stem for p in (INPUTS / "validation" / file.stem).glob("*.yaml")))
            for name in names:
                done = suite("check", INPUTS / "validation" / file.stem / f"{name}.yaml")
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
