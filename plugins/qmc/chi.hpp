// SPDX-License-Identifier: BSD-3-Clause
// The chi term of a call, checked, with the coefficients that its slopes fix. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "ion_sets.hpp"

namespace suite::qmc {

struct ChiTerm {
  int64_t nbeta = 0;
  int nspin = 1, nset = 0, C = 3;
  std::vector<double> beta, L;      // (nbeta,nspin,nset), (nset)
  std::vector<int32_t> set_of_ion;  // from 0; -1: none

  const double* coefficients(int spin, int set) const { return &beta[static_cast<size_t>(nbeta * (set * nspin + of_spin(spin)))]; }
  int of_spin(int spin) const { return nspin == 2 ? spin : 0; }
};

// fetch(argument, name, vector) copies an argument to the host; lattice is null in open space.
template <class Fetch> ChiTerm chi_term(const JastrowChi& c, const Lattice* lattice, const Fetch& fetch) {
  ChiTerm chi;
  chi.nbeta = c.beta.extent(0);
  chi.nspin = static_cast<int>(std::min<int64_t>(c.beta.extent(1), 3));
  chi.nset = static_cast<int>(c.beta.extent(2));
  chi.C = c.truncation;
  fetch(c.beta, "beta", chi.beta);
  fetch(c.L_chi, "L_chi", chi.L);
  fetch(c.set_of_ion, "set_of_ion", chi.set_of_ion);
  if (chi.nspin > 2) refuse("nspin is " + text_of(c.beta.extent(1)) + " in beta; it must be one of 1, 2 (up, down)");
  check_truncation(chi.C);
  check_cutoffs("L_chi", chi.L, lattice ? lattice->inscribed_radius : -1, "the inscribed radius");
  check_sets_of_ions(chi.set_of_ion, chi.nset);
  if (!c.slope) return chi;
  if (chi.nbeta < 2) refuse("slope is set but nbeta is " + text_of(chi.nbeta) + " in beta; it must be at least 2");
  std::vector<double> slope;
  fetch(c.slope, "slope", slope);
  for (int64_t s = 0; s < chi.nset; ++s)
    for (int64_t spin = 0; spin < chi.nspin; ++spin) {
      double* const beta = &chi.beta[static_cast<size_t>(chi.nbeta * (s * chi.nspin + spin))];
      const double L = chi.L[static_cast<size_t>(s)];
      beta[1] = slope[static_cast<size_t>(s)] / small_power(-L, chi.C) + chi.C * beta[0] / L;
    }
  return chi;
}

}  // namespace suite::qmc
