# SPDX-License-Identifier: BSD-3-Clause
"""Diffusion Monte Carlo and optimisation as their users meet them."""
import json
import math
import re
import signal
import subprocess
import time
import unittest

from test_run import LAUNCH, MPIEXEC, OF_THE_CLOCK, Runs, backends, table
from suite_program import INPUTS, PROGRAM, suite

HERE = [i["implementation"] for i in json.loads(suite("list", "qmc.sweep", "--json").stdout)["implementations"]]
FAST = "cpu" if "cpu" in HERE else "reference"
GAS = (INPUTS / "heg14.yaml").read_text().split("vmc:\n  walkers")[0].replace("app: vmc", f"kernel:\n  implementation: {FAST}\napp: vmc")
DMC = GAS.replace("app: vmc", "app: vmc\nmethod: dmc") + """vmc:
  equilibration: 150
  reinvert: 20
dmc:
  time_steps: [1.0, 0.5 hbar/Ha]
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
        self.assertEqual(results["vmc"]["reblocking"]["samples"], 12 * 100)
        self.assertEqual({law["verdict"] for law in result["consistency"]}, {"holds"}, result["consistency"])
        self.assertEqual(next(o for o in result["observables"] if o["name"] == "DMC energy")["errors"],
                         [run["error_Ha"] for run in results["time_steps"]])
        steps = table(folder / "steps.csv")
        self.assertEqual(len(steps["step"]), 2 * 55)
        weights = steps["weight"][70:], steps["energy"][70:]
        mean = sum(w * e for w, e in zip(*weights)) / sum(weights[0])
        self.assertAlmostEqual(mean, results["energy_Ha"], 8)

    def test_the_energy_is_that_of_an_independent_program(self):
        _, result = self.run_input(DMC, "--set", "dmc.time_steps=[0.5 hbar/Ha]", "--set", "dmc.walkers=40", "--set", "dmc.steps=120",
                                   "--set", "dmc.equilibration=40")
        results = result["results"]
        # VMC: -1.098920(314), variance 0.005030
        vmc = results["vmc"]
        self.assertLess(vmc["error_Ha"], 3e-3)
        self.assertLess(abs(vmc["energy_Ha"] + 1.098920), 4 * math.hypot(vmc["error_Ha"], 0.000314))
        self.assertLess(abs(vmc["variance"] - 0.005030), 5 * vmc["variance_error"] + 1e-4)
        self.assertLess(results["energy_Ha"], vmc["energy_Ha"])
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
        one = DMC.replace("[1.0, 0.5 hbar/Ha]", "[0.5 hbar/Ha]")
        _, whole = self.run_input(one)
        folder, _ = self.run_input(one, "--set", "dmc.steps=23", name="short.yaml")
        _, longer = self.run_input(one, "--set", f"restart.file={folder / 'checkpoint.h5'}")
        self.assertGreater(longer["results"]["restarted_at_step"], 0)
        self.assertEqual(physics(longer), physics(whole))

    def test_a_time_step_that_is_too_long_is_a_warning(self):
        self.write("in.yaml", DMC)
        done = suite("run", "in.yaml", "--output", "out", "--set", "dmc.time_steps=[8.0 hbar/Ha]", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertIn("DMC moves refused, time step 8", [law["name"] for law in result["consistency"] if law["verdict"] == "broken"])
        self.assertIn("the time step is too long", done.stderr)

    def test_keys_that_do_nothing_are_told(self):
        self.write("in.yaml", DMC)
        done = suite("run", "in.yaml", "--output", "out", "--set", "vmc.walkers=7", "--set", "output.density=true", "--set", "dmc.steps=3",
                     folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        for key in ("vmc.walkers", "output.density"):
            self.assertIn(f"'{key}' has no effect with this method", done.stderr)

    def test_other_settings_are_refused(self):
        folder, _ = self.run_input(DMC, "--set", "dmc.steps=5")
        self.write("other.yaml", DMC)
        done = subprocess.run([PROGRAM, "run", "other.yaml", "--set", f"restart.file={folder / 'checkpoint.h5'}", "--set",
                               "dmc.feedback=20"], cwd=self.folder, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("dmc.feedback", done.stderr)

    @unittest.skipUnless(MPIEXEC, "no mpiexec")
    def test_processes_share_the_population(self):
        content = DMC.replace("[1.0, 0.5 hbar/Ha]", "[0.5 hbar/Ha]") + "  drift_limit: 0.5\n"
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


class Casino(Runs):
    """The electron gas of CASINO's input and the factor of its correlation.data."""

    INPUT = """# an electron gas
runtype         : vmc           #*! Type of calculation (Text)
atom_basis_type : none
neu             : 0
ned             : 0
use_jastrow     : T
%block free_particles
r_s 5.0
dimensionality 3
cell_geometry
2.0 0.0 0.0
0.0 2.0 0.0
0.0 0.0 2.0
particle 1 det 1 : 7 orbitals free
particle 2 det 1 : 7 orbitals free
%endblock free_particles
"""
    REST = f"kernel:\n  implementation: {FAST}\nvmc:\n  walkers: 3\n  equilibration: 120\n  steps: 5\n"

    def factor(self, term="U TERM"):
        values = re.findall(r"\[(.*)\]", GAS)
        rows = [f"  {x.strip()}   1\n" for row in values[:2] for x in row.split(",")]
        return (" START JASTROW\n Title\n gas\n Truncation order C\n   3\n START " + term + "\n Number of sets\n   1\n START SET 1\n"
                " Spherical harmonic l,m\n   0 0\n Expansion order N_u\n   6\n Spin dep (0->uu=dd=ud; 1->uu=dd/=ud; 2->uu/=dd/=ud)\n   1\n"
                " Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)\n   0.0   0\n Parameter values  ;  Optimizable (0=NO; 1=YES)\n"
                + "".join(rows) + " END SET 1\n END U TERM\n END JASTROW\n")

    def test_both_say_what_an_input_says(self):
        self.write("input", self.INPUT)
        self.write("correlation.data", self.factor())
        _, theirs = self.run_input("app: vmc\nsystem:\n  casino_input: input\njastrow:\n  file: correlation.data\n" + self.REST)
        jastrow = GAS[GAS.index("jastrow:"):].split("  p:")[0]
        _, ours = self.run_input("app: vmc\nsystem: {rs: 5 bohr, lattice: sc, electrons: 14}\n" + jastrow + self.REST)
        del theirs["results"]["casino_input"]
        self.assertEqual(physics(theirs), physics(ours))

    def casino(self, lines):
        """The input with other lines for these keywords, or with them added."""
        text = self.INPUT
        for keyword, value in lines.items():
            text, found = re.subn(rf"(?m)^{keyword} .*$", f"{keyword} : {value}", text)
            text += "" if found else f"{keyword} : {value}\n"
        return text

    def test_every_keyword_acts_as_the_key_that_it_stands_for(self):
        factor = GAS[GAS.index("jastrow:"):].split("vmc:")[0]
        system = "system: {rs: 5 bohr, lattice: sc, electrons: 14}\n"
        begin = f"kernel:\n  implementation: {FAST}\napp: vmc\n"
        for lines, rest, ours in (
                ({"use_jastrow": "F"}, "vmc: {walkers: 3, equilibration: 120, steps: 5}\n", "jastrow: {type: slater}\n"),
                ({"vmc_nstep": 11, "vmc_equil_nstep": 130, "vmc_decorr_period": 2}, factor + "vmc: {walkers: 3}\n",
                 "vmc: {walkers: 3, equilibration: 130, decorrelation: 2, steps: 4}\n"),
                ({"dtvmc": "3.0", "opt_dtvmc": 0, "vmc_equil_nstep": 20}, factor + "vmc: {walkers: 3, steps: 4}\n",
                 "vmc: {walkers: 3, steps: 4, equilibration: 20, time_step: 3 hbar/Ha}\n"),
                ({"runtype": "vmc_dmc", "vmc_equil_nstep": 120, "vmc_nstep": 18, "dtdmc": "0.5", "dmc_target_weight": "6.0",
                  "dmc_equil_nstep": 3, "dmc_stats_nstep": 6, "alimit": 0.6, "alphalimit": 0.3, "limdmc": 4}, factor,
                 "method: dmc\nvmc: {equilibration: 120, steps: 3}\n"
                 "dmc: {time_steps: [0.5 hbar/Ha], walkers: 6, equilibration: 3, steps: 6, drift_limit: 0.6, energy_limit: 0.3}\n"),
                ({"runtype": "vmc_opt", "vmc_equil_nstep": 120, "opt_method": "madmin", "opt_cycles": 1, "vmc_nconfig_write": 90},
                 factor + "vmc: {walkers: 15}\n",
                 "method: optimise\nvmc: {walkers: 15, equilibration: 120}\n"
                 "optimise: {target: mad, cycles: 1, configurations: 90}\n")):
            with self.subTest(list(lines)):
                self.write("input", self.casino(lines))
                _, theirs = self.run_input(begin + "system: {casino_input: input}\n" + rest)
                report = theirs["results"].pop("casino_input")
                self.assertEqual(set(report["used"]) | {"limdmc"}, set(lines) | {"runtype", "use_jastrow", "limdmc"})
                self.assertEqual((report["overridden"], report["unused"], report["ignored"]), ({}, [], []))
                _, same = self.run_input(begin + system + ours + (rest if "slater" in ours else "" if "jastrow" in ours else factor))
                theirs, same = physics(theirs), physics(same)
                # 3 hbar/Ha passes through femtoseconds, which costs its last bit.
                self.assertLess(abs(theirs["energy_Ha"] - same["energy_Ha"]), 1e-9 if "opt_dtvmc" in lines else 1e-15)
                self.assertLess(abs(theirs["acceptance"] - same["acceptance"]), 1e-15)
                for key in ("steps", "walkers", "time_steps", "cycles"):
                    self.assertEqual(theirs.get(key), same.get(key))

    def test_dtvmc_alone_is_where_tuning_starts(self):
        self.write("input", self.casino({"dtvmc": "3.0"}))
        factor = GAS[GAS.index("jastrow:"):].split("vmc:")[0]
        self.write("in.yaml", "app: vmc\nsystem: {casino_input: input}\n" + factor)
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertIn("time step tuned, starting at 3 hbar/Ha", done.stdout)

    def test_what_does_nothing_is_listed(self):
        self.write("input", self.casino({"vmc_nstep": 500, "dtdmc": 0.1, "vmc_nblock": 10, "random_seed": "timer"}))
        factor = GAS[GAS.index("jastrow:"):].split("vmc:")[0]
        self.write("in.yaml", f"kernel:\n  implementation: {FAST}\napp: vmc\nsystem: {{casino_input: input}}\n{factor}"
                   "vmc: {walkers: 3, equilibration: 120, steps: 5}\n")
        done = suite("run", "in.yaml", "--output", "out", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in (done.stdout, suite("check", "in.yaml", folder=self.folder).stdout):
            self.assertIn("overridden by this input: vmc_nstep ('vmc.steps')", text)
            self.assertIn("for other kinds of run: dtdmc", text)
            self.assertIn("ignored: vmc_nblock, random_seed", text)
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertEqual(result["results"]["casino_input"]["ignored"], ["vmc_nblock", "random_seed"])
        told = " ".join(result["warnings"])
        self.assertIn("vmc_nstep of input does nothing: 'vmc.steps' of this input goes before it", told.replace(str(self.folder) + "/", ""))
        self.assertIn("that are ignored: vmc_nblock, random_seed", told)

    def test_a_factor_stands_beside_the_input(self):
        self.write("input", self.INPUT)
        self.write("in.yaml", "app: vmc\nsystem: {casino_input: input}\n" + self.REST)
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("use_jastrow is T, but there is no", done.stderr)
        self.write("correlation.data", self.factor())
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("polynomial with 2 x 7 coefficients up to 9.7128 bohr", done.stdout)

    def test_an_optimisation_keeps_what_is_marked_as_fixed(self):
        lines = self.factor().splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("  7.179"))
        lines[first] = lines[first].replace("   1", "   0")
        self.write("correlation.data", "\n".join(lines) + "\n")
        folder, result = self.run_input(f"kernel:\n  implementation: {FAST}\napp: vmc\nmethod: optimise\n"
                                        "system: {rs: 5 bohr, lattice: sc, electrons: 14}\njastrow: {file: correlation.data}\n"
                                        "vmc: {walkers: 15, equilibration: 120}\noptimise: {cycles: 1, configurations: 90}\n")
        found = result["results"]["parameters"]
        self.assertEqual(found["alpha_0 parallel"], 7.1794688914e-04)
        self.assertNotEqual(found["alpha_2 parallel"], -4.9631999652e-05)
        written = (folder / "correlation.data").read_text()
        row = next(line for line in written.splitlines() if "alpha_0,1" in line).split()
        self.assertEqual((float(row[0]), row[1]), (7.1794688914e-04, "0"))

    def test_no_mistake_hides_another(self):
        self.write("input", self.casino({"runtype": "dmc_dmc", "dtdmc": -1}))
        self.write("correlation.data", self.factor("Q TERM"))
        self.write("in.yaml", "app: vmc\nsystem:\n  casino_input: input\n  rs: 5 bohr\njastrow:\n  file: correlation.data\n  stars: 3\n"
                   "vmc:\n  equilibration: 20\n")
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        for message in ("in.yaml:4:7: error: 'casino_input' already specifies this", "in.yaml:7:10: error: 'file' already specifies this",
                        "in.yaml:9:18: error: 'equilibration' is 20 sweeps", "input:2:11: error: runtype dmc_dmc is not supported",
                        ": error: dtdmc must be above 0", "correlation.data:6:2: error: term Q TERM is not supported"):
            self.assertIn(message, done.stderr)
        self.assertIn("6 errors", done.stderr)

    def test_what_is_not_supported_has_its_name_and_place(self):
        self.write("input", self.INPUT.replace("0.0 0.0 2.0\n", "0.0 0.0 2.0\nk_offset 0.25 0.25 0.25\n"))
        self.write("correlation.data", self.factor("F TERM"))
        for content, message in (("system: {casino_input: input}\n", "input:14:10: error: twisted boundary conditions are not supported; k_offset must be 0 0 0"),
                                 ("system: {rs: 5 bohr, electrons: 14}\njastrow: {file: correlation.data}\n",
                                  "correlation.data:6:2: error: term F TERM is not supported")):
            self.write("in.yaml", "app: vmc\n" + content)
            done = suite("check", "in.yaml", folder=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)


class Devices(Runs):
    """Populations and derivatives on every backend: what crosses between host and device is the app's."""

    def test_every_backend_has_the_same_population(self):
        few = ("--set", "dmc.time_steps=[1.0 hbar/Ha]", "--set", "dmc.walkers=5", "--set", "dmc.equilibration=0", "--set", "dmc.steps=25", "--set",
               "vmc.equilibration=100", "--set", "dmc.feedback=3")
        folder, expected = self.run_input(DMC, *few)
        steps = table(folder / "steps.csv")
        self.assertGreater(len(set(steps["population"])), 1)
        for backend in backends("qmc.sweep"):
            there, result = self.run_input(DMC.replace(f"kernel:\n  implementation: {FAST}\n", ""), *few, "--backend", backend)
            found = table(there / "steps.csv")
            self.assertEqual(found["population"], steps["population"], backend)
            self.assertLess(max(abs(a - b) for a, b in zip(found["energy"], steps["energy"])), 1e-6, backend)

    def test_every_backend_finds_the_same_factor(self):
        few = ("--set", "vmc.walkers=5", "--set", "vmc.equilibration=100", "--set", "optimise.cycles=1", "--set", "optimise.configurations=100")
        _, expected = self.run_input(FREE, *few)
        for backend in backends("qmc.sweep"):
            _, result = self.run_input(FREE.replace(f"kernel:\n  implementation: {FAST}\n", ""), *few, "--backend", backend)
            for one, other in zip(result["results"]["cycles"], expected["results"]["cycles"]):
                self.assertLess(abs(one["energy_Ha"] - other["energy_Ha"]), 1e-4, backend)
