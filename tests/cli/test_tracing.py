# SPDX-License-Identifier: BSD-3-Clause
"""Traces and energy of the program's own runs."""
import json
import unittest

from suite_program import Case, SMALL_KERNEL, suite
from test_ranks import LAUNCH, MPIEXEC, has_mpi


class Tracing(Case):
    def run_small(self, **environment):
        self.write("small.yaml", SMALL_KERNEL)
        done = suite("run", "small.yaml", "--implementation", "cpu", "--json", folder=self.folder, environment=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_a_trace_has_every_run_with_the_seconds_that_are_reported(self):
        result, said = self.run_small(SUITE_TRACE="trace.json")
        self.assertEqual(said, "")
        events = json.loads((self.folder / "trace.json").read_text())
        runs = [e for e in events if e.get("cat") == "run" and e["args"]["kernel"] == "gpp.sigma" and e["args"]["implementation"] == "cpu"]
        seconds = [e["args"]["device_s"] for e in runs]
        last = result["kernels"][0]["samples_s"][-1]
        # A sample is the mean of several runs; the last sample's are the last runs, however many they are.
        means = (sum(seconds[-n:]) / n for n in range(1, len(seconds)))
        self.assertTrue(any(abs(mean - last) <= 1e-9 * last for mean in means), last)
        self.assertEqual({e["name"] for e in runs}, {"suite/gpp.sigma/best"})
        self.assertEqual(runs[-1]["args"]["flops"] * len(result["kernels"][0]["samples_s"]), result["kernels"][0]["flops"])

    def test_a_trace_that_cannot_be_written_is_told_and_stops_nothing(self):
        _, said = self.run_small(SUITE_TRACE="none/trace.json")
        self.assertEqual(said, "suite: warning: SUITE_TRACE: cannot create none/trace.json: No such file or directory; nothing is traced\n")

    @unittest.skipUnless(has_mpi(), "SKIPPED: no MPI here")
    def test_each_rank_leaves_a_trace(self):
        self.write("small.yaml", SMALL_KERNEL)
        done = suite("run", "small.yaml", folder=self.folder, environment=LAUNCH | {"SUITE_TRACE": "trace.json"}, prefix=(MPIEXEC, "-np", "2"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for rank in (0, 1):
            events = json.loads((self.folder / f"trace.rank{rank}.json").read_text())
            self.assertEqual({e["pid"] for e in events}, {rank})


class Energy(Case):
    def powercap(self):
        for name, text in (("name", "package-0"), ("energy_uj", "1000"), ("max_energy_range_uj", "262143328850")):
            self.write(f"powercap/intel-rapl:0/{name}", text + "\n")
        return str(self.folder / "powercap")

    def run_small(self, powercap):
        self.write("small.yaml", SMALL_KERNEL)
        done = suite("run", "small.yaml", "--json", folder=self.folder, environment={"SUITE_POWERCAP": powercap})
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_counter_that_stands_still(self):
        result = self.run_small(self.powercap())
        self.assertEqual(result["times"]["energy_J"], 0)
        self.assertNotIn("energy_why", result["times"])
        row = result["kernels"][0]
        if row["energy_J"] is None:  # samples of a few milliseconds
            self.assertRegex(row["energy_why"], "^a sample took .*, less than the 10.0 ms required by the energy counter$")
        else:
            self.assertEqual(row["energy_J"], [0] * len(row["samples_s"]))

    def test_no_counter_is_null_with_the_reason(self):
        result = self.run_small("/nonexistent")
        for part in (result["times"], result["kernels"][0]):
            self.assertIsNone(part["energy_J"])
            self.assertEqual(part["energy_why"], "there are no RAPL counters (intel-rapl:*) in /nonexistent")


if __name__ == "__main__":
    unittest.main()
