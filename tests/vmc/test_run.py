# SPDX-License-Identifier: BSD-3-Clause
"""The vmc app as its users meet it."""
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from suite_program import Case, INPUTS, PROGRAM, UPDATE, backends, suite  # noqa: E402

MPIEXEC = os.environ.get("SUITE_MPIEXEC", "")
LAUNCH = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
          "OMP_NUM_THREADS": "1"}

# 14 electrons with the parameters of heg14.yaml; blocks of 10 steps.
SMALL = (INPUTS / "heg14.yaml").read_text().split("vmc:\n  walkers")[0] + """vmc:
  walkers: 4
  equilibration: 200
  steps: 40
  reinvert: 30
output:
  density: true
  interval: 2
"""

# Of a run, what depends on the clock or on where it went on from.
OF_THE_CLOCK = ("equilibration_s", "sampling_s", "moves_per_s", "restarted_at_step")


def physics(result):
    return {key: value for key, value in result["results"].items() if key not in OF_THE_CLOCK}


def table(path):
    """Columns of a CSV file by their names."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    names = lines[0].split(",")
    rows = [[float(x) for x in line.split(",")] for line in lines[1:]]
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


class BadInputs(Case):
    def test_each(self):
        files = sorted((HERE / "bad").glob("*.yaml"))
        self.assertGreaterEqual(len(files), 35)
        for file in files:
            with self.subTest(file.name):
                done = suite("check", file.name, folder=file.parent)
                expected = file.with_suffix(".txt")
                if UPDATE:
                    expected.write_text(self.plain(done.stderr))
                self.assertEqual(self.plain(done.stderr), expected.read_text())
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, "")

    def test_a_written_input_is_understood(self):
        self.assertEqual(suite("init", "vmc", "new.yaml", folder=self.folder).returncode, 0)
        text = (self.folder / "new.yaml").read_text().replace("# rs:", "rs: 5 bohr").replace("# electrons:", "electrons: 14")
        self.write("new.yaml", text)
        done = suite("check", "new.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("14 electrons (7 up, 7 down)", done.stdout)

    def test_the_inputs_of_the_suite_are_right(self):
        for file in sorted(INPUTS.glob("heg*.yaml")):
            with self.subTest(file.name):
                self.assertEqual(suite("check", file).returncode, 0)


class Runs(Case):
    def run_input(self, content, *arguments, name="in.yaml", prefix=(), environment=None):
        """The folder of a finished run and its result."""
        self.write(name, content)
        folder = self.folder / f"out{len(list(self.folder.glob('out*')))}"
        done = suite("run", name, "--output", folder, *arguments, folder=self.folder, prefix=prefix, environment=environment, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder, json.loads((folder / "result.json").read_text())


class Results(Runs):
    def test_are_complete(self):
        folder, result = self.run_input(SMALL)
        results = result["results"]
        self.assertEqual(result["status"], "ok")
        self.assertEqual(sorted(results["files"]), sorted(p.name for p in folder.iterdir() if p.name != "result.json"))
        self.assertEqual(results["steps"], 40)
        self.assertEqual(results["reblocking"]["samples"], 160)
        self.assertAlmostEqual(results["energy_per_electron_Ha"], results["energy_Ha"] / 14, 14)
        parts = results["components"]
        self.assertEqual(set(parts), {"KEI", "TI", "FISQ", "ewald"})
        self.assertAlmostEqual(results["energy_Ha"], parts["KEI"]["mean_Ha"] + parts["ewald"]["mean_Ha"], 10)
        self.assertAlmostEqual(parts["KEI"]["mean_Ha"], 2 * parts["TI"]["mean_Ha"] - parts["FISQ"]["mean_Ha"], 10)
        self.assertLess(abs(results["acceptance"] - 0.5), 0.1)
        self.assertLess(results["inverse_deviation"], 1e-8)
        self.assertAlmostEqual(results["hartree_fock_Ha"], -0.812548703, 7)
        kernels = {k["kernel"]: k for k in result["kernels"]}
        self.assertEqual(kernels["qmc.sweep"]["verification"]["status"], "verified")
        for name in ("energy.svg", "pairs.svg", "density.svg"):
            self.assertTrue((folder / name).read_text().startswith("<svg"))
        trace = table(folder / "energy.csv")
        self.assertEqual(trace["steps"], [10, 20, 30, 40])
        self.assertAlmostEqual(trace["mean"][-1], results["energy_Ha"], 8)

    def test_the_energy_is_that_of_an_independent_program(self):
        _, result = self.run_input(SMALL, "--set", "vmc.walkers=16", "--set", "vmc.steps=200", "--set", "output.density=false")
        results = result["results"]
        error = math.hypot(results["error_Ha"], 0.000314)
        self.assertLess(results["error_Ha"], 3e-3)
        self.assertLess(abs(results["energy_Ha"] + 1.098920), 4 * error)
        self.assertLess(abs(results["variance"] - 0.005030), 0.001)
        kinetic = results["components"]["KEI"]
        self.assertLess(abs(kinetic["mean_Ha"] - 0.76406), 4 * math.hypot(kinetic["error_Ha"], 0.00092))

    def test_the_laws_of_the_determinants_hold(self):
        _, result = self.run_input("app: vmc\nsystem: {rs: 5 bohr, electrons: 14}\njastrow: {type: slater}\n"
                                   "vmc: {walkers: 8, steps: 256}\noutput: {density: true}\n")
        laws = {law["name"]: law for law in result["consistency"]}
        for name in ("kinetic energy of the determinants, exact", "kinetic energy of the determinants has no variance",
                     "Coulomb energy is independent of the Ewald splitting", "energy is the sum of its parts", "VMC moves refused"):
            self.assertEqual(laws[name]["verdict"], "holds", laws[name])
        self.assertEqual({law["verdict"] for law in result["consistency"]}, {"holds"})
        seen = {o["name"]: o for o in result["observables"]}
        self.assertEqual(seen["energy"]["errors"], [result["results"]["error_Ha"]])
        self.assertNotIn("variance", seen)  # without a cusp condition it has no error
        _, result = self.run_input(SMALL, "--set", "vmc.steps=200")
        seen = {o["name"]: o for o in result["observables"]}
        self.assertEqual(seen["variance"]["values"], [result["results"]["variance"]])
        # of 800 energies, if they were normal and independent: sqrt(2/800)
        self.assertLess(abs(math.log(seen["variance"]["errors"][0] / result["results"]["variance"] / 0.05)), 1.5)

    def test_pairs_and_density_are_normalised(self):
        folder, _ = self.run_input(SMALL)
        density = table(folder / "density.csv")
        volume = 4 * math.pi / 3 * 125 * 14
        for axis in ("a1", "a2", "a3"):
            self.assertAlmostEqual(sum(density[axis]) / len(density[axis]), 14 / volume, 9)
        pairs = table(folder / "pair_correlation.csv")
        # Electrons of one spin keep off each other more than those of different spins.
        near = [i for i, r in enumerate(pairs["r_bohr"]) if r < 4]
        self.assertLess(sum(pairs["uu"][i] for i in near), sum(pairs["ud"][i] for i in near))
        width = pairs["r_bohr"][1] - pairs["r_bohr"][0]
        inside = sum(4 * math.pi * (r * r + width * width / 12) * width * g for r, g in zip(pairs["r_bohr"], pairs["total"]))
        self.assertLess(inside / volume * 14, 13)  # neighbours of an electron within the inscribed sphere
        waves = table(folder / "structure_factor.csv")
        self.assertTrue(all(s > 0 for s in waves["total"]))
        self.assertLess(waves["total"][0], 0.5)  # long waves are screened
        self.assertLess(max(abs(t - (u + 2 * x + d)) for t, u, x, d in
                            zip(waves["total"], waves["uu"], waves["ud"], waves["dd"])), 1e-6)

    def test_polarised_gas_and_b_splines(self):
        _, result = self.run_input("app: vmc\nsystem: {rs: 2 bohr, electrons: 7, polarisation: 1}\njastrow: {form: bspline, order: 5, stars: 0}\n"
                                   "vmc: {walkers: 4, steps: 60, equilibration: 150}\n")
        results = result["results"]
        self.assertLess(results["energy_Ha"], results["hartree_fock_Ha"] + 5 * results["error_Ha"])

    def test_drift_and_diffusion_sample_the_same_distribution(self):
        _, result = self.run_input(SMALL, "--set", "vmc.move=langevin", "--set", "vmc.walkers=16", "--set", "vmc.steps=100", "--set",
                                   "output.density=false")
        results = result["results"]
        self.assertLess(abs(results["energy_Ha"] + 1.098920), 4 * math.hypot(results["error_Ha"], 0.000314))

    def test_reference_and_cpu_walk_the_same_walk(self):
        _, cpu = self.run_input(SMALL, "--set", "vmc.steps=10")
        _, reference = self.run_input(SMALL, "--set", "vmc.steps=10", "--implementation", "reference")
        self.assertLess(abs(cpu["results"]["energy_Ha"] - reference["results"]["energy_Ha"]), 1e-8)
        self.assertEqual(cpu["results"]["acceptance"], reference["results"]["acceptance"])


class Devices(Runs):
    """The same walk on every backend: what crosses between host and device is the app's."""

    FEW = ("--set", "vmc.walkers=2", "--set", "vmc.equilibration=100", "--set", "vmc.steps=6", "--set", "vmc.reinvert=9")

    def test_every_backend_walks_with_the_processor(self):
        cpu, expected = self.run_input(SMALL, *self.FEW, "--implementation", "cpu")
        for backend in backends("qmc.sweep"):
            folder, result = self.run_input(SMALL, *self.FEW, "--backend", backend)
            self.assertTrue(all(k["implementation"] == backend for k in result["kernels"]), (backend, result["kernels"]))
            self.assertEqual(result["results"]["acceptance"], expected["results"]["acceptance"])
            self.assertLess(abs(result["results"]["energy_Ha"] - expected["results"]["energy_Ha"]), 1e-8)
            for name in ("pair_correlation.csv", "density.csv"):
                self.assertEqual((folder / name).read_text(), (cpu / name).read_text(), (backend, name))

    def test_a_checkpoint_moves_between_backends(self):
        _, whole = self.run_input(SMALL, *self.FEW)
        begin, _ = self.run_input(SMALL, *self.FEW, "--set", "vmc.steps=3")
        for backend in backends("qmc.sweep"):
            _, rest = self.run_input(SMALL, *self.FEW, "--set", f"restart.file={begin / 'checkpoint.h5'}", "--backend", backend)
            self.assertEqual(rest["results"]["restarted_at_step"], 3)
            self.assertLess(abs(rest["results"]["energy_Ha"] - whole["results"]["energy_Ha"]), 1e-8)


class Restart(Runs):
    def same(self, first, second):
        self.assertEqual(physics(first[1]), physics(second[1]))
        for name in ("energy.csv", "pair_correlation.csv", "structure_factor.csv", "density.csv"):
            self.assertEqual((first[0] / name).read_text(), (second[0] / name).read_text(), name)

    def test_a_longer_run_goes_on_to_the_last_bit(self):
        whole = self.run_input(SMALL)
        for steps in (20, 25):  # at a block's end, and within one, which is then made again
            begin, _ = self.run_input(SMALL, "--set", f"vmc.steps={steps}")
            rest = self.run_input(SMALL, "--set", f"restart.file={begin / 'checkpoint.h5'}")
            self.assertEqual(rest[1]["results"]["restarted_at_step"], 20)
            self.same(whole, rest)

    def test_other_settings_are_refused_by_name(self):
        folder, _ = self.run_input(SMALL, "--set", "vmc.steps=10")
        done = suite("run", "in.yaml", "--set", f"restart.file={folder / 'checkpoint.h5'}", "--set", "vmc.decorrelation=4",
                     folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("has other settings: vmc.decorrelation is 3 there and 4 here", done.stderr)

    def test_interrupted_runs_say_how_to_go_on(self):
        whole = self.run_input(SMALL)
        self.write("in.yaml", SMALL)
        folder = self.folder / "stopped"
        process = subprocess.Popen([PROGRAM, "run", "in.yaml", "--output", folder, "--set", "vmc.steps=1000000"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("to continue: --set restart.file=", said)
        stopped = json.loads((folder / "result.json").read_text())
        self.assertEqual(stopped["status"], "interrupted")
        steps = stopped["results"]["steps"]
        self.assertEqual(steps % 10, 0)
        self.assertGreater(steps, 0)
        self.assertEqual(table(folder / "energy.csv")["block"][:4], table(whole[0] / "energy.csv")["block"][:steps // 10])


@unittest.skipUnless(MPIEXEC, "no mpiexec")
class Ranks(Runs):
    def test_any_number_of_ranks_has_the_same_result(self):
        alone = self.run_input(SMALL)
        for ranks in (2, 4):
            folder, result = self.run_input(SMALL, prefix=(MPIEXEC, "-n", str(ranks)), environment=LAUNCH)
            self.assertEqual(physics(result), physics(alone[1]))
            for name in ("energy.csv", "pair_correlation.csv", "structure_factor.csv", "density.csv"):
                self.assertEqual((folder / name).read_text(), (alone[0] / name).read_text(), name)

    def test_more_ranks_than_walkers_are_refused(self):
        self.write("in.yaml", SMALL)
        done = suite("run", "in.yaml", "--set", "vmc.walkers=2", folder=self.folder, prefix=(MPIEXEC, "-n", "3"), environment=LAUNCH)
        self.assertIn("2 walkers on 3 processes; each needs at least one", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_a_checkpoint_of_one_process_goes_on_on_two(self):
        whole = self.run_input(SMALL)
        begin, _ = self.run_input(SMALL, "--set", "vmc.steps=20")
        _, rest = self.run_input(SMALL, "--set", f"restart.file={begin / 'checkpoint.h5'}", prefix=(MPIEXEC, "-n", "2"),
                                 environment=LAUNCH)
        self.assertEqual(physics(rest), physics(whole[1]))


if __name__ == "__main__":
    unittest.main()
