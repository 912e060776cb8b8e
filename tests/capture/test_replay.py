# SPDX-License-Identifier: BSD-3-Clause
"""Captures taken from host programs, replayed by the program. SUITE_HOST_PROGRAM is the host in Fortran."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from suite_program import Case, WRONG_PLUGIN, backends, suite

HOST = os.environ.get("SUITE_HOST_PROGRAM", "")
# Those in Fortran with their arguments; each calls its kernels twice at least.
HOSTS = {name: os.environ["SUITE_" + name.upper()] for name in ("qxmd_style", "casino_style", "fhi_aims_style") if "SUITE_" + name.upper() in os.environ}
ARGUMENTS = {"qxmd_style": "8 5 3 4", "casino_style": "sc 14 2 4", "fhi_aims_style": "1"}


class Replay(Case):
    def run_host(self, implementation="cpu", host=HOST, **environment):
        done = subprocess.run([host, "31", "129", "33", "2", implementation], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "SUITE_CAPTURE": "captures", **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.said = done.stdout
        return sorted((self.folder / "captures").glob("*.h5"))

    def replay(self, capture, implementation, *more):
        done = suite("run", capture, "--implementation", implementation, "--json", "--output", self.folder / f"out-{implementation}", *more, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    @unittest.skipUnless(HOST, "the host program in Fortran was not built")
    def test_the_host_program_on_every_backend(self):
        captures = self.run_host(SUITE_CAPTURE_LIMIT="6")
        self.assertEqual([c.name for c in captures], [f"gpp.sigma-{n}.h5" for n in range(1, 7)])
        # The last call: other bands than the first, with constants that were set three calls before.
        for implementation in ["reference", "cpu", *backends("gpp.sigma")]:
            with self.subTest(implementation):
                found = self.replay(captures[5], implementation, "--set", "repeat=2")
                kernel, capture = found["kernels"][0], found["results"]["capture"]
                self.assertEqual((kernel["implementation"], kernel["verification"]["status"]), (implementation, "verified"))
                self.assertEqual((capture["stored"]["status"], capture["implementation"], capture["call"]), ("verified", "cpu", 6))
                self.assertLess(capture["stored"]["max_relative_error"], 1e-11)
                self.assertEqual(len(kernel["samples_s"]), 2)

    @unittest.skipUnless(HOST, "the host program in Fortran was not built")
    def test_a_program_with_a_name_for_terminals(self):
        """Neither control characters nor bytes that are no UTF-8 come out of a capture."""
        host = self.folder / "host\x1b[31m\udcff"
        shutil.copy(HOST, host)
        capture = self.run_host(host=host, SUITE_CAPTURE_LIMIT="1")[0]
        done = suite("run", capture, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("of host\ufffd[31m\ufffd", done.stdout)
        self.assertEqual(self.replay(capture, "cpu")["results"]["capture"]["program"].split("/")[-1], "host\ufffd[31m\ufffd")

    @unittest.skipUnless(HOST, "the host program in Fortran was not built")
    def test_later_calls(self):
        captures = self.run_host(SUITE_CAPTURE_SKIP="4")
        self.assertEqual([c.name for c in captures], ["gpp.sigma-1.h5", "gpp.sigma-2.h5"])
        capture = self.replay(captures[0], "cpu", "--set", "repeat=1")["results"]["capture"]
        self.assertEqual((capture["call"], capture["stored"]["status"]), (5, "verified"))

    @unittest.skipUnless(HOST, "the host program in Fortran was not built")
    def test_the_host_tells_that_nothing_was_captured(self):
        for environment, sentence in (({"SUITE_CAPTURE_SKIP": "6"}, "SUITE_CAPTURE_SKIP is 6; kernels that had no more calls than this, so that none was captured: gpp.sigma (6)"),
                                      ({"SUITE_CAPTURE_KERNEL": "gpp.sigmo"}, "SUITE_CAPTURE_KERNEL is 'gpp.sigmo', but only these kernels were opened: gpp.sigma")):
            with self.subTest(environment):
                self.assertEqual(self.run_host(**environment), [])
                self.assertIn(sentence, self.said)

    @unittest.skipUnless(HOST, "the host program in Fortran was not built")
    def test_from_a_device_with_memory_of_its_own(self):
        devices = backends("gpp.sigma")
        if not devices:
            self.skipTest("there is no backend but that of the processor")
        captures = self.run_host(devices[0], SUITE_CAPTURE_LIMIT="2")
        found = self.replay(captures[1], "cpu", "--set", "repeat=1")
        self.assertEqual(found["results"]["capture"]["implementation"], devices[0])
        self.assertEqual(found["results"]["capture"]["stored"]["status"], "verified")

    @unittest.skipUnless(HOST, "the host program in Fortran was not built")
    def test_the_tables_say_both_distances(self):
        capture = self.run_host(SUITE_CAPTURE_LIMIT="1")[0]
        done = suite("run", capture, folder=self.folder)
        self.assertRegex(done.stdout, r"capture  call 1 of \S+ on \S+, by cpu, variant best, \S+Z .*stored results: reproduced, max rel 0")
        self.assertRegex(done.stdout, r"kernel   gpp.sigma on cpu, variant best .*reference: verified, max rel ")
        done = suite("compare", capture, "--implementations", "reference,cpu", "--variants", "v9,best", "--repeat", "2", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"captured results +max rel err\n +reference +\S+ +reproduced\n +cpu v9 +\S+ +reproduced\n +cpu best +0\S* +reproduced\n")
        self.assertRegex(suite("check", capture, folder=self.folder).stdout, r"gpp.sigma-1.h5: ok \(kernel gpp.sigma\)")

    @unittest.skipUnless(HOSTS, "the host programs in Fortran were not built")
    def test_second_calls_of_the_other_host_programs(self):
        for name, host in HOSTS.items():
            done = subprocess.run([host, *ARGUMENTS[name].split()], cwd=self.folder, capture_output=True, text=True, timeout=300,
                                  env={**os.environ, "SUITE_CAPTURE": name, "SUITE_CAPTURE_LIMIT": "1", "SUITE_CAPTURE_SKIP": "1"})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            captures = sorted((self.folder / name).glob("*.h5"))
            self.assertTrue(captures, done.stdout)
            for capture in captures:
                with self.subTest(capture=f"{name}/{capture.name}"):
                    done = suite("compare", capture, "--implementations", "reference,cpu", "--repeat", "1", "--json", folder=self.folder)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(json.loads(done.stdout)["capture"]["call"], 2)

    def test_calls_of_every_kernel(self):
        """Of the first size in both precisions, where a kernel has them: states, indices, optional arguments, parameters."""
        kernels = {k for p in json.loads(suite("list", "--json").stdout)["plugins"] if p["used"] and p["implementation"] == "cpu" for k in p["kernels"]}
        sizes = [(kernel, "small") for kernel in sorted(kernels) if not kernel.startswith("ceilings.")]
        sizes += [(kernel, "small,precision=single") for kernel in ("lfd.propagate", "lfd.compute_rho") if kernel in kernels]
        for number, (kernel, size) in enumerate(sizes):
            with self.subTest(kernel=kernel, size=size):
                self.write("kernel.yaml", f"kernel: {kernel}\nsize: '{size}'\nrepeat: 1\n")
                done = suite("run", "kernel.yaml", "--output", f"out-{number}", folder=self.folder,
                             environment={"SUITE_CAPTURE": f"captures-{number}", "SUITE_CAPTURE_LIMIT": "2", "SUITE_CAPTURE_KERNEL": kernel})
                self.assertEqual(done.returncode, 0, done.stderr)
                # The first call was the reference's.
                done = suite("compare", f"captures-{number}/{kernel}-2.h5", "--implementations", "reference,cpu", "--repeat", "1", "--json", folder=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = json.loads(done.stdout)["capture"]
                self.assertEqual((found["implementation"], [r["status"] for r in found["reproduced"]]), ("cpu", ["verified"] * 2))

    def capture(self, size, **environment):
        self.write("kernel.yaml", f"kernel: gpp.sigma\nsize: {size}\nrepeat: 1\n")
        done = suite("run", "kernel.yaml", "--plugin", WRONG_PLUGIN, "--variant", "one_element", "--output", "wrong", folder=self.folder,
                     environment={"SUITE_CAPTURE": str(self.folder / "captures"), "SUITE_CAPTURE_KERNEL": "gpp", **environment})
        self.assertEqual(done.returncode, 1, done.stderr)
        return sorted((self.folder / "captures").glob("*.h5"))

    def test_a_wrong_answer_in_production_is_found(self):
        """The reference was captured first, then the implementation that is wrong."""
        right, wrong = self.capture("ntband=4,ngpown=6,ncouls=20,nw=2")[:2]
        done = suite("run", wrong, "--implementation", "cpu", folder=self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"verification failed: the captured results differ from those of cpu best: \S+ is .*, the capture has .* \(exit 1\)")
        self.assertIn("stored results: FAILED", done.stdout)
        self.assertIn("reference: verified", done.stdout)
        done = suite("compare", wrong, "--repeat", "1", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 1)
        found = json.loads(done.stdout)
        self.assertEqual({c["verification"]["status"] for c in found["contenders"]}, {"verified"})
        self.assertEqual({r["status"] for r in found["capture"]["reproduced"]}, {"failed"})
        self.assertEqual(suite("run", right, "--implementation", "cpu", folder=self.folder).returncode, 0)

    def test_no_replay_on_what_is_not_there(self):
        right = self.capture("ntband=4,ngpown=6,ncouls=20,nw=2", SUITE_CAPTURE_LIMIT="1")[0]
        self.assertEqual(suite("run", right, "--implementation", "nowhere", folder=self.folder).returncode, 3)
        done = suite("run", right, "--set", "size=small", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown key 'size'", done.stderr)

    def test_damaged_files_have_their_message(self):
        right = self.capture("ntband=4,ngpown=6,ncouls=20,nw=2", SUITE_CAPTURE_LIMIT="1")[0]
        whole = right.read_bytes()
        for name, content in {"short.h5": whole[:len(whole) // 2], "empty.h5": b"", "text.h5": b"kernel: gpp.sigma\n", "no_ending": whole[:100]}.items():
            file = self.write(name, content)
            for verb in ("run", "compare", "check"):
                done = suite(verb, file, folder=self.folder)
                self.assertEqual(done.returncode, 2, (verb, name, done.stderr))
                self.assertRegex(done.stderr, rf"^suite: error: .*{name}: not a complete HDF5 file: .*\n$")
        file = self.write("flipped.h5", whole.replace(b"gpp.sigma", b"gpp.sigmb"))
        done = suite("run", file, folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^suite: error: .*flipped.h5: dataset schema: it cannot be read: .*\n$")
        shutil.rmtree(self.folder / "captures")
        self.refused(["run", right], 6, "suite: error: {folder}/captures/gpp.sigma-1.h5: no such file\n")


if __name__ == "__main__":
    unittest.main()
