// SPDX-License-Identifier: BSD-3-Clause
#include "fields.hpp"

#include <utility>

#include <suite/plugin.hpp>

#include "subspace.hpp"

namespace suite::tddft {

std::vector<double> of_spins(const std::vector<double>& total, int spins) {
  std::vector<double> out = total;
  const size_t points = total.size() / static_cast<size_t>(spins);
  for (size_t p = 0; spins == 2 && p < points; ++p) {
    out[p] = (total[p] + total[p + points]) / 2;
    out[p + points] = (total[p] - total[p + points]) / 2;
  }
  return out;
}

std::vector<double> total_of_spins(const std::vector<double>& densities, int spins) {
  std::vector<double> out = densities;
  const size_t points = densities.size() / static_cast<size_t>(spins);
  for (size_t p = 0; spins == 2 && p < points; ++p) {
    out[p] = densities[p] + densities[p + points];
    out[p + points] = densities[p] - densities[p + points];
  }
  return out;
}

Fields::Fields(const Grid& grid, const std::string& laplacian, const std::string& functional, const std::string& implementation, int spins,
               bool core)
    : grid_(grid), spins_(spins), vH_(2 * grid.size(), 0.0), vxc_(grid.size() * static_cast<size_t>(spins), 0.0) {
  if (functional == "none") return;
  solve_.emplace("lfd.spectral_field_solve", implementation);
  solve_->choose("laplacian", laplacian);
  solve_->set("h", grid_.h.data(), {3});
  if (!kernels_have(functional, spins, core)) {
    const auto xc = xc_named(functional);
    if (!xc) throw Failure(SUITE_INVALID_ARGUMENT, "no functional '" + functional + "'");
    grid_xc_.emplace(grid, *xc, spins);
    return;
  }
  exc_.assign(grid.size(), 0.0);
  compute_vxc_.emplace("lfd.compute_vxc", implementation);
  compute_vxc_->choose("functional", functional);
}

void Fields::set_core(std::vector<double> core) {
  if (grid_xc_) grid_xc_->set_core(std::move(core));
}

void Fields::update(const std::vector<double>& rho) {
  if (!solve_) return;
  const int64_t nx = grid_.points[0], ny = grid_.points[1], nz = grid_.points[2];
  solve_->set("rho", rho.data(), {nz, ny, nx});
  solve_->set("vH", vH_.data(), {nz, ny, nx, 2});
  seconds_ += solve_->run();
  solve_->get("vH", vH_.data(), {nz, ny, nx, 2});
  hartree_energy_ = 0.5 * grid_.point_volume() * sum_of_products(vH_.data(), rho.data(), grid_.size());
  const std::vector<double> densities = of_spins(rho, spins_);
  if (grid_xc_) {
    grid_xc_->update(densities);
    vxc_ = grid_xc_->potential();
    xc_energy_ = grid_xc_->energy();
  } else {
    update_by_kernel(rho);
  }
  vxc_energy_ = grid_.point_volume() * sum_of_products(vxc_.data(), densities.data(), densities.size());
}

void Fields::update_by_kernel(const std::vector<double>& rho) {
  const int64_t nx = grid_.points[0], ny = grid_.points[1], nz = grid_.points[2];
  compute_vxc_->set("rho", rho.data(), {nz, ny, nx});
  compute_vxc_->set("vxc", vxc_.data(), {nz, ny, nx});
  compute_vxc_->set("exc", exc_.data(), {nz, ny, nx});
  seconds_ += compute_vxc_->run();
  compute_vxc_->get("vxc", vxc_.data(), {nz, ny, nx});
  compute_vxc_->get("exc", exc_.data(), {nz, ny, nx});
  xc_energy_ = grid_.point_volume() * sum_of_products(exc_.data(), rho.data(), rho.size());
}

}  // namespace suite::tddft
