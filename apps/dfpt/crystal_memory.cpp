// SPDX-License-Identifier: BSD-3-Clause
// Memory of a crystal's run: what grows with the functions of all images that reach the points of a cell.
#include <algorithm>
#include <array>

#include "base/xc/xc_fields.hpp"
#include "common/machine.hpp"
#include "bloch.hpp"
#include "ground_state.hpp"
#include "memory.hpp"

namespace suite::all_electron {
namespace {

constexpr double number = sizeof(double), complex_number = 2 * number;
// Bytes: its code and libraries, tables of species, and what is small; measured with all of suite built.
constexpr double program = 36 * 1048576.0;

// CrystalSizes of a run.
struct CrystalSizes {
  double functions = 0, home_functions = 0, cells = 0, k_points = 0;
  double spins = 1, directions = 0, occupied = 0;  // orbitals at each k point, of all spins
  double sets = 1;        // of functions at the points: seven with gradients
  double wave = 0;        // numbers of a set
  double batch_functions = 0, batch_points = 0;  // of the largest batch
  double processes = 1, threads = 1;
};

CrystalSizes crystal_sizes_of(const Setup& setup, const Settings& s, int processes, int threads) {
  CrystalSizes z;
  const Bloch bloch(setup, setup.crystal->lattice, {});
  z.functions = setup.basis.n_basis;
  z.home_functions = static_cast<double>(bloch.n_basis());
  z.cells = static_cast<double>(bloch.n_cells());
  z.k_points = static_cast<double>(k_points_of(s.crystal).size());
  z.spins = static_cast<double>(n_spin_of(setup));
  z.directions = s.polarizability ? static_cast<double>(s.directions.size()) : 0;
  z.occupied = z.spins == 2 ? setup.electrons : 0.5 * setup.electrons;
  z.sets = needs_gradients(s.choices.xc) ? 7 : 1;
  z.wave = static_cast<double>(setup.grid.n_wave()) / processes;
  const Grid& g = setup.grid;
  for (size_t b = 0; b < g.n_batches(); ++b) {
    z.batch_functions = std::max<double>(z.batch_functions, g.batch_basis[b + 1] - g.batch_basis[b]);
    z.batch_points = std::max<double>(z.batch_points, g.batch_points[b + 1] - g.batch_points[b]);
  }
  z.processes = processes;
  z.threads = threads;
  return z;
}

// Of dfpt.rho and dfpt.h on cpu, opened for each set: a batch's functions for either, its part of the density matrices; and while dfpt.h runs,
// sums of batches, of which some wait for those before them (more where threads lose their cores to other programs).
constexpr double waiting = 2;  // sums of a thread
double of_kernels(const CrystalSizes& z, double matrices) {
  const double square = z.batch_functions * z.batch_functions;
  return number * (z.threads * z.sets * (2 * z.batch_functions * z.batch_points + (0.5 + matrices) * square) +
                   waiting * z.threads * matrices * square);
}

// matrices: of the potential, or the density, one for each spin and direction. They come once more while those of gradients are added, and where
// processes add theirs.
double of_matrices(const CrystalSizes& z, double matrices) {
  const double copies = 1 + (z.sets > 1) + (z.processes > 1), overlap = 1;
  const double blocks = 2 + z.spins + 3;  // overlap, kinetic energy, H; those of a direction come and go
  const double home = z.home_functions * z.home_functions;
  return number * (z.functions * z.functions * (overlap + matrices * copies) + z.cells * home * blocks) +
         complex_number * z.k_points * (home * (1 + z.spins) + 3 * (z.directions > 0) * z.occupied * z.home_functions);
}

}  // namespace

double limit_of_crystal(const Settings& s) { return s.memory_B > 0 ? s.memory_B : static_cast<double>(app::machine().memory_B) / 3; }

Memory memory_of_crystal(const Setup& setup, const Settings& s, int processes, int threads, double limit) {
  const CrystalSizes z = crystal_sizes_of(setup, s, processes, threads);
  const double all = number * z.sets * z.wave, functions = std::min(all, limit);
  Memory set_up = memory_of(counts_of(setup, processes), s), ground_state = set_up, response = set_up;
  // The kinetic energy needs a second set; sets of gradients are made two at a time.
  set_up.points = set_up.near_lists = set_up.tables = 0;
  set_up.functions = functions + (all <= limit ? number * z.wave * (z.sets > 1 ? 2 : 1) : 0);
  set_up.matrices = of_matrices(z, 1);
  set_up.kernels = program + of_kernels(z, 1);
  ground_state.functions = response.functions = functions;
  ground_state.matrices = of_matrices(z, z.spins);
  ground_state.kernels = program + of_kernels(z, z.spins);
  const double of_response = z.spins * z.directions;
  response.matrices = of_matrices(z, std::max(1.0, of_response));
  response.kernels = program + of_kernels(z, of_response);
  return std::max({set_up, ground_state, response}, [](const Memory& a, const Memory& b) { return a.all() < b.all(); });
}

}  // namespace suite::all_electron
