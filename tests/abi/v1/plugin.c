/* SPDX-License-Identifier: BSD-3-Clause
 * A plugin as somebody built it against version 1 of the contract and kept: in C, from abi.h beside it, which
 * stays as it was in November 2026 and is never brought up to date. A later version of suite must refuse it
 * with a sentence. */
#include "abi.h"

static const char* const steps[] = {"plain", "other", NULL};
static const suite_argument arguments[] = {
    {"y", SUITE_REAL64, 1, SUITE_OUT, "n", "1", "ones", 1e-12},
    {"x", SUITE_REAL64, 1, SUITE_IN | SUITE_OPTIONAL, "n", "1", "not read", 0}};
static const suite_parameter parameters[] = {
    {"variant", 0, 0, 1, steps, "plain: as it is\nother: the same [V100 1.63 s] (tolerance 1e-5)"},
    {"knob", 1, 0, 2, NULL, "a knob"}};

static int create(const suite_backend* backend, suite_queue* queue, const int64_t* values,
                  suite_kernel** kernel, suite_error* error) {
  static int state;
  (void)backend, (void)queue, (void)values, (void)error;
  *kernel = (suite_kernel*)&state;
  return SUITE_OK;
}
static int execute(suite_kernel* kernel, const suite_array* a, suite_error* error) {
  (void)kernel, (void)error;
  for (int64_t i = 0; i < a[0].extent[0]; ++i) ((double*)a[0].data)[i] = 1;
  return SUITE_OK;
}
static void destroy(suite_kernel* kernel) { (void)kernel; }
static int cost(const suite_array* a, suite_cost* counted) {
  counted->flops = 0;
  counted->bytes = 8 * (double)a[0].extent[0];
  return SUITE_OK;
}

static const suite_kernel_table kernel = {.struct_size = sizeof(suite_kernel_table),
                                          .kernel = "broken.one",
                                          .implementation = "version_1",
                                          .backend = "cpu",
                                          .summary = "sets y to 1",
                                          .arguments = arguments,
                                          .argument_count = 2,
                                          .parameters = parameters,
                                          .parameter_count = 2,
                                          .create = create,
                                          .execute = execute,
                                          .destroy = destroy,
                                          .cost = cost,
                                          .merit = "numbers: n"};
static const suite_kernel_table* const kernels[] = {&kernel};
static const suite_plugin plugin = {
    SUITE_ABI_VERSION, sizeof(suite_plugin), "1", "a C compiler", NULL, kernels, 1, "broken", "version_1"};

/* It does not look at the host's version, as those of suite itself did not. */
SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t host_abi_version) {
  (void)host_abi_version;
  return &plugin;
}
