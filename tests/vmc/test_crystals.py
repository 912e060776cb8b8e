# SPDX-License-Identifier: BSD-3-Clause
"""Crystals from ES-HDF files as users of the vmc app meet them, beside the plane waves and Ewald sums of crystal_files.py."""
import json
import math
import shutil
import unittest

import h5py
import numpy as np

from crystal_files import Crystal, HydrogenLattice, coulomb, kinetic, triclinic
from test_run import LAUNCH, MPIEXEC, Runs, backends, physics
from suite_program import INPUTS, Case, suite

SLATER = """app: vmc
system:
  eshdf: crystal.h5
jastrow:
  type: slater
vmc:
  walkers: 3
  equilibration: 120
  time_step: 0.02 fs
  steps: 1
  decorrelation: 1
  reinvert: 1
"""
JASTROW = SLATER.replace("  type: slater\n", "  order: 4\n  f_order: 2\n").replace("steps: 1\n", "steps: 40\n").replace(
    "reinvert: 1", "reinvert: 10")
DMC = JASTROW.replace("app: vmc", "app: vmc\nmethod: dmc") + (
    "dmc: {time_steps: [0.02 hbar/Ha], walkers: 12, equilibration: 20, steps: 40}\n")
TRICLINIC = triclinic()


def potential_xml(symbol, number, charge, channels, local, points=2001, end=10.0):
    """A file as QMCPACK reads it: r V_l of functions of r."""
    r = np.linspace(0, end, points)
    text = f'<?xml version="1.0"?>\n<!-- for tests -->\n<pseudo version="0.5">\n<header symbol="{symbol}" atomic-number="{number}" zval="{charge}"/>\n'
    text += f'<semilocal units="hartree" format="r*V" npots-down="{len(channels)}" l-local="{local}">\n'
    for l, function in enumerate(channels):
        text += f'<vps l="{"spdf"[l]}" cutoff="1.0"><radfunc><grid type="linear" units="bohr" ri="0" rf="{end}" npts="{points}"/><data>\n'
        text += " ".join(f"{x:.14e}" for x in r * np.array([function(x) if x > 0 else 0 for x in r])) + "\n</data></radfunc></vps>\n"
    return text + "</semilocal></pseudo>\n"


def soft(charge, s):
    """-charge erf(2r)/r, and s exp(-4 r^2) more for l = 0."""
    local = lambda r: -charge * math.erf(2 * r) / r
    return [lambda r: local(r) + s * math.exp(-4 * r * r), local]


class Crystals(Runs):
    def setUp(self):
        super().setUp()
        TRICLINIC.write(self.folder / "crystal.h5")

    def energies(self, *settings, content=SLATER):
        """Result of one step, and where its walkers are, (walkers,electrons,3)."""
        folder, result = self.run_input(content, *(x for setting in settings for x in ("--set", setting)))
        with h5py.File(folder / "checkpoint.h5") as file:
            rele = file["rele"][()]
        return {name: part["mean_Ha"] for name, part in result["results"]["components"].items()}, rele, result

    def compare(self, filled, supercell, electrons, *settings):
        parts, rele, _ = self.energies("system.mesh_factor=5", *settings)
        cell, ions, charges = TRICLINIC.simulation(supercell)
        self.assertEqual(rele.shape, (3, sum(electrons), 3))
        found = np.array([[*energies[:2], *coulomb(cell, r, ions, charges), energies[2]]
                          for r in rele for energies in [kinetic(TRICLINIC, filled, electrons, r)]]).mean(axis=0)
        for name, value in zip(("e-e", "e-n", "n-n"), found[2:5]):
            self.assertLess(abs(parts[name] - value), 1e-9 * (1 + abs(value)), name)
        # The Laplacian of splines errs as the square of the distances on the mesh: by 2e-4 of its terms here, more near nodes.
        for name, value in zip(("KEI", "TI"), found):
            self.assertLess(abs(parts[name] - value), 1.5e-3 * (1 + found[5]), f"{name} {parts[name]} {value}")

    def test_energies_are_those_of_plane_waves(self):
        one = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        with self.subTest("k = 0"):
            self.compare([[(0, 3)], [(0, 2)]], one, (3, 2))
        with self.subTest("k on the border of the zone"):
            self.compare([[(2, 3)], [(2, 2)]], one, (3, 2), "system.twist=[0.5, 0, 0]")
            self.compare([[(3, 3)], [(3, 2)]], one, (3, 2), "system.twist=[0, 0.5, -0.5]")

    def test_supercells_fold_their_k_points(self):
        with self.subTest("k and -k"):  # three cells: k = 0 and both of +-1/3
            filled = [self.lowest(spin, [0, 1, 4], count) for spin, count in ((0, 9), (1, 6))]
            self.compare(filled, ((3, 0, 0), (0, 1, 0), (0, 0, 1)), (9, 6), "system.supercell=[3, 1, 1]")
        with self.subTest("real k"):
            filled = [self.lowest(spin, [0, 2], count) for spin, count in ((0, 6), (1, 4))]
            self.compare(filled, ((2, 0, 0), (0, 1, 0), (0, 0, 1)), (6, 4), "system.supercell=[2, 1, 1]")
        with self.subTest("vectors, at a twist"):  # of two cells: (1/2, 1/2, 1/2) and (1/2, 0, 0)
            filled = [self.lowest(spin, [2, 5], count) for spin, count in ((0, 6), (1, 4))]
            self.compare(filled, ((1, 0, 0), (0, 1, -1), (0, 1, 1)), (6, 4), "system.supercell=[1, 0, 0, 0, 1, -1, 0, 1, 1]",
                         "system.twist=[0.5, 0, 0]")

    def lowest(self, spin, kpoints, count):
        levels = sorted((energy, k) for k in kpoints for energy in TRICLINIC.states[k, spin][1])[:count]
        return [(k, sum(1 for _, other in levels if other == k)) for k in kpoints]

    def test_local_potentials_have_all_images_and_projectors_their_energy(self):
        self.write("H.xml", potential_xml("H", 1, 1, soft(1, 0.8), 1))
        self.write("He.xml", potential_xml("He", 2, 2, soft(2, -1.5), 1))
        parts, rele, _ = self.energies("system.mesh_factor=4", "system.pseudopotentials=[H.xml, He.xml]", "system.quadrature=50")
        cell, ions, charges = TRICLINIC.simulation()
        shifts = np.array([[i, j, k] for i in range(-3, 4) for j in range(-3, 4) for k in range(-3, 4)]) @ cell
        cosines, weights = np.polynomial.legendre.leggauss(16)
        angles = 2 * math.pi * (np.arange(32) + 0.5) / 32
        sphere = np.array([(math.sqrt(1 - c * c) * math.cos(a), math.sqrt(1 - c * c) * math.sin(a), c) for c in cosines for a in angles])
        weights = np.repeat(weights / 2, 32) / 32
        local, nonlocal_ = 0, 0
        for r in rele:
            for i, electron in enumerate(r):
                own, spin, n = (r[:3], 0, 3) if i < 3 else (r[3:], 1, 2)
                inverse = np.linalg.inv(TRICLINIC.orbitals(0, spin, n, own)[0])
                for ion, charge in zip(ions, charges):
                    distances = np.linalg.norm(electron - ion + shifts, axis=1)
                    local += sum(charge * math.erfc(2 * d) / d for d in distances if d < 4)
                    d = distances.min()
                    if d > 2.5:
                        continue
                    depth = (0.8 if charge == 1 else -1.5) * math.exp(-4 * d * d)
                    centre = electron - (electron - ion + shifts[distances.argmin()])
                    ratios = inverse[i % 3 if i < 3 else i - 3] @ TRICLINIC.orbitals(0, spin, n, centre + d * sphere)[0]
                    nonlocal_ += depth * (weights * ratios.real).sum()
        self.assertLess(abs(parts["local"] - local / 3), 2e-6)  # cubic interpolation of the table
        self.assertLess(abs(parts["non-local"] - nonlocal_ / 3), 2e-3 * (1 + abs(nonlocal_)))

    def test_determinants_have_the_kinetic_energy_of_their_splines(self):
        for settings in ((), ("system.twist=[0.5, 0, 0]",), ("system.supercell=[3, 1, 1]",)):
            with self.subTest(settings):
                _, _, result = self.energies("vmc.walkers=32", "vmc.steps=600", "vmc.decorrelation=4", "vmc.reinvert=40", "vmc.time_step=0.006 fs",
                                             "system.mesh_factor=0.7", *settings)
                laws = {law["name"]: law["verdict"] for law in result["consistency"]}
                self.assertEqual(set(laws.values()), {"holds"}, laws)
                self.assertIn("kinetic energy of the determinants equals exact integrals", laws)
                self.assertIn("Coulomb energy is independent of the Ewald splitting", laws)

    def test_determinants_have_the_energy_of_integrals(self):
        hydrogen = HydrogenLattice()
        hydrogen.write(self.folder / "crystal.h5")
        parts, _, result = self.energies("vmc.walkers=64", "vmc.steps=800", "vmc.decorrelation=4", "vmc.reinvert=40", "vmc.time_step=0.012 fs")
        expected = hydrogen.energies()
        for name, value in zip(("KEI", "e-n", "e-e"), expected):
            error = result["results"]["components"][name]["error_Ha"]
            self.assertLess(error, 0.03)
            self.assertLess(abs(parts[name] - value), 4 * error, f"{name} {parts[name]} {value}")
        self.assertLess(abs(parts["n-n"] - expected[3]), 1e-10)
        self.assertLess(abs(result["results"]["energy_Ha"] - sum(expected)), 4 * result["results"]["error_Ha"])

    def test_a_stopped_run_continues_to_the_last_bit(self):
        for content, key in ((JASTROW, "vmc.steps"), (DMC, "dmc.steps")):
            with self.subTest(key):
                _, expected = self.run_input(content)
                folder, _ = self.run_input(content, "--set", f"{key}=20")
                _, found = self.run_input(content, "--set", f"restart.file={folder}/checkpoint.h5")
                self.assertEqual(physics(found), physics(expected))

    @unittest.skipUnless(MPIEXEC, "built without MPI")
    def test_ranks_have_the_same_result(self):
        for content in (JASTROW, DMC):
            _, one = self.run_input(content)
            _, three = self.run_input(content, prefix=(MPIEXEC, "-n", "3"), environment=LAUNCH)
            self.assertEqual(physics(three), physics(one))

    def test_backends_walk_the_same_walk(self):
        short = ("--set", "vmc.steps=5", "--set", "vmc.equilibration=8")
        for twist in ("[0, 0, 0]", "[0.5, 0, 0]"):  # splines that are the orbitals, and those combined on the host
            _, cpu = self.run_input(JASTROW, *short, "--set", f"system.twist={twist}")
            for backend in backends():
                with self.subTest(backend, twist=twist):
                    _, found = self.run_input(JASTROW, *short, "--set", f"system.twist={twist}", "--implementation", backend)
                    self.assertLess(abs(found["results"]["energy_Ha"] - cpu["results"]["energy_Ha"]), 1e-7)

    def test_another_orbital_is_another_run(self):
        folder, _ = self.run_input(JASTROW, "--set", "vmc.steps=20")
        done = suite("run", "in.yaml", "--set", f"restart.file={folder}/checkpoint.h5", "--set", "system.mesh_factor=1.5", folder=self.folder)
        self.assertNotEqual(done.returncode, 0)

    def test_optimisation_finds_the_cusps(self):
        HydrogenLattice().write(self.folder / "crystal.h5")
        content = SLATER.replace("  type: slater\n", "  order: 4\n").replace("app: vmc", "app: vmc\nmethod: optimise").replace(
            "  steps: 1\n", "") + "optimise: {cycles: 2, configurations: 600}\n"
        folder, result = self.run_input(content)
        self.assertIn("chi_cusp: true", (folder / "jastrow.yaml").read_text())
        self.assertLess(result["results"]["variance"], 0.2)
        self.assertLess(abs(result["results"]["energy_Ha"] + 1.8), 0.15)

    def test_an_input_is_written_for_a_file(self):
        done = suite("init", "vmc", "new.yaml", "--from", "crystal.h5", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('eshdf: "crystal.h5"', (self.folder / "new.yaml").read_text())
        done = suite("check", "new.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("5 electrons (3 up, 2 down)", done.stdout)


    def test_one_electron_and_a_pseudopotential(self):
        Crystal(np.eye(3) * 6, [("Li", 3, 1, (1, 2, 3))], (1, 0), [(0, 0, 0)], 2.5).write(self.folder / "crystal.h5")
        done = suite("init", "vmc", "bare.yaml", "--from", "crystal.h5", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("give its pseudopotential", suite("check", "bare.yaml", folder=self.folder).stderr)
        self.write("other.xml", "<a>1</a>")
        self.write("Li.soft.xml", potential_xml("Li", 3, 1, soft(1, 0.5), 1))
        done = suite("init", "vmc", "new.yaml", "--from", "crystal.h5", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('pseudopotentials: ["Li.soft.xml"]', (self.folder / "new.yaml").read_text())
        done = suite("check", "new.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, result = self.run_input(SLATER, "--set", "system.pseudopotentials=[Li.soft.xml]", "--set", "vmc.steps=5")
        self.assertEqual(result["results"]["components"]["e-e"]["mean_Ha"], result["results"]["components"]["n-n"]["mean_Ha"])
        content = JASTROW.replace("  f_order: 2\n", "").replace("app: vmc", "app: vmc\nmethod: dmc") + (
            "dmc: {time_steps: [0.02 hbar/Ha], walkers: 8, equilibration: 10, steps: 20}\n")
        _, result = self.run_input(content, "--set", "system.pseudopotentials=[Li.soft.xml]")
        self.assertTrue(math.isfinite(result["results"]["energy_Ha"]))


class BadFiles(Case):
    def refused(self, change, sentence, *settings):
        TRICLINIC.write(self.folder / "crystal.h5")
        with h5py.File(self.folder / "crystal.h5", "r+") as file:
            change(file)
        self.write("in.yaml", SLATER)
        done = suite("check", "in.yaml", *(x for setting in settings for x in ("--set", setting)), folder=self.folder)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(done.stdout, "")

    def put(self, name, value):
        def change(file):
            kind = file[name].dtype
            del file[name]
            file[name] = np.array(value, dtype=kind)
        return change

    def changed(self, name, change):
        def whole(file):
            value = file[name][()]
            change(value)
            self.put(name, value)(file)
        return whole

    def remove(self, name):
        return lambda file: file.__delitem__(name)

    def test_each_has_its_sentence(self):
        psi = "electrons/kpoint_0/spin_1/state_1/psi_g"
        for change, sentence in (
                (self.remove("supercell"), "is this an ES-HDF file"),
                (self.remove("electrons"), "is this an ES-HDF file"),
                (self.remove("atoms/positions"), "atoms/positions"),
                (self.remove(psi), "orbitals are read by their plane waves"),
                (self.put("supercell/primitive_vectors", np.ones((3, 3))), "cell"),
                (self.put("atoms/species_ids", [0, 1, 2, 0]), "it must be from 0 to 1"),
                (self.put("electrons/number_of_electrons", [0, 2]), "at least one electron with spin up"),
                (self.put("electrons/number_of_electrons", [3, 3]), "the cell is not neutral: nuclei with the charge 5 and 6 electrons"),
                (self.put("electrons/number_of_electrons", [9, 2]), "9 electrons of a spin need as many orbitals"),
                (self.put("electrons/number_of_kpoints", [0]), "electrons/number_of_kpoints"),
                (self.put("electrons/kpoint_0/reduced_k", [0.1, 0, 0]), "it has no k point (0, 0, 0); it has (0.1, 0, 0)"),
                (self.put("electrons/kpoint_0/reduced_k", [math.nan, 0, 0]), "is not finite"),
                (self.put("electrons/kpoint_0/spin_0/number_of_states", [7]), "6 numbers for 7 states"),
                (self.put("atoms/species_0/atomic_number", [3]), "give its pseudopotential in 'system.pseudopotentials'"),
                (self.changed(psi, lambda x: x.__imul__(1.1)), "is not normalised: its square is 1.21"),
                (self.changed(psi, lambda x: x.__setitem__((0, 0), math.inf)), "is not finite"),
                (lambda file: self.put(psi, file[psi.replace("state_1", "state_0")][()])(file), "the states 0 and 1 are not orthogonal"),
                (self.put(psi, np.zeros((3, 2))), psi),
                (self.changed("electrons/kpoint_0/gvectors", lambda x: x.__imul__(100000)), "it must be from"),
                (self.changed("electrons/kpoint_0/gvectors", lambda x: x.__iadd__(np.array([1, 0, 0]))), "the plane waves of -k"),
                (self.changed("atoms/positions", lambda x: x.__setitem__(1, x[0] + [4.1, 0.3, -0.15])), "are 0.05 bohr apart")):
            with self.subTest(sentence):
                self.refused(change, sentence)

    def test_each_choice_has_its_sentence(self):
        nothing = lambda file: None
        for setting, sentence in (
                ("system.twist=[0.25, 0, 0]", "it has no k point (0.25, 0, 0)"),
                ("system.twist=[0, 0, 0.5]", "it has no k point (0, 0, 0.5)"),
                ("system.supercell=[2, 2, 1]", "a supercell of 4 cells at the twist (0, 0, 0) needs 4 k points, with -k counted beside k; the "
                                               "file has 2 of them"),
                ("system.supercell=[2, 2]", "'supercell' has 2 numbers; it needs 3, or 9"),
                ("system.supercell=[0, 1, 1]", "the vectors of the supercell lie in a plane"),
                ("system.rs=2 bohr", "'eshdf' already specifies the system"),
                ("system.cusp_correction=true", "this is of Gaussian functions"),
                ("system.quadrature=26", "this is of pseudopotentials, and the crystal has none"),
                ("system.pseudopotentials=[none.xml]", "none.xml")):
            with self.subTest(setting):
                self.refused(nothing, sentence, setting)

    def test_an_open_shell_is_told(self):
        TRICLINIC.write(self.folder / "crystal.h5")
        self.write("in.yaml", SLATER)
        self.assertEqual(suite("check", "in.yaml", folder=self.folder).stderr, "")
        with h5py.File(self.folder / "crystal.h5", "r+") as file:
            file["electrons/kpoint_0/spin_0/eigenvalues"][:] = 0.1
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning: an open shell: the highest filled orbital of spin up and an empty one have the same energy", done.stderr)

    def test_truncated_files(self):
        TRICLINIC.write(self.folder / "whole.h5")
        whole = (self.folder / "whole.h5").read_bytes()
        self.write("in.yaml", SLATER)
        for share in (0, 0.1, 0.5, 0.9, 0.999):
            (self.folder / "crystal.h5").write_bytes(whole[:int(share * len(whole))])
            done = suite("check", "in.yaml", folder=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("crystal.h5", done.stderr)

    def test_potentials(self):
        good = potential_xml("H", 1, 1, soft(1, 0.8), 1)
        wide = [lambda r: -math.erf(2 * r) / r + math.exp(-0.2 * r * r), lambda r: -math.erf(2 * r) / r]
        for text, sentence in (
                (good.replace('zval="1"', 'zval="2"'), "has the charge 2, but H has the valence charge 1"),
                (good.replace('atomic-number="1"', 'atomic-number="6"'), "is of the atomic number 6, which no atom has"),
                (good.replace('<vps l="s"', '<vps l="x"'), "l of <vps> must be s, p, d, f or g; got 'x'"),
                (good.replace('<vps l="p"', '<vps l="s"'), "a second <vps> of l = s"),
                (good.replace('l-local="1"', 'l-local="2"'), "l-local is 2, but there is no potential of this l"),
                (good.replace('npts="2001"', 'npts="2000"'), "<data> has 2001 numbers for 2000 points"),
                (good.replace('type="linear"', 'type="log"'), "potentials are read on linear grids"),
                (good.replace("hartree", "kelvin"), "hartree, rydberg or ev; got 'kelvin'"),
                (good.replace("<vps ", "<vps_so "), "<vps_so> is not read"),
                (good[:len(good) // 2], "for 2001 points of the grid"),
                (good.replace("e-0", "x-0", 1), "a number is expected here"),
                (good.replace("<header", "<heading"), "there is no <header>"),
                (good.replace("</semilocal>", ""), "the file ends within <semilocal>"),
                (potential_xml("H", 1, 1, wide, 1), "beyond the radius")):
            with self.subTest(sentence):
                self.write("H.xml", text)
                self.refused(lambda file: None, sentence, "system.pseudopotentials=[H.xml]")


if __name__ == "__main__":
    unittest.main()
