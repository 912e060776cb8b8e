# SPDX-License-Identifier: BSD-3-Clause
"""tools/gpu-check with stand-ins for the programs of a machine with a GPU: order, limits, what is not done again, what is said to be absent."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from checked import PROGRAMS, SOURCE, TOOLS, OnAMachineWithAGpu

NAMES = ("launches", "agreement", "figures", "hip", "sanitizer", "profile", "ladder", "benchmarks", "tests")


class GoesThroughAllSteps(OnAMachineWithAGpu):
    def test_all_steps(self):
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({step: self.states()[step] for step in NAMES}, {step: ["ok"] for step in NAMES}, done.stdout)
        configure = next(line for line in self.calls("cmake") if line.startswith("cmake -S"))
        for part in ("-DSUITE_WITH_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=90", "-DSUITE_WITH_HIP=OFF", "-DSUITE_WITH_EMULATED=OFF", "-DSUITE_WERROR=OFF"):
            self.assertIn(part, configure)
        # No more than the kernels and their tests at first; one error stops nothing else.
        self.assertIn("--target launch_kernels suite_gpp_cpu.x86-64-v4 suite_gpp_cuda suite_program test_plugins -- -k 0", " ".join(self.calls("cmake")))
        # Small sizes of all kernels first; what takes minutes last.
        launched = [line.split(" ", 2)[2] for line in self.calls("launch_kernels cuda")][:7]
        self.assertEqual(launched, ["gpp.sigma small", "qmc.sweep small", "ceilings.fma small", "gpp.sigma published", "qmc.sweep heg678", "ceilings.fma standard",
                                    "gpp.sigma headline"])
        self.assertEqual(self.calls("test_plugins")[:3], [f"test_plugins --run_test=*{plugin} * --color_output=no" for plugin in (
            "suite_gpp_cuda.so gpp.sigma", "suite_qmc_cuda.so qmc.sweep", "hip_on_nvidia_suite_gpp_hip.so gpp.sigma")])
        sanitized = self.calls("compute-sanitizer")
        self.assertEqual([line.split()[2] for line in sanitized], ["memcheck", "memcheck", "racecheck", "racecheck", "synccheck", "synccheck", "initcheck", "initcheck"])
        timed = [line.split("--size ")[1].split()[0] for line in self.calls("suite bench") if "--backend cuda" in line]
        self.assertEqual(timed[:3], ["published", "published_nvband2", "heg678,nwalker=4096"])
        self.assertIn("--backend cpu --threads 1", " ".join(self.calls("suite bench")))
        report, text = self.page()
        self.assertEqual(report["records"]["profile: gpp.sigma published"]["found"]["rows"], [
            {"kernel": "smooth", "seconds": 0.002, "bytes": 1e8, "flops": 2e10, "sm_percent": None, "memory_percent": None, "warps_percent": None,
             "registers": 163, "stalls": {"math_pipe_throttle": 1.75, "barrier": 0.25}}])
        for part in ("| gpp.sigma published | smooth | 2 ms | 10000 | 50 | - | - | - | 163 | math pipe throttle 1.75, barrier 0.25 |",
                     "| gpp.sigma published | cuda | 12 ms | 15 ms | met | - | 20000.0 | - | 1 T terms/s | verified at small |",
                     "| memcheck gpp.sigma | ERROR SUMMARY: 0 errors |", "NVIDIA H200, 580.1", "no spills", "| app dfpt | no (Eigen was not found) |",
                     "| ceilings.fma standard | - | 1.5 ms | - | - | - | - | - | 1333.3 GFLOP/s | - |"):
            self.assertIn(part, text)

    def test_nothing_is_done_again(self):
        self.assertEqual(self.check("--limit", "400").returncode, 0)
        self.assertEqual(self.check().returncode, 0)
        for name in ("suite bench", "launch_kernels cuda", "test_plugins", "compute-sanitizer", "ncu", "ctest"):
            self.assertEqual(self.calls(name), [], name)

    def test_steps_can_be_named(self):
        self.assertEqual(self.check("figures", "launches", "--kernels", "qmc.sweep", "--sizes", "small,heg678").returncode, 0)
        self.assertEqual(sorted(self.states()), ["figures", "launches"])
        self.assertEqual(len(self.calls("launch_kernels cuda")), 2)


class Continues(OnAMachineWithAGpu):
    def test_the_limit_of_a_call_ends_a_task_and_the_next_call_repeats_it(self):
        self.program("test_plugins", """case "$*" in *qmc.sweep*) echo begun; sleep 60;; esac; echo "Running 5 test cases..."; echo "7 arrays compared" """)
        done = self.check("agreement", "figures", "--limit", "10")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual((self.record("agreement", "gpp.sigma")["state"], self.record("agreement", "qmc.sweep")["state"]), ("ok", "cut"))
        self.assertRegex(self.record("agreement", "qmc.sweep")["why"], r"^stopped after \d+ s, at the end of its step or call: to be done again$")
        self.assertIn("| figures | - | the limit of this call was near |", self.page()[1])
        self.program("test_plugins", """echo "Running 5 test cases..."; echo "7 arrays compared" """)
        done = self.check("agreement", "figures")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.calls("test_plugins"), ["test_plugins --run_test=*suite_qmc_cuda.so qmc.sweep * --color_output=no"])
        self.assertEqual(self.states(), {"agreement": ["ok"], "figures": ["ok"]})

    def test_the_limit_of_a_step_leaves_time_for_the_others(self):
        self.program("launch_kernels", """case "$1" in --list) echo "gpp.sigma small large"; echo "qmc.sweep small" ;; *) sleep 2; echo "ran $2 $3 default 1e-3 1 1" ;; esac""")
        done = self.check("launches", "agreement", "--step-limit", "6")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"launches: \d ok, \d to do; the limit of 6 s for this step was reached")
        self.assertEqual(self.states()["agreement"], ["ok"])
        self.assertEqual(self.check("launches").returncode, 0)
        self.assertEqual(self.states()["launches"], ["ok"])

    def test_a_task_that_takes_too_long_is_not_tried_again_unless_asked(self):
        self.tool("compute-sanitizer", "case \"$*\" in *racecheck*qmc*) sleep 60;; esac; echo '========= ERROR SUMMARY: 0 errors'")
        self.assertEqual(self.check("sanitizer", "--task-limit", "4").returncode, 1)
        self.assertEqual(self.record("sanitizer", "racecheck qmc.sweep")["state"], "stopped")
        self.assertEqual(self.record("sanitizer", "initcheck qmc.sweep")["state"], "ok")
        self.assertEqual(self.check("sanitizer").returncode, 1)
        self.assertEqual(self.calls("compute-sanitizer"), [])
        self.tool("compute-sanitizer", TOOLS["compute-sanitizer"])
        self.assertEqual(self.check("sanitizer", "--retry").returncode, 0)
        self.assertEqual(len(self.calls("compute-sanitizer")), 1)

    def test_children_of_a_task_end_with_it(self):
        # The second ignores what its parent ends at.
        for what, child, ends in (("at the limit of the task", "sleep 300", ""), ("though it will not", "sh -c 'trap \"\" TERM; sleep 300'", ""),
                                  ("with a check that is terminated", "sleep 300", "kill $PPID; ")):
            self.program("test_plugins", f"[ \"$1\" != --help ] || exit 0; {child} & echo $! >'{self.folder}/child'; {ends}wait")
            self.check("agreement", "--task-limit", "2", "--kernels", "gpp.sigma", "--retry")
            child = (self.folder / "child").read_text().strip()
            state = pathlib.Path("/proc", child, "stat")
            self.assertTrue(not state.exists() or state.read_text().rsplit(") ", 1)[1].startswith("Z"), f"it is still running {what}")

    def test_a_signal_while_a_process_starts_ends_it(self):
        done = subprocess.run([sys.executable, "-c", f"""
import signal, subprocess, sys, time
sys.path.insert(0, "{SOURCE}/tools")
import gpu_check_tasks
starts = subprocess.Popen
def slowly(*arguments, **more):
    process = starts(*arguments, **more)
    time.sleep(0.5)
    return process
subprocess.Popen = slowly
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
gpu_check_tasks.Runner("{self.folder}/log", time.monotonic() + 20).run(["sh", "-c", "echo $$ >'{self.folder}/child'; kill $PPID; exec sleep 300"])
"""])
        self.assertEqual(done.returncode, 3)
        child = int((self.folder / "child").read_text())
        self.assertRaises(ProcessLookupError, os.kill, child, 0)

    def test_the_page_is_there_when_the_check_is_killed(self):
        self.program("test_plugins", """case "$*" in *qmc.sweep*) kill -9 $PPID;; esac; echo "Running 5 test cases..."; echo "7 arrays compared" """)
        self.assertNotEqual(self.check("agreement").returncode, 0)
        self.assertEqual(self.record("agreement", "gpp.sigma")["state"], "ok")
        self.assertIn("| gpp.sigma | 5 | 7 |", self.page()[1])
        self.program("test_plugins", PROGRAMS["test_plugins"])
        self.assertEqual(self.check("agreement").returncode, 0)
        self.assertEqual(len(self.calls("test_plugins")), 1)

    def test_the_page_serves_where_the_build_folder_is_gone(self):
        self.assertEqual(self.check("build", "figures").returncode, 0)
        page = self.folder / "earlier.json"
        next(self.output.glob("*.json")).rename(page)
        shutil.rmtree(self.build / "gpu-check")
        self.assertEqual(self.check("build", "figures", "agreement", "--from", str(page)).returncode, 0)
        self.assertEqual(self.calls("suite bench"), [])
        self.assertTrue(any("-DSUITE_WITH_CUDA=ON" in line for line in self.calls("cmake")), "what was built is gone")
        self.assertEqual(self.states()["figures"], ["ok"])
        # On another device nothing of it holds.
        self.tool("nvidia-smi", "echo 'NVIDIA A100'")
        shutil.rmtree(self.build / "gpu-check")
        self.check("figures", "--from", str(page))
        self.assertNotEqual(self.calls("suite bench"), [])
        texts = "".join(text.read_text() for text in self.output.glob("*.md"))
        self.assertIn("are of another device: not used", texts)


class SaysWhatIsWrong(OnAMachineWithAGpu):
    def test_profilers_that_may_not_look(self):
        self.tool("ncu", """while [ "$1" != --log-file ]; do shift; done
echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters" >"$2"; exit 1""")
        self.tool("compute-sanitizer", "echo '========= Error: Device not supported'; exit 1")
        done = self.check("sanitizer", "figures", "profile")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.record("profile", "gpp.sigma published")["why"],
                         "ncu cannot read the counters of this GPU (perhaps they are for administrators only): "
                         "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters")
        self.assertEqual(self.record("sanitizer", "memcheck gpp.sigma")["why"], "compute-sanitizer cannot look at this GPU: ========= Error: Device not supported")
        self.assertEqual(self.states()["figures"], ["ok"])

    def test_what_the_sanitizer_finds_is_a_failure(self):
        self.tool("compute-sanitizer", """[ "$2" != racecheck ] || { echo '========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)'; exit 99; }""")
        self.assertEqual(self.check("sanitizer").returncode, 1)
        self.assertEqual(self.record("sanitizer", "racecheck gpp.sigma")["why"], "exit status 99: RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)")
        self.assertIn("The end of the log of sanitizer, racecheck gpp.sigma:", self.page()[1])

    def test_a_launch_that_fails_and_one_that_is_too_large(self):
        self.program("launch_kernels", """case "$*" in --list*) echo "gpp.sigma small headline"; echo "qmc.sweep small" ;;
*headline) echo "too_large gpp.sigma headline arguments: out of memory: cannot allocate 9 GiB" ;;
*gpp*) echo "ran gpp.sigma small default 1e-3 1 1" ;;
*) echo "failed qmc.sweep small default: cudaErrorInvalidValue"; exit 1 ;; esac""")
        self.assertEqual(self.check("launches").returncode, 1)
        self.assertEqual(self.record("launches", "qmc.sweep small")["why"], "failed qmc.sweep small default: cudaErrorInvalidValue")
        self.assertIn("| gpp.sigma | small 1 ms, headline too large: out of memory: cannot allocate 9 GiB |", self.page()[1])

    def test_a_comparison_of_nothing_is_no_agreement(self):
        self.program("test_plugins", "echo 'Running 0 test cases...'")
        self.assertEqual(self.check("agreement").returncode, 1)
        self.assertEqual(self.record("agreement", "gpp.sigma")["why"], "nothing was compared")

    def test_a_figure_that_fails_verification_has_no_time(self):
        wrong = {"blocks": [{"size": "some", "verified_at": "some", "contenders": [
            {"implementation": "cuda", "verification": {"status": "failed", "detail": "achtemp[0] is 1, the reference has 2"}}]}]}
        (self.build / "bench.json").write_text(json.dumps(wrong))
        self.assertEqual(self.check("figures").returncode, 1)
        self.assertEqual(self.record("figures", "gpp.sigma published")["why"], "cuda : failed: achtemp[0] is 1, the reference has 2")
        self.assertNotIn("| gpp.sigma published | cuda |", self.page()[1])

    def test_tools_that_are_missing(self):
        for name in ("ncu", "compute-sanitizer"):
            (self.tools / name).unlink()
        if subprocess.run("command -v ncu compute-sanitizer", shell=True, capture_output=True).stdout:
            self.skipTest("this machine has them")
        self.assertEqual(self.check("sanitizer", "profile").returncode, 0)
        self.assertEqual(self.states(), {"sanitizer": "compute-sanitizer is not on this machine", "profile": "ncu is not on this machine"})
        self.assertIn("| ncu | not on this machine |", self.page()[1])

    def test_a_build_without_the_program_still_tests(self):
        (self.build / "bin" / "suite").unlink()
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout)
        without = "suite is not in this build: it needs fmt, yaml-cpp and nlohmann-json, which may come with --prefix"
        self.assertEqual({step for step, state in self.states().items() if state == without}, {"figures", "ladder", "benchmarks"})
        for step in ("launches", "agreement", "sanitizer", "profile"):
            self.assertEqual(self.states()[step], ["ok"], step)

    def test_a_program_that_lacks_a_library_is_said_once(self):
        self.program("suite", "echo 'suite: error while loading shared libraries: libxc.so.9: cannot open shared object file' >&2; exit 127")
        self.assertEqual(self.check("launches", "figures", "ladder").returncode, 0)
        why = "suite cannot be started: suite: error while loading shared libraries: libxc.so.9: cannot open shared object file"
        self.assertEqual(self.states(), {"launches": ["ok"], "figures": why, "ladder": why})

    def test_a_build_that_fails_in_part_is_used(self):
        self.tool("cmake", TOOLS["cmake"] + """
case "$*" in *suite_program*-k*) echo "FAILED: this_test.cpp"; exit 1;; esac""")
        self.assertEqual(self.check("build", "launches").returncode, 1)
        self.assertEqual(self.record("build", "program and plugins")["why"], "exit status 1: FAILED: this_test.cpp")
        self.assertEqual(self.states()["launches"], ["ok"])


if __name__ == "__main__":
    unittest.main()
