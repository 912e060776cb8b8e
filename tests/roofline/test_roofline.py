# SPDX-License-Identifier: BSD-3-Clause
"""suite roofline: what it measures is consistent with itself, and bad words are refused."""
import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

from suite_program import suite

HERE = pathlib.Path(__file__).resolve().parent
TINY = "ntband=6,ngpown=8,ncouls=40,nw=2"


class Roofline(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def test_a_ladder_below_measured_ceilings(self):
        done = suite("roofline", "gpp.sigma", "--implementations", "cpu", "--variants", "all", "--size", TINY, "--repeat", "6",
                     "--peak", "fp64=5TFLOP/s,dram=400GB/s", "--output", "out", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(json.loads((self.folder / "out" / "result.json").read_text()), result)
        ceilings = result["ceilings"][0]
        self.assertEqual((ceilings["device"], ceilings["precision"]), ("cpu", "double"))
        rate = {c["name"]: c["flop_per_s"] for c in ceilings["compute"]}
        self.assertEqual(list(rate), ["FMA", "no FMA", "divide", "reciprocal"])
        self.assertLess(rate["divide"], rate["FMA"])
        self.assertEqual(ceilings["bandwidth"][-2]["name"], "memory")
        rows = result["blocks"][0]["contenders"]
        self.assertGreater(len(rows), 2)
        for row in rows:
            place = row["roofline"]
            self.assertEqual(row["verification"]["status"], "verified")
            self.assertAlmostEqual(place["flop_per_B"], place["flops"] / place["bytes"])
            self.assertAlmostEqual(place["flop_per_s"] * row["median_s"] / place["flops"], 1)
            self.assertAlmostEqual(place["flop_per_s"] / place["roof"]["flop_per_s"] / place["fraction"], 1)
            self.assertLessEqual(place["roof"]["flop_per_s"], rate["FMA"] * (1 + 1e-12))
        self.assertEqual([p["name"] for p in result["peaks"]], ["fp64", "dram"])
        self.assertIn("perf", result["counters"])
        svg = (self.folder / "out" / "roofline.svg").read_text()
        xml.etree.ElementTree.fromstring(svg)
        for text in ("FMA", "memory", "fp64 data sheet 5.00 TFLOP/s", *(row["variant"] for row in rows)):
            self.assertIn(text, svg)

    def test_the_table_says_what_is_missing(self):
        done = suite("roofline", "gpp.sigma", "--implementations", "cpu", "--size", TINY, "--repeat", "6", "--output", "out", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in ("ceilings of cpu in double precision", "divide", "ceilings.read", "flop/byte", "verified", "results in out"):
            self.assertIn(text, done.stdout)

    def test_a_profile_alone_runs_no_kernel(self):
        for file in ("by_column.csv", "by_row.csv"):
            done = suite("roofline", "--counters", HERE / "profiles" / file, "--peak", "h200-sxm", "--output", file[:-4], folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("sigma_v9", done.stdout)
            self.assertIn("NVIDIA H200", done.stdout)
            result = json.loads((self.folder / file[:-4] / "result.json").read_text())
            self.assertEqual(result["blocks"], [])
            self.assertEqual([t["level"] for t in result["counters"]["kernels"][0]["traffic"]], ["L1", "L2", "memory"])
            self.assertIn("by counters", (self.folder / file[:-4] / "roofline.svg").read_text())

    def test_bad_words_are_refused(self):
        (self.folder / "bad.csv").write_text("no table\n")
        for words, status, sentence in [
                (["gpp.sgma"], 3, "no kernel 'gpp.sgma'; did you mean 'gpp.sigma'?"),
                (["gp"], 3, "no kernel or family of kernels 'gp'"),
                (["gpp.sigma", "--peak", "fp64=9.7"], 2, "--peak: fp64 must be a number with its unit, such as 9.7TFLOP/s; got '9.7'"),
                (["gpp.sigma", "--peak", "dram=5TFLOP/s"], 2, "such as 1555GB/s; got '5TFLOP/s'"),
                (["gpp.sigma", "--peak", "fp46=5TFLOP/s"], 2, "must be one of fp64="),
                (["gpp.sigma", "--peak", "fp64=1TFLOP/s,fp64=2TFLOP/s"], 2, "fp64 is given twice"),
                (["gpp.sigma", "--peak", "h200"], 2, "no device 'h200'; did you mean 'h200-sxm'?"),
                (["--counters", "bad.csv"], 2, "bad.csv:1: error: this is not a table of Nsight Compute"),
                (["--counters", "missing.csv"], 6, "missing.csv")]:
            done = suite("roofline", *words, "--output", "out", folder=self.folder)
            self.assertEqual(done.returncode, status, f"{words}: {done.stderr}")
            self.assertIn(sentence, done.stderr)
            self.assertFalse((self.folder / "out").exists(), words)


if __name__ == "__main__":
    unittest.main()
