// SPDX-License-Identifier: BSD-3-Clause
// The elements <n|Sigma(E)|m> of the settings' offdiag: what each (k,q) contributes, by gpp.sigma_offdiag.
//
// E is E_l + dE (iw - 2) with iw of finite_difference_form, as in BerkeleyGW's sigma_hp.log. The static sum over bands, which the
// static remainder of CH needs, is the same kernel's in the limit w -> infinity: there CH is -1/2 sum M conj(M) v I at any E.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "kernel_call.hpp"

namespace suite::gw {

// The numbers iw of the energies at which an element is given: those of the difference that dSigma/dE is made of, or 2, which is E_l.
std::vector<int> offdiag_energies(const Settings& settings);

// What one (k,q) contributes to one element, without the weight of q; Ry.
struct ElementTerms {
  std::complex<double> x, exact_ch, static_ch;
  std::vector<std::complex<double>> sx, ch;  // at each of offdiag_energies
};

class OffDiagonalKernel {
public:
  // Opens the kernel where the settings have elements, and poles or a static limit.
  OffDiagonalKernel(const Plan& plan, KernelSource& source);
  bool wanted() const { return screened_.has_value(); }
  // static_ch, sx and ch of all elements. The matrix elements and the screening of `arguments` must be those of the item.
  void run(const Plan::Item& item, const SigmaArguments& arguments, std::span<ElementTerms> terms);
  // Its row of result.json, of all calls.
  app::Row record() const;

private:
  struct Call;
  void run(app::TimedKernel& kernel, Call& call);
  void verify(app::TimedKernel& kernel, const Call& call);

  const Plan& plan_;
  std::vector<int> levels_;  // the bands l, from 1, each once
  std::vector<double> shifts_;  // E - E_l, eV
  int first_ = 0, bands_ = 0;   // the external bands among which all n and m are, from 0 at the first of the plan's
  std::optional<app::TimedKernel> screened_, static_;
};

// How many numbers hold the terms of one element, and the terms in them.
size_t numbers_of_terms(const Settings& settings);
void put_exchange(const std::complex<double>& x, double* numbers);
void put_screened(const ElementTerms& terms, double* numbers);  // all but x
ElementTerms unpack(const Settings& settings, const double* numbers);

}  // namespace suite::gw
