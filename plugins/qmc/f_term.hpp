// SPDX-License-Identifier: BSD-3-Clause
// The f term of a call, checked. Host code.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ion_sets.hpp"

namespace suite::qmc {

inline constexpr int64_t most_powers = 16;

struct FTerm {
  int64_t nen = 0, nee = 0;  // numbers of powers of r_i (and r_j) and of r_ij
  int nset_pair = 1, nset = 0, C = 3;
  std::vector<double> gamma, L;     // (nen,nen,nee,nset_pair,nset), (nset)
  std::vector<int32_t> set_of_ion;  // from 0; -1: none

  int64_t numbers() const { return nen * nen * nee; }  // of one pair of sets
  int64_t at(int of_pair, int set) const { return numbers() * (of_pair + int64_t{nset_pair} * set); }
};

// fetch(argument, name, vector) copies an argument to the host; lattice is null in open space.
template <class Fetch> FTerm f_term(const JastrowF& c, const Lattice* lattice, const Fetch& fetch) {
  FTerm f;
  f.nen = c.gamma.extent(0);
  f.nee = c.gamma.extent(2);
  f.nset_pair = static_cast<int>(std::min<int64_t>(c.gamma.extent(3), 4));
  f.nset = static_cast<int>(c.gamma.extent(4));
  f.C = c.truncation;
  fetch(c.gamma, "gamma", f.gamma);
  fetch(c.L_f, "L_f", f.L);
  fetch(c.set_of_ion, "set_of_ion", f.set_of_ion);
  if (f.nset_pair > 3) refuse(concat("nset_f is ", c.gamma.extent(3), " in gamma; it must be one of 1, 2 (parallel, antiparallel), 3"));
  for (const auto& [name, powers] : {std::pair{"nf_en", f.nen}, std::pair{"nf_ee", f.nee}})
    if (powers > most_powers) refuse(concat(name, " is ", powers, " in gamma; it must be at most ", most_powers));
  check_truncation(f.C);
  check_cutoffs("L_f", f.L, lattice ? lattice->inscribed_radius / 2 : -1, "half the inscribed radius");
  check_sets_of_ions(f.set_of_ion, f.nset);
  for (int64_t k = 0; k < f.nee * f.nset_pair * f.nset; ++k)
    for (int64_t l = 0; l < f.nen; ++l)
      for (int64_t m = 0; m < l; ++m) {
        const auto a = static_cast<size_t>(l + f.nen * (m + f.nen * k)), b = static_cast<size_t>(m + f.nen * (l + f.nen * k));
        if (std::abs(f.gamma[a] - f.gamma[b]) <= 1e-12 * std::abs(f.gamma[a])) continue;
        const auto name = [&](int64_t i, int64_t j) {
          return concat("gamma(", i + 1, ",", j + 1, ",", k % f.nee + 1, ",", k / f.nee % f.nset_pair + 1, ",", k / f.nee / f.nset_pair + 1,
                        ")");
        };
        refuse(name(l, m) + " is " + text_of(f.gamma[a]) + " but " + name(m, l) + " is " + text_of(f.gamma[b]) +
               "; gamma must be symmetric in its first two indices");
      }
  const int64_t all = f.numbers() * f.nset_pair * f.nset;
  const auto check_size = [&](const char* name, bool set, int64_t extent) {
    if (set && extent != all) refuse(concat("nf_all is ", extent, " in ", name, " but gamma has ", all, " elements"));
  };
  check_size("dvalue", bool(c.dvalue), c.dvalue ? c.dvalue.extent(0) : 0);
  check_size("dgradient", bool(c.dgradient), c.dgradient ? c.dgradient.extent(1) : 0);
  check_size("dlaplacian", bool(c.dlaplacian), c.dlaplacian ? c.dlaplacian.extent(0) : 0);
  return f;
}

}  // namespace suite::qmc
