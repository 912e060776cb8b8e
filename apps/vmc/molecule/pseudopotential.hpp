// SPDX-License-Identifier: BSD-3-Clause
// Semi-local pseudopotentials: V(r) = V_loc(r) + sum_l dV_l(r) sum_m |Y_lm><Y_lm| around a nucleus. The projectors act on the wave function by
// quadrature over a sphere (Mitas, Shirley, Ceperley, J. Chem. Phys. 95, 3467 (1991)):
//   (2l+1) dV_l(r) sum_q w_q P_l(r.n_q) psi(R + r n_q)/psi(r)
#pragma once

#include <cstdint>
#include <vector>

#include <suite/qmc/philox.hpp>

#include "molecule.hpp"
#include "near_nuclei.hpp"

namespace suite::vmc {

// A rule on the unit sphere, exact to degree 3, 5, 5, 7, 11 with 6, 12, 18, 26, 50 points (McLaren, Math. Comp. 17, 361 (1963), and
// Lebedev); any other number is refused.
struct SphereRule {
  std::vector<Point> point;
  std::vector<double> weight;
};
SphereRule sphere_rule(int points);
// The same rule turned by a rotation drawn uniformly from random words, which makes every rule right in the mean.
SphereRule turned(const SphereRule& rule, const qmc::Words& words);

double legendre(int l, double x);

class Pseudopotentials {
public:
  explicit Pseudopotentials(const Molecule& molecule);

  // The part without projectors, beyond -Z/r.
  double local(size_t ion, double r) const { return sum(ion, local_channel, r); }
  double channel(size_t ion, int l, double r) const { return sum(ion, l, r); }
  // Nuclei with projectors: their largest l, and the distance beyond which none of their channels is felt.
  struct Projectors {
    size_t ion = 0;
    int largest_l = 0;
    double cutoff = 0;
  };
  const std::vector<Projectors>& projectors() const { return projectors_; }

private:
  double sum(size_t ion, int l, double r) const;
  std::vector<std::vector<PotentialTerm>> terms_;  // of each nucleus
  std::vector<Projectors> projectors_;
};

}  // namespace suite::vmc
