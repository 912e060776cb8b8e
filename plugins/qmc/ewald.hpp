// SPDX-License-Identifier: BSD-3-Clause
// The sums of the Ewald interaction (qmc.hpp) for one cell: range of the screening charge, vectors, weights,
// constants. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "lattice.hpp"
#include "qmc.hpp"

namespace suite::qmc {

struct EwaldSums {
  double alpha = 0;       // range of the screening charge, bohr^-1
  double background = 0;  // pi/(alpha^2 V), which v_E subtracts
  double xi = 0;          // v_E - 1/r at r = 0: the interaction of a charge with its own images
  double r_cut = 0;       // short-range terms of distances beyond may be left out
  // Lattice vectors R, three numbers each, the shortest first, from 0: all that bring a vector of the
  // Wigner-Seitz cell within r_cut.
  std::vector<double> images;
  // One of each +-G, by length: integers, vectors, and the weight of cos(G.r), 2 (4 pi/V)
  // exp(-G^2/(4 alpha^2))/G^2.
  std::vector<int32_t> n;
  std::vector<double> G, weight;
  int64_t image_count() const { return static_cast<int64_t>(images.size()) / 3; }
  int64_t g_count() const { return static_cast<int64_t>(weight.size()); }
};

// The argument of kernels, 0 where it is unset.
using EwaldAlpha = decltype(Ewald::ewald_alpha);
// alpha as the argument says, or alpha_L/V^(1/3) where it is unset. Refuses values that are not positive, a tolerance outside 1e-16 to
// 1e-2, and sums of more than 2 10^7 vectors.
double ewald_alpha_of(const EwaldAlpha& ewald_alpha, const Lattice& lattice, double alpha_L);
double ewald_tolerance_of(double tolerance);
enum class Order { by_length, by_rows };  // of the G (in_rows)
EwaldSums ewald_sums(const Lattice& lattice, double alpha, double tolerance, Order order = Order::by_length);

// The same with the caller's list gvec(3,count) for the sum over G; without ewald_alpha with the alpha for
// which it is as long as the tolerance needs. Refuses a list that lacks a G which the sum needs.
EwaldSums ewald_sums_of_list(const Lattice& lattice, const EwaldAlpha& ewald_alpha, double tolerance, const int32_t* gvec, int64_t count);

// Where e^(-s^2) falls below the tolerance, and a half, so that the sum of what is left out, over all pairs
// of a thousand charges, stays below it too.
double ewald_reach(double tolerance);
// For lists of the caller, whose number goes with the sixth power: where erfc(s), which short-range terms have,
// falls below the tolerance. What is left out of the energy of one among 678 electrons is below 1e-11 of it at
// the default tolerance.
double ewald_reach_of_list(double tolerance);

}  // namespace suite::qmc
