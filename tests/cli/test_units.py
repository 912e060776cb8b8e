# SPDX-License-Identifier: BSD-3-Clause
"""One rule of units in every app: dimensional values have one, others refuse it, and inputs older than the rule still work, with a warning."""
import json
import unittest

from suite_program import Case, SMALL_GW, suite

APPS = json.loads(suite("version", "--json").stdout)["apps"]
GAS = "app: vmc\nsystem:\n  rs: {rs}\n  electrons: 14\njastrow: {{stars: 0}}\nvmc: {{walkers: 2, equilibration: 100, steps: 10}}\n"
# An electron in a harmonic well: no atoms, no ground state to converge.
WELL = """app: tddft
system:
  functional: none
  {cell}
  spacing: 0.8 bohr
  electrons: 2
  well: {{omega: {omega}}}
propagation: {{duration: 0.1 fs, kappa: {kappa}, field: frozen}}
excitation: {{type: laser, intensity: {intensity}, photon_energy: 3 eV, pulse: 0.1 fs, phase: {phase}}}
"""
MOLECULE = "app: dfpt\nmolecule: {{elements: [H, H], positions: {positions}}}\nfinite_field: {{strength: {strength}}}\nmemory: {{limit: {limit}}}\n"


def needs(app):
    return unittest.skipUnless(app in APPS, f"SKIPPED: the app {app} is not in this build")


class Units(Case):
    def check(self, text, warnings=(), code=0):
        """The input passes, with these warnings in this order; returns the whole of standard error."""
        self.write("in.yaml", text)
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        found = [line.split(": ", 1)[1] for line in done.stderr.splitlines() if line.startswith("in.yaml:")]
        self.assertEqual(found, [f"warning: {w}" for w in warnings])
        return done.stderr

    def refuse(self, text, message):
        self.write("in.yaml", text)
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(message, done.stderr)

    @needs("vmc")
    def test_gas(self):
        self.check(GAS.format(rs="5 bohr"))
        text = self.check(GAS.format(rs="5"), ["'rs' has a unit; write '5 bohr' instead of '5'"])
        self.assertEqual(text, "in.yaml:3:7: warning: 'rs' has a unit; write '5 bohr' instead of '5'\n    3 |   rs: 5\n      |       ^\n")
        self.refuse(GAS.format(rs="5 eV"), "'rs' has an unknown unit 'eV' (known: bohr, angstrom)")
        dmc = lambda steps: GAS.format(rs="5 bohr") + f"method: dmc\ndmc: {{time_steps: {steps}}}\n"
        self.check(dmc("[0.5, 0.25 hbar/Ha]"))
        self.check(dmc("[0.5 hbar/Ha, 6 as]"))
        self.check(dmc("[0.5, 0.25]"), ["'time_steps' has a unit; write '[0.5, 0.25 hbar/Ha]' instead of '[0.5, 0.25]'"])
        self.refuse(dmc("[0.5, 0.25 fs, 6 as]"), "'time_steps' has several units, and numbers without one; give each number its unit")
        self.refuse(dmc("[0.5, 0.25 Ha]"), "'time_steps' item 2 has an unknown unit 'Ha' (known: fs, as, hbar/Ha)")
        self.refuse(dmc("0.5 fs"), "'time_steps' must be a list of numbers with a unit such as [1, 2.5 fs]; got '0.5 fs'")

    @needs("vmc")
    def test_old_and_new_forms_have_the_same_results_to_the_last_digit(self):
        results = []
        for rs in ("5", "5 bohr"):
            self.write("in.yaml", GAS.format(rs=rs))
            done = suite("run", "in.yaml", "--json", folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("has a unit" in done.stderr, rs == "5")
            results.append(json.loads(done.stdout)["results"])
        self.assertEqual(results[0]["energy_Ha"], results[1]["energy_Ha"])

    @needs("vmc")
    def test_warnings_of_overrides_name_them_and_quiet_hides_them(self):
        self.write("in.yaml", GAS.format(rs="5 bohr"))
        done = suite("check", "in.yaml", "--set", "system.rs=4", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, "--set system.rs=4: warning: 'system.rs' has a unit; write '4 bohr' instead of '4'\n"))
        self.assertEqual(suite("check", "in.yaml", "--set", "system.rs=4", "--quiet", folder=self.folder).stderr, "")

    @needs("tddft")
    def test_well(self):
        new = dict(cell="cell: [8, 8, 8 bohr]", omega="[0.5, 0.5, 0.5 Ha]", kappa="0.01 bohr^2", intensity="1e12 W/cm^2", phase="90 deg")
        self.check(WELL.format(**new))
        self.check(WELL.format(**{**new, "cell": "cell: [8, 8, 8]\n  unit: bohr"}))
        self.check(WELL.format(**{**new, "phase": "1.5 rad", "omega": "[13 eV, 13 eV, 13 eV]"}))
        old = dict(cell="cell: [8, 8, 8 bohr]", omega="[0.5, 0.5, 0.5]", kappa="0.01", intensity="1e12", phase="90")
        self.check(WELL.format(**old), ["'omega' has a unit; write '[0.5, 0.5, 0.5 Ha]' instead of '[0.5, 0.5, 0.5]'",
                                        "'kappa' has a unit; write '0.01 bohr^2' instead of '0.01'",
                                        "'intensity' has a unit; write '1e12 W/cm^2' instead of '1e12'",
                                        "'phase' has a unit; write '90 deg' instead of '90'"])
        self.refuse(WELL.format(**{**new, "cell": "cell: [8, 8, 8]"}),
                    "'cell' needs a unit (bohr, angstrom): [8, 8, 8 bohr], or 'unit: bohr' for all lists of 'system'")
        self.refuse(WELL.format(**{**new, "cell": "cell: [8, 8, 8 bohr]\n  charge: 1 eV"}), "'charge' must be a number without a unit; got '1 eV'")

    @needs("dfpt")
    def test_molecule(self):
        new = dict(positions="[[0, 0, 0], [0, 0, 0.74 angstrom]]", strength="0.001 Ha/bohr", limit="1 GiB")
        self.check(MOLECULE.format(**new))
        self.check(MOLECULE.format(**{**new, "strength": "0.05 V/angstrom", "limit": "512 MiB"}))
        self.check(MOLECULE.format(**{**new, "strength": "0.001", "limit": "1"}), ["'strength' has a unit; write '0.001 Ha/bohr' instead of '0.001'",
                                                                                   "'limit' has a unit; write '1 GiB' instead of '1'"])
        self.refuse(MOLECULE.format(**{**new, "positions": "[[0, 0, 0], [0, 0, 0.74]]"}),
                    "'positions' needs a unit (bohr, angstrom): [[0, 0, 0], [0, 0, 0.74 bohr]], or 'unit: bohr' for all lists of 'molecule'")

    @needs("gw")
    def test_gw(self):
        self.check(SMALL_GW + "  head: 3000 Ry bohr^3\n")
        self.check(SMALL_GW + "  head: 1500 Ha bohr^3\n")
        self.check(SMALL_GW + "  head: 3000\n", ["'head' has a unit; write '3000 Ry bohr^3' instead of '3000'"])
        self.refuse(SMALL_GW + "  head: 3000 Ry\n", "'head' has an unknown unit 'Ry' (known: Ry bohr^3, Ha bohr^3)")
        self.refuse(SMALL_GW.replace("nbands: 14", "nbands: 14 eV"), "'nbands' must be an integer without a unit; got '14 eV'")
