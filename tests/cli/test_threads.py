# SPDX-License-Identifier: BSD-3-Clause
"""Threads that wait do not burn the cores."""
import ctypes.util
import os
import re
import subprocess
import unittest

from suite_program import Case, PROGRAM

HOST = os.environ.get("SUITE_HOST", "")  # a program in C that calls a kernel and is not linked with OpenMP
WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


def run(*command, **environment):
    env = {name: value for name, value in os.environ.items() if name not in WAITING} | {"OMP_DISPLAY_ENV": "VERBOSE"} | environment
    return subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True, timeout=300)


def spins(done):
    """What libgomp says that its threads do before they sleep; the last word counts."""
    found = re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)
    return int(found[-1]) if found else None


class Spinning(Case):
    def test_threads_of_the_program_soon_sleep(self):
        if spins(run(PROGRAM, "version", GOMP_SPINCOUNT="7")) is None:
            self.skipTest("the program is not linked with libgomp")
        self.assertEqual(spins(run(PROGRAM, "version")), 5000)
        self.assertEqual(spins(run(PROGRAM, "version", GOMP_SPINCOUNT="7")), 7)
        self.assertEqual(spins(run(PROGRAM, "version", OMP_WAIT_POLICY="passive")), 0)
        self.assertGreater(spins(run(PROGRAM, "version", OMP_WAIT_POLICY="active")), 5000)

    def test_the_program_starts_again_with_its_own_words(self):
        done = run(PROGRAM, "list", "gpp.sigma")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("gpp.sigma", done.stdout)
        self.assertEqual(run(PROGRAM, "lost").returncode, 2)

    @unittest.skipUnless(HOST, "the host in C is not built")
    def test_threads_of_a_host_soon_sleep(self):
        call = (HOST, "dfpt.rho", "test:1", "cpu")
        done = run(*call)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(spins(done), 5000)
        self.assertNotIn("warning: OpenMP", done.stdout)
        self.assertEqual(spins(run(*call, GOMP_SPINCOUNT="7")), 7)

    @unittest.skipUnless(HOST, "the host in C is not built")
    def test_a_host_that_brings_openmp_is_told(self):
        library = ctypes.util.find_library("gomp")
        if not library:
            self.skipTest("no libgomp")
        call = (HOST, "dfpt.rho", "test:1", "cpu")
        done = run(*call, LD_PRELOAD=library)
        self.assertEqual(spins(done), 300000)
        self.assertIn("warning: OpenMP's threads spin for milliseconds", done.stdout)
        for chosen in ({"OMP_WAIT_POLICY": "passive"}, {"GOMP_SPINCOUNT": "5000"}, {"OMP_NUM_THREADS": "1"}):
            self.assertNotIn("warning: OpenMP", run(*call, LD_PRELOAD=library, **chosen).stdout)


if __name__ == "__main__":
    unittest.main()
