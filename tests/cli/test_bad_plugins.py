# SPDX-License-Identifier: BSD-3-Clause
"""A plugin file that is no plugin ends in a sentence and exit code 3, and `suite list` names it with the reason."""
import os
import shutil
import subprocess

from suite_program import Case, PROGRAM, SMALL_KERNEL, suite


def library(name):
    """A file of this build's library folder."""
    return next(path for path in sorted(PROGRAM.parent.parent.glob("lib*/**/" + name)) if not path.parent.name.startswith("x86-64"))


class BadPlugins(Case):
    def setUp(self):
        super().setUp()
        self.write("k.yaml", SMALL_KERNEL)
        self.good = library("suite_gpp_reference.so").read_bytes()

    def check(self, content, why, mode=0o644):
        self.write("suite_gpp_bad.so", content).chmod(mode)
        self.refused(["run", "k.yaml", "--plugin", "suite_gpp_bad.so"], 3,
                     f"suite: error: cannot use ./suite_gpp_bad.so: {self.plain(why)}\n")
        listed = suite("list", "--plugin", ".", folder=self.folder)
        self.assertEqual(listed.returncode, 0)
        self.assertIn(" ".join(f"unavailable {self.folder}/suite_gpp_bad.so {why}".split()), " ".join(listed.stdout.split()))

    def patched(self, at, value):
        content = bytearray(self.good)
        content[at] = value
        return bytes(content)

    def test_empty(self):
        self.check(b"", "damaged: it is empty")

    def test_text(self):
        self.check(b"hello\n", "damaged: it has 6 bytes, too few for an ELF header")

    def test_only_a_header(self):
        self.check(self.good[:100], "damaged: its program header table lies beyond its end")

    def test_wrong_machine(self):
        self.check(self.patched(18, 40), "damaged: its SHA-256 is not the one it was sealed with")

    def test_wrong_word_size(self):
        self.check(self.patched(4, 1), "damaged: its SHA-256 is not the one it was sealed with")

    def test_flipped_byte(self):
        self.check(self.patched(20000, self.good[20000] ^ 255), "damaged: its SHA-256 is not the one it was sealed with")

    def test_no_plugin_but_a_library(self):
        self.check(library("libsuite.so.*").read_bytes(), "it has no function suite_plugin_query, so it is not a plugin of suite")

    def test_writable_by_everybody(self):
        self.check(self.good, f"unsafe: the file may be written by everybody (chmod go-w {self.folder}/suite_gpp_bad.so)", 0o666)

    def test_cut_anywhere_never_kills_the_program(self):
        for left in range(64, len(self.good), len(self.good) // 40):
            with self.subTest(f"cut to {left} bytes"):
                self.write("suite_gpp_bad.so", self.good[:left])
                done = suite("run", "k.yaml", "--plugin", "suite_gpp_bad.so", folder=self.folder)
                self.assertEqual(done.returncode, 3)
                self.assertTrue(done.stderr.startswith("suite: error: cannot use ./suite_gpp_bad.so: damaged: "), done.stderr)

    def test_a_backend_is_no_kernel(self):
        shutil.copy(library("suite_backend_cpu.so"), self.folder / "suite_gpp_bad.so")
        self.refused(["run", "k.yaml", "--plugin", "./suite_gpp_bad.so"], 3, "suite: error: no kernel 'gpp.sigma' in ./suite_gpp_bad.so\n")

    def test_no_such_file(self):
        self.refused(["run", "k.yaml", "--plugin", "./no.so"], 3, "suite: error: --plugin names a file or folder that does not exist: './no.so'\n")

    def test_dangling_link(self):
        os.symlink("/nonexistent/plugin.so", self.folder / "suite_gpp_bad.so")
        self.refused(["run", "k.yaml", "--plugin", "./suite_gpp_bad.so"], 3,
                     "suite: error: --plugin names a file or folder that does not exist: './suite_gpp_bad.so'\n")

    def test_the_program_itself_links_no_mpi(self):
        linked = subprocess.run(["ldd", str(PROGRAM)], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libmpi", linked)
