# SPDX-License-Identifier: BSD-3-Clause
"""Molecules with species files as 'suite init dfpt --species' writes them, beside Gaussians near the basis-set limit."""
import json
import math
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from suite_program import Case, suite  # noqa: E402

BUILT_IN = ("H", "B", "C", "N", "O", "Si")


def pyramid(centre, distance, angle):
    """Three H at this distance (angstrom), with this angle (degrees) between any two; 120 is a plane."""
    across = 2 / math.sqrt(3) * math.sin(math.radians(angle) / 2)
    up = math.sqrt(max(0.0, 1 - across * across))
    return [(centre, (0, 0, 0))] + [("H", (distance * across * math.cos(t), distance * across * math.sin(t), distance * up))
                                    for t in (0, 2 * math.pi / 3, 4 * math.pi / 3)]


def bent(centre, distance, angle):
    x, z = distance * math.sin(math.radians(angle) / 2), distance * math.cos(math.radians(angle) / 2)
    return [(centre, (0, 0, 0)), ("H", (x, 0, z)), ("H", (-x, 0, z))]


def line(*atoms):
    return [(element, (0, 0, z)) for element, z in atoms]


# Atoms (angstrom), onset of the confinement (angstrom), Ha and mean bohr^3 of PySCF 2.14 in aug-pcseg-3, PW92.
MOLECULES = {
    "LiH": (line(("Li", 0), ("H", 1.5949)), 7, -7.918724, 34.2114),
    "BH3": (pyramid("B", 1.19, 120), 6, -26.275045, 18.6341),
    "NaH": (line(("Na", 0), ("H", 1.884)), 7, -161.998781, 50.1636),
    "MgH2": (line(("Mg", 0), ("H", 1.7033), ("H", -1.7033)), 7, -200.268287, 38.3912),
    "H2S": (bent("S", 1.3356, 92.12), 6, -398.023104, 26.1353),
    "HCl": (line(("Cl", 0), ("H", 1.2746)), 6, -459.332436, 18.5339),
    "NaCl": (line(("Na", 0), ("Cl", 2.3609)), 7, -620.269234, 36.2947),
    "HBr": (line(("Br", 0), ("H", 1.4144)), 6, -2571.255202, 25.2682),
    "ZnH2": (line(("Zn", 0), ("H", 1.5241), ("H", -1.5241)), 6, -1777.703073, 30.8966),
    "KF": (line(("K", 0), ("F", 2.1715)), 7, -697.526431, 21.2733),
}

# Of the mean polarizability: the Gaussians' own error is not smaller. From aug-pcseg-2 to aug-pcseg-3 they change by up to 0.8 %, and for LiH
# aug-pc-3 differs from the latter by 0.1 %.
AGREES = 0.003


class ByTheRule(Case):
    def ground_state_and_response(self, atoms, tier, onset):
        elements = sorted({element for element, _ in atoms} - set(BUILT_IN))
        for element in elements:
            if not (self.folder / f"{element}.yaml").exists():
                self.assertEqual(suite("init", "dfpt", "--species", element, folder=self.folder).returncode, 0)
        positions = ", ".join("[%.10f, %.10f, %.10f]" % place for _, place in atoms)
        species = ", ".join(f"{element}: {element}.yaml" for element in elements)
        self.write("in.yaml", f"app: dfpt\nmolecule: {{unit: angstrom, elements: [{', '.join(e for e, _ in atoms)}], positions: [{positions}]}}\n"
                   f"basis: {{level: tight, tier: {tier}, onset: {onset} angstrom, species: {{{species}}}}}\n")
        out = self.folder / f"tier_{tier}"
        done = suite("run", "in.yaml", "--output", out, folder=self.folder, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads((out / "result.json").read_text())["results"]
        return results["total_energy_Ha"], results["isotropic_bohr3"]

    def is_at_the_limit(self, name, energy, mean):
        _, _, limit_Ha, limit = MOLECULES[name]
        # Shells of free atoms are exact here and contracted in aug-pcseg-3, so that energies are lower: by 0.1 (BH3) to 4.2 mHa (NaCl).
        self.assertTrue(limit_Ha - 0.006 < energy < limit_Ha, f"{energy} beside {limit_Ha} Ha")
        self.assertTrue(abs(mean / limit - 1) <= AGREES, f"{mean} beside {limit} bohr^3")


class LithiumHydride(ByTheRule):
    def test_is_at_the_limit(self):
        atoms, onset, _, _ = MOLECULES["LiH"]
        self.is_at_the_limit("LiH", *self.ground_state_and_response(atoms, 3, onset))


class Molecules(ByTheRule):
    def approaches_the_limit(self, name):
        atoms, onset, _, _ = MOLECULES[name]
        energies = []
        for tier in (1, 2, 3):
            energy, mean = self.ground_state_and_response(atoms, tier, onset)
            energies.append(energy)
        self.assertGreater(energies[0], energies[1])
        self.assertGreater(energies[1], energies[2])
        self.is_at_the_limit(name, energies[2], mean)


for molecule in MOLECULES:
    setattr(Molecules, f"test_{molecule}", lambda self, molecule=molecule: self.approaches_the_limit(molecule))


if __name__ == "__main__":
    unittest.main()
