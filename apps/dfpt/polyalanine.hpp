// SPDX-License-Identifier: BSD-3-Clause
// Polyalanine helices of any length, H-(NH-CH(CH3)-CO)n-OH: molecules to see how times grow with size.
#pragma once

#include "../common/app.hpp"
#include "xyz.hpp"

namespace suite::all_electron {

inline constexpr long least_polyalanine = 10, most_polyalanine = 3000;  // atoms

// Number of residues whose helix, of 10 n + 3 atoms, comes closest to this number of atoms; at least 1.
long alanine_residues(long atoms);

// A right-handed alpha helix of L-alanine along z, its middle at the origin: closed-shell and neutral. Bond
// lengths and angles of Engh and Huber (Acta Cryst. A 47, 392 (1991)), phi = -57 and psi = -47 degrees.
Xyz polyalanine_helix(long residues);

// The input of such a helix of about so many atoms, with the minimal basis on light grids: a geometry file
// and the keys that differ from the standard.
app::App::Start polyalanine_input(long atoms);

}  // namespace suite::all_electron
