# SPDX-License-Identifier: BSD-3-Clause
"""Structures from files in inputs of the apps: the same system as with 'elements' and 'positions', and mistakes with their place."""
import json
import pathlib
import unittest

from suite_program import Case, HERE, suite

APPS = json.loads(suite("version", "--json").stdout)["apps"]
FILES = HERE.parent / "structures" / "files"
CRYSTAL = "app: tddft\nsystem: {{boundary: periodic, spacing: 1.0 bohr, structure: {}}}\npropagation: {{duration: 0 fs}}\n"
MOLECULE = "app: tddft\nsystem: {{spacing: 0.5 bohr, structure: {}}}\npropagation: {{duration: 0 fs}}\n"


def needs(app):
    return unittest.skipUnless(app in APPS, f"SKIPPED: the app {app} is not in this build")


class Structures(Case):
    def checked(self, text, code=0):
        self.write("in.yaml", text)
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def started(self, app, name, source, lines):
        """suite init --from writes an input with these lines, which suite check takes without a warning."""
        done = suite("init", app, name, "--from", source, folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (self.folder / name).read_text()
        for line in lines:
            self.assertIn(line, text)
        done = suite("check", name, folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @needs("tddft")
    def test_a_crystal_and_its_cell(self):
        described = self.checked(CRYSTAL.format(FILES / "silicon.cif")).stdout
        positions = [[0, 0, 0], [.25, .25, .25], [.5, 0, .5], [0, .5, .5], [.5, .5, 0], [.75, .25, .75], [.25, .75, .75], [.75, .75, .25]]
        listed = [[5.4307 * x for x in row] for row in positions]
        inline = (f"app: tddft\nsystem: {{boundary: periodic, spacing: 1.0 bohr, unit: angstrom, cell: [5.4307, 5.4307, 5.4307], elements: {['Si'] * 8}, "
                  f"positions: {listed}}}\npropagation: {{duration: 0 fs}}\n").replace("'", "")
        self.assertEqual(described, self.checked(inline).stdout)

    @needs("tddft")
    def test_a_molecule_is_moved_to_the_centre(self):
        box = self.checked(MOLECULE.format(FILES / "POSCAR")).stdout
        self.assertIn("OH2, 8 electrons, isolated", box)
        self.assertIn("missing key 'cell' in 'system'", self.checked(MOLECULE.format(FILES / "water.xyz"), 2).stderr)
        self.checked(MOLECULE.format(FILES / "water.xyz").replace("system: {", "system: {cell: [10, 10, 12 bohr], "))

    @needs("tddft")
    def test_what_does_not_fit_is_refused(self):
        self.assertIn("in.yaml:2:60: error: the cell in this file is not orthorhombic with its edges along x, y and z; a conventional cell may be\n",
                      self.checked(CRYSTAL.format(FILES / "CONTCAR_volume"), 2).stderr)
        self.assertIn("no pseudopotential for 'Ga' (built in: ", self.checked(CRYSTAL.format(FILES / "gallium_arsenide.vasp"), 2).stderr)
        both = CRYSTAL.format(FILES / "silicon.cif").replace("system: {", "system: {cell: [5, 5, 5 bohr], elements: [Si], ")
        done = self.checked(both, 2).stderr
        self.assertIn("'structure' already specifies the cell of the crystal; remove one of them", done)
        self.assertIn("'structure' already specifies this; remove one of them", done)

    @needs("dfpt")
    def test_molecules_of_dfpt(self):
        inline = "app: dfpt\nmolecule: {unit: angstrom, elements: [O, H, H], positions: [[0, 0, 0.1173], [0, 0.7572, -0.4692], [0, -0.7572, -0.4692]]}\n"
        described = self.checked(inline).stdout
        done = self.checked(f"app: dfpt\nmolecule: {{structure: {FILES / 'water.xyz'}}}\n")
        self.assertEqual((done.stdout, done.stderr), (described, ""))
        former = self.checked(f"app: dfpt\nmolecule: {{xyz: {FILES / 'water.xyz'}}}\n")
        self.assertEqual(former.stdout, described)
        self.assertIn("in.yaml:2:17: warning: 'xyz' is now called 'structure'\n", former.stderr)
        boxed = self.checked(f"app: dfpt\nmolecule: {{structure: {FILES / 'POSCAR'}}}\n")
        self.assertIn("warning: the cell in this file is not used: its 3 atoms are computed as a molecule in empty space; 'crystal.kpoints' makes a crystal of them\n", boxed.stderr)

    @needs("dfpt")
    def test_crystals_of_dfpt(self):
        described = self.checked("app: dfpt\nmolecule: {unit: angstrom, elements: [Si, Si], positions: [[0, 0, 0], [1.3575, 1.3575, 1.3575]]}\n"
                                 "crystal: {unit: angstrom, lattice: [[0, 2.715, 2.715], [2.715, 0, 2.715], [2.715, 2.715, 0]], kpoints: [3, 2, 4]}\n").stdout
        self.assertIn("crystal, in its cell Si2, 2 atoms", described)
        self.write("primitive.poscar", "silicon\n5.43\n0 .5 .5\n.5 0 .5\n.5 .5 0\nSi\n2\ndirect\n0 0 0\n.25 .25 .25\n")
        from_file = "app: dfpt\nmolecule: {structure: primitive.poscar}\ncrystal: {kpoints: [3, 2, 4]}\n"
        done = self.checked(from_file)
        self.assertEqual((done.stdout, done.stderr), (described, ""))
        # Lattice vectors of the input go before those of the file: a chain here.
        chain = self.checked(from_file.replace("{kpoints: [3, 2, 4]}", "{lattice: [[0, 0, 20 bohr]], kpoints: [2, 1, 1]}"))
        self.assertIn("chain, in its period", chain.stdout)
        self.assertIn("which 'lattice' makes of a molecule", self.checked(from_file.replace("primitive.poscar", str(FILES / "water.xyz")), 2).stderr)
        self.assertIn("'charge' must be 0", self.checked(from_file.replace("{structure", "{charge: 1, structure"), 2).stderr)

    @needs("dfpt")
    def test_inputs_of_dfpt_from_files(self):
        self.write("sodium hydride.xyz", "2\n\nNa 0 0 0\nH 0.3 1.1 1.5\n")
        self.write("no.xyz", "2\n\nN 0 0 0\nO 0 0 1.15\n")
        self.write("gold.xyz", "1\n\nAu 0 0 0\n")
        for name, source, lines in (("a", "sodium hydride.xyz", ("title: HNa, from sodium hydride.xyz", 'structure: "sodium hydride.xyz"', "species: {Na: Na.yaml}")),
                                    ("b", "no.xyz", ("spin: 1", "# kpoints:")), ("c", FILES / "silicon.cif", ("title: Si8, from silicon.cif", "kpoints: [4, 4, 4]"))):
            with self.subTest(source):
                self.started("dfpt", f"{name}.yaml", source, lines)
        self.assertIn("basis    numeric orbitals, tier 1, light grids, Na of ", suite("check", "a.yaml", folder=self.folder).stdout)
        done = suite("init", "dfpt", "d.yaml", "--from", "sodium hydride.xyz", folder=self.folder)
        self.assertIn("'Na.yaml' exists and is not overwritten", done.stderr)
        done = suite("init", "dfpt", "d.yaml", "--from", "gold.xyz", folder=self.folder)
        self.assertIn("gold.xyz: Au is beyond the elements of this non-relativistic app, H to Kr", done.stderr)
        self.assertFalse((self.folder / "d.yaml").exists())

    @needs("tddft")
    def test_inputs_of_tddft_from_files(self):
        self.write("alh.xyz", "2\n\nAl 0 0 0\nH 0 0 1.65\n")
        for name, source, lines in (("a", FILES / "water.xyz", ("title: H2O, from water.xyz", "cell: [14, 16, 15 angstrom]", "spacing: 0.35 bohr",
                                                            "all_directions: true")),
                                    ("b", FILES / "silicon.cif", ("boundary: periodic", "kpoints: [2, 2, 2]"))):
            with self.subTest(source):
                self.started("tddft", f"{name}.yaml", source, lines)
        suite("init", "tddft", "c.yaml", "--from", "alh.xyz", folder=self.folder)
        self.assertIn("the pseudopotential names a file that does not exist: 'Al.UPF'", suite("check", "c.yaml", folder=self.folder).stderr)
        done = suite("init", "tddft", "d.yaml", "--from", FILES / "CONTCAR_volume", folder=self.folder)
        self.assertIn("the cell is not orthorhombic with its edges along x, y and z", done.stderr)

    @needs("dfpt")
    def test_mistakes_are_told_where_they_are(self):
        text = (FILES / "water.xyz").read_text()
        for wrong, message in ((text[:40], "water.xyz:4:1: error: coordinate y is missing"), (text.replace("0.7572", "nan"), "water.xyz:4:10: error: coordinate y must be a number; got 'nan'"),
                               (text.replace("3\n", "-3\n", 1), "water.xyz:1:1: error: the number of atoms in the first line must be 1..100000; got '-3'"),
                               ("\0" * 100, "water.xyz: error: a NUL byte; this is not a text file")):
            self.write("water.xyz", wrong)
            self.assertTrue(self.checked("app: dfpt\nmolecule: {structure: water.xyz}\n", 2).stderr.startswith(message), message)
        self.write("water.pdb", text)
        self.assertIn("water.pdb: error: unknown format of a structure", self.checked("app: dfpt\nmolecule: {structure: water.pdb}\n", 2).stderr)
        self.assertIn("'structure' names a file that does not exist: 'watr.pdb'; did you mean 'water.pdb'?",
                      self.checked("app: dfpt\nmolecule: {structure: watr.pdb}\n", 2).stderr)
