// SPDX-License-Identifier: BSD-3-Clause
// Ground state of a crystal of closed shells, and its response to a homogeneous field.
#pragma once

#include "bloch.hpp"
#include "ground_state.hpp"
#include "response.hpp"

namespace suite::all_electron {

struct CrystalState {
  int n_occ = 0;
  std::vector<double> density;               // (n_points) at this process's points, bohr^-3; (n_points,4) with gradients
  std::vector<Eigen::VectorXd> eigenvalues;  // of each k point, Ha
  std::vector<ComplexMatrix> C;              // C^H S(k) C = 1
  Blocks H;                                  // of the last iteration
  Energies energies;                         // of a cell
  double electrons = 0;
  std::vector<ScfStep> steps;
  size_t highest_k = 0, lowest_k = 0;  // k points of the highest occupied and the lowest empty state
};

// Throws Failure, naming both k points, unless the lowest empty state of all k lies above the highest occupied one.
void refuse_metal(const Bloch& bloch, const CrystalState& state);

class CrystalSolver {
public:
  CrystalSolver(const Setup& setup, const Settings& settings, const Bloch& bloch, GridMatrices& grid, Electrostatics& electrostatics);

  const std::vector<double>& free_density() const { return free_.density; }
  double norm_error() const;  // largest error of a basis function's norm
  std::vector<double> start() const;
  // As GroundStateSolver::solve and ResponseSolver::solve. The polarizability is that of a cell.
  bool solve(DensityMixer& mixer, CrystalState& state, const Observer& observe);
  bool respond(DensityMixer& mixer, const CrystalState& state, Response& response, const Observer& observe);

private:
  void iterate(DensityMixer& mixer, CrystalState& state);
  std::vector<double> density_of(const CrystalState& state);
  std::vector<ComplexMatrix> positions(const CrystalState& state, const Matrix& position, size_t axis) const;

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
