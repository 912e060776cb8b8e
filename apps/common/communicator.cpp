// SPDX-License-Identifier: BSD-3-Clause
#include "communicator.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "communicator_module.h"
#include "paths.hpp"

namespace suite::app {
namespace {

constexpr const char* module_name = "suite_communicator_mpi.so";

class ModuleCommunicator : public Communicator {
public:
  explicit ModuleCommunicator(const suite_communicator_table& table) : table_(table) {
    int local_rank = 0;
    if (const char* trouble = table_.start(&rank_, &size_, &local_rank))
      throw Failure(SUITE_DEVICE_ERROR, std::string("MPI cannot start: ") + trouble);
    // libsuite assigns devices within a node by this variable, unless the user has set it.
    setenv("SUITE_LOCAL_RANK", std::to_string(local_rank).c_str(), 0);
  }
  ~ModuleCommunicator() override { table_.finish(); }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<double> values) const override { check("sum", table_.sum(values.data(), values.size())); }
  void broadcast(std::span<char> bytes, int root) const override { check("broadcast", table_.broadcast(bytes.data(), bytes.size(), root)); }
  void barrier() const override { check("barrier", table_.barrier()); }
  void gather(const double* mine, double* all, size_t rows, std::span<const size_t> owned, size_t matrices) const override {
    check("gather", table_.gather(mine, all, rows, owned.data(), static_cast<int>(owned.size()), matrices));
  }
  [[noreturn]] void abort(int exit_code) const override {
    table_.abort(exit_code);
    std::_Exit(exit_code);
  }

private:
  static void check(const char* what, const char* trouble) {
    if (trouble) throw Failure(SUITE_DEVICE_ERROR, std::string("MPI ") + what + ": " + trouble);
  }
  const suite_communicator_table& table_;
  int rank_ = 0, size_ = 1;
};

// Number of ranks started according to the launcher: 1 without a launcher, 0 if the launcher does not report it.
int launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  if (std::getenv("PMIX_RANK") || std::getenv("PMI_RANK")) {
    const char* tasks = std::getenv("SLURM_NTASKS");
    return tasks ? std::atoi(tasks) : 0;
  }
  return 1;
}

}  // namespace

int launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return -1;
}

void Communicator::abort(int exit_code) const { std::_Exit(exit_code); }

void Communicator::gather(const double* mine, double* all, size_t rows, std::span<const size_t> owned, size_t matrices) const {
  std::copy_n(mine, rows * owned[0] * matrices, all);
}

std::unique_ptr<Communicator> Communicator::world() {
  const int ranks = launched_ranks();
  if (ranks == 1) return std::make_unique<Communicator>();
  const std::string started = "started by mpirun" + (ranks > 1 ? fmt::format(" with {} ranks", ranks) : std::string());
  const auto file = module(module_name);
  if (file.empty())
    throw Failure(SUITE_NOT_FOUND, started + ", but this build has no MPI: " + module_name +
                                       " is not beside the plugins (configure with -DSUITE_WITH_MPI=ON)");
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char* why = dlerror();
    throw Failure(SUITE_NOT_FOUND, started + ", but " + file.string() + " cannot be loaded: " + (why ? why : "no reason given"));
  }
  const auto query = reinterpret_cast<suite_communicator_query>(dlsym(handle, "suite_communicator_query_table"));
  const suite_communicator_table* table = query ? query() : nullptr;
  if (!table || table->version != SUITE_COMMUNICATOR_VERSION)
    throw Failure(SUITE_NOT_FOUND, started + ", but " + file.string() + " belongs to another version of suite");
  return std::make_unique<ModuleCommunicator>(*table);
}

}  // namespace suite::app
