// SPDX-License-Identifier: BSD-3-Clause
// Estimates the memory of a run before it is allocated.
#pragma once

#include <string>

#include "settings.hpp"

namespace suite::all_electron {

// Problem sizes of one process.
struct Counts {
  double functions = 0, points = 0, atoms = 0, n_lm = 0;
  double near_pairs = 0;  // pairs of a point and an atom whose potential there comes from a table, approximate
};

// The basis functions of a molecule, and the points of its grid before those without weight are dropped. Solves the free atoms but makes no
// grid, so it takes well below a second.
Counts counts_of(const Molecule& molecule, const Choices& choices);
// Counts of an existing set-up for each of the processes.
Counts counts_of(const Setup& setup, int processes);

// Peak memory of a run in bytes; of a molecule, except for the functions at the points, which take what `memory.limit` allows.
struct Memory {
  double points = 0;  // coordinates and weights, and the history of Pulay mixing
  double near_lists = 0;  // of dfpt.sum_up: sorted points, and the atoms they are near
  double matrices = 0;  // in the basis
  double tables = 0;  // of the multipole potentials
  double functions = 0, kernels = 0;  // of a crystal: functions at the points; the program and what its kernels work in
  double all() const { return points + near_lists + matrices + tables + functions + kernels; }
};
Memory memory_of(const Counts& counts, const Settings& settings);

// Of a crystal on each of the processes, whose kernels, those of cpu, use so many threads. limit: bytes for the functions at the points.
Memory memory_of_crystal(const Setup& setup, const Settings& settings, int processes, int threads, double limit);
double limit_of_crystal(const Settings& settings);

// "12.1 GiB (points 8.8 GiB, near lists 1.0 GiB, matrices 1.9 GiB, tables 0.4 GiB)"
std::string memory_text(const Memory& memory);

// Default memory limit of the functions at the points, per process: a third of the machine, or what the rest of the run leaves if that is
// less.
double memory_for_functions(const Memory& memory);

// Throws Failure (SUITE_OUT_OF_MEMORY) if processes of this size do not fit into the machine, stating the memory needed and available and
// the keys that reduce it.
void require_memory(const Memory& memory);

}  // namespace suite::all_electron
