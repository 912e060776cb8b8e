/* SPDX-License-Identifier: BSD-3-Clause
 * Interface of suite_lapack.so to the program: a table of functions, obtained by dlsym("suite_lapack_query_table"). Matrices are
 * stored column-major. */
#ifndef SUITE_LAPACK_MODULE_H
#define SUITE_LAPACK_MODULE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

#define SUITE_LAPACK_VERSION 2u

/* A matrix whose columns lie `columns_apart` numbers apart. */
typedef struct suite_lapack_factor {
  const double* data;
  int columns_apart, turned;
} suite_lapack_factor;

typedef struct suite_lapack_table {
  unsigned version;
  /* "LAPACK 3.9.0, OpenBLAS 0.3.21"; at most `size` bytes including the terminating 0. */
  void (*describe)(char* text, size_t size);
  /* Computes the eigenvalues w(n), ascending, of a symmetric matrix a(n,n), reading its lower triangle and replacing it by the
   * eigenvectors. Returns 0, or the error code of dsyevd. */
  int (*eigenpairs)(int n, double* a, double* w);
  /* Replaces a(n,n), symmetric, of which the upper triangle is read, by the upper triangular x with x^T a x = 1. Returns 0, or the
   * error code of dpotrf or dtrtri; it is positive where a has no such factor. */
  int (*inverse_factor)(int n, double* a);
  /* c(m,n) = a(m,k) b(k,n) + keep c; where turned, a is stored as a(k,m) and b as b(n,k). With keep 0, c is not read. */
  void (*product)(int m, int n, int k, suite_lapack_factor a, suite_lapack_factor b, double keep, double* c, int c_columns_apart);
} suite_lapack_table;

typedef const suite_lapack_table* (*suite_lapack_query)(void);

#ifdef __cplusplus
}
#endif
#endif
