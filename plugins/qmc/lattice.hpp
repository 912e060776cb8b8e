// SPDX-License-Identifier: BSD-3-Clause
// A periodic cell and what the kernels want to know of its lattice, whichever basis the caller chose. Host
// code.
#pragma once

#include <cstdint>
#include <vector>

#include "images.hpp"

namespace suite::qmc {

struct Lattice {
  double a[3][3];  // a[i] is the lattice vector cell(:,i+1)
  double b[3][3];  // reciprocal: a[i].b[j] = 2 pi delta_ij
  double volume = 0;
  double inscribed_radius = 0;      // of the Wigner-Seitz cell
  double circumscribed_radius = 0;  // no point is farther from its closest lattice point
  ImageRule images{};               // the lattice's kind is images.kind
};

// Refuses vectors that do not span a cell.
Lattice lattice_of(const double* cell);

// sum_i n(i) b_i.
void reciprocal_vector(const Lattice& lattice, const int32_t* n, double* G);

// Integers n of the lattice vectors sum_i n(i) v_i of length at most `radius`, three for each, the shortest
// first. For v_i = b_i `half` leaves one of each pair +-v; 0 is left out with `half`. Refuses more than
// `most`, naming `what`.
std::vector<int32_t> vectors_within(const double (&v)[3][3], double radius, bool half, const char* what, int64_t most = 20'000'000);

// The same in the order of n_1, n_2, n_3, so that vectors of one n_1, n_2 are neighbours.
std::vector<int32_t> in_rows(const std::vector<int32_t>& n);

// The first `count` reciprocal vectors, one of each +-, without 0, by length; `stars` gets the number of the
// star of each from 1 (vectors of one length; the last star may be cut).
std::vector<int32_t> shortest_reciprocal(const Lattice& lattice, int64_t count, std::vector<int32_t>* stars = nullptr);

}  // namespace suite::qmc
