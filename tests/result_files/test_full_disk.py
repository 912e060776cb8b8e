# SPDX-License-Identifier: BSD-3-Clause
"""A disk that is full at the n-th call that changes it, for every n: a sentence, exit code 6, and under the final names whole files or none.

Runs of apps are tried at some of their calls, drawn with SUITE_SEED; SUITE_TRIES=0 tries all of them (minutes)."""
import json
import os
import random
import resource
import shutil
import subprocess
import unittest

from left_behind import damaged
from small_inputs import APPS
from suite_program import Case, PROGRAM, SMALL_KERNEL

LEAVE_FILES = os.environ["SUITE_LEAVE_FILES"]
FULL_DISK = os.environ["SUITE_FULL_DISK"]
TRIES = int(os.environ.get("SUITE_TRIES", "3"))
SEED = int(os.environ.get("SUITE_SEED", "1"))


class FullDisk(Case):
    def attempt(self, command, full_at, stays_full):
        """Runs the command on a disk that is full at one call: how it ended, what it left behind, the calls that it made."""
        disk, log = self.folder / "disk", self.folder / "log"
        shutil.rmtree(disk, ignore_errors=True)
        disk.mkdir()
        log.unlink(missing_ok=True)
        environment = dict(os.environ, LD_PRELOAD=FULL_DISK, SUITE_DISK=str(disk), SUITE_DISK_LOG=str(log),
                           SUITE_DISK_FULL_AT=str(full_at), SUITE_DISK_STAYS_FULL=str(int(stays_full)))
        done = subprocess.run([*map(str, command), disk / "out"], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300)
        return done, disk / "out", log.read_text().splitlines()

    def fill(self, command, tries=0):
        """Tries all calls, or some of them. Returns the names of the files and the calls of an undisturbed run."""
        done, folder, calls = self.attempt(command, 0, False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(damaged(folder), [])
        names = sorted(path.name for path in folder.iterdir())
        # The texts of the driver are the same in every run.
        whole = {path.name: path.read_bytes() for path in folder.glob("*.txt")}
        numbers = range(1, len(calls) + 1)
        if 0 < tries < len(numbers):
            numbers = sorted(random.Random(SEED).sample(numbers, tries))
        for n in numbers:
            for stays_full in (False, True):
                with self.subTest(command=command[1:3], full_at=n, stays_full=stays_full, call=calls[n - 1]):
                    done, folder, _ = self.attempt(command, n, stays_full)
                    if done.returncode == 0:
                        # A file that was synced before loses nothing when it cannot be closed in good order.
                        self.assertEqual(calls[n - 1].split()[1], "close")
                        self.assertEqual(sorted(path.name for path in folder.iterdir()), names)
                        self.assertEqual(damaged(folder), [])
                        continue
                    self.assertEqual(done.returncode, 6, done.stderr)
                    self.assertIn("No space left on device", done.stderr)
                    self.assertNotIn("HDF5", done.stderr)
                    self.assertEqual(damaged(folder), [])
                    if "compare" in command:  # it has one file, and without that no folder
                        self.assertFalse(folder.exists())
                    for path in folder.glob("*.txt"):
                        self.assertEqual(path.read_bytes(), whole[path.name])
                    if (folder / "result.json").exists():
                        result = json.loads((folder / "result.json").read_text())
                        self.assertEqual((result["status"], result["error"]["exit_code"]), ("error", 6))
        return names, calls

    def test_text_and_hdf5_at_every_call(self):
        names, calls = self.fill([LEAVE_FILES])
        self.assertEqual(names, ["large.txt", "small.txt", "values.h5"])
        self.assertLessEqual({"mkdir", "open", "write", "pwrite", "fsync", "close"}, {call.split()[1] for call in calls})

    def test_a_kernel_at_every_call(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.fill([PROGRAM, "run", "k.yaml", "--quiet", "--output"])

    def test_a_comparison_at_every_call(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.fill([PROGRAM, "compare", "k.yaml", "--implementations", "cpu", "--quiet", "--output"])

    def test_apps(self):
        for name, text in APPS.items():
            self.write(name + ".yaml", text)
            self.fill([PROGRAM, "run", name + ".yaml", "--quiet", "--output"], TRIES)

    def test_a_limit_of_the_shell(self):
        """Files beyond `ulimit -f`, of which the kernel tells by a signal that would end the process without a word."""
        for name, text in {"kernel": SMALL_KERNEL, **APPS}.items():
            self.write(name + ".yaml", text)
            out = self.folder / ("limited_" + name)
            done = subprocess.run([PROGRAM, "run", name + ".yaml", "--quiet", "--output", out], cwd=self.folder, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=300,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
            with self.subTest(name):
                self.assertEqual(done.returncode, 6, done.stderr)
                self.assertIn("File too large", done.stderr)
                self.assertEqual(damaged(out), [])
