// SPDX-License-Identifier: BSD-3-Clause
// The sizes and places that version 1 of the contract froze, seen by a C compiler. A change here needs a new
// version.
#include <assert.h>
#include <stddef.h>

#include <suite/suite.h>

static_assert(SUITE_ABI_VERSION == 1, "raise the version knowingly");
static_assert(sizeof(suite_error) == 512, "suite_error");
static_assert(sizeof(suite_array) == 72, "suite_array never grows");
static_assert(offsetof(suite_array, data) == 0 && offsetof(suite_array, extent) == 8 &&
                  offsetof(suite_array, type) == 56 && offsetof(suite_array, rank) == 60 &&
                  offsetof(suite_array, place) == 64 && offsetof(suite_array, reserved) == 68,
              "suite_array");
static_assert(sizeof(suite_argument) == 56, "suite_argument lies in arrays and never grows");
static_assert(offsetof(suite_argument, type) == 8 && offsetof(suite_argument, rank) == 12 &&
                  offsetof(suite_argument, intent) == 16 && offsetof(suite_argument, shape) == 24 &&
                  offsetof(suite_argument, unit) == 32 && offsetof(suite_argument, meaning) == 40 &&
                  offsetof(suite_argument, tolerance) == 48,
              "suite_argument");
static_assert(sizeof(suite_parameter) == 48, "suite_parameter lies in arrays and never grows");
static_assert(offsetof(suite_parameter, value) == 8 && offsetof(suite_parameter, low) == 16 &&
                  offsetof(suite_parameter, high) == 24 && offsetof(suite_parameter, choices) == 32 &&
                  offsetof(suite_parameter, meaning) == 40,
              "suite_parameter");
static_assert(sizeof(suite_cost) == 16, "suite_cost");
static_assert(offsetof(suite_backend, name) == 8 && offsetof(suite_backend, shares_host_memory) == 16 &&
                  offsetof(suite_backend, device_count) == 24 && offsetof(suite_backend, open) == 32 &&
                  offsetof(suite_backend, close) == 40 && offsetof(suite_backend, allocate) == 48 &&
                  offsetof(suite_backend, release) == 56 && offsetof(suite_backend, upload) == 64 &&
                  offsetof(suite_backend, download) == 72 && offsetof(suite_backend, wait) == 80 &&
                  offsetof(suite_backend, mark) == 88 && offsetof(suite_backend, seconds) == 96 &&
                  offsetof(suite_backend, native) == 104 && offsetof(suite_backend, describe) == 112 &&
                  offsetof(suite_backend, memory) == 120 && offsetof(suite_backend, place) == 128,
              "suite_backend");
static_assert(
    offsetof(suite_kernel_table, kernel) == 8 && offsetof(suite_kernel_table, implementation) == 16 &&
        offsetof(suite_kernel_table, backend) == 24 && offsetof(suite_kernel_table, summary) == 32 &&
        offsetof(suite_kernel_table, arguments) == 40 && offsetof(suite_kernel_table, argument_count) == 48 &&
        offsetof(suite_kernel_table, parameters) == 56 &&
        offsetof(suite_kernel_table, parameter_count) == 64 && offsetof(suite_kernel_table, create) == 72 &&
        offsetof(suite_kernel_table, prepare) == 80 && offsetof(suite_kernel_table, execute) == 88 &&
        offsetof(suite_kernel_table, destroy) == 96 && offsetof(suite_kernel_table, cost) == 104 &&
        offsetof(suite_kernel_table, generate) == 112 && offsetof(suite_kernel_table, layouts) == 120 &&
        offsetof(suite_kernel_table, cost_with) == 128 && offsetof(suite_kernel_table, merit) == 136,
    "suite_kernel_table");
static_assert(offsetof(suite_plugin, abi_version) == 0 && offsetof(suite_plugin, struct_size) == 4 &&
                  offsetof(suite_plugin, version) == 8 && offsetof(suite_plugin, compiler) == 16 &&
                  offsetof(suite_plugin, backend) == 24 && offsetof(suite_plugin, kernels) == 32 &&
                  offsetof(suite_plugin, kernel_count) == 40 && offsetof(suite_plugin, family) == 48 &&
                  offsetof(suite_plugin, implementation) == 56,
              "suite_plugin");
static_assert(sizeof(suite_status) == 4 && SUITE_OK == 0 && SUITE_INTERNAL == 6, "suite_status");
static_assert(SUITE_INT32 == 1 && SUITE_COMPLEX128 == 6, "suite_type");
static_assert(SUITE_CONSTANT == 5 && SUITE_OPTIONAL == 8, "suite_intent");

// Used from C, so that this file is more than its assertions.
size_t size_of_array_in_c(void) { return sizeof(suite_array); }
