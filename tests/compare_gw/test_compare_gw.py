# SPDX-License-Identifier: BSD-3-Clause
"""What tools/compare-gw promises: equal runs are equal whatever they choose within degenerate sets, a difference is named with its
column and place, and what cannot be read is refused with the line."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SUITE_SOURCE"])
STORED = SOURCE / "tests" / "data" / "si_epm"

SIGMA = """
 band_index     1     4

       k =  0.000000  0.250000  0.000000 ik =   1 spin = 1

   n            Emf             Eo              X           SX-X             CH            Eqp0            Znk
   1   -2.500000000   -2.500000000  -17.200000000   12.300000000   -6.600000000  -14.000000000    0.700000000
   2   10.000000000   10.000000000  -14.200000000    9.500000000   -7.600000000   -2.200000000    0.800000000
   3   10.000000001   10.000000001  -14.400000000    9.700000000   -7.400000000   -2.000000000    0.820000000
   4   13.300000000   13.300000000   -4.900000000    2.900000000   -7.300000000    3.900000000    0.790000000

   n   m   l                        X       SX(E2)-X
   1   4   1   real       0.300000000    0.060000000
   1   4   1   imag       0.400000000    0.080000000

================================================================================
    n = band index.
"""
EQP = """  0.000000000  0.250000000  0.000000000       2
       1       2   10.000000000   -2.100000000
       1       4   13.300000000    3.900000000
"""
CH = """# k =   0.000000   0.250000   0.000000 spin = 1
# 1/N extrap for Int(vbm) Int(cbm) diff =   2.08E+00   1.26E+00  -8.12E-01
#    Nb         Int(vbm)         Int(cbm)             diff
      1  -3.62377757E+00  -3.45974142E+00   1.64036146E-01
      2  -1.79177818E+00  -3.15214252E+00  -1.36036434E+00
"""


class CompareGw(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.a, self.b = (pathlib.Path(self.folder.name) / name for name in "ab")
        for folder in (self.a, self.b):
            folder.mkdir()
            (folder / "sigma_hp.log").write_text(SIGMA)
            (folder / "eqp1.dat").write_text(EQP)
            (folder / "ch_converge.dat").write_text(CH)

    def tearDown(self):
        self.folder.cleanup()

    def change(self, name, old, new):
        text = (self.b / name).read_text()
        self.assertIn(old, text)
        (self.b / name).write_text(text.replace(old, new))

    def run_tool(self, *arguments, status):
        done = subprocess.run([sys.executable, SOURCE / "tools" / "compare-gw", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def results(self, *options, status):
        return json.loads(self.run_tool(self.a, self.b, "--json", *options, status=status))

    def test_equal_runs_are_the_same_in_every_file(self):
        found = self.results(status=0)
        self.assertEqual(set(found["files"]), {"sigma_hp.log", "eqp1.dat", "ch_converge.dat"})
        columns = found["files"]["sigma_hp.log"]["columns"]
        # Four bands are three sets; one off-diagonal element.
        self.assertEqual(columns["CH"]["rows"], 3)
        self.assertEqual(columns["|X| of (n,m)"]["rows"], 1)
        self.assertEqual(found["files"]["ch_converge.dat"]["columns"]["diff"]["rows"], 2)

    def test_a_stored_run_equals_itself(self):
        self.assertIn("same (tolerance", self.run_tool(STORED, STORED, status=0))

    def test_another_choice_within_a_degenerate_set_is_no_difference(self):
        self.change("sigma_hp.log", "   2   10.000000000   10.000000000  -14.200000000", "   2   10.000000000   10.000000000  -14.400000000")
        self.change("sigma_hp.log", "   3   10.000000001   10.000000001  -14.400000000", "   3   10.000000001   10.000000001  -14.200000000")
        self.assertTrue(self.results(status=0)["same"])
        # Where only bands of the same energy are a set, it is one.
        columns = self.results("--degeneracy", "0", status=1)["files"]["sigma_hp.log"]["columns"]
        self.assertAlmostEqual(columns["X"]["difference"], 0.2, places=9)

    def test_a_difference_is_named_with_its_column_and_place(self):
        self.change("sigma_hp.log", "   4   13.300000000   13.300000000   -4.900000000    2.900000000   -7.300000000",
                    "   4   13.300000000   13.300000000   -4.900000000    2.900000000   -7.300200000")
        text = self.run_tool(self.a, self.b, status=1)
        self.assertRegex(text, r"CH .* 2\.000e-04 eV   DIFFERS at k = 0 0\.25 0, spin 1, band 4")
        self.assertEqual(text.count("DIFFERS"), 1)
        self.run_tool(self.a, self.b, "--tolerance", "3e-4", status=0)

    def test_phases_of_off_diagonal_elements_are_no_difference(self):
        self.change("sigma_hp.log", "real       0.300000000    0.060000000", "real       0.500000000   -0.100000000")
        self.change("sigma_hp.log", "imag       0.400000000    0.080000000", "imag       0.000000000    0.000000000")
        self.assertTrue(self.results(status=0)["same"])
        self.change("sigma_hp.log", "real       0.500000000", "real       0.600000000")
        columns = self.results(status=1)["files"]["sigma_hp.log"]["columns"]
        self.assertAlmostEqual(columns["|X| of (n,m)"]["difference"], 0.1, places=9)

    def test_nan_differs(self):
        self.change("eqp1.dat", "3.900000000", "        NaN")
        columns = self.results(status=1)["files"]["eqp1.dat"]["columns"]
        self.assertFalse(columns["Eqp"]["within"])
        self.assertTrue(columns["Emf"]["within"])

    def test_sums_over_bands_are_compared_row_by_row(self):
        self.change("ch_converge.dat", "-3.15214252E+00", "-3.25214252E+00")
        text = self.run_tool(self.a, self.b, status=1)
        self.assertRegex(text, r"Int\(cbm\) .*DIFFERS at k = 0 0\.25 0, spin 1, Nb = 2")

    def test_what_only_one_has_is_told(self):
        self.change("eqp1.dat", "       2\n", "       1\n")
        self.change("eqp1.dat", "       1       4   13.300000000    3.900000000\n", "")
        (self.b / "ch_converge.dat").unlink()
        text = self.run_tool(self.a, self.b, status=1)
        self.assertIn(f"only in {self.a}/eqp1.dat: k = 0 0.25 0, spin 1, band 4", text)
        self.assertIn(f"only in {self.a}: ch_converge.dat", text)

    def test_files_of_other_names_are_told_by_how_they_begin(self):
        for name, other in (("sigma_hp.log", "sig_hp_GPP.log"), ("ch_converge.dat", "ch.old"), ("eqp1.dat", "eqp_co.dat")):
            shutil.copy(self.a / name, self.a / other)
            self.assertIn("same", self.run_tool(self.a / other, self.b / name, status=0))

    def test_what_cannot_be_read_is_refused_with_its_line(self):
        self.change("eqp1.dat", "3.900000000", "***********")
        self.assertIn("eqp1.dat:3: '***********' is not a number", self.run_tool(self.a, self.b, status=2))
        self.assertIn("No such file", self.run_tool(self.a / "none", self.b / "none", status=2))
        empty = self.a / "empty"
        empty.mkdir()
        self.assertIn("in common", self.run_tool(empty, self.b, status=2))
        self.change("eqp1.dat", "***********", "3.900000000")
        self.change("eqp1.dat", "       1       4   13.300000000    3.900000000\n", "")
        self.assertIn("it ends before its last band", self.run_tool(self.a, self.b, status=2))


if __name__ == "__main__":
    unittest.main()
