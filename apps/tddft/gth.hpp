// SPDX-License-Identifier: BSD-3-Clause
// Pseudopotentials of Goedecker, Teter and Hutter, Phys. Rev. B 54, 1703 (1996), with the off-diagonal h of Hartwigsen, Goedecker and Hutter,
// Phys. Rev. B 58, 3641 (1998), and the nonlinear core correction of A. Willand et al., J. Chem. Phys. 138, 104109 (2013), as CP2K's files
// have its coefficients:
//
//   v_loc(r) = -Z/r erf(r / (sqrt2 r_loc)) + exp(-x^2/2) [C1 + C2 x^2 + C3 x^4 + C4 x^6],  x = r/r_loc
//   rho_core(r) = sum_n exp(-y^2/2) [c1 + c2 y^2 + ..] / (4 pi),  y = r/r_n
//   p_i^l(r) = sqrt2 r^(l+2(i-1)) exp(-r^2/(2 r_l^2)) / (r_l^(l+(4i-1)/2) sqrt(Gamma(l+(4i-1)/2)))
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pseudopotential.hpp"

namespace suite::tddft {

class Gth final : public Pseudopotential {
public:
  double r_local = 0;
  std::array<double, 4> c{};  // C1..C4, Ha
  std::vector<double> radii;  // r_l of each channel, bohr
  struct CoreTerm {
    double r = 0;  // bohr
    std::vector<double> c;  // bohr^-3
  };
  std::vector<CoreTerm> core_terms;  // of the nonlinear core correction; empty: there is none

  double local(double r) const override;
  double local_slope(double r) const override;
  double local_of_q2(double q2) const override;
  Radial radial(size_t channel, int i, double r) const override;
  Radial core(double r) const override;
  double core_reach() const override;
  double reach(double cut) const override;
  double width() const override { return 0.6 + 1.5 * r_local; }
  double spacing() const override;

  double projector(size_t channel, int i, double r) const;  // p_i^l(r), i from 0
};

// For the local-density approximation ("GTH-PADE"), or for PBE (Krack, Theor. Chem. Acc. 114, 145 (2005)); nullptr for an element without
// one.
const Gth* built_in(std::string_view element, bool gradients = false);
std::vector<std::string_view> built_in_elements();

// Reads a file of CP2K: entries of an element and names, of which the one of this element is taken; where it has several, the one that has
// `entry` among its names. Throws Failure(SUITE_INVALID_ARGUMENT), beginning with "file:line: ".
std::unique_ptr<Gth> parse_gth(const std::string& file, const std::string& text, const std::string& element, const std::string& entry);

}  // namespace suite::tddft
