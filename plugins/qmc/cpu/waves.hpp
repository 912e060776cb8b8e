// SPDX-License-Identifier: BSD-3-Clause
// exp(i G.r) for a list of G = sum_d n_d b_d, from tables of the powers of exp(i b_d.r): "the powers of these
// exponentials are computed and buffered" (the source document on the p term). The lanes are vectors G for
// one position, or positions for all G.
#pragma once

#include <cstdint>
#include <vector>

#include "../lattice.hpp"
#include "kernels.hpp"

namespace suite::qmc {

class WaveList {
public:
  WaveList() = default;
  WaveList(const Lattice& lattice, const int32_t* n, int64_t count);

  int64_t count() const { return count_; }
  int64_t top(int d) const { return top_[d]; }  // largest |n_d|
  int64_t width() const { return padded(count_); }
  const int32_t* n(int64_t g) const { return n_.data() + 3 * g; }
  // G(d) of each, with zeros up to width().
  const double* G(int d) const { return G_.data() + d * width(); }
  const double* square() const { return G_.data() + 3 * width(); }

  // b_d.r/2 pi.
  void turns(const double* r, double* s) const {
    for (int d = 0; d < 3; ++d) s[d] = b_[d][0] * r[0] + b_[d][1] * r[1] + b_[d][2] * r[2];
  }

  // One position: the powers to tables of one_size() doubles, then re and im of width() numbers. Lists that
  // share tables take theirs from the same ones.
  int64_t one_size() const { return 6 * table_; }
  void powers(const double* r, double* tables) const;
  void at(const double* tables, double* re, double* im) const;
  void at_position(const double* r, double* re, double* im, double* tables) const {
    powers(r, tables);
    at(tables, re, im);
  }
  void share_tables(WaveList& other) {
    const int64_t size = std::max(table_, other.table_);
    set_table(size);
    other.set_table(size);
  }

  // `lanes` positions at once: tables of many_size() doubles, then exp(i G.r) of the g-th G.
  int64_t many_size() const { return 2 * lanes * (top_[0] + top_[1] + top_[2] + 3); }
  void tabulate(const Vector* s, double* tables) const;
  // Sums over G of b_G, exp(i G.r) for the positions tabulated, b as interleaved complex numbers:
  // value = sum Re(e conj b), odd(d) = sum G(d) Im(e conj b), square = sum G^2 Re(e conj b).
  struct Transform {
    Vector value{}, odd[3]{}, square{};
  };
  template <bool derivatives> Transform transform(const double* tables, const double* b) const;

  // Structure factors sum_j exp(i G.r_j) of the `npos` positions r(3,npos), to rho[2 g], rho[2 g + 1], times
  // charge(j) where given. Work of sum_size(npos) doubles.
  int64_t sum_size(int64_t npos) const {
    return padded(npos) * 2 * (top_[0] + top_[1] + top_[2] + 4) + 4 * padded(npos) + 4 * item_count_ + 80;
  }
  void structure_factor(const double* r, const double* charge, int64_t npos, double* rho, double* work) const;

private:
  struct Item {  // |n_3| of one or two vectors of a group
    int32_t n3;
  };
  struct Group {  // all G with these n_1, n_2, up to sign
    int32_t n1, n2;
    int64_t first, last;  // items
  };
  struct Run {  // of order_: these n_1, n_2
    int32_t n1, n2;
    int64_t first, last;
  };
  struct Place {  // where exp(i G.r) is found in the sums
    int64_t item;
    double im, cross;  // signs
  };
  void set_table(int64_t size);
  void sum_items(const Group& group, const double* p, const double* third, int64_t stride, int64_t blocks, const double* none,
                 double* sums) const;

  int64_t count_ = 0, table_ = 0, item_count_ = 0;
  int64_t top_[3] = {0, 0, 0};
  double b_[3][3] = {};  // b_d/2 pi
  std::vector<int32_t> n_;
  std::vector<int64_t> index_;  // (width,3): places in the tables of one position
  std::vector<double> G_;
  std::vector<Group> groups_;
  std::vector<Item> items_;
  std::vector<Place> places_;
  std::vector<int64_t> order_;
  std::vector<Run> runs_;
};

template <bool derivatives> WaveList::Transform WaveList::transform(const double* tables, const double* b) const {
  const double *const second = tables + 2 * lanes * (top_[0] + 1), *const third = second + 2 * lanes * (top_[1] + 1);
  const auto power = [](const double* table, int32_t n, Vector& c, Vector& s) {
    const double* const at = table + 2 * lanes * (n < 0 ? -n : n);
    c = load(at);
    s = n < 0 ? -load(at + lanes) : load(at + lanes);
  };
  Transform sums;
  for (const Run& run : runs_) {
    Vector a, e, c, s;
    power(tables, run.n1, a, e);
    power(second, run.n2, c, s);
    const Vector p = a * c - e * s, q = a * s + e * c;
    for (int64_t i = run.first; i < run.last; ++i) {
      const int64_t g = order_[static_cast<size_t>(i)];
      power(third, n_[static_cast<size_t>(3 * g + 2)], c, s);
      const Vector re = p * c - q * s, im = p * s + q * c;
      const Vector even = re * b[2 * g] + im * b[2 * g + 1];
      sums.value += even;
      if constexpr (derivatives) {
        const Vector odd = im * b[2 * g] - re * b[2 * g + 1];
        for (int d = 0; d < 3; ++d) sums.odd[d] += odd * G(d)[g];
        sums.square += even * square()[g];
      }
    }
  }
  return sums;
}

}  // namespace suite::qmc
