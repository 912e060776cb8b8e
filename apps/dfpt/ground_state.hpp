// SPDX-License-Identifier: BSD-3-Clause
// Ground state of a molecule: of closed shells, or of two spins with their own orbitals; and what that of a crystal shares with it.
#pragma once

#include <array>
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
  double xc_potential = 0;     // int n v_xc, with gradients int n v + g . w
  double xc = 0;               // int n e_xc
  double electrostatic = 0;    // -1/2 int n_MP v_es - 1/2 sum_A Z_A v_es(R_A)
  double kinetic = 0;          // part of the band energy
  double multipole_error = 0;  // 1/2 int (n - n_MP) v_es, for which the total is corrected
  double xc_gradients = 0;     // int g . w, part of xc_potential
  // band - kinetic - int n v_es - int n v_xc, which vanishes at convergence; not set in a field or after restarting a converged ground
  // state
  std::optional<double> mismatch = {};
};

// The potential of a density, and what the energy has of it.
struct Potential {
  std::vector<double> v;                 // (n_points,n_spin) Ha, with the external one
  std::vector<double> w;                 // (n_points,n_spin,3) of functionals of the gradient
  double electrostatic_of_electrons = 0;  // int n v_es
  Energies energies;                     // xc_potential, xc, electrostatic and multipole_error
};
// density: (n_points,n_spin,n_columns), of one spin or two, with its gradient if the functional has it (base/xc/xc_fields.hpp). external(n_points): an additional potential, or empty.
Potential potential_of(const Setup& setup, Xc xc, const GridMatrices& grid, Electrostatics& electrostatics, const FreeAtoms& free,
                       const std::vector<double>& density, std::span<const double> external);

// One iteration: a row of the convergence table.
struct ScfStep {
  double energy = 0, residual = 0, highest_occupied = 0, lowest_empty = 0;  // Ha
};

// The states of a spin.
struct SpinStates {
  States states;
  Eigen::VectorXd occupations;  // (n_states) 0 to 1
  Eigen::Index n_occupied() const { return (occupations.array() > 0).count(); }  // with any electrons
};

struct GroundState {
  int n_occ = 0;  // of closed shells
  std::vector<double> density;  // (n_points,n_spin,n_columns) at this process's points, as of base/xc/xc_fields.hpp
  States states;  // of closed shells
  std::vector<SpinStates> spins;  // of an open shell: up and down
  // Orbitals whose density is 2 sum psi^2.
  Matrix weighted_orbitals() const;
  // The highest level with electrons and the lowest without, of both spins; NaN if there is none.
  std::array<double, 2> frontier() const;
  Energies energies;
  std::array<double, 3> dipole{};  // e bohr
  double electrons = 0;  // int n
  std::vector<ScfStep> steps;
};

// 1 for closed shells, else 2.
inline size_t n_spin_of(const Setup& setup) { return setup.two_spins ? 2 : 1; }

// (n_points,n_spin,n_columns), as of base/xc/xc_fields.hpp: the superposition of the free atoms, scaled to the number of electrons.
std::vector<double> starting_density(const Setup& setup, Xc xc, const GridMatrices& grid, const FreeAtoms& free);
// (n_home) electrons of spin up less those of spin down in each atom's share of space; empty for closed shells. Of all processes.
std::vector<double> moments_of_atoms(const Setup& setup, const GridMatrices& grid, const std::vector<double>& density);

// Called after each iteration with the current state; returns true to stop.
using Observer = std::function<bool()>;

class GroundStateSolver {
public:
  GroundStateSolver(const Setup& setup, const Settings& settings, const app::Communicator& world, GridMatrices& grid,
                    Electrostatics& electrostatics);

  const Matrix& overlap() const { return overlap_; }
  const Eigenproblem& eigenproblem() const { return eigenproblem_; }
  // The blocks of density matrices that are to be computed, where leaving out the others pays; else nullptr.
  const BlockPattern* blocks() const { return by_blocks_ ? &pattern_ : nullptr; }
  int n_occ() const { return n_occ_; }
  size_t n_spin() const { return n_spin_of(setup_); }
  // Whether densities are computed from orbitals: the cheaper form, unless the input sets it.
  bool orbital_form() const { return orbital_form_; }

  // Integration errors of the grid: of the free atoms' densities, in electrons, and the largest error of a basis function's norm.
  double free_electrons_error() const;
  double norm_error() const { return (overlap_.diagonal().array() - 1).abs().maxCoeff(); }

  std::vector<double> start() const { return starting_density(setup_, settings_.choices.xc, grid_, free_); }

  // Iterates from mixer.density() until convergence, until observe() returns true or max_iterations is reached. external(n_points): an
  // additional potential, or empty. Appends to state.steps. Returns whether it converged.
  bool solve(DensityMixer& mixer, std::span<const double> external, GroundState& state, const Observer& observe);

private:
  void iterate(DensityMixer& mixer, std::span<const double> external, GroundState& state);
  void solve_closed(const Matrix& H, GroundState& state);
  void solve_spins(const Matrix& H, GroundState& state) const;
  std::vector<double> density_of(const GroundState& state);

  const Setup& setup_;
  const Settings& settings_;
  GridMatrices& grid_;
  Electrostatics& electrostatics_;
  FreeAtoms free_;
  Matrix overlap_, kinetic_;
  BlockPattern pattern_;
  Eigenproblem eigenproblem_;
  const LinearAlgebra& library_;
  int n_occ_;
  bool orbital_form_, by_blocks_;
  Matrix density_matrix_;  // of closed shells, by blocks
};

// Fills levels (Ha, ascending) with electrons of one spin. Those of an open shell, levels less than 1e-3 Ha apart, are filled evenly.
Eigen::VectorXd occupations_of(const Eigen::VectorXd& levels, int electrons);
// The highest level with electrons, and the lowest without; NaN if there is none.
std::array<double, 2> frontier_of(const Eigen::VectorXd& levels, const Eigen::VectorXd& occupations);

// Multiply-adds of dfpt.rho or dfpt.h in either form, for n_dir directions at once.
struct FormCosts {
  double matrix = 0, orbitals = 0;
};
FormCosts form_costs(const Grid& grid, int64_t n_occ, int64_t n_dir);
bool use_orbitals(Form form, const FormCosts& costs);

// Coordinate `axis` (0, 1, 2) of the points, bohr.
std::vector<double> coordinate(const Grid& grid, int axis);

// Throws Failure if the gap between the highest occupied and the lowest empty state is too small for closed shells.
void refuse_small_gap(const GroundState& state);
// For a ground state that did not converge: throws Failure if that gap was small in the second half of the iterations, so that the two
// states may have swapped.
void refuse_swapping_states(const GroundState& state);

}  // namespace suite::all_electron
