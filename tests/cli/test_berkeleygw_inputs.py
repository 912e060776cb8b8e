# SPDX-License-Identifier: BSD-3-Clause
"""suite init gw --from FOLDER: an input for files of BerkeleyGW, with what its sigma.inp and epsilon.inp say."""
import re
import unittest

from suite_program import Case, HERE, INPUTS, has_gw, suite

DATA = INPUTS / "data"
SIGMA = """# comments and blank lines

number_bands 32
band_index_min 1   # the first
band_index_max 8
screening_semiconductor
cell_average_cutoff 1.0d-12
begin kpoints
  0.0 0.0 0.4 2.0
  0.000000000 0.400000000 0.600000000 1.0
end
"""


@unittest.skipUnless(has_gw(), "SKIPPED: the app gw is not in this build")
class FromBerkeleyGW(Case):
    def start(self, source, code=0):
        (self.folder / "gw.yaml").unlink(missing_ok=True)
        done = suite("init", "gw", "gw.yaml", "--from", source, folder=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        if code:
            self.assertFalse((self.folder / "gw.yaml").exists())
            return done.stderr
        # Keys that are set, by section and name.
        keys, sections = {}, []
        for line in (self.folder / "gw.yaml").read_text().splitlines():
            if found := re.match(r"( *)(\w+):(?: (.*))?$", line):
                del sections[len(found[1]) // 2:]
                sections.append(found[2])
                if found[3]:
                    keys[".".join(sections)] = found[3]
        return keys

    def silicon(self, sigma, *files):
        folder = self.folder / "silicon"
        folder.mkdir(exist_ok=True)
        for name in ("WFN_inner.h5", "RHO", "vxc.dat", "eps0mat.h5", "epsmat.h5", *files):
            if not (folder / name).exists():
                (folder / name).symlink_to(DATA / "silicon" / name)
        self.write("silicon/sigma.inp", sigma)
        return folder.name

    def test_the_run_has_the_numbers_of_that_code(self):
        self.start(DATA / "silicon")
        done = suite("run", "gw.yaml", "--output", "out", folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        def energies(file):
            return [float(line.split()[3]) for line in file.read_text().splitlines() if len(line.split()) == 4 and "." not in line.split()[0]]
        ours, theirs = energies(self.folder / "out" / "eqp1.dat"), energies(DATA / "silicon" / "eqp1.dat")
        # Both files keep nine decimals; the codes sum in another order, over 2.5 million random points.
        self.assertEqual(len(ours), 140)
        self.assertFalse([(a, b) for a, b in zip(ours, theirs, strict=True) if not abs(a - b) <= 1e-6])

    def test_keywords_of_sigma(self):
        keys = self.start(self.silicon(SIGMA, "vcoul.gz"))
        self.assertEqual({key: value for key, value in keys.items() if not value.startswith('"')},
                         {"app": "gw", "title": "GW from the files of silicon", "system.screening": "semiconductor", "system.nbands": "32",
                          "sigma.bands": "[1, 8]", "sigma.kpoints": "[[0, 0, 0.2], [0, 0.4, 0.6]]", "sigma.model": "gpp", "sigma.exact_static_ch": "false",
                          "coulomb.average": "none", "coulomb.wings": "berkeleygw"})
        self.assertEqual(keys["system.wavefunctions"], '"silicon/WFN_inner.h5"')
        self.assertEqual(keys["coulomb.file"], '"silicon/vcoul.gz"')
        self.assertEqual(suite("check", "gw.yaml", folder=self.folder).returncode, 0)
        for more, expected in (("frequency_dependence 0\n", {"sigma.model": "cohsex", "sigma.exact_static_ch": "true"}),
                               ("frequency_dependence 3\nexact_static_ch 1\n", {"sigma.model": "godby_needs", "sigma.exact_static_ch": "true"}),
                               ("frequency_dependence 2\ncd_integration_method 2\n", {"sigma.model": "contour_deformation", "sigma.contour_integration": "quadratic"}),
                               ("cvfit 0.1 5 0.02 0.2 6 0.03\n", {"sigma.scissors.evs": "0.1 eV", "sigma.scissors.ev0": "5 eV", "sigma.scissors.evdel": "0.02",
                                                                  "sigma.scissors.ecs": "0.2 eV", "sigma.scissors.ec0": "6 eV", "sigma.scissors.ecdel": "0.03"}),
                               ("delta_frequency_eval 0.5\nmax_frequency_eval 2\n", {"sigma.frequency_grid.min": "-2 eV", "sigma.frequency_grid.max": "2 eV",
                                                                                     "sigma.frequency_grid.points": "9", "sigma.finite_difference_form": "-3"}),
                               ("begin offdiag\n1 2 1\n2 1 1\nend\n", {"sigma.offdiag": "[[1, 2, 1], [2, 1, 1]]"}),
                               ("sigma_matrix -1 0\nno_symmetries_q_grid\n", {"sigma.sigma_matrix": "[-1, 0]", "sigma.symmetry": "false"}),
                               ("cell_slab_truncation\n", {"coulomb.truncation": "slab"}),
                               ("dont_use_vxcdat\n", {"system.vxc": '"silicon/VXC"'}),
                               ("verbosity 2\nuse_wfn_hdf5\n", {"sigma.model": "gpp"})):
            with self.subTest(more):
                keys = self.start(self.silicon(SIGMA + more))
                self.assertEqual({key: keys.get(key) for key in expected}, expected)

    def test_outer_wavefunctions_have_levels_of_their_own(self):
        outer = "eqp_outer_corrections\necs_outer 0.5\ncvfit_outer 0.1 5 0.02 0.2 6 0.03\n"
        folder = self.folder / self.silicon(SIGMA + outer, "vcoul.gz")
        self.assertFalse([key for key in self.start("silicon") if "outer" in key])  # nor does sigma.x look at them
        (folder / "WFN_outer").symlink_to(DATA / "silicon" / "WFN_inner.h5")
        keys = self.start("silicon")
        self.assertEqual({key: value for key, value in keys.items() if "outer" in key},
                         {"system.wavefunctions_outer": '"silicon/WFN_outer"', "sigma.eqp_outer_corrections": '"silicon/eqp_outer.dat"',
                          "sigma.scissors_outer.evs": "0.1 eV", "sigma.scissors_outer.ev0": "5 eV", "sigma.scissors_outer.evdel": "0.02",
                          "sigma.scissors_outer.ecs": "0.5 eV", "sigma.scissors_outer.ec0": "6 eV", "sigma.scissors_outer.ecdel": "0.03"})
        self.silicon(SIGMA + "ecs_outer 0.5\n")
        self.start("silicon")
        done = suite("check", "gw.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("levels   of the wanted states corrected by a scissors operator", done.stdout)
        self.silicon(SIGMA + "avgpot_outer 0.5\n")
        self.assertIn("'avgpot_outer' has no counterpart here", self.start("silicon", code=2))

    def test_a_dielectric_matrix_that_is_still_to_be_computed(self):
        keys = self.start(DATA / "gaas" / "epsilon.inp")
        self.assertEqual((keys["epsilon.cutoff"], keys["epsilon.nbands"], keys["epsilon.q0"], keys["epsilon.only"]), ("7.0 Ry", "18", "[0, 0, 0.001]", "true"))
        self.assertNotIn("system.density", keys)
        self.assertEqual(suite("check", "gw.yaml", folder=self.folder).returncode, 0)
        # Both steps, two spinor components, the potential instead of vxc.dat.
        keys = self.start(HERE.parent / "gw" / "spinor")
        self.assertEqual((keys["sigma.exact_static_ch"], keys["epsilon.cutoff"]), ("true", "3.0 Ry"))
        self.assertTrue(keys["system.vxc"].endswith('/VXC"'))
        self.assertEqual(suite("check", "gw.yaml", folder=self.folder).returncode, 0)

    def gallium_arsenide(self, qpoints, more=""):
        folder = self.folder / "gaas"
        folder.mkdir(exist_ok=True)
        for name in ("WFN.h5", "WFNq.h5"):
            if not (folder / name).exists():
                (folder / name).symlink_to(DATA / "gaas" / name)
        self.write("gaas/epsilon.inp", f"epsilon_cutoff 7.0\nnumber_bands 18\nbegin qpoints\n{qpoints}end\n{more}")
        return folder.name

    def test_q_points_are_those_of_a_grid(self):
        small, x, l = "0 0 0.001 1.0 1\n", "0 0.5 0.5 1.0 0\n", "0 0 0.5 1.0 0\n"
        self.assertNotIn("epsilon.q_grid", self.start(self.gallium_arsenide(small + x + l)))
        # Images of them, in another order, twice and with the divisor of the row.
        self.assertNotIn("epsilon.q_grid", self.start(self.gallium_arsenide("-1 -1 0 2.0 0\n" + small + x + "1 1 -1 2.0 0\n0 0 -1.5 1.0 0\n")))
        # A coarser grid than that of WFN, and q -> 0 alone.
        self.assertEqual(self.start(self.gallium_arsenide(small))["epsilon.q_grid"], "[1, 1, 1]")
        # The k points of that run are those of WFN, for k + q0 among them.
        keys = self.start(self.gallium_arsenide("0 0 0.5 1.0 2\n" + x + l))
        self.assertEqual((keys["epsilon.q0"], keys.get("epsilon.wavefunctions_q0")), ("[0, 0, 0.5]", None))
        for qpoints, sentence in ((small + x, "epsilon.inp:4: 'qpoints' has neither q = (0, 0, 0.5) nor an image of it, of the (2, 2, 2) grid of"),
                                  (x + l, "epsilon.inp:4: 'qpoints' has neither q = (0, 0, 0) nor an image of it, of the (2, 2, 2) grid of"),
                                  (small + x + "0 0 0.25 1.0 0\n", "epsilon.inp:6: q = (0, 0, 0.25) is no point of the (2, 2, 2) grid of"),
                                  (small + x + l + "0 0 0 1.0 0\n", "epsilon.inp:7: q = 0 needs the flag 1 or 2 and a small q in its place"),
                                  (small + x + l + "0 0.001 0 1.0 1\n", "epsilon.inp:7: a second small q beside that of line 4; here is one")):
            with self.subTest(qpoints):
                self.assertIn(sentence, self.start(self.gallium_arsenide(qpoints), 2))

    def test_all_spins_are_computed(self):
        polarised = HERE.parent / "gw" / "polarised"
        folder = self.folder / "polarised"
        folder.mkdir()
        for name in ("WFN.h5", "WFNq.h5", "WFN_inner.h5", "RHO", "VXC", "epsilon.inp"):
            (folder / name).symlink_to(polarised / name)
        sigma = (polarised / "sigma.inp").read_text()
        self.write("polarised/sigma.inp", sigma)
        self.assertIn("spin_index_max 2", sigma)
        self.start(folder.name)
        for changed, sentence in ((sigma.replace("spin_index_min 1", "spin_index_min 2"), "sigma.inp:4: 'spin_index_min' is 2; "),
                                  (sigma.replace("spin_index_max 2", "spin_index_max 1"), "sigma.inp:5: 'spin_index_max' is 1; ")):
            self.write("polarised/sigma.inp", changed)
            message = self.start(folder.name, 2)
            self.assertIn(sentence, message)
            self.assertIn("has two spins, and all of its spins are computed here: make it ", message)
        self.start(self.silicon(SIGMA + "spin_index_min 1\nspin_index_max 1\n"))
        self.assertIn("sigma.inp:12: 'spin_index_max' is 2; ", self.start(self.silicon(SIGMA + "spin_index_max 2\n"), 2))

    def test_a_folder_without_their_inputs(self):
        keys = self.start(DATA / "silicon_78bands")
        self.assertEqual(keys["sigma.bands"], "[1, 8]")
        self.assertNotIn("sigma.model", keys)
        self.assertEqual(suite("check", "gw.yaml", folder=self.folder).returncode, 0)

    def test_mistakes(self):
        for sigma, sentence in ((SIGMA + "spherical_truncation\n", "sigma.inp:12: 'spherical_truncation' has no counterpart here; see docs/from-berkeleygw.md"),
                                (SIGMA + "frequency_dependence -1\n", "sigma.inp:12: 'frequency_dependence' is -1; here are 0, 1, 2 and 3"),
                                (SIGMA + "frequency_dependence 2\nfrequency_dependence_method 0\n", "sigma.inp:13: full frequency on the real axis is not there"),
                                (SIGMA + "number_bands 3\n", "sigma.inp:12: 'number_bands' appears twice"),
                                (SIGMA + "gpp_broadening much\n", "sigma.inp:12: must be a number; got 'much'"),
                                (SIGMA.replace("band_index_max 8\n", ""), "sigma.inp:1: 'band_index_max' is missing"),
                                (SIGMA.replace("0.0 0.4 2.0", "0.0"), "sigma.inp:9: a number is missing"),
                                (SIGMA.replace("end\n", ""), "sigma.inp:1: the block 'kpoints' has no 'end'"),
                                (SIGMA + "begin diag\n1\nend\n", "sigma.inp:13: the block 'diag' has no counterpart here")):
            with self.subTest(sentence):
                self.assertIn(sentence, self.start(self.silicon(sigma), 2))
        self.assertIn("folder 'empty' has no WFN_inner or WFN, binary or .h5", self.start((self.write("empty/RHO", "").parent).name, 3))
        self.assertIn("no file or folder 'nothing'", self.start("nothing", 3))
        self.assertIn("is not a folder with files of BerkeleyGW", self.start(DATA / "silicon" / "RHO", 2))


if __name__ == "__main__":
    unittest.main()
