// SPDX-License-Identifier: BSD-3-Clause
// exp(i G.r) of one position for a long list of G in the order of n_1, n_2, n_3: a row has one n_1, n_2 and
// consecutive n_3 in the lanes, exp(i(n_1 b_1 + n_2 b_2).r) is one number for all of it, and what belongs to
// the G is read as it lies in memory. Two multiply-adds a component instead of a product of three looked-up
// powers.
#pragma once

#include "waves.hpp"

namespace suite::qmc {

class WaveRows {
public:
  WaveRows() = default;
  // weight: of each G, for the sums.
  explicit WaveRows(const WaveList& waves, const double* weight = nullptr);

  // Whether rows are long enough to be worth it: a list in another order has rows of 1.
  bool worth() const { return count_ >= 4 * rows_; }

  // The powers of the three exponentials at r and the factors of the rows, to tables of table_size() doubles.
  int64_t table_size() const { return powers_size() + 2 * factors_size(); }
  void tabulate(const double* r, double* tables) const;

  // sum_G weight_G Re(exp(i G.r) conj rho_G), rho as interleaved complex numbers; and with rho 1.
  double sum(const double* tables, const double* rho) const;
  double sum(const double* tables) const;
  // rho_G += q (exp(i G.r) - exp(i G.r')) of two positions.
  void add_difference(const double* tables, const double* old_tables, double q, double* rho) const;

private:
  // Vectors of the list: up to `lanes` consecutive G of a row. One loop over all of them, whatever row they
  // are of: loops over rows end at lengths that no processor foresees, which took half of the time.
  struct Step {
    int32_t first, third, row;  // the first G, where tables have its e_3^n3, whose factor
    int32_t count;
  };
  // Rows with one n_1 and consecutive n_2.
  struct Plane {
    int64_t begin, end;
    int32_t n1, n2;
  };
  // Where tables have e_d^n, n from -top_ on: real parts, and imaginary ones behind. Of e_3 there are `lanes`
  // copies, each a place further, so that every row finds its first number aligned.
  int64_t length(int d) const { return padded(2 * top_[d] + 1) + lanes; }
  int64_t start(int d) const { return d == 0 ? 2 * lanes * length(2) : d == 1 ? start(0) + 2 * length(0) : 0; }
  int64_t powers_size() const { return start(1) + 2 * length(1); }
  int64_t factors_size() const { return padded(rows_) + lanes; }
  const double* factors(const double* tables) const { return tables + powers_size(); }
  void tabulate(int d, double turns, double* tables) const;

  WaveList waves_;
  int64_t count_ = 0, rows_ = 0, top_[3] = {0, 0, 0};
  std::vector<Step> steps_;
  int64_t inside_ = 0;  // of the steps, those whose vectors of rho end before the list does; the others follow
  std::vector<Plane> planes_;
  // Of each step, aligned and padded by zeros, so that what lies behind a row counts nothing.
  cpu::Buffer<double> weight_{"qmc"};
};

}  // namespace suite::qmc
