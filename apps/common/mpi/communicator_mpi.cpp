// SPDX-License-Identifier: BSD-3-Clause
// The only file that calls MPI. The program loads it when started by mpirun.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <algorithm>
#include <deque>
#include <map>
#include <vector>

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

// The processes from the multiple of `owners` at or below this one's number on. Only they make it, whenever they first need it.
const char* team_of(int owners, MPI_Comm* team) {
  static std::map<int, MPI_Comm> known;
  const auto found = known.find(owners);
  if (found != known.end()) return *team = found->second, nullptr;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int range[1][3] = {{rank - rank % owners, rank - rank % owners + owners - 1, 1}};
  MPI_Group world = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
  int code = MPI_Comm_group(MPI_COMM_WORLD, &world);
  if (code == MPI_SUCCESS) code = MPI_Group_range_incl(world, 1, range, &members);
  if (code == MPI_SUCCESS) code = MPI_Comm_create_group(MPI_COMM_WORLD, members, owners, team);
  if (members != MPI_GROUP_NULL) MPI_Group_free(&members);
  if (world != MPI_GROUP_NULL) MPI_Group_free(&world);
  if (code == MPI_SUCCESS) known[owners] = *team;
  return text_of(code);
}

// Columns of all matrices as one type, whose counts are columns and thus fit into int.
class Columns {
public:
  Columns(size_t rows, size_t some, size_t all, size_t matrices) {
    MPI_Type_contiguous(static_cast<int>(rows), MPI_DOUBLE, &column_);
    MPI_Type_create_hvector(static_cast<int>(matrices), static_cast<int>(some), static_cast<MPI_Aint>(all * rows * sizeof(double)), column_,
                            &type_);
    MPI_Type_commit(&type_);
  }
  ~Columns() {
    MPI_Type_free(&type_);
    MPI_Type_free(&column_);
  }
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  MPI_Datatype type() const { return type_; }

private:
  MPI_Datatype column_ = MPI_DATATYPE_NULL, type_ = MPI_DATATYPE_NULL;
};

// A broadcast from each owner, all under way at once.
const char* gather(const double* mine, double* all, size_t rows, const size_t* owned, int owners, size_t matrices) {
  MPI_Comm team = MPI_COMM_NULL;
  if (const char* trouble = team_of(owners, &team)) return trouble;
  int rank = 0;
  MPI_Comm_rank(team, &rank);
  size_t columns = 0;
  for (int i = 0; i < owners; ++i) columns += owned[i];
  std::vector<MPI_Request> requests;
  std::deque<Columns> types;
  double* to = all;
  for (int i = 0; i < owners; to += rows * owned[i], ++i) {
    if (rows * owned[i] * matrices == 0) continue;
    if (i == rank)
      for (size_t m = 0; m < matrices; ++m) std::copy_n(mine + m * rows * owned[i], rows * owned[i], to + m * rows * columns);
    types.emplace_back(rows, owned[i], columns, matrices);
    requests.push_back(MPI_REQUEST_NULL);
    if (const char* trouble = text_of(MPI_Ibcast(to, 1, types.back().type(), i, team, &requests.back()))) return trouble;
  }
  return text_of(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
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
  static const suite_communicator_table table{SUITE_COMMUNICATOR_VERSION, start, sum, broadcast, barrier, gather, abort_all, finish};
  return &table;
}
