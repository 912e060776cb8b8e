# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the gw app that are stopped, wherever that is, and continued: the results are those of a run that was not, to the last bit."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import h5py

PROGRAM, SOURCE = os.environ["SUITE_PROGRAM"], pathlib.Path(os.environ["SUITE_SOURCE"])
MPIEXEC = os.environ.get("SUITE_MPIEXEC", "")
LAUNCH = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
          "OMP_NUM_THREADS": "1"}
INPUT = SOURCE / "inputs/silicon_scratch.yaml"
SMALL = ("epsilon.cutoff=3 Ry", "epsilon.nbands=14", "system.nbands=14", "sigma.bands=[1, 8]", "sigma.kpoints=[[0, 0, 0], [0, 0.2, 0.4]]")
COMPARED = ("eqp0.dat", "eqp1.dat", "sigma_hp.log")
EPS, SIGMA = r"eps\^-1: pairs of bands  [1-9]", r"pairs \(k,q\)  [1-9]"


class Restart(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, output, settings, ranks=1):
        launcher = [MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
        words = [word for setting in (*SMALL, *settings) for word in ("--set", setting)]
        environment = {**os.environ, **(LAUNCH if ranks > 1 else {}), "SUITE_PROGRESS_INTERVAL": "1e-9", "SUITE_TUNED": "/nonexistent"}
        return subprocess.Popen([*launcher, PROGRAM, "run", INPUT, "--output", output, *words], cwd=self.folder, env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run_to_the_end(self, output, *settings, ranks=1):
        running = self.start(output, settings, ranks)
        _, said = running.communicate(timeout=600)
        self.assertEqual(running.returncode, 0, said)
        self.assertFalse((self.folder / output / "checkpoint.h5").exists())
        return self.folder / output

    def stop(self, output, where, *settings, ranks=1, by=signal.SIGTERM):
        """Sends the signal when a line of the progress is as the pattern has it."""
        running = self.start(output, settings, ranks)
        for line in running.stderr:
            if re.search(where, line):
                break
        # mpiexec would kill its processes a second later.
        children = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split() if ranks > 1 else [running.pid]
        for process in children:
            os.kill(int(process), by)
        _, said = running.communicate(timeout=600)
        self.assertNotEqual(running.returncode, 0, said)
        if by == signal.SIGTERM and ranks == 1:
            self.assertEqual(running.returncode, 143, said)
            self.assertIn("to continue: --set restart.file=", said)
            self.assertEqual(json.loads((self.folder / output / "result.json").read_text())["status"], "interrupted")
        return "restart.file=" + str(self.folder / output / "checkpoint.h5")

    def agree(self, folder, other):
        for name in COMPARED:
            self.assertEqual((folder / name).read_text(), (other / name).read_text(), name)
        for name in ("eps0mat.h5", "epsmat.h5"):
            with h5py.File(folder / name) as a, h5py.File(other / name) as b:
                for dataset in ("mats/matrix", "mats/matrix-diagonal", "eps_header/qpoints/qpt_done", "eps_header/gspace/vcoul"):
                    self.assertEqual(a[dataset][()].tobytes(), b[dataset][()].tobytes(), dataset)

    def test_stopped_in_both_stages(self):
        whole = self.run_to_the_end("whole")
        first = self.stop("first", r"eps\^-1: pairs of bands  \d{4}")
        with h5py.File(self.folder / "first/epsmat.h5") as eps:
            done = eps["eps_header/qpoints/qpt_done"][()]
            self.assertTrue(0 in done)
        second = self.stop("second", SIGMA, first)
        with h5py.File(self.folder / "second/checkpoint.h5") as checkpoint:
            sigma, epsilon = checkpoint["sigma/done"][()], checkpoint["epsilon/done"][()]
        self.assertTrue(0 < sum(sigma) < len(sigma), sigma)
        self.assertEqual(sum(epsilon), len(epsilon))
        self.agree(self.run_to_the_end("end", second), whole)

    def test_stopped_before_anything_was_done(self):
        first = self.stop("first", r"eps\^-1: pairs of bands  0/")
        self.agree(self.run_to_the_end("end", first), self.run_to_the_end("whole"))

    def test_killed_between_checkpoints(self):
        every = "checkpoint.interval=2"
        first = self.stop("first", SIGMA.replace("[1-9]", "[4-9]"), every, by=signal.SIGKILL)
        self.assertFalse((self.folder / "first/eqp0.dat").exists())
        self.agree(self.run_to_the_end("end", first), self.run_to_the_end("whole"))

    def test_other_settings_and_missing_matrices_are_refused(self):
        first = self.stop("first", SIGMA)
        for settings, said in ((("sigma.gpp_broadening=0.6 eV", ), "sigma.gpp_broadening is 0.5 there and 0.6 here"),
                               (("system.vxc=" + str(self.other_vxc()), ), "contents of system.vxc is"),
                               (("parallel.gprime_slices=1", "sigma.bands=[1, 4]"), "sigma.bands")):
            running = self.start(f"refused {said}", (first, *settings))
            _, stderr = running.communicate(timeout=600)
            self.assertEqual(running.returncode, 2, stderr)
            self.assertIn(said, stderr)
        self.run_to_the_end("fewer", "epsilon.nbands=10", "epsilon.only=true")
        for name in ("eps0mat.h5", "epsmat.h5"):
            (self.folder / "first" / name).rename(self.folder / name)
            shutil.copy(self.folder / "fewer" / name, self.folder / "first" / name)
            running = self.start(f"refused {name}", (first, ))
            _, stderr = running.communicate(timeout=600)
            self.assertEqual(running.returncode, 2, stderr)
            self.assertIn(f"first/{name} is of another run than the checkpoint beside it", stderr)
            (self.folder / name).rename(self.folder / "first" / name)
        (self.folder / "first/eps0mat.h5").unlink()
        running = self.start("refused", (first, ))
        _, stderr = running.communicate(timeout=600)
        self.assertEqual(running.returncode, 3, stderr)
        self.assertIn("eps0mat.h5", stderr)

    def other_vxc(self):
        """The same energies with another line end: still another file."""
        other = self.folder / "vxc.dat"
        other.write_text((SOURCE / "inputs/data/silicon/vxc.dat").read_text() + "\n")
        return other

    @unittest.skipUnless(MPIEXEC, "no mpiexec")
    def test_ranks_and_slices(self):
        whole = self.run_to_the_end("whole")
        first = self.stop("first", EPS, ranks=2)
        second = self.stop("second", SIGMA, first, ranks=2)
        self.agree(self.run_to_the_end("end", second), whole)
        slices = "parallel.gprime_slices=2"
        whole = self.run_to_the_end("whole2", slices, ranks=2)
        first = self.stop("third", SIGMA, slices, ranks=2)
        self.agree(self.run_to_the_end("end2", slices, first, ranks=2), whole)


if __name__ == "__main__":
    unittest.main()
