// SPDX-License-Identifier: BSD-3-Clause
// Exchange and correlation that lfd.compute_vxc does not have: functionals of the density's gradient, of two spins, and of a density of cores
// (core_density.hpp) beside that of the electrons.
//
// The gradients are those of LineGradient. With e(n, sigma) the energy density and sigma the products of gradients,
//   E = h^3 sum_points e,   v_s = e_n_s - div w_s,   w_s = sum_t (d sigma_st/d g_s) e_sigma_st,  for one spin w = 2 e_sigma grad n,
// is exactly the derivative of this E by the densities at the points, because the divergence is minus the transpose of the gradient. Below
// a density of 1e-6 bohr^-3 its gradient counts as 0, and below 1e-10 the density too; for each of two spins half of that. There the derivatives
// by the gradient are those of rounding: of a density of 1e-7 at the faces of a cell no self-consistent one was found.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/xc/xc_fields.hpp"
#include "line_gradient.hpp"
#include "system.hpp"

namespace suite::tddft {

// A functional of inputs; nullopt for "none".
std::optional<app::Xc> xc_named(const std::string& functional);
// Whether lfd.compute_vxc has this functional for so many spins, and none is needed of cores: the kernels then update the potential themselves.
bool kernels_have(const std::string& functional, int spins, bool core);
bool kernels_have(const std::string& functional, const System& system);

class GridXc {
public:
  GridXc(const Grid& grid, app::Xc xc, int spins);

  // Of the cores, for the updates that follow: (Nz,Ny,Nx), bohr^-3; empty: there is none.
  void set_core(std::vector<double> core) { core_ = std::move(core); }
  // densities: of the electrons, (Nz,Ny,Nx,spins), bohr^-3.
  void update(const std::vector<double>& densities);

  const std::vector<double>& potential() const { return potential_; }  // (Nz,Ny,Nx,spins), Ha
  double energy() const { return energy_; }  // of the last update, Ha

private:
  Grid grid_;
  app::Xc xc_;
  size_t spins_;
  LineGradient gradient_;
  std::vector<double> core_, potential_;
  double energy_ = 0;
};

}  // namespace suite::tddft
