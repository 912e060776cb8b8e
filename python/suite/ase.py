# SPDX-License-Identifier: BSD-3-Clause
"""Calculators for the Atomic Simulation Environment (https://wiki.fysik.dtu.dk/ase).

::

    atoms = ase.build.molecule("H2O")
    atoms.calc = suite.ase.Dfpt(basis={"level": "tight", "tier": 2})
    atoms.get_potential_energy()                     # eV
    atoms.calc.get_polarizability(atoms)             # angstrom^3

Forces are not computed yet: asking for them raises ASE's ``PropertyNotImplementedError``.
"""

from __future__ import annotations

import pathlib
from typing import Any, ClassVar, Mapping, Sequence

import numpy as np
import numpy.typing as npt

try:
    from ase.calculators.calculator import Calculator, all_changes
except ImportError:
    raise ImportError("suite.ase needs ASE: pip install ase") from None

from . import structures
from ._program import run
from ._results import Run
from ._units import BOHR_ANGSTROM, HARTREE_EV

Array = npt.NDArray[np.float64]


class _Suite(Calculator):  # type: ignore[misc]
    """What both calculators share: keys of the input, options of the run, its results."""

    discard_results_on_any_change = True
    app: ClassVar[str]

    def __init__(self, *, directory: str = ".", implementation: str | None = None, threads: int | None = None, ranks: int | None = None,
                 charge: float | None = None, spin: int | None = None, **keys: Any):
        """
        :param directory: where the folders of results are made; by default ``results`` in the current folder
        :param implementation: of the kernels, as in :func:`suite.run`
        :param charge: of the whole, by default the sum of the atoms' initial charges
        :param spin: number of unpaired electrons, by default the sum of the atoms' initial magnetic moments
        :param keys: the rest of the input (``suite help dfpt`` and ``suite help tddft`` list its keys)
        """
        self._options: dict[str, Any] = {"implementation": implementation, "threads": threads, "ranks": ranks}
        self.last_run: Run | None = None  #: with all results and files of the last calculation
        super().__init__(directory=directory, charge=charge, spin=spin, **keys)

    def _run(self, document: Mapping[str, Any]) -> Run:
        self.last_run = run(document, output=self._new_folder(), **self._options)
        return self.last_run

    def _new_folder(self) -> pathlib.Path | None:
        if str(self.directory) in ("", "."):
            return None
        folder = pathlib.Path(self.directory)
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(p.name[len(self.app) + 1:]) for p in folder.glob(f"{self.app}-*") if p.name[len(self.app) + 1:].isdigit()), default=0)
        return folder / f"{self.app}-{number}"

    def _keys(self) -> dict[str, Any]:
        return {key: value for key, value in self.parameters.items() if value is not None}

    @staticmethod
    def _of_section(keys: dict[str, Any], section: str) -> dict[str, Any]:
        """The given keys of the structure's section, and charge and spin; they leave `keys`."""
        own = {key: keys.pop(key) for key in ("charge", "spin") if key in keys}
        return {**own, **keys.pop(section, {})}


class Dfpt(_Suite):
    """All-electron density-functional theory of molecules, and their polarizability: the app dfpt.

    Properties, in ASE's units: ``energy`` (eV), ``dipole`` (e angstrom), ``polarizability`` (3x3, angstrom^3).
    """

    app = "dfpt"
    implemented_properties: ClassVar[list[str]] = ["energy", "free_energy", "dipole", "polarizability"]

    def calculate(self, atoms: Any = None, properties: Sequence[str] = ("energy",), system_changes: Sequence[str] = all_changes) -> None:
        super().calculate(atoms, properties, system_changes)
        keys = self._keys()
        section = structures.molecule(self.atoms, **self._of_section(keys, "molecule"))
        done = self._run({"app": "dfpt", "title": str(self.atoms.symbols), **keys, "molecule": section,
                          "calculation": "polarizability" if "polarizability" in properties else "ground_state"})
        results = done.results
        energy = float(results.total_energy) * HARTREE_EV
        self.results.update(energy=energy, free_energy=energy, dipole=np.asarray(results.dipole) * BOHR_ANGSTROM)
        if "polarizability_bohr3" in results:
            self.results["polarizability"] = np.asarray(results.polarizability) * BOHR_ANGSTROM**3

    def get_polarizability(self, atoms: Any = None) -> Array:
        """3x3, in angstrom^3."""
        found: Array = self.get_property("polarizability", atoms)
        return found


class Tddft(_Suite):
    """Real-time time-dependent density-functional theory: the app tddft, with pseudopotentials on a grid.

    ``energy`` (eV) is that of the ground state's valence electrons. ``get_spectrum`` and ``get_excitations`` propagate after a kick.

    :param spacing: of the grid, in angstrom
    :param vacuum: space on each side of a molecule in angstrom; without it the cell of the atoms is used
    :param duration: of the propagation, in fs; two lines are resolved when they are 4.1 eV / duration apart
    """

    app = "tddft"
    implemented_properties: ClassVar[list[str]] = ["energy", "free_energy", "spectrum"]
    default_parameters: ClassVar[dict[str, Any]] = {"spacing": 0.2, "vacuum": None, "duration": 10.0}

    def calculate(self, atoms: Any = None, properties: Sequence[str] = ("energy",), system_changes: Sequence[str] = all_changes) -> None:
        super().calculate(atoms, properties, system_changes)
        keys = self._keys()
        more = self._of_section(keys, "system")
        spacing = more.pop("spacing", f"{keys.pop('spacing')} angstrom")
        section = structures.system(self.atoms, None if "grid" in more else spacing, keys.pop("vacuum", None), **more)
        wanted = "spectrum" in properties
        duration = f"{keys.pop('duration')} fs"
        document = {"app": "tddft", "title": str(self.atoms.symbols), **keys, "system": section}
        document["propagation"] = {**keys.get("propagation", {}), "duration": duration if wanted else "0 fs", **({} if wanted else {"settling": "0 fs"})}
        kick: dict[str, Any] = {"all_directions": True, **keys.get("excitation", {})}
        document["excitation"] = kick if wanted else {"type": "none"}
        done = self._run(document)
        energy = float(done.results.ground_state.total_energy) * HARTREE_EV
        self.results.update(energy=energy, free_energy=energy)
        if wanted:
            self.results["spectrum"] = np.array(list(done.columns("spectrum.dat").values())[:2])

    def get_spectrum(self, atoms: Any = None) -> tuple[Array, Array]:
        """Energies (eV) and dipole strength (1/eV), whose integral is the number of electrons."""
        energies, strengths = self.get_property("spectrum", atoms)
        return energies, strengths

    def get_excitations(self, atoms: Any = None) -> list[tuple[float, float]]:
        """The lines of the spectrum: energy (eV) and strength, the number of electrons that a line stands for."""
        self.get_property("spectrum", atoms)
        assert self.last_run is not None
        return [(peak["energy_eV"], peak["strength"]) for peak in self.last_run.json["results"]["peaks"]]
