# SPDX-License-Identifier: BSD-3-Clause
"""tools/gpu-check --dry-run: its steps, its page, and what it says when something is wrong."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD, BACKEND = pathlib.Path(os.environ["SUITE_SOURCE"]), os.environ["SUITE_BUILD"], os.environ["SUITE_CHECKED_BACKEND"]


def check(*arguments, path=None):
    environment = dict(os.environ, CUDA_HOME="/nonexistent")
    if path:
        environment["PATH"] = f"{path}:{environment['PATH']}"
    return subprocess.run([SOURCE / "tools" / "gpu-check", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=500, env=environment)


class GpuCheck(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="suite-gpu-check-", dir=BUILD)
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_dry_run_goes_through_all_steps(self):
        done = check("--dry-run", "--backend", BACKEND, "--build", BUILD, "--output", str(self.folder))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (page,), (text,) = self.folder.glob("*.json"), self.folder.glob("*.md")
        report, markdown = json.loads(page.read_text()), text.read_text()
        self.assertTrue(report["dry_run"])
        states = {s["step"]: s["state"] for s in report["steps"]}
        for step in ("test", "bench", "ladder"):
            self.assertEqual(states[step], "ok", step)
        for step in ("configure", "build", "resources", "hip", "sanitizer", "ncu"):
            self.assertTrue(states[step].startswith("left out: "), states[step])
        self.assertEqual(states["ncu"], f"left out: ncu looks at GPUs; the backend is {BACKEND}")
        self.assertEqual(states["sanitizer"], f"left out: compute-sanitizer looks at GPUs; the backend is {BACKEND}")
        ladder = report["ladder"]["blocks"][0]
        self.assertEqual((ladder["kernel"], ladder["backend"], ladder["steps"][0]["step"]), ("gpp.sigma", BACKEND, "v1"))
        self.assertIn("gpp.sigma", [b["blocks"][0]["kernel"] for b in report["bench"] if "blocks" in b])
        self.assertIn("its numbers say nothing about any device", markdown.lower())
        self.assertIn("compute-sanitizer looks at GPUs", markdown)
        self.assertIn("\n| v1 | ", markdown)
        self.assertNotIn("None was run", markdown)

    def test_a_backend_that_is_not_there_fails_and_is_said(self):
        done = check("--dry-run", "--backend", BACKEND + ":nosuch", "--build", BUILD, "--output", str(self.folder), "--steps", "ladder")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, rf"ladder +failed with status 3: suite: error: no device of backend {BACKEND} has 'nosuch' in its description")

    def test_a_profile_is_read(self):
        sys.path.insert(0, str(SOURCE / "tools"))
        import gpu_check_page
        table = self.folder / "ncu.csv"
        op = "sm__sass_thread_inst_executed_op_{}_pred_on.sum"
        head = ["ID", "Kernel Name", "dram__bytes.sum", "gpu__time_duration.sum", *(op.format(x) for x in ("dadd", "dfma", "dmul"))]
        rows = [head, ["", "", "Mbyte", "msecond", "inst", "inst", "inst"], ["0", "collapse3", "10.5", "2.5", "1,000", "2,000", "500"],
                ["1", "collapse3", "20.5", "5", "1,000,000", "2,000,000", "500"], ["2", "broken", "n/a", "5", "1", "1", "1"]]
        table.write_text("==PROF== Connected\n" + "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows) + "\n")
        self.assertEqual(gpu_check_page.profile(table), [{"kernel": "collapse3", "seconds": 0.005, "bytes": 20.5e6, "flops": 5000500.0}])
        self.assertEqual(gpu_check_page.profile(self.folder / "none.csv"), [])

    def test_mistakes_are_named(self):
        for arguments, sentence in ((["--stps"], "unknown option --stps; see tools/gpu-check --help"), (["--backend"], "--backend needs a value"),
                                    (["--steps", "bild"], "no step 'bild'; there are: configure build resources test hip sanitizer bench ladder ncu"),
                                    (["bild"], "no stage 'bild'; there are: build test bench profile"),
                                    (["--limit", "soon"], "--limit must be a number of seconds; got 'soon'"),
                                    (["--dry-run", "--build", str(self.folder)], f"--dry-run needs a finished build; {self.folder}/bin/suite is not there")):
            done = check(*arguments)
            self.assertEqual((done.returncode, done.stderr), (2, f"tools/gpu-check: {sentence}\n"))


NCU_TABLE = """==PROF== Connected to process 7
==PROF== Disconnected from process 7
"ID","Process ID","Kernel Name","dram__bytes.sum","gpu__time_duration.sum","sm__sass_thread_inst_executed_op_dadd_pred_on.sum","sm__sass_thread_inst_executed_op_dfma_pred_on.sum","sm__sass_thread_inst_executed_op_dmul_pred_on.sum"
"","","","Mbyte","msecond","inst","inst","inst"
"0","7","smooth","100.0","2.0","0","10,000,000,000","0"
"""
# What stands on the path in place of a machine with a GPU. Each says what it was called with in `calls`.
TOOLS = {
    "nvidia-smi": """case "$*" in *compute_cap*) echo 9.0;; *) echo "NVIDIA H200, 580.1, 143771 MiB, 1980 MHz, 3201 MHz, 700.00 W";; esac""",
    "nvcc": "echo 'Cuda compilation tools, release 13.0, V13.0.88'",
    "cmake": """case "$*" in
-S*) touch "$BUILD/CMakeCache.txt" "$BUILD/build.ninja" ;;
*--target\\ help*) echo "gpu-resources: phony"; echo "hip_on_nvidia: phony" ;;
*--target\\ gpu-resources*) echo "no spills" >"$BUILD/gpu-resources.txt" ;;
esac""",
    "ctest": "echo '100% tests passed'",
    "compute-sanitizer": "echo '========= ERROR SUMMARY: 0 errors'",
    "ncu": """while [ "$1" != --log-file ]; do shift; done; cat "$BUILD/ncu_table" >"$2" """,
}
SUITE = """case "$1" in
list) cat "$BUILD/list.json" ;;
bench) echo '{"status": "error", "error": {"message": "not a real program"}}'; exit ${BENCH_STATUS:-0} ;;
ladder) echo '{"blocks": []}' ;;
esac
"""
LIST = {"backends": [{"name": "cuda", "device": "NVIDIA H200, 132 processors", "memory_B": 150000000000, "problem": ""}],
        "plugins": [{"implementation": "cuda", "kernels": ["gpp.sigma", "ceilings.fma"]}, {"implementation": "cpu", "kernels": ["gpp.sigma", "lfd.other"]}]}


class OnAMachineWithAGpu(unittest.TestCase):
    """The path that no machine of ours can go, with programs in place of the toolkit that say what they are told to."""
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="suite-gpu-check-", dir=BUILD)
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.build, self.tools, self.output = self.folder / "build", self.folder / "tools", self.folder / "page"
        for folder in (self.build / "bin", self.tools):
            folder.mkdir(parents=True)
        (self.build / "list.json").write_text(json.dumps(LIST))
        (self.build / "ncu_table").write_text(NCU_TABLE)
        for name, script in TOOLS.items():
            self.tool(name, script)
        self.program("suite", SUITE)
        self.program("test_plugins", "true\n")

    def executable(self, file, name, script):
        file.write_text(f"#!/bin/sh\nBUILD='{self.build}'\necho \"{name} $*\" >>'{self.folder}/calls'\n{script}\n")
        file.chmod(0o755)

    def tool(self, name, script):
        self.executable(self.tools / name, name, script)

    def program(self, name, script):
        self.executable(self.build / "bin" / name, name, script)

    def check(self, *arguments):
        (self.folder / "calls").write_text("")
        return check("--build", str(self.build), "--output", str(self.output), *arguments, path=self.tools)

    def calls(self, name):
        return [line for line in (self.folder / "calls").read_text().splitlines() if line.startswith(name + " ")]

    def page(self):
        (page,), (text,) = self.output.glob("*.json"), self.output.glob("*.md")
        return json.loads(page.read_text()), text.read_text()

    def states(self):
        return {s["step"]: s["state"] for s in self.page()[0]["steps"]}

    def test_all_steps(self):
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(set(self.states().values()), {"ok"}, self.states())
        configure = self.calls("cmake")[0]
        for part in ("-DSUITE_WITH_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=90", "-DSUITE_WITH_HIP=OFF", "-DSUITE_WERROR=OFF"):
            self.assertIn(part, configure)
        self.assertIn(" -- -k 0", self.calls("cmake")[1])
        self.assertEqual(self.calls("test_plugins"), ["test_plugins --run_test=*hip_on_nvidia_suite_*"])
        sanitized = self.calls("compute-sanitizer")
        self.assertEqual([line.split()[2] for line in sanitized], ["memcheck", "initcheck", "synccheck", "racecheck"])
        benches = [line for line in self.calls("suite bench") if "--backend cuda" in line]
        self.assertEqual([line.split("--size ")[1].split()[0] for line in benches], ["small", "standard", "mini", "published", "headline", "large", "heg678"])
        report, text = self.page()
        self.assertEqual(report["ncu"], [{"kernel": "smooth", "seconds": 0.002, "bytes": 1e8, "flops": 2e10}])
        self.assertIn("| smooth | 2 ms | 10000 | 50 | 200.0 |", text)
        self.assertIn("| memcheck | gpp.sigma | ERROR SUMMARY: 0 errors |", text)
        self.assertIn("NVIDIA H200, 580.1", text)
        self.assertIn("no spills", text)

    def test_in_stages(self):
        for stage, steps in (("build", {"configure", "build", "resources"}), ("test", {"test", "hip", "sanitizer"}), ("bench", {"bench", "ladder"}), ("profile", {"ncu"})):
            self.assertEqual(self.check(stage, "--sizes", "small").returncode, 0)
            self.assertLessEqual(steps, {step for step, state in self.states().items() if state == "ok"})
        self.assertEqual(set(self.states().values()), {"ok"})

    def test_profilers_that_may_not_look(self):
        self.tool("ncu", """while [ "$1" != --log-file ]; do shift; done
echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters" >"$2"; exit 1""")
        self.tool("compute-sanitizer", "echo '========= Error: Device not supported'; exit 1")
        done = self.check("--steps", "sanitizer,bench,ncu")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.states()["ncu"], "left out: ncu cannot read the counters of this GPU (perhaps they are for administrators only): "
                         "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters")
        self.assertEqual(self.states()["sanitizer"], "left out: compute-sanitizer cannot look at this GPU: ========= Error: Device not supported")
        self.assertEqual(self.states()["bench"], "ok")

    def test_what_the_sanitizer_finds_is_a_failure(self):
        self.tool("compute-sanitizer", """[ "$2" != racecheck ] || { echo '========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)'; exit 99; }""")
        self.assertEqual(self.check("--steps", "sanitizer").returncode, 1)
        self.assertEqual(self.states()["sanitizer"], "failed with status 1: found something: racecheck of gpp.sigma (exit 99: "
                         "========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings))")
        self.assertIn("The end of the log of sanitizer:", self.page()[1])

    def test_tools_that_are_missing(self):
        for name in ("ncu", "compute-sanitizer"):
            (self.tools / name).unlink()
        if subprocess.run("command -v ncu compute-sanitizer", shell=True, capture_output=True).stdout:
            self.skipTest("this machine has them")
        self.assertEqual(self.check("--steps", "sanitizer,ncu").returncode, 0)
        self.assertEqual(self.states()["ncu"], "left out: ncu is not on this machine")
        self.assertEqual(self.states()["sanitizer"], "left out: compute-sanitizer is not on this machine")

    def test_a_build_without_the_program_still_tests(self):
        (self.build / "bin" / "suite").unlink()
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout)
        without = "left out: the program suite is not in this build; it needs fmt, yaml-cpp and nlohmann-json, which may come with --prefix"
        self.assertEqual({s for s, state in self.states().items() if state == without}, {"hip", "sanitizer", "bench", "ladder", "ncu"})
        self.assertEqual(self.states()["test"], "ok")

    def test_a_build_that_fails_in_part_is_used(self):
        self.tool("cmake", TOOLS["cmake"] + """
case "$*" in *--parallel*-k*) echo "FAILED: this_test.cpp"; exit 1;; esac""")
        self.assertEqual(self.check().returncode, 1)
        states = self.states()
        self.assertEqual(states["build"], "failed with status 1: FAILED: this_test.cpp")
        self.assertEqual({s for s, state in states.items() if state == "ok"}, set(states) - {"build"})

    def test_a_limit_of_time(self):
        self.tool("ctest", "echo begun; sleep 60")
        done = self.check("test", "--limit", "10")
        self.assertEqual(done.returncode, 1, done.stdout)
        states = self.states()
        self.assertRegex(states["test"], r"^stopped after \d+ s, to keep within the limit of 10 s$")
        self.assertEqual(states["sanitizer"], "not done: the limit of 10 s was near")
        self.assertIn("begun", self.page()[1])
        self.tool("ctest", "true")
        self.assertEqual(self.check("test", "--limit", "100").returncode, 0)
        self.assertEqual((self.states()["test"], self.states()["sanitizer"]), ("ok", "ok"))


if __name__ == "__main__":
    unittest.main()
