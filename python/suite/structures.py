# SPDX-License-Identifier: BSD-3-Clause
"""Molecules and crystals from and to ASE and pymatgen, as sections of inputs.

::

    suite.run({"app": "dfpt", "molecule": structures.molecule(ase.build.molecule("H2O"))})
    suite.run({"app": "tddft", "system": structures.system(atoms, spacing="0.2 angstrom", vacuum=5), ...})

A structure is an ASE ``Atoms``, a pymatgen ``Molecule`` or ``Structure``, or pairs of element and position in angstrom. Neither package is needed
for the others.
"""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ._units import BOHR_ANGSTROM
from .errors import FileError, InvalidArgument

Positions = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class _Atoms:
    elements: list[str]
    positions: Positions  # angstrom
    cell: Positions | None  # rows are the vectors, angstrom
    periodic: tuple[bool, bool, bool]
    charge: float = 0.0
    spin: float = 0.0  # unpaired electrons


def _read(structure: Any) -> _Atoms:
    if hasattr(structure, "get_chemical_symbols"):  # ASE
        cell = np.array(structure.get_cell(), dtype=float)
        a, b, c = (bool(p) for p in structure.get_pbc())
        moments = np.array(structure.get_initial_magnetic_moments(), dtype=float)
        if moments.ndim != 1:
            raise InvalidArgument("the initial magnetic moments are vectors; the apps have spin up and down only")
        return _Atoms(list(structure.get_chemical_symbols()), np.array(structure.get_positions(), dtype=float), cell if cell.any() else None, (a, b, c),
                      float(np.sum(structure.get_initial_charges())), abs(float(np.sum(moments))))
    if hasattr(structure, "cart_coords"):  # pymatgen
        if not getattr(structure, "is_ordered", True):
            raise InvalidArgument("the structure has sites that elements share; the apps need one element on each")
        elements = [str(getattr(site.specie, "element", site.specie)) for site in structure]
        lattice = getattr(structure, "lattice", None)
        positions = np.array(structure.cart_coords, dtype=float).reshape(-1, 3)
        charge = float(getattr(structure, "charge", 0) or 0)
        return _Atoms(elements, positions, None if lattice is None else np.array(lattice.matrix, dtype=float), (lattice is not None,) * 3, charge,
                      float(getattr(structure, "spin_multiplicity", 1) or 1) - 1)
    try:
        pairs = [(str(element), np.array(position, dtype=float)) for element, position in structure]
        positions = np.array([position for _, position in pairs]).reshape(-1, 3)
    except (TypeError, ValueError):
        raise InvalidArgument(f"{type(structure).__name__} is no structure; use ASE's Atoms, pymatgen's Molecule or Structure, "
                              "or pairs of element and position in angstrom") from None
    return _Atoms([element for element, _ in pairs], positions, None, (False, False, False))


def _rounded(values: npt.ArrayLike) -> Any:
    """Without the last digits, which are noise of conversions, and without minus zero."""
    return (np.round(np.asarray(values, dtype=float), 12) + 0.0).tolist()


def _whole(total: float, of: str, argument: str) -> int:
    if not abs(total - round(total)) <= 1e-3:
        raise InvalidArgument(f"the {of} of the structure add up to {total:g}, which is no whole number; {argument}=... says what is meant")
    return round(total)


def _charge_and_spin(atoms: _Atoms, charge: float | None, spin: int | None) -> dict[str, Any]:
    """What is not 0, of the arguments or, where they are None, of the structure."""
    spin = spin if spin is not None else _whole(atoms.spin, "initial magnetic moments", "spin")
    charge = charge if charge is not None else round(atoms.charge, 6)
    return {key: value for key, value in (("charge", charge), ("spin", spin)) if value}


def molecule(structure: Any, charge: int | None = None, spin: int | None = None, **keys: Any) -> dict[str, Any]:
    """The section ``molecule`` of an input for dfpt.

    :param charge: in elementary charges; by default the structure's own: ASE's initial charges added up, pymatgen's ``charge``
    :param spin: number of unpaired electrons; by default the structure's own: ASE's initial magnetic moments added up, pymatgen's
        ``spin_multiplicity`` less 1
    :param keys: other keys of the section

    >>> molecule([("H", (0, 0, 0)), ("H", (0, 0, 0.74))])
    {'unit': 'angstrom', 'elements': ['H', 'H'], 'positions': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.74]]}
    """
    atoms = _read(structure)
    if any(atoms.periodic):
        raise InvalidArgument("dfpt computes molecules, but the structure is periodic; set pbc to False")
    charge = charge if charge is not None else _whole(atoms.charge, "initial charges", "charge")
    return {"unit": "angstrom", "elements": atoms.elements, "positions": _rounded(atoms.positions), **_charge_and_spin(atoms, charge, spin), **keys}


def system(structure: Any, spacing: str | None = None, vacuum: float | None = None, charge: float | None = None, spin: int | None = None,
           **keys: Any) -> dict[str, Any]:
    """The section ``system`` of an input for tddft.

    :param spacing: of the grid, such as "0.3 angstrom"; or give ``grid=[40, 40, 40]``
    :param vacuum: makes the cell of a molecule: this much space, in angstrom, on each side of it
    :param charge: as in :func:`molecule`, and so is ``spin``
    :param keys: other keys of the section
    """
    atoms = _read(structure)
    if any(atoms.periodic) and not all(atoms.periodic):
        raise InvalidArgument(f"the structure is periodic in some directions only (pbc = {atoms.periodic}); tddft needs all or none")
    periodic = all(atoms.periodic)
    if vacuum is not None and periodic:
        raise InvalidArgument("vacuum is for molecules, but the structure is periodic")
    if vacuum is not None:
        least, most = atoms.positions.min(axis=0), atoms.positions.max(axis=0)
        edges, centre = most - least + 2 * vacuum, (least + most) / 2
    elif atoms.cell is not None:
        edges = np.diag(atoms.cell)
        if np.abs(atoms.cell - np.diag(edges)).max() > 1e-8 * np.abs(atoms.cell).max() or edges.min() <= 0:
            raise InvalidArgument("tddft needs an orthorhombic cell along x, y and z; this one has the vectors "
                                  + ", ".join(str(_rounded(row)) for row in atoms.cell))
        centre = edges / 2
    else:
        raise InvalidArgument("the structure has no cell; vacuum=... makes one around a molecule")
    positions = atoms.positions - centre
    if periodic:
        positions -= edges * np.floor(positions / edges + 0.5)
    section: dict[str, Any] = {"boundary": "periodic" if periodic else "isolated", "unit": "angstrom", "cell": _rounded(edges)}
    section.update({"spacing": spacing} if spacing else {})
    section.update({"elements": atoms.elements, "positions": _rounded(positions)})
    return {**section, **_charge_and_spin(atoms, charge, spin), **keys}


def read_input(file: str | os.PathLike[str]) -> dict[str, Any]:
    """An input file as a dictionary (needs PyYAML)."""
    try:
        import yaml
    except ImportError:
        raise ImportError("reading an input file needs PyYAML: pip install pyyaml") from None
    try:
        with open(file) as stream:
            read = yaml.safe_load(stream)
    except OSError as e:
        raise FileError(f"cannot read {os.fspath(file)}: {e.strerror}") from None
    return dict(read)


def _of_section(section: Mapping[str, Any]) -> _Atoms:
    """Atoms of an input, or of its section ``molecule`` or ``system``, with the cell's corner at the origin."""
    for name in ("molecule", "system"):
        if isinstance(section.get(name), Mapping):
            section = section[name]
    if "xyz" in section or "elements" not in section or "positions" not in section:
        raise InvalidArgument("the section has no elements and positions; a file in XYZ format is read by ASE or pymatgen itself")
    unit = {"angstrom": 1.0, "bohr": BOHR_ANGSTROM}.get(section.get("unit", ""))
    if unit is None:
        raise InvalidArgument(f"the section's unit is {section.get('unit')!r}; it must be angstrom or bohr")
    positions = np.array(section["positions"], dtype=float).reshape(-1, 3) * unit
    charge, spin = float(section.get("charge", 0)), float(section.get("spin", 0))
    if "cell" not in section:
        return _Atoms(list(section["elements"]), positions, None, (False,) * 3, charge, spin)
    edges = np.array(section["cell"], dtype=float) * unit
    periodic = section.get("boundary", "isolated") == "periodic"
    return _Atoms(list(section["elements"]), positions + edges / 2, np.diag(edges), (periodic,) * 3, charge, spin)


def to_ase(section: Mapping[str, Any]) -> Any:
    """ASE's Atoms of an input (or of its section ``molecule`` or ``system``). Charge and spin are divided equally between the atoms' initial
    charges and magnetic moments, whose sums count here."""
    atoms = _of_section(section)
    import ase

    each = np.full(len(atoms.elements), 1 / len(atoms.elements))
    return ase.Atoms(atoms.elements, positions=atoms.positions, cell=atoms.cell, pbc=atoms.periodic,
                     charges=atoms.charge * each if atoms.charge else None, magmoms=atoms.spin * each if atoms.spin else None)


def to_pymatgen(section: Mapping[str, Any]) -> Any:
    """pymatgen's Molecule, or Structure of a periodic system, of an input (or of its section ``molecule`` or ``system``)."""
    from pymatgen.core import Lattice, Molecule, Structure

    atoms = _of_section(section)
    if all(atoms.periodic):
        return Structure(Lattice(atoms.cell), atoms.elements, atoms.positions, coords_are_cartesian=True, charge=atoms.charge or None)
    return Molecule(atoms.elements, atoms.positions, charge=atoms.charge, spin_multiplicity=int(atoms.spin) + 1 if atoms.spin else None)


def crystal(file: str | os.PathLike[str]) -> tuple[list[int], Positions, Positions]:
    """Atomic numbers, positions and cell vectors (angstrom) of a crystal in BerkeleyGW's WFN.h5 (needs h5py): ``ase.Atoms(*crystal(file), pbc=True)``
    takes them as numbers, positions and cell."""
    try:
        import h5py
    except ImportError:
        raise ImportError("reading WFN.h5 needs h5py: pip install h5py") from None
    try:
        with h5py.File(file) as opened:
            header = opened["mf_header/crystal"]
            alat = float(header["alat"][()]) * BOHR_ANGSTROM
            numbers: Sequence[int] = [int(z) for z in header["atyp"][()]]
            return list(numbers), np.array(header["apos"][()], dtype=float) * alat, np.array(header["avec"][()], dtype=float) * alat
    except (OSError, KeyError) as e:
        raise FileError(f"cannot read the crystal of {os.fspath(file)}: {e}") from None
