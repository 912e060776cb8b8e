# SPDX-License-Identifier: BSD-3-Clause
"""suite ladder, and --backend: one device or none, never another."""
import json
import re

from suite_program import Case, SMALL_KERNEL, WRONG_PLUGIN, suite

SIZE = "ntband=8,ngpown=12,ncouls=40,nw=2"
STEPS = ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "best", "fixed_length"]
TIME = r"\d+(?:\.\d+)? (?:ns|us|ms|s)"
HERE = r"(?:FASTER|same|SLOWER|unclear)(?:, (?:met|not met))?"
# step, time, CPU time, ratio, flop, bytes, GFLOP/s, FMA, max rel err, published, expected, here
ROW = (rf"  (\w+) +{TIME} +{TIME} +(-|\d+\.\d\d(?: to \w+)?) +[\d.]+(?: [kMG])? +[\d.]+(?: [kMG])? +(?:[\d.]+|-) +\d+ % +"
       rf"(?:0|\de-\d\d)  (-|.*? s(?:, [\d.]+ TFLOP)?) +(-|[a-z]+|[a-z]+ \(\w+\), [a-z]+ \(\w+\)) +(-|{HERE})")


def core_of_cpu():
    return next(b["device"] for b in json.loads(suite("list", "--json").stdout)["backends"] if b["name"] == "cpu")


class Ladder(Case):
    def test_output_has_exactly_this_form(self):
        done = suite("ladder", "gpp.sigma", "--size", SIZE, "--repeat", "6", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = [line for line in done.stdout.splitlines() if not line.startswith("  ! ")]  # other programs may have the cores
        self.assertEqual(lines[0], "gpp.sigma on cpu   " + core_of_cpu())
        self.assertRegex(lines[1], rf"^size {SIZE}   \d+ threads?   FMA ceiling [\d.]+ GFLOP/s$")
        self.assertEqual(lines[2], "")
        self.assertRegex(lines[3], r"^  step +time +CPU time +ratio +flop +bytes +GFLOP/s +FMA +max rel err  published +expected +here$")
        self.assertEqual(len(lines), 6 + 2 * len(STEPS), done.stdout)
        self.assertEqual(lines[-2], "")
        self.assertRegex(lines[-1], r"^results in results/ladder-gpp.sigma-\d{8}T\d{6}Z$")
        rows = {}
        for i, step in enumerate(STEPS):
            found = re.fullmatch(ROW, lines[4 + 2 * i])
            self.assertTrue(found, lines[4 + 2 * i])
            self.assertEqual(found[1], step)
            rows[step] = (found[2], found[3].strip(), found[4].strip(), found[5])
            self.assertRegex(lines[5 + 2 * i], r"^      [^ \[\]].*[^ ]$")
        self.assertEqual(rows["v1"], ("-", "V100 1.63 s, 3.71 TFLOP; A100 1.17 s", "-", "-"))
        self.assertEqual(rows["v2"][1:3], ("V100 1.73 s, 3.71 TFLOP; A100 1.1 s", "slower (V100), faster (A100)"))
        self.assertEqual(rows["v5"][2], "same")
        self.assertEqual(rows["v7"][1:3], ("V100 0.66 s, 2.09 TFLOP", "faster"))
        self.assertEqual(rows["best"][1:3], ("-", "faster"))
        self.assertTrue(rows["fixed_length"][0].endswith(" to v8"))
        self.assertEqual(rows["fixed_length"][1:3], ("A100 0.58 s", "slower"))
        self.assertIn("\n      complex divisions replaced by a real reciprocal and complex products\n", done.stdout)

    def test_family_and_json(self):
        done = suite("ladder", "gpp", "--size", SIZE, "--repeat", "6", "--backend", "cpu:core", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual((result["schema"], result["status"]), ("suite-ladder-1", "ok"))
        (block,) = result["blocks"]
        self.assertEqual((block["kernel"], block["implementation"], block["backend"], block["size"], block["verified_at"]), ("gpp.sigma", "cpu", "cpu", SIZE, SIZE))
        self.assertEqual([s["step"] for s in block["steps"]], STEPS)
        by_name = {s["step"]: s for s in block["steps"]}
        self.assertEqual((by_name["v1"]["after"], by_name["v2"]["after"], by_name["fixed_length"]["after"]), ("", "v1", "v8"))
        self.assertEqual(by_name["v8"]["published"],
                         [{"device": "V100", "seconds": 0.62, "text": "V100 0.62 s, 1.99 TFLOP"}, {"device": "A100", "seconds": 0.53, "text": "A100 0.53 s"}])
        for step in block["steps"]:
            self.assertEqual(step["verification"]["status"], "verified")
            self.assertEqual(len(step["samples_s"]), 6)
            self.assertGreater(step["flops"], 0)
            self.assertGreater(step["bytes"], 0)
            self.assertAlmostEqual(step["flop_per_s"], step["flops"] / step["median_s"], delta=1e-6 * step["flop_per_s"])
            self.assertEqual("ratio" in step, step["after"] != "")
            self.assertIn(step["met"], ("", "met", "not met", "unclear"))
        # Every step has its own count (docs/performance/gpp.sigma.steps.md); that of best is the kernel's, with SX of 2 occupied bands of 8.
        terms = 8 * 12 * 40 * 2
        self.assertEqual([by_name[s]["flops"] for s in ("v1", "v6", "v7", "v9", "best")], [221 * terms, 151 * terms, 99 * terms, 88 * terms, (12.5 + 4 * 2 / 8) * terms])
        self.assertGreater(by_name["v1"]["bytes"], by_name["v2"]["bytes"])
        self.assertGreater(by_name["v8"]["bytes"], by_name["v9"]["bytes"])

    def test_wrong_steps_are_not_ranked(self):
        done = suite("ladder", "gpp.sigma", "--implementation", WRONG_PLUGIN, "--size", SIZE, folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, "suite: verification failed (exit 1)\n"))
        self.assertRegex(done.stdout, r"\n  zero +- +- +- +- +- +- +- +1e\+00 +- +- +FAILED\n      writes zeros\n      FAILED: a\S+temp\(\d,1\) is \(0, 0\), the reference has ")
        result = json.loads(suite("ladder", "gpp.sigma", "--implementation", WRONG_PLUGIN, "--size", SIZE, "--json", folder=self.folder).stdout)
        self.assertEqual(result["status"], "failed")
        for step in result["blocks"][0]["steps"]:
            self.assertEqual(step["verification"]["status"], "failed")
            self.assertNotIn("median_s", step)
            self.assertEqual(step["met"], "")

    def test_what_has_no_ladder_is_exit_3(self):
        for arguments, sentence in (
                (["gppp"], "no kernel or family of kernels 'gppp'; did you mean 'gpp'?"),
                (["gpp.sigma", "--implementation", "reference"], "implementation 'reference' of gpp.sigma has no steps: no parameter 'variant'"),
                (["gpp.sigma_offdiag"], "implementation 'cpu' of gpp.sigma_offdiag has no steps: no parameter 'variant'")):
            with self.subTest(arguments[0]):
                self.refused(["ladder", *arguments], 3, f"suite: error: {sentence}\n")
        of_gpp = "(kernels of gpp: gpp.sigma, gpp.sigma_offdiag)\n"
        self.refused(["ladder", "gpp.sgima"], 3, "suite: error: no kernel 'gpp.sgima'; did you mean 'gpp.sigma'? " + of_gpp)
        self.refused(["list", "gpp"], 3, "suite: error: no kernel 'gpp'; it is a family " + of_gpp)
        done = suite("list", "nosuch")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, r"^suite: error: no kernel 'nosuch' \(families: .*gpp.*; 'suite list' shows their kernels\)\n$")
        self.refused(["ladder"], 2, "suite: error: 'suite ladder' needs FAMILY|KERNEL: suite ladder FAMILY|KERNEL\nsee: suite ladder --help\n")


class Backend(Case):
    def test_a_device_by_a_part_of_its_description(self):
        self.write("k.yaml", SMALL_KERNEL)
        done = suite("compare", "k.yaml", "--backend", "cpu:CORE", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([r["implementation"] for r in json.loads(done.stdout)["contenders"]], ["reference", "cpu"])
        done = suite("bench", "gpp.sigma", "--size", SIZE, "--backend", "cpu:0", "--json", folder=self.folder)
        self.assertEqual([r["implementation"] for r in json.loads(done.stdout)["blocks"][0]["contenders"]], ["cpu"])
        self.assertEqual(suite("run", "k.yaml", "--backend", "cpu:core", "--quiet", folder=self.folder).returncode, 0)

    def test_there_is_no_other_device_to_fall_back_on(self):
        self.write("k.yaml", SMALL_KERNEL)
        device = core_of_cpu()
        for verb in (["run", "k.yaml"], ["compare", "k.yaml"], ["bench", "gpp.sigma"], ["ladder", "gpp"]):
            for name, sentence in (("cpu:1", "there is no device cpu:1: backend cpu has 1 device, up to cpu:0"),
                                   ("cpu:tesla", f"no device of backend cpu has 'tesla' in its description; there are: cpu:0 ({device})")):
                with self.subTest(" ".join(verb + [name])):
                    self.refused([*verb, "--backend", name], 3, f"suite: error: {sentence}\n")
            done = suite(*verb, "--backend", "cpuu", folder=self.folder)
            self.assertEqual((done.returncode, done.stdout), (3, ""))
            self.assertTrue(done.stderr.startswith("suite: error: no backend 'cpuu'; did you mean 'cpu'? There are: "), done.stderr)
            self.refused([*verb, "--backend", "cpu:"], 2,
                         "suite: error: the device of 'cpu:' must be a number, as in cuda:1, or a part of its description, as in opencl:pocl\n")
        self.assertEqual(list(self.folder.glob("results*")), [])
        self.refused(["bench", "--backend", "cpu", "--implementations", "cpu"], 2,
                     "suite: error: --implementations and --backend each choose the implementations; give one\nsee: suite bench --help\n")

    def test_what_nobody_named_is_left_out_aloud(self):
        """A plugin without its device does not spoil a benchmark of the others; asked for by name, it fails."""
        self.write("k.yaml", SMALL_KERNEL)
        unusable = [b["name"] for b in json.loads(suite("list", "--json").stdout)["backends"] if b["problem"]]
        bench = json.loads(suite("bench", "gpp.sigma", "--size", SIZE, "--repeat", "6", "--json", folder=self.folder).stdout)["blocks"][0]
        compare = json.loads(suite("compare", "k.yaml", "--repeat", "6", "--json", folder=self.folder).stdout)
        served = [i["implementation"] for i in json.loads(suite("list", "gpp.sigma", "--json").stdout)["implementations"]]
        for result in (bench, compare):
            left_out = [l["implementation"] for l in result["left_out"]]
            self.assertLessEqual(set(unusable) & set(served), set(left_out))
            self.assertLessEqual(set(left_out), set(unusable) | {"emulated"})
            self.assertIn("cpu", [c["implementation"] for c in result["contenders"]])
        for name in set(unusable) & set(served):
            self.assertEqual(suite("bench", "gpp.sigma", "--implementations", name, folder=self.folder).returncode, 3)
            self.assertRegex(suite("bench", "gpp.sigma", "--size", SIZE, folder=self.folder).stdout, rf"\n  {name} left out: backend {name}: ")

    def test_list_says_what_this_build_lacks(self):
        self.assertIn("\nthis build\n", suite("list", "--all").stdout)
        self.assertIn("MPI", [f["name"] for f in json.loads(suite("list", "--json").stdout)["features"]])
