# SPDX-License-Identifier: BSD-3-Clause
"""Is an implementation right, and how fast is it: for kernels of this process, which the program cannot see."""

from __future__ import annotations

import ctypes
import dataclasses
import statistics
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _abi
from ._kernel import Kernel
from ._library import call
from ._tables import Argument
from .errors import InvalidArgument, VerificationFailed


@dataclasses.dataclass(frozen=True)
class Judgement:
    """One implementation, against the reference on the same generated arguments."""

    kernel: str
    implementation: str
    size: str
    errors: dict[str, float]  #: of each result: the largest difference, relative to the reference's largest element
    tolerances: dict[str, float]  #: what the kernel's interface allows
    samples_s: tuple[float, ...]  #: seconds of the runs, by the device's clock; none if a result is wrong

    @property
    def verified(self) -> bool:
        # Written so that NaN fails.
        return all(error <= self.tolerances[name] for name, error in self.errors.items())

    @property
    def median_s(self) -> float:
        return statistics.median(self.samples_s) if self.samples_s else float("nan")

    def __str__(self) -> str:
        worst = max(self.errors, key=lambda name: self.errors[name] / self.tolerances[name] if self.tolerances[name] else 0.0)
        if not self.verified:
            return f"{self.implementation:12} FAILED: {worst} differs by {self.errors[worst]:.1e}, allowed {self.tolerances[worst]:.1e}"
        return f"{self.implementation:12} verified, max rel {max(self.errors.values()):.1e}   median {self.median_s:.3g} s"


class Judgements(tuple):  # type: ignore[type-arg]
    """The judgements of several implementations. ``table()`` is a data frame."""

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self)

    __repr__ = __str__

    @property
    def verified(self) -> bool:
        return all(one.verified for one in self)

    def table(self) -> Any:
        from ._results import data_frame

        return data_frame([{"implementation": j.implementation, "verified": j.verified, "max_relative_error": max(j.errors.values()),
                            "median_s": j.median_s} for j in self])


def judge(kernel: str, implementations: str | Sequence[str], size: str = "small", *, seed: int = 1, samples: int = 5,
          against: str = "reference", parameters: dict[str, dict[str, int | str]] | None = None) -> Judgements:
    """Compares implementations with the reference on generated arguments, and times those that are right, alternately.

    The tolerances are those of the kernel's interface. To compare installed implementations with intervals and rank tests, or on the
    data of an input, use :func:`suite.compare`; this function also sees those of :func:`suite.implement`.

    :param parameters: by implementation, {"mine": {"block": 64}}
    """
    names = [implementations] if isinstance(implementations, str) else list(implementations)
    if not names:
        raise InvalidArgument("there is no implementation to judge")
    truth = _run(kernel, against, size, seed, {})[0]
    opened: dict[str, Kernel] = {}
    errors: dict[str, dict[str, float]] = {}
    tolerances: dict[str, dict[str, float]] = {}
    for name in names:
        chosen = (parameters or {}).get(name, {})
        results, opened[name] = _run(kernel, name, size, seed, chosen)
        errors[name] = {a: _distance(values, truth[a]) for a, values in results.items()}
        tolerances[name] = {a: _tolerance(opened[name], opened[name].table.arguments[a], chosen) for a in results}
    right = [n for n in names if all(e <= tolerances[n][a] for a, e in errors[n].items())]
    times: dict[str, list[float]] = {name: [] for name in names}
    for i in range(samples):
        for name in right if i % 2 == 0 else reversed(right):
            seconds = ctypes.c_double()
            call("suite_run", opened[name]._handle, ctypes.byref(seconds))
            times[name].append(seconds.value)
    return Judgements(Judgement(kernel, n, size, errors[n], tolerances[n], tuple(times[n])) for n in names)


def verify(kernel: str, implementation: str, size: str = "small", *, seed: int = 1, against: str = "reference") -> Judgement:
    """Raises :class:`suite.VerificationFailed` unless an implementation agrees with the reference on generated arguments."""
    judgement: Judgement = judge(kernel, implementation, size, seed=seed, samples=1, against=against)[0]
    if not judgement.verified:
        raise VerificationFailed(str(judgement))
    return judgement


def _run(kernel: str, implementation: str, size: str, seed: int, parameters: dict[str, int | str]) -> tuple[dict[str, npt.NDArray[Any]], Kernel]:
    opened = Kernel(kernel, implementation)
    opened.set_parameters(**parameters)
    call("suite_generate", opened._handle, size.encode(), seed)
    call("suite_run", opened._handle, None)
    results = {}
    for argument in opened.table.results:
        array = _abi.suite_array()
        call("suite_argument_array", opened._handle, argument.name.encode(), ctypes.byref(array))
        if array.rank < 0:
            continue
        values = np.empty(tuple(array.extent[: array.rank]), _abi.TYPES[array.type], order="F")
        array.data, array.place = values.ctypes.data, _abi.HOST
        call("suite_get", opened._handle, argument.name.encode(), ctypes.byref(array))
        results[argument.name] = values
    return results, opened


def _tolerance(kernel: Kernel, argument: Argument, chosen: dict[str, int | str]) -> float:
    allowed = argument.tolerance
    for parameter in kernel.table.parameters.values():
        value = chosen.get(parameter.name, parameter.default)
        allowed = max([allowed, *(c.tolerance for c in parameter.choices if c.name == value)])
    return allowed


def _distance(values: npt.NDArray[Any], truth: npt.NDArray[Any]) -> float:
    largest = float(np.max(np.abs(truth), initial=0.0))
    difference = float(np.max(np.abs(values - truth), initial=0.0))
    return difference / largest if largest > 0 else difference


