# SPDX-License-Identifier: BSD-3-Clause
"""Figures of results with matplotlib."""

from __future__ import annotations

import numbers
from typing import Any, Callable

import numpy as np

from . import errors
from ._results import Comparison, Result, Run


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("figures need matplotlib: pip install matplotlib") from None
    return plt.subplots(layout="constrained")[1]


def plot(result: Result, ax: Any, **options: Any) -> Any:
    if isinstance(result, Comparison):
        return _times(result, _axes(ax), **options)
    if isinstance(result, Run):
        figure = _OF_APP.get(result.app)
        if figure is not None:
            return figure(result, _axes(ax), **options)
    raise errors.Unsupported(f"there is no figure of {result!r}; its tables are {', '.join(result.tables) or 'none'}")


def _times(result: Comparison, ax: Any) -> Any:
    """A bar for each verified candidate with its 95 % interval; none where verification failed."""
    rows = [row for row in result.rows if isinstance(row.get("median_s"), numbers.Real)]
    if not rows:
        raise errors.Unsupported("no candidate was timed")
    # What all rows have in common is the title, the rest tells them apart.
    columns = {key: [str(row.get(key) or "") for row in rows] for key in ("kernel", "size", "implementation", "variant")}
    common = [key for key, names in columns.items() if key in ("kernel", "size") and len(set(names)) == 1]
    labels = [" ".join(filter(None, names)) for names in zip(*(names for key, names in columns.items() if key not in common))]
    unit, scale = next((u, s) for u, s in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)) if max(row["median_s"] for row in rows) * s >= 1 or u == "µs")
    low, median, high = (np.array([row[key] for row in rows], dtype=float) * scale for key in ("low_s", "median_s", "high_s"))
    at = np.arange(len(rows))
    ax.barh(at, median, xerr=[median - low, high - median], capsize=3)
    ax.set_yticks(at, labels)
    ax.invert_yaxis()
    if median.max() > 30 * median.min():
        ax.set_xscale("log")
    ax.set_xlabel(f"time ({unit}), median and 95 % interval")
    ax.set_title(" ".join(columns[key][0] for key in common))
    return ax


def _quasiparticles(run: Run, ax: Any) -> Any:
    """The corrections of the mean field's energies."""
    levels = run.json["results"]["quasiparticle"]
    band = np.array([level["band"] for level in levels])
    emf = np.array([level["emf_eV"] for level in levels])
    correction = np.array([level["eqp1_eV"] for level in levels]) - emf
    occupied = run.json["results"].get("occupied_bands")
    top = max((e for e, b in zip(emf, band) if occupied and b <= occupied), default=0.0)
    for label, chosen in (("valence", band <= (occupied or 0)), ("conduction", band > (occupied or 0))):
        ax.plot(emf[chosen] - top, correction[chosen], "o", label=label, markerfacecolor="none" if label == "conduction" else None)
    ax.set_xlabel("mean-field energy (eV), from the top of the valence bands" if occupied else "mean-field energy (eV)")
    ax.set_ylabel(r"$E_\mathrm{QP} - E_\mathrm{MF}$ (eV)")
    ax.legend()
    return ax


def _spectrum(run: Run, ax: Any) -> Any:
    """The absorption spectrum, with the fitted lines as ticks."""
    columns = list(run.columns("spectrum.dat").items())
    ax.plot(columns[0][1], columns[1][1])
    for peak in run.json["results"].get("peaks", []):
        ax.axvline(peak["energy_eV"], ymax=0.04, color="black")
    ax.set_xlabel("energy (eV)")
    ax.set_ylabel("dipole strength (1/eV)")
    ax.set_xlim(0, columns[0][1][-1])
    return ax


def _convergence(run: Run, ax: Any) -> Any:
    """The residuals of the ground state and of the response."""
    columns = run.columns("convergence.csv")
    for stage, label in (("ground_state", "ground state"), ("response", "response")):
        chosen = columns["stage"] == stage
        if chosen.any():
            ax.semilogy(columns["iteration"][chosen], columns["residual"][chosen], "o-", label=label)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_xlabel("iteration")
    ax.set_ylabel("residual of the density")
    ax.legend()
    return ax


def _pairs(run: Run, ax: Any) -> Any:
    """Pair correlation of the electrons by spin, or, where it was not sampled, the energy of the blocks."""
    if "pair_correlation.csv" in run.files:
        columns = run.columns("pair_correlation.csv")
        distance = columns.pop("r_bohr")
        for name, values in columns.items():
            if not name.endswith("error"):
                ax.plot(distance, values, label=name.replace("_", " "))
        ax.set_xlabel("distance (bohr)")
        ax.set_ylabel("pair correlation $g(r)$")
        ax.legend()
        return ax
    series = next((f for f in ("energy.csv", "steps.csv") if f in run.files), None)
    if series is None:
        raise errors.Unsupported(f"the run left no table to be drawn; its files are {', '.join(run.files)}")
    columns = run.columns(series)
    (first, x), *rest = columns.items()
    energy = next((key for key, _ in rest if "energy" in key.lower()), rest[0][0])
    ax.plot(x, columns[energy])
    ax.set_xlabel(first)
    ax.set_ylabel(energy.replace("_", " "))
    return ax


_OF_APP: dict[str, Callable[..., Any]] = {"gw": _quasiparticles, "tddft": _spectrum, "dfpt": _convergence, "vmc": _pairs}
