/* SPDX-License-Identifier: BSD-3-Clause
 * A host that sets its arrays, runs, and looks at them: no suite_get. On every implementation its arrays must hold what the
 * reference leaves in them. Usage: in_c KERNEL SIZE IMPLEMENTATION... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suite/suite.h>

enum { most = 64 };

static int failures = 0;

static void fail(const char* what, const char* why) {
  fprintf(stderr, "FAILED: %s: %s\n", what, why);
  ++failures;
}

static size_t bytes_of(const suite_array* a) {
  size_t bytes = suite_type_size(a->type);
  for (int d = 0; d < a->rank; ++d) bytes *= (size_t)a->extent[d];
  return bytes;
}

/* The numbers of an array: two of a complex element. */
static size_t count_of(const suite_array* a) {
  const int is_double = a->type == SUITE_REAL64 || a->type == SUITE_COMPLEX128 || a->type == SUITE_INT64;
  return bytes_of(a) / (is_double ? 8 : 4);
}

static double number(const suite_array* a, size_t i) {
  switch (a->type) {
    case SUITE_INT32: return ((const int32_t*)a->data)[i];
    case SUITE_INT64: return (double)((const int64_t*)a->data)[i];
    case SUITE_REAL32:
    case SUITE_COMPLEX64: return ((const float*)a->data)[i];
    default: return ((const double*)a->data)[i];
  }
}

/* Of the largest element of the first; NaN where there is one. */
static double distance(const suite_array* truth, const suite_array* found) {
  double largest = 0, worst = 0;
  for (size_t i = 0; i < count_of(truth); ++i) largest = fmax(largest, fabs(number(truth, i)));
  for (size_t i = 0; i < count_of(truth); ++i) {
    const double off = fabs(number(found, i) - number(truth, i));
    if (!(off <= worst)) worst = off;
  }
  return largest > 0 ? worst / largest : worst;
}

/* The host's arrays: a copy of the arguments, with NaN where the kernel has to write. */
typedef struct host {
  suite_array array[most];
} host;

static int is_result(const suite_argument* a) { return (a->intent & SUITE_OUT) != 0; }

static host copy_of(suite_call* owner, const suite_kernel_table* table) {
  host h;
  memset(&h, 0, sizeof h);
  for (uint32_t i = 0; i < table->argument_count; ++i) {
    suite_array* a = &h.array[i];
    suite_argument_array(owner, table->arguments[i].name, a, NULL);
    if (a->rank < 0) continue;
    const void* from = a->data;
    a->data = malloc(bytes_of(a));
    if ((table->arguments[i].intent & SUITE_INOUT) == SUITE_OUT) memset(a->data, 0xff, bytes_of(a));
    else memcpy(a->data, from, bytes_of(a));
  }
  return h;
}

static void release(host* h, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (h->array[i].rank >= 0) free(h->array[i].data);
}

static int set_all(suite_call* call, const suite_kernel_table* table, const host* h, suite_error* error) {
  int status = SUITE_OK;
  for (uint32_t i = 0; i < table->argument_count && !status; ++i)
    if (h->array[i].rank >= 0) status = suite_set(call, table->arguments[i].name, &h->array[i], error);
  return status;
}

/* Tolerances are written for double precision. */
static double tolerance_factor(const suite_kernel_table* table, const host* h) {
  for (uint32_t i = 0; i < table->argument_count; ++i) {
    const int32_t type = h->array[i].type;
    const int varies = (table->arguments[i].type & SUITE_TYPE_SET) && h->array[i].rank >= 0;
    if (varies && (type == SUITE_REAL32 || type == SUITE_COMPLEX64)) return 1e8;
  }
  return 1;
}

enum manner { at_once, in_two_halves, kept };

static void compare(const suite_kernel_table* table, const host* truth, const host* found, const char* what) {
  for (uint32_t i = 0; i < table->argument_count; ++i) {
    const suite_argument* a = &table->arguments[i];
    if (!is_result(a) || found->array[i].rank < 0) continue;
    const double off = distance(&truth->array[i], &found->array[i]);
    const double allowed = a->tolerance * tolerance_factor(table, truth);
    printf("%s: %s is off by %.1e, %.0e is allowed\n", what, a->name, off, allowed);
    if (!(off <= allowed)) fail(what, a->name);
  }
}

static void run_host(suite_call* owner, const char* kernel, const char* implementation, enum manner manner, const host* truth) {
  static const char* const manners[] = {"run", "start and wait", "keep, run and get"};
  char what[200];
  snprintf(what, sizeof what, "%s on %s, %s", kernel, implementation, manners[manner]);
  suite_error error = {""};
  suite_call* call = NULL;
  if (suite_open(kernel, implementation, NULL, &call, &error)) {
    fail(what, error.message);
    return;
  }
  const suite_kernel_table* table = suite_describe(call);
  host mine = copy_of(owner, table);
  int status = set_all(call, table, &mine, &error);
  for (uint32_t i = 0; manner == kept && i < table->argument_count && !status; ++i)
    if (is_result(&table->arguments[i]) && mine.array[i].rank >= 0) status = suite_keep(call, table->arguments[i].name, &error);
  if (!status && manner == in_two_halves) {
    status = suite_start(call, &error);
    if (!status) status = suite_wait(call, NULL, &error);
  } else if (!status) {
    status = suite_run(call, NULL, &error);
  }
  for (uint32_t i = 0; manner == kept && i < table->argument_count && !status; ++i)
    if (is_result(&table->arguments[i]) && mine.array[i].rank >= 0)
      status = suite_get(call, table->arguments[i].name, &mine.array[i], &error);
  if (status) fail(what, error.message);
  else compare(table, truth, &mine, what);
  suite_close(call);
  release(&mine, table->argument_count);
}

static void print_warning(void* nothing, const char* warning) {
  (void)nothing;
  printf("warning: %s\n", warning);
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: in_c KERNEL SIZE IMPLEMENTATION...\n");
    return 2;
  }
  const int spins_before = getenv("GOMP_SPINCOUNT") != NULL;
  suite_error error = {""};
  suite_call *owner = NULL, *reference = NULL;
  if (suite_open(argv[1], "reference", NULL, &owner, &error) || suite_generate(owner, argv[2], 1, &error) ||
      suite_open(argv[1], "reference", NULL, &reference, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  const suite_kernel_table* table = suite_describe(reference);
  host before = copy_of(owner, table), truth = copy_of(owner, table);
  if (table->argument_count > most || set_all(reference, table, &truth, &error) || suite_run(reference, NULL, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  int changed = 0;
  for (uint32_t i = 0; i < table->argument_count; ++i)
    if (is_result(&table->arguments[i]) && truth.array[i].rank >= 0)
      changed += memcmp(before.array[i].data, truth.array[i].data, bytes_of(&truth.array[i])) != 0;
  if (!changed) fail(argv[1], "the reference computes nothing");
  for (int i = 3; i < argc; ++i)
    for (enum manner manner = at_once; manner <= kept; ++manner) run_host(owner, argv[1], argv[i], manner, &truth);
  suite_close(reference);
  suite_close(owner);
  release(&before, table->argument_count);
  release(&truth, table->argument_count);
  if (spins_before != (getenv("GOMP_SPINCOUNT") != NULL)) fail("the environment", "GOMP_SPINCOUNT was left behind");
  suite_warnings(print_warning, NULL);
  return failures ? 1 : 0;
}
