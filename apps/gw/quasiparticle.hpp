// SPDX-License-Identifier: BSD-3-Clause
// From the self-energy at a few energies to quasiparticle energies.
//   Eqp0 = Emf - Vxc + Sigma(Eo),   Z = 1/(1 - S'),   Eqp1 = Eqp0 + S'/(1 - S') (Eqp0 - Eo),   Eo = Emf unless it was corrected,
// S' = dSigma/dE by the chosen finite difference. Where Sigma is complex, S' is, and the real parts of Z and
// of S'/(1 - S') = Z - 1 are taken, those of all else before (BerkeleyGW's rule for complex wavefunctions).
// Without a static remainder first (the primed columns of BerkeleyGW), then with: Eqp0 + remainder, Eqp1 + Z remainder. On a grid of energies
// Eqp1 solves Emf - Vxc + Re Sigma(E) = E, without the remainder and with it, and Z is that of the root with it. Hybertsen and Louie, Phys. Rev. B 34, 5390, eqs. 36, 37.
#pragma once

#include <optional>
#include <vector>

#include "gw.hpp"

namespace suite::gw {

// One row of the tables; eV. Degenerate states have the average of their set in every column but emf.
struct Quasiparticle {
  int k = 0, band = 0;  // k: index into Result::kpoints; band from 1
  int spin = 1;  // 1 or 2
  double emf = 0, x = 0, sx = 0, vxc = 0;
  double eo = 0;  // emf with corrections, at which Sigma is given
  double ch = 0, sigma = 0, eqp0 = 0, eqp1 = 0;  // with static remainder
  double ch_primed = 0, sigma_primed = 0, eqp0_primed = 0, eqp1_primed = 0;  // without
  double z = 1;
  double imaginary = 0;  // of Sigma, by contour deformation
};

// The states in the order given, which must be k slowest, then spin, then bands upwards.
std::vector<Quasiparticle> quasiparticles(const std::vector<State>& states, int finite_difference_form);

// Highest occupied and lowest empty level of the states present.
struct Gap {
  double valence_top = 0, conduction_bottom = 0;
  int k_valence = 0, k_conduction = 0;
  int spin_valence = 1, spin_conduction = 1;
  std::optional<double> direct_at_gamma;
  double gap() const { return conduction_bottom - valence_top; }
};
// Of the energies `level` of all states of both spins; nothing where no state on one side of the gap was computed.
std::optional<Gap> find_gap(const std::vector<Quasiparticle>& states, double Quasiparticle::*level, const Result& result);

// The first state after `first` that is not degenerate with it (1e-6 Ry, chained): states first ... result-1
// are a set.
size_t end_of_degenerate_set(const std::vector<Quasiparticle>& states, size_t first);

}  // namespace suite::gw
