# SPDX-License-Identifier: BSD-3-Clause
"""ES-HDF files of small crystals, and an independent program for their wave functions: plane waves summed exactly, Ewald sums of its own.

    python3 crystal_files.py bcc_hydrogen.h5      writes the file of inputs/bcc_hydrogen.yaml

Hartree atomic units. A crystal has a cell (rows), atoms (symbol, atomic number, valence charge, position) and electrons (up, down).
"""
import itertools
import math
import sys

import h5py
import numpy as np


class Crystal:
    def __init__(self, cell, atoms, electrons, kpoints, cutoff, spins=1, deep=1.0):
        self.cell, self.atoms, self.electrons = np.array(cell, float), atoms, electrons
        self.reciprocal = 2 * math.pi * np.linalg.inv(self.cell).T
        self.kpoints, self.cutoff, self.spins, self.deep = [np.array(k, float) for k in kpoints], cutoff, spins, deep
        self.states = {}  # (k, spin): gvectors, energies, coefficients (ng,nstate)
        for i, k in enumerate(self.kpoints):
            for spin in range(spins):
                self.states[i, spin] = self.bands(k, spin)

    def waves(self, k):
        reach = [int(self.cutoff * np.linalg.norm(a) / (2 * math.pi)) + 2 for a in self.cell]
        g = np.array(list(itertools.product(*(range(-n, n + 1) for n in reach))))
        return g[np.linalg.norm((g + k) @ self.reciprocal, axis=1) < self.cutoff]

    def bands(self, k, spin, count=6):
        """Bloch functions in wells around the nuclei: a real potential without symmetry, another for each spin."""
        g = self.waves(k)
        kg = (g + k) @ self.reciprocal
        difference = (g[:, None, :] - g[None, :, :]) @ self.reciprocal
        square = (difference ** 2).sum(axis=2)
        potential = np.zeros(square.shape, complex)
        for n, (_, _, charge, position) in enumerate(self.atoms):
            depth = self.deep * charge * (1 + 0.2 * spin * (-1) ** n)
            potential -= depth * np.exp(-0.15 * square - 1j * difference @ np.array(position)) * 4 * math.pi
        hamiltonian = potential / abs(np.linalg.det(self.cell)) + np.diag((kg ** 2).sum(axis=1) / 2)
        energies, vectors = np.linalg.eigh(hamiltonian)
        phases = np.exp(1j * np.arange(len(energies)))  # programs leave them as they come
        return g, energies[:count], (vectors * phases)[:, :count]

    def write(self, path):
        with h5py.File(path, "w") as file:
            def put(name, value, kind="f8"):
                file.create_dataset(name, data=np.array(value, dtype=kind), **({"compression": "gzip"} if np.size(value) > 30 else {}))
            put("format", [b"ES-HDF"], "S7")
            put("version", [2, 1, 0], "i4")
            put("supercell/primitive_vectors", self.cell)
            species = sorted({atom[:3] for atom in self.atoms})
            put("atoms/number_of_atoms", [len(self.atoms)], "i4")
            put("atoms/number_of_species", [len(species)], "i4")
            put("atoms/species_ids", [species.index(atom[:3]) for atom in self.atoms], "i4")
            put("atoms/positions", [atom[3] for atom in self.atoms])
            for n, (symbol, number, charge) in enumerate(species):
                put(f"atoms/species_{n}/name", [symbol.encode()], "S3")
                put(f"atoms/species_{n}/atomic_number", [number], "i4")
                put(f"atoms/species_{n}/valence_charge", [charge], "i4")
            put("electrons/number_of_electrons", self.electrons, "i4")
            put("electrons/number_of_kpoints", [len(self.kpoints)], "i4")
            put("electrons/number_of_spins", [self.spins], "i4")
            for i, k in enumerate(self.kpoints):
                group = f"electrons/kpoint_{i}/"
                put(group + "reduced_k", k)
                put(group + "weight", [1 / len(self.kpoints)])
                put(group + "gvectors", self.states[i, 0][0], "i4")
                put(group + "number_of_gvectors", [len(self.states[i, 0][0])], "i4")
                for spin in range(self.spins):
                    _, energies, vectors = self.states[i, spin]
                    put(f"{group}spin_{spin}/number_of_states", [len(energies)], "i4")
                    put(f"{group}spin_{spin}/eigenvalues", energies)
                    for n in range(len(energies)):
                        put(f"{group}spin_{spin}/state_{n}/psi_g", np.stack([vectors[:, n].real, vectors[:, n].imag], axis=1))

    # The wave function of a supercell: rows of integers, k points of the file and how many states each fills.
    def simulation(self, supercell=((1, 0, 0), (0, 1, 0), (0, 0, 1))):
        supercell = np.array(supercell)
        cell = supercell @ self.cell
        n = int(round(abs(np.linalg.det(supercell))))
        ions, charges, reach = [], [], int(np.abs(supercell).sum())
        for shift in itertools.product(range(-reach, reach + 1), repeat=3):
            fraction = np.array(shift) @ np.linalg.inv(supercell)
            if np.all(fraction > -1e-9) and np.all(fraction < 1 - 1e-9):
                for _, _, charge, position in self.atoms:
                    ions.append(np.array(position) + np.array(shift) @ self.cell)
                    charges.append(charge)
        assert len(ions) == n * len(self.atoms)
        return cell, np.array(ions), np.array(charges, float)

    def orbitals(self, k, spin, count, r):
        """psi_i(r), gradient and Laplacian of the lowest states at k: (count,npos), (count,3,npos), (count,npos)."""
        g, _, vectors = self.states[k, spin]
        kg = (g + self.kpoints[k]) @ self.reciprocal
        waves = np.exp(1j * kg @ r.T)
        c = vectors[:, :count].T
        return c @ waves, np.stack([c @ (1j * kg[:, d:d + 1] * waves) for d in range(3)], axis=1), c @ (-(kg ** 2).sum(axis=1)[:, None] * waves)

    def determinant(self, filled, spin, r):
        """Of Bloch functions with `filled` = [(k, states)] at r: ln|D|, its gradients and the Laplacians over D, as complex numbers. A
        closed set of k and -k, or of real levels, gives a real function times a constant."""
        parts = [self.orbitals(k, spin, count, r) for k, count in filled]
        phi, dphi, d2phi = (np.concatenate([part[x] for part in parts]) for x in range(3))
        inverse = np.linalg.inv(phi)
        return (np.linalg.slogdet(phi)[1], np.einsum("ji,idj->jd", inverse, dphi), np.einsum("ji,ij->j", inverse, d2phi))


def ewald(cell, r, q, alpha=None):
    """Energy of charges q at r with a neutralising background."""
    volume, reciprocal = abs(np.linalg.det(cell)), 2 * math.pi * np.linalg.inv(cell).T
    alpha = alpha or 2.2 / volume ** (1 / 3)
    erfc = np.frompyfunc(math.erfc, 1, 1)
    images = [int(6.5 / alpha * np.linalg.norm(b) / (2 * math.pi)) + 2 for b in reciprocal]
    shifts = np.array(list(itertools.product(*(range(-n, n + 1) for n in images)))) @ cell
    energy = -alpha / math.sqrt(math.pi) * (q ** 2).sum() - math.pi * q.sum() ** 2 / (2 * volume * alpha ** 2)
    for i in range(len(r)):
        d = r[i] - r
        d -= np.rint(d @ np.linalg.inv(cell)) @ cell
        for j in range(len(r)):
            distance = np.linalg.norm(d[j] + shifts, axis=1)
            distance = distance[distance > 1e-12]
            energy += q[i] * q[j] / 2 * (erfc(alpha * distance).astype(float) / distance).sum()
    waves = [int(13 * alpha * np.linalg.norm(a) / (2 * math.pi)) + 2 for a in cell]
    G = np.array([g for g in itertools.product(*(range(-n, n + 1) for n in waves)) if g != (0, 0, 0)]) @ reciprocal
    square = (G ** 2).sum(axis=1)
    rho = np.exp(1j * G @ r.T) @ q
    return energy + 2 * math.pi / volume * (np.exp(-square / (4 * alpha ** 2)) / square * np.abs(rho) ** 2).sum()


def coulomb(cell, electrons, ions, charges):
    """Energies e-e, e-n and n-n, as the app counts them."""
    minus = -np.ones(len(electrons))
    ee, nn = ewald(cell, electrons, minus), ewald(cell, ions, charges)
    return ee, ewald(cell, np.concatenate([electrons, ions]), np.concatenate([minus, charges])) - ee - nn, nn


def kinetic(crystal, filled, electrons, r, phase=False):
    """KEI = Re(-1/2 lap psi/psi) and TI = (KEI + 1/2 |grad psi/psi|^2)/2 of determinants, filled[spin] = [(k, states)], at r(netot,3), and the
    size of their terms. Complex Bloch functions have a real determinant, but for a constant, where k and -k are both filled: no phase."""
    kei = ti = size = 0
    for spin in range(2):
        if electrons[spin] == 0:
            continue
        own = r[:electrons[0]] if spin == 0 else r[electrons[0]:]
        _, gradient, laplacian = crystal.determinant(filled[spin], spin if crystal.spins == 2 else 0, own)
        assert phase == (np.abs(gradient.imag).max() > 1e-6 * (1 + np.abs(gradient).max())), gradient
        kei -= laplacian.real.sum() / 2
        ti -= (laplacian.real.sum() - (np.abs(gradient) ** 2).sum()) / 4
        size += (np.abs(laplacian).sum() + (np.abs(gradient) ** 2).sum()) / 2
    return kei, ti, size


def triclinic(spins=2):
    """No symmetry, three kinds of k (0, pairs, halves), more electrons of one spin."""
    third = 1 / 3
    return Crystal([[4.1, 0.3, -0.2], [0.9, 4.6, 0.4], [-0.5, 0.7, 5.2]],
                   [("H", 1, 1, (0.1, 0.2, 0.3)), ("He", 2, 2, (2.2, 1.7, 0.9)), ("H", 1, 1, (1.2, 3.4, 3.1)), ("H", 1, 1, (3.0, 0.6, 3.6))],
                   (3, 2), [(0, 0, 0), (third, 0, 0), (0.5, 0, 0), (0, 0.5, 0.5), (-third, 0, 0), (0.5, 0.5, 0.5)], 3.8, spins, 2.0)


class Splines(Crystal):
    """The orbitals of another crystal as cubic B-splines on a mesh, exactly: in each direction the spline with the values of its Fourier
    coefficients, sum_j exp(2 pi i g j/N)/gamma(g) T(N x - j) (Hernandez, Gillan, Goringe, Phys. Rev. B 55, 13485 (1997))."""

    def __init__(self, crystal, mesh):
        self.__dict__.update(crystal.__dict__)
        self.mesh = mesh

    @staticmethod
    def direction(g, x, points):
        """Values and two derivatives by x, (3,ng,npos)."""
        out = np.zeros((3, len(g), len(x)), complex)
        gamma = 1.5 * np.sinc(g / points) ** 4
        for j in range(-1, 3):
            cell = np.floor(points * x)
            t = points * x - cell - j
            near, far = np.abs(t), 2 - np.abs(t)
            blip = np.where(near < 1, np.array([1 - 1.5 * t ** 2 + 0.75 * near ** 3, -3 * t + 2.25 * t * near, -3 + 4.5 * near]),
                            np.where(far > 0, np.array([far ** 3 / 4, -0.75 * np.sign(t) * far ** 2, 1.5 * far]), 0))
            wave = np.exp(2j * math.pi * np.outer(g, cell + j) / points) / gamma[:, None]
            out += blip[:, None, :] * wave * np.array([1, points, points ** 2])[:, None, None]
        return out

    def orbitals(self, k, spin, count, r):
        g, _, vectors = self.states[k, spin]
        s = r @ np.linalg.inv(self.cell)
        along = [self.direction(g[:, d], s[:, d], self.mesh[d]) for d in range(3)]
        of = lambda *order: vectors[:, :count].T @ (along[0][order[0]] * along[1][order[1]] * along[2][order[2]])
        unit = np.eye(3, dtype=int)
        b = np.linalg.inv(self.cell).T
        u, first = of(0, 0, 0), [of(*unit[d]) for d in range(3)]
        du = sum(b[d][None, :, None] * first[d][:, None, :] for d in range(3))
        d2u = sum(b[d] @ b[e] * of(*(unit[d] + unit[e])) for d in range(3) for e in range(3))
        kvec = self.kpoints[k] @ self.reciprocal
        wave = np.exp(1j * r @ kvec)
        along_k = sum(1j * kvec[d] * du[:, d] for d in range(3))
        return u * wave, (du + 1j * kvec[None, :, None] * u[:, None, :]) * wave, (d2u + 2 * along_k - kvec @ kvec * u) * wave


class PlaneWave(Crystal):
    """One state at each k, exp(i k.r) itself: of each spin as many electrons as cells."""

    def bands(self, k, spin, count=1):
        return np.zeros((1, 3), int), np.array([((k @ self.reciprocal) ** 2).sum() / 2]), np.ones((1, 1), complex)


class HydrogenLattice(Crystal):
    """Two protons in a cube, and exp(-zeta r) around each and all images: c(G) in closed form. The lowest state of one orbital has no nodes,
    so that diffusion Monte Carlo is exact for it."""

    def __init__(self, edge=3.77945227, zeta=1.1, cutoff=13.0):
        self.zeta = zeta
        super().__init__(np.eye(3) * edge, [("H", 1, 1, (0, 0, 0)), ("H", 1, 1, (edge / 2,) * 3)], (1, 1), [(0, 0, 0)], cutoff)

    def bands(self, k, spin, count=1):
        g = self.waves(k)
        square = ((g @ self.reciprocal) ** 2).sum(axis=1)
        c = (1 + (-1.0) ** g.sum(axis=1)) / (square + self.zeta ** 2) ** 2
        g, c = g[c != 0], c[c != 0]
        return g, np.array([-0.4]), (c / np.linalg.norm(c))[:, None].astype(complex)


    def energies(self):
        """Means of KEI, e-n, e-e and n-n for both electrons in the orbital: integrals by plane waves."""
        g, _, vectors = self.states[0, 0]
        n, c = 2 * np.abs(g).max() + 1, vectors[:, 0].real
        box = np.zeros((2 * n,) * 3)
        box[tuple(g.T)] = c
        density = np.fft.fftn(np.fft.ifftn(box) ** 2).real * box.size  # of one electron, by G, times the volume
        index = np.fft.fftfreq(2 * n, 1 / (2 * n))
        h = np.stack(np.meshgrid(index, index, index, indexing="ij"), axis=-1)
        square = ((h @ self.reciprocal) ** 2).sum(axis=-1)
        square[0, 0, 0] = math.inf
        nuclei = 1 + (-1.0) ** h.sum(axis=-1)
        coulomb = 4 * math.pi / abs(np.linalg.det(self.cell)) / square
        own = 2 * ewald(self.cell, np.zeros((1, 3)), np.ones(1))  # a charge with its images
        kei = (((g @ self.reciprocal) ** 2).sum(axis=1) * c ** 2).sum()
        positions = np.array([atom[3] for atom in self.atoms])
        return kei, -2 * (coulomb * density * nuclei).sum(), (coulomb * density ** 2).sum() + own, ewald(self.cell, positions, np.ones(2))


if __name__ == "__main__":
    HydrogenLattice().write(sys.argv[1])
