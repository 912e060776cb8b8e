/* SPDX-License-Identifier: BSD-3-Clause
 * What the Fortran tests compare with: the same calls made in C, and the layout that C gives the structs. */
#include <stdio.h>
#include <suite/suite.h>

int64_t layout_of(int what) {
  switch (what) {
    case 0: return sizeof(suite_array);
    case 1: return offsetof(suite_array, extent);
    case 2: return offsetof(suite_array, type);
    case 3: return offsetof(suite_array, rank);
    case 4: return offsetof(suite_array, place);
    case 5: return offsetof(suite_array, reserved);
    case 6: return sizeof(suite_error);
    case 7: return sizeof(suite_cost);
    case 8: return offsetof(suite_cost, bytes);
    default: return -1;
  }
}

/* The value of each enumerator that Fortran repeats, in the order of test_layout.f90. */
int value_of(int what) {
  static const int values[] = {SUITE_OK,           SUITE_INVALID_ARGUMENT, SUITE_UNSUPPORTED, SUITE_NOT_FOUND, SUITE_OUT_OF_MEMORY,
                               SUITE_DEVICE_ERROR, SUITE_INTERNAL,         SUITE_INT32,       SUITE_INT64,     SUITE_REAL32,
                               SUITE_REAL64,       SUITE_COMPLEX64,        SUITE_COMPLEX128,  SUITE_HOST,      SUITE_DEVICE,
                               SUITE_MAX_RANK};
  return values[what];
}

static int set(suite_call* call, const char* name, int32_t type, int32_t rank, int64_t e0, int64_t e1, int64_t e2, const void* data) {
  suite_error error = {""};
  suite_array array = {(void*)data, {e0, e1, e2, 1, 1, 1}, type, rank, SUITE_HOST, 0};
  const int status = suite_set(call, name, &array, &error);
  if (status) fprintf(stderr, "in C: %s\n", error.message);
  return status;
}

int sigma_in_c(const char* implementation, int32_t flavour, const int64_t* sizes, const void* wtilde, const void* I_eps, const void* aqsm,
               const void* aqsn, const double* vcoul, const double* wx, const double* occ, const int32_t* indigp, double gamma,
               double sexcut, void* asx, void* ach, void* acht_n1, void* achst) {
  const int64_t ncouls = sizes[0], ngpown = sizes[1], ntband = sizes[2], nex = sizes[3], nw = sizes[4];
  suite_error error = {""};
  suite_call* call = NULL;
  if (suite_open("gpp.sigma", implementation, NULL, &call, &error)) {
    fprintf(stderr, "in C: %s\n", error.message);
    return 1;
  }
  int status =
      set(call, "wtilde_array", SUITE_COMPLEX128, 2, ncouls, ngpown, 1, wtilde) ||
      set(call, "I_eps_array", flavour, 2, ncouls, ngpown, 1, I_eps) || set(call, "aqsmtemp", flavour, 3, ncouls, ntband, nex, aqsm) ||
      set(call, "aqsntemp", flavour, 3, ncouls, ntband, nex, aqsn) || set(call, "vcoul", SUITE_REAL64, 1, ncouls, 1, 1, vcoul) ||
      set(call, "wx_array", SUITE_REAL64, 3, nw, ntband, nex, wx) || set(call, "occ_array", SUITE_REAL64, 1, ntband, 1, 1, occ) ||
      set(call, "indigp", SUITE_INT32, 1, ngpown, 1, 1, indigp) || set(call, "gamma", SUITE_REAL64, 0, 1, 1, 1, &gamma) ||
      set(call, "sexcut", SUITE_REAL64, 0, 1, 1, 1, &sexcut) || set(call, "asxtemp", SUITE_COMPLEX128, 2, nw, nex, 1, asx) ||
      set(call, "achtemp", SUITE_COMPLEX128, 2, nw, nex, 1, ach) || set(call, "acht_n1", SUITE_COMPLEX128, 3, nw, ntband, nex, acht_n1) ||
      set(call, "achstemp", SUITE_COMPLEX128, 1, nex, 1, 1, achst);
  if (!status && (status = suite_run(call, NULL, &error))) fprintf(stderr, "in C: %s\n", error.message);
  suite_close(call);
  return status;
}

/* A kernel on any arrays: names of 32 characters each; those that are results are brought back. */
int run_in_c(const char* kernel, const char* implementation, int32_t n, const char* names, const suite_array* arrays,
             const int32_t* is_result) {
  suite_error error = {""};
  suite_call* call = NULL;
  int status = suite_open(kernel, implementation, NULL, &call, &error);
  for (int32_t i = 0; i < n && !status; ++i) status = suite_set(call, names + 32 * i, arrays + i, &error);
  if (!status) status = suite_run(call, NULL, &error);
  for (int32_t i = 0; i < n && !status; ++i)
    if (is_result[i]) status = suite_get(call, names + 32 * i, arrays + i, &error);
  if (status) fprintf(stderr, "in C: %s\n", error.message);
  suite_close(call);
  return status;
}
