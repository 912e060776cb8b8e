// SPDX-License-Identifier: BSD-3-Clause
// Converts between matrices in the basis and functions on the integration grid: densities from density matrices or orbitals, matrices from
// potentials. The batches are distributed over the processes in units of work; matrices are complete on every process, densities and
// potentials cover this process's points.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "base/work_units.hpp"
#include "integration_setup.hpp"
#include "kernels.hpp"
#include "linear_algebra.hpp"

namespace suite::all_electron {

// The consecutive batches of a process or unit, chosen for equal work.
struct BatchShare {
  size_t first = 0, last = 0;  // batches, from 0
  size_t first_point = 0, n_points = 0;
};
BatchShare share_of(const Setup& setup, int which, int of);

// Work units of the batches: one per process, or the fixed units of a deterministic run.
app::WorkUnits batch_units(const Setup& setup, const app::Context& context);

// The points of one work unit of this process.
struct UnitPoints {
  size_t first_point;  // from 0, within this process's points
  Grid grid;
};

// A range of the points of values(points,n_dir); rows_of() extracts it, direction by direction, and put_rows() writes it back.
struct Rows {
  size_t of, first, count;
};
std::vector<double> rows_of(std::span<const double> values, const Rows& which);
void put_rows(std::span<const double> rows, const Rows& which, std::span<double> values);

// Memory limit of the functions at the points. whole_units: parts are never smaller than work units, whatever the machine, so that they
// are the same everywhere.
struct MemoryLimit {
  double bytes;
  bool whole_units = false;
};

class GridMatrices {
public:
  // with_gradients: densities have those of base/xc/xc_fields.hpp.
  GridMatrices(const Setup& setup, const app::WorkUnits& units, Kernels& kernels, const MemoryLimit& limit, bool with_gradients = false);

  const Grid& grid() const { return grid_; }  // of this process
  size_t n_points() const { return grid_.n_points(); }
  const BatchShare& share() const { return share_; }
  const app::WorkUnits& work_units() const { return work_units_; }
  const std::vector<UnitPoints>& units() const { return units_; }  // one after the other
  size_t parts() const { return kept_ ? 1 : parts_.size(); }       // 1: the functions are kept

  Matrix overlap();
  Matrix kinetic();
  // v(n_points,n_dir) of this process: <m|v_d|n>, (n_basis,n_basis n_dir). w(n_points,n_dir,3), or empty: plus int w . grad(chi_m chi_n).
  Matrix matrices(std::span<const double> v, std::span<const double> w = {});
  // <m|v_d|i> of the occupied orbitals C(n_basis,n_occ): (n_basis,n_occ n_dir).
  Matrix products(std::span<const double> v, std::span<const double> w, const Matrix& C);
  // Densities (n_points,n_dir) at this process's points, with their gradients (n_points,n_dir,4): from symmetric matrices
  // (n_basis,n_basis n_dir), from occupied orbitals, and from their first-order changes C1(n_basis,n_occ n_dir).
  std::vector<double> density(const Matrix& matrices);
  std::vector<double> density_of_orbitals(const Matrix& C);
  std::vector<double> density_of_orbitals(const Matrix& C, const Matrix& C1);

  // Sum over all points of all processes of weight times a (times b).
  double integral(std::span<const double> a) const;
  double integral(std::span<const double> a, std::span<const double> b) const;
  // (n_home) the same over the points of each atom, a's share of the atom.
  std::vector<double> integrals_of_atoms(std::span<const double> a) const;

private:
  // Batches of a unit whose functions are in memory at the same time.
  struct Part {
    size_t number, unit;
    size_t first_point;  // from 0, within this process's points
    Grid grid;
    std::vector<std::unique_ptr<Array<double>>> waves;  // of each set, if the functions are kept
  };
  // The functions themselves, and with gradients also those shifted along +x, -x, +y ... (shifted_functions.hpp).
  static constexpr size_t most_sets = 7;
  size_t n_sets() const { return with_gradients_ ? most_sets : 1; }
  // A kernel call, opened once for each part and set of functions.
  struct Call {
    const char* kernel;
    std::array<std::vector<app::TimedKernel*>, most_sets> of_part = {};
  };
  void make_parts(const MemoryLimit& limit);
  app::TimedKernel& open(Call& call, size_t set, const Part& part);
  void set_batches(Kernel& kernel, const Part& part) const;
  suite_array wave_of(const Part& part, size_t set);
  void evaluate(const Part& part, const std::vector<double>& table, const suite_array& wave);
  void evaluate_shifted_sets(const Part& part, size_t first, size_t last, Array<double>* const* waves);
  void evaluate_set(const Part& part, size_t set);
  template <class F> void each_part(Call& call, size_t set, F&& f);
  Matrix assemble(Call& call, size_t set, const char* result, std::span<const double> v, const Matrix* C);
  Matrix assemble(Call& call, const char* result, std::span<const double> v, std::span<const double> w, const Matrix* C);
  template <class F> Matrix sum_of_parts(Call& call, size_t set, const char* result, Extents shape, F&& set_arguments);
  template <class F> std::vector<double> densities(Call& call, int64_t n_dir, F&& set_arguments);
  template <class F> double sum_over_points(F&& f) const;
  int64_t directions(std::span<const double> v) const;

  const Setup& setup_;
  app::WorkUnits work_units_;
  Kernels& kernels_;
  BatchShare share_;
  Grid grid_;
  std::vector<UnitPoints> units_;
  std::vector<Part> parts_;
  bool with_gradients_ = false, kept_ = false;
  size_t longest_ = 0;  // functions times points of the largest part
  std::unique_ptr<Array<double>> wave_;  // of the current part, if the functions are not kept
  std::unique_ptr<Array<double>> wave_right_;  // used by kinetic()
  app::TimedKernel& basis_;
  Call matrices_{"h"}, products_{"h"}, density_{"rho"}, orbital_density_{"rho"}, first_order_{"rho"};
};

}  // namespace suite::all_electron
