#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the files in tests/gw/truncated: a slab, a wire and a molecule of two Gaussian wells in each cell, in binary files as pw2bgw.x writes them.

    truncated_wavefunctions.py FOLDER

BerkeleyGW's epsilon.x and sigma.x then made sigma_hp.log and vxc.dat from them, by the epsilon.inp and sigma.inp that are written, too. Needs numpy.
"""
import itertools
import pathlib
import struct
import sys

import numpy as np

CUTOFF, DENSITY_CUTOFF, EPSILON_CUTOFF = 4.0, 16.0, 3.0
OCCUPIED, BANDS = 2, 10  # of which the last is not summed


def fft_size(n):
    while not is_smooth(n):
        n += 1
    return n


def is_smooth(n):
    for prime in (2, 3, 5):
        while n % prime == 0:
            n //= prime
    return n == 1


class System:
    def __init__(self, keyword, edges, wells, grid, small_q):
        self.keyword, self.edges, self.wells, self.grid, self.small_q = keyword, np.array(edges), wells, np.array(grid), np.array(small_q)
        self.b = 2 * np.pi / self.edges
        self.volume = np.prod(self.edges)
        self.g = self.sphere(np.zeros(3), DENSITY_CUTOFF)
        self.fft = [fft_size(2 * int(np.sqrt(DENSITY_CUTOFF) / b) + 1) for b in self.b]

    def sphere(self, k, cutoff):
        most = [int(np.sqrt(cutoff) / b) + 1 for b in self.b]
        g = np.array(list(itertools.product(*[range(-n, n + 1) for n in most])))
        return g[(((g + k) * self.b)**2).sum(axis=1) <= cutoff]

    def potential(self, g):
        q2 = ((g * self.b)**2).sum(axis=-1)
        return sum(-depth * (2 * np.pi * width**2)**1.5 / self.volume * np.exp(-q2 * width**2 / 2 - 2j * np.pi * (g @ np.array(position)))
                   for position, depth, width in self.wells)

    def states(self, k, bands):
        g = self.sphere(k, CUTOFF)
        hamiltonian = np.diag((((g + k) * self.b)**2).sum(axis=1)) + self.potential(g[:, None] - g[None])
        energies, vectors = np.linalg.eigh(hamiltonian)
        return g, energies[:bands], vectors[:, :bands].T

    def points(self, shift):
        return [np.array(i) / self.grid + shift for i in itertools.product(*[range(n) for n in self.grid])]

    def header(self, kind, of_wavefunctions=(b"", b"")):
        """Records up to the atoms; a WFN has more sizes and grids."""
        positions = [(np.array(position) * self.edges, 6) for position, _, _ in self.wells]
        return [
            f"{kind}-Complex".ljust(96).encode(),
            struct.pack("5i", 1, len(self.g), 1, 0, len(positions)) + struct.pack("d", DENSITY_CUTOFF) + of_wavefunctions[0],
            struct.pack("3i", *self.fft) + of_wavefunctions[1],
            struct.pack("2d", self.volume, 1) + np.diag(self.edges).tobytes() + np.diag(self.edges**2).tobytes(),
            struct.pack("2d", (2 * np.pi)**3 / self.volume, 2 * np.pi) + np.diag(1 / self.edges).tobytes() + np.diag(self.b**2).tobytes(),
            np.eye(3, dtype=np.int32).tobytes(),
            np.zeros(3).tobytes(),
            b"".join(at.tobytes() + struct.pack("i", species) for at, species in positions),
        ]

    def wavefunctions(self, path, shift, bands):
        points = self.points(shift)
        solved = [self.states(k, bands) for k in points]
        sizes = [len(g) for g, _, _ in solved]
        count = len(points)
        records = self.header("WFN", (struct.pack("3i", count, bands, max(sizes)) + struct.pack("d", CUTOFF),
                                      struct.pack("3i", *self.grid) + (shift * self.grid).astype(float).tobytes()))
        occupations = [[float(band < OCCUPIED) for band in range(bands)]] * count
        records += [integers(sizes), np.full(count, 1 / count).tobytes(), np.array(points).tobytes(), integers([1] * count),
                    integers([OCCUPIED] * count), np.array([e for _, e, _ in solved]).tobytes(), np.array(occupations).tobytes()]
        records += piece(self.g.astype(np.int32))
        for g, _, c in solved:
            records += piece(g.astype(np.int32))
            for band in c:
                records += piece(band.astype(complex))
        write(path, records)
        return solved

    def density(self, path, solved):
        place = {tuple(g): i for i, g in enumerate(self.g)}
        rho = np.zeros(len(self.g), dtype=complex)
        for g, _, c in solved:
            pairs = np.einsum("bi,bj->ij", c[:OCCUPIED], c[:OCCUPIED].conj())
            for i, a in enumerate(g):
                for j, b in enumerate(g):
                    if tuple(a - b) in place:
                        rho[place[tuple(a - b)]] += 2 * pairs[i, j] / len(solved)
        write(path, self.header("RHO") + piece(self.g.astype(np.int32)) + piece(rho))

    def exchange_correlation(self, path):
        values = 0.5 * self.potential(self.g) - 0.3 * ~self.g.any(axis=1)
        write(path, self.header("VXC") + piece(self.g.astype(np.int32)) + piece(values.astype(complex)))

    def inputs(self, folder):
        points = [" ".join(f"{x:.12f}" for x in k) for k in self.points(np.zeros(3))]
        small = " ".join(f"{x:.4f}" for x in self.small_q)
        q = "\n".join([f"{small} 1.0 1"] + [f"{point} 1.0 0" for point in points[1:]])
        k = "\n".join(f"{point} 1.0" for point in points)
        bands = f"number_bands {BANDS - 1}\n{self.keyword}\n"
        (folder / "epsilon.inp").write_text(f"epsilon_cutoff {EPSILON_CUTOFF}\n{bands}begin qpoints\n{q}\nend\n")
        (folder / "sigma.inp").write_text(f"{bands}band_index_min 1\nband_index_max 5\nscreening_semiconductor\nbegin kpoints\n{k}\nend\n"
                                          "dont_use_vxcdat\nexact_static_ch 1\n")

    def make(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        solved = self.wavefunctions(folder / "WFN", np.zeros(3), BANDS)
        if self.small_q.any():
            self.wavefunctions(folder / "WFNq", self.small_q, OCCUPIED)
        self.density(folder / "RHO", solved)
        self.exchange_correlation(folder / "VXC")
        self.inputs(folder)


def integers(values):
    return np.array(values, dtype=np.int32).tobytes()


def piece(values):
    return [integers([1]), integers([len(values)]), values.tobytes()]


def write(path, records):
    path.write_bytes(b"".join(struct.pack("i", len(record)) + record + struct.pack("i", len(record)) for record in records))


SYSTEMS = {
    "slab": System("cell_slab_truncation", (6.0, 6.5, 14.0), [((0, 0, 0.02), 3.0, 1.5), ((0.5, 0.4, -0.1), 2.6, 1.4)], (2, 2, 1), (0.001, 0, 0)),
    "wire": System("cell_wire_truncation", (9.0, 10.0, 5.5), [((0, 0, 0.02), 3.0, 1.5), ((0.1, 0.05, 0.5), 2.6, 1.4)], (1, 1, 3), (0, 0, 0.001)),
    "box": System("cell_box_truncation", (9.0, 10.0, 11.0), [((0, 0, 0.02), 3.0, 1.5), ((0.2, 0.12, 0.1), 2.6, 1.4)], (1, 1, 1), (0, 0, 0)),
}

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, system in SYSTEMS.items():
        system.make(pathlib.Path(sys.argv[1]) / name)
