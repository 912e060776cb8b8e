# SPDX-License-Identifier: BSD-3-Clause
"""tools/gpu-check --dry-run on the programs of this build, and mistakes on its command line."""
import pathlib
import unittest

from checked import BACKEND, BUILD, InAFolder, check


class WorksWithoutAGpu(InAFolder):
    def setUp(self):
        super().setUp()
        # What an earlier test did would not be done again.
        pathlib.Path(BUILD, "gpu-check", "tasks.json").unlink(missing_ok=True)

    def test_dry_run_goes_through_all_steps(self):
        done = check("--dry-run", "--backend", BACKEND, "--build", BUILD, "--output", str(self.output))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        report, markdown = self.page()
        self.assertTrue(report["dry_run"])
        states = self.states()
        for step in ("launches", "agreement", "figures", "ladder", "benchmarks"):
            self.assertEqual(states[step], ["ok"], step)
        self.assertEqual({step: states[step] for step in ("build", "hip", "tests")},
                         {"build": "dry run: the build is there", "hip": "only where the backend is cuda", "tests": "dry run"})
        self.assertEqual(states["profile"], f"ncu looks at NVIDIA's GPUs; the backend is {BACKEND}")
        self.assertEqual(states["sanitizer"], f"compute-sanitizer looks at NVIDIA's GPUs; the backend is {BACKEND}")
        launched = [key for key in report["plans"]["launches"]["keys"]]
        self.assertIn("qmc.sweep test:1", launched)
        self.assertGreater(len(launched), 25)
        block = report["records"]["ladder: gpp.sigma ntband=4,ngpown=8,ncouls=32,nw=2"]["found"]["blocks"][0]
        self.assertEqual((block["kernel"], block["backend"], block["steps"][0]["step"]), ("gpp.sigma", BACKEND, "v1"))
        self.assertIn("its numbers say nothing about any device", markdown.lower())
        for part in ("\n| gpp.sigma published at test:3 | ", "\n| v1 | ", "ncu looks at NVIDIA's GPUs", "| dfpt.sum_up | test:1 "):
            self.assertIn(part, markdown)

    def test_a_backend_that_is_not_there_fails_and_is_said(self):
        done = check("ladder", "--dry-run", "--backend", BACKEND + ":nosuch", "--build", BUILD, "--output", str(self.output))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, rf"failed: exit status 3: .*no device of backend {BACKEND} has 'nosuch' in its description")

    def test_mistakes_are_named(self):
        steps = "build launches agreement figures hip opencl sanitizer profile code ladder benchmarks tests"
        for arguments, sentence in ((["--stps"], "unrecognized arguments: --stps; see tools/gpu-check --help"),
                                    (["--backend"], "argument --backend: expected one argument; see tools/gpu-check --help"),
                                    (["bild"], f"no step 'bild'; there are: {steps}"),
                                    (["--limit", "soon"], "argument --limit: must be a number of seconds; got 'soon'; see tools/gpu-check --help"),
                                    (["--from", "none.json"], "--from: none.json is not there"),
                                    (["--dry-run", "--build", str(self.folder)], f"--dry-run needs a finished build; {self.folder}/bin/suite is not there")):
            done = check(*arguments)
            self.assertEqual((done.returncode, done.stderr), (2, f"tools/gpu-check: {sentence}\n"))


if __name__ == "__main__":
    unittest.main()
