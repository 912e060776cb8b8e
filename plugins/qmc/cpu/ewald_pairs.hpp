// SPDX-License-Identifier: BSD-3-Clause
// The Ewald interaction as the source document has it: one_loop does both sums for one pair at a time;
// with_tables has a loop over pairs for the images and one for each G, with shared tables of powers.
#pragma once

#include "../ewald.hpp"
#include "powers.hpp"

namespace suite::qmc {

// sum_R erfc(alpha |r-R|)/|r-R| of r = to - from, and q times minus its gradient added to field where given.
inline double short_range_pair(const Lattice& lattice, const EwaldSums& sums, const double* from, const double* to, double* field,
                               double q = 1) {
  constexpr double two_by_root_pi = 1.1283791670955125739;
  double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2], value = 0;
  closest_image(lattice.images, x, y, z);
  for (int64_t m = 0; m < sums.image_count(); ++m) {
    const double* const R = &sums.images[static_cast<size_t>(3 * m)];
    const double d[3] = {x - R[0], y - R[1], z - R[2]}, square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (!(square < sums.r_cut * sums.r_cut)) continue;
    const double r = std::sqrt(square), screened = std::erfc(sums.alpha * r) / r;
    value += screened;
    if (!field) continue;
    const double slope = (screened + two_by_root_pi * sums.alpha * std::exp(-sums.alpha * sums.alpha * square)) / square;
    for (int i = 0; i < 3; ++i) field[i] += q * slope * d[i];
  }
  return value;
}

class EwaldPairs {
public:
  EwaldPairs(const Lattice& lattice, const EwaldSums& sums, const WaveList& waves, const double* charge, int64_t n)
      : lattice_(lattice), sums_(sums), waves_(waves), powers_(waves), charge_(charge), n_(n) {}

  // sum_j q_j v_E(at - r_j) over j < end without i, and minus its gradient where wanted.
  int64_t private_size() const { return 2 * powers_.count(); }
  double one_loop(const double* rele, const double* at, int64_t i, int64_t end, double* field, double* tables) const {
    double *const re = tables, *const im = tables + powers_.count();
    double value = 0;
    for (int64_t j = 0; j < end; ++j) {
      if (j == i) continue;
      const double q = charge_[j], r[3] = {at[0] - rele[3 * j], at[1] - rele[3 * j + 1], at[2] - rele[3 * j + 2]};
      double v = short_range_pair(lattice_, sums_, rele + 3 * j, at, field, q) - sums_.background;
      powers_.fill(r, re, im);
      for (int64_t g = 0; g < waves_.count(); ++g) {
        int64_t places[3];
        double c, s;
        powers_.places(g, places);
        Powers::product(re, im, places, c, s);
        v += add_wave(g, c, s, q, field);
      }
      value += q * v;
    }
    return value;
  }

  int64_t split_size() const { return 2 * powers_.count() * (n_ + 1); }
  void tabulate_all(const double* rele, double* tables) const {
    for (int64_t j = 0; j < n_; ++j) powers_.fill(rele + 3 * j, tables + j, tables + powers_.count() * n_ + j, n_);
  }
  double with_tables(const double* rele, const double* at, int64_t i, int64_t end, double* field, double* tables) const {
    double value = 0, all = 0;
    for (int64_t j = 0; j < end; ++j)
      if (j != i) {
        value += charge_[j] * short_range_pair(lattice_, sums_, rele + 3 * j, at, field, charge_[j]);
        all += charge_[j];
      }
    const double *const re = tables, *const im = tables + powers_.count() * n_;
    double *const own_re = tables + 2 * powers_.count() * n_, *const own_im = own_re + powers_.count();
    powers_.fill(at, own_re, own_im);
    for (int64_t g = 0; g < waves_.count(); ++g) {
      int64_t places[3];
      double cosine, sine, c, s;
      powers_.places(g, places);
      Powers::product(own_re, own_im, places, cosine, sine);
      powers_.sum_wave(re, im, g, 0, end, n_, charge_, c, s);
      if (i < end) {
        double x, y;
        Powers::product(re + i, im + i, places, x, y, n_);
        c -= charge_[i] * x;
        s -= charge_[i] * y;
      }
      value += add_wave(g, cosine * c + sine * s, sine * c - cosine * s, 1, field);
    }
    return value - sums_.background * all;
  }

private:
  double add_wave(int64_t g, double cosine, double sine, double q, double* field) const {
    const double weight = sums_.weight[static_cast<size_t>(g)];
    for (int d = 0; field && d < 3; ++d) field[d] += q * weight * sine * waves_.G(d)[g];
    return weight * cosine;
  }

  const Lattice& lattice_;
  const EwaldSums& sums_;
  const WaveList& waves_;
  Powers powers_;
  const double* charge_;
  int64_t n_;
};

}  // namespace suite::qmc
