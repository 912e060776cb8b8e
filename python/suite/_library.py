# SPDX-License-Identifier: BSD-3-Clause
"""Finds libsuite and the program that belongs to it, and calls the C interface."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
import shutil
from typing import Any

from . import _abi, errors

_LIBRARY = "libsuite.so.0.1"


def _library_in(root: pathlib.Path) -> pathlib.Path | None:
    """The library below an installation prefix or in a build tree."""
    folders = [root / "lib", root / "lib64", *sorted(root.glob("lib/*-linux-gnu*"))]
    return next((folder / _LIBRARY for folder in folders if (folder / _LIBRARY).exists()), None)


def _candidates() -> list[tuple[str, pathlib.Path]]:
    """Where to look, in this order, each with the reason."""
    found = []
    if os.environ.get("SUITE_ROOT"):
        return [("SUITE_ROOT", pathlib.Path(os.environ["SUITE_ROOT"]).expanduser())]
    here = pathlib.Path(__file__).resolve().parent
    found.append(("installed with this package", here / "_installed"))
    if (here.parent.parent / "core" / "include" / "suite" / "abi.h").exists():
        found.append(("the build folder of this source tree", here.parent.parent / "build"))
    program = shutil.which("suite")
    if program:
        found.append(("beside the program on PATH", pathlib.Path(program).resolve().parent.parent))
    found += [("the system", pathlib.Path(folder)) for folder in ("/usr/local", "/usr")]
    return found


@functools.lru_cache(maxsize=None)
def root() -> pathlib.Path:
    """The installation prefix or build folder whose library, plugins and program are used.

    It is $SUITE_ROOT if that is set; otherwise the first of: the files that were installed with this package, the folder ``build`` of a
    source tree that this package lies in, the prefix of a program ``suite`` on PATH, /usr/local, /usr.
    """
    looked = _candidates()
    for _, folder in looked:
        if _library_in(folder):
            return folder
    places = "; ".join(f"{folder} ({why})" for why, folder in looked)
    raise errors.LibraryNotFound(f"there is no {_LIBRARY} in {places}. Set SUITE_ROOT to an installed suite or to a build folder")


_loaded: Any = None


@functools.lru_cache(maxsize=None)
def library() -> Any:
    path = _library_in(root())
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as e:
        raise errors.LibraryNotFound(f"cannot load {path}: {e}") from None
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            loaded.suite_version.restype = ctypes.c_char_p
            version = loaded.suite_version().decode()
            raise errors.LibraryNotFound(f"{path} is version {version}, which has no {name}: it is older than this package") from None
        function.restype, function.argtypes = result, arguments
    global _loaded
    _loaded = loaded
    return loaded


def program() -> pathlib.Path:
    """The program ``suite`` of the same installation as the library."""
    path = root() / "bin" / "suite"
    if not path.exists():
        raise errors.LibraryNotFound(f"{root()} has no program bin/suite: it was built without the apps (see docs/install.md)")
    return path


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status and ends with a suite_error. Raises what it reports."""
    error = _abi.suite_error()
    status = getattr(_loaded or library(), name)(*arguments, ctypes.byref(error))
    if status:
        raise errors.of_status.get(status, errors.InternalError)(error.message.decode(errors="replace"))


def text(value: bytes | None) -> str:
    return value.decode(errors="replace") if value else ""
