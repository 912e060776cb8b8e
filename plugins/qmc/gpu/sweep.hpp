// SPDX-License-Identifier: BSD-3-Clause
// A walker's memory in qmc.sweep, and what its block is told.
#pragma once

#include <iterator>

#include "wavefunction.hpp"
#include "window.cuh"

namespace suite::qmc {

// What a block works with, the most wanted first: each lies in shared memory as far as it fits, the
// rest in memory of the device.
enum class Part : int {
  tables,     // powers where the electron is and where it would go
  work,       // of the window
  electrons,  // of the window
  alpha,
  draws,   // random numbers of some electrons
  column,  // of dbar, as it is now
  phi,     // orbitals where the electron went
  binv,
  rho,
  positions,
  columns,  // of the window
  window_phi,
  scratch,  // of its flushes, always in memory of the device
  end
};
inline constexpr int part_count = static_cast<int>(Part::end);

struct Layout {
  int64_t at[part_count];  // in doubles; of what lies in memory of the device, ~ of it
  int64_t shared = 0, device = 0;
  __device__ __forceinline__ double* operator()(Part part, double* in_shared, double* in_device) const {
    const int64_t place = at[static_cast<int>(part)];
    return place >= 0 ? in_shared + place : in_device + ~place;
  }
};

inline constexpr int electrons_drawn = block_threads / 2, numbers_drawn = 4;  // at a time; g and u

inline Layout layout_of(const Psi& psi, int64_t kmax, int64_t capacity) {
  const int64_t n = std::max(psi.nup, psi.netot - psi.nup);
  int64_t size[part_count] = {};
  const auto set = [&](Part part, int64_t numbers) { size[static_cast<int>(part)] = (numbers + 1) / 2 * 2; };
  set(Part::tables, 4 * psi.powers.width);
  set(Part::work, window_lists * kmax);
  set(Part::electrons, (kmax + 2) / 2);
  set(Part::alpha, psi.u.nalpha * psi.u.nset);
  set(Part::draws, electrons_drawn * numbers_drawn);
  set(Part::column, n);
  set(Part::phi, n);
  set(Part::binv, kmax * kmax);
  set(Part::rho, 4 * psi.p.count);
  set(Part::positions, 3 * psi.netot);
  set(Part::columns, n * kmax);
  set(Part::window_phi, n * kmax);
  set(Part::scratch, flush_numbers(kmax));
  Layout layout{};
  for (int part = 0; part < part_count; ++part) {
    const bool fits = part < static_cast<int>(Part::scratch) && layout.shared + size[part] <= capacity;
    layout.at[part] = fits ? layout.shared : ~layout.device;
    (fits ? layout.shared : layout.device) += size[part];
  }
  return layout;
}

struct SweepCall {
  double *rele, *dbar[2];
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
