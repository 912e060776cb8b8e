// SPDX-License-Identifier: BSD-3-Clause
// Independent Coulomb energy of a configuration, to check the kernels: it must not depend on how the sum is split between real and
// reciprocal space.
#pragma once

#include <optional>
#include <span>

#include "system.hpp"

namespace suite::vmc {

// Energy of the electrons rele(3,netot) with their images and the neutralising background, in a crystal with the nuclei, too, Ha (Ewald,
// Ann. Phys. 369, 253 (1921)). split: range of the screening charges times the cube root of the volume; the result does not depend on it.
double coulomb_energy(const System& system, std::span<const double> rele, double split = 4);

// The kernel's energy and ours for the first walker of rele(3,netot,n) and energies(part::count,n). nullopt for large systems, where it
// takes long, without a walker, and for molecules, whose sums have no parameter.
struct CoulombSample {
  double kernel = 0, own = 0;
};
std::optional<CoulombSample> coulomb_sample(const System& system, std::span<const double> rele, std::span<const double> energies);

}  // namespace suite::vmc
