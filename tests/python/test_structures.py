# SPDX-License-Identifier: BSD-3-Clause
"""Structures from and to ASE and pymatgen."""
import unittest

import numpy as np

import suite
from suite import structures
from support import INPUTS, Case, needs

WATER = [("O", (0, 0, 0)), ("H", (0.757, 0, 0.586)), ("H", (-0.757, 0, 0.586))]


class Sections(Case):
    def test_pairs_are_a_molecule(self):
        self.assertEqual(structures.molecule(WATER, charge=1), {
            "unit": "angstrom", "elements": ["O", "H", "H"], "positions": [[0.0, 0.0, 0.0], [0.757, 0.0, 0.586], [-0.757, 0.0, 0.586]], "charge": 1})

    def test_a_molecule_gets_a_cell_around_its_middle(self):
        section = structures.system(WATER, spacing="0.3 angstrom", vacuum=5)
        np.testing.assert_allclose(section["cell"], [11.514, 10, 10.586])
        np.testing.assert_allclose(section["positions"], [[0, 0, -0.293], [0.757, 0, 0.293], [-0.757, 0, 0.293]], atol=1e-12)
        self.assertEqual((section["boundary"], section["spacing"]), ("isolated", "0.3 angstrom"))

    def test_mistakes_are_named(self):
        self.fails(suite.InvalidArgument, "the structure has no cell; vacuum=... makes one", structures.system, WATER)
        self.fails(suite.InvalidArgument, "str is no structure", structures.molecule, "water")
        self.fails(suite.InvalidArgument, "the section has no elements and positions", structures.to_ase, {"molecule": {"xyz": "water.xyz"}})
        self.fails(suite.InvalidArgument, "the section's unit is None", structures.to_ase, {"elements": ["H"], "positions": [[0, 0, 0]]})

    @needs("yaml", "ase")
    def test_inputs_of_the_suite_are_read(self):
        atoms = structures.to_ase(structures.read_input(INPUTS / "silicon8.yaml"))
        self.assertEqual(atoms.get_chemical_formula(), "Si8")
        self.assertTrue(atoms.pbc.all())
        distances = atoms.get_all_distances(mic=True)
        self.assertAlmostEqual(np.min(distances[distances > 0]), 2.35, 1)
        self.assertAlmostEqual(structures.to_ase(structures.read_input(INPUTS / "na2.yaml")).get_distance(0, 1), 3.0788, 3)


@needs("ase")
class Ase(Case):
    def test_there_and_back(self):
        import ase.build

        water = ase.build.molecule("H2O")
        again = structures.to_ase({"molecule": structures.molecule(water)})
        self.assertEqual(again.get_chemical_symbols(), water.get_chemical_symbols())
        np.testing.assert_allclose(again.positions, water.positions, atol=1e-11)
        crystal = ase.build.bulk("Si", cubic=True)
        again = structures.to_ase({"system": structures.system(crystal)})
        self.assertTrue(again.pbc.all())
        np.testing.assert_allclose(again.cell, crystal.cell)
        difference = again.get_scaled_positions() - crystal.get_scaled_positions()
        np.testing.assert_allclose(difference, np.round(difference), atol=1e-9)

    def test_charge_and_spin_there_and_back(self):
        import ase.build

        oxygen = ase.build.molecule("O2")  # with initial magnetic moments 1, 1
        self.assertEqual(structures.molecule(oxygen)["spin"], 2)
        self.assertEqual(structures.system(oxygen, "0.3 angstrom", vacuum=4)["spin"], 2)
        self.assertNotIn("spin", structures.molecule(oxygen, spin=0))
        oxygen.set_initial_charges([0.5, 0.5])
        oxygen.set_initial_magnetic_moments([-1, 0])
        section = structures.molecule(oxygen)
        self.assertEqual((section["charge"], section["spin"]), (1, 1))
        self.assertEqual(structures.molecule(structures.to_ase({"molecule": section})), section)
        self.assertEqual(structures.molecule(oxygen, charge=-1, spin=3, atom_charges=True),
                         {**section, "charge": -1, "spin": 3, "atom_charges": True})
        section = structures.system(oxygen, vacuum=4)
        self.assertEqual(structures.system(structures.to_ase({"system": section})), section)
        oxygen.set_initial_charges([0.3, 0])
        self.fails(suite.InvalidArgument, "the initial charges of the structure add up to 0.3, which is no whole number; charge=...",
                   structures.molecule, oxygen)
        oxygen.set_initial_charges([0, 0])
        oxygen.set_initial_magnetic_moments([0.7, 0.8])
        self.fails(suite.InvalidArgument, "add up to 1.5, which is no whole number; spin=... says", structures.molecule, oxygen)
        vectors = ase.Atoms("H2", magmoms=[[0, 0, 1], [1, 0, 0]])
        self.fails(suite.InvalidArgument, "the initial magnetic moments are vectors", structures.molecule, vectors)

    def test_what_the_apps_do_not_compute_is_refused(self):
        import ase.build

        self.fails(suite.InvalidArgument, "tddft needs an orthorhombic cell along x, y and z", structures.system, ase.build.bulk("Si"))
        self.fails(suite.InvalidArgument, "the structure is periodic; set pbc to False", structures.molecule, ase.build.bulk("Si"))
        self.fails(suite.InvalidArgument, "periodic in some directions only", structures.system, ase.Atoms("Si", cell=[5, 5, 5], pbc=[True, True, False]))

    @needs("h5py")
    def test_a_crystal_of_wavefunctions(self):
        import ase

        numbers, positions, cell = structures.crystal(INPUTS / "data" / "silicon" / "WFN_inner.h5")
        silicon = ase.Atoms(numbers, positions, cell=cell, pbc=True)
        self.assertEqual(silicon.get_chemical_formula(), "Si2")
        self.assertAlmostEqual(silicon.get_distance(0, 1, mic=True), 2.35, 2)
        self.fails(suite.FileError, "cannot read the crystal of", structures.crystal, __file__)


@needs("pymatgen")
class Pymatgen(Case):
    def test_there_and_back(self):
        from pymatgen.core import Lattice, Molecule, Structure

        water = Molecule([e for e, _ in WATER], [p for _, p in WATER], charge=0)
        self.assertEqual(structures.molecule(water), structures.molecule(WATER))
        again = structures.to_pymatgen({"molecule": structures.molecule(WATER)})
        np.testing.assert_allclose(again.cart_coords, water.cart_coords, atol=1e-12)
        shared = Structure(Lattice.cubic(4), [{"Na": 0.5, "H": 0.5}], [[0, 0, 0]])
        self.fails(suite.InvalidArgument, "sites that elements share", structures.system, shared)
        triplet = Molecule(["O", "O"], [(0, 0, 0), (0, 0, 1.2)], spin_multiplicity=3)
        self.assertEqual(structures.molecule(triplet)["spin"], 2)
        self.assertEqual(structures.to_pymatgen({"molecule": structures.molecule(triplet)}).spin_multiplicity, 3)
        silicon = Structure(Lattice.cubic(5.43), ["Si"] * 2, [[0, 0, 0], [0.25, 0.25, 0.25]])
        again = structures.to_pymatgen({"system": structures.system(silicon, "0.25 angstrom")})
        self.assertAlmostEqual(again.get_distance(0, 1), silicon.get_distance(0, 1), 9)
        self.assertEqual(again.lattice, silicon.lattice)


if __name__ == "__main__":
    unittest.main()
