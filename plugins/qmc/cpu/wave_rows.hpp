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
  bool worth() const { return count_ >= 4 * static_cast<int64_t>(rows_.size()); }

  // The powers of the three exponentials at r and the factors of the rows, to tables of table_size() doubles.
  int64_t table_size() const { return powers_size() + 2 * factors_size(); }
  void tabulate(const double* r, double* tables) const;

  // sum_G weight_G Re(exp(i G.r) conj rho_G), rho as interleaved complex numbers; and with rho 1.
  double sum(const double* tables, const double* rho) const;
  double sum(const double* tables) const;
  // rho_G += q (exp(i G.r) - exp(i G.r')) of two positions.
  void add_difference(const double* tables, const double* old_tables, double q, double* rho) const;

private:
  struct Row {
    int32_t n1, n2, n3;  // n3 of the first one
    int32_t count;
    int64_t first, weight;  // where its weights begin
  };
  // Rows begin .. end - 1 have so many vectors each.
  struct Group {
    int64_t begin, end, vectors;
  };
  // The same with one n_1 and consecutive n_2.
  struct Plane {
    int64_t begin, end;
    int32_t n1, n2;
  };
  // Where tables have e_d^0: real parts, and imaginary ones behind.
  int64_t length(int d) const { return padded(2 * top_[d] + 1) + lanes; }
  int64_t zero(int d) const {
    int64_t at = 0;
    for (int k = 0; k < d; ++k) at += 2 * length(k);
    return at + top_[d];
  }
  int64_t powers_size() const { return 2 * (length(0) + length(1) + length(2)); }
  int64_t factors_size() const { return std::ssize(rows_) + lanes; }
  const double* factors(const double* tables) const { return tables + powers_size(); }
  template <int vectors>
  Vector sum_rows(const Group& group, const double* tables, const double* rho) const;

  WaveList waves_;
  int64_t count_ = 0, top_[3] = {0, 0, 0};
  std::vector<Row> rows_;
  std::vector<Group> groups_;  // of rows whose vectors end before the list does; the others follow
  std::vector<Plane> planes_;
  std::vector<double> weight_;  // each row padded by zeros, so that what lies behind a row counts nothing
};

}  // namespace suite::qmc
