// SPDX-License-Identifier: BSD-3-Clause
// The chi term of a call, checked, with the coefficients that its slopes fix. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "call.hpp"

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
  const auto refuse = [](const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); };
  const auto element = [](const char* name, int64_t i) { return std::string(name) + "(" + text_of(i + 1) + ") is "; };
  ChiTerm chi;
  chi.nbeta = c.beta.extent(0);
  chi.nspin = static_cast<int>(std::min<int64_t>(c.beta.extent(1), 3));
  chi.nset = static_cast<int>(c.beta.extent(2));
  chi.C = c.truncation;
  fetch(c.beta, "beta", chi.beta);
  fetch(c.L_chi, "L_chi", chi.L);
  fetch(c.set_of_ion, "set_of_ion", chi.set_of_ion);
  if (chi.nspin > 2) refuse("nspin is " + text_of(c.beta.extent(1)) + " in beta; it must be one of 1, 2 (up, down)");
  if (chi.C != 2 && chi.C != 3) refuse("truncation is " + text_of(int64_t{chi.C}) + "; it must be one of 2, 3");
  for (int64_t s = 0; s < chi.nset; ++s) {
    const double L = chi.L[static_cast<size_t>(s)];
    if (!(L > 0)) refuse(element("L_chi", s) + text_of(L) + " bohr; it must be positive");
    if (lattice && !(L <= lattice->inscribed_radius * (1 + 1e-9)))
      refuse(element("L_chi", s) + text_of(L) + " bohr; it must be at most the inscribed radius of the Wigner-Seitz cell, " +
             text_of(lattice->inscribed_radius));
  }
  for (size_t i = 0; i < chi.set_of_ion.size(); ++i) {
    if (chi.set_of_ion[i] < 0 || chi.set_of_ion[i] > chi.nset)
      refuse(element("set_of_ion", static_cast<int64_t>(i)) + text_of(int64_t{chi.set_of_ion[i]}) + "; the sets are 1 to " +
             text_of(int64_t{chi.nset}) + ", and 0 is none");
    --chi.set_of_ion[i];
  }
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
