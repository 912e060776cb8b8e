# SPDX-License-Identifier: BSD-3-Clause
"""Data files of the gw app that are damaged, cut or of another kind are refused before anything is computed."""
import gzip
import unittest

from suite_program import Case, INPUTS, SMALL_GW, has_gw

SILICON = INPUTS / "data" / "silicon"
WAVEFUNCTIONS = ("WFN_inner.h5", 4, 18, "wavefunctions")
EPS0 = ("eps0mat.h5", 7, 9, "eps0")
EPS = ("epsmat.h5", 8, 8, "eps")
RHO = ("RHO", 5, 12, "density")
VXC = ("vxc.dat", 6, 8, "vxc")


def replaced_line(content, number, line):
    lines = content.split(b"\n")
    lines[number - 1:number] = line
    return b"\n".join(lines)


@unittest.skipUnless(has_gw(), "the gw app is not in this build")
class BadData(Case):
    def check(self, which, change, message):
        name, line, column, key = which
        bad = "bad_" + name
        self.write(bad, change((SILICON / name).read_bytes()))
        self.write("in.yaml", SMALL_GW.replace("data/silicon/" + name, bad))
        self.refused(["check", "in.yaml"], 2, f"in.yaml:{line}:{column}: error: {message}\n    {line} |   {key}: {bad}\n"
                     f"      | {' ' * (column - 1)}{'^' + '~' * (len(bad) - 1)}\n1 error; nothing was run (exit 2).   keys: suite help gw\n")

    def test_empty_hdf5(self):
        for which in (WAVEFUNCTIONS, EPS0, EPS):
            with self.subTest(which[0]):
                self.check(which, lambda b: b"", f"bad_{which[0]}: not a complete HDF5 file: file signature not found")

    def test_wrong_signature(self):
        for which in (WAVEFUNCTIONS, EPS0, EPS):
            with self.subTest(which[0]):
                self.check(which, lambda b: b"\0" + b[1:], f"bad_{which[0]}: not a complete HDF5 file: file signature not found")

    def test_cut_hdf5(self):
        for which in (WAVEFUNCTIONS, EPS0, EPS):
            size = (SILICON / which[0]).stat().st_size
            for left in (100, size // 2, size - 1):
                with self.subTest(f"{which[0]} cut to {left} bytes"):
                    self.check(which, lambda b: b[:left], f"bad_{which[0]}: not a complete HDF5 file: truncated file: eof = {left}, "
                               f"sblock->base_addr = 0, stored_eof = {size}")

    def test_zeros_inside(self):
        for which, dataset in ((WAVEFUNCTIONS, "mf_header/crystal/celvol"), (EPS0, "eps_header/versionnumber"), (EPS, "eps_header/versionnumber")):
            with self.subTest(which[0]):
                self.check(which, lambda b: b[:600] + bytes(4000) + b[4600:], f"bad_{which[0]}: dataset {dataset}: there is no such dataset")

    def test_a_file_of_another_kind(self):
        """Binary ones as BerkeleyGW writes them: a record of Fortran with 96 bytes, the kind of the file first."""
        binary = b"\x60\0\0\0" + b"WFN-Complex".ljust(32) + b" " * 64 + b"\x60\0\0\0"
        self.check(WAVEFUNCTIONS, lambda b: binary, "bad_WFN_inner.h5: record 2 (sizes) is missing: the file ends after 104 bytes")
        self.check(WAVEFUNCTIONS, lambda b: b"WFN-Complex".ljust(96) + b"\n",
                   "bad_WFN_inner.h5: an ASCII WFN file; BerkeleyGW's mf_convert.x makes it binary: mf_convert.x A2B WFN.ascii WFN")
        self.check(WAVEFUNCTIONS, lambda b: (SILICON / "RHO").read_bytes(),
                   "bad_WFN_inner.h5: this holds a charge density (RHO); wavefunctions (WFN.h5) are wanted here")
        self.check(RHO, lambda b: binary, "bad_RHO: this holds wavefunctions (WFN); a charge density (RHO) is wanted here")
        self.check(RHO, lambda b: (SILICON / "eps0mat.h5").read_bytes(),
                   "bad_RHO: an HDF5 file; the charge density is read from BerkeleyGW's binary RHO")

    def test_density_empty(self):
        self.check(RHO, lambda b: b"", "bad_RHO: record 1 (title) is missing: the file ends after 0 bytes")

    def test_density_cut(self):
        self.check(RHO, lambda b: b[:len(b) // 2], "bad_RHO: record 14 (density) says it has 73168 bytes, and 7390 follow in the file")

    def test_density_with_an_absurd_record(self):
        self.check(RHO, lambda b: b"\xff\xff\xff\x7f" + b[4:], "bad_RHO: record 1 (title) says it has 2147483647 bytes, and 131560 follow in the file")

    def test_density_is_text(self):
        self.check(RHO, lambda b: b"hello\n", "bad_RHO: record 1 (title) says it has 1819043176 bytes, and 2 follow in the file")

    def test_vxc_empty(self):
        self.check(VXC, lambda b: b"", "bad_vxc.dat: no k points in the file")

    def test_vxc_with_a_line_missing(self):
        self.check(VXC, lambda b: replaced_line(b, 4, []), "bad_vxc.dat:15: expected 'spin band re im', got "
                   "'0.000000000  0.000000000  0.200000000      14       0'")

    def test_vxc_with_a_word(self):
        self.check(VXC, lambda b: b.replace(b"-10.4", b"-1O.4", 1), "bad_vxc.dat:2: expected 'spin band re im', got "
                   "'1       1  -1O.446722719    0.000000000'")

    def test_vxc_with_nan(self):
        self.check(VXC, lambda b: replaced_line(b, 2, [b" 1 1 NaN 0.0"]), "bad_vxc.dat:2: expected 'spin band re im', got '1 1 NaN 0.0'")

    def test_vxc_cut(self):
        self.check(VXC, lambda b: b[:300], "bad_vxc.dat:7: expected 'spin band re im', got '1'")


@unittest.skipUnless(has_gw(), "the gw app is not in this build")
class BadCoulombFile(Case):
    def check(self, content, message):
        self.write("bad.gz", content)
        self.write("in.yaml", SMALL_GW.replace("average: none", "average: file\n  file: bad.gz"))
        self.refused(["check", "in.yaml"], 2, f"in.yaml:15:9: error: {message}\n   15 |   file: bad.gz\n      |         ^~~~~~\n"
                     "1 error; nothing was run (exit 2).   keys: suite help gw\n")

    def test_empty(self):
        self.check(b"", "bad.gz has no values")

    def test_cut(self):
        content = (SILICON / "vcoul.gz").read_bytes()
        self.check(content[:len(content) // 2], "bad.gz is damaged: bad.gz: unexpected end of file")

    def test_flipped_bits(self):
        content = bytearray((SILICON / "vcoul.gz").read_bytes())
        content[5000] ^= 255
        self.check(bytes(content), "bad.gz is damaged: bad.gz: incorrect data check")

    def test_words(self):
        self.check(gzip.compress(b"hello\n"), "bad.gz:1: 'hello' is not a number")
