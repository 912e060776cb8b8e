# SPDX-License-Identifier: BSD-3-Clause
"""The tables of kernels, as the plugins have them: nothing about a kernel is written down in this package."""

from __future__ import annotations

import dataclasses
import functools
import textwrap
from typing import Any, Iterator

from . import _abi
from ._library import library, text

_INTENTS = {_abi.IN: "in", _abi.OUT: "out", _abi.INOUT: "inout", _abi.CONSTANT: "constant"}


@dataclasses.dataclass(frozen=True)
class Argument:
    """One argument of a kernel."""

    name: str
    types: tuple[str, ...]  #: NumPy's names of the types that it may have
    shape: str  #: names of the extents, first index fastest; those in brackets may be left out; empty: a scalar
    rank: int
    intent: str  #: "in", "out", "inout", or "constant": an input after whose change the kernel prepares itself
    unit: str
    meaning: str
    default: str | None  #: what holds if it is not given; None: it must be given
    tolerance: float  #: of a result: the largest allowed difference from the reference, relative to its largest element
    _type: int = dataclasses.field(repr=False, default=0)  # as in suite_argument

    @property
    def is_input(self) -> bool:
        return self.intent != "out"

    @property
    def is_result(self) -> bool:
        return self.intent in ("out", "inout")

    @property
    def declared(self) -> str:
        """``wtilde_array(ncouls, ngpown)``"""
        return f"{self.name}({self.shape.replace(',', ', ')})" if self.rank else self.name

    @functools.cached_property
    def least_rank(self) -> int:
        return self.rank - self.shape.partition("[")[2].count(",")


@dataclasses.dataclass(frozen=True)
class Choice:
    """A named choice of a parameter."""

    name: str
    meaning: str
    tolerance: float = 0.0  #: if larger, it replaces those of the results


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number or a named choice that says how (or, with ``changes_result``, what) a kernel computes."""

    name: str
    meaning: str
    default: int | str
    low: int = 0
    high: int = 0
    choices: tuple[Choice, ...] = ()
    unit: str = "1"
    changes_result: bool = False


@dataclasses.dataclass(frozen=True, repr=False)
class Table:
    """What is known of a kernel before it runs."""

    kernel: str
    implementation: str
    backend: str
    summary: str
    arguments: dict[str, Argument]
    parameters: dict[str, Parameter]
    merit: str  #: "terms: ncouls*ngpown*ntband*nex*nw", the work of one run; empty: none
    file: str  #: of the plugin

    @property
    def inputs(self) -> list[Argument]:
        return [a for a in self.arguments.values() if a.is_input]

    @property
    def results(self) -> list[Argument]:
        return [a for a in self.arguments.values() if a.is_result]

    def __str__(self) -> str:
        return "\n".join(_describe(self))

    def __repr__(self) -> str:
        return f"<suite.Table of {self.kernel} on {self.implementation}; print() shows its {len(self.arguments)} arguments>"


def _describe(table: Table) -> Iterator[str]:
    yield f"{table.kernel} on {table.implementation} (backend {table.backend}): {table.summary}"
    groups = [("Needed", [a for a in table.inputs if a.default is None]), ("Optional", [a for a in table.inputs if a.default is not None]),
              ("Results", [a for a in table.results if a.intent == "out" and a.default is None]),
              ("Results on request (name=True)", [a for a in table.results if a.intent == "out" and a.default is not None])]
    for title, arguments in groups:
        if arguments:
            yield f"\n{title}:"
        for a in arguments:
            state = "; changed in place" if a.intent == "inout" else "; constant" if a.intent == "constant" else ""
            yield f"  {a.declared} : {' or '.join(a.types)}, {a.unit}{state}"
            default = f" (default: {a.default})" if a.default is not None and a.intent != "out" else ""
            yield textwrap.fill(a.meaning + default, 76, initial_indent="      ", subsequent_indent="      ")
    if table.parameters:
        yield "\nParameters (set_parameters):"
    for p in table.parameters.values():
        values = " | ".join(c.name for c in p.choices) if p.choices else f"{p.low} to {p.high}"
        yield f"  {p.name} = {p.default!r} : {values}"
        yield textwrap.fill(p.meaning, 76, initial_indent="      ", subsequent_indent="      ")
    if table.merit:
        yield f"\nWork of a run, in {table.merit}"


def _types(declared: int) -> tuple[str, ...]:
    if declared & _abi.TYPE_SET:
        return tuple(name for number, name in _abi.TYPES.items() if declared >> number & 1)
    return (_abi.TYPES[declared],)


def _parameter(raw: Any) -> Parameter:
    # Copied element by element: what ctypes yields is a view whose memory belongs to the plugin for good.
    choices = tuple(Choice(text(raw.choices[i].name), text(raw.choices[i].meaning), raw.choices[i].tolerance) for i in range(raw.choice_count))
    default: int | str = choices[raw.value].name if choices else raw.value
    return Parameter(text(raw.name), text(raw.meaning), default, raw.low, raw.high, choices, text(raw.unit), bool(raw.changes_result))


def read(raw: Any, file: str) -> Table:
    """A suite_kernel_table, which the core has checked and whose arrays have the element sizes of this header."""
    arguments = {}
    for i in range(raw.argument_count):
        a = raw.arguments[i]
        arguments[text(a.name)] = Argument(
            text(a.name), _types(a.type), text(a.shape), a.rank, _INTENTS[a.intent], text(a.unit), text(a.meaning),
            None if a.when_unset is None else text(a.when_unset), a.tolerance, a.type)
    parameters = {text(raw.parameters[i].name): _parameter(raw.parameters[i]) for i in range(raw.parameter_count)}
    merit = f"{text(raw.merit_unit)}: {text(raw.merit_count)}" if raw.merit_unit else ""
    return Table(text(raw.kernel), text(raw.implementation), text(raw.backend), text(raw.summary), arguments, parameters, merit, file)


def visit() -> Iterator[tuple[str, Any, str]]:
    """(file, suite_plugin or None, why it is unavailable) of every plugin on the search path."""
    seen: list[tuple[str, Any, str]] = []

    def note(_: Any, file: bytes, plugin: Any, why: bytes) -> None:
        seen.append((text(file), plugin.contents if plugin else None, text(why)))

    library().suite_visit(_abi.SEEN_PLUGIN(note), None)
    return iter(seen)


def kernels() -> dict[str, dict[str, Table]]:
    """The tables of all kernels that can be opened: ``kernels()["gpp.sigma"]["cpu"]``."""
    found: dict[str, dict[str, Table]] = {}
    for file, plugin, _ in visit():
        for i in range(plugin.kernel_count if plugin is not None else 0):
            table = read(plugin.kernels[i].contents, file)
            found.setdefault(table.kernel, {}).setdefault(table.implementation, table)  # the first one of a name is used
    return dict(sorted(found.items()))


def unavailable() -> dict[str, str]:
    """Plugin files that cannot be used, with the reason."""
    return {file: why for file, plugin, why in visit() if plugin is None}
