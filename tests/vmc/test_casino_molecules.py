# SPDX-License-Identifier: BSD-3-Clause
"""Atoms and molecules from CASINO's files as users of the vmc app meet them."""
import unittest

import casino_folder
from test_run import Runs
from suite_program import Case, INPUTS, suite

FILES = INPUTS / "data" / "molecules"
SHORT = "vmc: {walkers: 4, equilibration: 100, steps: 8}\n"


class Folders(Runs):
    def run_trexio(self, name, more=""):
        return self.run_input(f"app: vmc\nsystem: {{trexio: {FILES}/{name}.h5}}\njastrow: {{type: slater}}\n{SHORT}{more}")[1]["results"]

    def run_folder(self, name, up, down, *arguments, options=None, **keywords):
        casino_folder.write(self.folder / "casino", FILES / f"{name}.h5", up, down, options, **keywords)
        return self.run_input(f"app: vmc\nsystem: {{casino_input: casino/input}}\n{SHORT}", *arguments)

    def write_potentials(self, unit):
        folder = self.folder / "casino"
        folder.mkdir(exist_ok=True)
        for element, nucleus in (("o", 0), ("h", 1)):
            (folder / f"{element}_pp.data").write_text(casino_folder.potential(FILES / "h2o_ccecp.h5", nucleus, unit))

    def expect_same(self, found, expected, relative):
        for name, part in expected["components"].items():
            self.assertLess(abs(found["components"][name]["mean_Ha"] - part["mean_Ha"]), relative * (1 + abs(part["mean_Ha"])), name)
        self.assertEqual(found["acceptance"], expected["acceptance"])

    def test_the_walk_is_that_of_the_same_molecule_from_trexio(self):
        expected = self.run_trexio("h2o")
        for options in ({}, {"sp": True}, {"unrestricted": True}):
            with self.subTest(options):
                _, found = self.run_folder("h2o", 5, 5, options=options)
                self.expect_same(found["results"], expected, 1e-9)

    def test_tabulated_pseudopotentials_are_those_of_trexio(self):
        expected = self.run_trexio("h2o_ccecp")
        for unit in ("rydberg", "hartree"):
            self.write_potentials(unit)
            _, found = self.run_folder("h2o_ccecp", 4, 4)
            self.expect_same(found["results"], expected, 1e-5)
            self.assertNotEqual(found["results"]["components"]["non-local"]["mean_Ha"], 0)

    def test_t_moves_by_tables_are_those_of_trexio(self):
        short = "vmc: {walkers: 8, equilibration: 100}\ndmc: {walkers: 8, time_steps: [0.05 hbar/Ha], equilibration: 2, steps: 10"
        energies = {}
        self.write_potentials("hartree")
        for moves in ("T", "F"):
            casino_folder.write(self.folder / "casino", FILES / "h2o_ccecp.h5", 4, 4, runtype="vmc_dmc", use_tmove=moves)
            _, found = self.run_input(f"app: vmc\nsystem: {{casino_input: casino/input}}\n{short}}}\n")
            self.assertIn("use_tmove", found["results"]["casino_input"]["used"])
            key = f", t_moves: {'true' if moves == 'T' else 'false'}"
            _, same = self.run_input(f"app: vmc\nmethod: dmc\nsystem: {{trexio: {FILES}/h2o_ccecp.h5}}\njastrow: {{type: slater}}\n{short}{key}}}\n")
            energies[moves] = found["results"]["energy_Ha"]
            self.assertLess(abs(energies[moves] - same["results"]["energy_Ha"]), 1e-3)
        self.assertGreater(abs(energies["T"] - energies["F"]), 1e-2)

    def test_keywords_act_or_are_refused(self):
        _, result = self.run_folder("be", 2, 2, runtype="vmc", vmc_method=3, vmc_decorr_period=0, cusp_correction="F", cusp_info="T",
                                    dtvmc=0.1)
        casino = result["results"]["casino_input"]
        self.assertEqual(casino["used"], ["runtype", "use_jastrow", "cusp_correction", "dtvmc"])
        self.assertEqual(casino["ignored"], ["vmc_method", "vmc_decorr_period", "cusp_info"])
        for keyword, value, sentence in (("backflow", "T", "backflow is not supported"), ("periodic", "T", "appears twice"),
                                         ("interaction", "mpc", "it must be coulomb"), ("non_local_grid", 2, "must be 3..7")):
            casino_folder.write(self.folder / "casino", FILES / "be.h5", 2, 2, **({} if keyword == "periodic" else {keyword: value}))
            if keyword == "periodic":
                with open(self.folder / "casino" / "input", "a") as file:
                    file.write("periodic : T\n")
            self.write("in.yaml", "app: vmc\nsystem: {casino_input: casino/input}\n")
            done = suite("check", "in.yaml", folder=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)

    def test_what_an_optimisation_writes_is_read_again(self):
        casino_folder.write(self.folder / "casino", FILES / "h2o.h5", 5, 5)
        content = "app: vmc\nmethod: optimise\nsystem: {casino_input: casino/input}\n" \
                  "jastrow: {type: slater_jastrow, order: 3, sets: 1}\nvmc: {walkers: 8, equilibration: 100}\n" \
                  "optimise: {cycles: 1, configurations: 64}\n"
        folder, result = self.run_input(content)
        written = (folder / "correlation.data").read_text()
        for line in ("START CHI TERM", "Labels of the atoms in this set\n   2 3", "! beta_2,1,2"):
            self.assertIn(line, written)
        (self.folder / "casino" / "correlation.data").write_text(written)
        (self.folder / "casino" / "input").write_text(casino_folder.control(5, 5, use_jastrow="T", runtype="vmc_opt"))
        again, _ = self.run_input("app: vmc\nsystem: {casino_input: casino/input}\nvmc: {walkers: 8, equilibration: 100}\n"
                                  "optimise: {cycles: 1, configurations: 64, u: false, chi: true}\n")
        def u_term(text):
            return text[text.index("START U TERM"):text.index("END U TERM")]
        self.assertEqual(u_term((again / "correlation.data").read_text()), u_term(written))
        self.write("trexio.yaml", f"app: vmc\nsystem: {{trexio: {FILES}/h2o.h5}}\njastrow: {{file: {folder}/correlation.data}}\n")
        done = suite("check", "trexio.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("chi: 2 x 4 coefficients up to 4 bohr", done.stdout)

    def test_init_writes_inputs_for_files(self):
        casino_folder.write(self.folder / "casino", FILES / "be.h5", 2, 2)
        for source, line in ((FILES / "be.h5", "trexio: "), ("casino", "casino_input: \"casino/input\""), ("casino/input", "casino_input: ")):
            with self.subTest(source):
                (self.folder / "vmc.yaml").unlink(missing_ok=True)
                done = suite("init", "vmc", "--from", source, folder=self.folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                text = (self.folder / "vmc.yaml").read_text()
                self.assertIn(line, text)
                self.assertIn("title: Be, 4 electrons, from ", text)
                done = suite("check", "vmc.yaml", folder=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("molecule Be: 4 electrons", done.stdout)
        _, result = self.run_input(text, "--set", "vmc.walkers=4", "--set", "vmc.equilibration=100", "--set", "vmc.steps=4")
        self.assertEqual(result["status"], "ok")
        for arguments, code, sentence in ((["vmc", "a.yaml", "--from", "nothing.h5"], 3, "no file or folder 'nothing.h5'"),
                                          (["vmc", "a.yaml", "--from", "."], 3, "folder '.' has no file 'input' of CASINO"),
                                          (["vmc", "a.yaml", "--from", "casino", "--polyalanine", "50"], 2, "exclude each other")):
            done = suite("init", *arguments, folder=self.folder)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(sentence, done.stderr)
            self.assertFalse((self.folder / "a.yaml").exists())


class BadFiles(Case):
    """A gwfn.data or x_pp.data with one thing wrong: one sentence with its place, exit code 2."""

    def expect(self, file, what, instead, sentence):
        with self.subTest(sentence):
            folder = self.folder / "casino"
            casino_folder.write(folder, FILES / "h2o_ccecp.h5", 4, 4)
            for element, nucleus in (("o", 0), ("h", 1)):
                (folder / f"{element}_pp.data").write_text(casino_folder.potential(FILES / "h2o_ccecp.h5", nucleus))
            path = folder / file
            text = path.read_text()
            self.assertIn(what, text)
            path.write_text(text[:text.index(what)] if instead is None else text.replace(what, instead, 1))
            self.write("in.yaml", "app: vmc\nsystem: {casino_input: casino/input}\n")
            done = suite("check", "in.yaml", folder=self.folder)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(sentence, done.stderr)

    def test_what_is_wrong_is_named(self):
        def wave(what, instead, sentence):
            self.expect("gwfn.data", what, instead, sentence)

        wave("Periodicity:\n         0", "Periodicity:\n         3", "gwfn.data:12:10: error: the system is periodic")
        wave("    .false.", "    maybe", "'Spin unrestricted' must be .true. or .false.; got 'maybe'")
        wave("primitive cell:\n         8", "primitive cell:\n         9", "the orbitals are of 9 electrons, but neu is 4 and ned is 4")
        wave("Number of atoms", "Numbers of atom", "there is no line 'number of atoms'")
        wave("         8         1         1\n", "         8       119         1\n", "the atomic number 119 is that of no element")
        wave(" 1.4309000000000E+00-8.8670", " 0.0000000000000E+00 2.2070", "nuclei 1 (O) and 2 (H) are ")
        wave("Code for shell types (s/sp/p/d/f... 1/2/3/4/5...)\n         1", "Code for shell types (s/sp/p/d/f... 1/2/3/4/5...)\n         7",
             "codes of shells (1 s, 2 sp, 3 p, 4 d, 5 f, 6 g) must be 1..6; got '7'")
        wave("\nGS\n", "\nMD\n", "one determinant of the lowest orbitals (GS) is read; got 'MD'")
        wave("ORBITAL COEFFICIENTS", None, "there is no line 'orbital coefficients'")
        wave("Position of each shell", None, "there is no line 'position of each shell'")
        self.expect("input", "neu : 4", "neu : 3", "the orbitals are of 8 electrons, but neu is 3 and ned is 4")
        self.expect("input", "neu : 4", "# neu", "neu, the number of electrons with spin up, is missing")
        self.expect("input", ": gaussian", ": slater-type", "atom_basis_type is slater-type, but there is no ")
        self.expect("input", ": gaussian", ": numerical", "atom_basis_type numerical is not supported")
        self.expect("o_pp.data", "  8 6.0", "  7 6.0", "o_pp.data is of the atomic number 7, but the atom is O")
        self.expect("o_pp.data", "  8 6.0", "  8 4.0", "has the valence charge 6, but o_pp.data has the pseudo-charge 4")
        self.expect("o_pp.data", "\n0 0\n", "\n1 0\n", "NLRULE 1 is not supported")
        self.expect("o_pp.data", "rydberg\n", "kelvin\n", "must be rydberg, hartree or ev; got 'kelvin'")
        self.expect("o_pp.data", "r*potential (L=1)", None, "the local angular momentum is 1, but there are potentials up to 0")
        self.expect("o_pp.data", "\n2001\n", "\n2002\n", "there are 2001 of the 2002 distances")

    def test_orbitals_and_potentials_that_do_not_fit(self):
        folder = self.folder / "casino"
        casino_folder.write(folder, FILES / "h2o_ccecp.h5", 4, 4)
        self.write("in.yaml", "app: vmc\nsystem: {casino_input: casino/input}\n")
        self.assertIn("atom 1 (O) has the valence charge 6, but there is no o_pp.data",
                      suite("check", "in.yaml", folder=self.folder).stderr)
        casino_folder.write(folder, FILES / "be.h5", 2, 2)
        path = folder / "gwfn.data"
        text = path.read_text()
        head, orbitals = text.split("ORBITAL COEFFICIENTS\n------------------------\n")
        path.write_text(head + "ORBITAL COEFFICIENTS\n" + casino_folder.reals([2 * float(orbitals[20 * i:20 * i + 20]) for i in range(4)]) +
                        "\n".join(orbitals.split("\n")[1:]))
        self.assertIn("its orbitals are not orthonormal", suite("check", "in.yaml", folder=self.folder).stderr)
        path.write_text(text[:-200])
        self.assertIn("orbital coefficients; they must be 30 for each orbital", suite("check", "in.yaml", folder=self.folder).stderr)
        path.unlink()
        self.assertIn("atom_basis_type is gaussian, but there is no ", suite("check", "in.yaml", folder=self.folder).stderr)


if __name__ == "__main__":
    unittest.main()
