// SPDX-License-Identifier: BSD-3-Clause
// A walker's memory in qmc.sweep, and what its block is told.
#pragma once

#include "wavefunction.hpp"
#include "window.cuh"

namespace suite::qmc {

inline constexpr int electrons_drawn = block_threads / 2, numbers_drawn = 4;  // at a time; g and u

// Where the parts of a walker begin, in numbers. What each thread wants at each move and is small lies in shared memory, so that compilers
// know the kind of every address; what grows with the electrons lies in memory of the device, where the first-level cache serves it.
struct Layout {
  // shared memory
  int tables;  // powers where the electron is and where it would go
  int work;    // of the window
  int electrons;  // of the window
  int alpha;
  int draws;  // random numbers of some electrons
  int binv;
  int shared = 0;
  // memory of the device
  int64_t positions;  // x of all electrons, then y, then z
  int64_t rho, column, phi;  // column: of dbar, as it is now; phi: orbitals where the electron went
  int64_t columns, window_phi, scratch;  // of the window and its flushes
  int64_t device = 0;
};

inline Layout layout_of(const Psi& psi, int64_t kmax) {
  const int64_t n = std::max(psi.nup, psi.netot - psi.nup);
  Layout layout{};
  const auto shared = [&](int& at, int64_t numbers) {
    at = layout.shared;
    layout.shared += static_cast<int>((numbers + 1) / 2 * 2);
  };
  shared(layout.tables, 4 * psi.powers.width);
  shared(layout.work, window_lists * kmax);
  shared(layout.electrons, (kmax + 2) / 2);
  shared(layout.alpha, psi.u.nalpha * psi.u.nset);
  shared(layout.draws, electrons_drawn * numbers_drawn);
  shared(layout.binv, kmax * kmax);
  const auto device = [&](int64_t& at, int64_t numbers) {
    at = layout.device;
    layout.device += (numbers + 15) / 16 * 16;
  };
  device(layout.positions, 3 * psi.netot);
  device(layout.rho, 4 * psi.p.count);
  device(layout.column, n);
  device(layout.phi, n);
  device(layout.columns, n * kmax);
  device(layout.window_phi, n * kmax);
  device(layout.scratch, flush_numbers(kmax));
  return layout;
}

struct SweepCall {
  double *rele, *dbar_up, *dbar_dn;
  const Complex* rhok;
  const int64_t* stream;
  int* accepted;
  double *diffusion, *logpsi;  // may be null
  double tau, alimit;
  int64_t first_sweep, seed;
  int nsweep, kmax;
  double* memory;  // layout.device numbers for each walker
  double a[3][3];  // lattice vectors
};

}  // namespace suite::qmc
