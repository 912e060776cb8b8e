// SPDX-License-Identifier: BSD-3-Clause
// The p term as the source document has it, O(N) for each G: cos(G.r) from buffered powers of three
// exponentials. one_loop has them for one pair at a time, in private arrays; with_tables has those of all
// electrons in shared arrays, the electron fastest, and a loop of its own for each G.
#pragma once

#include "p_term.hpp"
#include "powers.hpp"

namespace suite::qmc {

class PairSums {
public:
  struct Sums {
    double value = 0, gradient[3] = {0, 0, 0}, laplacian = 0;
    void add(double a, const WaveList& waves, int64_t g, double cosine, double sine) {
      value += a * cosine;
      for (int d = 0; d < 3; ++d) gradient[d] -= a * waves.G(d)[g] * sine;
      laplacian -= a * waves.square()[g] * cosine;
    }
  };

  PairSums(const PTable& p, const Electrons& electrons) : p_(p), waves_(p.waves), powers_(p.waves), electrons_(electrons) {}

  // Doubles of a thread.
  int64_t private_size() const { return 2 * powers_.count(); }
  Sums one_loop(const double* rele, const double* at, int64_t electron, double* tables) const {
    double *const re = tables, *const im = tables + powers_.count();
    Sums sums;
    for (int64_t j = 0; j < electrons_.netot; ++j) {
      if (j == electron) continue;
      const double r[3] = {at[0] - rele[3 * j], at[1] - rele[3 * j + 1], at[2] - rele[3 * j + 2]};
      powers_.fill(r, re, im);
      const double* const a = p_.set(electrons_.spin(electron), electrons_.spin(j));
      for (int64_t g = 0; g < waves_.count(); ++g) {
        int64_t places[3];
        double c, s;
        powers_.places(g, places);
        Powers::product(re, im, places, c, s);
        sums.add(a[g], waves_, g, c, s);
      }
    }
    return sums;
  }

  int64_t split_size() const { return 2 * powers_.count() * (electrons_.netot + 1); }
  void tabulate_all(const double* rele, double* tables) const {
    const int64_t n = electrons_.netot;
    for (int64_t j = 0; j < n; ++j) powers_.fill(rele + 3 * j, tables + j, tables + powers_.count() * n + j, n);
  }
  Sums with_tables(const double* at, int64_t electron, double* tables) const {
    const int64_t netot = electrons_.netot;
    const double *const re = tables, *const im = tables + powers_.count() * netot;
    double *const own_re = tables + 2 * powers_.count() * netot, *const own_im = own_re + powers_.count();
    powers_.fill(at, own_re, own_im);
    Sums sums;
    const int spin = electrons_.spin(electron);
    for (int64_t g = 0; g < waves_.count(); ++g) {
      int64_t places[3];
      double cosine, sine;
      powers_.places(g, places);
      Powers::product(own_re, own_im, places, cosine, sine);
      for (int other = 0; other < 2; ++other) {
        const int64_t begin = electrons_.first(other), end = begin + electrons_.count(other);
        double c, s;
        powers_.sum_wave(re, im, g, begin, end, netot, nullptr, c, s);
        if (other == spin) {
          double x, y;
          Powers::product(re + electron, im + electron, places, x, y, netot);
          c -= x;
          s -= y;
        }
        sums.add(p_.set(spin, other)[g], waves_, g, cosine * c + sine * s, sine * c - cosine * s);
      }
    }
    return sums;
  }

private:
  const PTable& p_;
  const WaveList& waves_;
  Powers powers_;
  const Electrons& electrons_;
};

}  // namespace suite::qmc
