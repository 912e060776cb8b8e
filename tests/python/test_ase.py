# SPDX-License-Identifier: BSD-3-Clause
"""ASE's calculators: energies and polarizabilities are those of the program, in ASE's units."""
import unittest

import numpy as np

import suite
from support import INPUTS, Case, needs

APPS = suite.version()["apps"]


@needs("ase")
@unittest.skipUnless("dfpt" in APPS, "this build has no app dfpt")
class Dfpt(Case):
    def setUp(self):
        super().setUp()
        import ase
        import suite.ase

        bohr = suite._units.BOHR_ANGSTROM
        self.hydrogen = ase.Atoms("H2", [(0, 0, 0.7 * bohr), (0, 0, -0.7 * bohr)])
        # As inputs/validation/dfpt.yaml has it: NWChem's numbers in cc-pVDZ.
        basis = {"kind": "gaussian", "file": str(INPUTS / "data" / "basis" / "cc-pvdz.nw")}
        self.hydrogen.calc = suite.ase.Dfpt(basis=basis, threads=1, directory="calc")

    def test_energy_and_polarizability_are_those_of_nwchem(self):
        import ase.units

        energy = self.hydrogen.get_potential_energy()
        self.assertLessEqual(abs(energy / suite._units.HARTREE_EV + 1.131295066303), 1e-5)
        self.assertLessEqual(abs(energy / ase.units.Ha + 1.131295066303), 1e-5)
        alpha = self.hydrogen.calc.get_polarizability(self.hydrogen) / suite._units.BOHR_ANGSTROM**3
        self.assertLessEqual(abs(alpha - np.diag([1.1709046, 1.1709046, 6.7935451])).max(), 0.0014)
        np.testing.assert_allclose(self.hydrogen.get_dipole_moment(), 0, atol=1e-9)
        self.assertEqual(sorted(p.name for p in (self.folder / "calc").iterdir()), ["dfpt-1", "dfpt-2"])
        self.assertIsInstance(self.hydrogen.calc.last_run, suite.Run)

    def test_nothing_is_computed_twice(self):
        calc = self.hydrogen.calc
        calc.get_polarizability(self.hydrogen)
        first = calc.last_run
        self.hydrogen.get_potential_energy()
        self.assertIs(calc.last_run, first)
        self.hydrogen.positions[0, 2] += 0.01
        self.hydrogen.get_potential_energy()
        self.assertIsNot(calc.last_run, first)

    def test_charge_and_spin_are_those_of_the_atoms_or_the_calculator(self):
        import ase
        import suite.ase

        basis = {"kind": "gaussian", "file": str(INPUTS / "data" / "basis" / "cc-pvdz.nw")}
        section = {"unit": "angstrom", "elements": ["H", "H"], "positions": [[0, 0, 0], [0, 0, 1.2]]}
        wanted = {spin: suite.run({"app": "dfpt", "molecule": {**section, **more}, "basis": basis, "calculation": "ground_state"},
                                  threads=1).total_energy.to("eV")
                  for spin, more in (("ion", {"charge": 1, "spin": 1}), ("triplet", {"spin": 2}), ("singlet", {}))}
        self.assertGreater(wanted["triplet"] - wanted["singlet"], 1)

        def energy(charges=None, magmoms=None, **keys):
            atoms = ase.Atoms("H2", [(0, 0, 0), (0, 0, 1.2)], charges=charges, magmoms=magmoms)
            atoms.calc = suite.ase.Dfpt(basis=basis, threads=1, directory="calc", **keys)
            return atoms.get_potential_energy()
        for kind, found in (("ion", energy(charges=[0.5, 0.5], magmoms=[1, 0])), ("ion", energy(charge=1, spin=1)),
                            ("ion", energy(molecule={"charge": 1, "spin": 1})), ("triplet", energy(magmoms=[-1, -1])),
                            ("triplet", energy(molecule={"spin": 2})), ("singlet", energy(magmoms=[1, 1], spin=0)),
                            ("singlet", energy(magmoms=[1, -1]))):
            self.assertTrue(abs(found - wanted[kind]) <= 1e-6, (kind, found, wanted))

    def test_a_changed_spin_is_another_calculation(self):
        self.hydrogen.positions[0, 2] += 0.5
        singlet = self.hydrogen.get_potential_energy()
        self.hydrogen.set_initial_magnetic_moments([1, 1])
        self.assertGreater(self.hydrogen.get_potential_energy() - singlet, 1)

    def test_forces_are_said_to_be_missing(self):
        from ase.calculators.calculator import PropertyNotImplementedError

        self.fails(PropertyNotImplementedError, "forces", self.hydrogen.get_forces)

    def test_a_mistake_is_the_programs_sentence(self):
        self.hydrogen.calc.parameters["basis"] = {"teir": 1}
        self.fails(suite.InputError, "unknown key 'teir' in 'basis'; did you mean 'tier'?", self.hydrogen.get_potential_energy)


@needs("ase")
@unittest.skipUnless("tddft" in APPS, "this build has no app tddft")
class Tddft(Case):
    def test_energy_and_spectrum_are_those_of_the_program(self):
        import ase
        import suite.ase

        atoms = ase.Atoms("He", [(1, 2, 3)])
        atoms.calc = suite.ase.Tddft(spacing=0.4, vacuum=2.0, duration=0.3, threads=1, directory="calc", excitation={"all_directions": False})
        energy = atoms.get_potential_energy()
        document = {"app": "tddft", "system": {"unit": "angstrom", "cell": [4, 4, 4], "spacing": "0.4 angstrom", "elements": ["He"], "positions": [[0, 0, 0]]},
                    "propagation": {"duration": "0.3 fs"}}
        run = suite.run(document, threads=1)
        self.assertLessEqual(abs(energy - run.ground_state.total_energy.to("eV")), 1e-9 * abs(energy))
        energies, strengths = atoms.calc.get_spectrum(atoms)
        np.testing.assert_allclose(strengths, run.columns("spectrum.dat")["S (1/eV)"])
        self.assertEqual(energies[1] - energies[0], 0.01)
        self.assertEqual(len(atoms.calc.get_excitations(atoms)), len(run.peaks))


if __name__ == "__main__":
    unittest.main()
