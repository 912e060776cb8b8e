// SPDX-License-Identifier: BSD-3-Clause
// The ground state of a closed-shell molecule in the local-density approximation.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "eigenproblem.hpp"
#include "electrostatics.hpp"
#include "grid_matrices.hpp"
#include "mixing.hpp"
#include "settings.hpp"

namespace suite::all_electron {

// Ha. total = band - xc_potential + xc + electrostatic.
struct Energies {
  double total = 0;
  double band = 0;             // occupied eigenvalues, two electrons each
  double xc_potential = 0;     // int n v_xc
  double xc = 0;               // int n e_xc
  double electrostatic = 0;    // -1/2 int n_MP v_es - 1/2 sum_A Z_A v_es(R_A)
  double kinetic = 0;          // part of the band
  double multipole_error = 0;  // 1/2 int (n - n_MP) v_es, which is corrected for
  // band - kinetic - int n v_es - int n v_xc, 0 where the density is converged; nothing after a restart of a
  // ground state that was converged, or in a field
  std::optional<double> mismatch = {};
};

// An iteration, as a row of the table of convergence.
struct ScfStep {
  double energy = 0, residual = 0, highest_occupied = 0, lowest_empty = 0;  // Ha
};

struct GroundState {
  int n_occ = 0;
  std::vector<double> density;  // (n_points) of this process, bohr^-3
  States states;
  Energies energies;
  std::array<double, 3> dipole{};  // e bohr
  double electrons = 0;            // int n
  std::vector<ScfStep> steps;
};

// Called after each iteration with the state so far; true: stop here.
using Observer = std::function<bool()>;

class GroundStateSolver {
public:
  GroundStateSolver(const Setup& setup, const Settings& settings, const app::Communicator& world, GridMatrices& grid,
                    Electrostatics& electrostatics);

  const Matrix& overlap() const { return overlap_; }
  const Eigenproblem& eigenproblem() const { return eigenproblem_; }
  int n_occ() const { return n_occ_; }
  // Whether densities come from orbitals, by what is cheaper or was asked for.
  bool orbital_form() const { return orbital_form_; }

  // How far the grid's integrals are from known ones: of the free atoms' densities, in electrons, and the largest
  // of a basis function squared.
  double free_electrons_error() const;
  double norm_error() const { return (overlap_.diagonal().array() - 1).abs().maxCoeff(); }

  // The superposition of the free atoms with the right number of electrons.
  std::vector<double> start() const;

  // Iterates from mixer.density() until nothing changes, observe() returns true or max_iterations is reached.
  // external(n_points): a potential beside the molecule's own, or empty. Rows are added to state.steps.
  // Whether it converged.
  bool solve(DensityMixer& mixer, std::span<const double> external, GroundState& state, const Observer& observe);

private:
  void iterate(DensityMixer& mixer, std::span<const double> external, GroundState& state);

  const Setup& setup_;
  const Settings& settings_;
  GridMatrices& grid_;
  Electrostatics& electrostatics_;
  FreeAtoms free_;
  Matrix overlap_, kinetic_;
  Eigenproblem eigenproblem_;
  int n_occ_;
  bool orbital_form_;
};

// Multiply-adds of dfpt.rho or dfpt.h in either form for n_dir directions at once.
struct FormCosts {
  double matrix = 0, orbitals = 0;
};
FormCosts form_costs(const Grid& grid, int64_t n_occ, int64_t n_dir);
bool use_orbitals(Form form, const FormCosts& costs);

// Coordinate `axis` (0, 1, 2) of the points, bohr.
std::vector<double> coordinate(const Grid& grid, int axis);

// Failure where the highest occupied and the lowest empty state are too close for closed shells.
void refuse_small_gap(const GroundState& state);
// Of a ground state that did not converge: Failure where these states changed places in the meantime.
void refuse_swapping_states(const GroundState& state);

}  // namespace suite::all_electron
