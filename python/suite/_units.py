# SPDX-License-Identifier: BSD-3-Clause
"""Numbers with a unit: a float or an array that also knows what it is measured in."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import InvalidArgument

# Those of the apps (apps/base/units.hpp), so that a result converted here is the one that the program prints.
HARTREE_EV = 2 * 13.60569253
BOHR_ANGSTROM = 0.52917721092
ATOMIC_TIME_FS = 0.02418884326502

# By kind: how much of the first unit each is.
_KINDS: list[dict[str, float]] = [
    {"Ha": 1.0, "eV": 1 / HARTREE_EV, "Ry": 0.5, "meV": 1e-3 / HARTREE_EV},
    {"bohr": 1.0, "angstrom": 1 / BOHR_ANGSTROM},
    {"bohr^3": 1.0, "angstrom^3": BOHR_ANGSTROM**-3},
    {"e bohr": 1.0, "e angstrom": 1 / BOHR_ANGSTROM},
    {"Ha/bohr": 1.0, "eV/angstrom": BOHR_ANGSTROM / HARTREE_EV},
    {"s": 1.0, "ms": 1e-3, "us": 1e-6, "fs": 1e-15, "as": 1e-18, "hbar/Ha": ATOMIC_TIME_FS * 1e-15},
]


def factor(unit: str, wanted: str) -> float:
    """What a number in `unit` is multiplied by to be one in `wanted`."""
    for kind in _KINDS:
        if unit in kind and wanted in kind:
            return kind[unit] / kind[wanted]
    known = next((kind for kind in _KINDS if unit in kind), {unit: 1.0})
    raise InvalidArgument(f"{unit or 'a number without unit'} cannot be converted to {wanted}; it can be {', '.join(known)}")


class Quantity(float):
    """A number with a unit. Arithmetic with it gives plain numbers.

    >>> gap = Quantity(1.2072, "eV")
    >>> gap
    1.2072 eV
    >>> print(f"{gap.to('Ha'):.6f}")
    0.044364
    """

    unit: str

    def __new__(cls, value: float, unit: str) -> Quantity:
        made = super().__new__(cls, value)
        made.unit = unit
        return made

    def to(self, unit: str) -> Quantity:
        return Quantity(float(self) * factor(self.unit, unit), unit)

    def __repr__(self) -> str:
        return f"{float(self):.10g} {self.unit}"

    def __str__(self) -> str:
        return f"{float(self):.7g} {self.unit}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Quantity, (float(self), self.unit)


class QuantityArray(np.ndarray[Any, np.dtype[Any]]):
    """An array with a unit."""

    unit: str

    def __new__(cls, values: npt.ArrayLike, unit: str) -> QuantityArray:
        made = np.asarray(values, dtype=float).view(cls)
        made.unit = unit
        return made

    def __array_finalize__(self, source: Any) -> None:
        self.unit = getattr(source, "unit", "")

    def to(self, unit: str) -> QuantityArray:
        return QuantityArray(np.asarray(self) * factor(self.unit, unit), unit)

    def __repr__(self) -> str:
        return f"{np.asarray(self)!r} {self.unit}"

    def __str__(self) -> str:
        return f"{np.asarray(self)} {self.unit}"

    def __array_wrap__(self, made: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(made)  # of other operations than indexing the unit is not known
        return plain[()] if return_scalar or plain.ndim == 0 else plain
