// SPDX-License-Identifier: BSD-3-Clause
// The processes of one run. Without MPI, or if not started by mpirun, there is one.
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
  virtual void sum(std::span<double>) const {}                   // element-wise over all ranks, in place, result on all
  virtual void broadcast(std::span<char>, int /*root*/) const {}  // from root to all
  virtual void barrier() const {}
  // Matrices whose columns belong to consecutive ranks, `owned.size()` of them, which all call this: owned[i] columns, from the first on, to number
  // i of those ranks. mine(rows, own columns, matrices) of each into all(rows, columns, matrices) of all. The number of ranks is a multiple of
  // theirs, and so is that of the first of them.
  virtual void gather(const double* mine, double* all, size_t rows, std::span<const size_t> owned, size_t matrices) const;
  [[noreturn]] virtual void abort(int exit_code) const;
  bool root() const { return rank() == 0; }
  void sum(std::span<std::complex<double>> z) const { sum(std::span<double>(reinterpret_cast<double*>(z.data()), 2 * z.size())); }

  // Broadcasts a number, a struct of numbers, or a vector with its length from the root.
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

  // The communicator of this program: MPI if started under mpirun (from a module loaded on demand, so that a run without MPI never loads
  // it), else one process. Throws Failure if a build without MPI is started under mpirun with several ranks.
  static std::unique_ptr<Communicator> world();
};

// The rank according to the launcher's environment, -1 without a launcher; for errors before MPI is initialised.
int launched_rank();

}  // namespace suite::app
