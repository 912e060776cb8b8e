// SPDX-License-Identifier: BSD-3-Clause
// What a run keeps in memory, before it takes it.
#pragma once

#include <string>

#include "settings.hpp"

namespace suite::all_electron {

// Of one process.
struct Counts {
  double functions = 0, points = 0, atoms = 0, n_lm = 0;
  double near_pairs = 0;  // of points and atoms whose potential there is from a table, about
};

// The functions of a molecule, and the points of its grid before those without weight are dropped. Solves the
// free atoms and makes no grid, so that it takes well below a second.
Counts counts_of(const Molecule& molecule, const Choices& choices);
// Of what has been set up, for each of so many processes.
Counts counts_of(const Setup& setup, int processes);

// Bytes at the peak of a run, but for the functions at the points, which take what `memory.limit` allows.
struct Memory {
  double points = 0;      // coordinates and weights, and the densities that Pulay's mixing remembers
  double near_lists = 0;  // of dfpt.sum_up: points sorted, and which atoms they are near
  double matrices = 0;    // over the basis
  double tables = 0;      // of the multipoles' potentials
  double all() const { return points + near_lists + matrices + tables; }
};
Memory memory_of(const Counts& counts, const Settings& settings);

// "12.1 GiB (points 8.8 GiB, near lists 1.0 GiB, matrices 1.9 GiB, tables 0.4 GiB)"
std::string memory_text(const Memory& memory);

// What the functions at the points may take where the input does not say it: a third of the machine, less
// where the run leaves less, of each of its processes.
double memory_for_functions(const Memory& memory);

// Failure (SUITE_OUT_OF_MEMORY) where processes of this size do not fit into the machine: what is needed,
// what is there, and which keys make it less.
void require_memory(const Memory& memory);

}  // namespace suite::all_electron
