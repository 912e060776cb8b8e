// SPDX-License-Identifier: BSD-3-Clause
// What one process keeps in memory, before it takes it.
#pragma once

#include <string>

namespace suite::gw {

struct Plan;

// Of one process. Bands, plane waves and G vectors are counts; a grid is its number of points.
struct MemoryCounts {
  double stored = 0;       // coefficients read: plane waves times bands, summed over its irreducible k
  double plane_waves = 0;  // of the largest k
  double bands = 0, occupied = 0, external = 0;
  double own_bands = 0, own_occupied = 0;  // those whose elements it computes, for Sigma and for exchange
  double number_B = 16;            // of a coefficient or matrix element: 8 in the real flavour
  double ncouls = 0, columns = 0;  // G of eps^-1, and those G' that this process has
  double bare = 0;                 // G of the bare interaction
  double grid = 0, bare_grid = 0;  // of the matrix elements with the G of eps^-1, and of exchange
  double density_grid = 0;         // the box of the density
  int matrices = 1;                // frequencies of eps^-1 that the model takes
  int kept_matrices = 0;           // those that are kept beside the static one
  bool several_q = false;
  bool exact_ch = true;
  double random_points = 0;        // of the averages of v that repeat BerkeleyGW's
};
// Of the process that shares the items with `groups` - 1 others, and each by columns and bands with `slices` - 1 others.
MemoryCounts memory_counts(const Plan& plan, int groups = 1, int slices = 1);

// Bytes at the peak, by implementations that keep internal bands in real space as `cpu` does; less where the matrix elements are
// products of matrices, as for some hundred G.
struct Memory {
  double wavefunctions = 0;  // as read
  double images = 0;         // of wavefunctions, at one k
  double real_space = 0;     // kept by gw.mtxel from call to call
  double elements = 0;       // M, and the elements of exchange
  double screening = 0;      // I and w; eps^-1 while they are made
  double panels = 0;         // working memory of gpp.sigma
  double rest = 0;           // the program, the density
  // What every thread has that takes (k,q) of its own; the rest is there once.
  double of_thread() const { return images + real_space + elements + screening + panels; }
  double all() const { return wavefunctions + rest + of_thread(); }
};
// threads: those that take (k,q) of their own; each of them is in the sums.
Memory memory_of(const MemoryCounts& counts, int threads = 1);

// "1.1 GiB (wavefunctions 60 MiB, ...)"
std::string memory_text(const Memory& memory);

// Failure (SUITE_OUT_OF_MEMORY) where processes of this size do not fit into the machine.
void require_memory(const Memory& memory);

}  // namespace suite::gw
