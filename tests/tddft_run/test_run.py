# SPDX-License-Identifier: BSD-3-Clause
"""The tddft app as its users meet it."""
import collections
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from small_inputs import SMALL_TDDFT as CRYSTAL  # noqa: E402
from suite_program import Case, INPUTS, PROGRAM, UPDATE, backends, suite  # noqa: E402

MPIEXEC = os.environ.get("SUITE_MPIEXEC", "")
LAUNCH = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
          "OMP_NUM_THREADS": "1"}

# A molecule on a grid too coarse for physics, with everything on: nonlocal potential, Hartree field, LDA.
SMALL = """app: tddft
title: a small run
system:
  unit: bohr
  cell: [14, 14, 18]
  grid: [14, 14, 18]
  kinetic: differences
  elements: [Na, Na]
  positions: [[0, 0, 2.9], [0, 0, -2.9]]
propagation:
  time_step: 5 as
  duration: 300 as
  settling: 50 as
  interval: 10
excitation:
  strength: 0.01 bohr^-1
  direction: [0, 1, 2]
spectrum:
  max_energy: 10 eV
"""

# The same with functionals that the kernels do not have: of the gradient, and of two spins.
PBE = ("--set", "system.functional=pbe")
# The built-in pseudopotential of sodium with the density of a core.
CORE = """Na GTH-NLCC-PADE-q1
 1
 0.88550938 1 -1.23886713
 NLCC 1
 0.9 1 0.8
 2
 0.66110390 2 1.84727135 -0.22540903 0.58200362
 0.85711928 1 0.47113258
"""
UNPAIRED = SMALL.replace("[Na, Na]", "[Na, H, H]\n  spin: 1").replace("-2.9]]", "-2.9], [0, 1.5, -1]]")


# A hydrogen molecule askew, with a functional of the gradient on a grid as fine as molecules need.
SHORT_WAVES = """app: tddft
system:
  unit: bohr
  cell: [5.6, 5.6, 6.4]
  grid: [14, 14, 16]
  elements: [H, H]
  positions: [[0.1, 0.2, 0.75], [0.1, -0.1, -0.7]]
  functional: pbe
ground_state:
  density_tolerance: 1e-6
propagation:
  duration: 0.2 fs
  settling: 0.05 fs
  interval: 5
excitation:
  type: none
"""
# Silyl, with a functional of the gradient, in a cell with so few electrons at its faces that steps of 0.64 as let short waves grow.
FEW_ELECTRONS = SHORT_WAVES.replace("[5.6, 5.6, 6.4]", "[11.25, 11.25, 11.25]").replace("[14, 14, 16]", "[30, 30, 30]").replace(
    "[H, H]", "[Si, H, H, H]\n  spin: 1").replace("[[0.1, 0.2, 0.75], [0.1, -0.1, -0.7]]", "[[0.1, 0.05, -0.2], [2.65, 0.1, 0.65], "
    "[-1.35, 2.3, 0.55], [-1.3, -2.3, 0.6]]").replace("tolerance: 1e-6", "tolerance: 1e-4\n  residual_tolerance: 1e-3 Ha").replace(
    "0.2 fs", "0.06 fs").replace("0.05 fs", "0.02 fs")


def libxc():
    return bool(json.loads(os.environ.get("SUITE_LIBXC", "1")))


# A cube with a nonlocal potential and k points that have a partner -k: cesium chloride's lattice. theta = 0.05.
CUBE = """app: tddft
system:
  boundary: periodic
  unit: bohr
  cell: [10.5, 10.5, 10.5]
  grid: [16, 16, 16]
  kinetic: differences
  filter: false   # whose projectors reach beyond half the cell
  elements: [Na, H]
  positions: [[0, 0, 0], [5.25, 5.25, 5.25]]
  kpoints: [2, 2, 2]
propagation:
  time_step: 1.04 as
  duration: 40 as
  settling: 0.3 fs
"""


def columns(path):
    return [[float(x) for x in line.split()] for line in path.read_text().splitlines() if not line.startswith("#")]


def distance(a, b):
    """The largest difference of two tables."""
    if len(a) != len(b) or any(len(x) != len(y) for x, y in zip(a, b)):
        return math.inf
    return max(abs(x - y) for row, other in zip(a, b) for x, y in zip(row, other))


def slope(rows, skip=1):
    """Of the second column over the first: the line with weights sin^2, which see little of what only swings."""
    rows = rows[skip:]
    weights = [math.sin(math.pi * (i + 0.5) / len(rows)) ** 2 for i in range(len(rows))]
    mean = [sum(w * row[c] for w, row in zip(weights, rows)) / sum(weights) for c in (0, 1)]
    centred = [(w, row[0] - mean[0], row[1] - mean[1]) for w, row in zip(weights, rows)]
    return sum(w * t * e for w, t, e in centred) / sum(w * t * t for w, t, _ in centred)


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


class Runs(Case):
    def run_input(self, content, *arguments, name="in.yaml", prefix=(), environment=None):
        """The folder of a finished run and its result."""
        self.write(name, content)
        folder = self.folder / f"out{len(list(self.folder.glob('out*')))}"
        done = suite("run", name, "--output", folder, *arguments, folder=self.folder, prefix=prefix, environment=environment, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder, json.loads((folder / "result.json").read_text())


    def assert_no_drift(self, folder, result, bound):
        rows = columns(folder / "energy.dat")
        self.assertLess(abs(slope(rows) - result["results"]["propagation"]["energy_slope_Ha_per_fs"]), 1e-3 * bound)
        self.assertLess(abs(slope(rows)), bound)


class Physics(Runs):
    def test_results_are_complete(self):
        folder, result = self.run_input(SMALL)
        results = result["results"]
        self.assertEqual(result["status"], "ok")
        self.assertEqual(len(results["ground_state"]["eigenvalues_Ha"]), 1)
        self.assertLess(results["ground_state"]["total_energy_Ha"], 0)
        self.assertEqual(results["dipole_file"], "dipole.dat")
        self.assertEqual(results["propagation"]["steps"], 60)
        self.assertEqual(sorted(results["files"]), sorted(p.name for p in folder.iterdir() if p.name != "result.json"))
        self.assertTrue(all(set(p) == {"energy_eV", "strength", "fitted"} for p in results["peaks"]))
        self.assertLess(abs(results["f_sum_of_grid"] - 2), 0.2)
        self.assertLess(results["propagation"]["electrons_drift"], 1e-10)
        for name in ("spectrum.svg", "dipole.svg", "density.svg"):
            self.assertTrue((folder / name).read_text().startswith("<svg"))
        rows = columns(folder / "dipole.dat")
        self.assertEqual(len(rows), 61)
        self.assertLess(abs(rows[-1][0] - 0.3), 1e-6)
        kernels = {k["kernel"]: k for k in result["kernels"]}
        self.assertEqual(kernels["lfd.propagate"]["verification"]["status"], "verified")

    @unittest.skipUnless(libxc(), "built without libxc")
    def test_unpaired_electrons(self):
        folder, result = self.run_input(UNPAIRED, *PBE)
        ground = result["results"]["ground_state"]
        self.assertLess(abs(ground["magnetisation"]["total"] - 1), 1e-9)
        self.assertGreaterEqual(ground["magnetisation"]["absolute"], 1 - 1e-9)
        self.assertEqual(ground["occupations"], [1, 1, 1, 0])
        self.assertEqual(len(ground["eigenvalues_Ha"]), 4)
        self.assertLess(result["results"]["propagation"]["electrons_drift"], 1e-10)
        energies = [row[1] for row in columns(folder / "energy.dat")]
        self.assertLess(max(energies) - min(energies), 1e-4)

    @unittest.skipUnless(libxc(), "built without libxc")
    def test_energies_of_the_propagation_are_those_of_the_ground_state(self):
        triplet = ("--set", "system.spin=2", "--set", "system.grid=[12, 12, 12]", "--set", "propagation.duration=4 as", *PBE)
        for content, settings in ((SMALL, PBE), (UNPAIRED, ()), (UNPAIRED, PBE), (CUBE, triplet)):
            folder, result = self.run_input(content, *settings, "--set", "excitation.type=none", "--set", "propagation.settling=0 fs")
            first = columns(folder / "energy.dat")[0]
            ground = result["results"]["ground_state"]
            self.assertLess(abs(first[1] - ground["total_energy_Ha"]), 1e-9)
            self.assertLess(abs(first[6] - ground["energies_Ha"]["xc"]), 1e-9)

    def test_a_cubic_crystal_answers_alike_along_every_axis(self):
        """The sum rule of the lattice is exact, and the cube has no axis of its own. k and -k are two points here: a kick
        tells them apart, and so does the splitting without any field."""
        self.assert_answers_alike()

    def test_a_cubic_crystal_answers_alike_with_plane_waves(self):
        results = self.assert_answers_alike("--set", "system.kinetic=fourier")
        self.assertEqual(results["propagation"]["steps"], 39)
        self.assertLess(results["propagation"]["electrons_drift"], 1e-11)

    def test_a_partly_filled_level_conducts(self):
        """Its persistent current stays in the spectrum, whatever the next level is; that of a full level is left out."""
        content = """app: tddft
system: {boundary: periodic, unit: bohr, cell: [8, 8, 8], grid: [10, 10, 10], filter: false, elements: [H], positions: [[0, 0, 0]]}
propagation: {duration: 0.4 fs, time_step: 4 as, settling: 0.1 fs}
"""
        for element, electrons, what in (("[H]", "[1]", "keep"), ("[He]", "[2]", "remove")):
            atom = ("--set", f"system.elements={element}", "--set", f"system.occupations={electrons}")
            spectra = {}
            for choice in ("auto", "keep", "remove"):
                folder, result = self.run_input(content, *atom, "--set", f"spectrum.persistent_current={choice}")
                spectra[choice] = (folder / "spectrum.dat").read_bytes()
            self.assertEqual(spectra["auto"], spectra[what])
            self.assertNotEqual(spectra["keep"], spectra["remove"])

    def assert_answers_alike(self, *arguments):
        folder, result = self.run_input(CUBE, "--set", "excitation.all_directions=true", *arguments)
        results = result["results"]
        kicked = {axis: [row[5 + i] for row in columns(folder / f"dipole_{axis}.dat")] for i, axis in enumerate("xyz")}
        largest = max(abs(j) for j in kicked["z"])
        self.assertGreater(largest, 0.015)
        for axis in "xyz":
            self.assertLessEqual(max(abs(a - b) for a, b in zip(kicked[axis], kicked["z"])), 1e-3 * largest, axis)
            f_sum = results["components"][axis]["f_sum"]
            self.assertLessEqual(abs(f_sum - results["f_sum_of_grid"]), 1e-3 * results["f_sum_of_grid"], axis)
        self.assertEqual(len(results["ground_state"]["eigenvalues_Ha"]), 4)
        return results

    def test_settled_electrons_of_a_crystal_stay_where_they_are(self):
        """A split step has a ground state of its own. theta = 0.05; a cell of two electrons."""
        currents, broken = [], []
        for settling in ("0 fs", "0.5 fs"):
            folder, result = self.run_input(CUBE, "--set", "excitation.type=none", "--set", f"propagation.settling={settling}", "--set",
                                            "propagation.duration=0.3 fs")
            currents.append(max(abs(j) for row in columns(folder / "dipole.dat") for j in row[5:]))
            broken.append(self.broken(result))
        self.assertLessEqual(currents[1], 0.2 * currents[0])
        self.assertLessEqual(currents[1], 6e-6)
        self.assertEqual(broken, [["current without a field"], []])

    def test_reference_and_cpu_give_the_same_dipoles(self):
        for content in (SMALL, CRYSTAL):
            cpu, _ = self.run_input(content)
            reference, _ = self.run_input(content, "--implementation", "reference")
            self.assertLessEqual(distance(columns(cpu / "dipole.dat"), columns(reference / "dipole.dat")), 1e-10)
            self.assertLessEqual(distance(columns(cpu / "energy.dat"), columns(reference / "energy.dat")), 1e-10)

    def test_only_the_ground_state(self):
        folder, result = self.run_input(SMALL, "--set", "propagation.duration=0 fs")
        self.assertNotIn("propagation", result["results"])
        self.assertFalse((folder / "dipole.dat").exists())

    def test_the_hartree_field_of_a_crystal_by_its_wave_equation(self):
        """Many steps of the damped wave equation settle at what the transform gives at once."""
        differences = ("--set", "system.kinetic=differences")
        closed, fused = (("--set", f"propagation.field={field}", "--set", "propagation.field_steps=400", "--set", "propagation.gamma=0.5")
                         for field in ("closed", "fused"))
        spectral, closed, fused = (self.run_input(CRYSTAL, *differences, *field)[0] for field in ((), closed, fused))
        self.assertLessEqual(distance(columns(closed / "dipole.dat"), columns(spectral / "dipole.dat")), 1e-7)
        self.assertLessEqual(distance(columns(closed / "dipole.dat"), columns(fused / "dipole.dat")), 1e-10)

    def test_electrons_of_a_well_follow_newton_under_pulses(self):
        """In a harmonic well the centre of the electrons moves as one of them without quantum mechanics would, along each axis on its own:
        an ellipse and a circle of two pulses, of which the second begins while the first is there."""
        pulses = """  type: laser
  amplitude: 0.02 Ha/bohr
  photon_energy: 7 eV
  pulse: 1.6 fs
  phase: 20 deg
  direction: [1, 0, 0]
  ellipticity: 0.6
  minor_direction: [0, 1, 1]
  second: {delay: 0.9 fs, amplitude: 0.01 Ha/bohr, photon_energy: 9 eV, pulse: 1 fs, direction: [1, 1, 0], ellipticity: -1, minor_direction: [1, -1, 1]}
"""
        well = """app: tddft
system:
  boundary: isolated
  unit: bohr
  cell: [20, 20, 20]
  grid: [20, 20, 20]
  electrons: 2
  functional: none
  well: {omega: [0.4 Ha, 0.5 Ha, 0.6 Ha]}
propagation: {time_step: 2.5 as, duration: 2.5 fs, settling: 0.3 fs}
excitation:
"""
        fs, eV, omega = 1 / 0.02418884326, 1 / 27.211386, (0.4, 0.5, 0.6)

        def field(t):
            """Of both pulses, from the derivative of their vector potentials."""
            def potential(t):
                A = [0.0, 0.0, 0.0]
                for E0, w, T, middle, phase, ellipticity, major, minor in (
                        (0.02, 7 * eV, 1.6 * fs, 0.8 * fs, math.radians(20), 0.6, (1, 0, 0), (0, 1, 1)),
                        (0.01, 9 * eV, 1.0 * fs, 1.7 * fs, 0.0, -1.0, (1, 1, 0), (1, -1, 1))):
                    s = t - middle
                    if abs(s) >= T / 2:
                        continue
                    size = E0 / w / math.sqrt(1 + ellipticity**2) * math.cos(math.pi * s / T) ** 2
                    for d in range(3):
                        A[d] += size * (-major[d] / math.hypot(*major) * math.sin(w * s + phase)
                                        + ellipticity * minor[d] / math.hypot(*minor) * math.cos(w * s + phase))
                return A
            return [-(b - a) / 2e-3 for a, b in zip(potential(t - 1e-3), potential(t + 1e-3))]

        for gauge in ("length", "velocity"):
            folder, result = self.run_input(well + pulses, "--set", f"propagation.gauge={gauge}")
            rows = columns(folder / "dipole.dat")
            x, v, t, dt = [0.0] * 3, [0.0] * 3, 0.0, 0.0025 * fs / 4
            largest, worst = 0.0, 0.0
            for row in rows:
                for d in range(3):
                    largest = max(largest, abs(row[1 + d]))
                    worst = max(worst, abs(row[1 + d] - 2 * x[d]))  # two electrons
                for _ in range(4):  # Stoermer and Verlet
                    v = [v[d] - dt / 2 * (omega[d] ** 2 * x[d] + E) for d, E in enumerate(field(t))]
                    x = [x[d] + dt * v[d] for d in range(3)]
                    t += dt
                    v = [v[d] - dt / 2 * (omega[d] ** 2 * x[d] + E) for d, E in enumerate(field(t))]
            self.assertGreater(largest, 0.05)
            self.assertTrue(worst <= 1.2e-3 * largest, (gauge, worst, largest))
            self.assertEqual([h["order"] for h in result["results"]["harmonics"]], [1, 2])
            self.assertTrue((folder / "harmonics.svg").read_text().startswith("<svg"))

    def test_light_of_a_laser_is_that_of_its_dipole(self):
        """harmonics.dat and the table again from dipole.dat, by the formula of the pages."""
        laser = SMALL.replace("  strength: 0.01 bohr^-1\n", "  type: laser\n  intensity: 1e11 W/cm^2\n  photon_energy: 3 eV\n  pulse: 2 fs\n")
        settings = ("--set", "propagation.duration=2.5 fs", "--set", "spectrum.step=0.07 eV", "--set", "spectrum.max_energy=11 eV")
        folder, result = self.run_input(laser, *settings)
        rows = columns(folder / "dipole.dat")
        dt, T = (rows[1][0] - rows[0][0]) / 0.02418884326, rows[-1][0] / 0.02418884326
        window = [1 - 3 * (r[0] / rows[-1][0]) ** 2 + 2 * (r[0] / rows[-1][0]) ** 3 for r in rows]
        orders = collections.Counter()
        for eV, total, *parts in columns(folder / "harmonics.dat"):
            w = eV / 27.211386245988
            expected = []
            for d in (1, 2, 3):
                re = sum(f * (r[d] - rows[0][d]) * math.cos(w * n * dt) for n, (f, r) in enumerate(zip(window, rows))) * dt
                im = sum(f * (r[d] - rows[0][d]) * math.sin(w * n * dt) for n, (f, r) in enumerate(zip(window, rows))) * dt
                expected.append(2 / (3 * math.pi * 137.035999**3) * w**4 * (re * re + im * im))
            self.assertTrue(abs(sum(expected) - total) <= 1e-4 * total + 1e-25, (eV, total, expected))
            self.assertTrue(all(abs(a - b) <= 1e-4 * total + 1e-25 for a, b in zip(parts, expected)), (eV, parts, expected))
            orders[round(eV / 3)] += total * 0.07 / 27.211386245988
        self.assertGreater(T, 100)
        found = {h["order"]: h["emitted_Ha"] for h in result["results"]["harmonics"]}
        self.assertEqual(sorted(found), [1, 2, 3])
        for order, value in found.items():
            self.assertTrue(abs(value - orders[order]) <= 1e-2 * value, (order, value, orders))

    def test_a_crystal_with_an_inversion_has_no_even_harmonics(self):
        """The reversed field reverses the current: what depends on even powers of it is not there."""
        strong = ("--set", "excitation.type=laser", "--set", "excitation.amplitude=0.02 Ha/bohr", "--set", "excitation.photon_energy=9 eV",
                  "--set", "excitation.pulse=0.5 fs", "--set", "excitation.direction=[1, 2, 3]", "--set", "propagation.duration=0.6 fs")
        content = CUBE.replace("  settling: 0.3 fs\n", "  settling: 0.1 fs\n").replace("kinetic: differences", "kinetic: fourier")
        rows, reversed_rows = (columns(self.run_input(content, *strong, "--set", f"excitation.phase={phase} deg")[0] / "dipole.dat")
                               for phase in (0, 180))
        largest = max(abs(row[7]) for row in rows)
        self.assertGreater(largest, 0.05)
        for row, other in zip(rows, reversed_rows, strict=True):
            self.assertTrue(all(abs(row[d] + other[d]) <= 1e-6 * largest for d in (5, 6, 7)), (row, other))

    def test_benchmark(self):
        _, result = self.run_input("app: tddft\nbenchmark: {orbitals: 4, grid: [8, 8, 8], steps: 20, field_steps: 30, energy_interval: 10}\n"
                                   "propagation: {precision: single}\n")
        results = result["results"]
        self.assertLess(abs(results["total_s"] - results["electron_s"] - results["field_s"] - results["energy_s"]), 1e-12)
        self.assertEqual(len(results["energies_Ha"]), 2)


    def test_the_energy_of_a_kicked_molecule_does_not_drift(self):
        """theta = 0.1, 3 fs. The energy shifts in the first step, then swings; neither is a drift."""
        folder, result = self.run_input(SMALL, "--set", "propagation.time_step=4.8378 as", "--set", "propagation.duration=3 fs", "--set",
                                        "propagation.interval=2")
        self.assert_no_drift(folder, result, 1e-6)

    @unittest.skipUnless(libxc(), "built without libxc")
    def test_short_waves_do_not_grow_with_a_gradient(self):
        """At rest, with the default step: 1.16 as, good for densities alone, let them grow by 0.09 Ha in a tenth of a femtosecond."""
        _, result = self.run_input(SHORT_WAVES)
        propagation = result["results"]["propagation"]
        self.assertLess(propagation["time_step_fs"], 0.00041)
        self.assertLess(propagation["energy_drift_Ha"], 2e-6)

    @unittest.skipUnless(libxc(), "built without libxc")
    def test_short_waves_do_not_grow_where_there_are_few_electrons(self):
        """At rest, with the default step: 1.5e-7 Ha; 0.64 as let them grow to 1.3e-4."""
        _, result = self.run_input(FEW_ELECTRONS)
        self.assertLess(result["results"]["propagation"]["energy_drift_Ha"], 3e-6)

    def test_steps_that_feed_short_waves_are_told(self):
        turn = 4 / (3 * math.pi) * 0.4**2 * 24.188843  # as: once in a step, at the corner of the grid's waves
        for functional, limit in (("pw92", turn), ("pbe", turn / 4)) if libxc() else (("pw92", turn),):
            for share, told in ((0.99, False), (1.01, True)):
                with self.subTest(functional, share=share):
                    self.write("in.yaml", SHORT_WAVES)
                    done = suite("check", "in.yaml", "--set", f"system.functional={functional}", "--set",
                                 f"propagation.time_step={share * limit} as", folder=self.folder)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(f"long; from {limit:.4g} as on the highest waves" in done.stdout, told, done.stdout)

    def test_a_field_that_lags_behind_takes_or_gives_energy(self):
        """What the measure of the drift sees when there is one."""
        folder, _ = self.run_input(CRYSTAL, "--set", "propagation.duration=500 as", "--set", "propagation.field=closed", "--set",
                                   "propagation.field_steps=3", "--set", "propagation.gamma=0.5", "--set", "excitation.strength=0.1 bohr^-1")
        self.assertGreater(abs(slope(columns(folder / "energy.dat"))), 1e-4)

    def broken(self, result):
        names = [c["name"] for c in result["consistency"] if c["verdict"] == "broken"]
        for name in names:
            self.assertTrue(any(w.startswith(name + ": ") for w in result["warnings"]), (name, result["warnings"]))
        return names

    def test_laws_hold_in_a_sound_run(self):
        _, result = self.run_input(CUBE, "--set", "excitation.all_directions=true")
        self.assertEqual(self.broken(result), [])
        names = [c["name"] for c in result["consistency"]]
        for name in ("number of electrons", "norm of the orbitals", "f-sum rule along x", "symmetry of the response"):
            self.assertIn(name, names)
        self.assertEqual([o["name"] for o in result["observables"]][:2], ["total energy of the ground state", "eigenvalues"])

    def test_broken_laws_are_named(self):
        """A Hartree field that lags behind; a kick so weak that the splitting's own motion is larger."""
        _, result = self.run_input(CRYSTAL, "--set", "propagation.duration=500 as", "--set", "propagation.field=closed", "--set",
                                   "propagation.field_steps=3", "--set", "propagation.gamma=0.5", "--set", "excitation.strength=0.1 bohr^-1")
        self.assertIn("energy minus work", self.broken(result))
        _, result = self.run_input(SMALL, "--set", "excitation.strength=1e-5 bohr^-1")
        self.assertIn("f-sum rule", self.broken(result))

    def test_single_precision_keeps_its_electrons(self):
        """Rounding takes 1e-8 of them in every step; two in 4000 steps."""
        _, result = self.run_input(SMALL, "--set", "propagation.precision=single", "--set", "propagation.duration=20 fs")
        self.assertLessEqual(result["results"]["propagation"]["electrons_drift"], 2 * 2e-6)
        self.assertNotIn("number of electrons", self.broken(result))
        self.assertNotIn("norm of the orbitals", self.broken(result))

    def test_open_shells_with_paired_electrons_are_noticed(self):
        """Two electrons in a threefold level."""
        _, result = self.run_input("app: tddft\nsystem: {unit: bohr, cell: [12, 12, 12], spacing: 0.8 bohr, functional: none, electrons: 4, "
                                   "well: {omega: [0.5, 0.5, 0.5 Ha]}}\npropagation: {duration: 0 fs}\n")
        self.assertTrue(any("0.0000 eV apart: an open shell or a metal" in w for w in result["warnings"]), result["warnings"])


class Validation(Runs):
    """Minutes of work."""

    def test_the_energy_does_not_drift(self):
        """The inputs of the suite, theta = 0.1: less than 1e-6 Ha/fs."""
        for name, time_step, duration in (("na2", "2.721 as", "10 fs"), ("h2", "0.5926 as", "3 fs"), ("silicon8", "0.884 as", "5 fs")):
            with self.subTest(name):
                content = (INPUTS / f"{name}.yaml").read_text()
                folder, result = self.run_input(content, "--set", f"propagation.time_step={time_step}", "--set", f"propagation.duration={duration}",
                                                "--set", "propagation.interval=5", name=f"{name}.yaml")
                self.assert_no_drift(folder, result, 1e-6)

    def test_jellium_is_that_of_salmon(self):
        """SALMON's tests 161 and 162, with their tolerances: the lowest and the outermost level, the dipole 37.5 as after a kick.

        SALMON puts the background on its grid of 0.25 angstrom: 432 points lie within the sphere of 10 charges and rs 1, and
        their density is scaled to 10. That is the volume of a sphere with rs 1.02834. Ours is a sphere, on grids that are refined.
        """
        h = 0.25 / 0.529177210903
        halves = [n + 0.5 for n in range(-8, 8)]
        inside = sum((x * x + y * y + z * z) * h * h <= 10 ** (2 / 3) for x in halves for y in halves for z in halves)
        self.assertEqual(inside, 432)
        rs = (3 * inside * h**3 / (4 * math.pi * 10)) ** (1 / 3)
        squares, found = [], []
        for points in (48, 60, 80):
            folder, result = self.run_input((INPUTS / "jellium.yaml").read_text(), "--set", f"system.jellium.rs={rs} bohr", "--set",
                                            f"system.grid=[{points}, {points}, {points}]", "--set", "propagation.duration=37.5 as", "--set",
                                            "propagation.time_step=0.625 as", "--set", "propagation.settling=0 fs")
            levels = result["results"]["ground_state"]["eigenvalues_Ha"]
            dipole = columns(folder / "dipole.dat")[-1][3]
            squares.append((24 / points) ** 2)
            found.append([levels[0] * 27.211386, levels[-1] * 27.211386, dipole * 0.529177])
        for quantity, (expected, tolerance) in enumerate(((-28.2039, 0.01), (-3.8790, 0.01), (-0.0677077, 5e-4))):
            limit = 0
            for i, one in enumerate(squares):
                limit += found[i][quantity] * math.prod(other / (other - one) for other in squares if other != one)
            self.assertLess(abs(limit - expected), tolerance, found)


class Devices(Runs):
    """The same run on every backend: what crosses between host and device, and in which layout, is the app's."""

    HYDROGEN = (INPUTS / "h2.yaml").read_text()
    LASER = ("--set", "excitation.type=laser", "--set", "excitation.intensity=1e12 W/cm^2", "--set", "excitation.photon_energy=3 eV", "--set",
             "excitation.pulse=20 as")
    # Long enough that each interval is met twice: an emulated device takes seconds for a hundred steps.
    RUNS = ((SMALL, ("--set", "propagation.duration=100 as")), (SMALL, ("--set", "propagation.gauge=velocity", "--set", "propagation.duration=50 as")),
            (HYDROGEN, ("--set", "system.grid=[16, 16, 16]", "--set", "propagation.duration=30 as", "--set", "propagation.interval=7")),
            (HYDROGEN, ("--set", "system.grid=[16, 16, 16]", "--set", "system.functional=none", "--set", "propagation.duration=60 as")),
            (CRYSTAL, LASER), (CRYSTAL, ("--set", "propagation.field=closed", "--set", "system.functional=pz81", *LASER)),
            (CRYSTAL, ("--set", "propagation.precision=single"))) + (
                ((SMALL, ("--set", "propagation.duration=50 as", *PBE)), (UNPAIRED, ("--set", "propagation.duration=50 as"))) if libxc() else ())

    def assert_same(self, one, other, tolerance, message):
        for name in ("dipole.dat", "energy.dat"):
            self.assertLessEqual(distance(columns(one / name), columns(other / name)), tolerance, (name, *message))

    def test_every_backend_agrees_with_the_processor(self):
        for content, settings in self.RUNS:
            cpu, _ = self.run_input(content, *settings, "--implementation", "cpu")
            single = "propagation.precision=single" in settings
            for backend in backends():
                folder, result = self.run_input(content, *settings, "--backend", backend)
                self.assertTrue(all(k["implementation"] == backend for k in result["kernels"]), (backend, result["kernels"]))
                self.assert_same(cpu, folder, 2e-5 if single else 2e-12, (backend, settings))

    def downloads(self, backend, duration):
        """How often each argument of a kernel comes to the host in a run."""
        trace = self.folder / f"trace-{backend}-{duration.split()[0]}.json"
        self.run_input(SMALL, "--set", f"propagation.duration={duration}", "--backend", backend, environment={"SUITE_TRACE": str(trace)})
        events = json.loads(trace.read_text())
        events = events["traceEvents"] if isinstance(events, dict) else events
        return collections.Counter(e["args"]["argument"] for e in events if e.get("cat") == "download" and "argument" in e["args"])

    def test_only_what_is_written_down_leaves_the_device(self):
        """The orbitals stay there from step to step: thirty steps more bring their dipoles, densities, fields and energies."""
        for backend in backends():
            short, long = self.downloads(backend, "150 as"), self.downloads(backend, "300 as")
            self.assertGreater(sum(short.values()), 0)
            self.assertEqual(long - short, collections.Counter(dipole=3, rho=3, vH=3, energy=3), backend)

    def test_the_benchmark_moves_its_orbitals_on_every_backend(self):
        """Its energies were those of the first orbitals where the device has memory of its own."""
        words = "app: tddft\nbenchmark: {orbitals: 4, grid: [8, 8, 8], steps: 20, field_steps: 30, energy_interval: 10}\n"
        energies = {backend: self.run_input(words, "--implementation", backend)[1]["results"]["energies_Ha"] for backend in ("cpu", *backends())}
        for backend, values in energies.items():
            for ours, expected in zip(values, energies["cpu"], strict=True):
                self.assertTrue(abs(ours - expected) <= 1e-10 * abs(expected), (backend, energies))

    def test_a_checkpoint_moves_between_backends(self):
        whole, _ = self.run_input(SMALL)
        half, _ = self.run_input(SMALL, "--set", "propagation.duration=150 as")
        for backend in backends():
            rest, result = self.run_input(SMALL, "--set", f"restart.file={half / 'checkpoint.h5'}", "--backend", backend)
            self.assertEqual(result["results"]["propagation"]["restarted_at_step"], 30)
            self.assert_same(whole, rest, 2e-12, (backend,))


class Restart(Runs):
    def test_a_continued_run_is_the_same_to_the_bit(self):
        runs = [(SMALL, ("--set", f"system.kinetic={kinetic}")) for kinetic in ("differences", "fourier")]
        for content, choice in runs + ([(SMALL, PBE), (UNPAIRED, PBE)] if libxc() else []):
            whole, _ = self.run_input(content, *choice)
            half, _ = self.run_input(content, *choice, "--set", "propagation.duration=150 as")
            rest, result = self.run_input(content, *choice, "--set", f"restart.file={half / 'checkpoint.h5'}")
            self.assertEqual(result["results"]["propagation"]["restarted_at_step"], 30)
            for name in ("dipole.dat", "energy.dat", "spectrum.dat"):
                self.assertEqual((rest / name).read_bytes(), (whole / name).read_bytes(), f"{choice} {name}")

    def test_an_interrupt_keeps_everything(self):
        whole, _ = self.run_input(SMALL, "--set", "propagation.duration=40 fs", "--set", "propagation.interval=50", name="long.yaml")
        folder = self.folder / "stopped"
        process = subprocess.Popen([str(PROGRAM), "run", "long.yaml", "--output", str(folder), "--set", "propagation.duration=40 fs", "--set",
                                    "propagation.interval=50", "--set", "checkpoint.interval=50"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        for _ in range(6000):  # until the first checkpoint: the propagation is on its way
            if (folder / "checkpoint.h5").exists() or process.poll() is not None:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("suite: interrupted; to continue: --set restart.file=", error)
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual(result["status"], "interrupted")
        self.assertLess(result["results"]["propagation"]["steps"], 8000)
        self.assertEqual(len(columns(folder / "dipole.dat")), result["results"]["propagation"]["steps"] + 1)
        rest, _ = self.run_input(SMALL, "--set", "propagation.duration=40 fs", "--set", "propagation.interval=50", "--set",
                                 f"restart.file={folder / 'checkpoint.h5'}", name="long.yaml")
        self.assertEqual((rest / "dipole.dat").read_bytes(), (whole / "dipole.dat").read_bytes())

    def test_a_checkpoint_of_other_settings(self):
        half, _ = self.run_input(SMALL, "--set", "propagation.duration=150 as")
        self.write("in.yaml", SMALL)
        self.refused(["run", "in.yaml", "--output", "other", "--quiet", "--set", f"restart.file={half / 'checkpoint.h5'}", "--set", "excitation.strength=0.02 bohr^-1"], 2,
                     "suite: error: {folder}/out0/checkpoint.h5 has other settings: strength is 0.01 there and 0.02 here\n")


def has_mpi():
    return bool(MPIEXEC) and json.loads(suite("version", "--json").stdout)["mpi"]


@unittest.skipUnless(has_mpi(), "this build has no MPI")
class Ranks(Runs):
    def test_one_two_and_four_ranks_agree(self):
        several = SMALL.replace("[Na, Na]", "[Na, Na, Na, Na]").replace("-2.9]]", "-2.9], [0, 5, 2.9], [0, 5, -2.9]]")
        gradients = ((several, PBE), (UNPAIRED, PBE), (UNPAIRED, ("--set", "propagation.gauge=velocity"))) if libxc() else ()
        for content, settings in (*gradients, (several, ()), (several, ("--set", "propagation.gauge=velocity")), (CRYSTAL, ()),
                                  (CRYSTAL, ("--set", "propagation.field=closed", "--set", "excitation.type=laser", "--set", "excitation.intensity=1e12 W/cm^2",
                                             "--set", "excitation.photon_energy=3 eV", "--set", "excitation.pulse=20 as"))):
            tables = {}
            for ranks in (1, 2, 4):
                folder, result = self.run_input(content, *settings, prefix=(MPIEXEC, "-np", str(ranks)), environment=LAUNCH)
                self.assertEqual(result["provenance"]["ranks"], ranks)
                tables[ranks] = [columns(folder / name) for name in ("dipole.dat", "energy.dat")]
            for ranks in (2, 4):
                for one, several_ranks in zip(tables[1], tables[ranks]):
                    self.assertLessEqual(distance(one, several_ranks), 1e-10, (settings, ranks))

    def test_ions_move_alike_on_one_and_two_ranks(self):
        ions = "ions:\n  dynamics: ehrenfest\n  time_step: 20 as\n  masses: [0.1, 0.1]\n"
        self.write("core.gth", CORE)
        of_both = []
        for settings in ((), ("--set", "system.pseudopotentials.Na=core.gth")):
            tables = []
            for ranks in (1, 2):
                folder, _ = self.run_input(SMALL + ions, *settings, prefix=(MPIEXEC, "-np", str(ranks)), environment=LAUNCH)
                tables.append(columns(folder / "ions.dat"))
            self.assertEqual(len(tables[0]), 6)  # 60 steps of the electrons, 12 of them between samples
            self.assertLessEqual(distance(*tables), 1e-9)
            of_both.append(tables[0])
        self.assertGreater(distance(*of_both), 1e-3)

    def test_a_checkpoint_moves_between_numbers_of_ranks(self):
        whole, _ = self.run_input(CRYSTAL)
        half, _ = self.run_input(CRYSTAL, "--set", "propagation.duration=10 as", prefix=(MPIEXEC, "-np", "3"), environment=LAUNCH)
        rest, _ = self.run_input(CRYSTAL, "--set", f"restart.file={half / 'checkpoint.h5'}", prefix=(MPIEXEC, "-np", "2"), environment=LAUNCH)
        self.assertLessEqual(distance(columns(whole / "dipole.dat"), columns(rest / "dipole.dat")), 1e-10)
