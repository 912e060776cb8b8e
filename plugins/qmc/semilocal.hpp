// SPDX-License-Identifier: BSD-3-Clause
// The pseudopotentials of a call of qmc.pseudopotential, checked, their terms in the order of sets and l. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "call.hpp"
#include "quadrature.hpp"
#include "sphere_rule.hpp"

namespace suite::qmc {

struct Semilocal {
  std::vector<int32_t> set_of_ion;  // from 0; -1: none
  std::vector<double> cutoff;
  std::vector<int32_t> largest_l;  // of each set; -1: it has no terms
  // Terms first(l_channels s + l) to first(l_channels s + l + 1) - 1 are those of set s and l.
  std::vector<int32_t> first, power;
  std::vector<double> exponent, coefficient;

  int64_t ions() const {
    return std::count_if(set_of_ion.begin(), set_of_ion.end(), [](int32_t set) { return set >= 0; });
  }
};

// The constant arguments of a call on the host.
struct SemilocalArguments {
  std::vector<int32_t> set_of_ion, term_set, term_l, power;
  std::vector<double> cutoff, exponent, coefficient;
};
// fetch(argument, name, vector) copies an argument to the host.
template <class Fetch> SemilocalArguments semilocal_arguments(const Pseudopotential& c, const Fetch& fetch) {
  SemilocalArguments a;
  fetch(c.set_of_ion, "set_of_ion", a.set_of_ion);
  fetch(c.cutoff, "cutoff", a.cutoff);
  fetch(c.term_set, "term_set", a.term_set);
  fetch(c.term_l, "term_l", a.term_l);
  fetch(c.power, "power", a.power);
  fetch(c.exponent, "exponent", a.exponent);
  fetch(c.coefficient, "coefficient", a.coefficient);
  return a;
}

// lattice is null in open space.
Semilocal semilocal_of(SemilocalArguments arguments, const Lattice* lattice);

// (2l+1) v_l(r) of a set, for l up to its largest.
inline void radial_functions(const Semilocal& potential, int set, double r, double* v) {
  for (int l = 0; l <= potential.largest_l[static_cast<size_t>(set)]; ++l) {
    const auto channel = static_cast<size_t>(l_channels * set + l);
    v[l] = 0;
    for (auto t = static_cast<size_t>(potential.first[channel]); t < static_cast<size_t>(potential.first[channel + 1]); ++t)
      v[l] += (2 * l + 1) * radial_term(potential.coefficient[t], potential.power[t], potential.exponent[t], r);
  }
}

// What a call asks for, checked.
struct QuadratureCall {
  bool one = false, turns = false;
  int64_t which = 0;  // from 0
  int64_t electron(int64_t e) const { return one ? which : e; }
};
QuadratureCall check_pseudopotential(const Pseudopotential& c);

// An electron that is within the cutoffs of more ions than mpair; electron from 0.
void check_pairs(int64_t pairs, int64_t mpair, int64_t electron, int64_t walker);

}  // namespace suite::qmc
