# SPDX-License-Identifier: BSD-3-Clause
"""Kernels as functions of NumPy arrays."""

from __future__ import annotations

import ctypes
import difflib
import inspect
from typing import Any, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from . import _abi, _dlpack, _tables
from ._device import Device, DeviceArray, make_array, type_number
from ._library import call, library, text
from .errors import InvalidArgument, NotFound

Array = npt.NDArray[Any]


class Results(tuple):  # type: ignore[type-arg]
    """The results of a call, in the order of the interface: ``asx, ach = k(...)``, ``r.asxtemp``, ``r["asxtemp"]``.

    ``seconds`` is the time of the device's clock, without transfers and preparation.
    """

    seconds: float
    _names: tuple[str, ...]

    def __new__(cls, values: Mapping[str, Any], seconds: float) -> Results:
        made = super().__new__(cls, values.values())
        made._names, made.seconds = tuple(values), seconds
        return made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(f"there is no result {name!r}; there are: {', '.join(self._names)}")
        return self[self._names.index(name)]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(key)
            key = self._names.index(key)
        return super().__getitem__(key)

    def keys(self) -> tuple[str, ...]:
        return self._names

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return "Results(" + ", ".join(f"{n}={_brief(v)}" for n, v in zip(self._names, self)) + f", seconds={self.seconds:.3g})"


def _brief(value: Any) -> str:
    return repr(value) if isinstance(value, DeviceArray) or np.size(value) <= 6 else f"<{value.dtype}{value.shape}>"


def _on_request(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value == "device")


class Kernel:
    """A kernel, open on a device, as a function of arrays. ``suite.open`` returns one."""

    def __init__(self, kernel: str, implementation: str = "cpu", device: Device | str | None = None, copies: bool = True):
        self._handle: int | None = None
        self._device = Device(device) if isinstance(device, str) else device
        self._copies = copies
        handle = ctypes.c_void_p()
        call("suite_open", kernel.encode(), implementation.encode(), self._device._handle if self._device else None, ctypes.byref(handle))
        self._handle = handle.value
        self.table = _tables.read(library().suite_describe(handle).contents, text(library().suite_plugin_file(handle)))
        self._allowed = {a.name: {np.dtype(t) for t in a.types} for a in self.table.arguments.values()}
        self._inputs, self._results = self.table.inputs, self.table.results
        self._given: dict[str, Any] = {}  # keeps what the library uses in place
        self._held: dict[str, Any] = {}  # what set() has set
        self._displaced: set[str] = set()  # those of them in whose place the last call had its own
        self._bare: dict[str, bool] = {}  # of arguments with extents that may be left out: whether they were
        if self._device is None:
            self._device = Device._of_call(library().suite_call_device(handle))

    # --- of a call

    def __call__(self, **arguments: Any) -> Results:
        """Runs the kernel on these arguments, and those of ``set``.

        Results are new arrays, or those given here to be filled. ``name=True`` requests a result that is optional, ``name="device"``
        leaves one on the device (:class:`suite.DeviceArray`).
        """
        arguments = {name: value for name, value in arguments.items() if value is not None}
        self._check_names(arguments)
        for name in list(self._given):
            if name not in arguments and name not in self._held:
                self._drop(name)
        for name in self._displaced.difference(arguments):
            self._bind(self.table.arguments[name], self._held[name])
        self._displaced = {name for name in arguments if name in self._held}
        for argument in self._inputs:
            if argument.name in arguments:
                self._bind(argument, arguments[argument.name])
        made: dict[str, Any] = {}
        for argument in self._results:
            if argument.intent == "inout":
                if argument.name in self._given:
                    made[argument.name] = self._given[argument.name]
                continue
            wanted = arguments.get(argument.name)
            if wanted is None and argument.name in self._held:
                made[argument.name] = self._given[argument.name]
            elif wanted is not None and not _on_request(wanted):
                made[argument.name] = self._bind(argument, wanted)
            elif wanted is not None or argument.default is None:
                made[argument.name] = self._bind(argument, self._allocate(argument, wanted == "device"), expected=True)
        seconds = ctypes.c_double()
        call("suite_run", self._handle, ctypes.byref(seconds))
        return Results(made, seconds.value)

    def set(self, **arguments: Any) -> None:
        """Sets arguments for all calls to come. Arrays on a device are uploaded once; constants are prepared once.

        On a backend that shares the host's memory an array is used in place: later changes of its contents are seen, but for those
        of a ``constant`` argument, which has to be set again. ``None`` unsets an optional argument.
        """
        self._check_names(arguments, all_needed=False)
        for name, value in arguments.items():
            if value is None:
                self._drop(name)
                continue
            argument = self.table.arguments[name]
            if _on_request(value):
                raise InvalidArgument(f"{name}={value!r} requests a result of one call; set takes arrays")
            self._bind(argument, value)
            self._held[name] = value
            self._displaced.discard(name)

    def forget(self) -> None:
        """Unsets all arguments, and frees what the library keeps for them."""
        library().suite_forget(self._handle)
        self._given.clear()
        self._held.clear()
        self._displaced.clear()
        self._bare.clear()

    def set_parameters(self, **parameters: int | str) -> None:
        """Sets parameters of the implementation, numbers or named choices, for all calls to come."""
        for name, value in parameters.items():
            if isinstance(value, str):
                call("suite_choose", self._handle, name.encode(), value.encode())
            else:
                call("suite_set_parameter", self._handle, name.encode(), int(value))

    @property
    def parameters(self) -> dict[str, int | str]:
        """The values of all parameters."""
        values: dict[str, int | str] = {}
        for parameter in self.table.parameters.values():
            value = ctypes.c_int64()
            call("suite_get_parameter", self._handle, parameter.name.encode(), ctypes.byref(value))
            values[parameter.name] = parameter.choices[value.value].name if parameter.choices else value.value
        return values

    def work(self) -> float:
        """The work of a call with the arguments of the last one, in the unit of ``table.merit``; 0: the kernel names none."""
        count = ctypes.c_double()
        call("suite_call_merit", self._handle, ctypes.byref(count))
        return count.value

    def generate(self, size: str = "small", seed: int = 1) -> dict[str, Any]:
        """Arguments of a named size ("small", "ncouls=64,nw=3"), the same for all implementations: ``k(**k.generate())``.

        For results there are ``True``, where they are optional, and arrays, where no input has their extents.
        """
        kernel = Kernel(self.table.kernel, self.table.file if "/" in self.table.file else self.table.implementation)
        call("suite_generate", kernel._handle, size.encode(), seed)
        found: dict[str, Any] = {}
        for argument in self.table.inputs:
            array = _abi.suite_array()
            call("suite_argument_array", kernel._handle, argument.name.encode(), ctypes.byref(array))
            if array.rank >= 0:
                found[argument.name] = view(array).copy(order="F") if array.rank else view(array)[()]
        for argument in self.table.results:
            array = _abi.suite_array()
            call("suite_argument_array", kernel._handle, argument.name.encode(), ctypes.byref(array))
            if array.rank < 0 or argument.intent != "out":
                continue
            expected = _abi.suite_array()
            call("suite_expected_array", kernel._handle, argument.name.encode(), ctypes.byref(expected))
            if -1 in expected.extent or expected.type == 0:  # no input has this extent: the result's array chooses it
                found[argument.name] = np.zeros(tuple(array.extent[: array.rank]), _abi.TYPES[array.type], order="F")
            elif argument.default is not None:
                found[argument.name] = True
        return found

    # --- of the kernel

    @property
    def device(self) -> Device:
        assert self._device is not None
        return self._device

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.KEYWORD_ONLY
        order = sorted(self.table.arguments.values(), key=lambda a: a.default is not None or not a.is_input)
        return inspect.Signature([
            inspect.Parameter(a.name, kind, default=inspect.Parameter.empty if a.is_input and a.default is None else None) for a in order])

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle:
            library().suite_close(handle)
        self._given.clear()

    def __enter__(self) -> Kernel:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def __repr__(self) -> str:
        return f"<{self.table.kernel} on {self.table.implementation}, device {self.device.name}>"

    # --- binding

    def _check_names(self, arguments: Mapping[str, Any], all_needed: bool = True) -> None:
        if not self._handle:
            raise InvalidArgument(f"{self.table.kernel} is closed")
        for name in arguments:
            if name not in self.table.arguments:
                near = difflib.get_close_matches(name, self.table.arguments, n=1)
                guess = f"; did you mean {near[0]!r}?" if near else ""
                raise InvalidArgument(f"{self.table.kernel} has no argument {name!r}{guess} It has: {', '.join(self.table.arguments)}")
        missing = [a.declared for a in self._inputs if a.default is None and a.name not in arguments and a.name not in self._held]
        if missing and all_needed:
            raise InvalidArgument(f"{self.table.kernel} also needs {', '.join(missing)}")

    def _drop(self, name: str) -> None:
        self._given.pop(name, None)
        self._held.pop(name, None)
        self._displaced.discard(name)
        self._bare.pop(name, None)
        if self.table.arguments[name].default is not None:
            nothing = _abi.suite_array(type=_abi.suite_array().type)
            call("suite_set", self._handle, name.encode(), ctypes.byref(nothing))

    def _bind(self, argument: _tables.Argument, value: Any, expected: bool = False) -> Any:
        """Hands an argument to the library. Returns what now is the argument: `value`, or an array made of it."""
        array, kept = self._array_of(argument, value)
        try:
            call("suite_set", self._handle, argument.name.encode(), ctypes.byref(array))
        except NotFound as e:
            raise InvalidArgument(str(e)) from None
        self._given[argument.name] = kept
        if argument.least_rank < argument.rank and not expected:
            self._bare[argument.name] = array.rank < argument.rank
        return kept[0] if isinstance(kept, tuple) else kept

    def _array_of(self, argument: _tables.Argument, value: Any) -> tuple[_abi.suite_array, Any]:
        if isinstance(value, DeviceArray):
            self._check_type(argument, value.dtype)
            return value._array, value
        if not isinstance(value, (np.ndarray, np.generic)) and hasattr(value, "__dlpack_device__"):
            if tuple(value.__dlpack_device__())[0] == _dlpack.CPU:
                value = np.from_dlpack(value)
            else:
                return self._imported(argument, value)
        host = self._host_array(argument, value)
        number = type_number(host.dtype, argument.name)
        return make_array(host.ctypes.data, host.shape, number, _abi.HOST, argument.name), host

    def _imported(self, argument: _tables.Argument, value: Any) -> tuple[_abi.suite_array, Any]:
        theirs, ours = tuple(value.__dlpack_device__()), self.device._dlpack_device()
        if (int(theirs[0]), int(theirs[1])) != ours:
            raise InvalidArgument(f"{argument.name} is on DLPack device {theirs}, but the kernel runs on {self.device.name}, which is {ours}")
        array = _dlpack.Imported(value, self.device._stream())
        self._check_type(argument, array.dtype and np.dtype(array.dtype))
        if not array.in_fortran_order:
            raise InvalidArgument(f"{argument.declared} is not in Fortran order (first index fastest), and arrays on a device are used in place")
        if array.read_only and argument.is_result:
            raise InvalidArgument(f"{argument.name} is read-only, but the kernel writes to it")
        return make_array(array.address, array.shape, type_number(array.dtype or "O", argument.name), _abi.DEVICE, argument.name), (value, array)

    def _check_type(self, argument: _tables.Argument, dtype: Any) -> None:
        if dtype not in self._allowed[argument.name]:
            raise InvalidArgument(f"{argument.name} takes {' or '.join(argument.types)}, but {dtype} was given; use astype(\"{argument.types[-1]}\")")

    def _host_array(self, argument: _tables.Argument, value: Any) -> Array:
        if isinstance(value, (np.ndarray, np.generic)):
            host = np.asarray(value)
        else:
            # Numbers and lists of Python have no type of their own: they get the argument's.
            host = np.asarray(value)
            fitting = [t for t in argument.types if np.can_cast(host.dtype, t, "same_kind")]
            if fitting and host.dtype.kind in "biufc":
                made = host.astype(fitting[0])
                if not np.array_equal(made, host, equal_nan=True) and made.dtype.kind == "i":
                    raise InvalidArgument(f"{argument.name} takes {fitting[0]}, which {value!r} does not fit into")
                host = made
        self._check_type(argument, host.dtype)
        if argument.rank == 0 and host.ndim:
            raise InvalidArgument(f"{argument.name} is a number, but an array of shape {host.shape} was given")
        in_order = host.flags.f_contiguous and host.flags.aligned
        if argument.is_result:
            if host is not value or not in_order:
                what = f"of type {type(value).__name__}" if host is not value else "not in Fortran order (first index fastest)"
                raise InvalidArgument(f"{argument.declared} is written in place and must be a NumPy array in Fortran order, but the one given is {what}; "
                                      "use np.asfortranarray, or order=\"F\" where it is made")
            if not host.flags.writeable:
                raise InvalidArgument(f"{argument.name} is read-only, but the kernel writes to it")
        elif not in_order:
            if not self._copies:
                raise InvalidArgument(f"{argument.declared} is not in Fortran order (first index fastest), and copies are not allowed; use np.asfortranarray")
            host = np.asfortranarray(host) if host.flags.aligned else host.copy(order="F")
        return host

    def _allocate(self, argument: _tables.Argument, on_device: bool) -> Array | DeviceArray:
        array = _abi.suite_array()
        call("suite_expected_array", self._handle, argument.name.encode(), ctypes.byref(array))
        shape = tuple(array.extent[: array.rank])
        if -1 in shape or array.type == 0:
            raise InvalidArgument(f"no input determines the shape of the result {argument.declared}; give an array for it")
        while len(shape) > argument.least_rank and shape[-1] == 1 and self._bare and all(self._bare.values()):
            shape = shape[:-1]
        if on_device:
            return self.device.empty(shape, _abi.TYPES[array.type])
        return np.empty(shape, _abi.TYPES[array.type], order="F")


def view(array: _abi.suite_array) -> Array:
    """An array of the host's memory as NumPy's, without a copy."""
    shape = tuple(array.extent[: array.rank])
    dtype: np.dtype[Any] = np.dtype(_abi.TYPES[array.type])
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0 or not array.data:
        return np.empty(shape, dtype, order="F")
    memory: Any = (ctypes.c_char * (count * dtype.itemsize)).from_address(array.data)
    flat: Array = np.frombuffer(memory, dtype, count)
    return flat.reshape(shape, order="F")


def open(kernel: str, implementation: str = "cpu", *, device: Device | str | None = None, copies: bool = True) -> Kernel:  # noqa: A001
    """Opens a kernel: ``k = suite.open("gpp.sigma", "cpu")``, then ``results = k(wtilde_array=..., ...)``.

    :param kernel: "gpp.sigma"; ``suite.kernels()`` has all
    :param implementation: "cpu", "reference", "cuda:1", "opencl:pocl", a name of ``suite.implement``, or the path of a plugin
    :param device: an open device of that implementation's backend; without it the kernel gets one of its own
    :param copies: whether inputs that are not in Fortran order are copied; if not, they are refused

    ``help(k)`` shows every argument with shape, unit and meaning.
    """
    opened = Kernel(kernel, implementation, device, copies)
    # help() describes the class of an object, so each kernel has its own.
    name = kernel.replace(".", "_")
    opened.__class__ = type(name, (Kernel,), {"__doc__": f"{opened.table}\n\nA call returns the results; see suite.open and docs/python.md.", "__module__": "suite"})
    return opened


def names() -> Iterator[str]:
    return iter(_tables.kernels())
