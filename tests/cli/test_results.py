# SPDX-License-Identifier: BSD-3-Clause
"""What a run leaves behind: its folder, result.json, --json, exit codes of input and output."""
import hashlib
import json
import os
import pathlib
import shlex
import signal
import subprocess
import time
import unittest

from suite_program import Case, PROGRAM, SMALL_GW, SMALL_KERNEL, has_gw, suite


class Results(Case):
    def setUp(self):
        super().setUp()
        self.write("k.yaml", SMALL_KERNEL)

    def run_json(self, *arguments):
        done = suite("run", *arguments, "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def test_json_is_the_result_file_and_nothing_else(self):
        result = self.run_json("k.yaml")
        self.assertEqual(result, json.loads((self.folder / result["folder"] / "result.json").read_text()))
        self.assertEqual(list(result)[:6], ["schema", "app", "title", "status", "results", "kernels"])
        self.assertEqual((result["schema"], result["status"]), ("suite-result-1", "ok"))
        kernel = result["kernels"][0]
        self.assertEqual((kernel["kernel"], kernel["implementation"], kernel["backend"], kernel["variant"]), ("gpp.sigma", "cpu", "cpu", "best"))
        self.assertEqual(len(kernel["samples_s"]), 6)
        self.assertGreater(kernel["flops"], 0)
        self.assertGreater(kernel["bytes"], 0)
        self.assertEqual(kernel["merit"], {"unit": "terms", "formula": "ncouls*ngpown*ntband*nex*nw", "count": 6 * 8 * 12 * 40 * 2,
                                           "better": "higher", "per_s": kernel["merit"]["count"] / kernel["total_s"]})
        self.assertEqual(kernel["verification"]["status"], "verified")
        self.assertLessEqual(kernel["verification"]["max_relative_error"], 1e-11)

    def test_provenance(self):
        result = self.run_json("k.yaml", "--set", "seed=7", "--threads", "1")
        origin = result["provenance"]
        self.assertEqual(origin["overrides"], ["seed=7"])
        self.assertEqual(origin["command_line"], ["suite", "run", "k.yaml", "--set", "seed=7", "--threads", "1", "--json"])
        self.assertEqual((origin["threads"], origin["ranks"]), (1, 1))
        self.assertEqual(origin["input"]["file"], "k.yaml")
        self.assertEqual(origin["input"]["sha256"], hashlib.sha256(SMALL_KERNEL.encode()).hexdigest())
        plugin = origin["plugins"][0]
        self.assertEqual(plugin["sha256"], hashlib.sha256(pathlib.Path(plugin["file"]).read_bytes()).hexdigest())
        self.assertTrue(plugin["compiler"])
        self.assertRegex(origin["utc"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_a_name_that_is_no_utf8(self):
        self.write("k\udcff.yaml", SMALL_KERNEL)
        self.assertEqual(self.run_json("k\udcff.yaml")["provenance"]["input"]["file"], "k\ufffd.yaml")

    def test_each_run_has_a_folder_of_its_own(self):
        folders = {self.run_json("k.yaml")["folder"] for _ in range(3)}
        self.assertEqual(len(folders), 3)
        for folder in folders:
            self.assertRegex(folder, r"^results/k-\d{8}T\d{6}Z(-\d+)?$")
        self.assertIn("results/" + os.readlink(self.folder / "results" / "last"), folders)
        self.assertFalse(list(self.folder.glob("results/*/*.part*")))

    def test_output_folder(self):
        self.assertEqual(self.run_json("k.yaml", "--output", "out/put")["folder"], "out/put")
        before = (self.folder / "out/put/result.json").read_text()
        self.refused(["run", "k.yaml", "--output", "out/put", "--quiet"], 2, "suite: error: --output 'out/put' is not empty; results are never overwritten\n")
        self.assertEqual((self.folder / "out/put/result.json").read_text(), before)
        self.refused(["run", "k.yaml", "--output", "k.yaml", "--quiet"], 2, "suite: error: --output 'k.yaml' exists and is not a folder\n")

    def test_unwritable_is_exit_6(self):
        (self.folder / "results").write_text("a file in the way")
        done = suite("run", "k.yaml", "--quiet", folder=self.folder)
        self.assertEqual(done.returncode, 6)
        self.assertRegex(done.stderr, r"^suite: error: cannot create the folder 'results")
        if os.path.exists("/dev/full"):
            with open("/dev/full", "w") as full:
                done = subprocess.run([str(PROGRAM), "list"], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stderr), (6, "suite: error: cannot write to standard output\n"))

    def test_json_of_a_mistake_is_an_object_too(self):
        for arguments, code in ((["run", "no.yaml"], 6), (["run", "k.yaml", "--implementation", "no"], 3), (["run", "k.yaml", "--set", "seeds=3"], 2)):
            done = suite(*arguments, "--json", folder=self.folder)
            self.assertEqual(done.returncode, code)
            error = json.loads(done.stdout)
            self.assertEqual((error["status"], error["error"]["exit_code"]), ("error", code))
            self.assertIn(error["error"]["message"].splitlines()[0], done.stderr)

    def test_table_has_header_time_and_next_step(self):
        done = suite("run", "k.yaml", folder=self.folder)
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"^suite \d+\.\d+\.\d+ +\d+ cores?, ")
        self.assertIn("reference: verified, max rel ", done.stdout)
        self.assertRegex(done.stdout, r"\n time \S+ m?s \(CPU \S+ m?s\)   gpp\.sigma \S+ [mun]?s   [\d.]+ [kMG] terms/s   \S+ GFLOP/s")
        self.assertTrue(done.stdout.splitlines()[-1].startswith("next: suite compare k.yaml --implementations reference,"))
        self.assertNotIn("\033", done.stdout)

    def test_the_next_commands_can_be_pasted_whatever_files_are_called(self):
        for name, out in (("k.yaml", "out"), ("my k's.yaml", "out $1; x")):
            self.write(name, SMALL_KERNEL)
            done = suite("run", name, "--output", out, folder=self.folder)
            words = [shlex.split(line) for line in done.stdout.splitlines() if line.startswith("next: ")]
            self.assertEqual([line[:4] for line in words], [["next:", "suite", "report", out], ["next:", "suite", "compare", name]], done.stderr)

    def test_interrupt_leaves_a_note(self):
        self.write("long.yaml", SMALL_KERNEL.replace("repeat: 6", "repeat: 100000"))
        running = subprocess.Popen([str(PROGRAM), "run", "long.yaml", "--output", "cut"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        for _ in range(3000):
            if (self.folder / "cut").is_dir():
                break
            time.sleep(0.01)
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130)
        self.assertEqual(said, "\nsuite: interrupted; partial results are in cut\n")
        self.assertEqual(json.loads((self.folder / "cut" / "result.json").read_text())["status"], "interrupted")


@unittest.skipUnless(has_gw(), "the gw app is not in this build")
class GwResults(Case):
    def test_gw_result(self):
        self.write("in.yaml", SMALL_GW)
        done = suite("run", "in.yaml", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        states = result["results"]["quasiparticle"]
        self.assertEqual(len(states), 4)
        self.assertLessEqual({"k", "band", "emf_eV", "x_eV", "sx_minus_x_eV", "ch_eV", "sigma_eV", "vxc_eV", "z", "eqp0_eV", "eqp1_eV"}, set(states[0]))
        self.assertIn("gap_eV", result["results"])
        self.assertEqual(result["kernels"][0]["kernel"], "gpp.sigma")
        self.assertEqual(result["kernels"][0]["verification"]["status"], "verified")

    def test_reference_and_cpu_give_the_same_energies(self):
        self.write("in.yaml", SMALL_GW)
        energies = []
        for implementation in ("cpu", "reference"):
            done = suite("run", "in.yaml", "--json", "--implementation", implementation, folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            energies.append([s["eqp1_eV"] for s in json.loads(done.stdout)["results"]["quasiparticle"]])
        for a, b in zip(*energies):
            self.assertTrue(abs(a - b) <= 1e-10, (a, b))

    def test_a_k_point_and_k_plus_g_are_one(self):
        found = []
        for kpoints in ("[[0, 0, 0], [0, 0, 0.2]]", "[[0, 1, 0], [-2, 0, -0.8]]"):
            self.write("in.yaml", SMALL_GW.replace("[[0, 0, 0], [0, 0, 0.2]]", kpoints))
            done = suite("run", "in.yaml", "--json", folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            found.append([(s["k"], s["band"], s["eqp1_eV"]) for s in json.loads(done.stdout)["results"]["quasiparticle"]])
        self.assertEqual(*found)

    def test_bare_name_is_found_among_the_installed_inputs(self):
        self.write("nothing", "")
        self.refused(["check", "no_such_input.yaml"], 6, "suite: error: no_such_input.yaml: no such file here or in {inputs}\n")
