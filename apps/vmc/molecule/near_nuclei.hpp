// SPDX-License-Identifier: BSD-3-Clause
// The moves of electrons with drift near nuclei (Umrigar, Nightingale, Runge, J. Chem. Phys. 99, 2865 (1993)): the drift does not overshoot
// the nucleus, and from near it the electron is also proposed a place in the cusp around it.
#pragma once

#include <array>

#include <suite/qmc/philox.hpp>

#include "molecule.hpp"

namespace suite::vmc {

using Point = std::array<double, 3>;

// Where an electron may go from a place, by the nearest nucleus and grad ln|psi| there: with probability `in_cusp` to the density
// zeta^3/pi exp(-2 zeta |r - nucleus|), else to a Gaussian of variance tau around `drifted`.
class Proposal {
public:
  Proposal(const Molecule& molecule, const Point& from, const Point& gradient, double tau);

  struct Move {
    Point to;
    double squared = 0;  // distance from where drift alone leads
  };
  // The random numbers of qmc.sweep, and for the cusp those of further blocks.
  Move draw(int64_t seed, int64_t stream, int64_t sweep, int64_t electron) const;
  // Probability density of going to a place.
  double density(const Point& to) const;

private:
  double tau_, zeta_ = 0, in_cusp_ = 0;
  Point nucleus_{}, drifted_{};
};

}  // namespace suite::vmc
