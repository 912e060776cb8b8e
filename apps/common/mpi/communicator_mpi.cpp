// SPDX-License-Identifier: BSD-3-Clause
// The only file that calls MPI. The program loads it when started by mpirun.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <algorithm>

#include <mpi.h>

#include "../communicator_module.h"

namespace {

constexpr size_t most_at_once = size_t{1} << 28;  // MPI counts are int

const char* text_of(int code) {
  static char text[MPI_MAX_ERROR_STRING];
  if (code == MPI_SUCCESS) return nullptr;
  int length = 0;
  MPI_Error_string(code, text, &length);
  return text;
}

// Processes that share memory are on the same node.
const char* find_local_rank(int* local_rank) {
  MPI_Comm node = MPI_COMM_NULL;
  if (const char* trouble = text_of(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node))) return trouble;
  const char* trouble = text_of(MPI_Comm_rank(node, local_rank));
  MPI_Comm_free(&node);
  return trouble;
}

const char* start(int* rank, int* size, int* local_rank) {
  int provided = 0;
  if (const char* trouble = text_of(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided))) return trouble;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  if (const char* trouble = find_local_rank(local_rank)) return trouble;
  return provided < MPI_THREAD_FUNNELED
             ? "this MPI library does not support other threads beside the communicating one (MPI_THREAD_FUNNELED)"
             : nullptr;
}

const char* sum(double* values, size_t count) {
  for (size_t done = 0; done < count; done += most_at_once) {
    const int n = static_cast<int>(std::min(most_at_once, count - done));
    if (const char* trouble = text_of(MPI_Allreduce(MPI_IN_PLACE, values + done, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))) return trouble;
  }
  return nullptr;
}

const char* broadcast(char* bytes, size_t count, int root) {
  for (size_t done = 0; done < count; done += most_at_once) {
    const int n = static_cast<int>(std::min(most_at_once, count - done));
    if (const char* trouble = text_of(MPI_Bcast(bytes + done, n, MPI_CHAR, root, MPI_COMM_WORLD))) return trouble;
  }
  return nullptr;
}

const char* barrier() { return text_of(MPI_Barrier(MPI_COMM_WORLD)); }

void abort_all(int exit_code) { MPI_Abort(MPI_COMM_WORLD, exit_code); }

void finish() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) MPI_Finalize();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const suite_communicator_table* suite_communicator_query_table() {
  static const suite_communicator_table table{SUITE_COMMUNICATOR_VERSION, start, sum, broadcast, barrier, abort_all, finish};
  return &table;
}
