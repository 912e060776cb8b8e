// SPDX-License-Identifier: BSD-3-Clause
// Nonlinear core correction: S. G. Louie, S. Froyen and M. L. Cohen, Phys. Rev. B 26, 1738 (1982).
//
// Exchange and correlation are those of the valence electrons' density and rho_core, the sum over the atoms of the density of their core, half
// of it of either spin. Nothing else sees rho_core. It moves with the ions:
//   F = -int (v_xc,up + v_xc,down)/2 d rho_core/dR
// with rho_core as it stands on the grid, which is minus the derivative of the exchange and correlation energy there.
#pragma once

#include <vector>

#include "pseudopotential.hpp"
#include "system.hpp"

namespace suite::tddft {

// Whether an atom of the system has such a density.
bool has_core(const System& system);

// rho_core(Nz,Ny,Nx), bohr^-3; empty without one.
std::vector<double> core_density(const System& system);

// Electrons of all cores, as the files have them, and the integral of rho_core over the grid: less what the filter and the faces of an isolated
// cell cut.
double core_charge(const System& system);
double core_charge_on_grid(const System& system);

// On every atom, Ha/bohr. v(Nz,Ny,Nx,spins): the potential of exchange and correlation, Ha.
std::vector<Vec3> core_forces(const System& system, const std::vector<double>& v);

}  // namespace suite::tddft
