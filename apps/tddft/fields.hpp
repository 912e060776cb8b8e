// SPDX-License-Identifier: BSD-3-Clause
// Hartree potential and exchange-correlation of a density, by the kernels also used in the propagation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "system.hpp"

namespace suite::tddft {

class Fields {
public:
  // laplacian, functional: choices of lfd.spectral_field_solve and lfd.compute_vxc. With functional "none" both potentials stay zero.
  Fields(const Grid& grid, const std::string& laplacian, const std::string& functional, const std::string& implementation);

  void update(const std::vector<double>& rho);

  const std::vector<double>& hartree() const { return vH_; }  // (Nz,Ny,Nx,2), the second half 0
  const std::vector<double>& vxc() const { return vxc_; }
  // For the density of the last update, Ha.
  double hartree_energy() const { return hartree_energy_; }
  double xc_energy() const { return xc_energy_; }
  double seconds() const { return seconds_; }  // spent in the kernels

private:
  Grid grid_;
  std::optional<Kernel> solve_, compute_vxc_;
  std::vector<double> vH_, vxc_, exc_;
  double hartree_energy_ = 0, xc_energy_ = 0, seconds_ = 0;
};

}  // namespace suite::tddft
