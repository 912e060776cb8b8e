# SPDX-License-Identifier: BSD-3-Clause
"""suite validate: results beside published ones."""
import json
import re
import unittest

from suite_program import Case, INPUTS, SMALL_KERNEL, suite


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
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no validation of 'qcm'; did you mean 'qmc'? (there are: dfpt, gw, qmc", done.stderr)

    def test_a_number_that_is_not_there_is_told(self):
        done = self.validate("    - {quantity: nothing.here, below: 1}\n")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the results have no number nothing.here", done.stderr)

    def test_every_shipped_case_has_a_right_input(self):
        for file in sorted((INPUTS / "validation").glob("*.yaml")):
            names = re.findall(r"^(\w+):", file.read_text(), re.M)
            self.assertEqual(sorted(names), sorted(p.stem for p in (INPUTS / "validation" / file.stem).glob("*.yaml")))
            for name in names:
                done = suite("check", INPUTS / "validation" / file.stem / f"{name}.yaml")
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
