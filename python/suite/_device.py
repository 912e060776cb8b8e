# SPDX-License-Identifier: BSD-3-Clause
"""Devices, and arrays in their memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _abi, _dlpack
from ._library import call, library, text
from .errors import InvalidArgument

# By type in native byte order. Names of types would do as well, but NumPy takes microseconds to make them.
_NUMBERS: dict[np.dtype[Any], int] = {np.dtype(name): number for number, name in _abi.TYPES.items()}


def type_number(dtype: npt.DTypeLike, what: str) -> int:
    """The suite_type of a NumPy type."""
    number = _NUMBERS.get(np.dtype(dtype))
    if number is None:
        raise InvalidArgument(f"{what} is {np.dtype(dtype)}; it must be one of {', '.join(_abi.TYPES.values())}")
    return number


_ONES = (1,) * _abi.MAX_RANK


def make_array(data: int | None, shape: tuple[int, ...], number: int, place: int, what: str) -> _abi.suite_array:
    if len(shape) > _abi.MAX_RANK:
        raise InvalidArgument(f"{what} has {len(shape)} dimensions; at most {_abi.MAX_RANK} are possible")
    return _abi.suite_array(data, (*shape, *_ONES[len(shape):]), number, len(shape), place, 0)


class Device:
    """An open device: memory, queue and clock. Any number of kernels can share one (``suite.open(..., device=...)``).

    ``name`` is a backend and perhaps a device of it: "cpu", "cuda", "cuda:1", "opencl:pocl".
    """

    def __init__(self, name: str):
        handle = ctypes.c_void_p()
        call("suite_device_open", name.encode(), ctypes.byref(handle))
        self._handle: int | None = handle.value

    @classmethod
    def _of_call(cls, handle: int) -> Device:
        library().suite_device_keep(handle)
        device = cls.__new__(cls)
        device._handle = handle
        return device

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle:
            library().suite_device_close(handle)

    @property
    def name(self) -> str:
        """Backend and number: "cuda:1"."""
        return text(library().suite_device_name(self._handle))

    @property
    def backend(self) -> str:
        return self.name.partition(":")[0]

    @property
    def description(self) -> str:
        return text(library().suite_device_describe(self._handle))

    @property
    def memory(self) -> tuple[int, int]:
        """Free and total bytes."""
        free, total = ctypes.c_uint64(), ctypes.c_uint64()
        call("suite_device_memory", self._handle, ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def __repr__(self) -> str:
        return f"<suite.Device {self.name}: {self.description}>"

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike = "float64") -> DeviceArray:
        """An array in this device's memory, in Fortran order, its contents undefined."""
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        return DeviceArray(self, shape, type_number(dtype, "dtype"))

    def array(self, values: npt.ArrayLike) -> DeviceArray:
        """A copy of an array in this device's memory, in Fortran order."""
        host = np.asarray(values)
        made = self.empty(host.shape, host.dtype)
        made.set(host)
        return made

    def _dlpack_device(self) -> tuple[int, int]:
        number = self.name.partition(":")[2]
        return _dlpack.device_type(self.backend), int(number) if number.isdigit() else 0

    def _stream(self) -> int | None:
        """What a producer of DLPack has to wait for on behalf of this device: the queue of suite."""
        if self._dlpack_device()[0] not in (_dlpack.CUDA, _dlpack.ROCM):
            return None
        native: int | None = library().suite_device_native(self._handle)
        return native


class DeviceArray:
    """An array in the memory of a device. ``numpy()`` copies it to the host; DLPack hands it to other libraries without a copy."""

    def __init__(self, device: Device, shape: tuple[int, ...], number: int):
        self.device = device
        self.shape = shape
        self.dtype: np.dtype[Any] = np.dtype(_abi.TYPES[number])
        self._array = make_array(None, shape, number, _abi.DEVICE, "the array")
        call("suite_allocate", device._handle, ctypes.byref(self._array))

    def __del__(self) -> None:
        array = getattr(self, "_array", None)
        if array is not None and array.data:
            library().suite_release(self.device._handle, ctypes.byref(array))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        return self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))

    def numpy(self) -> npt.NDArray[Any]:
        """A copy on the host, in Fortran order."""
        host: npt.NDArray[Any] = np.empty(self.shape, self.dtype, order="F")
        there = make_array(host.ctypes.data, self.shape, self._array.type, _abi.HOST, "the array")
        call("suite_download", self.device._handle, ctypes.byref(there), ctypes.byref(self._array))
        return host

    def set(self, values: npt.ArrayLike) -> None:
        """Copies values of the same type and shape to the device."""
        host = np.asarray(values)
        if host.dtype != self.dtype or host.shape != self.shape:
            raise InvalidArgument(f"the array on {self.device.name} is {self.dtype}{self.shape}, but {host.dtype}{host.shape} was given")
        host = np.asfortranarray(host)
        there = make_array(host.ctypes.data, self.shape, self._array.type, _abi.HOST, "the array")
        call("suite_upload", self.device._handle, ctypes.byref(self._array), ctypes.byref(there))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError(f"an array on {self.device.name} cannot be seen by NumPy without a copy")
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device._dlpack_device()

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None) -> Any:
        # Runs and copies of suite are complete when they return, so that there is nothing for `stream` to wait for.
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array is on {self.device.name}; numpy() copies it to the host")
        if copy:
            raise BufferError("DeviceArray exports its own memory, not a copy of it")
        return _dlpack.export(self, self._array, self.shape, self.__dlpack_device__(), bool(max_version and max_version[0] >= 1))

    def __repr__(self) -> str:
        return f"<suite.DeviceArray {self.dtype}{self.shape} on {self.device.name}>"
