// SPDX-License-Identifier: BSD-3-Clause
// A determinant of complex orbitals M(a,j) = phi_a(r_j) = A + iB. The kernels of determinants are real; they keep the inverse of the real
// matrix of twice the size
//   ( A  -B )
//   ( B   A ),
// whose determinant is |det M|^2. Column i of its dbar gives the real part of ratios of electron i, column n + i their imaginary part.
// So every implementation and device serves. Ratios cost what complex ones cost; updates, inversions and memory twice that.
//
// |psi'/psi| does not depend on the phases of the columns: that of an electron that moves is chosen such that its ratio is real. The two real
// columns that replace it one after the other then both have the ratio |psi'/psi|; with another phase the first might be singular.
#pragma once

#include <memory>

#include "molecule/part.hpp"

namespace suite::vmc {

std::unique_ptr<Part> make_complex_determinant(const System& system, const Implementation& implementation, const Device& device, int spin,
                                               int64_t capacity);

}  // namespace suite::vmc
