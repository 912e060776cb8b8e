// SPDX-License-Identifier: BSD-3-Clause
// Generates polyalanine of any length, H-(NH-CH(CH3)-CO)n-OH, for scaling studies in system size.
#pragma once

#include "base/starter.hpp"
#include "base/structure/structure.hpp"

namespace suite::all_electron {

inline constexpr long least_polyalanine = 10, most_polyalanine = 3000;  // atoms

// Number of residues (at least 1) whose molecule of 10 n + 3 atoms is closest to this number of atoms.
long alanine_residues(long atoms);

// A strand, phi = -139 and psi = 135 degrees, or a right-handed alpha helix, -57 and -47. The dipoles of a helix add up: in the
// local-density approximation a long one has no gap.
enum class Conformation { strand, helix };

// L-alanine along z, centred at the origin: closed-shell and neutral. Bond lengths and angles of Engh and Huber (Acta Cryst. A 47, 392
// (1991)).
app::Structure polyalanine(long residues, Conformation conformation);

// The input of such a molecule with about that many atoms, with the minimal basis on light grids: a geometry file and the keys that differ
// from the default.
app::Starter::Start polyalanine_input(long atoms, Conformation conformation);

}  // namespace suite::all_electron
