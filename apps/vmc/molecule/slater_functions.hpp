// SPDX-License-Identifier: BSD-3-Clause
// Slater functions of a molecule on the host: integrals of its orbitals, and their cusps.
#pragma once

#include "molecule.hpp"

namespace suite::vmc {

// integrals_of() for Slater functions: on one nucleus in closed form, on two by quadrature in their prolate spheroidal coordinates, to
// about 1e-9.
Integrals slater_integrals(const Molecule& molecule, int spin);

// The largest | slope/(-Z value) - 1 | of an occupied orbital at a nucleus, of its mean over directions; orbitals with less than a
// thousandth of the largest value there have no part in it. 0 is a cusp as the exact wave function's.
double worst_cusp(const Molecule& molecule);

}  // namespace suite::vmc
