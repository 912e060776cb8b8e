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


def check(*arguments):
    return subprocess.run([SOURCE / "tools" / "gpu-check", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=500)


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
                                    (["--dry-run", "--build", str(self.folder)], f"--dry-run needs a finished build; {self.folder}/bin/suite is not there")):
            done = check(*arguments)
            self.assertEqual((done.returncode, done.stderr), (2, f"tools/gpu-check: {sentence}\n"))
