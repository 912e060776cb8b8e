# SPDX-License-Identifier: BSD-3-Clause
"""The files of inputs/diamond.yaml: orbitals of a run of Quantum ESPRESSO in ES-HDF format, and carbon's pseudopotential.

    python3 diamond_files.py out/diamond.save diamond.h5 C.BFD.xml

The run is that of docs/crystals_qmc.md at k = 0 alone. pw.x without HDF5 writes wfc1.dat, Fortran records: k point; numbers of plane waves, components
and bands; reciprocal vectors; Miller indices; the coefficients of each band.
"""
import re
import struct
import sys
from pathlib import Path

import numpy as np

from crystal_files import Crystal

EDGE = 3.37316115


class Diamond(Crystal):
    """Two atoms, four electrons of each spin, the states that they fill."""

    def __init__(self, folder):
        self.folder = Path(folder)
        cell = EDGE * np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]])
        super().__init__(cell, [("C", 6, 4, (0, 0, 0)), ("C", 6, 4, (EDGE / 2,) * 3)], (4, 4), [(0, 0, 0)], None)

    def bands(self, k, spin, count=4):
        records = self.records()
        assert np.allclose(np.frombuffer(next(records), "f8", 3, 4), k)
        _, _, components, bands = struct.unpack("<4i", next(records))
        assert components == 1 and bands >= count
        assert np.allclose(np.frombuffer(next(records), "f8").reshape(3, 3), self.reciprocal, atol=1e-6)
        g = np.frombuffer(next(records), "i4").reshape(-1, 3)
        states = np.array([np.frombuffer(next(records), "c16") for _ in range(count)]).T
        schema = (self.folder / "data-file-schema.xml").read_text()
        energies = re.search(r"<eigenvalues[^>]*>(.*?)</eigenvalues>", schema, re.S).group(1).split()
        return g, np.array(energies[:count], float), states

    def records(self):
        content, at = (self.folder / "wfc1.dat").read_bytes(), 0
        while at < len(content):
            length, = struct.unpack_from("<i", content, at)
            yield content[at + 4:at + 4 + length]
            at += length + 8


def carbon(points=1001, end=4.0):
    """QMCPACK's XML of the Gaussians of Burkatzki, Filippi, Dolg, J. Chem. Phys. 126, 234105 (2007), Ha and bohr; V ends before `end`."""
    r = np.linspace(0, end, points)
    p = -4 + 4 * np.exp(-8.35973821 * r ** 2) - 19.17537323 * r * np.exp(-3.93831258 * r ** 2) \
        + 33.43895285 * r ** 2 * np.exp(-4.48361888 * r ** 2)
    s = p + 22.55164191 * r * np.exp(-5.02991637 * r ** 2)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             "<!-- Carbon of Burkatzki, Filippi, Dolg, J. Chem. Phys. 126, 234105 (2007): r V_l from the published Gaussians. -->",
             '<pseudo version="0.5">', '  <header symbol="C" atomic-number="6" zval="4"/>', '  <semilocal units="hartree" format="r*V" l-local="1">']
    for l, values in (("s", s), ("p", p)):
        lines += [f'    <vps l="{l}">', f'      <grid type="linear" units="bohr" ri="0" rf="{end:g}" npts="{points}"/>', "      <data>"]
        lines += [" ".join(f"{x:.12g}" for x in values[i:i + 6]) for i in range(0, points, 6)]
        lines += ["      </data>", "    </vps>"]
    return "\n".join(lines + ["  </semilocal>", "</pseudo>", ""])


if __name__ == "__main__":
    Diamond(sys.argv[1]).write(sys.argv[2])
    Path(sys.argv[3]).write_text(carbon())
