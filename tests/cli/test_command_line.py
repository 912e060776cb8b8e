# SPDX-License-Identifier: BSD-3-Clause
"""Verbs, options, help, list, check and init."""
import json
import unittest

from suite_program import Case, SMALL_KERNEL, has_gw, suite

BAD = [
    (["rnu", "x.yaml"], "unknown verb 'rnu'; did you mean 'run'?", "help"),
    (["x.yaml"], "unknown verb 'x.yaml'; did you mean 'suite run x.yaml'?", "help"),
    (["zzz"], "unknown verb 'zzz'", "help"),
    (["run"], "'suite run' needs FILE.yaml: suite run FILE.yaml", "run --help"),
    (["run", "a", "b"], "unexpected argument 'b'; usage: suite run FILE.yaml", "run --help"),
    (["run", "x.yaml", "--implementatoin", "cpu"], "unknown option '--implementatoin'; did you mean '--implementation'?", "run --help"),
    (["run", "x.yaml", "--implementations", "cpu"], "'suite run' takes no option --implementations; did you mean '--implementation'?", "run --help"),
    (["compare", "gpp.sigma", "--size", "small"], "'suite compare' takes no option --size; 'suite bench', 'suite ladder' and 'suite roofline' take it", "compare --help"),
    (["run", "x.yaml", "--implementation"], "option --implementation needs a value: --implementation NAME", "run --help"),
    (["run", "x.yaml", "--implementation="], "option --implementation needs a value: --implementation NAME", "run --help"),
    (["run", "x.yaml", "--variant", "--json"], "option --variant needs a value: --variant NAME", "run --help"),
    (["run", "x.yaml", "--json=yes"], "option --json takes no value", "run --help"),
    (["run", "x.yaml", "--variant", "a", "--variant", "b"], "option --variant is given twice", "run --help"),
    (["run", "k.yaml", "--threads", "none"], "option --threads must be an integer, 1..4096; got 'none'", "run --help"),
    (["run", "k.yaml", "--threads", "0"], "option --threads must be an integer, 1..4096; got '0'", "run --help"),
    (["run", "k.yaml", "--backend", "cpu", "--implementation", "cpu"],
     "--implementation, --backend and --plugin FILE each choose the implementation; give one", "run --help"),
    (["compare", "k.yaml", "--implementations", "cpu", "--repeat", "0"], "option --repeat must be an integer, 1..100000; got '0'", "compare --help"),
    (["compare", "k.yaml", "--implementations", "cpu,"], "option --implementations has an empty name in 'cpu,'", "compare --help"),
    (["bench", "gpp.sigma", "--threads", "1,x"], "option --threads must be numbers from 1 to 4096 such as 1,2 or 1..8x2; got '1,x'", "bench --help"),
    (["version", "now"], "unexpected argument 'now'; usage: suite version", "version --help"),
]


class CommandLine(Case):
    def test_mistakes_are_named(self):
        self.write("k.yaml", SMALL_KERNEL)
        for arguments, sentence, topic in BAD:
            with self.subTest(" ".join(arguments)):
                self.refused(arguments, 2, f"suite: error: {sentence}\nsee: suite {topic}\n")

    def test_a_name_of_another_kind_is_recognised(self):
        kernel = "it is a kernel: 'suite list gpp.sigma' describes it, 'suite bench gpp.sigma' times it"
        for arguments, code, sentence in ((["run", "gpp.sigma"], 6, f"gpp.sigma: no such file here or in {{inputs}}; {kernel}"),
                                          (["help", "gpp.sigma"], 3, f"no verb or app 'gpp.sigma'; {kernel}"),
                                          (["check", "gpp"], 6, "gpp: no such file here or in {inputs}; it is a family of kernels: 'suite bench gpp' times them")):
            with self.subTest(" ".join(arguments)):
                self.refused(arguments, code, f"suite: error: {sentence}\n")

    @unittest.skipUnless("vmc" in suite("help").stdout.partition("\napps\n")[2], "this build has no app vmc")
    def test_an_app_is_no_kernel(self):
        app = "it is an app: 'suite help vmc' describes it, 'suite init vmc' writes an input"
        for arguments, code, sentence in ((["list", "vmc"], 3, f"no kernel 'vmc'; {app}"), (["bench", "vmc"], 3, f"no kernel 'vmc'; {app}"),
                                          (["run", "vmc"], 6, f"vmc: no such file here or in {{inputs}}; {app}")):
            with self.subTest(" ".join(arguments)):
                self.refused(arguments, code, f"suite: error: {sentence}\n")

    def test_every_verb_has_help_and_names_its_options(self):
        general = suite("help").stdout
        self.assertEqual(general, suite("--help").stdout)
        self.assertEqual(general, suite().stdout)
        for verb in ("run", "list", "check", "compare", "bench", "ladder", "validate", "init", "help", "version"):
            with self.subTest(verb):
                self.assertIn("\n  " + verb, general)
                done = suite(verb, "--help")
                self.assertEqual(done.returncode, 0)
                self.assertTrue(done.stdout.startswith("suite " + verb), done.stdout)
                self.assertEqual(done.stdout, suite("help", verb).stdout)
                self.assertIn("--help", done.stdout)
        for code in ("0", "1", "2", "3", "4", "5", "6", "130"):
            self.assertRegex(general, rf"\n +{code}  ")
        self.assertLessEqual(max(map(len, general.splitlines())), 130)

    def test_options_are_spelled_both_ways(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.assertEqual(suite("run", "k.yaml", "--implementation=cpu", "--quiet", folder=self.folder).returncode, 0)
        self.assertEqual(suite("run", "--implementation", "cpu", "--quiet", "--", "k.yaml", folder=self.folder).returncode, 0)

    def test_the_same_mistake_has_the_same_code_in_every_verb(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.write("kernel.yaml", "kernel: gpp.sigmaa\n")
        self.write("app.yaml", "app: gww\n")
        self.write("implementation.yaml", SMALL_KERNEL + "implementation: cpuu\n")
        self.write("variant.yaml", SMALL_KERNEL + "variant: v10\n")
        gpp = ("gpp.sigma", "--size", "test:1")
        for code, mistakes in {
                6: [("run", "no.yaml"), ("check", "no.yaml"), ("compare", "no.yaml"), ("validate", "no.yaml"), ("report", "no.json"), ("compare", "no", "no"),
                    ("validate", "--resume", "no"), ("bench", "--resume", "no"), ("roofline", "--counters", "no.csv"), ("run", "captures/no.h5")],
                3: [("run", "kernel.yaml"), ("check", "kernel.yaml"), ("compare", "kernel.yaml"), ("bench", "gpp.sigmaa"), ("ladder", "gpp.sigmaa"),
                    ("roofline", "gpp.sigmaa"), ("list", "gpp.sigmaa"),
                    ("run", "app.yaml"), ("check", "app.yaml"), ("compare", "app.yaml"), ("init", "gww"), ("help", "gww"), ("validate", "gww"),
                    ("run", "implementation.yaml"), ("check", "implementation.yaml"), ("run", "k.yaml", "--implementation", "cpuu"),
                    ("compare", "k.yaml", "--implementations", "cpuu"), ("bench", *gpp, "--implementations", "cpuu"),
                    ("ladder", *gpp, "--implementation", "cpuu"), ("roofline", *gpp, "--implementations", "cpuu"),
                    ("run", "k.yaml", "--plugin", "/no/x.so"), ("run", "k.yaml", "--implementation", "/no/x.so"),
                    ("run", "variant.yaml"), ("check", "variant.yaml"), ("run", "k.yaml", "--variant", "v10"), ("compare", "k.yaml", "--variants", "v10"),
                    ("compare", "k.yaml", "--implementations", "reference", "--variants", "all"),
                    ("bench", *gpp, "--variants", "v10"), ("roofline", *gpp, "--variants", "v10")]}.items():
            for arguments in mistakes:
                done = suite(*arguments, folder=self.folder)
                self.assertEqual((arguments, done.returncode, done.stdout), (arguments, code, ""))
        self.refused(["check", "variant.yaml"], 3, "variant.yaml:4:10: error: variant has no choice 'v10'; did you mean 'v1'? There are: v1, v2, v3, v4, v5, v6, v7, v8, "
                     "v9, best, fixed_length\n    4 | variant: v10\n      |          ^~~\n1 error; nothing was run (exit 3)\n")
        # Beside other mistakes it is one of the input.
        self.write("two.yaml", "kernel: gpp.sigmaa\nseed: x\n")
        done = suite("check", "two.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("2 errors; nothing was run (exit 2)", done.stderr)

    def test_what_does_not_exist_is_exit_3_or_2(self):
        self.write("k.yaml", SMALL_KERNEL)
        done = suite("run", "k.yaml", "--implementation", "cpuu", folder=self.folder)
        self.assertEqual(done.returncode, 3)
        # Which others there are depends on the build.
        self.assertRegex(done.stderr, r"^suite: error: no implementation 'cpuu' of gpp\.sigma; did you mean 'cpu'\? There are: cpu, (\w+, )*reference\n$")
        self.refused(["run", "k.yaml", "--set", "size=smal"], 2, "suite: error: unknown size 'smal'; did you mean 'small'? "
                     "(known: small, standard, mini, published, published_nvband2, headline, silicon)\n")
        done = suite("list", "gpp.sigmaa", folder=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertTrue(done.stderr.startswith("suite: error: no kernel 'gpp.sigmaa'; did you mean 'gpp.sigma'?"), done.stderr)

    def test_too_large_for_the_memory_is_exit_4(self):
        done = suite("bench", "gpp.sigma", "--size", "ncouls=1000000,ngpown=1000000", folder=self.folder)
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"^suite: error: size 'ncouls=1000000,ngpown=1000000' of gpp.sigma needs \S+ \SiB; \S+ \SiB of \S+ \SiB are free\.")

    def test_list(self):
        done = suite("list")
        self.assertEqual(done.returncode, 0)
        for part in ("backends\n  cpu", "\nimplementations\n", "\nkernels\n", "gpp.sigma", "\napps\n", "reference"):
            self.assertIn(part, done.stdout)
        listed = json.loads(suite("list", "--json").stdout)
        self.assertIn("cpu", [b["name"] for b in listed["backends"]])
        self.assertIn(("gpp", "reference"), [(p["family"], p["implementation"]) for p in listed["plugins"]])

    def test_list_of_a_kernel(self):
        done = suite("list", "gpp.sigma")
        self.assertEqual(done.returncode, 0)
        for part in ("wtilde_array", "complex128", "(ncouls,ngpown)", "asxtemp", "reference on cpu", "variant (default best)"):
            self.assertIn(part, done.stdout)
        listed = json.loads(suite("list", "gpp.sigma", "--json").stdout)
        self.assertEqual(listed["arguments"][0]["name"], "wtilde_array")

    def test_init_writes_what_check_reads_and_never_overwrites(self):
        if not has_gw():
            self.skipTest("the gw app is not in this build")
        self.assertEqual(suite("init", "gw", folder=self.folder).returncode, 0)
        written = (self.folder / "gw.yaml").read_text()
        keys = suite("help", "gw").stdout
        for line in keys.splitlines():
            if line.startswith("  ") and "." in line.split()[0]:
                self.assertIn(line.split()[0].split(".")[-1] + ":", written)
        # Required keys are left empty, and that is all that is wrong with it.
        done = suite("check", "gw.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        for line in done.stderr.splitlines():
            if "error: " in line:
                self.assertTrue(line.endswith("has no value"), line)
        # All comments taken away: every standard value is itself valid.
        filled = "\n".join(line.replace("# ", "", 1) if line.lstrip().startswith("# ") and i > 2 else line
                           for i, line in enumerate(written.splitlines()))
        self.assertIn("\n  model: gpp\n", filled)
        self.write("all.yaml", filled)
        for line in suite("check", "all.yaml", folder=self.folder).stderr.splitlines():
            if "error: " in line:
                self.assertTrue(line.endswith("has no value"), line)
        self.refused(["init", "gw"], 2, "suite: error: 'gw.yaml' exists and is not overwritten; choose another name: suite init gw FILE.yaml\n"
                     "see: suite init --help\n")
        self.assertEqual((self.folder / "gw.yaml").read_text(), written)
        self.refused(["init", "gww"], 3, "suite: error: no app 'gww'; did you mean 'gw'?\n")

    def test_init_makes_molecules_of_any_size(self):
        if suite("help", "dfpt").returncode:
            self.skipTest("the dfpt app is not in this build")
        done = suite("init", "dfpt", "--polyalanine", "110", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "wrote polyalanine_strand_113.xyz\nwrote dfpt.yaml; now: suite check dfpt.yaml\n")
        self.assertEqual(len((self.folder / "polyalanine_strand_113.xyz").read_text().splitlines()), 115)
        done = suite("check", "dfpt.yaml", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("113 atoms", done.stdout)
        geometry = (self.folder / "polyalanine_strand_113.xyz").read_text()
        self.refused(["init", "dfpt", "more.yaml", "--polyalanine", "110"], 2, "suite: error: 'polyalanine_strand_113.xyz' exists and is not "
                     "overwritten; move it away first\nsee: suite init --help\n")
        self.assertFalse((self.folder / "more.yaml").exists())
        self.assertEqual((self.folder / "polyalanine_strand_113.xyz").read_text(), geometry)
        self.assertEqual(suite("init", "dfpt", "helix.yaml", "--polyalanine", "110", "--helix", folder=self.folder).returncode, 0)
        self.assertIn("alpha helix", (self.folder / "polyalanine_helix_113.xyz").read_text())
        self.refused(["init", "dfpt", "more.yaml", "--helix"], 2, "suite: error: option --helix needs --polyalanine N\nsee: suite init --help\n")
        self.refused(["init", "dfpt", "--polyalanine", "9"], 2, "suite: error: 'dfpt.yaml' exists and is not overwritten; choose another name: "
                     "suite init dfpt FILE.yaml\nsee: suite init --help\n")
        self.refused(["init", "dfpt", "more.yaml", "--polyalanine", "9"], 2, "suite: error: polyalanine has 10 to 3000 atoms; got 9\n")
        self.refused(["init", "dfpt", "more.yaml", "--polyalanine", "ten"], 2, "suite: error: option --polyalanine must be an integer, "
                     "0..1000000000; got 'ten'\nsee: suite init --help\n")

    def test_init_without_molecules_refuses_one(self):
        if suite("help", "vmc").returncode:
            self.skipTest("the vmc app is not in this build")
        self.refused(["init", "vmc", "--polyalanine", "50"], 2, "suite: error: option --polyalanine makes a molecule; app 'vmc' has no "
                     "molecules\nsee: suite init --help\n")
