// SPDX-License-Identifier: BSD-3-Clause
// First-order response of a ground state to a homogeneous electric field, all directions at once: density-functional perturbation theory
// (Shang et al., Comput. Phys. Commun. 215, 26 (2017)).
#pragma once

#include <array>
#include <vector>

#include "ground_state.hpp"
#include "xc_fields.hpp"

namespace suite::all_electron {

// (I,J): dipole along I in a field along J, bohr^3; columns of directions not requested are NaN.
using Tensor = std::array<std::array<double, 3>, 3>;

struct ResponseStep {
  std::array<double, 3> residual{};  // of each direction; NaN: not requested
  Tensor polarizability{};
  double largest() const;  // largest residual
};

// Quantities that must vanish.
struct Invariants {
  double charge = 0;          // largest |int n1|
  double overlap = 0;         // largest |sum S P1|
  double idempotency = 0;     // largest element of C^T S C1
  double orthonormality = 0;  // largest element of C^T S C - 1
  double asymmetry = 0;       // largest |alpha_IJ - alpha_JI|
};

struct Response {
  std::vector<ResponseStep> steps;
  Invariants invariants;
  Tensor polarizability() const { return steps.back().polarizability; }
  Tensor uncoupled() const { return steps.front().polarizability; }
};

class ResponseSolver {
public:
  ResponseSolver(const Setup& setup, const Settings& settings, GridMatrices& grid, Electrostatics& electrostatics, Kernels& kernels,
                 const GroundStateSolver& solver, const GroundState& ground);

  bool orbital_form() const { return orbital_form_; }
  size_t n_dir() const { return settings_.directions.size(); }
  // As GroundStateSolver::solve.
  bool solve(DensityMixer& mixer, Response& response, const Observer& observe);

private:
  void set_dipoles();
  std::vector<double> potential(const std::vector<double>& n1);
  std::vector<double> respond(const std::vector<double>& v1);  // the density induced by v1, both with their columns (xc_fields.hpp)
  Tensor polarizability() const;
  Invariants invariants(const std::vector<double>& n1, const Tensor& alpha) const;

  const Settings& settings_;
  GridMatrices& grid_;
  Electrostatics& electrostatics_;
  app::TimedKernel& response_;
  bool orbital_form_;
  const LinearAlgebra& library_;
  Matrix occupied_;            // occupied columns of C
  Matrix S_C_;                 // overlap times occupied_
  double orthonormality_ = 0;  // Invariants::orthonormality
  std::array<Matrix, 3> r_C_;  // <m|r_I|i>
  XcOnGrid xc_;                // of the ground state's density
  std::vector<double> field_;  // -r_J, (n_points,n_dir)
  Matrix C1_, P1_;
};

}  // namespace suite::all_electron
