#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the files of spinors in tests/gw/spinor: gallium arsenide in empirical pseudopotentials with a spin-orbit term, of which the form is that of
Chelikowsky and Cohen, Phys. Rev. B 14, 556 (1976), and the strength chosen to split the valence bands by about half an electron volt.

    spinor_wavefunctions.py GAAS FOLDER

GAAS is inputs/data/gaas, whose headers are taken. BerkeleyGW's epsilon.x and sigma.x then made sigma_hp.log beside them, from WFN, WFNq and WFN_inner
that hdf2wfn.x had converted (epsilon.inp, sigma.inp). Needs numpy and h5py.
"""
import itertools
import pathlib
import sys

import h5py
import numpy as np

from empirical_wavefunctions import MOVED, MOVED_WEIGHTS, POSITION, potential
from polarised_wavefunctions import write_records

CUTOFF, DENSITY_CUTOFF, BANDS, OCCUPIED = 4.0, 16.0, 17, 8
SPIN_ORBIT = {31: 0.0008, 33: 0.0016}  # Ry bohr^2
SIGMA = np.array([[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]])


def local_potential(g, q2):
    return sum(potential(species, q2) * np.exp(-2j * np.pi * (g @ position)) for species, position in POSITION.items())


def states(k, bands, bdot, bvec):
    """Plane waves, energies in Ry and coefficients (band, component, plane wave) at one k."""
    g = np.array(list(itertools.product(range(-5, 6), repeat=3)))
    kinetic = np.einsum("gi,ij,gj->g", g + k, bdot, g + k)
    g, kinetic = g[kinetic <= CUTOFF], kinetic[kinetic <= CUTOFF]
    difference = g[:, None] - g[None]
    q2 = np.einsum("abi,ij,abj->ab", difference, bdot, difference)
    scalar = np.diag(kinetic) + local_potential(difference, q2)
    at = (g + k) @ bvec
    cross = np.cross(at[:, None], at[None])
    phases = sum(SPIN_ORBIT[species] * np.exp(-2j * np.pi * (difference @ position)) for species, position in POSITION.items())
    n = len(g)
    hamiltonian = np.einsum("st,ab->satb", np.eye(2), scalar) - 1j * np.einsum("xst,abx,ab->satb", SIGMA, cross, phases)
    energies, vectors = np.linalg.eigh(hamiltonian.reshape(2 * n, 2 * n))
    return g, energies[:bands], vectors[:, :bands].T.reshape(bands, 2, n)


def density_sphere(header):
    bdot, g = header["crystal/bdot"][()], header["gspace/components"][()]
    return g[np.einsum("gi,ij,gj->g", g, bdot, g) <= DENSITY_CUTOFF]


def write(path, header, points, bands):
    """A file with the header, its k points replaced by those in `points`."""
    crystal = header["crystal"]
    solved = [states(np.array(k), bands, crystal["bdot"][()], crystal["bvec"][()] * crystal["blat"][()]) for k in points["rk"]]
    sizes = [len(g) for g, _, _ in solved]
    coefficients = np.concatenate([c for _, _, c in solved], axis=2)
    g = density_sphere(header)
    kpoints = {"nspinor": 2, "nrk": len(sizes), "mnband": bands, "ngk": sizes, "ngkmax": max(sizes), "ecutwfc": CUTOFF,
               "el": [[e for _, e, _ in solved]], "occ": [[[float(band < OCCUPIED) for band in range(bands)]] * len(sizes)],
               "ifmin": [[1] * len(sizes)], "ifmax": [[OCCUPIED] * len(sizes)], **points}
    with h5py.File(path, "w") as out:
        header.copy(header, out, "mf_header")
        for group, changed in (("kpoints", kpoints), ("gspace", {"ng": len(g), "ecutrho": DENSITY_CUTOFF, "components": g})):
            items = out["mf_header"][group]
            for name, value in changed.items():
                kind = items[name].dtype
                del items[name]
                items.create_dataset(name, data=np.array(value, dtype=kind))
        out["wfns/gvecs"] = np.concatenate([g for g, _, _ in solved]).astype(np.int32)
        out["wfns/coeffs"] = np.stack([coefficients.real, coefficients.imag], axis=-1)
    return solved


def density(header, solved, weights, g):
    """Made symmetric: rho(RG) = exp(-i RG.t) rho(G)."""
    place = {tuple(one): i for i, one in enumerate(g)}
    rho = np.zeros(len(g), dtype=complex)
    for (plane_waves, _, c), weight in zip(solved, weights):
        pairs = np.einsum("bsi,bsj->ij", c[:OCCUPIED], c[:OCCUPIED].conj())
        for i, a in enumerate(plane_waves):
            for j, b in enumerate(plane_waves):
                if tuple(a - b) in place:
                    rho[place[tuple(a - b)]] += weight * pairs[i, j]
    count = int(header["symmetry/ntran"][()])
    mean = np.zeros_like(rho)
    for rotation, translation in zip(header["symmetry/mtrx"][:count], header["symmetry/tnp"][:count]):
        images = g @ rotation
        mean += rho[[place[tuple(image)] for image in images]] * np.exp(1j * (images @ translation)) / count
    return mean


def main(gaas, folder):
    with h5py.File(gaas / "WFN_inner.h5") as inner, h5py.File(gaas / "WFN.h5") as shifted:
        header, kpoints = inner["mf_header"], inner["mf_header/kpoints"]
        solved = write(folder / "WFN_inner.h5", header, {"rk": kpoints["rk"][()], "w": kpoints["w"][()]}, BANDS)
        of_shifted = shifted["mf_header/kpoints"]
        write(folder / "WFN.h5", shifted["mf_header"], {"rk": of_shifted["rk"][()], "w": of_shifted["w"][()]}, BANDS)
        write(folder / "WFNq.h5", shifted["mf_header"], {"rk": MOVED, "w": MOVED_WEIGHTS, "shift": [0.5, 0.5, 0.502]}, OCCUPIED)
        g = density_sphere(header)
        rho = density(header, solved, kpoints["w"][()], g)
        write_records(folder / "RHO", "RHO", header, g, rho, components=4, cutoff=DENSITY_CUTOFF)
        vxc = local_potential(g, np.einsum("gi,ij,gj->g", g, header["crystal/bdot"][()], g))
        vxc[~g.any(axis=1)] = -0.7
        write_records(folder / "VXC", "VXC", header, g, vxc, components=4, cutoff=DENSITY_CUTOFF)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*(pathlib.Path(argument) for argument in sys.argv[1:]))
