# SPDX-License-Identifier: BSD-3-Clause
"""DLPack capsules (https://dmlc.github.io/dlpack), for arrays on devices: read those of other libraries, make those of ours."""

from __future__ import annotations

import ctypes as c
import sys
from typing import Any

from . import _abi

# DLDeviceType of the backends; kDLExtDev for all others, among them "emulated": its memory only looks like the host's.
CPU, CUDA, OPENCL, ROCM, OTHER = 1, 2, 4, 10, 12
_OF_BACKEND = {"cpu": CPU, "cuda": CUDA, "opencl": OPENCL, "hip": ROCM}
_KINDS = {"i": 0, "f": 2, "c": 5}


class _Device(c.Structure):
    _fields_ = [("type", c.c_int32), ("id", c.c_int32)]


class _Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device", _Device), ("ndim", c.c_int32), ("code", c.c_uint8), ("bits", c.c_uint8),
                ("lanes", c.c_uint16), ("shape", c.POINTER(c.c_int64)), ("strides", c.POINTER(c.c_int64)), ("byte_offset", c.c_uint64)]


class _Managed(c.Structure):
    pass


_DELETER = c.CFUNCTYPE(None, c.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", c.c_void_p), ("deleter", _DELETER)]


class _Versioned(c.Structure):
    pass


_VERSIONED_DELETER = c.CFUNCTYPE(None, c.POINTER(_Versioned))
_Versioned._fields_ = [("major", c.c_uint32), ("minor", c.c_uint32), ("context", c.c_void_p), ("deleter", _VERSIONED_DELETER),
                       ("flags", c.c_uint64), ("tensor", _Tensor)]
_READ_ONLY = 1

_NAME, _USED, _VERSIONED_NAME, _VERSIONED_USED = b"dltensor", b"used_dltensor", b"dltensor_versioned", b"used_dltensor_versioned"
_python = c.pythonapi
_python.PyCapsule_IsValid.argtypes = [c.py_object, c.c_char_p]
_python.PyCapsule_GetPointer.restype = c.c_void_p
_python.PyCapsule_GetPointer.argtypes = [c.py_object, c.c_char_p]
_python.PyCapsule_SetName.argtypes = [c.py_object, c.c_char_p]
_python.PyCapsule_New.restype = c.py_object
_python.PyCapsule_New.argtypes = [c.c_void_p, c.c_char_p, c.c_void_p]


def device_type(backend: str) -> int:
    return _OF_BACKEND.get(backend, OTHER)


class Imported:
    """An array of another library, held until this object is gone."""

    def __init__(self, source: Any, stream: int | None):
        capsule = source.__dlpack__() if stream is None else source.__dlpack__(stream=stream)
        versioned = bool(_python.PyCapsule_IsValid(capsule, _VERSIONED_NAME))
        if not versioned and not _python.PyCapsule_IsValid(capsule, _NAME):
            raise TypeError(f"the __dlpack__ of {type(source).__name__} returned no unused capsule")
        address = _python.PyCapsule_GetPointer(capsule, _VERSIONED_NAME if versioned else _NAME)
        kind: Any = _Versioned if versioned else _Managed
        self._managed = kind.from_address(address)
        _python.PyCapsule_SetName(capsule, _VERSIONED_USED if versioned else _USED)
        tensor = self._managed.tensor
        self.read_only = versioned and bool(self._managed.flags & _READ_ONLY)
        self.device = (tensor.device.type, tensor.device.id)
        self.shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        self.address = (tensor.data or 0) + tensor.byte_offset
        letter = {code: letter for letter, code in _KINDS.items()}.get(tensor.code)
        self.dtype = f"{dict(i='int', f='float', c='complex')[letter]}{tensor.bits}" if letter and tensor.lanes == 1 else None
        self.in_fortran_order = self._is_in_fortran_order(tensor)

    def _is_in_fortran_order(self, tensor: Any) -> bool:
        strides = [tensor.strides[i] for i in range(tensor.ndim)] if tensor.strides else None
        if strides is None:  # row-major
            return bool(sum(extent > 1 for extent in self.shape) <= 1)
        step = 1
        for extent, stride in zip(self.shape, strides):
            if extent > 1 and stride != step:
                return False
            step *= extent
        return True

    def __del__(self) -> None:
        managed = getattr(self, "_managed", None)
        if managed is not None and managed.deleter:
            managed.deleter(c.byref(managed))


# What exported capsules point to, with the capsule, by address: until its consumer calls the deleter. A capsule has no destructor of ours,
# since it would have to run Python while an exception is under way; those that nobody has consumed are dropped at the next export.
_exported: dict[int, tuple[Any, ...]] = {}


def _forget(managed: Any) -> None:
    _exported.pop(c.addressof(managed.contents), None)


_delete, _delete_versioned = _DELETER(_forget), _VERSIONED_DELETER(_forget)


def _drop_unconsumed() -> None:
    only_here = 3  # the tuple, the name `capsule`, the argument of getrefcount
    for address in list(_exported):
        capsule = _exported[address][0]
        unused = any(_python.PyCapsule_IsValid(capsule, name) for name in (_NAME, _VERSIONED_NAME))
        if unused and sys.getrefcount(capsule) <= only_here:
            del _exported[address]


def export(owner: Any, array: _abi.suite_array, shape: tuple[int, ...], device: tuple[int, int], versioned: bool) -> Any:
    """A capsule of an array in Fortran order. `owner` lives until the consumer has deleted it."""
    _drop_unconsumed()
    name = _abi.TYPES[array.type]
    kind, bits = ("i", name[3:]) if name.startswith("int") else (name[0], name.lstrip("floatcmpex"))
    strides, step = [], 1
    for extent in shape:
        strides.append(step)
        step *= extent
    shape_c, strides_c = (c.c_int64 * len(shape))(*shape), (c.c_int64 * len(shape))(*strides)
    tensor = _Tensor(array.data, _Device(*device), len(shape), _KINDS[kind], int(bits), 1, shape_c, strides_c, 0)
    managed: Any = _Versioned(1, 0, None, _delete_versioned, 0, tensor) if versioned else _Managed(tensor, None, _delete)
    address = c.addressof(managed)
    capsule = _python.PyCapsule_New(address, _VERSIONED_NAME if versioned else _NAME, None)
    _exported[address] = (capsule, managed, shape_c, strides_c, owner)
    return capsule
