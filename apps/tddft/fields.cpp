// SPDX-License-Identifier: BSD-3-Clause
#include "fields.hpp"

#include "subspace.hpp"

namespace suite::tddft {

Fields::Fields(const Grid& grid, const std::string& laplacian, const std::string& functional, const std::string& implementation)
    : grid_(grid), vH_(2 * grid.size(), 0.0), vxc_(grid.size(), 0.0), exc_(grid.size(), 0.0) {
  if (functional == "none") return;
  solve_.emplace("lfd.spectral_field_solve", implementation);
  solve_->choose("laplacian", laplacian);
  solve_->set("h", grid_.h.data(), {3});
  compute_vxc_.emplace("lfd.compute_vxc", implementation);
  compute_vxc_->choose("functional", functional);
}

void Fields::update(const std::vector<double>& rho) {
  if (!solve_) return;
  const int64_t nx = grid_.points[0], ny = grid_.points[1], nz = grid_.points[2];
  solve_->set("rho", rho.data(), {nz, ny, nx});
  solve_->set("vH", vH_.data(), {nz, ny, nx, 2});
  seconds_ += solve_->run();
  solve_->get("vH", vH_.data(), {nz, ny, nx, 2});
  compute_vxc_->set("rho", rho.data(), {nz, ny, nx});
  compute_vxc_->set("vxc", vxc_.data(), {nz, ny, nx});
  compute_vxc_->set("exc", exc_.data(), {nz, ny, nx});
  seconds_ += compute_vxc_->run();
  compute_vxc_->get("vxc", vxc_.data(), {nz, ny, nx});
  compute_vxc_->get("exc", exc_.data(), {nz, ny, nx});
  hartree_energy_ = 0.5 * grid_.point_volume() * sum_of_products(vH_.data(), rho.data(), rho.size());
  xc_energy_ = grid_.point_volume() * sum_of_products(exc_.data(), rho.data(), rho.size());
}

}  // namespace suite::tddft
