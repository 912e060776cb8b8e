# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, as exceptions. All of them are :class:`suite.Error`, and each is also the built-in exception that fits.

The sentence of an exception is the library's or the program's own: it names the argument, key or file, and both values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._results import Result


class Error(Exception):
    """Base of everything that this package raises.

    ``result`` is what the program has computed nevertheless, a :class:`suite.Result`, or None.
    """

    result: Result | None = None


class LibraryNotFound(Error, ImportError):
    """There is no libsuite, or no program ``suite``, where they were looked for."""


class InvalidArgument(Error, ValueError):
    """A name, type, shape or value that the kernel's interface does not allow."""


class Unsupported(Error, NotImplementedError):
    """A valid request that this implementation does not support."""


class NotFound(Error, LookupError):
    """No such kernel, implementation, backend, device, parameter or file."""


class OutOfMemory(Error, MemoryError):
    """The machine or the device does not have the memory."""


class DeviceError(Error, RuntimeError):
    """The device's runtime reported a failure; its own text is in the message."""


class InternalError(Error, RuntimeError):
    """A mistake in suite or in a plugin."""


class InputError(Error, ValueError):
    """The program refused its input or its options: every mistake of the input with file, line and column."""


class VerificationFailed(Error, ArithmeticError):
    """A kernel differs from the reference."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class Regression(Error):
    """A comparison found what ``fail_on`` asked for."""


class Interrupted(Error):
    """The program was stopped by a signal."""


class RunWarning(UserWarning):
    """The program warns of its results: a broken law, a cell that is too small, a state that may be another one."""


# By suite_status (suite/abi.h).
of_status: dict[int, type[Error]] = {1: InvalidArgument, 2: Unsupported, 3: NotFound, 4: OutOfMemory, 5: DeviceError, 6: InternalError}

# By the program's exit code (suite help).
of_exit_code: dict[int, type[Error]] = {
    1: VerificationFailed, 2: InputError, 3: NotFound, 4: OutOfMemory, 5: DeviceError, 6: FileError, 7: Regression, 130: Interrupted,
    143: Interrupted,
}
