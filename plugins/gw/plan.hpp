// SPDX-License-Identifier: BSD-3-Clause
// How the matrix elements of one call are transformed: the smallest grid without alias, and which of its
// lines hold anything.
//
// A transform from a sphere has z lines of its columns only, then y lines at those x that have columns, then
// x lines; the transform of a product to the wanted G is the same in reverse. conj(u_n) u_n' has components
// G_n' - G_n, and the wanted G is the component -G of it: a grid of N points along an axis shows others there
// where they differ by N, so that N must exceed every distance.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grid.hpp"
#include "gw.hpp"

namespace suite::gw {

// Components of G vectors beyond these are taken for a mistake.
inline constexpr int32_t largest_component = 4096;

// The factors that transforms have butterflies for.
inline constexpr int radices[] = {4, 2, 3, 5, 7};

// What a transform of n points takes, in flops of complex numbers: of each stage, and of its twiddle factors.
double flops_of_line(int n);
bool has_stages(int n);
// The lowest n' >= n with no other factors.
int shortest_length(int n);
// The radices of its stages.
std::vector<int> stages_of(int n);
// exp(2 pi i k/n), k = 0 .. n-1, (re,im).
std::vector<double> roots_of_unity(int n);

// The columns of a set of G vectors on the grid; x is slowest.
struct Columns {
  std::vector<int32_t> x;             // those that have columns, on the grid
  std::vector<int32_t> first_column;  // of each x, and their number at the end
  std::vector<int32_t> y;             // of each column
  std::vector<int32_t> first_entry;   // of each column, and their number at the end
  std::vector<int32_t> z, index;      // of each entry: its place in the column, its place in the list
  int64_t nx() const { return static_cast<int64_t>(x.size()); }
  int64_t columns() const { return static_cast<int64_t>(y.size()); }
};

struct Plan {
  std::array<int, 3> n{1, 1, 1};  // x, y, z
  Columns ket, bra, wanted;
  std::vector<int32_t> vanishing;  // wanted G that no pair of components differs by: M is 0
  int64_t points() const { return int64_t{n[0]} * n[1] * n[2]; }
  double flops_to_wanted() const;  // of a product's transform, without the product
};

// Which lengths an implementation has transforms for: those with stages, or all short ones as well.
enum class Lengths { with_stages, any };

// Lists are on the host. Throws where they cannot be meant.
Plan make_plan(const Mtxel& c, Lengths lengths = Lengths::with_stages);

// The bra in a box with zeros around it, so that c_n(G2+G) is at a sum of two offsets for every G2 of the ket
// and every wanted G.
struct Box {
  std::vector<int32_t> of_ket, of_wanted, of_bra;  // offsets; that of G2+G is of_ket + of_wanted
  int64_t size = 0;
};
Box make_box(const Mtxel& c);

// Flops of the product of matrices.
double flops_of_product(const Mtxel& c);

// The scalar `conjugate`, checked.
bool is_conjugate(const Mtxel& c);

}  // namespace suite::gw
