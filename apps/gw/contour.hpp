// SPDX-License-Identifier: BSD-3-Clause
// The self-energy by contour deformation (contour_rule.hpp): what one (k,q) contributes. SX - X stands for the residues, CH for the integral.
#pragma once

#include "contour_rule.hpp"
#include "full_frequency.hpp"

namespace suite::gw {

class ContourSelfEnergy {
public:
  explicit ContourSelfEnergy(const Plan& plan);
  // asx, ach and achs of the arguments, whose matrix elements and screening must be those of the item; and the same of the elements between two bands.
  void run(const Plan::Item& item, SigmaArguments& arguments, std::span<ElementTerms> terms);
  double iterations() const { return iterations_; }

private:
  void integrate(const SigmaArguments& arguments, const ScreenedElements& elements, std::vector<BandPair>& pairs);
  void add_residues(const SigmaArguments& arguments, const ScreenedElements& elements, std::vector<BandPair>& pairs);

  const Plan& plan_;
  std::vector<double> imaginary_, real_;  // frequencies, eV
  double iterations_ = 0;  // (n',G',G,w) of the products
};

}  // namespace suite::gw
