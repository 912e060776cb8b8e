// SPDX-License-Identifier: BSD-3-Clause
// The self-energy by contour deformation (contour_rule.hpp): what one (k,q) contributes. SX - X stands for the residues, CH for the integral.
#pragma once

#include <span>

#include "contour_rule.hpp"
#include "kernel_call.hpp"
#include "offdiag.hpp"

namespace suite::gw {

class ContourSelfEnergy {
public:
  explicit ContourSelfEnergy(const Plan& plan);
  // asx, ach and achs of the arguments, whose matrix elements and screening must be those of the item; and the same of the elements between two bands.
  void run(const Plan::Item& item, SigmaArguments& arguments, std::span<ElementTerms> terms);
  double iterations() const { return iterations_; }

private:
  using Complex = std::complex<double>;
  // <n|Sigma(E)|m>: external bands from the first of the plan's, and E - E_n' at each energy, then by n'.
  struct Pair {
    int n = 0, m = 0;
    std::vector<double> x;
    std::vector<Complex> residues, integral;  // at each energy
    Complex static_ch;
  };
  struct Work;
  std::vector<Pair> pairs_of(const Plan::Item& item, const SigmaArguments& arguments) const;
  void integrate(const SigmaArguments& arguments, const Work& work, std::vector<Pair>& pairs);
  void add_residues(const SigmaArguments& arguments, const Work& work, std::vector<Pair>& pairs);

  const Plan& plan_;
  std::vector<double> imaginary_, real_;  // frequencies, eV
  double iterations_ = 0;  // (n',G',G,w) of the products
};

// Frequencies of eps^-1 that are not in the settings: an imaginary grid w0 t/(1-t) with equal steps of t, and a real one up to where residues of the
// wanted states can lie. Nothing changes for other models, or where eps^-1 is read.
void complete_frequencies(Settings& settings);
// Failure where eps^-1 lacks a frequency that contour deformation needs.
void require_frequencies(const Plan& plan);

}  // namespace suite::gw
