/* SPDX-License-Identifier: BSD-3-Clause
 * Interface of suite_communicator_mpi.so to the program: a table of functions, obtained by
 * dlsym("suite_communicator_query_table"). Functions that return a text return NULL on success, else an error message. */
#ifndef SUITE_COMMUNICATOR_MODULE_H
#define SUITE_COMMUNICATOR_MODULE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

#define SUITE_COMMUNICATOR_VERSION 3u

typedef struct suite_communicator_table {
  unsigned version;
  const char* (*start)(int* rank, int* size, int* local_rank); /* local_rank: among the ranks of this node */
  const char* (*sum)(double* values, size_t count);
  const char* (*broadcast)(char* bytes, size_t count, int root);
  const char* (*barrier)(void);
  /* Communicator::gather: owned[i] columns of `rows` numbers are those of number i of `owners` consecutive ranks. */
  const char* (*gather)(const double* mine, double* all, size_t rows, const size_t* owned, int owners, size_t matrices);
  void (*abort)(int exit_code);
  void (*finish)(void);
} suite_communicator_table;

typedef const suite_communicator_table* (*suite_communicator_query)(void);

#ifdef __cplusplus
}
#endif
#endif
