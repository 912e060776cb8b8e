# SPDX-License-Identifier: BSD-3-Clause
"""1 to 4 MPI ranks give the same energies; a mistake is said once and ends all ranks with its exit code."""
import json
import os
import shutil
import subprocess
import unittest

from small_inputs import APPS
from suite_program import Case, PROGRAM, backends, SMALL_GW, SMALL_KERNEL, has_gw, suite

MPIEXEC = os.environ.get("SUITE_MPIEXEC", "")
LAUNCH = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMP_NUM_THREADS": "1"}


def has_mpi():
    return bool(MPIEXEC) and json.loads(suite("version", "--json").stdout)["mpi"]


@unittest.skipUnless(has_mpi(), "this build has no MPI")
class Ranks(Case):
    def launch(self, ranks, *arguments):
        return suite(*arguments, folder=self.folder, environment=LAUNCH, prefix=(MPIEXEC, "-np", str(ranks)))

    @unittest.skipUnless(has_gw(), "the gw app is not in this build")
    def test_same_energies(self):
        self.write("in.yaml", SMALL_GW)
        energies, files = {}, {}
        for ranks, slices in ((1, 1), (2, 1), (4, 1), (4, 2), (2, 2), (3, 3)):
            output = f"ranks_{ranks}_slices_{slices}"
            done = self.launch(ranks, "run", "in.yaml", "--json", "--output", output, "--set", f"parallel.gprime_slices={slices}")
            self.assertEqual(done.returncode, 0, done.stderr)
            result = json.loads(done.stdout)
            self.assertEqual(result["provenance"]["ranks"], ranks)
            energies[ranks, slices] = [s[key] for s in result["results"]["quasiparticle"] for key in ("x_eV", "sx_minus_x_eV", "ch_eV", "eqp1_eV")]
            files[ranks, slices] = [(self.folder / output / name).read_bytes() for name in ("sigma_hp.log", "eqp0.dat", "eqp1.dat")]
        for case, written in files.items():
            self.assertEqual(written, files[1, 1], case)
        for case, values in energies.items():
            for a, b in zip(energies[1, 1], values):
                self.assertTrue(abs(a - b) <= 1e-12 * max(1, abs(a)), (case, a, b))

    def devices(self, ranks, *arguments, **environment):
        done = suite("run", "k.yaml", "--json", *arguments, folder=self.folder, environment=LAUNCH | environment,
                     prefix=(MPIEXEC, "-np", str(ranks)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["provenance"]["devices"]

    @unittest.skipUnless("emulated" in backends(), "this build has no backend 'emulated'")
    def test_each_rank_has_a_device(self):
        self.write("k.yaml", SMALL_KERNEL)
        several = {"SUITE_EMULATED_DEVICES": "2"}
        with_gpu = ("--implementation", "emulated")
        self.assertEqual(self.devices(3, *with_gpu, **several), ["emulated:0", "emulated:1", "emulated:0"])
        self.assertEqual(self.devices(2, *with_gpu), ["emulated:0", "emulated:0"])
        self.assertEqual(self.devices(2, "--implementation", "emulated:1", **several), ["emulated:1", "emulated:1"])
        self.assertEqual(self.devices(2, *with_gpu, SUITE_LOCAL_RANK="1", **several), ["emulated:1", "emulated:1"])
        self.assertEqual(self.devices(2), ["cpu:0", "cpu:0"])

    @unittest.skipUnless(any(b.startswith("opencl") for b in backends()), "this build has no backend 'opencl'")
    def test_each_rank_has_a_processor_of_pocl(self):
        """PoCL pretends to have as many devices as POCL_DEVICES names."""
        self.write("k.yaml", SMALL_KERNEL)
        twice = {"POCL_DEVICES": "pthread pthread"}
        listed = [b["device"] for b in json.loads(suite("list", "--json", environment=twice).stdout)["backends"] if b["name"].startswith("opencl")]
        if len(listed) != 2 or listed[0] != listed[1]:
            self.skipTest(f"OpenCL lists {len(listed)} devices here, not two of PoCL alone")
        self.assertEqual(self.devices(2, "--implementation", "opencl", **twice), ["opencl:0", "opencl:1"])
        # A device of another kind is none to take in turn.
        mixed = {"POCL_DEVICES": "pthread basic"}
        self.assertEqual(self.devices(2, "--implementation", "opencl", **mixed), ["opencl:0", "opencl:0"])

    def test_a_mistake_is_said_once(self):
        self.write("k.yaml", SMALL_KERNEL)
        done = self.launch(3, "run", "k.yaml", "--set", "seeds=3")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("--set seeds=3: error: unknown key 'seeds'; did you mean 'seed'?"), 1)
        done = self.launch(3, "run", "k.yaml", "--implementation", "cpuu")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.count("suite: error: "), 1)

    def test_other_verbs_speak_once(self):
        self.write("k.yaml", SMALL_KERNEL)
        done = self.launch(3, "check", "k.yaml")
        self.assertEqual((done.returncode, done.stdout.count("ok (kernel gpp.sigma)")), (0, 1), done.stderr)
        for arguments, code in ((("check", "k.yaml", "--set", "seeds=3"), 2), (("frobnicate",), 2), (("run", "k.yaml", "--thread", "2"), 2), (("bench", "gpp.sigmaa"), 3),
                                (("validate", "qmc"), 2), (("report", "no.json"), 6)):
            done = self.launch(3, *arguments)
            self.assertEqual((arguments, done.returncode, done.stderr.count("error: ")), (arguments, code, 1), done.stderr)

    def test_one_table(self):
        self.write("k.yaml", SMALL_KERNEL)
        done = self.launch(2, "run", "k.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("reference: verified"), 1)
        self.assertEqual(len(list(self.folder.glob("results/k-*"))), 1)


class Memory(Case):
    def test_processes_share_their_machine(self):
        """Told that it is one of a million on this machine, one refuses what it would do alone."""
        for name in ("gw", "dfpt"):
            if name not in APPS:
                continue
            with self.subTest(name):
                self.write("in.yaml", APPS[name])
                done = suite("run", "in.yaml", folder=self.folder,
                             environment={"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "1000000"})
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertRegex(done.stderr, r"need(s)? [\d.]+ [KMG]iB.* in each of 1000000 processes and this machine has [\d.]+ [KMGT]iB: ")


class WithoutMpi(Case):
    def test_several_ranks_need_the_module(self):
        """A copy of the program without the module beside it, told that it is one of two ranks."""
        (self.folder / "bin").mkdir()
        shutil.copy(PROGRAM, self.folder / "bin" / "suite")
        self.write("k.yaml", SMALL_KERNEL)
        library = next(path.parent for path in PROGRAM.parent.parent.glob("lib*/**/libsuite.so"))
        environment = dict(os.environ, OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0", LD_LIBRARY_PATH=str(library))
        done = subprocess.run([str(self.folder / "bin" / "suite"), "run", "k.yaml"], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "suite: error: started by mpirun with 2 ranks, but this build has no MPI: suite_communicator_mpi.so is not beside "
                         "the plugins (configure with -DSUITE_WITH_MPI=ON)\n")
