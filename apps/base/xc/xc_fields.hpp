// SPDX-License-Identifier: BSD-3-Clause
// Exchange and correlation of densities at the points of the grid, and their response to changes of the densities.
//
// Fields are arrays (n_points,n_dir,n_spin,n_columns). Column 0 has densities n, or potentials v. With gradients there are three more, the x,
// y and z components of grad n, or of vectors w: a potential then has the matrix elements int v chi_m chi_n + w . grad(chi_m chi_n). With
// f(n,sigma) the energy density and sigma the products of gradients,
//   v = f_n,  w_s = sum_t (d sigma_st/d g_s) f_st,  for one spin w = 2 f_sigma g.
#pragma once

#include <span>
#include <vector>

#include "xc.hpp"

namespace suite::app {

// Columns of fields: 4 with gradients, else 1.
size_t columns_of(Xc xc);

class XcOnGrid {
public:
  // fields: (n_points,1,n_spin,columns). with_response: for response().
  XcOnGrid(Xc xc, size_t points, size_t n_spin, std::vector<double> fields, bool with_response);

  const std::vector<double>& energy() const { return energy_; }  // (n_points) Ha, per electron
  const std::vector<double>& potential() const { return potential_; }  // shaped as the fields

  // The first-order change of the potential by that of the fields, both (n_points,n_dir,n_spin,columns).
  std::vector<double> response(std::span<const double> change) const;

private:
  void set_local(bool with_response);
  void set_derivatives(bool with_response);

  Xc xc_;
  size_t points_, n_spin_, columns_;
  std::vector<double> fields_;
  std::vector<double> energy_, potential_;
  std::vector<double> f_xc_;  // (n_points) of one spin without gradients
  XcDerivatives d_;
};

}  // namespace suite::app
