// SPDX-License-Identifier: BSD-3-Clause
// Forces on the ions: minus the derivative of the total energy by an ion's position, on this grid,
//   F = -int rho dv_loc/dR - 2 Re sum_n f_n D_ij <psi_n|beta_i> <d beta_j/dR|psi_n> - dE_ions/dR
// with v_loc as it stands on the grid and the real beta differentiated: the phase exp(-i(A+k).(r-R)) of one atom cancels between the two
// factors. The grid does not move with the ions, so that there is no other term. Without an external electric field, which adds Z E.
#pragma once

#include <complex>
#include <vector>

#include "pseudopotential.hpp"

namespace suite::tddft {

// The nonlocal part of some orbitals, for every atom of the system. psi(orbitals,Nz,Ny,Nx), `orbitals` = f.size(); k(3,orbitals).
template <class R>
std::vector<Vec3> nonlocal_forces(const System& system, const Nonlocal& nonlocal, const std::vector<double>& f,
                                  const std::vector<double>& k, const Vec3& A, const std::complex<R>* psi);

extern template std::vector<Vec3> nonlocal_forces(const System&, const Nonlocal&, const std::vector<double>&, const std::vector<double>&,
                                                  const Vec3&, const std::complex<double>*);
extern template std::vector<Vec3> nonlocal_forces(const System&, const Nonlocal&, const std::vector<double>&, const std::vector<double>&,
                                                  const Vec3&, const std::complex<float>*);

// a += b
void add_forces(std::vector<Vec3>& a, const std::vector<Vec3>& b);
Vec3 total_force(const std::vector<Vec3>& forces);

}  // namespace suite::tddft
