# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of tools/gpu-check have in common: how it is called, and programs that stand in for those of a machine with a GPU."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE, BUILD, BACKEND = pathlib.Path(os.environ["SUITE_SOURCE"]), os.environ["SUITE_BUILD"], os.environ["SUITE_CHECKED_BACKEND"]


def check(*arguments, path=None, timeout=500):
    environment = dict(os.environ, CUDA_HOME="/nonexistent")
    if path:
        environment["PATH"] = f"{path}:{environment['PATH']}"
    return subprocess.run([SOURCE / "tools" / "gpu-check", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=timeout, env=environment)


class InAFolder(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="suite-gpu-check-", dir=BUILD)
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.output = self.folder / "page"

    def page(self):
        (page,), (text,) = self.output.glob("*.json"), self.output.glob("*.md")
        return json.loads(page.read_text()), text.read_text()

    def record(self, step, key):
        return self.page()[0]["records"].get(f"{step}: {key}", {"state": "to do", "why": ""})

    def states(self):
        """{step: states of its tasks}; a step that was left out: its reason."""
        report = self.page()[0]
        return {step: plan["absent"] or sorted({self.record(step, key)["state"] for key in plan["keys"]}) for step, plan in report["plans"].items()}


NCU_TABLE = """==PROF== Connected to process 7
==PROF== Disconnected from process 7
"ID","Process ID","Kernel Name","dram__bytes.sum","gpu__time_duration.sum","sm__sass_thread_inst_executed_op_dadd_pred_on.sum","sm__sass_thread_inst_executed_op_dfma_pred_on.sum","sm__sass_thread_inst_executed_op_dmul_pred_on.sum","smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio","smsp__average_warps_issue_stalled_long_scoreboard_not_issued_per_issue_active.ratio","smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio","launch__registers_per_thread"
"","","","Mbyte","msecond","inst","inst","inst","inst","inst","inst","register/thread"
"0","7","smooth","100.0","2.0","0","10,000,000,000","0","0.25","9.5","1.75","163"
"""
BENCH = {"blocks": [{"size": "some", "verified_at": "small", "contenders": [
    {"implementation": "cuda", "median_s": 0.012, "flop_per_s": 2e13, "verification": {"status": "verified", "detail": ""}, "merit": {"per_s": 1e12, "unit": "terms"}}]}]}
LIST = {"backends": [{"name": "cuda", "device": "NVIDIA H200, 132 multiprocessors", "memory_B": 150000000000, "problem": ""}], "plugins": []}
# What stands on the path in place of a machine with a GPU. Each notes what it was called with in `calls`.
TOOLS = {
    "nvidia-smi": """case "$*" in *compute_cap*) echo 9.0;; *name,driver*) echo "NVIDIA H200, 580.1, 143771 MiB, 1980 MHz, 3201 MHz, 700.00 W";; *) echo "NVIDIA H200";; esac""",
    "nvcc": "echo 'Cuda compilation tools, release 13.0, V13.0.88'",
    "cmake": """case "$*" in
-S*) touch "$BUILD/CMakeCache.txt" "$BUILD/build.ninja"; echo "app dfpt: no (Eigen was not found)" >"$BUILD/features.txt" ;;
*--target\\ help*) for t in suite_program launch_kernels test_plugins suite_gpp_cuda suite_gpp_opencl suite_gpp_hip suite_gpp_cpu.x86-64-v4 test_core gpu-resources hip_on_nvidia; do echo "$t: phony"; done ;;
*--target\\ gpu-resources*) echo "no spills" >"$BUILD/gpu-resources.txt" ;;
esac""",
    "ctest": "echo '100% tests passed, 0 tests failed out of 3'",
    "compute-sanitizer": "echo '========= ERROR SUMMARY: 0 errors'",
    "ncu": """while [ "$1" != --log-file ]; do shift; done; cat "$BUILD/ncu_table" >"$2" """,
}
PROGRAMS = {
    "suite": """case "$1" in
list) cat "$BUILD/list.json" ;;
bench) cat "$BUILD/bench.json" ;;
ladder) echo '{"blocks": []}' ;;
esac""",
    "launch_kernels": """case "$1" in
--list) echo "gpp.sigma small published headline"; echo "qmc.sweep small heg678"; echo "ceilings.fma small standard" ;;
*) echo "ran $2 $3 default 1.5e-3 2e9 0" ;;
esac""",
    "test_plugins": """echo "Running 5 test cases..."; echo "7 arrays compared, largest relative errors:  x 1e-15" """,
}


class OnAMachineWithAGpu(InAFolder):
    """The path that no machine of ours can go, with programs in place of the toolkit that say what they are told to."""

    def setUp(self):
        super().setUp()
        self.build, self.tools = self.folder / "build", self.folder / "tools"
        for folder in (self.build / "bin", self.tools):
            folder.mkdir(parents=True)
        (self.build / "list.json").write_text(json.dumps(LIST))
        (self.build / "bench.json").write_text(json.dumps(BENCH))
        (self.build / "ncu_table").write_text(NCU_TABLE)
        for name, script in TOOLS.items():
            self.tool(name, script)
        for name, script in PROGRAMS.items():
            self.program(name, script)

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
        return [line for line in (self.folder / "calls").read_text().splitlines() if line.startswith(name + " ") and not line.endswith(" --help")]
