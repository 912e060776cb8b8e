// SPDX-License-Identifier: BSD-3-Clause
// A pseudopotential of radial tables, filtered for a grid: a grid of spacing h holds waves up to pi/h, and whatever a potential has beyond
// appears as a wave that it does not have.
//
// v_loc: its waves beyond pi/h are left out, with -Z/r erf(r/(sqrt2 w)) apart, which has none. (In a crystal the Fourier series on the grid
// does that.)
// p: its waves beyond pi/h are left out of p/m, and m multiplied to it afterwards, where the mask m falls from 1 to 0 at the end of the
// sphere, and likewise out of the density of the core: E. L. Briggs et al., Phys. Rev. B 54, 14362 (1996); L.-W. Wang, Phys. Rev. B 64, 201107
// (2001).
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "gth.hpp"
#include "pseudopotential.hpp"
#include "upf.hpp"

namespace suite::tddft {

// Cubic pieces through values and slopes at equal distances, from 0 to the last; continuous with its slope.
class SmoothTable {
public:
  SmoothTable() = default;
  SmoothTable(double step, std::vector<double> values, std::vector<double> slopes)
      : step_(step), per_step_(1 / step), values_(std::move(values)), slopes_(std::move(slopes)) {}
  double value(double x) const;  // 0 beyond the end
  double slope(double x) const;
  std::pair<double, double> both(double x) const;
  SmoothTable times(const std::function<double(double)>& factor, const std::function<double(double)>& slope_of_factor) const;

private:
  double step_ = 1, per_step_ = 1;
  std::vector<double> values_, slopes_;
};

// To be filtered, too.
RadialTables tables_of(const Gth& p);

class Tabulated final : public Pseudopotential {
public:
  Tabulated(const RadialTables& tables, const Grid& grid, Boundary boundary);

  double local(double r) const override;
  double local_slope(double r) const override;
  double local_of_q2(double q2) const override;
  Radial radial(size_t channel, int i, double r) const override;
  Radial core(double r) const override;
  double core_reach() const override { return core_reach_; }
  double reach(double) const override { return reach_; }  // where the masks end
  double width() const override { return width_; }
  double spacing() const override { return spacing_; }

private:
  double coulomb_of_q2(double q2) const;  // of the transform, what -Z/r erf(r/(sqrt2 w)) contributes
  void add_projectors(const RadialTables& tables, double cut);
  void add_core(const RadialTables& tables, double cut);
  struct Filtered {
    SmoothTable table;  // of p/r^l
    double end = 0;  // where the mask ends, bohr
    double integral = 0;  // of r^(l+2) p, as it was
  };
  Filtered filtered(int l, const std::vector<double>& r, const std::vector<double>& times_r, double cut);

  double erf_width_ = 1;  // w
  SmoothTable rest_, rest_of_q_;  // v_loc + Z/r erf(r/(sqrt2 w)), filtered for molecules; its transform
  std::vector<std::vector<SmoothTable>> radials_;  // p/r^l of each channel
  SmoothTable core_;
  double reach_ = 0, core_reach_ = 0, width_ = 1, spacing_ = 0;
};

}  // namespace suite::tddft
