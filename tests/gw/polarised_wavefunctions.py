#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the spin-polarised files in tests/gw/polarised: gallium arsenide whose two spins have different empirical potentials, the second 0.6 Ry
higher and with one occupied band, the first with four.

    polarised_wavefunctions.py GAAS FOLDER

GAAS is inputs/data/gaas, whose headers are taken. VXC is the potential of each spin, with another mean. BerkeleyGW's epsilon.x and sigma.x then made
sigma_hp.log and eqp1.dat beside them, from WFN, WFNq and WFN_inner that hdf2wfn.x had converted (epsilon.inp, sigma.inp). WFN_outer.h5 has the states
of other potentials, for the runs in tests/gw/outer. Needs numpy and h5py.
"""
import itertools
import pathlib
import struct
import sys

import h5py
import numpy as np

from empirical_wavefunctions import MOVED, MOVED_WEIGHTS, POSITION, potential

CUTOFF, DENSITY_CUTOFF, BANDS = 5.0, 20.0, 11
OCCUPIED = (4, 1)
LEVEL = (0.0, 0.6)
STRENGTH = ({31: 1.0, 33: 1.0}, {31: 1.1, 33: 0.9})
OUTER_LEVEL, OUTER_STRENGTH, OUTER_BANDS = (0.1, 0.55), ({31: 1.2, 33: 0.9}, {31: 0.8, 33: 1.1}), 9


def local_potential(spin, g, q2, strength=STRENGTH):
    return sum(strength[spin][species] * potential(species, q2) * np.exp(-2j * np.pi * (g @ position)) for species, position in POSITION.items())


def states(k, bands, bdot, spin, strength=STRENGTH, level=LEVEL):
    """Plane waves, energies in Ry and coefficients (band, plane wave) at one k."""
    g = np.array(list(itertools.product(range(-5, 6), repeat=3)))
    kinetic = np.einsum("gi,ij,gj->g", g + k, bdot, g + k)
    g, kinetic = g[kinetic <= CUTOFF], kinetic[kinetic <= CUTOFF]
    difference = g[:, None] - g[None]
    q2 = np.einsum("abi,ij,abj->ab", difference, bdot, difference)
    energies, vectors = np.linalg.eigh(np.diag(kinetic) + local_potential(spin, difference, q2, strength))
    return g, energies[:bands] + level[spin], vectors[:, :bands].T


def density_sphere(header):
    bdot, g = header["crystal/bdot"][()], header["gspace/components"][()]
    return g[np.einsum("gi,ij,gj->g", g, bdot, g) <= DENSITY_CUTOFF]


def write(path, header, points, bands, *hamiltonian):
    """A file with the header, its k points replaced by those in `points`, and the states in it by spin and k."""
    solved = [[states(np.array(k), bands, header["crystal/bdot"][()], spin, *hamiltonian) for k in points["rk"]] for spin in (0, 1)]
    sizes = [len(g) for g, _, _ in solved[0]]
    coefficients = np.stack([np.concatenate([c for _, _, c in of_spin], axis=1) for of_spin in solved], axis=1)
    g = density_sphere(header)
    kpoints = {"nspin": 2, "nrk": len(sizes), "mnband": bands, "ngk": sizes, "ngkmax": max(sizes), "ecutwfc": CUTOFF,
               "el": [[e for _, e, _ in of_spin] for of_spin in solved],
               "occ": [[[float(band < OCCUPIED[spin]) for band in range(bands)]] * len(sizes) for spin in (0, 1)],
               "ifmin": [[1] * len(sizes)] * 2, "ifmax": [[OCCUPIED[spin]] * len(sizes) for spin in (0, 1)], **points}
    with h5py.File(path, "w") as out:
        header.copy(header, out, "mf_header")
        for group, changed in (("kpoints", kpoints), ("gspace", {"ng": len(g), "ecutrho": DENSITY_CUTOFF, "components": g})):
            items = out["mf_header"][group]
            for name, value in changed.items():
                kind = items[name].dtype
                del items[name]
                items.create_dataset(name, data=np.array(value, dtype=kind))
        out["wfns/gvecs"] = np.concatenate([g for g, _, _ in solved[0]]).astype(np.int32)
        out["wfns/coeffs"] = np.stack([coefficients.real, coefficients.imag], axis=-1)
    return solved


def density(header, solved, weights, g):
    """Of each spin, made symmetric: rho(RG) = exp(-i RG.t) rho(G)."""
    place = {tuple(one): i for i, one in enumerate(g)}
    rho = np.zeros((2, len(g)), dtype=complex)
    for spin in (0, 1):
        for (plane_waves, _, c), weight in zip(solved[spin], weights):
            pairs = np.einsum("bi,bj->ij", c[:OCCUPIED[spin]], c[:OCCUPIED[spin]].conj())
            for i, a in enumerate(plane_waves):
                for j, b in enumerate(plane_waves):
                    if tuple(a - b) in place:
                        rho[spin, place[tuple(a - b)]] += weight * pairs[i, j]
    count = int(header["symmetry/ntran"][()])
    mean = np.zeros_like(rho)
    for rotation, translation in zip(header["symmetry/mtrx"][:count], header["symmetry/tnp"][:count]):
        images = g @ rotation
        mean += rho[:, [place[tuple(image)] for image in images]] * np.exp(1j * (images @ translation)) / count
    return mean


def write_records(path, kind, header, g, values, components=2, cutoff=DENSITY_CUTOFF):
    """RHO or VXC in records of Fortran; components: 2 spins, or 4 for spinors, whose density is one."""
    count = int(header["symmetry/ntran"][()])
    crystal = header["crystal"]

    def reals(*names):
        return b"".join(np.asarray(crystal[name][()], dtype=float).tobytes() for name in names)

    records = [
        f"{kind}-Complex".ljust(96).encode(),
        struct.pack("5i", components, len(g), count, 0, int(crystal["nat"][()])) + struct.pack("d", cutoff),
        header["gspace/FFTgrid"][()].astype(np.int32).tobytes(),
        reals("celvol", "alat", "avec", "adot"),
        reals("recvol", "blat", "bvec", "bdot"),
        header["symmetry/mtrx"][:count].astype(np.int32).tobytes(),
        header["symmetry/tnp"][:count].astype(float).tobytes(),
        b"".join(np.asarray(at, dtype=float).tobytes() + struct.pack("i", species)
                 for at, species in zip(crystal["apos"][()], crystal["atyp"][()])),
        struct.pack("i", 1), struct.pack("i", len(g)), g.astype(np.int32).tobytes(),
        struct.pack("i", 1), struct.pack("i", len(g)), values.astype(complex).tobytes(),
    ]
    path.write_bytes(b"".join(struct.pack("i", len(record)) + record + struct.pack("i", len(record)) for record in records))


def main(gaas, folder):
    with h5py.File(gaas / "WFN_inner.h5") as inner, h5py.File(gaas / "WFN.h5") as shifted:
        header, kpoints = inner["mf_header"], inner["mf_header/kpoints"]
        solved = write(folder / "WFN_inner.h5", header, {"rk": kpoints["rk"][()], "w": kpoints["w"][()]}, BANDS + 1)
        write(folder / "WFN_outer.h5", header, {"rk": kpoints["rk"][()], "w": kpoints["w"][()]}, OUTER_BANDS, OUTER_STRENGTH, OUTER_LEVEL)
        of_shifted = shifted["mf_header/kpoints"]
        write(folder / "WFN.h5", shifted["mf_header"], {"rk": of_shifted["rk"][()], "w": of_shifted["w"][()]}, BANDS)
        write(folder / "WFNq.h5", shifted["mf_header"], {"rk": MOVED, "w": MOVED_WEIGHTS, "shift": [0.5, 0.5, 0.502]}, OCCUPIED[0])
        g = density_sphere(header)
        write_records(folder / "RHO", "RHO", header, g, density(header, solved, kpoints["w"][()], g))
        vxc = np.array([local_potential(spin, g, np.einsum("gi,ij,gj->g", g, header["crystal/bdot"][()], g)) for spin in (0, 1)])
        vxc[:, np.flatnonzero(~g.any(axis=1))] = [[-0.7], [-0.6]]
        write_records(folder / "VXC", "VXC", header, g, vxc)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*(pathlib.Path(argument) for argument in sys.argv[1:]))
