// SPDX-License-Identifier: BSD-3-Clause
// Initial guess of the ground state.
#pragma once

#include <cstdint>
#include <vector>

#include "system.hpp"

namespace suite::tddft {

// Gaussians about as wide as the valence shells, scaled to the number of electrons.
std::vector<double> guess_density(const System& system);

// `count` functions exp(ikr) times a random sum of Gaussians at the atoms (or anywhere, without atoms), with s and p character and some
// noise, so that every symmetry is represented.
template <class T> std::vector<T> guess_orbitals(const System& system, const Vec3& k, int count, uint64_t seed);

}  // namespace suite::tddft
