# SPDX-License-Identifier: BSD-3-Clause
"""suite/abi.h for ctypes. tests/python compares every size and offset with those of the C compiler."""

from __future__ import annotations

import ctypes as c

ABI_VERSION = 2
MAX_RANK = 6
TYPE_SET = 0x10000
IN, OUT, INOUT, CONSTANT = 1, 2, 3, 5
HOST, DEVICE = 0, 1

# By suite_type. The last is a NumPy name.
TYPES: dict[int, str] = {1: "int32", 2: "int64", 3: "float32", 4: "float64", 5: "complex64", 6: "complex128"}


class suite_error(c.Structure):
    _fields_ = [("message", c.c_char * 512)]


class suite_array(c.Structure):
    _fields_ = [("data", c.c_void_p), ("extent", c.c_int64 * MAX_RANK), ("type", c.c_int32), ("rank", c.c_int32), ("place", c.c_int32),
                ("reserved", c.c_int32)]


class suite_argument(c.Structure):
    _fields_ = [("name", c.c_char_p), ("type", c.c_int32), ("rank", c.c_int32), ("intent", c.c_int32), ("copied", c.c_int32),
                ("shape", c.c_char_p), ("unit", c.c_char_p), ("meaning", c.c_char_p), ("when_unset", c.c_char_p), ("tolerance", c.c_double)]


class suite_published(c.Structure):
    _fields_ = [("device", c.c_char_p), ("low", c.c_double), ("high", c.c_double), ("unit", c.c_char_p), ("of", c.c_char_p),
                ("source", c.c_char_p)]


class suite_choice(c.Structure):
    _fields_ = [("name", c.c_char_p), ("meaning", c.c_char_p), ("tolerance", c.c_double), ("after", c.c_char_p), ("expected", c.c_int32),
                ("published_count", c.c_uint32), ("published", c.POINTER(suite_published))]


class suite_parameter(c.Structure):
    _fields_ = [("name", c.c_char_p), ("meaning", c.c_char_p), ("unit", c.c_char_p), ("value", c.c_int64), ("low", c.c_int64),
                ("high", c.c_int64), ("choices", c.POINTER(suite_choice)), ("choice_count", c.c_uint32), ("changes_result", c.c_uint32)]


class suite_sizes(c.Structure):
    _fields_ = [("argument", c.c_uint32), ("parameter", c.c_uint32), ("choice", c.c_uint32), ("published", c.c_uint32)]


# The functions of a kernel. Backends are written in C or C++, so that theirs stay addresses here.
error_p = c.POINTER(suite_error)
array_p = c.POINTER(suite_array)
CREATE = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.POINTER(c.c_int64), c.POINTER(c.c_void_p), error_p)
PREPARE = c.CFUNCTYPE(c.c_int, c.c_void_p, array_p, error_p)
EXECUTE = c.CFUNCTYPE(c.c_int, c.c_void_p, array_p, error_p)
DESTROY = c.CFUNCTYPE(None, c.c_void_p)
FINISH = c.CFUNCTYPE(c.c_int, c.c_void_p, error_p)


_BACKEND_FUNCTIONS = ("device_count", "open", "close", "allocate", "release", "upload", "download", "wait", "mark", "seconds", "native", "describe",
                      "memory", "place")


class suite_backend(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("name", c.c_char_p), ("shares_host_memory", c.c_int32),
                *((name, c.c_void_p) for name in _BACKEND_FUNCTIONS)]


class suite_kernel_table(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("sizes", suite_sizes), ("kernel", c.c_char_p), ("implementation", c.c_char_p),
                ("backend", c.c_char_p), ("summary", c.c_char_p), ("arguments", c.POINTER(suite_argument)),
                ("parameters", c.POINTER(suite_parameter)), ("argument_count", c.c_uint32), ("parameter_count", c.c_uint32),
                ("merit_unit", c.c_char_p), ("merit_count", c.c_char_p), ("create", CREATE), ("prepare", PREPARE), ("execute", EXECUTE),
                ("destroy", DESTROY), ("cost", c.c_void_p), ("generate", c.c_void_p), ("layouts", c.POINTER(c.c_char_p)),
                ("sums_over", c.c_char_p), ("finish", FINISH)]


class suite_plugin(c.Structure):
    _fields_ = [("abi_version", c.c_uint32), ("struct_size", c.c_uint32), ("version", c.c_char_p), ("compiler", c.c_char_p),
                ("backend", c.POINTER(suite_backend)), ("kernels", c.POINTER(c.POINTER(suite_kernel_table))), ("kernel_count", c.c_uint32),
                ("family", c.c_char_p), ("implementation", c.c_char_p)]


SEEN_PLUGIN = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.POINTER(suite_plugin), c.c_char_p)
SEEN_WARNING = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p)

# Results and arguments of the functions of suite/suite.h that this package calls.
_status, _text, _handle = c.c_int, c.c_char_p, c.c_void_p
FUNCTIONS: dict[str, tuple[object, list[object]]] = {
    "suite_device_open": (_status, [_text, c.POINTER(_handle), error_p]),
    "suite_device_close": (None, [_handle]),
    "suite_device_keep": (None, [_handle]),
    "suite_device_name": (_text, [_handle]),
    "suite_device_describe": (_text, [_handle]),
    "suite_device_memory": (_status, [_handle, c.POINTER(c.c_uint64), c.POINTER(c.c_uint64), error_p]),
    "suite_device_native": (_handle, [_handle]),
    "suite_allocate": (_status, [_handle, array_p, error_p]),
    "suite_release": (None, [_handle, array_p]),
    "suite_upload": (_status, [_handle, array_p, array_p, error_p]),
    "suite_download": (_status, [_handle, array_p, array_p, error_p]),
    "suite_open": (_status, [_text, _text, _handle, c.POINTER(_handle), error_p]),
    "suite_close": (None, [_handle]),
    "suite_set": (_status, [_handle, _text, array_p, error_p]),
    "suite_keep": (_status, [_handle, _text, error_p]),
    "suite_forget": (None, [_handle]),
    "suite_set_parameter": (_status, [_handle, _text, c.c_int64, error_p]),
    "suite_choose": (_status, [_handle, _text, _text, error_p]),
    "suite_get_parameter": (_status, [_handle, _text, c.POINTER(c.c_int64), error_p]),
    "suite_run": (_status, [_handle, c.POINTER(c.c_double), error_p]),
    "suite_get": (_status, [_handle, _text, array_p, error_p]),
    "suite_describe": (c.POINTER(suite_kernel_table), [_handle]),
    "suite_plugin_file": (_text, [_handle]),
    "suite_call_device": (_handle, [_handle]),
    "suite_call_merit": (_status, [_handle, c.POINTER(c.c_double), error_p]),
    "suite_generate": (_status, [_handle, _text, c.c_uint64, error_p]),
    "suite_argument_array": (_status, [_handle, _text, array_p, error_p]),
    "suite_expected_array": (_status, [_handle, _text, array_p, error_p]),
    "suite_register_plugin": (_status, [c.POINTER(suite_plugin), error_p]),
    "suite_visit": (None, [SEEN_PLUGIN, _handle]),
    "suite_warnings": (None, [SEEN_WARNING, _handle]),
    "suite_version": (_text, []),
}
