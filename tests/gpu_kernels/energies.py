#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Quasiparticle energies of one k point of silicon from the processor's kernel and from the GPU source, emulated, agree
to 1e-9 eV.

    energies.py <suite program> <silicon data>
"""
import pathlib
import subprocess
import sys
import tempfile

INPUT = """app: gw
title: one k point, few bands
system:
  wavefunctions: {data}/WFN_inner.h5
  density: {data}/RHO
  vxc: {data}/vxc.dat
  eps0: {data}/eps0mat.h5
  eps: {data}/epsmat.h5
  nbands: 14
sigma:
  bands: [4, 5]
  kpoints: [[0, 0, 0]]
  exact_static_ch: {static}
coulomb:
  average: none
"""


def run(program, folder, implementation):
    results = folder / implementation
    done = subprocess.run([program, "run", folder / "gpp.yaml", "--implementation", implementation, "--output", results, "--quiet"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{implementation}: {done.stderr}")
    found = sorted(results.rglob("eqp1.dat"))
    assert found, f"no eqp1.dat below {results}"
    # That the energies come from where they are said to come from.
    assert f'"implementation": "{implementation}"' in (results / "result.json").read_text(), implementation
    return [float(x) for name in ("eqp0.dat", "eqp1.dat") for x in (found[0].parent / name).read_text().split()]


def main():
    program, data = sys.argv[1:]
    for static in ("true", "false"):
        with tempfile.TemporaryDirectory(prefix="suite-gpu-") as name:
            folder = pathlib.Path(name)
            (folder / "gpp.yaml").write_text(INPUT.format(data=data, static=static))
            cpu, emulated = run(program, folder, "cpu"), run(program, folder, "emulated")
        assert len(cpu) == len(emulated) > 10
        worst = max(abs(a - b) for a, b in zip(cpu, emulated))
        print(f"exact_static_ch {static}: {len(cpu)} numbers, largest difference {worst:.1e} eV")
        if not worst <= 1e-9:
            sys.exit("energies differ by more than 1e-9 eV")


main()
