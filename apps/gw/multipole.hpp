// SPDX-License-Identifier: BSD-3-Clause
// The self-energy with several complex poles for each (G,G') (multipole_fit.hpp), what one (k,q) contributes:
//
//   CH = - sum_n' sum_GG' P sum_p R_p/(x - W_p),   SX - X = sum_occ sum_GG' P sum_p R_p [1/(x - W_p) - 1/(x + W_p)],   x = E - E_n',
//
// with P = M(G) conj M(G') v(G'). One real pole is the plasmon-pole model: W = wtilde, R = -wtilde I/2.
#pragma once

#include "full_frequency.hpp"

namespace suite::gw {

class MultipoleSelfEnergy {
public:
  explicit MultipoleSelfEnergy(const Plan& plan) : plan_(plan) {}
  // asx, ach and achs of the arguments, whose matrix elements and screening must be those of the item; and the same of the elements between two bands.
  void run(const Plan::Item& item, SigmaArguments& arguments, std::span<ElementTerms> terms);
  double iterations() const { return iterations_; }

private:
  void add_static(const SigmaArguments& arguments, const ScreenedElements& elements, std::vector<BandPair>& pairs) const;
  const Plan& plan_;
  double iterations_ = 0;  // (n',G',G,E,pole)
};

}  // namespace suite::gw
