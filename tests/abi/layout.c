// SPDX-License-Identifier: BSD-3-Clause
// The sizes and places that version 2 of the contract fixed, seen by a C compiler. Members may be added at the end of a
// struct, but of suite_array; any other change here needs a new version.
#include <assert.h>
#include <stddef.h>

#include <suite/suite.h>

static_assert(SUITE_ABI_VERSION == 2, "raise the version knowingly");
static_assert(sizeof(suite_error) == 512, "suite_error");
static_assert(sizeof(suite_array) == 72, "suite_array never grows");
static_assert(offsetof(suite_array, data) == 0 && offsetof(suite_array, extent) == 8 && offsetof(suite_array, type) == 56 &&
                  offsetof(suite_array, rank) == 60 && offsetof(suite_array, place) == 64 && offsetof(suite_array, reserved) == 68,
              "suite_array");
static_assert(offsetof(suite_argument, name) == 0 && offsetof(suite_argument, type) == 8 && offsetof(suite_argument, rank) == 12 &&
                  offsetof(suite_argument, intent) == 16 && offsetof(suite_argument, copied) == 20 &&
                  offsetof(suite_argument, shape) == 24 && offsetof(suite_argument, unit) == 32 &&
                  offsetof(suite_argument, meaning) == 40 && offsetof(suite_argument, when_unset) == 48 &&
                  offsetof(suite_argument, tolerance) == 56,
              "suite_argument");
static_assert(offsetof(suite_published, device) == 0 && offsetof(suite_published, low) == 8 && offsetof(suite_published, high) == 16 &&
                  offsetof(suite_published, unit) == 24 && offsetof(suite_published, of) == 32 && offsetof(suite_published, source) == 40,
              "suite_published");
static_assert(offsetof(suite_choice, name) == 0 && offsetof(suite_choice, meaning) == 8 && offsetof(suite_choice, tolerance) == 16 &&
                  offsetof(suite_choice, after) == 24 && offsetof(suite_choice, expected) == 32 &&
                  offsetof(suite_choice, published_count) == 36 && offsetof(suite_choice, published) == 40,
              "suite_choice");
static_assert(offsetof(suite_parameter, name) == 0 && offsetof(suite_parameter, meaning) == 8 && offsetof(suite_parameter, unit) == 16 &&
                  offsetof(suite_parameter, value) == 24 && offsetof(suite_parameter, low) == 32 && offsetof(suite_parameter, high) == 40 &&
                  offsetof(suite_parameter, choices) == 48 && offsetof(suite_parameter, choice_count) == 56 &&
                  offsetof(suite_parameter, changes_result) == 60,
              "suite_parameter");
static_assert(sizeof(suite_sizes) == 16, "suite_sizes lies inside suite_kernel_table and never grows");
static_assert(offsetof(suite_sizes, argument) == 0 && offsetof(suite_sizes, parameter) == 4 && offsetof(suite_sizes, choice) == 8 &&
                  offsetof(suite_sizes, published) == 12,
              "suite_sizes");
static_assert(sizeof(suite_cost) == 16, "suite_cost");
static_assert(offsetof(suite_backend, name) == 8 && offsetof(suite_backend, shares_host_memory) == 16 &&
                  offsetof(suite_backend, device_count) == 24 && offsetof(suite_backend, open) == 32 &&
                  offsetof(suite_backend, close) == 40 && offsetof(suite_backend, allocate) == 48 &&
                  offsetof(suite_backend, release) == 56 && offsetof(suite_backend, upload) == 64 &&
                  offsetof(suite_backend, download) == 72 && offsetof(suite_backend, wait) == 80 && offsetof(suite_backend, mark) == 88 &&
                  offsetof(suite_backend, seconds) == 96 && offsetof(suite_backend, native) == 104 &&
                  offsetof(suite_backend, describe) == 112 && offsetof(suite_backend, memory) == 120 &&
                  offsetof(suite_backend, place) == 128,
              "suite_backend");
static_assert(offsetof(suite_kernel_table, struct_size) == 0 && offsetof(suite_kernel_table, sizes) == 4 &&
                  offsetof(suite_kernel_table, kernel) == 24 && offsetof(suite_kernel_table, implementation) == 32 &&
                  offsetof(suite_kernel_table, backend) == 40 && offsetof(suite_kernel_table, summary) == 48 &&
                  offsetof(suite_kernel_table, arguments) == 56 && offsetof(suite_kernel_table, parameters) == 64 &&
                  offsetof(suite_kernel_table, argument_count) == 72 && offsetof(suite_kernel_table, parameter_count) == 76 &&
                  offsetof(suite_kernel_table, merit_unit) == 80 && offsetof(suite_kernel_table, merit_count) == 88 &&
                  offsetof(suite_kernel_table, create) == 96 && offsetof(suite_kernel_table, prepare) == 104 &&
                  offsetof(suite_kernel_table, execute) == 112 && offsetof(suite_kernel_table, destroy) == 120 &&
                  offsetof(suite_kernel_table, cost) == 128 && offsetof(suite_kernel_table, generate) == 136 &&
                  offsetof(suite_kernel_table, layouts) == 144 && offsetof(suite_kernel_table, sums_over) == 152 &&
                  offsetof(suite_kernel_table, finish) == 160,
              "suite_kernel_table");
static_assert(offsetof(suite_plugin, abi_version) == 0 && offsetof(suite_plugin, struct_size) == 4 &&
                  offsetof(suite_plugin, version) == 8 && offsetof(suite_plugin, compiler) == 16 && offsetof(suite_plugin, backend) == 24 &&
                  offsetof(suite_plugin, kernels) == 32 && offsetof(suite_plugin, kernel_count) == 40 &&
                  offsetof(suite_plugin, family) == 48 && offsetof(suite_plugin, implementation) == 56,
              "suite_plugin");
static_assert(sizeof(suite_status) == 4 && SUITE_OK == 0 && SUITE_INTERNAL == 6, "suite_status");
static_assert(SUITE_INT32 == 1 && SUITE_COMPLEX128 == 6, "suite_type");
static_assert(SUITE_IN == 1 && SUITE_OUT == 2 && SUITE_INOUT == 3 && SUITE_CONSTANT == 5, "suite_intent");
static_assert(SUITE_UNKNOWN == 0 && SUITE_FASTER == 1 && SUITE_SAME == 2 && SUITE_SLOWER == 3, "suite_effect");

// Used from C, so that this file is more than its assertions.
size_t size_of_array_in_c(void) { return sizeof(suite_array); }
size_t size_of_argument_in_c(void) { return sizeof(suite_argument); }
size_t size_of_kernel_table_in_c(void) { return sizeof(suite_kernel_table); }
