// SPDX-License-Identifier: BSD-3-Clause
// The processes that work on one run. Without MPI, or when not started by mpirun, there is one.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace suite::app {

class Communicator {
public:
  virtual ~Communicator() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  virtual void sum(std::span<double>) const {}                   // element by element over all ranks, in place, result on all
  virtual void broadcast(std::span<char>, int /*root*/) const {}  // from root to all
  virtual void barrier() const {}
  [[noreturn]] virtual void abort(int exit_code) const;
  bool root() const { return rank() == 0; }
  void sum(std::span<std::complex<double>> z) const { sum(std::span<double>(reinterpret_cast<double*>(z.data()), 2 * z.size())); }

  // A number or a struct of numbers, and a vector with its length, from the root to all.
  template <class T> void share(T& value) const {
    static_assert(std::is_trivially_copyable_v<T>);
    broadcast({reinterpret_cast<char*>(&value), sizeof value}, 0);
  }
  template <class T> void share(std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    auto size = static_cast<int64_t>(values.size());
    share(size);
    values.resize(static_cast<size_t>(size));
    broadcast({reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)}, 0);
  }

  // The world of this process: MPI when started under mpirun (from a module loaded on demand, so that a run without
  // MPI never loads it), else one process. Throws Failure when started under mpirun with several ranks by a build without MPI.
  static std::unique_ptr<Communicator> world();
};

// The rank by the launcher's own word, -1 without one; for what goes wrong before MPI is there.
int launched_rank();

}  // namespace suite::app
