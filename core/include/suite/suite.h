/* SPDX-License-Identifier: BSD-3-Clause
 * suite/suite.h - calling kernels from C, from C++ (suite.hpp wraps it) and from Fortran (suite.f90 binds it).
 *
 * Every function returns a suite_status; on failure the error, if given, holds one sentence that names the object and
 * the values. No function prints, aborts or exits. A call or device may be used by one thread at a time. Since 0.1. */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H
#include <suite/abi.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct suite_device suite_device; /* an open device: memory, queue, clock; shared by any number of calls */
typedef struct suite_call suite_call;     /* a kernel open on a device, with its arguments */

/* backend: "cpu", "cuda", "cuda:1" (device 1), "opencl:pocl" (the one device whose description contains "pocl", in
 * upper or lower case). Without a number: the first device, or, for processes that an MPI launcher started on one
 * node, the devices of the same kind in turn (local rank modulo number of devices; SUITE_LOCAL_RANK in the environment sets
 * the rank). Calls keep the device alive: closing it first is allowed. */
SUITE_EXPORT int suite_device_open(const char* backend, suite_device**, suite_error*);
SUITE_EXPORT void suite_device_close(suite_device*);
/* Another owner of an open device, such as that of a call: it must be closed once more. */
SUITE_EXPORT void suite_device_keep(suite_device*);
SUITE_EXPORT const char* suite_device_name(const suite_device*); /* "cuda:1" */
SUITE_EXPORT const char* suite_device_describe(const suite_device*);
SUITE_EXPORT int suite_device_memory(suite_device*, uint64_t* free, uint64_t* total, suite_error*);
/* The device's queue in its runtime's own type: cudaStream_t, hipStream_t, cl_command_queue; NULL on "cpu". For a host that orders
 * its own work on the device with that of its calls. */
SUITE_EXPORT void* suite_device_native(const suite_device*);

/* Arrays on the device. allocate reads type, rank and extent and fills data and place. upload and download need
 * arrays of equal type and extents; they return when the host side may be reused. */
SUITE_EXPORT int suite_allocate(suite_device*, suite_array*, suite_error*);
SUITE_EXPORT void suite_release(suite_device*, suite_array*);
SUITE_EXPORT int suite_upload(suite_device*, const suite_array* device, const suite_array* host, suite_error*);
SUITE_EXPORT int suite_download(suite_device*, const suite_array* host, const suite_array* device, suite_error*);

/* kernel: "gpp.sigma". implementation: "cpu", "reference", "cuda:1", "opencl:pocl", or the path of a plugin (with a '/').
 * device: an open device of that implementation's backend, or NULL to open one for this call. */
SUITE_EXPORT int suite_open(const char* kernel, const char* implementation, suite_device* device, suite_call**, suite_error*);
SUITE_EXPORT void suite_close(suite_call*);

/* Sets an argument of the call. On a backend that shares host memory the array is used in place; otherwise it is copied
 * now and must be set again after its contents change. Each run writes the results (OUT, INOUT) to the host arrays that
 * were set, on every backend. An array must therefore remain valid until the argument is set again, forgotten, or the call is
 * closed. Arrays on the device stay there. NULL data unsets an optional argument. Scalars (rank 0) are copied. */
SUITE_EXPORT int suite_set(suite_call*, const char* argument, const suite_array*, suite_error*);
/* Keeps a result on the device, so that a run does not copy it back: for state that the host does
 * not need after each run. suite_get copies it back. Holds until the argument is set again. Has no effect where memory is
 * shared. */
SUITE_EXPORT int suite_keep(suite_call*, const char* argument, suite_error*);
/* Drops all addresses that the call keeps, and the prepared constants. */
SUITE_EXPORT void suite_forget(suite_call*);
/* Sets a knob by value, a named choice by name, from the next run on. A parameter `deterministic` (the same bits with any
 * number of threads) is initially 1 if the environment has SUITE_DETERMINISTIC=1. */
SUITE_EXPORT int suite_set_parameter(suite_call*, const char* parameter, int64_t value, suite_error*);
SUITE_EXPORT int suite_choose(suite_call*, const char* parameter, const char* choice, suite_error*);
SUITE_EXPORT int suite_get_parameter(const suite_call*, const char* parameter, int64_t* value, suite_error*);

/* run = start + wait. seconds (may be NULL): the device's clock around execute, without transfers and prepare.
 * Arguments set since the last run are checked for NaN and infinities (host arrays; SUITE_CHECK=0 turns it off). */
SUITE_EXPORT int suite_run(suite_call*, double* seconds, suite_error*);
SUITE_EXPORT int suite_start(suite_call*, suite_error*);
SUITE_EXPORT int suite_wait(suite_call*, double* seconds, suite_error*);
/* Seconds of the last prepare and of the last uploads, by the host's clock. */
SUITE_EXPORT int suite_overheads(const suite_call*, double* prepare, double* transfer);
/* Copies a result to an array other than the one that was set, or a result that was kept (suite_keep, suite_generate). A no-op
 * if the given array already holds the result. */
SUITE_EXPORT int suite_get(suite_call*, const char* argument, const suite_array*, suite_error*);

SUITE_EXPORT const suite_kernel_table* suite_describe(const suite_call*);
SUITE_EXPORT const char* suite_plugin_file(const suite_call*);
SUITE_EXPORT const suite_plugin* suite_plugin_table(const suite_call*);
SUITE_EXPORT suite_device* suite_call_device(const suite_call*);
SUITE_EXPORT int suite_call_cost(const suite_call*, suite_cost*, suite_error*);
/* The work of one run in the unit suite_kernel_table.merit_unit; 0 if the kernel has no figure of merit or the
 * arguments that are set do not determine it. */
SUITE_EXPORT int suite_call_merit(const suite_call*, double* count, suite_error*);
/* Deterministic arguments of a named size (see suite_kernel_table.generate), allocated, owned and set by the call. */
SUITE_EXPORT int suite_generate(suite_call*, const char* size, uint64_t seed, suite_error*);
/* The array bound to an argument (rank -1 if unset). */
SUITE_EXPORT int suite_argument_array(const suite_call*, const char* argument, suite_array*, suite_error*);
/* What an array for this argument must be, as far as the inputs that are set determine it: its type (0 if it is still open), full rank
 * and extents (-1 where an extent is still open), with data NULL. For hosts that allocate results. */
SUITE_EXPORT int suite_expected_array(const suite_call*, const char* argument, suite_array*, suite_error*);

/* Calls seen once per registered plugin, then once per plugin file on the search path, in order: with the table, or with NULL and the reason why the file
 * cannot be used. Executes no kernel and opens no device. Of several files with one name, the first usable one is loaded. */
SUITE_EXPORT void suite_visit(void (*seen)(void* with, const char* file, const suite_plugin* plugin, const char* why), void* with);
/* Adds a plugin that is part of the program instead of a file, as suite_plugin_query would return it: its kernels are opened as family
 * and implementation ("gpp.sigma", "mine"), before files of that name. The table and what it points to must stay as they are until
 * the process ends. Adding another of the same name is allowed: calls opened from then on use the new one. */
SUITE_EXPORT int suite_register_plugin(const suite_plugin*, suite_error*);
/* Warnings about this process, one line each ("two OpenMP runtimes are loaded: ..."). */
SUITE_EXPORT void suite_warnings(void (*seen)(void* with, const char* warning), void* with);

SUITE_EXPORT const char* suite_version(void);
SUITE_EXPORT const char* suite_type_name(int32_t type); /* "complex128" */
SUITE_EXPORT size_t suite_type_size(int32_t type); /* bytes, 0 for an unknown type */
SUITE_EXPORT const char* suite_status_name(int status); /* "invalid argument" */
/* SHA-256 of a file as 64 hexadecimal digits. */
SUITE_EXPORT int suite_hash_file(const char* file, char digits[65], suite_error*);

#ifdef __cplusplus
}
#endif
#endif
