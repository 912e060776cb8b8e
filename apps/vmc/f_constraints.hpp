// SPDX-License-Identifier: BSD-3-Clause
// Which coefficients gamma_lmn of an f term are free, and what they make of the others. f must have
// no cusp, neither where two electrons meet nor at the ion, because u, chi and the orbitals have them; and it may be kept from containing
// functions that u or chi have already. All of that is linear in gamma (Drummond, Towler, Needs, Phys. Rev. B 70, 235119 (2004);
// docs/theory/qmc.md has the equations).
//
// Which ones are free is a convention that decides what the numbers of a correlation.data mean: with the unknowns in the order of n, then
// m, then l >= m, Gaussian elimination makes each pivot dependent.
#pragma once

#include <vector>

namespace suite::vmc {

struct FShape {
  int nen = 0, nee = 0;  // largest powers of the distances to the ion and of that of the electrons
  bool without_u = false, without_chi = false;
  bool operator==(const FShape&) const = default;
};

class FConstraints {
public:
  FConstraints(const FShape& shape, int truncation, double L);
  struct Powers {
    int l, m, n;  // l >= m
  };
  const std::vector<Powers>& free() const { return free_; }
  // gamma(nf_en,nf_en,...) of one set of pairs, which may have more powers than the shape: sets all but the free ones.
  void complete(double* gamma, int nf_en) const;

private:
  struct Dependent {
    Powers at;
    std::vector<double> of_free;
  };
  std::vector<Powers> free_;
  std::vector<Dependent> dependent_;
};

}  // namespace suite::vmc
