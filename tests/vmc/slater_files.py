# SPDX-License-Identifier: BSD-3-Clause
"""Atoms of closed shells in Slater functions: Hartree-Fock by Roothaan's equations, written as TREXIO and as CASINO's stowfn.data."""
import math

import h5py
import numpy

# Exponents of double zeta: Clementi, Roetti, Atomic Data and Nuclear Data Tables 14, 177 (1974): (n, exponent) of s, then of p.
ATOMS = {
    "He": (2, [[(1, 1.45363), (1, 2.91093)]], [1]),
    "Be": (4, [[(1, 5.59108), (1, 3.35538), (2, 1.01122), (2, 0.61000)]], [2]),
    "Ne": (10, [[(1, 8.33196), (1, 11.17594), (2, 2.20200), (2, 3.59770)], [(2, 2.05315), (2, 4.67748)]], [2, 1]),
}
SQUARES_OF_3J = {(0, 0): {0: 1}, (0, 1): {1: 1 / 3}, (1, 0): {1: 1 / 3}, (1, 1): {0: 1 / 3, 2: 2 / 15}}


def normalised(n, g):
    return math.sqrt((2 * g) ** (2 * n + 1) / math.factorial(2 * n))


def power_integral(p, g):
    return math.factorial(p) / g ** (p + 1)


def slater_integral(k, a, alpha, b, beta):
    """Of r1^a exp(-alpha r1) and r2^b exp(-beta r2) with r_<^k / r_>^(k+1)."""
    def inner(a, alpha, b, beta):
        m = b - k - 1
        return sum(math.factorial(m) / math.factorial(j) / beta ** (m - j + 1) * power_integral(a + k + j, alpha + beta) for j in range(m + 1))
    return inner(a, alpha, b, beta) + inner(b, beta, a, alpha)


def hartree_fock(name):
    """Energy, kinetic energy and the orbitals of each l, coefficients of normalised functions."""
    Z, basis, shells = ATOMS[name]
    norm = [[normalised(n, g) for n, g in of_l] for of_l in basis]

    def matrix(l, f):
        of_l = basis[l]
        return numpy.array([[norm[l][i] * norm[l][j] * f(*of_l[i], *of_l[j]) for j in range(len(of_l))] for i in range(len(of_l))])
    overlap, kinetic, core = [], [], []
    for l in range(len(basis)):
        overlap.append(matrix(l, lambda n, g, m, h: power_integral(n + m, g + h)))
        kinetic.append(matrix(l, lambda n, g, m, h: -0.5 * (h * h * power_integral(n + m, g + h) - 2 * h * m * power_integral(n + m - 1, g + h)
                                                            + ((m * (m - 1) - l * (l + 1)) * power_integral(n + m - 2, g + h)
                                                               if m * (m - 1) != l * (l + 1) else 0))))
        core.append(kinetic[l] - Z * matrix(l, lambda n, g, m, h: power_integral(n + m - 1, g + h)))

    def repulsion(k, l, i, j, m, p, q):
        (n1, g1), (n2, g2), (n3, g3), (n4, g4) = basis[l][i], basis[j[0]][j[1]], basis[m][p], basis[q[0]][q[1]]
        c = norm[l][i] * norm[j[0]][j[1]] * norm[m][p] * norm[q[0]][q[1]]
        return c * slater_integral(k, n1 + n2, g1 + g2, n3 + n4, g3 + g4)
    orbitals = [numpy.eye(len(of_l))[:, :count] for of_l, count in zip(basis, shells)]
    size = range(len(basis))
    coulomb = {(l, m): numpy.array([[[[repulsion(0, l, i, (l, j), m, p, (m, q)) for q in range(len(basis[m]))] for p in range(len(basis[m]))]
                                     for j in range(len(basis[l]))] for i in range(len(basis[l]))]) for l in size for m in size}
    exchange = {(l, m): sum(square * numpy.array([[[[repulsion(k, l, i, (m, p), l, j, (m, q)) for q in range(len(basis[m]))]
                                                    for p in range(len(basis[m]))] for j in range(len(basis[l]))] for i in range(len(basis[l]))])
                            for k, square in SQUARES_OF_3J[l, m].items()) for l in size for m in size}
    last = 0
    for _ in range(500):
        density = [C @ C.T for C in orbitals]
        fock = [core[l] + sum((2 * m + 1) * numpy.einsum("ijpq,pq->ij", 2 * coulomb[l, m] - exchange[l, m], density[m]) for m in size)
                for l in size]
        energy = sum((2 * l + 1) * numpy.trace(density[l] @ (core[l] + fock[l])) for l in size)
        for l in size:
            values, vectors = numpy.linalg.eigh(overlap[l])
            root = vectors / numpy.sqrt(values) @ vectors.T
            orbitals[l] = root @ numpy.linalg.eigh(root @ fock[l] @ root)[1][:, :shells[l]]
        if abs(energy - last) < 1e-13 * abs(energy):
            break
        last = energy
    kinetic_energy = sum(2 * (2 * l + 1) * numpy.trace(orbitals[l] @ orbitals[l].T @ kinetic[l]) for l in size)
    return energy, kinetic_energy, orbitals


def functions(name):
    """(l, n, exponent) of each shell; orbitals(number, functions) in TREXIO's order of functions, m = 0, 1, -1, .., all normalised."""
    _, basis, _ = ATOMS[name]
    shells = [(l, n, g) for l, of_l in enumerate(basis) for n, g in of_l]
    first = numpy.cumsum([0] + [2 * l + 1 for l, _, _ in shells])
    rows = []
    for l, C in enumerate(hartree_fock(name)[2]):
        begin = sum(len(of_l) for of_l in basis[:l])
        for column in C.T:
            for k in range(2 * l + 1):
                rows.append(numpy.zeros(first[-1]))
                for i, c in enumerate(column):
                    rows[-1][first[begin + i] + k] = c
    return shells, numpy.array(rows)


def write_trexio(path, name, contracted=False, **changes):
    """contracted: one shell that is the orbital, of He, whose functions are all 1s. group__name=value replaces what the file says."""
    Z = ATOMS[name][0]
    shells, mo = functions(name)
    data = {
        "nucleus": {"num": 1, "charge": [float(Z)], "coord": [[0.1, -0.2, 0.3]], "label": [name]},
        "electron": {"num": Z, "up_num": Z // 2, "dn_num": Z // 2},
        "basis": {"type": "Slater", "prim_num": len(shells), "shell_num": len(shells), "nucleus_index": [0] * len(shells),
                  "shell_ang_mom": [l for l, _, _ in shells], "r_power": [n - 1 - l for l, n, _ in shells],
                  "shell_index": list(range(len(shells))), "exponent": [g for _, _, g in shells], "coefficient": [1.0] * len(shells),
                  "prim_factor": [normalised(n, g) for _, n, g in shells],
                  "shell_factor": [math.sqrt((2 * l + 1) / (4 * math.pi)) for l, _, _ in shells]},
        "ao": {"cartesian": 0, "num": mo.shape[1], "normalization": [1.0] * mo.shape[1],
               "shell": [s for s, (l, _, _) in enumerate(shells) for _ in range(2 * l + 1)]},
        "mo": {"num": len(mo), "coefficient": mo, "occupation": [2.0] * len(mo)},
    }
    if contracted:
        data["basis"].update(shell_num=1, nucleus_index=[0], shell_ang_mom=[0], r_power=[0], shell_index=[0] * len(shells),
                             coefficient=list(mo[0]), shell_factor=[math.sqrt(1 / (4 * math.pi))])
        data["ao"].update(num=1, normalization=[1.0], shell=[0])
        data["mo"].update(coefficient=[[1.0]])
    for key, value in changes.items():
        group, item = key.split("__")
        data[group][item] = value
        if value is None:
            del data[group][item]
    with h5py.File(path, "w") as file:
        for group, items in data.items():
            node = file.create_group(group)
            for item, value in items.items():
                if isinstance(value, str):
                    node.attrs[f"{group}_{item}"] = numpy.bytes_(value)
                elif isinstance(value, int):
                    node.attrs[f"{group}_{item}"] = numpy.int64(value)
                elif isinstance(value[0], str):
                    node.create_dataset(f"{group}_{item}", data=value, dtype=h5py.string_dtype())
                else:
                    node.create_dataset(f"{group}_{item}", data=numpy.array(value))


def reals(values):
    """Four in a line in Fortran's 1PE20.13: a minus leaves no blank."""
    values = list(numpy.ravel(values))
    return "".join("".join(f"{x:20.13E}" for x in values[i:i + 4]) + "\n" for i in range(0, len(values), 4))


def integers(values):
    values = list(values)
    return "".join("".join(f"{x:10d}" for x in values[i:i + 8]) + "\n" for i in range(0, len(values), 8))


def write_casino(folder, name, f_coefficient=None):
    """input and stowfn.data, in the layout of published files; with f_coefficient an f shell that has it in every orbital."""
    Z = ATOMS[name][0]
    shells, mo = functions(name)
    begin, columns = 0, []
    for l, _, _ in shells:
        columns.append(mo[:, begin:begin + 2 * l + 1][:, [1, 2, 0] if l == 1 else slice(None)])  # x, y, z
        begin += 2 * l + 1
    if f_coefficient is not None:
        shells = shells + [(3, 4, 2.0)]
        columns.append(numpy.full((len(mo), 7), f_coefficient))
    mo = numpy.hstack(columns)
    folder.mkdir(exist_ok=True)
    (folder / "input").write_text(f"neu : {Z // 2}\nned : {Z // 2}\nperiodic : F\natom_basis_type : slater-type\nuse_jastrow : F\n")
    (folder / "stowfn.data").write_text(f"""{name}

BASIC INFO
----------
Generated by:
 tests/vmc/slater_files.py
Periodicity:
 0
Spin unrestricted:
 .false.
Nuclear repulsion energy (au/atom):
 0.000000000000000
Number of electrons
 {Z}

GEOMETRY
--------
Number of atoms
 1
Atomic positions (au)
{reals([0.1, -0.2, 0.3])}Atomic numbers for each atom
{integers([Z])}Valence charges for each atom
{reals([Z])}
BASIS SET
---------
Number of STO centres
{integers([1])}Position of each centre (au)
{reals([0.1, -0.2, 0.3])}Number of shells
{integers([len(shells)])}Sequence number of first shell on each centre
{integers([1])}Code for shell types (s/sp/p/d/f/g 1/2/3/4/5/6)
{integers([1, 3, 4, 5][l] for l, _, _ in shells)}Order of radial prefactor r in each shell
{integers(n - 1 - l for l, n, _ in shells)}Exponent in each STO shell
{reals([g for _, _, g in shells])}Number of basis functions ('AO')
{integers([mo.shape[1]])}Number of molecular orbitals ('MO')
{integers([len(mo)])}
MULTIDETERMINANT INFORMATION
----------------------------
GS

ORBITAL COEFFICIENTS (normalized AO)
------------------------------------
{reals(mo)}""")


if __name__ == "__main__":
    for one in ATOMS:
        print(one, *hartree_fock(one)[:2])
