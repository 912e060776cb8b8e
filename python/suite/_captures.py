# SPDX-License-Identifier: BSD-3-Clause
"""Captured calls (docs/capture.md) as arrays."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import FileError, InputError


@dataclasses.dataclass(frozen=True)
class Capture:
    """A call that was captured: ``suite.open(c.kernel)(**c.arguments)`` repeats it, ``c.results`` is what it gave."""

    kernel: str
    implementation: str
    arguments: dict[str, npt.NDArray[Any]]  #: as they were before the run, in Fortran order
    results: dict[str, npt.NDArray[Any]]
    units: dict[str, str]
    attributes: dict[str, Any]  #: the file's own: device, parameters, program, host, utc, ...

    def __repr__(self) -> str:
        return f"<suite.Capture of {self.kernel} on {self.implementation}: {', '.join(self.arguments)}>"


def load_capture(file: str | os.PathLike[str]) -> Capture:
    """Reads a captured call (needs h5py). To replay one with the program's checks, use ``suite.run(file)``."""
    try:
        import h5py
    except ImportError:
        raise ImportError("reading a capture needs h5py: pip install h5py") from None

    def value(dataset: Any) -> Any:
        return np.asarray(dataset[...]).T if dataset.ndim else dataset[()]

    def plain(found: Any) -> Any:
        return found.decode() if isinstance(found, bytes) else found

    try:
        with h5py.File(file) as opened:
            attributes = {name: plain(found) for name, found in opened.attrs.items()}
            if not str(attributes.get("schema", "")).startswith("suite-capture-"):
                raise InputError(f"{os.fspath(file)} is no capture: it has no schema suite-capture-<number>")
            inputs = {name: one for name, one in opened.items() if isinstance(one, h5py.Dataset)}
            results = dict(opened["results"].items()) if "results" in opened else {}
            units = {name: str(plain(one.attrs["unit"])) for name, one in [*results.items(), *inputs.items()]}
            return Capture(str(attributes["kernel"]), str(attributes["implementation"]), {name: value(one) for name, one in inputs.items()},
                           {name: value(one) for name, one in results.items()}, units, attributes)
    except (OSError, KeyError) as e:
        raise FileError(f"cannot read the capture {os.fspath(file)}: {e}") from None
