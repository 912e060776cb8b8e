// SPDX-License-Identifier: BSD-3-Clause
// Plasmon-pole parameters of one q: from the inverse dielectric matrix eps^-1(G,G') the strengths
//   I(G,G') = delta_GG' - eps^-1(G,G')
// and the pole energies w(G,G') of gpp.sigma (plugins/gpp/gpp.hpp). docs/theory/gpp.md has the derivation.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "gw.hpp"

namespace suite::gw {

// The charge density rho(G), electrons per cell, with a quick lookup; 0 outside the sphere of the file.
class Density {
public:
  Density() = default;
  Density(std::span<const Miller> G, std::span<const std::complex<double>> rho);
  std::complex<double> at(const Miller& G) const {
    std::ptrdiff_t index = 0;
    for (int i = 0; i < 3; ++i) {
      if (G[i] < -reach_[i] || G[i] > reach_[i]) return 0;
      index = index * (2 * reach_[i] + 1) + (G[i] + reach_[i]);
    }
    return box_[index];
  }
  double electrons() const { return electrons_; }  // rho(0)
  const std::vector<Miller>& gvectors() const { return g_; }

private:
  std::vector<Miller> g_;
  Miller reach_{-1, -1, -1};  // largest |G_i|; an empty density has no G at all
  std::vector<std::complex<double>> box_;
  double electrons_ = 0;
};

struct PlasmonPoleInput {
  const std::complex<double>* eps_inverse = nullptr;  // (ncouls,ncouls), eps^-1(G,G') with row G fastest
  int ncouls = 0;
  const Miller* G = nullptr;      // (ncouls)
  Vector3 q{};                    // crystal coordinates
  bool q_is_zero = false;         // then q counts as exactly 0
  Matrix3 bdot{};                 // bohr^-2
  const double* vcoul = nullptr;  // (ncouls) v(q+G), averaged or not, Ry bohr^3
  const Density* rho = nullptr;
  double volume = 0;  // of the cell, bohr^3
  // Where w^2 < 0: 0 no pole, 1 imaginary w, 2 w = 2 Ry, 3 static limit (w = 1e12 eV).
  int invalid_gpp_mode = 3;
  bool real_flavour = false;  // I and rho real: w^2 = Omega^2/I; else the complex form
};

// Hybertsen and Louie: w^2 from the f-sum rule. Writes I_eps and wtilde (eV), both (ncouls,ncouls), G
// fastest.
PoleCount hybertsen_louie(const PlasmonPoleInput& input, std::complex<double>* I_eps, std::complex<double>* wtilde);

// Godby and Needs: w^2 from eps^-1 at a second, imaginary frequency i plasmon_eV; input.rho is not used.
PoleCount godby_needs(const PlasmonPoleInput& input, const std::complex<double>* eps_inverse_imaginary, double plasmon_eV,
                      std::complex<double>* I_eps, std::complex<double>* wtilde);

}  // namespace suite::gw
