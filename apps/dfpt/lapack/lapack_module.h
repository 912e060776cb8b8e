/* SPDX-License-Identifier: BSD-3-Clause
 * Interface of suite_lapack.so to the program: a table of functions, obtained by dlsym("suite_lapack_query_table"). Matrices are
 * stored column-major. */
#ifndef SUITE_LAPACK_MODULE_H
#define SUITE_LAPACK_MODULE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

#define SUITE_LAPACK_VERSION 1u

typedef struct suite_lapack_table {
  unsigned version;
  /* "LAPACK 3.9.0, OpenBLAS 0.3.21"; at most `size` bytes including the terminating 0. */
  void (*describe)(char* text, size_t size);
  /* Computes the eigenvalues w(n), ascending, of a symmetric matrix a(n,n), reading its lower triangle and replacing it by the
   * eigenvectors. Returns 0, or the error code of dsyevd. */
  int (*eigenpairs)(int n, double* a, double* w);
  /* c(m,n) = a(m,k) b(k,n), or a(k,m)^T b(k,n). */
  void (*product)(int transposed, int m, int n, int k, const double* a, const double* b, double* c);
} suite_lapack_table;

typedef const suite_lapack_table* (*suite_lapack_query)(void);

#ifdef __cplusplus
}
#endif
#endif
