# SPDX-License-Identifier: BSD-3-Clause
"""Diffusion Monte Carlo and optimisation as their users meet them."""
import math
import signal
import subprocess
import time
import unittest

from test_run import LAUNCH, MPIEXEC, OF_THE_CLOCK, Runs, table
from suite_program import INPUTS, PROGRAM

# On the implementation that is always there.
GAS = (INPUTS / "heg14.yaml").read_text().split("vmc:\n  walkers")[0].replace("app: vmc", "kernel:\n  implementation: reference\napp: vmc")
DMC = GAS.replace("app: vmc", "app: vmc\nmethod: dmc") + """vmc:
  equilibration: 150
  reinvert: 20
dmc:
  time_steps: [1.0, 0.5]
  walkers: 12
  equilibration: 15
  steps: 40
"""
FREE = GAS.split("jastrow:")[0].replace("app: vmc", "app: vmc\nmethod: optimise") + """jastrow:
  u: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
  p: [[0, 0, 0]]
vmc:
  walkers: 20
  equilibration: 200
optimise:
  cycles: 2
  configurations: 600
"""


def physics(result):
    return {key: value for key, value in result["results"].items() if key not in OF_THE_CLOCK}


class Dmc(Runs):
    def test_results_are_complete(self):
        folder, result = self.run_input(DMC)
        results = result["results"]
        self.assertEqual(sorted(results["files"]), sorted(p.name for p in folder.iterdir() if p.name != "result.json"))
        self.assertEqual([run["time_step"] for run in results["time_steps"]], [1.0, 0.5])
        self.assertEqual(results["time_step"], 0.5)
        self.assertEqual(results["energy_Ha"], results["time_steps"][1]["energy_Ha"])
        for run in results["time_steps"]:
            self.assertGreater(run["acceptance"], 0.95)
            self.assertLess(run["effective_time_step"], run["time_step"])
            self.assertGreater(run["effective_time_step"], 0.9 * run["time_step"])
            self.assertLessEqual(run["population"]["smallest"], run["population"]["mean"])
            self.assertLess(abs(run["population"]["mean"] - 12), 4)
            self.assertEqual(run["reblocking"]["samples"], 40)
        two = results["time_steps"]
        self.assertAlmostEqual(results["extrapolated"]["energy_Ha"], 2 * two[1]["energy_Ha"] - two[0]["energy_Ha"], 12)
        self.assertAlmostEqual(results["extrapolated"]["error_Ha"], math.hypot(2 * two[1]["error_Ha"], two[0]["error_Ha"]), 12)
        parts = results["components"]
        self.assertAlmostEqual(results["energy_Ha"], parts["KEI"]["mean_Ha"] + parts["ewald"]["mean_Ha"], 10)
        steps = table(folder / "steps.csv")
        self.assertEqual(len(steps["step"]), 2 * 55)
        weights = steps["weight"][70:], steps["energy"][70:]
        mean = sum(w * e for w, e in zip(*weights)) / sum(weights[0])
        self.assertAlmostEqual(mean, results["energy_Ha"], 8)

    def test_the_energy_is_that_of_an_independent_program(self):
        _, result = self.run_input(DMC, "--set", "dmc.time_steps=[0.5]", "--set", "dmc.walkers=40", "--set", "dmc.steps=120",
                                   "--set", "dmc.equilibration=40")
        results = result["results"]
        # -1.10991(34) and -1.11027(35) with 200 walkers; a population of 40 costs less than 1e-3 Ha
        self.assertLess(results["error_Ha"], 4e-3)
        self.assertLess(abs(results["energy_Ha"] + 1.1101), 4 * results["error_Ha"] + 1e-3)
        self.assertLess(abs(results["acceptance"] - 0.9909), 0.004)
        self.assertLess(abs(results["time_steps"][0]["effective_time_step"] / 0.5 - 0.986), 0.006)

    def test_a_stopped_run_goes_on_to_the_last_bit(self):
        _, whole = self.run_input(DMC)
        self.write("in.yaml", DMC)
        process = subprocess.Popen([PROGRAM, "run", "in.yaml", "--output", "stopped", "--set", "checkpoint.interval=20"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.folder / "stopped" / "checkpoint.h5").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 128 + signal.SIGINT, error)
        self.assertIn("--set restart.file=", error)
        _, resumed = self.run_input(DMC, "--set", "restart.file=stopped/checkpoint.h5")
        self.assertEqual(physics(resumed), physics(whole))

    def test_the_last_time_step_can_be_made_longer(self):
        one = DMC.replace("[1.0, 0.5]", "[0.5]")
        _, whole = self.run_input(one)
        folder, _ = self.run_input(one, "--set", "dmc.steps=23", name="short.yaml")
        _, longer = self.run_input(one, "--set", f"restart.file={folder / 'checkpoint.h5'}")
        self.assertGreater(longer["results"]["restarted_at_step"], 0)
        self.assertEqual(physics(longer), physics(whole))

    def test_other_settings_are_refused(self):
        folder, _ = self.run_input(DMC, "--set", "dmc.steps=5")
        self.write("other.yaml", DMC)
        done = subprocess.run([PROGRAM, "run", "other.yaml", "--set", f"restart.file={folder / 'checkpoint.h5'}", "--set",
                               "dmc.feedback=20"], cwd=self.folder, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("dmc/feedback", done.stderr)

    @unittest.skipUnless(MPIEXEC, "no mpiexec")
    def test_processes_share_the_population(self):
        content = DMC.replace("[1.0, 0.5]", "[0.5]") + "  drift_limit: 0.5\n"
        _, result = self.run_input(content, "--set", "dmc.walkers=40", "--set", "dmc.steps=60",
                                   prefix=(MPIEXEC, "-np", "3"), environment=LAUNCH)
        results = result["results"]
        self.assertLess(abs(results["time_steps"][0]["population"]["mean"] - 40), 10)
        self.assertLess(abs(results["energy_Ha"] + 1.1101), 5 * results["error_Ha"] + 2e-3)


class Optimise(Runs):
    def test_the_variance_falls_and_the_factor_can_be_used(self):
        folder, result = self.run_input(FREE)
        results = result["results"]
        self.assertEqual(sorted(results["files"]), sorted(p.name for p in folder.iterdir() if p.name != "result.json"))
        cycles = results["cycles"]
        self.assertEqual(len(cycles), 3)
        self.assertGreater(cycles[0]["variance_Ha2"], 0.3)
        self.assertLess(results["variance"], 0.02)
        self.assertLess(results["energy_Ha"], -1.05)
        self.assertLess(cycles[0]["step"]["after"], 0.2 * cycles[0]["step"]["before"])
        self.assertEqual(len(results["parameters"]), 13)
        system = FREE.split("jastrow:")[0].replace("method: optimise", "method: vmc")
        rest = "vmc:\n  walkers: 4\n  equilibration: 150\n  steps: 20\n"
        _, from_casino = self.run_input(f"{system}jastrow:\n  file: {folder / 'correlation.data'}\n{rest}")
        _, from_yaml = self.run_input(system + (folder / "jastrow.yaml").read_text() + rest)
        self.assertEqual(from_casino["results"]["energy_Ha"], from_yaml["results"]["energy_Ha"])
        self.assertLess(from_yaml["results"]["variance"], 0.2)

    def test_energy_and_deviation_are_targets_too(self):
        for target in ("energy", "mad"):
            _, result = self.run_input(FREE, "--set", f"optimise.target={target}")
            cycles = result["results"]["cycles"]
            with self.subTest(target):
                self.assertLess(cycles[0]["step"]["after"], cycles[0]["step"]["before"])
                self.assertLess(result["results"]["energy_Ha"], cycles[0]["energy_Ha"] - 0.5)

    @unittest.skipUnless(MPIEXEC, "no mpiexec")
    def test_any_number_of_processes_finds_the_same(self):
        content = FREE.replace("cycles: 2", "cycles: 1").replace("configurations: 600", "configurations: 100")
        _, one = self.run_input(content)
        _, two = self.run_input(content, prefix=(MPIEXEC, "-np", "2"), environment=LAUNCH)
        self.assertEqual(one["results"]["parameters"], two["results"]["parameters"])
        self.assertEqual(one["results"]["cycles"], two["results"]["cycles"])
