# SPDX-License-Identifier: BSD-3-Clause
"""tools/turns: what it makes of the results of two programs, and of the code of two builds."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SUITE_SOURCE"])
sys.path.insert(0, str(SOURCE / "tools"))
import compare_code  # noqa: E402

# Prints as `suite bench --json` does: rows {implementation: seconds}, in the n-th call times 1 + noise (n - 5)/5.
PROGRAM = """#!{python}
import json, os, pathlib, sys
here = pathlib.Path({folder!r})
calls = here / "calls"
n = len(calls.read_text()) if calls.exists() else 0
calls.write_text("x" * (n + 1))
(here / "words").write_text(json.dumps([sys.argv[1:], os.environ.get("SUITE_PLUGIN_PATH"), os.environ["OMP_PROC_BIND"]]))
rows = [dict(kernel="gpp.sigma", implementation=i, variant="best", samples_s=[s * (1 + {noise} * (n % 11 - 5) / 5)] * 3 if s else [])
        for i, s in {rows!r}.items()]
print(json.dumps(dict(schema="suite-bench-1", blocks=[dict(size="small", threads=2, contenders=rows)])))
"""


class Turns(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="suite-turns-test-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def program(self, name, rows, noise=0.0):
        path = self.folder / name / "bin" / "suite"
        path.parent.mkdir(parents=True)
        path.write_text(PROGRAM.format(python=sys.executable, folder=str(self.folder / name), rows=rows, noise=noise))
        path.chmod(0o755)
        return path.parent.parent

    def turns(self, *arguments):
        return subprocess.run([sys.executable, SOURCE / "tools" / "turns", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=100,
                              env=dict(os.environ, SUITE_PLUGIN_PATH="/elsewhere"))

    def rows(self, *arguments):
        done = self.turns(*arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        return {row["implementation"]: row for row in result["rows"]}, result

    def refused(self, arguments, sentence):
        done = self.turns(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn(f"tools/turns: {sentence}\n", done.stderr.replace(str(self.folder) + "/", ""))

    def test_ratios_and_verdicts(self):
        old = self.program("old", {"cpu": 2.0, "opencl": 4.0, "reference": 9.0})
        new = self.program("new", {"cpu": 2.2, "opencl": 3.0, "reference": 9.05})
        rows, result = self.rows(old, new, "--rounds", 7)
        self.assertEqual([len(rows["cpu"][k]) for k in ("old_s", "old_again_s", "new_s")], [7, 7, 7])
        for name, ratio, verdict in (("cpu", 1.1, "SLOWER"), ("opencl", 0.75, "FASTER"), ("reference", 9.05 / 9, "same")):
            self.assertAlmostEqual(rows[name]["new_to_old"]["median"], ratio)
            self.assertEqual(rows[name]["verdict"], verdict)
            self.assertEqual(rows[name]["old_to_itself"]["median"], 1)
            self.assertEqual(rows[name]["resolved"], 0.02)
        self.assertEqual(len((old / "calls").read_text()), 14)
        self.assertEqual(result["not_compared"], [])

    def test_what_old_is_to_itself_limits_what_is_said(self):
        rows, _ = self.rows(self.program("old", {"cpu": 2.0}, noise=0.4), self.program("new", {"cpu": 2.2}))
        self.assertGreater(rows["cpu"]["resolved"], 0.1)
        self.assertEqual(rows["cpu"]["verdict"], "unclear")

    def test_few_rounds_have_no_interval(self):
        old, new = self.program("old", {"cpu": 1.0}), self.program("new", {"cpu": 3.0})
        rows, _ = self.rows(old, new, "--rounds", 5)
        self.assertEqual((rows["cpu"]["new_to_old"]["interval"], rows["cpu"]["verdict"]), (False, "unclear"))
        done = self.turns(old, new, "--rounds", 2)
        self.assertIn("gpp.sigma small 2 threads cpu best", done.stdout)
        self.assertIn("an interval of 95 % takes 6 rounds", done.stdout)

    def test_interval_is_that_of_the_program(self):
        # Ranks of tests/statistics: the 2nd smallest and largest of 11 and the 1st of 6.
        import importlib.machinery
        import importlib.util
        loader = importlib.machinery.SourceFileLoader("turns", str(SOURCE / "tools" / "turns"))
        turns = importlib.util.module_from_spec(importlib.util.spec_from_loader("turns", loader))
        loader.exec_module(turns)
        for n, j in ((6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (20, 6), (31, 10)):
            e = turns.estimate([math.exp(i) for i in range(n)])
            self.assertAlmostEqual(math.log(e["low"]), j - 1, msg=n)
            self.assertAlmostEqual(math.log(e["high"]), n - j, msg=n)

    def test_rows_that_cannot_be_compared_are_named(self):
        old, new = self.program("old", {"cpu": 1.0, "gone": 1.0, "wrong": 1.0}), self.program("new", {"cpu": 1.0, "fresh": 1.0, "wrong": None})
        rows, result = self.rows(old, new, "--rounds", 1)
        self.assertEqual(list(rows), ["cpu"])
        self.assertEqual({r["implementation"]: r["why"] for r in result["not_compared"]},
                         {"gone": "no time in NEW", "wrong": "no time in NEW", "fresh": "no time in OLD"})

    def test_arguments_and_environment(self):
        old, new = self.program("old", {"cpu": 1.0}), self.program("new", {"cpu": 1.0})
        (self.folder / "input.yaml").write_text("")
        self.turns(old, new / "bin" / "suite", "--rounds", 1, "gpp.sigma", "--size", "small,nw=3", "input.yaml")
        words, plugins, bound = json.loads((new / "words").read_text())
        self.assertEqual(words, ["bench", "gpp.sigma", "--size", "small,nw=3", str((self.folder / "input.yaml").resolve()), "--json"])
        self.assertEqual((plugins, bound), (None, "close"))
        self.turns(old, new, "--rounds", 1)
        self.assertEqual(json.loads((old / "words").read_text())[0], ["bench", "--preset", "smoke", "--json"])

    def test_bad_input_ends_in_a_sentence(self):
        old = self.program("old", {"cpu": 1.0})
        (self.folder / "empty").mkdir()
        (self.folder / "text").write_text("")
        self.refused(["nowhere", old], "'nowhere' does not exist")
        self.refused([old, "empty"], "'empty' is not a build of suite: it has no bin/suite")
        self.refused([old, "text"], "'text' cannot be executed")
        self.refused([old, old, "--rounds", 0], "--rounds is 0; at least one is needed")
        self.refused([old, old, "--code", "gpp.sigma"], "--code takes nothing but OLD and NEW, not 'gpp.sigma'")
        broken = self.folder / "broken"
        broken.write_text("#!/bin/sh\necho 'suite: error: no kernel gpp.sgima' >&2\nexit 3\n")
        broken.chmod(0o755)
        self.refused([old, broken, "--rounds", 1], "broken ended with code 3: suite: error: no kernel gpp.sgima")

    def library(self, build, name, text):
        path = self.folder / build / "lib" / "suite" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        source = path.with_suffix(".c")
        source.write_text(text)
        subprocess.run([os.environ["SUITE_COMPILER"], "-O1", "-shared", "-fPIC", "-o", path, source], check=True)

    @unittest.skipUnless(shutil.which("objdump") and os.uname().machine == "x86_64", "needs objdump and an x86-64 processor")
    def test_code(self):
        same = "double same(double x) { return 3.25 * x + 1.5; }\n"
        constant = "double constant(double x) { return %s * x; }\n"
        text = 'const char text[] = "// SPDX-License-Identifier: BSD-3-Clause\\n// the sums of all\\n__kernel void f(__global double* x) { x[0] %s 1; } /* %s */";\n'
        for build, moved, factor, sign in (("old", "", "2.5", "+="), ("new", "int before(int x) { return 77 / x; }\n", "2.75", "-=")):
            self.program(build, {})
            self.library(build, "suite_gpp_cpu.so", moved + same + constant % factor)
            self.library(build, "suite_gpp_reference.so", moved + same)
            self.library(build, "suite_gpp_opencl.so", text % (sign, "-" * 100))
        done = self.turns("--code", "old", "new", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        found = {p["plugin"]: p for p in json.loads(done.stdout)["plugins"]}
        self.assertEqual((found["suite_gpp_cpu.so"]["changed"], found["suite_gpp_cpu.so"]["only_new"]), (["constant"], ["before"]))
        self.assertEqual((found["suite_gpp_reference.so"]["changed"], found["suite_gpp_reference.so"]["only_new"]), ([], ["before"]))
        self.assertEqual(found["suite_gpp_opencl.so"]["changed"], ["the sums of all"])
        self.assertIn("  differs  constant\n", self.turns("--code", "old", "new").stdout)
        self.assertEqual(self.turns("--code", "old", "old").returncode, 0)
        self.refused(["--code", "old", self.program("bare", {})], "bare has no plugins below lib")

    @unittest.skipUnless(shutil.which("objdump"), "needs objdump")
    def test_code_of_gpus(self):
        # As cuobjdump of CUDA 12 prints; the name of an unnamed namespace has a hash of its file.
        tool = self.folder / "tools" / "cuobjdump"
        tool.parent.mkdir()
        tool.write_text("""#!/bin/sh
case $2 in *old*) hash=0a1b2c3d; reg=72;; *) hash=9f8e7d6c; reg=120;; esac
name=_ZN49_GLOBAL__N__${hash}_6_sum_cu_${hash}_77sumEPd
if [ "$1" = -sass ]; then
  printf 'Fatbin elf code:\\narch = sm_80\\n\\tcode for sm_80\\n\\t\\tFunction : %s\\n' $name
  printf '        /*0000*/                   MOV R1, c[0x0][0x28] ;      /* 0x%s */\\n' $hash
else
  printf 'Resource usage:\\n Function %s:\\n  REG:%s STACK:0 SHARED:0\\n' $name $reg
fi
""")
        tool.chmod(0o755)
        for build in ("old", "new"):
            (self.folder / build / "lib").mkdir(parents=True)
            (self.folder / build / "lib" / "suite_gpp_cuda.so").write_text("")
        done = subprocess.run([sys.executable, SOURCE / "tools" / "turns", "--code", "old", "new", "--json"], cwd=self.folder, capture_output=True, text=True,
                              env=dict(os.environ, PATH=f"{tool.parent}:{os.environ['PATH']}"))
        plugin, = json.loads(done.stdout)["plugins"]
        self.assertEqual(plugin["compared"], 2, done.stderr)
        self.assertEqual([name.split(" resources")[-1] for name in plugin["changed"]], [": REG:72 STACK:0 SHARED:0 -> REG:120 STACK:0 SHARED:0"])
        self.assertEqual((plugin["only_old"], plugin["only_new"]), ([], []))

    def test_hashes_of_file_names_do_not_count(self):
        self.assertEqual(compare_code.FILE_HASH.sub("_x", "_ZN47_GLOBAL__N__0a1b2c3d_4_h_cu_f0e1d2c3_123f"),
                         compare_code.FILE_HASH.sub("_x", "_ZN47_GLOBAL__N__9a8b7c6d_4_h_cu_00112233_123f"))


if __name__ == "__main__":
    unittest.main()
