// SPDX-License-Identifier: BSD-3-Clause
// First-order response of a ground state to a homogeneous electric field, all directions at once: density-functional perturbation theory
// (Shang et al., Comput. Phys. Commun. 215, 26 (2017)).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/xc/xc_fields.hpp"
#include "ground_state.hpp"

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

// What a potential does to the orbitals: closed shells by dfpt.response, two spins by sums over their states (spin_response.cpp).
// Potentials and densities have their columns (base/xc/xc_fields.hpp).
class OrbitalResponse {
public:
  virtual ~OrbitalResponse() = default;
  virtual bool orbital_form() const = 0;
  virtual std::vector<double> density_of(std::span<const double> v, std::span<const double> w) = 0;  // that they induce
  virtual Invariants invariants() const = 0;  // without charge and asymmetry
};
std::unique_ptr<OrbitalResponse> response_of_spins(GridMatrices& grid, const GroundStateSolver& solver, const GroundState& ground);

class ResponseSolver {
public:
  ResponseSolver(const Setup& setup, const Settings& settings, GridMatrices& grid, Electrostatics& electrostatics, Kernels& kernels,
                 const GroundStateSolver& solver, const GroundState& ground);

  bool orbital_form() const { return orbitals_->orbital_form(); }
  size_t n_dir() const { return settings_.directions.size(); }
  // As GroundStateSolver::solve.
  bool solve(DensityMixer& mixer, Response& response, const Observer& observe);

private:
  std::vector<double> of_all_spins(const std::vector<double>& v) const;
  std::vector<double> potential(const std::vector<double>& n1);
  std::vector<double> respond(const std::vector<double>& v1);  // the density induced by v1, both with their columns (base/xc/xc_fields.hpp)
  Tensor polarizability(const std::vector<double>& n1) const;
  Invariants invariants(const std::vector<double>& n1, const Tensor& alpha) const;

  const Settings& settings_;
  GridMatrices& grid_;
  Electrostatics& electrostatics_;
  size_t n_spin_;
  app::XcOnGrid xc_;  // of the ground state's density
  std::array<std::vector<double>, 3> position_;  // coordinates of the points, bohr
  std::vector<double> field_;  // -r_J, (n_points,n_dir)
  std::unique_ptr<OrbitalResponse> orbitals_;
};

}  // namespace suite::all_electron
