// SPDX-License-Identifier: BSD-3-Clause
// Between the matrices of the basis and the functions on the integration grid: densities from density
// matrices or orbitals, matrices from potentials. The batches are spread over the processes; matrices are
// those of all, densities and potentials those of this process's points.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../common/pulay.hpp"
#include "integration_setup.hpp"
#include "kernels.hpp"

namespace suite::all_electron {

using Matrix = Eigen::MatrixXd;

// Which batches belong to a process: one after the other, as even in work as they come.
struct BatchShare {
  size_t first = 0, last = 0;  // batches, from 0
  size_t first_point = 0, n_points = 0;
};
BatchShare share_of(const Setup& setup, int rank, int size);

class GridMatrices {
public:
  // memory_B: for the functions at the points, 0: a third of the machine's.
  GridMatrices(const Setup& setup, const app::Communicator& world, Kernels& kernels, double memory_B);

  const Grid& grid() const { return grid_; }  // of this process
  size_t n_points() const { return grid_.n_points(); }
  const BatchShare& share() const { return share_; }
  size_t parts() const { return parts_.size(); }  // 1: the functions are kept

  Matrix overlap();
  Matrix kinetic();
  // v(n_points,n_dir) of this process: <m|v_d|n>, (n_basis,n_basis n_dir).
  Matrix matrices(std::span<const double> v);
  // <m|v_d|i> of the occupied orbitals C(n_basis,n_occ): (n_basis,n_occ n_dir).
  Matrix products(std::span<const double> v, const Matrix& C);
  // Densities (n_points,n_dir) at this process's points: of symmetric matrices (n_basis,n_basis n_dir), of
  // occupied orbitals, and of their first-order changes C1(n_basis,n_occ n_dir).
  std::vector<double> density(const Matrix& matrices);
  std::vector<double> density_of_orbitals(const Matrix& C);
  std::vector<double> density_of_orbitals(const Matrix& C, const Matrix& C1);

  // sum over all points of all processes of weight a b.
  double integral(std::span<const double> a) const;
  double integral(std::span<const double> a, std::span<const double> b) const;

private:
  // Batches whose functions are at hand at the same time.
  struct Part {
    size_t number;
    size_t first_point;  // from 0, of this process's
    Grid grid;
  };
  // A kernel, and the part whose batches it has.
  struct Call {
    explicit Call(app::TimedKernel& timed) : kernel(timed) {}
    app::TimedKernel& kernel;
    std::optional<size_t> part;
  };
  void set_batches(Kernel& kernel, const Part& part) const;
  suite_array wave_of(const Part& part);
  void evaluate(const Part& part, const std::vector<double>& table, const suite_array& wave);
  template <class F>
  void each_part(Call& call, F&& f);
  Matrix assemble(Call& call, const char* result, std::span<const double> v, const Matrix* C);
  std::vector<double> densities(Call& call, int64_t n_dir);
  int64_t directions(std::span<const double> v) const;

  const Setup& setup_;
  const app::Communicator& world_;
  Kernels& kernels_;
  BatchShare share_;
  Grid grid_;
  std::vector<Part> parts_;
  std::unique_ptr<Array<double>> wave_, wave_right_;  // as long as the longest part
  app::TimedKernel& basis_;
  std::unique_ptr<Call> overlap_, kinetic_, matrices_, products_, density_, orbital_density_, first_order_;
};

}  // namespace suite::all_electron
