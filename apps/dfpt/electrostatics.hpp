// SPDX-License-Identifier: BSD-3-Clause
// Electrostatic potentials of densities on the integration grid, atom by atom from their partitioned multipoles (Delley, J. Chem. Phys. 92,
// 508 (1990)). Points are distributed over the processes, and so are the atoms whose radial equations are solved.
#pragma once

#include <span>
#include <vector>

#include "grid_matrices.hpp"
#include "kernels.hpp"

namespace suite::all_electron {

// Superposition of the free atoms, at this process's points and at all nuclei.
struct FreeAtoms {
  std::vector<double> density, potential;  // (n_points) bohr^-3; Ha, Hartree and nuclei
  std::vector<double> at_nuclei;  // (n_atoms) Ha, without the nucleus's own potential
};

class Electrostatics {
public:
  Electrostatics(const Setup& setup, const GridMatrices& grid, const app::Communicator& world, Kernels& kernels);

  // The superposition of the free atoms.
  FreeAtoms free_atoms();

  // Potential of density(n_points).
  struct Solution {
    std::vector<double> potential;  // (n_points) Ha
    std::vector<double> density;  // (n_points) density represented by the multipoles
    std::vector<double> at_nuclei;  // (n_atoms) Ha
  };
  Solution solve(std::span<const double> density);

  // Returns the potentials (n_points,n_dir) of densities (n_points,n_dir).
  std::vector<double> potentials(std::span<const double> densities);

private:
  // A call of sum_up with its tables: one per atom, or one per species.
  struct SumUp {
    app::TimedKernel& kernel;
    bool ready = false;
  };
  // The kernel calls for a unit's points.
  struct Unit {
    const UnitPoints& points;
    app::TimedKernel& multipoles;
    SumUp at_points, responses;
  };
  Rows rows_of_unit(const Unit& unit) const;
  void multipoles(std::span<const double> densities, int64_t n_dir);
  void poisson(int64_t n_dir, bool with_density);
  std::vector<double> sum_up(SumUp& call, std::span<const double> coords, int64_t n_dir);
  std::vector<double> at_all_points(SumUp Unit::*call, int64_t n_dir);
  void set_atoms(Kernel& kernel);

  const Setup& setup_;
  const GridMatrices& grid_;
  const app::Communicator& world_;
  Kernels& kernels_;
  std::vector<Unit> units_;
  app::TimedKernel& poisson_;
  SumUp at_nuclei_;
  int64_t n_atoms_, n_lm_;
  int64_t first_atom_, last_atom_;  // of this process, from 0
  std::vector<int32_t> own_atom_;  // 1, 2, 3 ...
  std::vector<double> components_;  // rho_multipole
  std::vector<double> tables_;  // potential_spl of all directions; with with_density, followed by that of the density
  std::vector<double> moments_;
};

}  // namespace suite::all_electron
