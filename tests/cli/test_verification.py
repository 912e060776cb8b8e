# SPDX-License-Identifier: BSD-3-Clause
"""A wrong answer is never ranked: FAILED with the element, no time, exit code 1."""
import json
import unittest

from suite_program import Case, SMALL_GW, SMALL_KERNEL, WRONG_PLUGIN, backends, has_gw, suite

ELEMENTS = {
    "null": r"asxtemp\(1,1\) is \(nan, nan\), the reference has \(\S+, \S+\)",
    "zero": r"a\S+temp\(\d,1\) is \(0, 0\), the reference has \(\S+, \S+\): differs by \S+ of the largest element, 1e-11 allowed",
    "nan": r"asxtemp\(1,1\) is \(nan, 0\), the reference has \(\S+, \S+\)",
    "one_element": r"asxtemp\(2,1\) is \(nan, nan\), the reference has \(\S+, \S+\)",
}


class Verification(Case):
    def setUp(self):
        super().setUp()
        self.write("k.yaml", SMALL_KERNEL)

    def test_run_stops_before_timing(self):
        for variant, element in ELEMENTS.items():
            with self.subTest(variant):
                done = suite("run", "k.yaml", "--plugin", WRONG_PLUGIN, "--variant", variant, folder=self.folder)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, rf"^suite: verification failed: gpp\.sigma on suite_gpp_wrong\.so {variant}: {element} \(exit 1\)\n$")
                self.assertIn("reference: FAILED", done.stdout)
                self.assertNotIn("median", done.stdout)
                self.assertIn("no time is reported", done.stdout)
                result = json.loads((self.folder / "results" / "last" / "result.json").read_text())
                self.assertEqual((result["status"], result["kernels"][0]["samples_s"]), ("failed", []))
                self.assertEqual(result["kernels"][0]["verification"]["status"], "failed")

    def test_device_fault_and_memory_have_their_exit_codes(self):
        for variant, code, why in (("device_fault", 5, "the device says: an illegal address was accessed"), ("no_memory", 4, "needs 40 GiB; 2 GiB are free")):
            self.refused(["run", "k.yaml", "--quiet", "--plugin", str(WRONG_PLUGIN), "--variant", variant], code, f"suite: error: gpp.sigma: {why}\n")
            result = json.loads(next(self.folder.glob("results/*/result.json")).read_text())
            self.assertEqual(result["status"], "error")

    def test_compare_ranks_only_what_is_right(self):
        done = suite("compare", "k.yaml", "--implementations", f"cpu,{WRONG_PLUGIN}", "--variants", "best,null,zero,nan,one_element,device_fault", "--json",
                     folder=self.folder)
        self.assertEqual(done.returncode, 1)
        result = json.loads(done.stdout)
        self.assertEqual(result["status"], "failed")
        rows = {row["variant"]: row for row in result["contenders"]}
        self.assertEqual(rows["best"]["verification"]["status"], "verified")
        self.assertEqual(rows["best"]["verdict"], "baseline")
        for variant in ("null", "zero", "nan", "one_element", "device_fault"):
            self.assertEqual(rows[variant]["verification"]["status"], "failed", variant)
            self.assertEqual(rows[variant]["samples_s"], [], variant)
            self.assertNotIn("verdict", rows[variant])

    def test_compare_table(self):
        done = suite("compare", "k.yaml", "--implementations", f"reference,cpu,{WRONG_PLUGIN}", "--repeat", "7", folder=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"implementation +time +95 % interval +CPU time +(?:prepare +)?ratio +GFLOP/s +figure of merit +FMA +(?:FMA by CPU time +)?max rel err +verdict")
        self.assertRegex(done.stdout, r"\n  reference .* 1 .* verified\n")
        self.assertRegex(done.stdout, r"\n  cpu best .* \d\.\d+ \(\d\.\d+ - \d\.\d+\) .* [\d.]+ [kMG] terms/s ")
        self.assertRegex(done.stdout, r"\n  cpu best .* verified, (FASTER|same|SLOWER|unclear)\n")
        self.assertRegex(done.stdout, r"\n  suite_gpp_wrong\.so null +- .* FAILED\n")

    def test_transfers_are_beside_the_time(self):
        others = backends("gpp.sigma")
        if not others:
            self.skipTest("no backend with memory of its own has gpp.sigma here")
        done = suite("compare", "k.yaml", "--implementations", f"cpu,{others[0]}", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        here, there = json.loads(done.stdout)["contenders"]
        self.assertEqual((here["upload_s"], here["download_s"]), (0, 0))
        self.assertGreater(there["upload_s"], 0)
        self.assertGreater(there["download_s"], 0)

    def test_compare_of_what_is_right_is_exit_0(self):
        done = suite("compare", "k.yaml", "--implementations", "cpu", "--variants", "all", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads(done.stdout)["contenders"]
        self.assertGreaterEqual(len(rows), 2)
        for row in rows:
            self.assertEqual(row["verification"]["status"], "verified")
            self.assertEqual(len(row["samples_s"]), len(row["cpu_samples_s"]))
            self.assertLessEqual(row["low_s"], row["median_s"])
            self.assertLessEqual(row["median_s"], row["high_s"])
            self.assertIn(row["warm_up_samples"], range(11))
            self.assertLessEqual(row["samples_taken_again"], 3 * len(row["samples_s"]))
            self.assertLessEqual(0, row["ratio"]["p"] if row["verdict"] != "baseline" else 1)
            self.assertEqual((row["better"], row["merit"]["better"], row["merit"]["unit"]), ("lower", "higher", "terms"))

    def test_bench(self):
        done = suite("bench", "gpp.sigma", "--size", "ntband=8,ngpown=12,ncouls=40,nw=1", "--size", "small", "--threads", "1,2", "--repeat", "6", "--json",
                     folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual([(b["size"], b["threads"]) for b in result["blocks"]],
                         [("ntband=8,ngpown=12,ncouls=40,nw=1", 1), ("ntband=8,ngpown=12,ncouls=40,nw=1", 2), ("small", 1), ("small", 2)])
        for block in result["blocks"]:
            self.assertEqual(block["verified_at"], block["size"])
            for row in block["contenders"]:
                self.assertEqual(row["verification"]["status"], "verified")
                self.assertEqual(len(row["samples_s"]), 6)

    def test_comparisons_are_kept_like_runs(self):
        done = suite("compare", "k.yaml", "--implementations", "cpu", "--json", "--output", "kept", folder=self.folder)
        result = json.loads(done.stdout)
        self.assertEqual(result, json.loads((self.folder / "kept" / "result.json").read_text()))
        self.assertEqual((result["schema"], result["status"], result["folder"], result["provenance"]["input"]["file"]), ("suite-compare-1", "ok", "kept", "k.yaml"))
        self.refused(["compare", "k.yaml", "--output", "kept"], 2, "suite: error: --output 'kept' is not empty; results are never overwritten\n")
        done = suite("bench", "gpp.sigma", "--size", "no-such-size", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(list(self.folder.glob("results/bench-*")), [])  # nothing was measured

    def test_bench_notices_a_wrong_one(self):
        done = suite("bench", "gpp.sigma", "--size", "small", "--implementations", WRONG_PLUGIN, folder=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED", done.stdout)

    @unittest.skipUnless(has_gw(), "the gw app is not in this build")
    def test_app_does_not_run_on_a_wrong_kernel(self):
        self.write("in.yaml", SMALL_GW)
        done = suite("run", "in.yaml", "--plugin", WRONG_PLUGIN, "--variant", "zero", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 1)
        result = json.loads(done.stdout)
        self.assertEqual((result["status"], result["results"]), ("failed", {}))

    @unittest.skipUnless(has_gw(), "the gw app is not in this build")
    def test_compare_on_data_of_the_app(self):
        self.write("in.yaml", SMALL_GW)
        done = suite("compare", "in.yaml", "--implementations", "reference,cpu", "--repeat", "6", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([r["verification"]["status"] for r in json.loads(done.stdout)["contenders"]], ["verified", "verified"])
