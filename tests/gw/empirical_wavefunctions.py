#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes inputs/data/gaas/WFN.h5 and WFNq.h5: gallium arsenide in the empirical pseudopotentials of Zhang, Yeh and Zunger,
Phys. Rev. B 48, 11204 (1993), on the k points of BerkeleyGW's regression case GaAs-EPM.

    empirical_wavefunctions.py EPS0MAT FOLDER

EPS0MAT is the eps0mat.h5 of that case, which carries the header of its wavefunctions; the energies in it are repeated to
1e-13 Ry, or nothing is written. Needs numpy and h5py.
"""
import itertools
import pathlib
import sys

import h5py
import numpy as np

# V(q) = a (q^2 - b) / (exp(c (q^2 + d)) + 1) in Ry, q in 1/bohr, for one of two atoms in the cell. Rounded to single precision,
# as in the program that made the reference.
POTENTIAL = {31: (1.22, 2.45, 0.54, 2.71), 33: (0.35, 2.62, 0.93, -1.57)}
POSITION = {31: np.full(3, -0.125), 33: np.full(3, 0.125)}
CUTOFF = 11.0
# Of the occupied bands, moved by q0 = (0, 0, 0.001); without time reversal.
MOVED = [(0, 0, 0.251), (0, 0, 0.751), (0, 0.25, 0.501), (0.25, 0.25, 0.251), (0.25, 0.25, 0.751), (0.25, 0.75, 0.751),
         (0.5, 0, 0.251), (0.5, 0.5, 0.251), (0.5, 0.75, 0.001), (0.75, 0.75, 0.751)]
MOVED_WEIGHTS = np.array([1, 1, 3, 3, 3, 6, 3, 3, 6, 3]) / 32


def potential(species, q2):
    a, b, c, d = (float(np.float32(x)) for x in POTENTIAL[species])
    return np.where(q2 < 1e-9, 0, 0.5 * a * (q2 - b) / (np.exp(c * (q2 + d)) + 1))


def states(k, bands, bdot):
    """Plane waves, energies in Ry and coefficients (band, plane wave) at one k."""
    g = np.array(list(itertools.product(range(-6, 7), repeat=3)))
    kinetic = np.einsum("gi,ij,gj->g", g + k, bdot, g + k)
    g, kinetic = g[kinetic <= CUTOFF], kinetic[kinetic <= CUTOFF]
    difference = g[:, None] - g[None]
    q2 = np.einsum("abi,ij,abj->ab", difference, bdot, difference)
    hamiltonian = np.diag(kinetic).astype(complex)
    for species, position in POSITION.items():
        hamiltonian += potential(species, q2) * np.exp(-2j * np.pi * (difference @ position))
    energies, vectors = np.linalg.eigh(hamiltonian)
    return g, energies[:bands], vectors[:, :bands].T


def write(path, header, points, bands):
    """A file with the header, its k points replaced by those in `points`."""
    bdot = header["crystal/bdot"][()]
    solved = [states(np.array(k), bands, bdot) for k in points["rk"]]
    sizes = [len(g) for g, _, _ in solved]
    coefficients = np.concatenate([c for _, _, c in solved], axis=1)
    changed = {"nrk": len(sizes), "mnband": bands, "ngk": sizes, "ngkmax": max(sizes), "el": [[e for _, e, _ in solved]],
               "occ": [[[1.0 if band < 4 else 0.0 for band in range(bands)]] * len(sizes)], "ifmin": [[1] * len(sizes)],
               "ifmax": [[4] * len(sizes)], **points}
    with h5py.File(path, "w") as out:
        header.copy(header, out, "mf_header")
        kpoints = out["mf_header/kpoints"]
        for name, value in changed.items():
            kind = kpoints[name].dtype
            del kpoints[name]
            kpoints[name] = np.array(value, dtype=kind)
        out["wfns/gvecs"] = np.concatenate([g for g, _, _ in solved]).astype(np.int32)
        out["wfns/coeffs"] = np.stack([coefficients.real, coefficients.imag], axis=-1)[:, None]
    return np.array([e for _, e, _ in solved])


def main(eps0mat, folder):
    with h5py.File(eps0mat) as file:
        header = file["mf_header"]
        kpoints = header["kpoints"]
        same = {"rk": kpoints["rk"][()], "w": kpoints["w"][()]}
        wanted, bands = kpoints["el"][0], int(kpoints["mnband"][()])
        for k, energies in zip(same["rk"], wanted):
            error = np.abs(states(k, bands, header["crystal/bdot"][()])[1] - energies).max()
            if not error < 1e-13:
                sys.exit(f"the energies at k = {k} differ by {error:.1e} Ry from those in {eps0mat}")
        write(folder / "WFN.h5", header, same, bands)
        write(folder / "WFNq.h5", header, {"rk": MOVED, "w": MOVED_WEIGHTS, "shift": [0.5, 0.5, 0.502]}, 4)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
