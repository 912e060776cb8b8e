# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program under test. SUITE_PROGRAM names it; SUITE_UPDATE=1 rewrites the expected texts (look at the diff)."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import schemas

PROGRAM = pathlib.Path(os.environ["SUITE_PROGRAM"]).absolute()
WRONG_PLUGIN = pathlib.Path(os.environ.get("SUITE_WRONG_PLUGIN", "/nonexistent"))
INPUTS = PROGRAM.parent.parent / "share" / "suite" / "inputs"
HERE = pathlib.Path(__file__).resolve().parent
UPDATE = os.environ.get("SUITE_UPDATE") == "1"

# A reduced gw input: two bands of one k point, few bands in the sum.
SMALL_GW = """app: gw
title: a reduced run
system:
  wavefunctions: data/silicon/WFN_inner.h5
  density: data/silicon/RHO
  vxc: data/silicon/vxc.dat
  eps0: data/silicon/eps0mat.h5
  eps: data/silicon/epsmat.h5
  nbands: 14
sigma:
  bands: [4, 5]
  kpoints: [[0, 0, 0], [0, 0, 0.2]]
coulomb:
  average: none
"""
SMALL_KERNEL = "kernel: gpp.sigma\nsize: ntband=8,ngpown=12,ncouls=40,nw=2\nrepeat: 6\n"


def suite(*arguments, folder=None, environment=None, timeout=300, prefix=()):
    """The finished process, with output as text; what it prints with --json and leaves behind with --output is as its schema has it."""
    env = dict(os.environ)
    for name in ("SUITE_PLUGIN_PATH", "OMP_NUM_THREADS"):
        env.pop(name, None)
    env.setdefault("SUITE_TUNED", "/nonexistent/tuned.json")  # not the user's own
    env.update(environment or {})
    words = list(map(str, arguments))
    done = subprocess.run([*prefix, str(PROGRAM), *words], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=timeout)
    if "--json" in words and "--help" not in words and done.stdout:
        schemas.check(done.stdout)
    if "--output" in words[:-1]:
        for result in (pathlib.Path(folder or ".") / words[words.index("--output") + 1]).glob("*.json"):
            schemas.check(result.read_text())
    return done


def has_gw():
    return "gw" in json.loads(suite("version", "--json").stdout)["apps"]


def backends(kernel=None):
    """Those of this machine, without that of the processor; with a kernel, those that have it."""
    listed = json.loads(suite("list", "--json").stdout)
    having = {p["implementation"] for p in listed["plugins"] if p["used"] and kernel in p["kernels"]}
    return [b["name"] for b in listed["backends"] if b["name"] != "cpu" and not b["problem"] and (kernel is None or b["name"] in having)]


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="suite-cli-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def plain(self, text):
        """Output with this machine's folders replaced."""
        return text.replace(str(INPUTS), "{inputs}").replace(str(self.folder), "{folder}").replace(str(PROGRAM.parent.parent), "{build}")

    def refused(self, arguments, exit_code, message, **options):
        """The program ends with this exit code and exactly this on standard error, and prints nothing else."""
        done = suite(*arguments, folder=options.pop("folder", self.folder), **options)
        self.assertEqual(self.plain(done.stderr), message)
        self.assertEqual(done.returncode, exit_code)
        self.assertEqual(done.stdout, "")
