# SPDX-License-Identifier: BSD-3-Clause
"""Kernels written in Python: a plugin's table (suite/abi.h) whose functions call a function of NumPy arrays."""

from __future__ import annotations

import contextlib
import ctypes as c
import dataclasses
import inspect
import platform
import re
from typing import Any, Callable, Iterable, Mapping, Sequence, TypeVar

import numpy as np

from . import _abi
from ._kernel import Kernel, view
from ._library import call, library
from ._tables import Argument, Choice, Parameter, kernels
from .errors import Error, InvalidArgument, NotFound, of_status

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)


def knob(default: int, low: int, high: int, meaning: str, unit: str = "1") -> Parameter:
    """A parameter that is a number, for ``implement(..., parameters={"block": knob(...)})``."""
    return Parameter("", meaning, default, low, high, (), unit)


def choices(meaning: str, *names: str | tuple[str, str], tolerances: Mapping[str, float] | None = None) -> Parameter:
    """A parameter with named choices, the first of which is the default: names, or pairs of name and meaning."""
    pairs = [(name, "") if isinstance(name, str) else name for name in names]
    made = tuple(Choice(name, what, (tolerances or {}).get(name, 0.0)) for name, what in pairs)
    return Parameter("", meaning, made[0].name, choices=made)


def argument(name: str, types: str | Sequence[str], shape: str, intent: str, unit: str, meaning: str, default: str | None = None,
             tolerance: float = 0.0) -> Argument:
    """An argument of a new kernel, for ``implement(..., interface=[...])``. ``shape`` names extents, first index fastest."""
    listed = (types,) if isinstance(types, str) else tuple(types)
    numbers = [number for number, known in _abi.TYPES.items() if known in listed]
    if len(numbers) != len(listed):
        raise InvalidArgument(f"{name} has an unknown type among {', '.join(listed)}; known are {', '.join(_abi.TYPES.values())}")
    raw = numbers[0] if len(numbers) == 1 else _abi.TYPE_SET | sum(1 << n for n in numbers)
    rank = len([e for e in re.split(r"[\[\],]+", shape) if e])
    return Argument(name, listed, shape, rank, intent, unit, meaning, default, tolerance, raw)


class _Implementation:
    """The table of one kernel. Lives as long as the process, as the core asks for: in _plugins."""

    def __init__(self, kernel: str, name: str, function: Function, prepare: Function | None, parameters: Mapping[str, Parameter],
                 interface: Sequence[Argument] | None, summary: str | None):
        self.function, self.prepare = function, prepare
        self.parameters = [dataclasses.replace(p, name=n) for n, p in parameters.items()]
        self.values: dict[int, dict[str, Any]] = {}  # of kernels that are open, by handle
        self.kept: list[Any] = []
        self.table = _abi.suite_kernel_table()
        if interface is None:
            self._take_interface(kernel)
        else:
            self._make_interface(kernel, interface, summary or (function.__doc__ or kernel).strip().splitlines()[0])
        self.table.implementation, self.table.backend = name.encode(), b"cpu"
        self.table.layouts = None
        self.table.finish = _abi.FINISH()  # another implementation's
        self._set_parameters()
        self._set_functions()
        self.kept += [self.table.implementation, self.table.backend]

    def _take_interface(self, kernel: str) -> None:
        """Everything but the functions, from another implementation; the reference if there is one."""
        found = kernels().get(kernel)
        if not found:
            raise NotFound(f"no implementation of {kernel} is installed, so its interface is not known; for a new kernel give interface=[...]")
        known = found.get("reference") or next(iter(found.values()))
        opened = Kernel(kernel, known.file if "/" in known.file else known.implementation)
        c.memmove(c.byref(self.table), library().suite_describe(opened._handle), c.sizeof(self.table))
        self.kept.append(opened)
        self.arguments = list(known.arguments.values())

    def _make_interface(self, kernel: str, interface: Sequence[Argument], summary: str) -> None:
        intents = {"in": _abi.IN, "out": _abi.OUT, "inout": _abi.INOUT, "constant": _abi.CONSTANT}
        rows = (_abi.suite_argument * len(interface))()
        for row, a in zip(rows, interface):
            row.name, row.type, row.rank, row.intent = a.name.encode(), a._type, a.rank, intents[a.intent]
            row.shape, row.unit, row.meaning, row.tolerance = a.shape.encode(), a.unit.encode(), a.meaning.encode(), a.tolerance
            row.when_unset = None if a.default is None else a.default.encode()
        t = self.table
        t.struct_size = c.sizeof(_abi.suite_kernel_table)
        t.kernel, t.summary, t.arguments, t.argument_count = kernel.encode(), summary.encode(), rows, len(interface)
        t.sizes.argument = c.sizeof(_abi.suite_argument)
        self.kept.append(rows)
        self.arguments = list(interface)

    def _set_parameters(self) -> None:
        rows = (_abi.suite_parameter * len(self.parameters))()
        for row, p in zip(rows, self.parameters):
            row.name, row.meaning, row.unit, row.low, row.high = p.name.encode(), p.meaning.encode(), p.unit.encode(), p.low, p.high
            row.changes_result = int(p.changes_result)
            if not p.choices:
                row.value = int(p.default)
                continue
            named = (_abi.suite_choice * len(p.choices))()
            for one, choice in zip(named, p.choices):
                one.name, one.meaning, one.tolerance = choice.name.encode(), choice.meaning.encode(), choice.tolerance
            row.choices, row.choice_count = named, len(p.choices)
            row.value = [choice.name for choice in p.choices].index(str(p.default))
            self.kept.append(named)
        t = self.table
        t.parameters, t.parameter_count = rows, len(self.parameters)
        t.sizes.parameter, t.sizes.choice = c.sizeof(_abi.suite_parameter), c.sizeof(_abi.suite_choice)
        t.sizes.published = c.sizeof(_abi.suite_published)
        self.kept.append(rows)

    def _set_functions(self) -> None:
        def create(_backend: Any, _queue: Any, values: Any, kernel: Any, _error: Any) -> int:
            chosen: dict[str, Any] = {}
            for i, p in enumerate(self.parameters):
                chosen[p.name] = p.choices[values[i]].name if p.choices else values[i]
            handle = max(self.values, default=0) + 1
            self.values[handle] = chosen
            kernel[0] = handle
            return 0

        def execute(kernel: int, arrays: Any, error: Any) -> int:
            return self._guarded(self.function, kernel, arrays, error)

        def destroy(kernel: int) -> None:
            self.values.pop(kernel, None)

        def prepare_constants(kernel: int, arrays: Any, error: Any) -> int:
            assert self.prepare is not None
            return self._guarded(self.prepare, kernel, arrays, error)

        functions = (_abi.CREATE(create), _abi.PREPARE(prepare_constants) if self.prepare else c.cast(0, _abi.PREPARE), _abi.EXECUTE(execute),
                     _abi.DESTROY(destroy))
        self.table.create, self.table.prepare, self.table.execute, self.table.destroy = functions
        self.kept += functions

    def _guarded(self, function: Function, kernel: int, arrays: Any, error: Any) -> int:
        """Calls a function of Python's; an exception becomes a status and its sentence."""
        try:
            values = {a.name: self._value(a, arrays[i]) for i, a in enumerate(self.arguments)}
            values.update(self.values.get(kernel, {}))
            function(**_wanted(function, values))
            return 0
        except Exception as e:  # noqa: BLE001: nothing may be thrown through C
            status = next((s for s, kind in of_status.items() if isinstance(e, kind)), 1 if isinstance(e, (ValueError, TypeError)) else 6)
            sentence = str(e) if isinstance(e, Error) else f"{type(e).__name__}: {e}"
            if error:
                error.contents.message = sentence.encode()[:511]
            return status

    @staticmethod
    def _value(a: Argument, array: Any) -> Any:
        """An array of the full rank, a number, or, where it is not set, the default if that is a number, otherwise None."""
        if array.data:
            return view(array)[()] if a.rank == 0 else view(array)
        if a.rank == 0 and a.default is not None:
            with contextlib.suppress(ValueError):
                return np.dtype(a.types[0]).type(float(a.default))
        return None


def _wanted(function: Function, values: dict[str, Any]) -> dict[str, Any]:
    """What the function takes by name; all of it if it has **anything."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return values
    return {name: value for name, value in values.items() if name in parameters}


# By family and name: the kernels of each implementation, and what was registered, which the core may use until the process ends.
_plugins: dict[tuple[str, str], dict[str, _Implementation]] = {}
_registered: list[Any] = []


def implement(kernel: str, name: str, *, prepare: Function | None = None, parameters: Mapping[str, Parameter] | None = None,
              interface: Sequence[Argument] | None = None, summary: str | None = None) -> Callable[[F], F]:
    """Makes a function an implementation of a kernel in this process: ``suite.open(kernel, name)`` then finds it.

    ::

        @suite.implement("gpp.sigma", "mine")
        def sigma(wtilde_array, I_eps_array, vcoul, occ_array, aqsntemp, aqsmtemp, wx_array, gamma, sexcut, asxtemp, achtemp):
            asxtemp[...] = ...

    The function gets the arguments that it names: arrays without a copy, always of the full rank and in Fortran order; numbers; None for
    an optional array that was not given. It writes results in place. What it raises becomes the error of the call. Before it is called the core has
    checked types, shapes and NaN, as for any other implementation.

    :param prepare: called with the same arguments when shapes or constant arguments have changed
    :param parameters: by name, ``suite.knob`` or ``suite.choices``; the function gets their values by name
    :param interface: of a kernel that nobody has yet, a list of ``suite.argument``; by default that of the implementations there are
    :param summary: of a new kernel; by default the first line of the function's documentation
    """
    family, dot, rest = kernel.partition(".")
    if not (family and dot and rest):
        raise InvalidArgument(f"a kernel is named family.name, as gpp.sigma; {kernel!r} is not")

    def register(function: F) -> F:
        made = _Implementation(kernel, name, function, prepare, parameters or {}, interface, summary)
        _check_names(function, made)
        together = {**_plugins.get((family, name), {}), kernel: made}
        _register(family, name, together.values())
        _plugins[family, name] = together
        return function

    return register


def _check_names(function: Function, made: _Implementation) -> None:
    known = {a.name for a in made.arguments} | {p.name for p in made.parameters}
    for p in inspect.signature(function).parameters.values():
        if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty and p.name not in known:
            raise InvalidArgument(f"{function.__name__} takes {p.name!r}, which is neither an argument nor a parameter of the kernel; there are: "
                                  + ", ".join(sorted(known)))


def _register(family: str, name: str, implementations: Iterable[_Implementation]) -> None:
    tables = [c.pointer(i.table) for i in implementations]
    listed = (c.POINTER(_abi.suite_kernel_table) * len(tables))(*tables)
    compiler = f"Python {platform.python_version()}, NumPy {np.__version__}"
    plugin = _abi.suite_plugin(_abi.ABI_VERSION, c.sizeof(_abi.suite_plugin), b"0", compiler.encode(), None, listed, len(tables),
                               family.encode(), name.encode())
    _registered.append((plugin, listed, list(implementations)))
    call("suite_register_plugin", c.byref(plugin))
