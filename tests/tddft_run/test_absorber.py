# SPDX-License-Identifier: BSD-3-Clause
"""Absorbing layers of the tddft app as its users meet them; absorber_test.cpp compares them with exact steps."""
import unittest

from test_run import INPUTS, LAUNCH, MPIEXEC, SMALL, UNPAIRED, Runs, backends, columns, distance, has_mpi, libxc

# A field that takes a few hundredths of the electrons away within a cycle.
STRONG = SMALL.replace("  strength: 0.01 bohr^-1\n", "  type: laser\n  amplitude: 0.03 Ha/bohr\n  photon_energy: 20 eV\n  pulse: 0.3 fs\n")
POTENTIAL = ("--set", "propagation.absorber.kind=potential", "--set", "propagation.absorber.width=4 bohr")
MASK = ("--set", "propagation.absorber.kind=mask", "--set", "propagation.absorber.width=4 bohr")
VELOCITY = ("--set", "propagation.gauge=velocity")
WAVES = ("--set", "system.kinetic=fourier")
SPINS = STRONG.replace("[Na, Na]", "[Na, H, H]\n  spin: 1").replace("-2.9]]", "-2.9], [0, 1.5, -1]]")


class Results(Runs):
    def test_the_number_of_electrons_falls_and_is_told(self):
        for kind in (POTENTIAL, MASK):
            folder, result = self.run_input(STRONG, *kind)
            results = result["results"]
            rows = columns(folder / "dipole.dat")
            electrons, absorbed = [row[4] for row in rows], [row[5] for row in rows]
            self.assertEqual(len(rows), 61)
            self.assertTrue(all(b <= a for a, b in zip(electrons, electrons[1:])), electrons)
            self.assertGreater(absorbed[-1], 0.01)
            for n, gone in zip(electrons, absorbed):
                self.assertTrue(abs(electrons[0] - n - gone) <= 1e-6 * gone + 2e-12, (n, gone))
            self.assertTrue(abs(results["propagation"]["electrons_absorbed"] - absorbed[-1]) <= 1e-6 * absorbed[-1])
            self.assertIsNone(results["propagation"]["energy_slope_Ha_per_fs"])
            self.assertIn("ionisation", (folder / "dipole.svg").read_text())
            names = [c["name"] for c in result["consistency"]]
            self.assertIn("growth of the number of electrons", names)
            self.assertIn("growth of the norm of the orbitals", names)
            self.assertNotIn("energy minus work", names)
            self.assertNotIn("work of the laser", names)
            self.assertTrue(all(c["verdict"] == "holds" for c in result["consistency"]), result["consistency"])
            self.assertTrue(any("are within the absorber" in w for w in result["warnings"]), result["warnings"])
            self.assertIn("electrons absorbed", [o["name"] for o in result["observables"]])

    def test_nothing_changes_without_an_absorber(self):
        folder, result = self.run_input(STRONG)
        self.assertEqual(len(columns(folder / "dipole.dat")[0]), 5)
        self.assertNotIn("electrons_absorbed", result["results"]["propagation"])
        self.assertNotIn("ionisation", (folder / "dipole.svg").read_text())

    def test_work_and_absorption_are_the_same_in_both_gauges(self):
        """In the length gauge the dipole of what is taken away goes too, and is no work."""
        slow = SMALL[:SMALL.index("  kinetic")].replace("14, 14, 18]\n  grid: [14, 14, 18]", "16, 16, 24]\n  grid: [20, 20, 30]") + \
            SMALL[SMALL.index("  elements"):].split("excitation")[0].replace("time_step: 5 as", "time_step: 4 as").replace("300 as", "1.6 fs").replace(
                "settling: 50 as", "settling: 0.3 fs") + \
            "excitation: {type: laser, amplitude: 0.02 Ha/bohr, photon_energy: 3 eV, pulse: 1.5 fs, phase: 60 deg}\n"
        found = {}
        for gauge in ("length", "velocity"):
            folder, result = self.run_input(slow, "--set", f"propagation.gauge={gauge}", "--set", "propagation.absorber.kind=potential",
                                            "--set", "propagation.absorber.width=5 bohr")
            p = result["results"]["propagation"]
            found[gauge] = (p["work_Ha"], p["electrons_absorbed"], p["energy_gained_Ha"])
            if gauge == "velocity":
                # The current is the change of the dipole with what is gone: t, x y z, electrons, jx jy jz, absorbed, x y z
                rows = columns(folder / "dipole.dat")
                moved = [row[3] + row[11] for row in rows]
                step, largest = rows[1][0] / 0.02418884326, max(abs(row[7]) for row in rows)
                for n in range(1, len(rows) - 1):
                    self.assertTrue(abs((moved[n + 1] - moved[n - 1]) / (2 * step) - rows[n][7]) <= 0.01 * largest, (n, rows[n], largest))
                self.assertGreater(max(abs(row[11]) for row in rows), 0.1)
        self.assertGreater(found["length"][1], 0.5)
        for one, other in zip(found["length"], found["velocity"]):
            self.assertTrue(abs(one - other) <= 6e-3 * abs(one), found)

    def test_a_molecule_at_rest_keeps_its_electrons(self):
        helium = """app: tddft
system: {unit: bohr, cell: [20, 20, 20], spacing: 0.6 bohr, elements: [He], positions: [[0, 0.1, 0]]}
propagation: {duration: 0.15 fs, settling: 0.1 fs, absorber: {kind: potential, width: 5 bohr}}
excitation: {type: none}
"""
        _, result = self.run_input(helium)
        checks = {c["name"]: c for c in result["consistency"]}
        self.assertEqual(checks["electrons absorbed without a field"]["verdict"], "holds")
        self.assertFalse([w for w in result["warnings"] if "absorber" in w], result["warnings"])
        self.assertTrue(0 < result["results"]["propagation"]["electrons_absorbed"] <= 1e-4, result["results"]["propagation"])
        _, result = self.run_input(SMALL, *POTENTIAL, "--set", "excitation.type=none")
        checks = {c["name"]: c for c in result["consistency"]}
        self.assertEqual(checks["electrons absorbed without a field"]["verdict"], "broken")

    def test_single_precision_absorbs_as_many(self):
        """Rounding takes 1e-8 to 1e-7 of the electrons in every step, which the norm restored at every sample does not count as absorbed."""
        long = ("--set", "propagation.duration=2 fs")
        absorbed = [self.run_input(STRONG, *POTENTIAL, *long, "--set", f"propagation.precision={p}")[1]["results"]["propagation"]["electrons_absorbed"]
                    for p in ("double", "single")]
        self.assertTrue(abs(absorbed[0] - absorbed[1]) <= 2e-6, absorbed)


class Sameness(Runs):
    """Of runs that are cut in two, divided, or on other hardware."""
    RUNS = ((STRONG, POTENTIAL), (STRONG, (*MASK, *WAVES)), (STRONG, (*POTENTIAL, *VELOCITY))) + (((SPINS, POTENTIAL),) if libxc() else ())

    def test_a_continued_run_is_the_same_to_the_bit(self):
        for content, choice in (*self.RUNS, (STRONG, (*POTENTIAL, "--set", "propagation.precision=single"))):
            whole, _ = self.run_input(content, *choice)
            half, _ = self.run_input(content, *choice, "--set", "propagation.duration=150 as")
            rest, _ = self.run_input(content, *choice, "--set", f"restart.file={half / 'checkpoint.h5'}")
            for name in ("dipole.dat", "energy.dat", "harmonics.dat"):
                self.assertEqual((rest / name).read_bytes(), (whole / name).read_bytes(), f"{choice} {name}")

    def test_another_absorber_does_not_continue_a_run(self):
        half, _ = self.run_input(STRONG, *POTENTIAL, "--set", "propagation.duration=150 as")
        self.write("in.yaml", STRONG)
        self.refused(["run", "in.yaml", "--output", "other", "--quiet", "--set", f"restart.file={half / 'checkpoint.h5'}", *POTENTIAL, "--set",
                      "propagation.absorber.height=1 Ha"], 2,
                     "suite: error: {folder}/out0/checkpoint.h5 has other settings: propagation.absorber.height is 0.5 there and 1.0 here\n")

    def test_the_dipole_does_not_depend_on_the_interval(self):
        tables = [columns(self.run_input(STRONG, *POTENTIAL, "--set", f"propagation.interval={n}")[0] / "dipole.dat") for n in (7, 60)]
        self.assertLessEqual(distance(*tables), 1e-11)

    def test_reference_and_cpu_agree(self):
        for content, choice in self.RUNS:
            tables = [columns(self.run_input(content, *choice, "--implementation", name)[0] / "dipole.dat") for name in ("cpu", "reference")]
            self.assertLessEqual(distance(*tables), 1e-10, choice)

    def test_every_backend_agrees_with_the_cpu(self):
        short = ("--set", "propagation.duration=50 as")
        for content, choice in self.RUNS:
            cpu, _ = self.run_input(content, *choice, *short)
            for backend in backends():
                folder, _ = self.run_input(content, *choice, *short, "--backend", backend)
                for name in ("dipole.dat", "energy.dat"):
                    self.assertLessEqual(distance(columns(cpu / name), columns(folder / name)), 2e-12, (backend, choice))

    @unittest.skipUnless(has_mpi(), "this build has no MPI")
    def test_one_two_and_three_ranks_agree(self):
        several = STRONG.replace("[Na, Na]", "[Na, Na, Na, Na]").replace("-2.9]]", "-2.9], [0, 2.9, 0], [0, -2.9, 0]]")
        for content, choice in (*self.RUNS, (several, POTENTIAL)):
            tables = {}
            for ranks in (1, 2, 3):
                folder, _ = self.run_input(content, *choice, prefix=(MPIEXEC, "-np", str(ranks)), environment=LAUNCH)
                tables[ranks] = [columns(folder / name) for name in ("dipole.dat", "energy.dat")]
            for ranks in (2, 3):
                for one, other in zip(tables[1], tables[ranks]):
                    self.assertLessEqual(distance(one, other), 1e-10, (choice, ranks))

    @unittest.skipUnless(has_mpi(), "this build has no MPI")
    def test_deterministic_runs_are_the_same_to_the_bit(self):
        files = [(self.run_input(STRONG, *POTENTIAL, "--deterministic", *threads, prefix=(MPIEXEC, "-np", str(ranks)), environment=LAUNCH)[0]
                  / "dipole.dat").read_bytes() for ranks, threads in ((1, ()), (2, ()), (1, ("--threads", "3")))]
        self.assertEqual(len(set(files)), 1)


class Validation(Runs):
    """A minute of one electron in a strong pulse."""

    def test_harmonics_are_odd_and_end_at_the_cutoff(self):
        """13.2 eV + 3.17 U_p = 22.7 eV, 7.3 photons: the orders 3, 5 and 7 are alike, 9 is weaker and from 11 on nothing is left."""
        content = (INPUTS / "hydrogen_harmonics.yaml").read_text()
        folder, result = self.run_input(content)
        lines, across = {}, 0.0
        for eV, total, *parts in columns(folder / "harmonics.dat"):
            order = round(eV / 3.1)
            if abs(eV / 3.1 - order) < 0.25:
                lines[order] = max(lines.get(order, 0), total)
            across = max(across, *parts[:2])
        self.assertTrue(across <= 1e-6 * lines[3])  # the light is polarised along z
        for odd in (3, 5, 7):
            self.assertTrue(min(lines[3], lines[5], lines[7]) > 0.2 * lines[odd], lines)
            self.assertTrue(max(lines[odd - 1], lines[odd + 1]) < 0.15 * lines[odd], lines)
        self.assertTrue(0.02 * lines[7] < lines[9] < 0.3 * lines[7], lines)
        self.assertTrue(max(lines[order] for order in (11, 12, 13, 14, 15)) < 1e-2 * lines[7], lines)
        self.assertTrue(abs(result["results"]["propagation"]["electrons_absorbed"] - 0.232) <= 0.003)
