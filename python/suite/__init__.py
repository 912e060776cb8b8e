# SPDX-License-Identifier: BSD-3-Clause
"""suite for Python: kernels of electronic-structure codes on NumPy arrays, and the program's apps with results as objects.

Kernels::

    import suite
    k = suite.open("gpp.sigma", "cpu")          # help(k): every argument with shape, unit and meaning
    r = k(wtilde_array=wtilde, I_eps_array=I_eps, vcoul=vcoul, occ_array=occ, aqsntemp=m, aqsmtemp=m, wx_array=wx)
    r.asxtemp, r.achtemp

Apps::

    run = suite.run("gpp.yaml", set={"sigma.bands": [1, 14]})
    run.gap                                     # 1.207 eV
    run.table(), run.plot()                     # pandas, matplotlib

See docs/python.md.
"""

from . import structures
from ._captures import Capture, load_capture
from ._device import Device, DeviceArray
from ._judge import Judgement, Judgements, judge, verify
from ._kernel import Kernel, Results, open  # noqa: A004
from ._library import program, root
from ._plugin import argument, choices, implement, knob
from ._program import bench, check, compare, report, run, version
from ._results import Comparison, Result, Run, Section, StoredComparison, load
from ._tables import Argument, Parameter, Table, kernels, unavailable
from ._units import Quantity, QuantityArray
from .errors import (
    DeviceError, Error, FileError, InputError, InternalError, Interrupted, InvalidArgument, LibraryNotFound, NotFound, OutOfMemory,
    Regression, RunWarning, Unsupported, VerificationFailed,
)



def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'suite' has no attribute {name!r}")
    from importlib import metadata

    try:
        return metadata.version("suite")
    except metadata.PackageNotFoundError:  # used from the source tree
        from ._library import library, text

        return text(library().suite_version())


__all__ = [
    "Argument", "Capture", "Comparison", "Device", "DeviceArray", "DeviceError", "Error", "FileError", "InputError", "InternalError", "Interrupted",
    "InvalidArgument", "Judgement", "Judgements", "Kernel", "LibraryNotFound", "NotFound", "OutOfMemory", "Parameter", "Quantity",
    "QuantityArray", "Regression", "Result", "Results", "Run", "RunWarning", "Section", "StoredComparison", "Table", "Unsupported", "VerificationFailed",
    "argument", "bench", "check", "choices", "compare", "implement", "judge", "kernels", "knob", "load", "load_capture", "open", "program", "report", "root",
    "run", "structures", "unavailable", "verify", "version",
]
