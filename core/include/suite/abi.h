/* SPDX-License-Identifier: BSD-3-Clause
 * suite/abi.h - the plugin contract of suite, in plain C11.
 *
 * A plugin is one shared library that exports exactly one symbol, suite_plugin_query. Only the types below cross
 * the boundary: no C++ class, no exception, no memory owned by the other side. docs/plugin-contract.md lists the
 * duties of both sides; suite/plugin.hpp writes the tables for a C++ author. */
#ifndef SUITE_ABI_H
#define SUITE_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a struct changes other than by growing at its end. */
#define SUITE_ABI_VERSION 2u
#define SUITE_MAX_RANK 6
#define SUITE_EXPORT __attribute__((visibility("default")))

typedef enum suite_status {
  SUITE_OK = 0,
  SUITE_INVALID_ARGUMENT = 1, /* a name, type, rank, extent or value that the interface does not allow */
  SUITE_UNSUPPORTED = 2,      /* a valid request that this implementation does not support */
  SUITE_NOT_FOUND = 3,        /* no such kernel, implementation, backend, device, argument, parameter */
  SUITE_OUT_OF_MEMORY = 4,
  SUITE_DEVICE_ERROR = 5, /* the device's runtime reported a failure; its own text is in the message */
  SUITE_INTERNAL = 6      /* a bug: an unexpected exception */
} suite_status;

/* Owned by the caller. Filled on failure, unchanged on success. May be null. */
typedef struct suite_error {
  char message[512];
} suite_error;

typedef enum suite_type {
  SUITE_INT32 = 1,
  SUITE_INT64 = 2,
  SUITE_REAL32 = 3,
  SUITE_REAL64 = 4,
  SUITE_COMPLEX64 = 5, /* two real32, interleaved */
  SUITE_COMPLEX128 = 6 /* two real64, interleaved */
} suite_type;

/* In suite_argument.type: any one of a set of types. Arguments of a kernel with equal sets take the same type in
 * one call, so the set acts as the call's type variable T. SUITE_ONE_OF2(SUITE_REAL64, SUITE_COMPLEX128) is "a flavour". */
#define SUITE_TYPE_SET 0x10000
#define SUITE_ONE_OF2(a, b) (SUITE_TYPE_SET | (1 << (a)) | (1 << (b)))

typedef enum suite_intent {
  SUITE_IN = 1,
  SUITE_OUT = 2,
  SUITE_INOUT = 3,    /* state that a run changes, such as psi */
  SUITE_CONSTANT = 5 /* an IN after whose change prepare() is called */
} suite_intent;

typedef enum suite_place { SUITE_HOST = 0, SUITE_DEVICE = 1 } suite_place;

/* Contiguous, first index fastest. Rank 0 is a scalar and is always on the host. Arrays of this struct cross the
 * boundary, so it can never grow. */
typedef struct suite_array {
  void* data;
  int64_t extent[SUITE_MAX_RANK]; /* those beyond rank are 1 */
  int32_t type;                   /* suite_type */
  int32_t rank;
  int32_t place; /* suite_place */
  int32_t reserved;
} suite_array;

/* One argument of a kernel, as shown by `suite list gpp.sigma`. */
typedef struct suite_argument {
  const char* name;       /* the host code's own name: "wtilde_array" */
  int32_t type;           /* suite_type or a type set */
  int32_t rank;           /* of the whole shape */
  int32_t intent;         /* suite_intent */
  int32_t copied;         /* 1: a short list, copied when it is set, so that the caller may pass an expression */
  const char* shape;      /* "ncouls,ngpown"; equal names mean equal extents; sums and products: "nbatches+1". What stands in
                             brackets is 1 in most calls and may be left out: "ncouls,ntband[,nex]" */
  const char* unit;       /* "Ry", "bohr^-1", "1" */
  const char* meaning;    /* for people: no program reads it */
  const char* when_unset; /* the default if it is not set (the kernel then sees data == NULL): "0.5", "not computed"; NULL: it must
                             be set */
  double tolerance;       /* outputs: allowed distance from the reference, relative to the reference's max norm */
} suite_argument;

/* A published number about a choice. */
typedef struct suite_published {
  const char* device; /* "V100" */
  double low, high;   /* equal where one number is given */
  const char* unit;   /* "s", "TFLOP", "times as fast as the host" */
  const char* of;     /* the case: "800 x 1385 x 11075, two energies" */
  const char* source; /* "arXiv:2008.11326, table 2" */
} suite_published;

/* The expected effect of a choice on the time. */
typedef enum suite_effect { SUITE_UNKNOWN = 0, SUITE_FASTER = 1, SUITE_SAME = 2, SUITE_SLOWER = 3 } suite_effect;

/* One of a parameter's named choices. */
typedef struct suite_choice {
  const char* name;    /* "mixed" */
  const char* meaning; /* for people: no program reads it */
  double tolerance;    /* allowed distance of outputs from the reference, if larger than their own tolerance; 0: their own */
  const char* after;   /* the earlier choice that its time is compared with; NULL: the one before it */
  int32_t expected;    /* suite_effect, against `after`; SUITE_UNKNOWN: derived from the published seconds, if any */
  uint32_t published_count;
  const suite_published* published;
} suite_choice;

/* A tuning knob (low <= value <= high), or, with choices, a named choice: value is an index into them; low and high are ignored. */
typedef struct suite_parameter {
  const char* name;
  const char* meaning; /* for people: no program reads it */
  const char* unit;    /* of a knob: "threads", "KiB", "1" */
  int64_t value, low, high;
  const suite_choice* choices; /* NULL: a knob */
  uint32_t choice_count;
  uint32_t changes_result; /* 1: it changes what is computed (gauge, functional), so the reference has it too */
} suite_parameter;

/* The elements of a table's arrays may grow at their end in later versions: these are their sizes when the plugin was
 * compiled. The host steps through the arrays by these sizes and copies the members it knows. */
typedef struct suite_sizes {
  uint32_t argument, parameter, choice, published;
} suite_sizes;

/* Counted, not measured. flops: FMA = 2; the kernel's description says what a division or a root counts. bytes: the
 * minimum memory traffic, or that of a loop order described there. */
typedef struct suite_cost {
  double flops, bytes;
} suite_cost;

typedef struct suite_queue suite_queue;   /* in-order work on one device; owned by the backend */
typedef struct suite_kernel suite_kernel; /* state of one kernel; owned by its plugin */

/* What every device offers. Filled by a backend plugin; called by the core and by kernels. Functions that return
 * int return a suite_status. */
typedef struct suite_backend {
  uint32_t struct_size;
  const char* name;           /* "cpu", "cuda", "hip", "opencl", "emulated" */
  int32_t shares_host_memory; /* 1: host arrays are used in place */
  int (*device_count)(int* count, suite_error*);
  int (*open)(int device, suite_queue**, suite_error*);
  void (*close)(suite_queue*);
  int (*allocate)(suite_queue*, size_t bytes, void** data, suite_error*);
  void (*release)(suite_queue*, void* data);
  int (*upload)(suite_queue*, void* device, const void* host, size_t bytes, suite_error*);
  int (*download)(suite_queue*, void* host, const void* device, size_t bytes, suite_error*);
  int (*wait)(suite_queue*, suite_error*);
  int (*mark)(suite_queue*, int slot, suite_error*); /* a time stamp in the queue, slots 0 to 15 */
  double (*seconds)(suite_queue*, int from, int to); /* device clock, after wait */
  void* (*native)(suite_queue*);                     /* cudaStream_t, hipStream_t, cl_command_queue, NULL */
  const char* (*describe)(suite_queue*);             /* "AMD EPYC, 2 cores, AVX-512"; lives as long as the queue */
  int (*memory)(suite_queue*, uint64_t* free, uint64_t* total, suite_error*);
  int (*place)(suite_queue*, const void* data); /* suite_place of a pointer, or -1 if it is unknown */
} suite_backend;

/* What one kernel offers on one backend. All its arrays are where the backend computes, except scalars. */
typedef struct suite_kernel_table {
  uint32_t struct_size;
  suite_sizes sizes;
  const char* kernel;         /* "gpp.sigma" */
  const char* implementation; /* "reference", "cpu", "cuda", ... or a vendor's own name */
  const char* backend;        /* the backend it runs on */
  const char* summary;
  const suite_argument* arguments;
  const suite_parameter* parameters;
  uint32_t argument_count, parameter_count;
  /* The figure of merit: the work of one run in the field's own terms ("terms"), and its amount in extents and integer scalars
   * ("ncouls*ngpown*ntband*nex*nw"). An integer scalar that is unset, or an extent that no set array has, counts as 1. Both NULL: none. */
  const char *merit_unit, *merit_count;
  int (*create)(const suite_backend*, suite_queue*, const int64_t* parameters, suite_kernel**, suite_error*);
  int (*prepare)(suite_kernel*, const suite_array* arguments, suite_error*); /* may be null; shapes or constants changed */
  int (*execute)(suite_kernel*, const suite_array* arguments, suite_error*); /* may return before the work is done */
  void (*destroy)(suite_kernel*);
  /* The cost of a run with these parameter values. Reads extents and scalars, and arrays that have data and are on the host
   * (place). Arguments that are unset have rank -1: suite::is_set (suite/plugin.hpp). May be null. */
  int (*cost)(const suite_array* arguments, const int64_t* parameters, suite_cost*);
  /* Deterministic inputs of a named size ("small", "ncouls=512,nw=3"). Called with data == NULL it sets type, rank
   * and extents; called again with data it fills them (host memory). Arguments it leaves out keep rank -1. May be null. */
  int (*generate)(const char* size, uint64_t seed, suite_array* arguments, suite_error*);
  /* The layout that this implementation needs of each argument (suite/layout.hpp), or null entries; may be null. The core converts. */
  const char* const* layouts;
  /* Extents over which every result is a sum, "ngpown,ntband": they may be 0. The core then writes zeros and does not call the kernel.
   * NULL: none. */
  const char* sums_over;
  /* After the work of execute() has ended, before the host reads a result: fails if the kernel found on the device that it could not do what
   * was asked for. Until it is called for the first time, execute() waits and tells it, since an older host does not call it. May be null. */
  int (*finish)(suite_kernel*, suite_error*);
} suite_kernel_table;

/* The first two members are the same in every version, so any host can refuse any plugin. */
typedef struct suite_plugin {
  uint32_t abi_version; /* SUITE_ABI_VERSION */
  uint32_t struct_size;
  const char* version; /* of the plugin itself */
  const char* compiler; /* compiler and flags, for provenance */
  const suite_backend* backend; /* NULL in a kernel plugin */
  const suite_kernel_table* const* kernels;
  uint32_t kernel_count;
  const char* family; /* "gpp"; NULL in a backend plugin */
  const char* implementation; /* "cpu" */
} suite_plugin;

/* Returns a static table, or NULL if the plugin does not support this version of the host. */
SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t host_abi_version);

#ifdef __cplusplus
}
#endif
#endif
