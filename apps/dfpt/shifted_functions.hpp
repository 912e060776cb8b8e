// SPDX-License-Identifier: BSD-3-Clause
// Basis functions plus multiples of their derivatives, from which the kernels get gradients: what is bilinear in the functions gives
//   B(chi + s d_k chi) - B(chi - s d_k chi) = 2 s [B(chi, d_k chi) + B(d_k chi, chi)]
// without an error of s. So dfpt.rho gives gradients of densities and dfpt.h integrals of w . grad(chi_m chi_n), on every implementation.
#pragma once

#include <span>
#include <vector>

#include "integration_setup.hpp"

namespace suite::all_electron {

// chi + step d chi/d(axis) at all points of a grid; to: in the order of dfpt.basis, n_wave numbers.
struct ShiftedFunctions {
  int axis;
  double step;  // bohr
  double* to;
};
// The derivatives are those of the tables' splines.
void evaluate_shifted(const Setup& setup, const Grid& grid, std::span<const ShiftedFunctions> shifts);

// (n_points,4) bohr^-3 and bohr^-4: the sum of the free atoms' densities, each times the share of its atom in the home cell, and its
// gradient.
std::vector<double> sum_of_free_atoms(const Setup& setup, std::span<const double> coords, std::span<const double> shares);

}  // namespace suite::all_electron
