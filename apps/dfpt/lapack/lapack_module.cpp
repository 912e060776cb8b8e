// SPDX-License-Identifier: BSD-3-Clause
// The only file that calls LAPACK and BLAS. Built as a module, so that the program starts without them, and so that a BLAS creates no
// threads in runs that do not use it.
#include "lapack_module.h"

#include <algorithm>
#include <cstdio>
#include <vector>

// Calling convention of current Fortran compilers: string lengths come last.
extern "C" {
void ilaver_(int* major, int* minor, int* patch);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work, const int* lwork,
             int* iwork, const int* liwork, int* info, size_t, size_t);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* b, const int* ldb, const double* beta, double* c, const int* ldc, size_t, size_t);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, size_t);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda, int* info, size_t, size_t);
// Missing in other BLAS libraries.
[[gnu::weak]] const char* openblas_get_config();
}

namespace {

void describe(char* text, size_t size) {
  int major = 0, minor = 0, patch = 0;
  ilaver_(&major, &minor, &patch);
  char name[32] = "", version[32] = "";
  if (openblas_get_config) std::sscanf(openblas_get_config(), "%31s %31s", name, version);
  std::snprintf(text, size, *version ? "LAPACK %d.%d.%d, %s %s" : "LAPACK %d.%d.%d", major, minor, patch, name, version);
}

int eigenpairs(int n, double* a, double* w) {
  int info = 0;
  const auto solve = [&](double* work, int lwork, int* iwork, int liwork) {
    dsyevd_("V", "L", &n, a, &n, w, work, &lwork, iwork, &liwork, &info, 1, 1);
  };
  double numbers = 0;
  int integers = 0;
  solve(&numbers, -1, &integers, -1);  // workspace query
  if (info != 0) return info;
  std::vector<double> work(static_cast<size_t>(numbers));
  std::vector<int> iwork(static_cast<size_t>(integers));
  solve(work.data(), static_cast<int>(work.size()), iwork.data(), integers);
  return info;
}

int inverse_factor(int n, double* a) {
  int info = 0;
  dpotrf_("U", &n, a, &n, &info, 1);
  if (info == 0) dtrtri_("U", "N", &n, a, &n, &info, 1, 1);
  const auto rows = static_cast<size_t>(n);
  for (size_t column = 0; column < rows; ++column) std::fill(a + rows * column + column + 1, a + rows * (column + 1), 0.0);
  return info;
}

void product(int m, int n, int k, suite_lapack_factor a, suite_lapack_factor b, double keep, double* c, int c_columns_apart) {
  const double one = 1;
  dgemm_(a.turned ? "T" : "N", b.turned ? "T" : "N", &m, &n, &k, &one, a.data, &a.columns_apart, b.data, &b.columns_apart, &keep, c,
         &c_columns_apart, 1, 1);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const suite_lapack_table* suite_lapack_query_table() {
  static constexpr suite_lapack_table table{SUITE_LAPACK_VERSION, describe, eigenpairs, inverse_factor, product};
  return &table;
}
