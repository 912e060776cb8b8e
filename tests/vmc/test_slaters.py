# SPDX-License-Identifier: BSD-3-Clause
"""Atoms in Slater functions, from TREXIO and from CASINO's stowfn.data, as users of the vmc app meet them."""
import math
import unittest

import slater_files
from test_run import LAUNCH, MPIEXEC, Runs, backends, physics
from suite_program import Case, suite

SHORT = "vmc: {walkers: 4, equilibration: 100, steps: 8}\n"
# Clementi, Roetti, Atomic Data and Nuclear Data Tables 14, 177 (1974), double zeta
PUBLISHED = {"He": -2.8616726, "Be": -14.572369, "Ne": -128.53511}


def laws(result):
    return {law["name"]: law["verdict"] for law in result["consistency"]}


class Slaters(Runs):
    def run_atom(self, name, *arguments, more=SHORT, jastrow="{type: slater}", method="vmc", **keywords):
        slater_files.write_trexio(self.folder / f"{name}.h5", name, **keywords)
        return self.run_input(f"app: vmc\nmethod: {method}\nsystem: {{trexio: {name}.h5}}\njastrow: {jastrow}\n{more}", *arguments)

    def test_determinants_have_the_energy_of_hartree_fock(self):
        for name, steps, error in (("He", 400, 0.01), ("Be", 400, 0.03), ("Ne", 1200, 0.05)):
            with self.subTest(name):
                energy, kinetic, _ = slater_files.hartree_fock(name)
                self.assertLess(abs(energy - PUBLISHED[name]), 1e-5)
                _, result = self.run_atom(name, more=f"vmc: {{walkers: 64, steps: {steps}, decorrelation: 10}}\n")
                results = result["results"]
                self.assertIn("qmc.orbitals_slater", {kernel["kernel"] for kernel in result["kernels"]})
                self.assertLess(results["error_Ha"], error)
                self.assertLess(abs(results["energy_Ha"] - energy), 3 * results["error_Ha"])
                part = results["components"]["KEI"]
                self.assertLess(abs(part["mean_Ha"] - kinetic), 3 * part["error_Ha"])
                self.assertEqual(laws(result)["kinetic energy of the determinants equals exact integrals"], "holds")
                self.assertEqual(set(laws(result).values()), {"holds"})

    def test_states_of_one_electron_have_no_variance(self):
        # hydrogen: 1s, 2p and 3d, of which one component is occupied
        for l, k in ((0, 0), (1, 2), (2, 1)):
            with self.subTest(l=l):
                n = l + 1
                one_of = [0.0] * (2 * l + 1)
                one_of[k] = 1.0
                _, result = self.run_atom(
                    "He", nucleus__charge=[1.0], nucleus__label=["H"], electron__num=1, electron__up_num=1, electron__dn_num=0, basis__prim_num=1,
                    basis__shell_num=1, basis__nucleus_index=[0], basis__shell_ang_mom=[l], basis__r_power=[0], basis__shell_index=[0],
                    basis__exponent=[1 / n], basis__coefficient=[1.0], basis__prim_factor=[slater_files.normalised(n, 1 / n)],
                    basis__shell_factor=[math.sqrt((2 * l + 1) / (4 * math.pi))], ao__num=2 * l + 1, ao__normalization=[1.0] * (2 * l + 1),
                    ao__shell=[0] * (2 * l + 1), mo__num=1, mo__coefficient=[one_of], mo__occupation=None,
                    more="vmc: {walkers: 16, steps: 50}\n")
                self.assertLess(abs(result["results"]["energy_Ha"] + 0.5 / n**2), 1e-12)
                self.assertLess(result["results"]["variance"], 1e-20)

    def test_a_contracted_shell_is_the_orbital_itself(self):
        _, expected = self.run_atom("He")
        _, found = self.run_atom("He", contracted=True)
        self.assertLess(abs(found["results"]["energy_Ha"] - expected["results"]["energy_Ha"]), 1e-10)
        self.assertEqual(found["results"]["acceptance"], expected["results"]["acceptance"])

    def test_stowfn_is_the_same_atom(self):
        for name in ("He", "Ne"):
            with self.subTest(name):
                _, expected = self.run_atom(name)
                slater_files.write_casino(self.folder / "casino", name)
                _, found = self.run_input(f"app: vmc\nsystem: {{casino_input: casino/input}}\n{SHORT}")
                self.assertLess(abs(found["results"]["energy_Ha"] - expected["results"]["energy_Ha"]), 1e-9)
                self.assertEqual(found["results"]["acceptance"], expected["results"]["acceptance"])

    def test_init_writes_an_input(self):
        slater_files.write_casino(self.folder / "casino", "Be")
        slater_files.write_trexio(self.folder / "Be.h5", "Be")
        for source in ("casino", "Be.h5"):
            done = suite("init", "vmc", f"{source}.yaml", "--from", source, folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = suite("check", f"{source}.yaml", folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("4 Slater functions, cusps at the nuclei off by at most", done.stdout)

    def test_diffusion_and_optimisation(self):
        _, result = self.run_atom("Be", method="dmc", jastrow="{order: 4}", more=(
            "vmc: {walkers: 12, equilibration: 100}\ndmc: {time_steps: [0.005 hbar/Ha], walkers: 12, equilibration: 20, steps: 40}\n"))
        self.assertLess(abs(result["results"]["energy_Ha"] + 14.6), 0.3)
        _, result = self.run_atom("Be", method="optimise", jastrow="{order: 3, f_order: 2}",
                                  more="vmc: {walkers: 16, equilibration: 100}\noptimise: {cycles: 2, configurations: 1000}\n")
        self.assertLess(result["results"]["energy_Ha"], PUBLISHED["Be"])

    def test_backends_walk_the_same_walk(self):
        _, expected = self.run_atom("Be", jastrow="{order: 3}")
        for backend in backends():
            with self.subTest(backend):
                _, found = self.run_atom("Be", "--backend", backend, jastrow="{order: 3}")
                self.assertLess(abs(found["results"]["energy_Ha"] - expected["results"]["energy_Ha"]), 1e-8)
                self.assertEqual(found["results"]["acceptance"], expected["results"]["acceptance"])

    @unittest.skipUnless(MPIEXEC, "without MPI there is one rank")
    def test_ranks_have_the_same_result(self):
        _, expected = self.run_atom("Be", jastrow="{order: 3}")
        slater_files.write_trexio(self.folder / "Be.h5", "Be")
        _, found = self.run_input(f"app: vmc\nmethod: vmc\nsystem: {{trexio: Be.h5}}\njastrow: {{order: 3}}\n{SHORT}", prefix=(MPIEXEC, "-n", "2"), environment=LAUNCH)
        self.assertEqual(physics(found), physics(expected))


class BadFiles(Case):
    def expect(self, sentence, **changes):
        slater_files.write_trexio(self.folder / "a.h5", "Be", **changes)
        self.write("in.yaml", "app: vmc\nsystem: {trexio: a.h5}\n")
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)

    def test_trexio(self):
        self.expect("its functions are of type 'Numerical'; it must be 'Gaussian' or 'Slater'", basis__type="Numerical")
        self.expect("basis_r_power: number 3 is 9; it must be from 0 to 8", basis__r_power=[0, 0, 9, 1])
        self.expect("basis_r_power: number 3 is 1; it must be from 0 to 0", basis__type="Gaussian")
        self.expect("its orbitals are not orthonormal", basis__r_power=[0, 0, 1, 0])
        self.expect("primitive 2 has the exponent 0", basis__exponent=[5.59108, 0.0, 1.01122, 0.61])

    def test_cusps_twice(self):
        slater_files.write_trexio(self.folder / "a.h5", "Be")
        for system, jastrow, sentence in (
                (", cusp_correction: true", "{type: slater}", "this is of Gaussian functions; Slater functions have cusps of their own"),
                ("", "{chi_cusp: true}", "the Slater functions of the orbitals have cusps at the nuclei already")):
            self.write("in.yaml", f"app: vmc\nsystem: {{trexio: a.h5{system}}}\njastrow: {jastrow}\n")
            self.assertIn(sentence, suite("check", "in.yaml", folder=self.folder).stderr)

    def test_stowfn(self):
        folder = self.folder / "casino"
        for what, instead, sentence in (
                ("Number of STO centres\n         1", "Number of STO centres\n         2", "there are 2 centres of Slater functions but 1 atoms"),
                ("Position of each centre (au)\n 1.0", "Position of each centre (au)\n 2.0", "centre 1 is not at its atom"),
                ("         1         1         3", "         1         2         3", "sp shells (code 2) are not read"),
                ("         0         0         1", "         0         0         9", "orders of radial prefactors must be 0..8; got '9'"),
                ("('AO')\n        10", "('AO')\n        11", "there are 11 basis functions, but the shells have 10"),
                ("Exponent in each STO shell", "Exponents", "there is no line 'exponent in each'"),
                ("('MO')\n         5", "('MO')\n         6", "there are 50 orbital coefficients; they must be 10 for each orbital"),
                ("\nGS\n", "\nMD\n", "one determinant of the lowest orbitals (GS) is read; got 'MD'")):
            with self.subTest(what):
                slater_files.write_casino(folder, "Ne")
                text = (folder / "stowfn.data").read_text()
                self.assertIn(what, text)
                (folder / "stowfn.data").write_text(text.replace(what, instead, 1))
                self.write("in.yaml", "app: vmc\nsystem: {casino_input: casino/input}\n")
                done = suite("check", "in.yaml", folder=self.folder)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(sentence, done.stderr)
                self.assertIn("stowfn.data:", done.stderr)

    def test_functions_whose_factors_are_not_known(self):
        folder = self.folder / "casino"
        slater_files.write_casino(folder, "He", f_coefficient=0.0)
        self.write("in.yaml", "app: vmc\nsystem: {casino_input: casino/input}\n")
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        slater_files.write_casino(folder, "He", f_coefficient=1e-3)
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertIn("orbital 1 has the coefficient 0.001 of function 3, of an f or g shell", done.stderr)

    def test_a_missing_file(self):
        folder = self.folder / "casino"
        slater_files.write_casino(folder, "He")
        (folder / "stowfn.data").unlink()
        self.write("in.yaml", "app: vmc\nsystem: {casino_input: casino/input}\n")
        self.assertIn("atom_basis_type is slater-type, but there is no", suite("check", "in.yaml", folder=self.folder).stderr)
