# SPDX-License-Identifier: BSD-3-Clause
"""What ASE reads from files/ is what expected.json says, with which structure_test.cpp compares our own readers.

Run with SUITE_UPDATE=1 to write expected.json. Without ASE (pip install ase) nothing is compared, and the test says so."""
import json
import os
import pathlib
import unittest

try:
    import ase
    import ase.io
except ImportError:
    ase = None

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected.json"
FORMATS = {".cif": "cif", ".vasp": "vasp", ".xyz": "xyz", ".extxyz": "extxyz", ".in": "espresso-in", ".pwi": "espresso-in"}


def read(file):
    atoms = ase.io.read(file, format=FORMATS.get(file.suffix, "vasp"))
    return {"elements": atoms.get_chemical_symbols(), "positions": atoms.positions.tolist(), "cell": atoms.cell.tolist() if atoms.cell.rank == 3 else None}


@unittest.skipIf(ase is None, "SKIPPED: ASE is not installed (pip install ase); expected.json holds what it read when it was made")
class Ase(unittest.TestCase):
    def test_expected_structures_are_those_of_ase(self):
        found = {file.name: read(file) for file in sorted((HERE / "files").iterdir())}
        if os.environ.get("SUITE_UPDATE") == "1":
            EXPECTED.write_text(json.dumps({"ase": ase.__version__, "structures": found}, indent=1) + "\n")
        stored = json.loads(EXPECTED.read_text())["structures"]
        self.assertEqual(sorted(found), sorted(stored))
        for name, structure in found.items():
            self.assertEqual(structure["elements"], stored[name]["elements"], name)
            self.assertEqual(structure["cell"] is None, stored[name]["cell"] is None, name)
            for ours, theirs in zip(structure["positions"] + (structure["cell"] or []), stored[name]["positions"] + (stored[name]["cell"] or [])):
                for a, b in zip(ours, theirs):
                    self.assertLess(abs(a - b), 1e-6, name)
