# SPDX-License-Identifier: BSD-3-Clause
"""Molecules from TREXIO files as users of the vmc app meet them."""
import json
import math
import shutil
import unittest

import h5py
import numpy

from test_run import LAUNCH, MPIEXEC, Runs, backends, physics, table
from suite_program import Case, INPUTS, suite

FILES = INPUTS / "data" / "molecules"
HARTREE_FOCK = {"energy_Ha": -14.57287347, "KEI": 14.572876523, "e-n": -33.634982579}  # tests/vmc/trexio_files.py
BE = f"""app: vmc
system:
  trexio: {FILES}/be.h5
jastrow:
  type: slater
vmc:
  walkers: 16
  equilibration: 200
  steps: 40
  reinvert: 30
"""
JASTROW = BE.replace("  type: slater\n", "  order: 4\n")
F = JASTROW.replace("  order: 4\n", "  order: 4\n  f_order: 2\n  f_cutoff: 4.5 bohr\n"
                    "  f: [[1e-6, 3e-6, 2e-6, -1e-6, 1e-6], [2e-6, 1e-6, -3e-6, 2e-6, 4e-6]]\n")
ECP_DMC = JASTROW.replace("be.h5", "h2o_ccecp.h5").replace("app: vmc", "app: vmc\nmethod: dmc") + (
    "dmc: {time_steps: [0.05 hbar/Ha], walkers: 12, equilibration: 20, steps: 40}\n")
DMC = F.replace("app: vmc", "app: vmc\nmethod: dmc") + """dmc:
  time_steps: [0.02, 0.01 hbar/Ha]
  walkers: 12
  equilibration: 20
  steps: 40
"""
OPTIMISE = JASTROW.replace("app: vmc", "app: vmc\nmethod: optimise") + """optimise:
  cycles: 2
  configurations: 1000
"""


class Molecules(Runs):
    def test_results_are_complete(self):
        folder, result = self.run_input(BE)
        results = result["results"]
        self.assertEqual(result["status"], "ok")
        self.assertEqual(sorted(results["files"]), sorted(p.name for p in folder.iterdir() if p.name != "result.json"))
        parts = {name: part["mean_Ha"] for name, part in results["components"].items()}
        self.assertEqual(set(parts), {"KEI", "TI", "FISQ", "e-n", "e-e", "n-n"})
        self.assertAlmostEqual(results["energy_Ha"], parts["KEI"] + parts["e-n"] + parts["e-e"] + parts["n-n"], 10)
        self.assertAlmostEqual(parts["KEI"], 2 * parts["TI"] - parts["FISQ"], 9)
        self.assertNotIn("hartree_fock_Ha", results)
        self.assertEqual(table(folder / "energy.csv")["steps"], [10, 20, 30, 40])
        self.assertIn("qmc.orbitals_gaussian", {kernel["kernel"] for kernel in result["kernels"]})

    def test_determinants_have_the_energy_of_hartree_fock(self):
        _, result = self.run_input(BE, "--set", "vmc.walkers=64", "--set", "vmc.steps=3000", "--set", "vmc.decorrelation=10",
                                   "--set", "vmc.reinvert=100", "--set", "system.cusp_correction=false")
        results = result["results"]
        self.assertLess(results["error_Ha"], 0.012)
        self.assertLess(abs(results["energy_Ha"] - HARTREE_FOCK["energy_Ha"]), 4 * results["error_Ha"])
        for name in ("KEI", "e-n"):
            part = results["components"][name]
            self.assertLess(abs(part["mean_Ha"] - HARTREE_FOCK[name]), 4 * part["error_Ha"])
        laws = {law["name"]: law["verdict"] for law in result["consistency"]}
        self.assertEqual(laws["kinetic energy of the determinants equals exact integrals"], "holds")
        self.assertEqual(set(laws.values()), {"holds"})

    def test_cusps_lower_the_variance(self):
        content = (INPUTS / "be.yaml").read_text().replace("data/molecules", str(FILES)).replace("steps: 3000", "steps: 200")
        _, corrected = self.run_input(content)
        _, plain = self.run_input(content, "--set", "system.cusp_correction=false")
        self.assertLess(corrected["results"]["variance"], 0.2)
        self.assertGreater(plain["results"]["variance"], 0.4)
        self.assertLess(abs(corrected["results"]["energy_Ha"] + 14.6266), 4 * corrected["results"]["error_Ha"])
        # Without a Jastrow factor KEI is compared with integrals, here over the corrected orbitals.
        _, slater = self.run_input(BE, "--set", "vmc.walkers=64", "--set", "vmc.steps=400", "--set", "vmc.decorrelation=10",
                                   "--set", "vmc.reinvert=100")
        laws = {law["name"]: law["verdict"] for law in slater["consistency"]}
        self.assertEqual(laws["kinetic energy of the determinants equals exact integrals"], "holds")

    def test_a_stopped_run_continues_to_the_last_bit(self):
        for content, key, short, whole in ((F, "vmc.steps", 20, 40), (DMC, "dmc.steps", 20, 40)):
            with self.subTest(key):
                _, expected = self.run_input(content)
                folder, _ = self.run_input(content, "--set", f"{key}={short}") if key == "vmc.steps" else self.run_input(
                    content, "--set", f"{key}={short}", "--set", "dmc.time_steps=[0.02 hbar/Ha]")
                if key != "vmc.steps":
                    _, expected = self.run_input(content, "--set", "dmc.time_steps=[0.02 hbar/Ha]")
                    _, found = self.run_input(content, "--set", "dmc.time_steps=[0.02 hbar/Ha]", "--set",
                                              f"restart.file={folder}/checkpoint.h5")
                else:
                    _, found = self.run_input(content, "--set", f"restart.file={folder}/checkpoint.h5")
                self.assertEqual(physics(found), physics(expected))

    def test_pseudopotentials_have_their_parts(self):
        _, result = self.run_input(BE.replace("be.h5", "h2o_ccecp.h5"))
        results = result["results"]
        parts = {name: part["mean_Ha"] for name, part in results["components"].items()}
        self.assertAlmostEqual(results["energy_Ha"], sum(parts[p] for p in ("KEI", "e-n", "e-e", "n-n", "local", "non-local")), 10)
        self.assertLess(abs(results["energy_Ha"] + 16.9), 0.6)

    def test_t_moves_are_the_default_with_pseudopotentials(self):
        _, default = self.run_input(ECP_DMC)
        _, on = self.run_input(ECP_DMC, "--set", "dmc.t_moves=true")
        _, off = self.run_input(ECP_DMC, "--set", "dmc.t_moves=false")
        self.assertEqual(physics(on), physics(default))
        self.assertNotEqual(on["results"]["energy_Ha"], off["results"]["energy_Ha"])
        self.assertIn("qmc.pseudopotential", {kernel["kernel"] for kernel in on["kernels"]})
        for result in (on, off):
            self.assertLess(abs(result["results"]["energy_Ha"] + 17.2), 0.8)  # twelve walkers and no good function

    def test_t_moves_continue_to_the_last_bit(self):
        for setting in ("true", "false"):
            own = ("--set", f"dmc.t_moves={setting}")
            folder, _ = self.run_input(ECP_DMC, *own, "--set", "dmc.steps=10")
            _, whole = self.run_input(ECP_DMC, *own)
            _, again = self.run_input(ECP_DMC, *own, "--set", f"restart.file={folder}/checkpoint.h5")
            self.assertEqual(physics(again), physics(whole))

    def test_dmc_is_below_vmc(self):
        _, result = self.run_input(DMC)
        results = result["results"]
        self.assertEqual([run["time_step"] for run in results["time_steps"]], [0.02, 0.01])
        for run in results["time_steps"]:
            self.assertGreater(run["acceptance"], 0.9)
        self.assertLess(abs(results["energy_Ha"] + 14.6), 0.5)

    def test_optimisation_lowers_the_variance(self):
        folder, result = self.run_input(OPTIMISE)
        cycles = result["results"]["cycles"]
        # Gaussian orbitals have no cusp: now and then an electron near the nucleus makes the variance of a cycle large.
        self.assertLess(min(cycle["variance_Ha2"] for cycle in cycles[1:]), 0.5 * cycles[0]["variance_Ha2"])
        written = (folder / "jastrow.yaml").read_text()
        self.assertIn("chi:", written)
        self.write("next.yaml", JASTROW.split("jastrow:")[0] + written)
        done = suite("check", "next.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("u: polynomial with 2 x 5 coefficients up to 5 bohr, chi: 1 x 5 coefficients up to 4 bohr", done.stdout)

    def test_f_and_cutoffs_are_optimised(self):
        content = F.replace("app: vmc", "app: vmc\nmethod: optimise") + "optimise: {cycles: 4, configurations: 1000, cutoffs: true}\n"
        folder, result = self.run_input(content)
        results = result["results"]
        self.assertLess(min(cycle["variance_Ha2"] for cycle in results["cycles"][1:]), 0.5 * results["cycles"][0]["variance_Ha2"])
        values = results["parameters"]
        self.assertEqual(sum(name.startswith("gamma_") for name in values), 10)
        self.assertIn("cutoff of chi kind 1", values)  # of chi = 0 it has no effect yet
        for name, start in (("cutoff of u", 5), ("cutoff of f kind 1", 4.5)):
            self.assertNotEqual(values[name], start)
            self.assertLess(abs(values[name] - start), 0.6 * start)
        self.assertIn("qmc.jastrow_f", {kernel["kernel"] for kernel in result["kernels"]})
        written = (folder / "jastrow.yaml").read_text()
        self.assertIn("f_order: 2", written)
        self.write("next.yaml", F.split("jastrow:")[0] + written)
        self.write("file.yaml", F.split("jastrow:")[0] + f"jastrow: {{file: {folder}/correlation.data}}\n")
        said = [suite("check", name, folder=self.folder) for name in ("next.yaml", "file.yaml")]
        for done in said:
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("f: 10 free coefficients up to", done.stdout)
        text = (folder / "correlation.data").read_text()
        for line in ("START F TERM", "Electron-nucleus expansion order N_f_eN\n   2", "! gamma_2,2,2,2,1"):
            self.assertIn(line, text)
        self.assertEqual(text.count("            1\n Parameter values"), 3)  # the cutoffs are marked
        # Fixed again, all of them.
        _, fixed = self.run_input(OPTIMISE.split("jastrow:")[0] + f"jastrow: {{file: {folder}/correlation.data}}\n"
                                  "vmc: {walkers: 8, equilibration: 100}\noptimise: {cycles: 1, configurations: 64, cutoffs: false}\n")
        self.assertNotIn("cutoff of u", fixed["results"]["parameters"])

    def test_cutoffs_are_optimised_from_the_start(self):
        """From chi = f = 0, where no cutoff of theirs matters: the coefficients fit the cutoffs that they get."""
        content = ECP_DMC.replace("method: dmc", "method: optimise").split("dmc:")[0].replace("  order: 4\n", "  order: 4\n  f_order: 2\n")
        _, result = self.run_input(content + "optimise: {cycles: 3, configurations: 1000, cutoffs: true}\n")
        variances = [cycle["variance_Ha2"] for cycle in result["results"]["cycles"]]
        for variance in variances[1:]:
            self.assertLess(variance, 0.5 * variances[0], variances)

    @unittest.skipUnless(MPIEXEC, "no mpiexec was found")
    def test_ranks_have_the_same_result(self):
        for content in (F, DMC, ECP_DMC):
            _, one = self.run_input(content)
            _, three = self.run_input(content, prefix=(MPIEXEC, "-n", "3"), environment=LAUNCH)
            self.assertEqual(physics(three), physics(one))

    @unittest.skipUnless(MPIEXEC, "no mpiexec was found")
    def test_p_functions_of_several_nuclei_have_the_same_bits_on_any_number_of_ranks(self):
        """13 walkers of 5 electrons of each spin: an electron has another place in the kernels' vectors on each number of ranks."""
        for name in ("h2o.h5", "h2o_ccecp.h5"):
            content = OPTIMISE.replace("be.h5", name).replace("walkers: 16", "walkers: 13").replace("  steps: 40\n", "").replace("1000", "200")
            _, one = self.run_input(content)
            for ranks in (2, 3):
                _, more = self.run_input(content, prefix=(MPIEXEC, "-n", str(ranks)), environment=LAUNCH)
                self.assertEqual(physics(more), physics(one), (name, ranks))


class BadFiles(Case):
    """A TREXIO file with one thing wrong: one sentence, exit code 2."""

    def changed(self, change, source="be.h5"):
        path = self.folder / "bad.h5"
        shutil.copy(FILES / source, path)
        with h5py.File(path, "r+") as file:
            change(file)
        return path

    def message(self, path):
        self.write("in.yaml", f"app: vmc\nsystem: {{trexio: {path}}}\n")
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        lines = [line for line in done.stderr.splitlines() if "bad.h5: " in line]
        self.assertEqual(len(lines), 1, done.stderr)
        return lines[0].split("bad.h5: ")[1]

    def expect(self, sentence, change, source="be.h5"):
        with self.subTest(sentence):
            self.assertIn(sentence, self.message(self.changed(change, source)))

    def test_what_is_wrong_is_named(self):
        def put(group, name, value):
            def change(file):
                if f"{group}/{group}_{name}" in file:
                    file[f"{group}/{group}_{name}"][...] = value
                else:
                    file[group].attrs[f"{group}_{name}"] = value
            return change

        def element(group, name, at, value):
            def change(file):
                file[f"{group}/{group}_{name}"][at] = value
            return change

        def remove(group, name):
            def change(file):
                del file[f"{group}/{group}_{name}"]
            return change

        def no_group(file):
            del file["electron"]

        def complex_orbitals(file):
            file["mo/mo_coefficient_im"] = numpy.zeros((30, 30))

        def longer(file):
            occupation = file["mo/mo_occupation"]
            occupation[2] = 2

        self.expect("there is no group 'electron'; is this a TREXIO file?", no_group)
        self.expect("electron_num is 5 but there are 2 electrons up and 2 down", put("electron", "num", 5))
        self.expect("electron_up_num is 0; it must be a whole number from 1", put("electron", "up_num", 0))
        self.expect("electron_up_num is 2 but 3 orbitals of spin up are occupied", longer)
        self.expect("orbital 1 has the occupation 1.9; in one determinant it must be 0, 1 or 2", element("mo", "occupation", 0, 1.9))
        self.expect("it has 7 determinants", put("determinant", "num", 7))
        self.expect("it describes a periodic system", put("pbc", "periodic", 1))
        self.expect("ecp_ang_mom: number 1 is 2, beyond ecp_max_ang_mom_plus_1 of nucleus 1 (O), 1", element("ecp", "ang_mom", 0, 2),
                    "h2o_ccecp.h5")
        self.expect("ecp_exponent: number 2 is -1; it must be positive", element("ecp", "exponent", 1, -1), "h2o_ccecp.h5")
        self.expect("dataset ecp/ecp_coefficient: there is no such dataset", remove("ecp", "coefficient"), "h2o_ccecp.h5")
        self.expect("its functions are of type 'Numerical'", put("basis", "type", numpy.bytes_("Numerical")))
        self.expect("its functions are Cartesian", put("ao", "cartesian", 1))
        self.expect("its orbitals are complex", complex_orbitals)
        self.expect("its orbitals are not orthonormal: the overlap of the occupied orbitals 1 and 1 of spin up is",
                    put("ao", "normalization", 1.1))
        self.expect("its orbitals are not orthonormal", put("basis", "prim_factor", 1.0))
        self.expect("nuclei 1 (O) and 2 (H) are 0.01 bohr apart", element("nucleus", "coord", 1, [0, 0, 0.2317]), "h2o.h5")
        self.expect("nucleus 1 (Be) has the charge -4; it must be positive", put("nucleus", "charge", -4))
        self.expect("nucleus_coord: number 1 of 3 is not finite", put("nucleus", "coord", math.nan))
        self.expect("shell 10 has the angular momentum 5; it must be at most 4 (g)", element("basis", "shell_ang_mom", 9, 5))
        self.expect("ao_num is 30 but the shells have 32 functions", element("basis", "shell_ang_mom", 8, 3))
        self.expect("primitive 28 has the exponent 0; it must be positive", element("basis", "exponent", 27, 0))
        self.expect("basis_nucleus_index: number 1 is 4; it must be from 0 to 0", element("basis", "nucleus_index", 0, 4))
        self.expect("basis_r_power: number 1 is 1; it must be from 0 to 0", element("basis", "r_power", 0, 1))
        self.expect("shell 1 has no primitive", put("basis", "shell_index", 1))
        self.expect("ao_shell: function 1 belongs to shell 2 where shell 1 is expected", element("ao", "shell", 0, 1))
        self.expect("dataset mo/mo_coefficient: there is no such dataset", remove("mo", "coefficient"))
        self.expect("mo_coefficient: number 1 of 900 is not finite", put("mo", "coefficient", math.inf))

    def test_a_truncated_file(self):
        whole = (FILES / "be.h5").read_bytes()
        for part in (0, 100, len(whole) // 2, len(whole) - 1000):
            with self.subTest(part):
                (self.folder / "bad.h5").write_bytes(whole[:part])
                self.assertIn("not a complete HDF5 file", self.message(self.folder / "bad.h5"))

    def test_keys_of_the_gas_are_refused(self):
        self.write("in.yaml", f"app: vmc\nsystem: {{trexio: {FILES}/be.h5, rs: 5 bohr}}\njastrow: {{p: [[1]], stars: 2}}\n"
                              "output: {density: true}\n")
        done = suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.write("in.yaml", f"app: vmc\nsystem: {{trexio: {FILES}/h2o_ccecp.h5, quadrature: 7}}\n")
        self.assertIn("a rule of 7 points; it must be one of 6, 12, 18, 26, 50",
                      suite("check", "in.yaml", folder=self.folder).stderr)
        for file, keys, sentence in (
                (f"{FILES}/h2o_ccecp.h5", "", "all nuclei have pseudopotentials, which have no cusps"),
                (f"{FILES}/be.h5", "jastrow: {chi_cusp: true}\n", "chi has the cusps of the nuclei already")):
            self.write("in.yaml", f"app: vmc\nsystem: {{trexio: {file}, cusp_correction: true}}\n{keys}")
            self.assertIn(sentence, suite("check", "in.yaml", folder=self.folder).stderr)
        for content in (f"system: {{trexio: {FILES}/be.h5}}\nmethod: dmc\ndmc: {{time_steps: [0.01 hbar/Ha], t_moves: true}}\n",
                        f"system: {{trexio: {FILES}/be.h5, quadrature: 12}}\n"):
            self.write("in.yaml", "app: vmc\n" + content)
            self.assertIn("this is of pseudopotentials, and the molecule has none", suite("check", "in.yaml", folder=self.folder).stderr)
        self.write("in.yaml", "app: vmc\nmethod: dmc\nsystem: {rs: 5 bohr, electrons: 14}\ndmc: {time_steps: [0.5 hbar/Ha], t_moves: false}\n")
        self.assertIn("this is of molecules ('system.trexio', or a CASINO input of one)", suite("check", "in.yaml", folder=self.folder).stderr)
        for sentence in ("'trexio' already specifies the system", "the p term is of periodic cells", "this is of the electron gas"):
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
