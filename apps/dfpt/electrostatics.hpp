// SPDX-License-Identifier: BSD-3-Clause
// Electrostatic potentials of densities on the integration grid, atom by atom from their partitioned multipoles (Delley, J. Chem. Phys. 92,
// 508 (1990)). Points are distributed over the processes, and so are the atoms whose radial equations are solved.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ewald.hpp"
#include "grid_matrices.hpp"
#include "kernels.hpp"

namespace suite::all_electron {

// Superposition of the free atoms, at this process's points and at all nuclei.
struct FreeAtoms {
  std::vector<double> density, potential;  // (n_points) bohr^-3; Ha, Hartree and nuclei
  std::vector<double> at_nuclei;  // (n_home) Ha, without the nucleus's own potential
};

class Electrostatics {
public:
  Electrostatics(const Setup& setup, const GridMatrices& grid, const app::Communicator& world, Kernels& kernels);

  // How dfpt.sum_up adds what is far from an atom: "direct", or "tree", by expansions.
  std::string far_field() const;

  // The superposition of the free atoms.
  FreeAtoms free_atoms();

  // Potential of density(n_points).
  struct Solution {
    std::vector<double> potential;  // (n_points) Ha
    std::vector<double> density;  // (n_points) density represented by the multipoles
    std::vector<double> at_nuclei;  // (n_home) Ha
  };
  Solution solve(std::span<const double> density);

  // Returns the potentials (n_points,n_dir) of densities (n_points,n_dir).
  std::vector<double> potentials(std::span<const double> densities);

private:
  // A call of sum_up with a table for each atom, and in a crystal of what Ewald's splitting leaves to plane waves.
  struct SumUp {
    app::TimedKernel& kernel;
    app::TimedKernel* reciprocal;
    Images atoms = {};
    std::vector<int32_t> species = {};
    bool ready = false;
  };
  SumUp open_sum_up(const app::Parameters& preferred = {});
  void prepare(SumUp& call, std::span<const double> coords);
  void add_distant_cells(std::span<const double> coords, int64_t n_dir, std::vector<double>& potential) const;
  void add_plane_waves(SumUp& call, int64_t points, int64_t n_dir, std::vector<double>& potential);
  // The kernel calls for a unit's points.
  struct Unit {
    const UnitPoints& points;
    app::TimedKernel& multipoles;
    SumUp sum_up;
  };
  Rows rows_of_unit(const Unit& unit) const;
  void multipoles(std::span<const double> densities, int64_t n_dir);
  void poisson(int64_t n_dir, bool with_density);
  // Of potentials only, plane waves are added to the first `n_potentials` directions.
  std::vector<double> sum_up(SumUp& call, std::span<const double> coords, int64_t n_dir, int64_t n_potentials);
  std::vector<double> at_all_points(int64_t n_dir, int64_t n_potentials);

  const Setup& setup_;
  const GridMatrices& grid_;
  const app::Communicator& world_;
  Kernels& kernels_;
  std::vector<Unit> units_;
  app::TimedKernel& poisson_;
  SumUp at_nuclei_;
  int64_t n_atoms_, n_lm_;
  int64_t first_atom_, last_atom_;  // of this process, from 0
  std::optional<Ewald> ewald_;  // of crystals
  std::vector<double> components_;  // rho_multipole
  std::vector<double> tables_;  // potential_spl of all directions; with with_density, followed by that of the density
  std::vector<double> moments_;
  std::vector<double> far_moments_;  // those of sum_up: 0 in a crystal
};

}  // namespace suite::all_electron
