// SPDX-License-Identifier: BSD-3-Clause
// The p term by structure factors: what electrons of one spin see of all the others is one complex number for
// each G, and an electron's own share of it a constant.
#pragma once

#include <array>

#include "waves.hpp"

namespace suite::qmc {

struct PTable {
  PTerm term;
  WaveList waves;
  std::vector<int64_t> star;             // from 0
  std::array<std::vector<double>, 3> a;  // of each set, by G

  PTable() = default;
  template <class Call>
  PTable(const Lattice& lattice, const Call& c) : term(p_term(c, c.gvec.data(), c.star.data())), waves(lattice, c.gvec.data(), term.ngvec) {
    for (int64_t g = 0; g < term.ngvec; ++g) {
      star.push_back(c.star(g) - 1);
      for (int set = 0; set < term.nset; ++set) a[set].push_back(c.a(star.back(), set));
    }
  }
  const double* set(int spin_i, int spin_j) const { return a[static_cast<size_t>(set_of_pair(term.nset, spin_i, spin_j))].data(); }

  // What the electrons of `spin` see: b_G = sum over spins of a rho_G, interleaved; and what an electron's
  // own part of it adds to its value and its Laplacian.
  struct Own {
    double value = 0, square = 0;
  };
  Own seen_by(int spin, const double* rho_up, const double* rho_dn, double* b) const {
    const double *const up = set(spin, 0), *const dn = set(spin, 1), *const own = spin ? dn : up;
    Own sums;
    for (int64_t g = 0; g < term.ngvec; ++g) {
      b[2 * g] = up[g] * rho_up[2 * g] + dn[g] * rho_dn[2 * g];
      b[2 * g + 1] = up[g] * rho_up[2 * g + 1] + dn[g] * rho_dn[2 * g + 1];
      sums.value += own[g];
      sums.square += own[g] * waves.square()[g];
    }
    return sums;
  }
};

// What the lanes' positions share: their turns, to the tables of `waves`; positions behind the last are the
// last one.
inline void tabulate_positions(const WaveList& waves, const double* r, int64_t npos, double* tables) {
  Vector s[3];
  for (int l = 0; l < lanes; ++l) {
    double x[3];
    waves.turns(r + 3 * std::min<int64_t>(l, npos - 1), x);
    for (int d = 0; d < 3; ++d) s[d][l] = x[d];
  }
  waves.tabulate(s, tables);
}

}  // namespace suite::qmc
