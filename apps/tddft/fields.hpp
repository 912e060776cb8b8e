// SPDX-License-Identifier: BSD-3-Clause
// Hartree potential and exchange-correlation of a density, by the kernels also used in the propagation, or by GridXc.
//
// With two spins a density is (Nz,Ny,Nx,2): the total, then the magnetisation, up minus down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "grid_xc.hpp"
#include "system.hpp"

namespace suite::tddft {

// (Nz,Ny,Nx,spins) of up and down from total and magnetisation, and back; with one spin they are the same.
std::vector<double> of_spins(const std::vector<double>& total, int spins);
std::vector<double> total_of_spins(const std::vector<double>& spins_densities, int spins);

class Fields {
public:
  // laplacian, functional: choices of lfd.spectral_field_solve and of inputs. With functional "none" all potentials stay zero. core: exchange and
  // correlation are also those of cores.
  Fields(const Grid& grid, const std::string& laplacian, const std::string& functional, const std::string& implementation, int spins = 1,
         bool core = false);

  // Where there is one: that of GridXc.
  void set_core(std::vector<double> core);
  void update(const std::vector<double>& rho);

  const std::vector<double>& hartree() const { return vH_; }  // (Nz,Ny,Nx,2), the second half 0
  const std::vector<double>& vxc() const { return vxc_; }  // (Nz,Ny,Nx,spins): of up and down
  // For the density of the last update, Ha.
  double hartree_energy() const { return hartree_energy_; }
  double xc_energy() const { return xc_energy_; }
  double vxc_energy() const { return vxc_energy_; }  // of the electrons in the potentials vxc
  double seconds() const { return seconds_; }  // spent in the kernels

private:
  void update_by_kernel(const std::vector<double>& rho);

  Grid grid_;
  int spins_;
  std::optional<Kernel> solve_, compute_vxc_;
  std::optional<GridXc> grid_xc_;
  std::vector<double> vH_, vxc_, exc_;
  double hartree_energy_ = 0, xc_energy_ = 0, vxc_energy_ = 0, seconds_ = 0;
};

}  // namespace suite::tddft
