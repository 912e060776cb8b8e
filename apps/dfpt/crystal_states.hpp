// SPDX-License-Identifier: BSD-3-Clause
// Ground state of a crystal, of closed shells or of two spins with a fixed moment, and its response to a homogeneous field.
#pragma once

#include "bloch.hpp"
#include "ground_state.hpp"
#include "response.hpp"

namespace suite::all_electron {

// The states of closed shells, with two electrons in each orbital, or those of one spin.
struct CrystalSpin {
  Eigen::Index n_occ = 0;                    // the same at each k point
  std::vector<Eigen::VectorXd> eigenvalues;  // of each k point, Ha
  std::vector<ComplexMatrix> C;              // C^H S(k) C = 1
  Blocks H;                                  // of the last iteration
  double highest_occupied = 0, lowest_empty = 0;  // of all k points, Ha; -infinity, infinity: there is none
  size_t highest_k = 0, lowest_k = 0;             // their k points
  double gap() const { return lowest_empty - highest_occupied; }
};

struct CrystalState {
  std::vector<CrystalSpin> spins;  // one of closed shells, or up and down
  double electrons_of_orbital() const { return spins.size() == 1 ? 2 : 1; }
  std::vector<double> density;  // (n_points,n_spin,n_columns) at this process's points, as of base/xc/xc_fields.hpp
  Energies energies;            // of a cell
  double electrons = 0;
  std::vector<ScfStep> steps;
};

// Throws Failure, naming both k points, unless the lowest empty state of all k lies above the highest occupied one, of either spin.
void refuse_metal(const Bloch& bloch, const CrystalState& state);

class CrystalSolver {
public:
  CrystalSolver(const Setup& setup, const Settings& settings, const Bloch& bloch, GridMatrices& grid, Electrostatics& electrostatics);

  const std::vector<double>& free_density() const { return free_.density; }
  double norm_error() const;  // largest error of a basis function's norm
  std::vector<double> start() const { return starting_density(setup_, settings_.choices.xc, grid_, free_); }
  // As GroundStateSolver::solve and ResponseSolver::solve. The polarizability is that of a cell.
  bool solve(DensityMixer& mixer, CrystalState& state, const Observer& observe);
  bool respond(DensityMixer& mixer, const CrystalState& state, Response& response, const Observer& observe);

private:
  using Positions = std::array<std::vector<ComplexMatrix>, 3>;  // r_ai of each axis and k point
  void iterate(DensityMixer& mixer, CrystalState& state);
  std::vector<double> density_of(const CrystalState& state);
  std::vector<ComplexMatrix> positions(const CrystalSpin& spin, const Matrix& position, size_t axis) const;
  void add_response(const CrystalSpin& spin, double electrons, const Positions& r, size_t J, const Blocks& v1, Blocks& P1,
                    Tensor& alpha) const;

  const Setup& setup_;
  const Settings& settings_;
  const Bloch& bloch_;
  GridMatrices& grid_;
  Electrostatics& electrostatics_;
  FreeAtoms free_;
  Matrix overlap_;  // of the cluster
  Blocks S_, T_;
  std::vector<ComplexMatrix> S_k_;
};

}  // namespace suite::all_electron
