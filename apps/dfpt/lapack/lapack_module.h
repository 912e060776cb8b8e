/* SPDX-License-Identifier: BSD-3-Clause
 * What suite_lapack.so gives the program: a table of functions, found by dlsym("suite_lapack_query_table"). Matrices
 * lie column after column. */
#ifndef SUITE_LAPACK_MODULE_H
#define SUITE_LAPACK_MODULE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

#define SUITE_LAPACK_VERSION 1u

typedef struct suite_lapack_table {
  unsigned version;
  /* "LAPACK 3.9.0, OpenBLAS 0.3.21"; at most `size` bytes with the 0. */
  void (*describe)(char* text, size_t size);
  /* Eigenvalues w(n), rising, of a symmetric matrix a(n,n), of which the lower triangle is read; eigenvectors take
   * its place. Returns 0, or what dsyevd says is wrong. */
  int (*eigenpairs)(int n, double* a, double* w);
  /* c(m,n) = a(m,k) b(k,n), or a(k,m)^T b(k,n). */
  void (*product)(int transposed, int m, int n, int k, const double* a, const double* b, double* c);
} suite_lapack_table;

typedef const suite_lapack_table* (*suite_lapack_query)(void);

#ifdef __cplusplus
}
#endif
#endif
