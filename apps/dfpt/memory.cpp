// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <algorithm>

#include <suite/plugin.hpp>

#include "../common/machine.hpp"
#include "../common/print.hpp"
#include "../common/quantities.hpp"
#include "radial_tables.hpp"

namespace suite::all_electron {
namespace {

constexpr double number = sizeof(double);

// Doubles at a point: its coordinates, weights, atom and shell, four times (the whole grid, this process's,
// its units' and parts'); the density, its change and its potential in each direction, with what is made on
// the way.
constexpr double of_a_point = 4 * 6 + 12, of_a_direction = 6;
// Matrices of the ground state (overlap, kinetic energy, orthonormal functions, C, H, and what the
// eigenproblem takes), and those that stay beside the response's.
constexpr double of_ground_state = 10, that_stay = 4, of_response = 3;
// Tables of a direction: all atoms', and the solved ones on their way there.
constexpr double copies_of_tables = 2;

constexpr double usable = 0.95;  // of the machine's memory: the system needs some, too

int processes_here() { return std::max(1, app::ranks_on_this_machine()); }
double share_of_machine() { return static_cast<double>(app::machine().memory_B) / processes_here(); }

}  // namespace

Counts counts_of(const Molecule& molecule, const Choices& choices) {
  std::vector<int> charges;
  for (const Atom& atom : molecule.atoms)
    if (std::find(charges.begin(), charges.end(), atom.Z) == charges.end()) charges.push_back(atom.Z);
  const SpeciesSet set = make_species(charges, choices);
  Counts counts;
  counts.atoms = static_cast<double>(molecule.atoms.size());
  for (const Atom& atom : molecule.atoms) {
    const auto s = static_cast<size_t>(std::find(charges.begin(), charges.end(), atom.Z) - charges.begin());
    const Species& species = set.species[s];
    for (const RadialFunction& f : species.functions) counts.functions += 2 * f.l + 1;
    for (const int points : set.shells[s].points) counts.points += points;
    counts.n_lm =
        std::max(counts.n_lm, static_cast<double>((species.l_hartree + 1) * (species.l_hartree + 1)));
  }
  return counts;
}

Memory memory_of(const Counts& c, const Settings& s) {
  const auto n_dir = s.polarizability ? static_cast<double>(s.directions.size()) : 0.0;
  // Of each density that is remembered what was tried and what came of it; the same once more while a
  // checkpoint is written.
  const double ground = 4 * s.scf.history + 2 * of_a_direction,
               response = n_dir * (2 * s.response.history + of_a_direction) + 2 * s.response.history;
  Memory memory;
  memory.points = number * c.points * (of_a_point + std::max(ground, response));
  memory.matrices =
      number * c.functions * c.functions * std::max(of_ground_state, that_stay + of_response * n_dir);
  memory.tables = number * 4 * s.choices.n_knots * c.n_lm * c.atoms * std::max(2.0, n_dir) * copies_of_tables;
  return memory;
}

std::string memory_text(const Memory& m) {
  return app::print("%s (points %s, matrices %s, tables %s)", app::bytes_text(m.all()).c_str(),
                    app::bytes_text(m.points).c_str(), app::bytes_text(m.matrices).c_str(),
                    app::bytes_text(m.tables).c_str());
}

double memory_for_functions(const Memory& m) {
  const double mine = share_of_machine();
  return std::min(mine / 3, std::max(usable * mine - m.all(), mine / 20));
}

void require_memory(const Memory& m) {
  if (m.all() <= usable * share_of_machine()) return;
  const int here = processes_here();
  throw Failure(
      SUITE_OUT_OF_MEMORY,
      app::print("the run needs %s%s and this machine has %s: fewer of 'dfpt.directions', shorter "
                 "'dfpt.history' and 'scf.history' or fewer 'grid.knots' need less",
                 memory_text(m).c_str(), here > 1 ? app::print(" in each of %d processes", here).c_str() : "",
                 app::bytes_text(static_cast<double>(app::machine().memory_B)).c_str()));
}

}  // namespace suite::all_electron
