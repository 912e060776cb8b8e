// SPDX-License-Identifier: BSD-3-Clause
// One row of the u term: the sum over all electrons but one of u(|r_j - r|), and its derivatives by r, for
// the lattice and the form that a call has.
#pragma once

#include "../call.hpp"
#include "frame.hpp"

namespace suite::qmc {

// What depends on the coefficients only.
struct UTable {
  UTerm term;
  std::vector<double> alpha;  // (nalpha,nset) as given
  // B-splines: (stride,4,set), in powers of the place inside an interval.
  std::vector<double> cubic;
  int64_t intervals = 0, stride = 0;

  UTable() = default;
  UTable(const UTerm& t, const double* coefficients) : term(t) {
    alpha.assign(coefficients, coefficients + t.nalpha * t.nset);
    if (t.form != Form::bspline) return;
    intervals = t.nalpha - 3;
    stride = std::max<int64_t>(intervals, 16);
    cubic.resize(static_cast<size_t>(stride * 4 * t.nset));
    for (int set = 0; set < t.nset; ++set)
      for (int64_t i = 0; i < intervals; ++i) {
        const double* const c = &alpha[set * t.nalpha + i];
        double* const to = &cubic[set * 4 * stride + i];
        to[0] = (c[0] + 4 * c[1] + c[2]) / 6;
        to[stride] = (c[2] - c[0]) / 2;
        to[2 * stride] = (c[0] - 2 * c[1] + c[2]) / 2;
        to[3 * stride] = (c[3] - c[0] + 3 * (c[1] - c[2])) / 6;
      }
  }
  const double* set(int spin_i, int spin_j) const {
    const int s = set_of_pair(term.nset, spin_i, spin_j);
    return term.form == Form::bspline ? &cubic[s * 4 * stride] : &alpha[s * term.nalpha];
  }
};

// Value, gradient and Laplacian.
struct RowSums {
  double value = 0, gradient[3] = {0, 0, 0}, laplacian = 0;
};

// Chosen once for a lattice and a form; both have to live as long. Positions are in the frame.
class URow {
public:
  URow() = default;
  URow(const Lattice& lattice, const Frame& frame, const UTable& u);
  // All electrons but the one at place `without`, for one or two positions of it.
  void value(const Cloud& cloud, int spin, int64_t without, const double (*at)[3], double* value) const {
    value_(*this, cloud, spin, without, at, value);
  }
  void two_values(const Cloud& cloud, int spin, int64_t without, const double (*at)[3], double* value) const {
    two_values_(*this, cloud, spin, without, at, value);
  }
  RowSums gradient(const Cloud& cloud, int spin, int64_t without, const double* at) const {
    return gradient_(*this, cloud, spin, without, at);
  }
  RowSums laplacian(const Cloud& cloud, int spin, int64_t without, const double* at) const {
    return laplacian_(*this, cloud, spin, without, at);
  }
  const ImageRule& rule() const { return *rule_; }
  const Frame& frame() const { return *frame_; }
  const UTable& table() const { return *u_; }

private:
  using Values = void (*)(const URow&, const Cloud&, int, int64_t, const double (*)[3], double*);
  using Sums = RowSums (*)(const URow&, const Cloud&, int, int64_t, const double*);
  const ImageRule* rule_ = nullptr;
  const Frame* frame_ = nullptr;
  const UTable* u_ = nullptr;
  Values value_ = nullptr, two_values_ = nullptr;
  Sums gradient_ = nullptr, laplacian_ = nullptr;
};

}  // namespace suite::qmc
