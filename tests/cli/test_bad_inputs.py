# SPDX-License-Identifier: BSD-3-Clause
"""Every file bad/NAME.yaml is refused with exactly the text of bad/NAME.txt."""
import json
import os
import random
import unittest

from suite_program import Case, HERE, SMALL_GW, UPDATE, has_gw, suite

END = "1 error; nothing was run (exit 2)\n"


class BadInputs(Case):
    def test_each(self):
        apps = json.loads(suite("version", "--json").stdout)["apps"]
        gw = "gw" in apps
        known = f"(known: {', '.join(apps)})"
        files = sorted((HERE / "bad").glob("*.yaml"))
        self.assertGreaterEqual(len(files), 60)
        for file in files:
            if not gw and b"app: gw" in file.read_bytes():
                continue
            with self.subTest(file.name):
                done = suite("check", file.name, folder=file.parent)
                expected = file.with_suffix(".txt")
                found = self.plain(done.stderr).replace(known, "(known: {apps})")
                if UPDATE:
                    expected.write_text(found)
                self.assertEqual(found, expected.read_text())
                self.assertEqual(done.returncode, 3 if "(exit 3)" in expected.read_text() else 2)
                self.assertEqual(done.stdout, "")


@unittest.skipUnless(has_gw(), "the gw app is not in this build")
class BadBytes(Case):
    def check(self, content, message):
        self.write("in.yaml", content)
        self.refused(["check", "in.yaml"], 2, message)

    def test_empty_file(self):
        self.check(b"", "in.yaml:1:1: error: the file is empty; 'suite init gw' writes an input to start from\n" + END)

    def test_nul_byte(self):
        self.check(b"app: gw\ntitle: a\0b\n", "in.yaml:2:9: error: a NUL byte; this is not a text file\n"
                   "    2 | title: a b\n      |         ^\n" + END)

    def test_invalid_utf8(self):
        self.check(b"app: gw\ntitle: \xff\n", "in.yaml:2:8: error: byte 0xff is not UTF-8\n    2 | title: \ufffd\n      |        ^\n" + END)

    def test_overlong_utf8(self):
        self.check(b"app: gw\ntitle: \xc0\xaf\n", "in.yaml:2:8: error: byte 0xc0 is not UTF-8\n    2 | title: \ufffd\ufffd\n      |        ^\n" + END)

    def test_cut_utf8(self):
        self.check(b"app: gw\ntitle: \xe2\x82", "in.yaml:2:8: error: byte 0xe2 is not UTF-8\n    2 | title: \ufffd\n      |        ^\n" + END)

    def test_utf16(self):
        self.check("app: gw\n".encode("utf-16"), "in.yaml:1:1: error: byte 0xff is not UTF-8\n    1 | \ufffd\ufffda p p :   g w \n      | ^\n" + END)

    def test_control_character(self):
        self.check(b"app: gw\ntitle: a\x1b[31mb\n", "in.yaml:2:9: error: control character 0x1b\n    2 | title: a [31mb\n      |         ^\n" + END)

    def test_too_large(self):
        self.check(b"app: gw\n# " + b"x" * (1 << 20), "in.yaml: error: 1048586 bytes; an input has at most 1048576\n" + END)

    def test_too_many_values(self):
        self.check(b"app: gw\na: [" + b"1," * 100000 + b"1]\n",
                   "in.yaml:2:199995: error: more than 100000 values; an input is smaller\n"
                   "    2 | " + "1," * 30 + "1]" + "\n      | " + " " * 50 + "^\n" + END)

    def test_a_deep_hole_of_brackets(self):
        done = self.write("in.yaml", b"[" * 900000) and suite("check", "in.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("error: nested deeper than 32 levels\n", done.stderr)

    def test_folder_for_a_file(self):
        (self.folder / "in.yaml").mkdir()
        self.refused(["check", "in.yaml"], 6, "suite: error: in.yaml: is a folder; an input is a file\n")

    def test_missing_file_with_a_like_one(self):
        self.write("silicon.yaml", SMALL_GW)
        self.refused(["check", "./silicn.yaml"], 6, "suite: error: ./silicn.yaml: no such file; did you mean 'silicon.yaml'?\n")

    def test_missing_file(self):
        self.refused(["check", "nowhere/x.yaml"], 6, "suite: error: nowhere/x.yaml: no such file\n")

    def test_named_pipe_does_not_hang(self):
        os.mkfifo(self.folder / "in.yaml")
        self.refused(["check", "in.yaml"], 6, "suite: error: cannot read 'in.yaml': not a regular file\n")


@unittest.skipUnless(has_gw(), "the gw app is not in this build")
class Mutations(Case):
    def test_no_mutation_kills_or_hangs_the_program(self):
        seed = 20240711
        chance = random.Random(seed)
        pieces = [b"{", b"}", b"[", b"]", b":", b"- ", b"&a ", b"*a", b"!!int ", b"'", b'"', b"|", b">", b"%", b"---\n", b"\n", b"\t", b"#", b"? ", b"<<: ", b"\0", b"\xff",
                  b"\xef\xbb\xbf", b"010", b".nan", b"1e999", b"  "]
        for i in range(400):
            content = bytearray(SMALL_GW.encode())
            for _ in range(chance.randint(1, 6)):
                at = chance.randrange(len(content))
                if chance.random() < 0.3:
                    del content[at:at + chance.randint(1, 30)]
                else:
                    content[at:at] = chance.choice(pieces) * chance.choice((1, 1, 1, 40))
            self.write("in.yaml", bytes(content))
            done = suite("check", "in.yaml", folder=self.folder, timeout=20)
            self.assertIn(done.returncode, (0, 2, 3), f"seed {seed}, mutation {i}: {bytes(content)!r}\n{done.stderr}")
            self.assertEqual(done.returncode == 0, done.stderr == "", done.stderr)


@unittest.skipUnless(has_gw(), "the gw app is not in this build")
class Overrides(Case):
    def check(self, override, message):
        self.write("in.yaml", SMALL_GW)
        self.refused(["check", "in.yaml", "--set", override], 2, message + "\n1 error; nothing was run (exit 2).   keys: suite help gw\n")

    def test_unknown_key(self):
        self.check("system.nband=9", "--set system.nband=9: error: unknown key 'nband' in 'system'; did you mean 'nbands'?")

    def test_no_value(self):
        self.check("system.nbands=", "--set system.nbands=: error: 'system.nbands' has no value")

    def test_no_unit(self):
        self.check("sigma.gpp_broadening=12", "--set sigma.gpp_broadening=12: error: 'sigma.gpp_broadening' needs a unit (Ry, Ha, eV); got '12'")

    def test_broken_yaml(self):
        self.check("sigma.bands=[4,5", "--set sigma.bands=[4,5: error: not valid YAML: the list opened by '[' is not closed")

    def test_section(self):
        self.check("sigma=3", "--set sigma=3: error: 'sigma' is a section (keys: bands, contour_integration, eqp_corrections, eqp_outer_corrections, "
                   "exact_static_ch, fermi_level, fermi_level_absolute, finite_difference_form, finite_difference_spacing, frequency_grid, "
                   "gpp_broadening, gpp_sexcutoff, invalid_gpp_mode, kpoints, model, offdiag, poles, scissors, scissors_outer, "
                   "sigma_matrix, symmetry), not a value")

    def test_below_a_value(self):
        self.check("system.nbands.x=3", "--set system.nbands.x=3: error: 'x' cannot be set: its parent is a value, not a section")

    def test_override_is_used(self):
        self.write("in.yaml", SMALL_GW)
        done = suite("check", "in.yaml", "--set", "system.nbands=18", folder=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("sum over 18 bands", done.stdout)

    def test_override_mends_a_bad_value(self):
        self.write("in.yaml", SMALL_GW.replace("nbands: 14", "nbands: x"))
        self.assertEqual(suite("check", "in.yaml", "--set", "system.nbands=18", folder=self.folder).returncode, 0)
