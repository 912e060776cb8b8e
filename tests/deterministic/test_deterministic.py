# SPDX-License-Identifier: BSD-3-Clause
"""suite run --deterministic: one result, whatever the number of ranks and threads; kernels on OpenCL devices of so many threads."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from small_inputs import GAS, HYDROGEN, SMALL_DFPT, SMALL_TDDFT, SMALL_VMC  # noqa: E402
from suite_program import Case, SMALL_GW, backends, suite  # noqa: E402

MPIEXEC = os.environ.get("SUITE_MPIEXEC", "")
KERNEL_HASHES = os.environ.get("KERNEL_HASHES", "")
LAUNCH = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
KERNEL = "kernel:\n  implementation: cpu\n"
RUNS = {
    "gw": SMALL_GW,
    "tddft": SMALL_TDDFT.replace("[2, 2, 1]", "[3, 3, 2]").replace("20 as", "10 as"),
    "vmc": SMALL_VMC.replace("walkers: 4", "walkers: 7"),
    "dmc": GAS.replace("app: vmc", "app: vmc\nmethod: dmc") + """vmc:
  equilibration: 100
  reinvert: 20
dmc:
  time_steps: [1.0, 0.5 hbar/Ha]
  walkers: 14
  equilibration: 15
  steps: 40
""",
    "optimise": GAS.split("jastrow:")[0].replace("app: vmc", "app: vmc\nmethod: optimise") + """jastrow:
  u: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
  p: [[0, 0, 0]]
vmc:
  walkers: 8
  equilibration: 100
optimise:
  cycles: 1
  configurations: 80
""",
    # Water has more batches of points to share than hydrogen.
    "dfpt": SMALL_DFPT.replace(HYDROGEN, "{elements: [O, H, H], positions: [[0, 0, 0], [1.2, 0.5, 1.0], [-1.0, -1.1, 0.9]], unit: bohr}"),
}


def of_the_clock(key):
    return key.endswith(("_s", "_per_s")) or key in ("times", "kernel_s")


def without_clock(value):
    if isinstance(value, dict):
        return {k: without_clock(v) for k, v in value.items() if not of_the_clock(k)}
    if isinstance(value, list):
        return [without_clock(v) for v in value]
    return value


class Apps(Case):
    def run_input(self, content, ranks, threads, *arguments):
        """What a run has found: its results, and the tables in its folder."""
        self.write("in.yaml", content)
        name = f"out-{len(list(self.folder.glob('out-*')))}"
        prefix = (MPIEXEC, "-np", str(ranks)) if ranks > 1 else ()
        done = suite("run", "in.yaml", "--json", "--output", name, "--threads", threads, *arguments, folder=self.folder,
                     prefix=prefix, environment=LAUNCH)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["provenance"]["ranks"], ranks)
        self.assertEqual(result["provenance"]["deterministic"], "--deterministic" in arguments)
        files = {f.name: f.read_bytes() for f in (self.folder / name).iterdir() if f.suffix in (".csv", ".dat", ".yaml", ".data")}
        return {"results": without_clock(result["results"]), "files": files}

    def check(self, content):
        content = KERNEL + content if "kernel:" not in content else content
        runs = [(1, 1), (1, 3)] + ([(2, 1), (3, 2)] if MPIEXEC else [])
        first = self.run_input(content, *runs[0], "--deterministic")
        for ranks, threads in runs[1:]:
            with self.subTest(ranks=ranks, threads=threads):
                other = self.run_input(content, ranks, threads, "--deterministic")
                self.assertEqual(sorted(first["files"]), sorted(other["files"]))
                self.assertEqual(first["results"], other["results"])
                for name, content_of in first["files"].items():
                    self.assertEqual(content_of, other["files"][name], name)

    @unittest.skipUnless(MPIEXEC, "no mpiexec")
    def test_slices_of_gw(self):
        """Ranks that share each q: 14 bands are two vectors of 8, the second cut, so that one of three ranks has none."""
        content = KERNEL + SMALL_GW
        one = self.run_input(content, 1, 1, "--deterministic")
        for slices, runs in ((2, ((2, 1), (4, 2))), (3, ((3, 2), (6, 1)))):
            first = None
            for ranks, threads in runs:
                with self.subTest(slices=slices, ranks=ranks, threads=threads):
                    other = self.run_input(content, ranks, threads, "--deterministic", "--set", f"parallel.gprime_slices={slices}")
                    first = first or other
                    self.assertEqual(first["results"], other["results"])
                    self.assertEqual(one["files"], other["files"])

    def test_more_ranks_than_units_are_refused(self):
        if not MPIEXEC:
            self.skipTest("no mpiexec")
        self.write("in.yaml", RUNS["tddft"])
        done = suite("run", "in.yaml", "--deterministic", "--threads", 1, folder=self.folder, prefix=(MPIEXEC, "-np", "13"), environment=LAUNCH)
        self.assertIn("a deterministic run has 12 units of work and can use at most that many processes; 13 were started", done.stderr)
        self.assertEqual(done.returncode, 2)


for _name, _content in RUNS.items():
    setattr(Apps, f"test_{_name}", lambda self, content=_content: self.check(content))


class Devices(Case):
    """An OpenCL platform on the CPU takes its threads from the environment when it is loaded."""

    def hashes(self, threads):
        done = subprocess.run([KERNEL_HASHES, "--backend", "opencl", "--print", "--threads", "1", "--size", "small"],
                              env=dict(os.environ, SUITE_DETERMINISTIC="1", POCL_MAX_PTHREAD_COUNT=str(threads)), capture_output=True, text=True)
        lines = [line for line in done.stdout.splitlines() if " small " in line]
        self.assertGreater(len(lines), 0, done.stderr)
        return lines

    @unittest.skipUnless("opencl" in backends(), "no OpenCL device")
    def test_opencl(self):
        self.assertEqual(self.hashes(1), self.hashes(3))


if __name__ == "__main__":
    unittest.main()
