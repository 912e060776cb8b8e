# SPDX-License-Identifier: BSD-3-Clause
"""Cores that other programs had are no merit or fault of a kernel, and nobody takes more than he is asked to."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

from suite_program import Case, backends, has_gw, suite


class Cores(Case):
    SLOW = "kernel: gpp.sigma\nsize: ntband=8,ngpown=500,ncouls=700,nw=2\n"

    @unittest.skipUnless("opencl" in backends(), "this build has no backend 'opencl'")
    def test_opencl_takes_as_many_cores_as_there_are_threads(self):
        done = suite("bench", "gpp.sigma", "--size", "small", "--implementations", "opencl", "--threads", "1", "--repeat", "6", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        row = json.loads(done.stdout)["blocks"][0]["contenders"][0]
        if "Portable Computing Language" not in row["device"]:
            self.skipTest("only PoCL is known to divide its device: " + row["device"])
        self.assertIn(", 1 compute unit,", row["device"])
        # The second core would double it; the thread that waits takes a little.
        self.assertLess(sum(row["cpu_samples_s"]), 1.5 * sum(row["samples_s"]))

    @unittest.skipUnless(has_gw() and "opencl" in backends(), "this build has no app gw or no backend 'opencl'")
    def test_compilation_in_the_first_call_is_told(self):
        """gw.screening is called for ten q points, a millisecond each; PoCL compiles its kernels when they are enqueued first."""
        words = ("run", "gpp.yaml", "--set", "sigma.bands=[4,5]")
        done = suite(*words, "--implementation", "opencl", folder=self.folder, environment={"POCL_CACHE_DIR": str(self.folder / "pocl")})
        self.assertEqual(done.returncode, 0, done.stderr)
        if "Portable Computing Language" not in done.stdout:
            self.skipTest("only of PoCL is it known when it compiles")
        self.assertRegex(" ".join(done.stdout.split()), r"! gw\.screening: \S+ ms of its \S+ ms are the first call, in which code for the device is compiled or loaded; the others take")
        self.assertNotIn("first call", suite(*words, "--implementation", "cpu", folder=self.folder).stdout)

    @unittest.skipUnless(pathlib.Path("/proc/self/schedstat").exists(), "this system does not tell how long threads wait for a core")
    def test_it_is_told_where_other_programs_had_the_cores(self):
        """Beside a program that never sleeps, on the one core that both may use."""
        self.write("k.yaml", self.SLOW)
        core = min(os.sched_getaffinity(0))
        on_one = (sys.executable, "-c", f"import os, sys; os.sched_setaffinity(0, {{{core}}}); os.execv(sys.argv[1], sys.argv[1:])")
        other = subprocess.Popen([*on_one, sys.executable, "-c", "while True: pass"])
        try:
            words = ("compare", "k.yaml", "--implementations", "reference", "--repeat", "6")
            done = suite(*words, folder=self.folder, prefix=on_one)
            row = json.loads(suite(*words, "--json", folder=self.folder, prefix=on_one).stdout)["contenders"][0]
        finally:
            other.kill()
            other.wait()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"! reference: its threads waited for a core [\d.]+ % of the time; by CPU time it takes .* and reaches [\d.]+ % of")
        self.assertIn("FMA by CPU time", done.stdout)
        self.assertGreater(row["waited_fraction"], 0.05)
        self.assertLess(sum(row["cpu_samples_s"]), sum(row["samples_s"]))
        self.assertGreater(row["fma_fraction_of_cpu_time"], row["fma_fraction"] / 2)


if __name__ == "__main__":
    unittest.main()
