# SPDX-License-Identifier: BSD-3-Clause
"""Crystals with complex orbitals, at any twist, as users of the vmc app meet them."""
import math
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np

from crystal_files import Crystal, PlaneWave, Splines, coulomb, kinetic
from test_crystals import DMC, JASTROW, SLATER, potential_xml, soft
from test_run import LAUNCH, MPIEXEC, Runs, backends, physics
from suite_program import PROGRAM, suite
import schemas

CELL = [[4.1, 0.3, -0.2], [0.9, 4.6, 0.4], [-0.5, 0.7, 5.2]]
ATOMS = [("H", 1, 1, (0.1, 0.2, 0.3)), ("He", 2, 2, (2.2, 1.7, 0.9)), ("H", 1, 1, (1.2, 3.4, 3.1)), ("H", 1, 1, (3.0, 0.6, 3.6))]
TWIST = (0.13, -0.21, 0.34)
HALF = (0.13 / 2, -0.21, 0.34)  # with the next one the k points of two cells at this twist
OTHER = (0.13 / 2 - 0.5, -0.21, 0.34)
CRYSTAL = Crystal(CELL, ATOMS, (3, 2), [(0, 0, 0), TWIST, HALF, OTHER, (0.5, 0, 0), (1 / 3, 0, 0)], 3.8, 2, 2.0)
AT_TWIST = "system.twist=[0.13, -0.21, 0.34]"
ONE = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
TWO = ((2, 0, 0), (0, 1, 0), (0, 0, 1))


class Twists(Runs):
    def setUp(self):
        super().setUp()
        CRYSTAL.write(self.folder / "crystal.h5")

    def energies(self, *settings, content=SLATER, implementation="cpu"):
        """Components of one step, where its walkers are, (walkers,electrons,3), and the result."""
        folder, result = self.run_input(content, "--implementation", implementation, *(x for setting in settings for x in ("--set", setting)))
        with h5py.File(folder / "checkpoint.h5") as file:
            rele = file["rele"][()]
        return {name: part["mean_Ha"] for name, part in result["results"]["components"].items()}, rele, result

    def mesh(self, kpoints, factor):
        most = np.max([np.abs(CRYSTAL.states[k, spin][0]).max(axis=0) for k in kpoints for spin in range(2)], axis=0)
        return [max(4, math.ceil(factor * 4 * int(m))) for m in most]

    def compare(self, crystal, filled, supercell, electrons, tolerance, *settings):
        parts, rele, _ = self.energies(*settings)
        cell, ions, charges = CRYSTAL.simulation(supercell)
        self.assertEqual(rele.shape, (3, sum(electrons), 3))
        found = np.array([[*energies[:2], *coulomb(cell, r, ions, charges), energies[2]]
                          for r in rele for energies in [kinetic(crystal, filled, electrons, r, True)]]).mean(axis=0)
        for name, value in zip(("e-e", "e-n", "n-n"), found[2:5]):
            self.assertLess(abs(parts[name] - value), 1e-9 * (1 + abs(value)), name)
        for name, value in zip(("KEI", "TI"), found):
            self.assertLess(abs(parts[name] - value), tolerance * (1 + found[5]), f"{name} {parts[name]} {value}")

    def lowest(self, spin, kpoints, count):
        levels = sorted((energy, k) for k in kpoints for energy in CRYSTAL.states[k, spin][1])[:count]
        return [(k, sum(1 for _, other in levels if other == k)) for k in kpoints]

    def test_energies_are_those_of_plane_waves_and_of_their_splines(self):
        two = [self.lowest(spin, [2, 3], count) for spin, count in ((0, 6), (1, 4))]
        for filled, supercell, electrons, settings in (
                ([[(1, 3)], [(1, 2)]], ONE, (3, 2), (AT_TWIST,)),
                (two, TWO, (6, 4), (AT_TWIST, "system.supercell=[2, 1, 1]"))):
            mesh = self.mesh([k for k, _ in filled[0] + filled[1]], 1)
            with self.subTest("splines", supercell=supercell):  # rounding only
                self.compare(Splines(CRYSTAL, mesh), filled, supercell, electrons, 1e-9, *settings)
            with self.subTest("plane waves", supercell=supercell):  # the splines' Laplacian errs as the square of the distances on the mesh
                self.compare(CRYSTAL, filled, supercell, electrons, 1.5e-3, "system.mesh_factor=5", *settings)

    def test_plane_waves_have_their_energy_without_variance(self):
        """sum k^2/2 at every configuration: those of the supercell, unfolded. Their splines are constants, whose derivatives are rounding and
        cannot be compared between implementations."""
        grid = [((t + i) / n) for t, n in ((0.3, 2),) for i in range(n)]
        kpoints = [(x, y, -0.17) for x in grid for y in [(-0.4 + j) / 2 for j in range(2)]]
        crystal = PlaneWave(CELL, [("He", 2, 2, (0.5, 0.4, 0.3))], (1, 1), kpoints, 1.0)
        crystal.write(self.folder / "crystal.h5")
        exact = 2 * sum(((np.array(k) @ crystal.reciprocal) ** 2).sum() / 2 for k in kpoints)
        # The same lattice by other vectors, in whose reciprocal vectors the twist has other components.
        for settings in (("system.supercell=[2, 2, 1]", "system.twist=[0.3, -0.4, -0.17]"),
                         ("system.supercell=[2, 0, 0, 2, 2, 0, 0, 2, 1]", "system.twist=[0.3, -0.1, -0.57]")):
            with self.subTest(settings):
                parts, _, result = self.energies("vmc.steps=40", *settings, implementation="reference")
                self.assertLess(abs(parts["KEI"] - exact), 1e-9)
                self.assertLess(result["results"]["components"]["KEI"]["error_Ha"], 1e-9)
                self.assertEqual({law["verdict"] for law in result["consistency"]}, {"holds"}, result["consistency"])

    def test_kinetic_energies_have_the_mean_of_integrals(self):
        _, _, result = self.energies("vmc.walkers=32", "vmc.steps=600", "vmc.decorrelation=4", "vmc.reinvert=40", "vmc.time_step=0.006 fs",
                                     "system.mesh_factor=0.7", AT_TWIST)
        laws = {law["name"]: law["verdict"] for law in result["consistency"]}
        self.assertEqual(set(laws.values()), {"holds"}, laws)
        self.assertIn("kinetic energy of the determinants equals exact integrals", laws)
        kei, ti, fisq = (result["results"]["components"][name] for name in ("KEI", "TI", "FISQ"))
        for other in (ti, fisq):
            self.assertLess(abs(kei["mean_Ha"] - other["mean_Ha"]), 5 * (kei["error_Ha"] + other["error_Ha"]))

    def same(self, one, two):
        """Of walks that differ by rounding."""
        for name, value in one[0].items():
            self.assertLess(abs(two[0][name] - value), 1e-7 * (1 + abs(value)), name)
        self.assertLess(np.abs(two[1] - one[1]).max(), 1e-9)

    def test_k_and_minus_k_have_the_same_energy(self):
        self.same(self.energies(AT_TWIST), self.energies("system.twist=[-0.13, 0.21, -0.34]"))

    def test_where_real_orbitals_exist_complex_ones_have_the_same_energy(self):
        for settings in ((), ("system.supercell=[3, 1, 1]",)):
            with self.subTest(settings):
                self.same(self.energies(*settings), self.energies("system.complex_wf=true", *settings))
        # Splines of plane waves at k and at -k err differently beyond the mesh.
        border = ("system.twist=[0.5, 0, 0]", "system.mesh_factor=8")
        real, complex_ = self.energies(*border), self.energies("system.complex_wf=true", *border)
        self.assertLess(np.abs(complex_[1] - real[1]).max(), 1e-9)
        self.assertLess(abs(complex_[0]["KEI"] - real[0]["KEI"]), 1e-6 * (1 + abs(real[0]["KEI"])))

    def test_projectors_have_the_real_part_of_their_ratios(self):
        self.write("H.xml", potential_xml("H", 1, 1, soft(1, 0.8), 1))
        self.write("He.xml", potential_xml("He", 2, 2, soft(2, -1.5), 1))
        potentials = ("system.pseudopotentials=[H.xml, He.xml]", "system.quadrature=50")
        parts, rele, _ = self.energies("system.mesh_factor=4", AT_TWIST, *potentials)
        cell, ions, charges = CRYSTAL.simulation()
        shifts = np.array([[i, j, k] for i in range(-3, 4) for j in range(-3, 4) for k in range(-3, 4)]) @ cell
        cosines, weights = np.polynomial.legendre.leggauss(16)
        angles = 2 * math.pi * (np.arange(32) + 0.5) / 32
        sphere = np.array([(math.sqrt(1 - c * c) * math.cos(a), math.sqrt(1 - c * c) * math.sin(a), c) for c in cosines for a in angles])
        weights = np.repeat(weights / 2, 32) / 32
        expected = 0
        for r in rele:
            for i, electron in enumerate(r):
                own, spin, n = (r[:3], 0, 3) if i < 3 else (r[3:], 1, 2)
                inverse = np.linalg.inv(CRYSTAL.orbitals(1, spin, n, own)[0])
                for ion, charge in zip(ions, charges):
                    distances = np.linalg.norm(electron - ion + shifts, axis=1)
                    d = distances.min()
                    if d > 2.5:
                        continue
                    depth = (0.8 if charge == 1 else -1.5) * math.exp(-4 * d * d)
                    centre = electron - (electron - ion + shifts[distances.argmin()])
                    ratios = inverse[i % 3 if i < 3 else i - 3] @ CRYSTAL.orbitals(1, spin, n, centre + d * sphere)[0]
                    expected += depth * (weights * ratios.real).sum() / 3
        self.assertGreater(abs(expected), 0.05)
        self.assertLess(abs(parts["non-local"] - expected), 2e-3 * (1 + abs(expected)))
        for t_moves in ("true", "false"):
            _, result = self.run_input(DMC, *(x for s in (AT_TWIST, f"dmc.t_moves={t_moves}", *potentials) for x in ("--set", s)))
            self.assertTrue(math.isfinite(result["results"]["energy_Ha"]))

    def test_p_is_a_sum_over_pairs(self):
        """Of complex and of real orbitals, with u whose cusp alone is left: u = Gamma r (1 - r/L)^3."""
        cutoff, a = 1.9, (0.03, -0.02, 0.011)
        cell = np.array(CELL)
        reciprocal = 2 * math.pi * np.linalg.inv(cell).T
        waves = np.array([(i, j, k) for i in range(-3, 4) for j in range(-3, 4) for k in range(-3, 4) if (i, j, k) > (0, 0, 0)]) @ reciprocal
        waves = sorted(waves.tolist(), key=lambda g: np.linalg.norm(g))[:len(a)]  # no two have the same length in this cell
        shifts = np.array([[i, j, k] for i in range(-3, 4) for j in range(-3, 4) for k in range(-3, 4)]) @ cell

        def derivatives(r):
            """grad_i J and lap_i J."""
            gradient, laplacian = np.zeros((5, 3)), np.zeros(5)
            for i in range(5):
                for j in range(5):
                    if i == j:
                        continue
                    d = r[i] - r[j]
                    for c, g in zip(a, np.array(waves)):
                        gradient[i] -= c * math.sin(g @ d) * g
                        laplacian[i] -= c * math.cos(g @ d) * (g @ g)
                    slope = 0.25 if (i < 3) == (j < 3) else 0.5
                    for image in d + shifts:
                        x = np.linalg.norm(image)
                        if x < cutoff:
                            y = 1 - x / cutoff
                            first = slope * (y ** 3 - 3 * x / cutoff * y ** 2)
                            second = slope * (-6 / cutoff * y ** 2 + 6 * x / cutoff ** 2 * y)
                            gradient[i] += first * image / x
                            laplacian[i] += second + 2 * first / x
            return gradient, laplacian

        content = SLATER.replace("  type: slater\n", f"  cutoff: {cutoff} bohr\n  u: [[0, 0], [0, 0]]\n  p: [{list(a)}]\n")
        for k, settings in ((1, (AT_TWIST,)), (0, ())):
            with self.subTest(k=k):
                parts, rele, _ = self.energies(*settings, content=content)
                splines = Splines(CRYSTAL, self.mesh([k], 1))
                kei = 0
                for r in rele:
                    gradient, laplacian = derivatives(r)
                    for spin, own in ((0, slice(0, 3)), (1, slice(3, 5))):
                        _, v, lap = splines.determinant([(k, own.stop - own.start)], spin, r[own])
                        whole = lap + 2 * (v * gradient[own]).sum(axis=1) + laplacian[own] + (gradient[own] ** 2).sum(axis=1)
                        kei -= whole.real.sum() / 2 / 3
                self.assertLess(abs(parts["KEI"] - kei), 1e-8 * (1 + abs(kei)))

    def test_p_is_optimised_and_written(self):
        content = SLATER.replace("  type: slater\n", "  order: 4\n  stars: 3\n").replace("app: vmc", "app: vmc\nmethod: optimise").replace(
            "  steps: 1\n", "") + "optimise: {cycles: 1, configurations: 300}\n"
        folder, result = self.run_input(content, "--set", AT_TWIST)
        self.assertEqual(sum(name.startswith("a_") for name in result["results"]["parameters"]), 3)
        self.assertIn("START P TERM", (folder / "correlation.data").read_text())
        shutil.copy(folder / "correlation.data", self.folder)
        before, after = SLATER.split("jastrow:\n  type: slater\n")
        section = before + (folder / "jastrow.yaml").read_text().split("\n", 1)[1] + after
        whole = self.energies(AT_TWIST, content=section)
        file = self.energies(AT_TWIST, content=SLATER.replace("type: slater", "file: correlation.data"))
        self.assertEqual(whole[0], file[0])

    def test_twists_are_averaged(self):
        short = ("--set", "vmc.steps=20", "--set", "vmc.walkers=4")
        for content in (JASTROW, DMC):
            with self.subTest(content.split("\n")[1]):
                folder, result = self.run_input(content, *short, "--set", "system.twists=[[0, 0, 0, 1], [0.13, -0.21, 0.34, 3]]")
                found = result["results"]
                singles = [self.run_input(content, *short, "--set", f"system.twist={twist}", "--set", f"seed={seed}")[1]["results"]
                           for twist, seed in (("[0, 0, 0]", 1), ("[0.13, -0.21, 0.34]", 2))]
                self.assertEqual([row["energy_Ha"] for row in found["twists"]], [one["energy_Ha"] for one in singles])
                mean = (singles[0]["energy_Ha"] + 3 * singles[1]["energy_Ha"]) / 4
                error = math.hypot(singles[0]["error_Ha"], 3 * singles[1]["error_Ha"]) / 4
                self.assertLess(abs(found["energy_Ha"] - mean), 1e-10)
                self.assertLess(abs(found["error_Ha"] - error), 1e-12)
                self.assertLess(abs(found["spread_Ha"] - math.sqrt(3) / 4 * abs(singles[0]["energy_Ha"] - singles[1]["energy_Ha"])), 1e-8)
                kei = [one["components"]["KEI"]["mean_Ha"] for one in singles]
                self.assertLess(abs(found["components"]["KEI"]["mean_Ha"] - (kei[0] + 3 * kei[1]) / 4), 1e-10)
                for file in found["files"]:
                    self.assertTrue((folder / file).exists(), file)
                self.assertIn("twist_2/checkpoint.h5", found["files"])
                self.assertEqual(schemas.problems(result), [])
        self.write("in.yaml", JASTROW)
        for settings, sentence in (
                (("system.twists=[[0, 0, 0]]", AT_TWIST), "'twist' and 'twists' exclude each other"),
                (("system.twists=[[0, 0]]",), "a row of 'twists' has 2 numbers; it needs 3, or 4 with a weight"),
                (("system.twists=[[0, 0, 0, 0]]",), "a weight of 0 in 'twists'; it must be positive"),
                (("system.twists=[[0, 0, 0], [0.3, 0, 0]]",), "it has no k point (0.3, 0, 0)"),
                (("system.twists=[[0, 0, 0]]", "method=optimise"), "a Jastrow factor is optimised at one twist")):
            with self.subTest(settings):
                done = suite("check", "in.yaml", *(x for setting in settings for x in ("--set", setting)), folder=self.folder)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(sentence, done.stderr)

    def test_updates_keep_the_inverse_matrices(self):
        """Also from columns whose phase has turned: no inversion in all these moves."""
        _, _, result = self.energies(AT_TWIST, "vmc.steps=200", "vmc.reinvert=200", content=JASTROW)
        deviation = next(law for law in result["consistency"] if law["name"] == "inverse Slater matrices")
        self.assertEqual(deviation["verdict"], "holds")
        self.assertLess(deviation["deviation"], 1e-9)

    def test_a_stopped_run_continues_to_the_last_bit(self):
        for content, key in ((JASTROW, "vmc.steps"), (DMC, "dmc.steps")):
            with self.subTest(key):
                _, expected = self.run_input(content, "--set", AT_TWIST)
                folder, _ = self.run_input(content, "--set", AT_TWIST, "--set", f"{key}=20")
                _, found = self.run_input(content, "--set", AT_TWIST, "--set", f"restart.file={folder}/checkpoint.h5")
                self.assertEqual(physics(found), physics(expected))

    def test_stopped_twists_continue_to_the_last_bit(self):
        """From the folder of a run that ended within its second of three twists, and of one that a signal stopped."""
        for content, key in ((JASTROW, "vmc.steps"), (DMC, "dmc.steps")):
            twists = ("--set", "system.twists=[[0, 0, 0], [0.13, -0.21, 0.34], [0.065, -0.21, 0.34]]")
            with self.subTest(key):
                _, expected = self.run_input(content, *twists)
                stopped, _ = self.run_input(content, "--set", "system.twists=[[0, 0, 0], [0.13, -0.21, 0.34]]", "--set", f"{key}=20")
                _, found = self.run_input(content, *twists, "--set", f"restart.file={stopped}/twist_2/checkpoint.h5")
                self.assertEqual(found["results"]["twists"], expected["results"]["twists"])
                self.assertEqual(found["results"]["energy_Ha"], expected["results"]["energy_Ha"])
        done = suite("run", "in.yaml", *twists, "--set", "restart.file=crystal.h5", folder=self.folder)
        self.assertIn("a run of several twists continues from twist_1/checkpoint.h5, or that of another twist, of an earlier one", done.stderr)
        self.assertNotEqual(done.returncode, 0)
        process = subprocess.Popen([PROGRAM, "run", "in.yaml", *twists, "--output", "signalled", "--set", "dmc.steps=2000"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.folder / "signalled" / "twist_2").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 128 + signal.SIGINT, error)
        self.assertIn("it was at twist 2 of 3; to continue: --set restart.file=", error)
        self.assertTrue((self.folder / "signalled" / "twist_1" / "checkpoint.h5").exists())

    def test_another_twist_is_another_run(self):
        PlaneWave(CELL, [("He", 2, 2, (0.5, 0.4, 0.3))], (1, 1), [TWIST, HALF], 1.0).write(self.folder / "crystal.h5")
        folder, _ = self.run_input(SLATER, "--set", AT_TWIST, "--implementation", "reference")
        done = suite("run", "in.yaml", "--set", f"restart.file={folder}/checkpoint.h5", "--set", "system.twist=[0.065, -0.21, 0.34]",
                     "--implementation", "reference", folder=self.folder)
        self.assertIn("has other settings", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    @unittest.skipUnless(MPIEXEC, "built without MPI")
    def test_ranks_have_the_same_result(self):
        for content in (JASTROW, DMC):
            _, one = self.run_input(content, "--set", AT_TWIST)
            _, three = self.run_input(content, "--set", AT_TWIST, prefix=(MPIEXEC, "-n", "3"), environment=LAUNCH)
            self.assertEqual(physics(three), physics(one))

    def test_backends_walk_the_same_walk(self):
        short = ("--set", "vmc.steps=5", "--set", "vmc.equilibration=8", "--set", AT_TWIST)
        _, cpu = self.run_input(JASTROW, *short)
        for backend in backends():
            with self.subTest(backend):
                _, found = self.run_input(JASTROW, *short, "--implementation", backend)
                self.assertLess(abs(found["results"]["energy_Ha"] - cpu["results"]["energy_Ha"]), 1e-7)

    def test_optimisation_lowers_the_variance(self):
        content = SLATER.replace("  type: slater\n", "  order: 4\n").replace("app: vmc", "app: vmc\nmethod: optimise").replace(
            "  steps: 1\n", "") + "optimise: {cycles: 2, configurations: 600}\n"
        _, result = self.run_input(content, "--set", AT_TWIST)
        cycles = result["results"]["cycles"]
        self.assertLess(result["results"]["variance"], 0.95 * cycles[0]["variance_Ha2"])

    def test_an_input_is_written_for_a_file_without_k_0(self):
        PlaneWave(CELL, [("He", 2, 2, (0.5, 0.4, 0.3))], (1, 1), [HALF, TWIST], 1.0).write(self.folder / "crystal.h5")
        done = suite("init", "vmc", "new.yaml", "--from", "crystal.h5", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = suite("check", "new.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("twist (0.065, -0.21, 0.34)", done.stdout)

    def test_what_a_file_and_a_twist_need(self):
        self.write("in.yaml", SLATER)
        for settings, sentence in (
                (("system.twist=[0.25, 0, 0]",), "it has no k point (0.25, 0, 0); it has (0, 0, 0), (0.13, -0.21, 0.34)"),
                ((AT_TWIST, "system.supercell=[1, 1, 2]"), "needs 2 k points"),
                ((AT_TWIST, "system.complex_wf=false"), "'twist' needs complex orbitals"),
                (("system.complex_wf=2",), "complex_wf")):
            with self.subTest(settings):
                done = suite("check", "in.yaml", *(x for setting in settings for x in ("--set", setting)), folder=self.folder)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(sentence, done.stderr)
        done = suite("check", "in.yaml", "--set", AT_TWIST, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("complex, times exp(i k.r)", done.stdout)


if __name__ == "__main__":
    unittest.main()
