// SPDX-License-Identifier: BSD-3-Clause
// Spheres of G vectors in a lattice, and the density as kernels look it up.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "plan.hpp"

namespace suite::gw {

using Metric = std::array<double, 9>;  // bdot, column after column

inline double product(const Metric& m, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += a[i] * m[i + 3 * j] * b[j];
  return sum;
}

// All G with |k+G|^2 < cutoff, by length, equal lengths by their components.
std::vector<Miller> sphere(const Metric& bdot, const std::array<double, 3>& k, double cutoff);

// The volume of the cell: (2 pi)^3/sqrt(det bdot). Throws where bdot belongs to no lattice.
double cell_volume(const double* bdot);

// rho(G) in a box of (2 reach + 1) points along each axis, x slowest; 0 where the list has none.
struct DensityBox {
  int32_t reach[3] = {0, 0, 0};
  std::vector<double> value;  // numbers of one G after the other, 1 or 2
  double electrons = 0;       // rho(0)
  int64_t at(int32_t x, int32_t y, int32_t z) const {
    return ((int64_t{x} + reach[0]) * (2 * reach[1] + 1) + (y + reach[1])) * (2 * reach[2] + 1) + (z + reach[2]);
  }
};
// Lists are on the host. Throws where they cannot be meant.
DensityBox make_density_box(const PolesOfScreening& c);

// What every implementation checks, and the few numbers it needs.
struct Scalars {
  Model model;
  int mode;             // invalid_gpp_mode
  double factor;        // of rho(G-G') (q+G).(q+G') v(q+G), eV^2
  double plasma2_volume;  // w_p^2 times the volume of the cell, eV^2 bohr^3
  double plasma2;         // w_p^2, eV^2
  double w_imaginary2;  // eV^2
  double q[3];
  double bdot[9];
};
// Short lists and scalars are on the host; indigp too.
Scalars scalars_of(const PolesOfScreening& c, Model model, double electrons);
// Without what q and bdot say, for which scalars alone have to be on the host; and the check of indigp.
Scalars scalars_without_lattice(const PolesOfScreening& c, Model model, double electrons);
void check_columns(const PolesOfScreening& c);

}  // namespace suite::gw
