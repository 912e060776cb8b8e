# SPDX-License-Identifier: BSD-3-Clause
"""SIGINT, SIGTERM and SIGKILL at random times: no file is left in the middle under its final name, and after the first two the result
says that the run was interrupted.

SUITE_TRIES signals for each command, drawn with SUITE_SEED: 100 of them take many minutes (docs/results.md)."""
import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import time

import schemas
from left_behind import damaged
from small_inputs import APPS
from suite_program import Case, PROGRAM, SMALL_KERNEL, suite

TRIES = int(os.environ.get("SUITE_TRIES", "2"))
SEED = int(os.environ.get("SUITE_SEED", "1"))


class Interruptions(Case):
    def start(self, command):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        return subprocess.Popen([str(PROGRAM), *command, "--output", "out", "--quiet"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def interrupt(self, command, whole_s, draw):
        """One signal at a random time."""
        which = draw.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
        # The end, where files are written, is met as often as all the rest.
        after = whole_s * (draw.uniform(0, 1.1) if draw.random() < 0.5 else draw.uniform(0.8, 1.05))
        with self.subTest(command=command, signal=which.name, after=f"{after:.3f} of {whole_s:.3f} s"):
            running = self.start(command)
            time.sleep(after)
            running.send_signal(which)
            _, said = running.communicate(timeout=120)
            killed = which == signal.SIGKILL
            # It may have ended before, or (by the signal itself) before there was anything to keep.
            allowed = {0, -which} if killed else {0, -which, 130 if which == signal.SIGINT else 143}
            self.assertIn(running.returncode, allowed, said)
            folder = self.folder / "out"
            if not folder.exists():
                return running.returncode
            self.assertEqual(damaged(folder, temporary_too=False), [])
            result = folder / "result.json"
            if result.exists():
                status = json.loads(result.read_text())["status"]
                # A signal that ends the process at once may come after the last file was written.
                self.assertIn(status, {"ok"} if running.returncode == 0 else {"interrupted"} if running.returncode > 0 else {"ok", "interrupted"})
            else:  # nothing was finished
                self.assertNotEqual(running.returncode, 0)
                # Only a kill may come between the folder and its file.
                self.assertTrue(command[0] == "run" or killed, "an empty folder")
            if not killed and running.returncode > 0:
                self.assertIn("suite: interrupted; ", said)
            return running.returncode

    def interrupt_often(self, command):
        begin = time.monotonic()
        running = self.start(command)
        _, said = running.communicate(timeout=300)
        self.assertEqual(running.returncode, 0, said)
        whole_s = time.monotonic() - begin
        self.assertEqual(damaged(self.folder / "out"), [])
        draw = random.Random(f"{SEED} {command}")
        codes = []
        for _ in range(TRIES):
            codes.append(self.interrupt(command, whole_s, draw))
            # The machine may be busier or quieter by now: about one run in six is to have ended before its signal.
            whole_s *= 0.9 if codes[-1] == 0 else 1.02
        if TRIES >= 50:  # a test of the test: all ends were met
            self.assertTrue(codes.count(130) + codes.count(143) > 0 and codes.count(-signal.SIGKILL) > 0, codes)

    def test_apps(self):
        for name, text in APPS.items():
            self.write(name + ".yaml", text)
            self.interrupt_often(["run", name + ".yaml"])

    def test_a_kernel(self):
        self.write("k.yaml", SMALL_KERNEL.replace("repeat: 6", "repeat: 2000"))
        self.interrupt_often(["run", "k.yaml"])

    def stop_sampling(self, command, rounds, later_s=0):
        """SIGINT to a comparison so long after so many rounds, as its progress on a terminal tells. Returns what it printed, and its result."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        terminal, its_end = pty.openpty()
        self.addCleanup(os.close, terminal)
        with open(self.folder / "printed", "w+") as printed:
            running = subprocess.Popen([str(PROGRAM), *command, "--output", "out"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=its_end)
            os.close(its_end)
            said = ""
            while not any(int(done) >= rounds for done in re.findall(r"samples  \[[#-]+\]  (\d+)/", said)):
                said += os.read(terminal, 4096).decode()
            time.sleep(later_s)
            running.send_signal(signal.SIGINT)
            self.assertEqual(running.wait(timeout=120), 130)
            printed.seek(0)
            text = printed.read()
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertEqual((schemas.problems(result), result["status"]), ([], "interrupted"))
        self.assertIn("  " + result["ended_early"] + "\n", text)
        return text, result

    def test_an_interrupted_comparison_keeps_its_samples(self):
        self.write("k.yaml", SMALL_KERNEL)
        _, result = self.stop_sampling(["compare", "k.yaml", "--implementations", "reference,cpu", "--repeat", "100000"], 10)
        whole = int(re.fullmatch(r"interrupted after (\d+) of 100000 rounds", result["ended_early"])[1])
        self.assertGreaterEqual(whole, 10)
        for row in result["contenders"]:
            self.assertIn(len(row["samples_s"]), (whole, whole + 1))
            self.assertEqual(row["verification"]["status"], "verified")
            self.assertIn(row["verdict"], ("baseline", "FASTER", "same", "SLOWER", "unclear"))
        # It can be compared and shown like any other.
        self.assertEqual(suite("compare", "out", "out", "--quiet", folder=self.folder).returncode, 0)
        self.assertEqual(suite("report", "out", "--output", "page.html", folder=self.folder).returncode, 0)

    def test_a_comparison_interrupted_in_its_first_round(self):
        # The reference takes a good part of a second, so that its first sample has begun and is still running.
        self.write("k.yaml", "kernel: gpp.sigma\nsize: ntband=32,ngpown=600,ncouls=600,nw=2\n")
        text, result = self.stop_sampling(["compare", "k.yaml", "--implementations", "reference,cpu"], 0, 0.1)
        first, second = result["contenders"]
        self.assertRegex(result["ended_early"], "^interrupted after 0 of ")
        self.assertEqual((len(first["samples_s"]), second["samples_s"]), (1, []))
        self.assertRegex(text, r"\n  cpu \S+ +- .* verified, not timed\n")
        self.assertNotIn("verdict", second)
        self.assertEqual(suite("report", "out", "--output", "page.html", folder=self.folder).returncode, 0)

    def test_compare(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.interrupt_often(["compare", "k.yaml", "--implementations", "reference,cpu", "--repeat", "500"])

    def test_bench(self):
        self.interrupt_often(["bench", "gpp.sigma", "--size", "test:1", "--size", "test:2", "--implementations", "cpu", "--repeat", "200"])

    def test_a_killed_benchmark_goes_on(self):
        command = ["bench", "gpp.sigma", "--size", "test:1", "--size", "test:2", "--size", "test:3", "--implementations", "cpu", "--repeat", "100"]
        draw = random.Random(SEED)
        for _ in range(TRIES):
            running = self.start(command)
            result = self.folder / "out" / "result.json"
            while not result.exists() and running.poll() is None:
                time.sleep(0.002)
            time.sleep(draw.uniform(0, 0.2))
            running.kill()
            running.communicate(timeout=60)
            before = json.loads(result.read_text())
            done = suite("bench", "--resume", "out", "--quiet", folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(damaged(self.folder / "out", temporary_too=False), [])
            after = json.loads(result.read_text())
            self.assertEqual((after["status"], [block["size"] for block in after["blocks"]]), ("ok", ["test:1", "test:2", "test:3"]))
            # What was finished is not measured again.
            self.assertEqual(after["blocks"][:len(before["blocks"])], before["blocks"])
