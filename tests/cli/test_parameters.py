# SPDX-License-Identifier: BSD-3-Clause
"""--parameter and the keys `parameters`: what is set acts, is recorded, and a mistake is told where it was made."""
import json
import re
import unittest

from suite_program import Case, SMALL_GW, SMALL_KERNEL, has_gw, suite

SIZE = "ntband=24,ngpown=12,ncouls=70,nw=2"


def usable():
    """Implementations of gpp.sigma that can be opened here, with their parameters."""
    broken = {b["name"] for b in json.loads(suite("list", "--json").stdout)["backends"] if b["problem"]}
    return {i["implementation"]: [p["name"] for p in i["parameters"]] for i in json.loads(suite("list", "gpp.sigma", "--json").stdout)["implementations"]
            if i["backend"] not in broken}


MIXED = next((name for name in ("opencl", "emulated") if "precision" in usable().get(name, [])), None)


class Parameters(Case):
    def setUp(self):
        super().setUp()
        self.write("k.yaml", SMALL_KERNEL)

    def test_knobs_act_and_are_recorded(self):
        done = suite("run", "k.yaml", "--parameter", "block=64", "--parameter", "panel=1", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kernels"][0]["parameters"], {"block": "64", "panel": "1"})
        text = suite("run", "k.yaml", "--parameter", "block=64", folder=self.folder).stdout
        self.assertIn("kernel   gpp.sigma on cpu, variant best, block=64 (", text)
        self.assertIn("next: suite compare k.yaml --implementations reference,cpu --parameter block=64\n", text)

    def test_the_input_sets_them_too_and_the_command_line_wins(self):
        self.write("p.yaml", SMALL_KERNEL + "parameters:\n  block: 64\n  panel: 1\n")
        done = suite("run", "p.yaml", "--parameter", "block=32", "--json", folder=self.folder)
        self.assertEqual(json.loads(done.stdout)["kernels"][0]["parameters"], {"block": "32", "panel": "1"})
        done = suite("run", "k.yaml", "--set", "parameters.block=16", "--json", folder=self.folder)
        self.assertEqual(json.loads(done.stdout)["kernels"][0]["parameters"], {"block": "16"})
        self.assertEqual(json.loads(done.stdout)["provenance"]["overrides"], ["parameters.block=16"])

    def test_mistakes_in_the_input_have_a_position(self):
        self.write("p.yaml", SMALL_KERNEL + "parameters:\n  blocks: 64\n  panel: many\n")
        self.refused(["run", "p.yaml"], 2, """p.yaml:5:11: error: gpp.sigma on cpu has no parameter 'blocks'; did you mean 'block'? There are: variant, energies, panel, block, threads
    5 |   blocks: 64
      |           ^~
p.yaml:6:10: error: gpp.sigma on cpu: panel takes a whole number from {low} to {high}; got 'many'
    6 |   panel: many
      |          ^~~~
2 errors; nothing was run (exit 2)
""".format(**self.range_of("panel")))

    def range_of(self, name):
        cpu = next(i for i in json.loads(suite("list", "gpp.sigma", "--json").stdout)["implementations"] if i["implementation"] == "cpu")
        return next(p for p in cpu["parameters"] if p["name"] == name)

    def test_mistakes_on_the_command_line(self):
        size = ["--size", SIZE]
        high = self.range_of("block")["high"]
        for arguments, sentence in (
                (["run", "k.yaml", "--parameter", "block"], "option --parameter must be NAME=VALUE, such as precision=mixed; got 'block'"),
                (["run", "k.yaml", "--parameter", "block="], "option --parameter must be NAME=VALUE, such as precision=mixed; got 'block='"),
                (["run", "k.yaml", "--parameter", "variant=v9"], "--parameter: the variant is selected by --variant"),
                (["compare", "k.yaml", "--parameter", "variant=v9"], "--parameter: variants are selected by --variants"),
                (["ladder", "gpp", *size, "--parameter", "variant=v9"], "--parameter: a ladder runs all variants"),
                (["bench", "gpp.sigma", *size, "--parameter", "threads=1"], "--parameter: threads are set by --threads"),
                (["bench", "gpp.sigma", *size, "--parameter", "block=1", "--parameter", "block=2"],
                 "--parameter: 'block' is given twice; several values are written block=A,B"),
                (["run", "k.yaml", "--parameter", "block=1", "--parameter", "block=2"], "--parameter: 'block' is given twice"),
                (["bench", "gpp.sigma", *size, "--parameter", "block=1,"], "option --parameter has an empty name in '1,'"),
                (["bench", "gpp.sigma", *size, "--implementations", "reference,cpu", "--parameter", "blocks=1"],
                 "--parameter: no implementation here (reference, cpu) has a parameter 'blocks'; did you mean 'block'?"),
                (["run", "k.yaml", "--parameter", "blocks=1"],
                 "--parameter: gpp.sigma on cpu has no parameter 'blocks'; did you mean 'block'? There are: variant, energies, panel, block, threads"),
                (["run", "k.yaml", "--implementation", "reference", "--parameter", "block=1"], "--parameter: gpp.sigma on reference has no parameter 'block'")):
            with self.subTest(" ".join(arguments)):
                self.refused(arguments, 2, f"suite: error: {sentence}\nsee: suite {arguments[0]} --help\n")
        for verb in (["bench", "gpp.sigma", "--implementations", "cpu", *size], ["ladder", "gpp.sigma", *size], ["compare", "k.yaml", "--implementations", "cpu"]):
            done = suite(*verb, "--parameter", "block=99999999", folder=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, rf"^suite: error: gpp.sigma on cpu: block is 99999999; it must be from \d+ to {high}\n")
        self.assertEqual(list(self.folder.glob("results*")), [])

    def test_values_side_by_side(self):
        done = suite("compare", "k.yaml", "--implementations", "reference,cpu", "--variants", "best", "--parameter", "block=32,64", "--parameter", "panel=1,2",
                     "--repeat", "6", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads(done.stdout)["contenders"]
        self.assertEqual([(r["implementation"], r.get("parameters", {})) for r in rows],
                         [("reference", {})] + [("cpu", {"block": c, "panel": p}) for c in ("32", "64") for p in ("1", "2")])
        done = suite("bench", "gpp.sigma", "--implementations", "reference,cpu", "--parameter", "block=32,64", "--size", SIZE, "--repeat", "6", folder=self.folder)
        for label in ("reference", "cpu best block=32", "cpu best block=64"):
            self.assertRegex(done.stdout, rf"\n  {label}  .* verified")

    def test_ladder_names_them(self):
        done = suite("ladder", "gpp.sigma", "--size", SIZE, "--repeat", "6", "--parameter", "block=32", folder=self.folder)
        self.assertTrue(done.stdout.startswith("gpp.sigma on cpu block=32   "), done.stdout + done.stderr)
        done = suite("ladder", "gpp.sigma", "--size", SIZE, "--repeat", "6", "--parameter", "block=32", "--json", folder=self.folder)
        self.assertEqual(json.loads(done.stdout)["blocks"][0]["parameters"], {"block": "32"})

    @unittest.skipUnless(MIXED, "no implementation with mixed precision can be opened here")
    def test_a_less_exact_choice_is_held_to_its_own_tolerance(self):
        done = suite("bench", "gpp.sigma", "--implementations", MIXED, "--parameter", "precision=double,mixed", "--size", SIZE, "--repeat", "6", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        double, mixed = json.loads(done.stdout)["blocks"][0]["contenders"]
        self.assertEqual((double["parameters"], mixed["parameters"]), ({"precision": "double"}, {"precision": "mixed"}))
        self.assertLessEqual(double["verification"]["max_relative_error"], 1e-11)
        self.assertTrue(1e-11 < mixed["verification"]["max_relative_error"] <= 1e-5, mixed["verification"])

    @unittest.skipUnless(MIXED and has_gw(), "no implementation with mixed precision can be opened here, or no app gw")
    def test_the_app_runs_with_them(self):
        self.write("in.yaml", SMALL_GW)
        energies, errors = {}, {}
        for precision in ("double", "mixed"):
            done = suite("run", "in.yaml", "--implementation", MIXED, "--set", f"kernel.parameters.precision={precision}", "--json", folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            result = json.loads(done.stdout)
            (kernel,) = [k for k in result["kernels"] if k["kernel"] == "gpp.sigma"]
            self.assertEqual((kernel["parameters"], kernel["verification"]["status"]), ({"precision": precision}, "verified"))
            errors[precision] = kernel["verification"]["max_relative_error"]
            energies[precision] = [float(x) for x in re.findall(r"-?\d+\.\d{6,}", json.dumps(result["results"]))]
        self.assertLess(errors["double"], 1e-11)
        self.assertTrue(1e-11 < errors["mixed"] <= 1e-5, errors)
        self.assertEqual(len(energies["double"]), len(energies["mixed"]))
        self.assertLess(max(abs(a - b) for a, b in zip(energies["double"], energies["mixed"])), 1e-4)
