// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "base/xc/xc_fields.hpp"
#include "common/memory.hpp"
#include "common/quantities.hpp"
#include "partition.hpp"
#include "radial_tables.hpp"

namespace suite::all_electron {
namespace {

constexpr double number = sizeof(double);

// Doubles per point: coordinates, weights, atom and shell, four times (the whole grid, this process's, its units' and its parts'); the
// density, its change and its potential in each direction, with temporaries.
constexpr double of_a_point = 4 * 6 + 12, of_a_direction = 6;
// Matrices of the ground state (overlap, kinetic energy, orthonormal functions, C, H, and the workspace of the eigenproblem), and those
// that remain during the response.
constexpr double of_ground_state = 10, that_stay = 4, of_response = 3;
// Tables per direction: all atoms', the solved ones in transit, and sum_up's in powers of z.
constexpr double copies_of_tables = 3;

// Bytes of sum_up: per sorted point, coordinates and number; per point near an atom, its list entry and its share of vector padding, of far
// points among near ones and of the lists of knots (plugins/dfpt/cpu/near_runs.cpp).
constexpr double of_a_sorted_point = 28, of_a_near_pair = 2.8;

struct PointMemory {
  double ground, response;  // doubles per point
};
PointMemory of_points(const Settings& s) {
  const auto n_dir = s.polarizability ? static_cast<double>(s.directions.size()) : 0.0;
  // Input, residual and its change of each density in the history, with its gradient; of molecules, the first two once more while a checkpoint
  // is written.
  const double written = s.crystal.vectors.empty() ? 2 : 0;
  const double spins = s.molecule.two_spins() ? 2 : 1, columns = spins * static_cast<double>(columns_of(s.choices.xc));
  return {columns * ((3 + written) * s.scf.history + 2 * of_a_direction),
          columns * (n_dir * (3 * s.response.history + of_a_direction) + written * s.response.history)};
}

// Treats all points of an atom as if at its nucleus, where most of them are close by.
struct Centre {
  const double* position;
  double points, radius;  // radius: of the atom's multipole potential as a table
};
double near_pairs(const std::vector<Centre>& centres) {
  double pairs = 0;
  for (const Centre& a : centres)
    for (const Centre& b : centres)
      if (distance(a.position, b.position) < b.radius) pairs += a.points;
  return pairs;
}

}  // namespace

Counts counts_of(const Molecule& molecule, const Choices& choices) {
  std::vector<int> charges;
  for (const Atom& atom : molecule.atoms)
    if (std::find(charges.begin(), charges.end(), atom.Z) == charges.end()) charges.push_back(atom.Z);
  const SpeciesSet set = make_species(charges, choices);
  Counts counts;
  counts.atoms = static_cast<double>(molecule.atoms.size());
  std::vector<Centre> centres;
  for (const Atom& atom : molecule.atoms) {
    const auto s = static_cast<size_t>(std::find(charges.begin(), charges.end(), atom.Z) - charges.begin());
    const Species& species = set.species[s];
    for (const RadialFunction& f : species.functions) counts.functions += 2 * f.l + 1;
    const std::vector<int>& points = set.shells[s].points;
    centres.push_back({atom.position.data(), std::accumulate(points.begin(), points.end(), 0.0), set.tables.multipole_radius[s]});
    counts.points += centres.back().points;
    counts.n_lm = std::max(counts.n_lm, static_cast<double>((species.l_hartree + 1) * (species.l_hartree + 1)));
  }
  counts.near_pairs = near_pairs(centres);
  return counts;
}

Counts counts_of(const Setup& setup, int processes) {
  const Images images = atoms_reaching(setup, setup.tables.multipole_radius, setup.grid.coords);
  const std::vector<int32_t> species = images.spread(setup.atom_species);
  std::vector<Centre> centres;
  for (size_t a = 0; a < species.size(); ++a)
    centres.push_back({&images.coords[3 * a], 0, setup.tables.multipole_radius[static_cast<size_t>(species[a] - 1)]});
  for (const int32_t atom : setup.grid.point_atom) ++centres[static_cast<size_t>(atom - 1)].points;
  Counts counts;
  counts.functions = setup.basis.n_basis;
  counts.points = static_cast<double>(setup.grid.n_points()) / processes;
  counts.atoms = static_cast<double>(setup.n_home());
  counts.n_lm = (setup.l_hartree + 1) * (setup.l_hartree + 1);
  counts.near_pairs = near_pairs(centres) / processes;
  return counts;
}

Memory memory_of(const Counts& c, const Settings& s) {
  const auto n_dir = s.polarizability ? static_cast<double>(s.directions.size()) : 0.0;
  const double spins = s.molecule.two_spins() ? 2 : 1;
  const auto [ground, response] = of_points(s);
  Memory memory;
  memory.points = number * c.points * (of_a_point + std::max(ground, response));
  memory.near_lists = of_a_sorted_point * c.points + of_a_near_pair * c.near_pairs;
  memory.matrices =
      number * c.functions * c.functions * std::max(of_ground_state + 3 * (spins - 1), that_stay + spins * of_response * n_dir);
  memory.tables = number * 4 * s.choices.n_knots * c.n_lm * c.atoms * std::max(2.0, n_dir) * copies_of_tables;
  return memory;
}

std::string memory_text(const Memory& m) {
  std::string parts = fmt::format("points {}, near lists {}, matrices {}, tables {}", app::bytes_text(m.points),
                                  app::bytes_text(m.near_lists), app::bytes_text(m.matrices), app::bytes_text(m.tables));
  if (m.functions > 0) parts += fmt::format(", functions {}, kernels {}", app::bytes_text(m.functions), app::bytes_text(m.kernels));
  return fmt::format("{} ({})", app::bytes_text(m.all()), parts);
}

double memory_for_functions(const Memory& m) {
  const double mine = app::memory_share_B();
  return std::min(mine / 3, std::max(app::usable_memory * mine - m.all(), mine / 20));
}

void require_memory(const Memory& m) {
  app::require_memory(m.all(), "the run needs " + memory_text(m),
                      m.functions > 0
                          ? "fewer 'dfpt.directions', a smaller basis, or a smaller 'memory.limit' need less"
                          : "fewer 'dfpt.directions', a shorter 'dfpt.history' and 'scf.history', or fewer 'grid.knots' need less");
}

}  // namespace suite::all_electron
