// SPDX-License-Identifier: BSD-3-Clause
// The Coulomb energy of one configuration by sums of its own, to hold the kernels' against: it must not
// depend on how the sum is split between real and reciprocal space.
#pragma once

#include <optional>
#include <span>

#include "system.hpp"

namespace suite::vmc {

// Electrons rele(3,netot) with their images and the neutralising background, Ha (Ewald, Ann. Phys. 369, 253
// (1921)). split: range of the screening charges times the cube root of the volume; the result is the same
// for all.
double coulomb_energy(const System& system, std::span<const double> rele, double split = 4);

// What a kernel has, and that, for the first walker of rele(3,netot,n) and energies(part::count,n). Nothing
// for large systems, where it takes long, and without a walker.
struct CoulombSample {
  double kernel = 0, own = 0;
};
std::optional<CoulombSample> coulomb_sample(const System& system, std::span<const double> rele, std::span<const double> energies);

}  // namespace suite::vmc
