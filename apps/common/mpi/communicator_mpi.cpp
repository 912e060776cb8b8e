// SPDX-License-Identifier: BSD-3-Clause
// The only file that calls MPI. The program loads it when started by mpirun.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <algorithm>
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

// One column as a type, so that counts are columns and fit into int.
class Column {
public:
  explicit Column(size_t rows) {
    MPI_Type_contiguous(static_cast<int>(rows), MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  ~Column() { MPI_Type_free(&type_); }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  MPI_Datatype type() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// Matrix by matrix: their columns lie together on both sides, so that nothing is packed.
const char* gather(const double* mine, double* all, size_t rows, const size_t* owned, int owners, size_t matrices) {
  MPI_Comm team = MPI_COMM_NULL;
  if (const char* trouble = team_of(owners, &team)) return trouble;
  int rank = 0;
  MPI_Comm_rank(team, &rank);
  std::vector<int> counts, places;
  size_t columns = 0;
  for (int i = 0; i < owners; ++i) {
    counts.push_back(static_cast<int>(owned[i]));
    places.push_back(static_cast<int>(columns));
    columns += owned[i];
  }
  if (rows * columns == 0) return nullptr;
  const Column column(rows);
  for (size_t m = 0; m < matrices; ++m)
    if (const char* trouble = text_of(MPI_Allgatherv(mine + m * rows * owned[rank], counts[rank], column.type(), all + m * rows * columns,
                                                     counts.data(), places.data(), column.type(), team)))
      return trouble;
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
  static const suite_communicator_table table{SUITE_COMMUNICATOR_VERSION, start, sum, broadcast, barrier, gather, abort_all, finish};
  return &table;
}
