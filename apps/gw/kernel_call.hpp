// SPDX-License-Identifier: BSD-3-Clause
// One opened gpp.sigma: its arguments for one (k,q), its time, and its check against the reference
// implementation.
#pragma once

#include <complex>
#include <vector>

#include <suite/suite.hpp>

#include "kernel_source.hpp"
#include "plan.hpp"
#include "screening.hpp"

namespace suite::gw {

// The arguments of gpp.sigma for one (k,q).
struct SigmaArguments {
  Screening screening;
  int nbands = 0, nex = 0, nw = 0;
  Numbers m;                            // (ncouls, nbands, nex)
  std::vector<double> wx;               // (nw, nbands, nex), eV
  std::vector<double> occupation;       // (nbands)
  double gamma = 0.5, sexcut = 4.0;
  std::vector<std::complex<double>> asx, ach, achs;  // results: (nw, nex), (nw, nex), (nex), Ry

  // Energies, occupations and space for the matrix elements and results of one item.
  void take_item(const Plan& plan, const Plan::Item& item);
  void set_constants(Kernel& kernel) const;
  void set_item(Kernel& kernel, bool static_part, int first_external, int externals);
  // One external band, and as many columns G', from all over the list, as make about `most_terms` (n',G',G,E): the reference takes a
  // second for 1e8.
  SigmaArguments part(int external, double most_terms) const;
  double terms_of_band() const { return static_cast<double>(screening.I_eps.size()) * nbands * nw; }
};

// The constants of gpp.sigma and gpp.sigma_offdiag; wtilde: of the screening, or others instead.
void set_screening(Kernel& kernel, const Screening& screening, const std::complex<double>* wtilde);

// More (n',G',G,E) of one external band are not verified as a whole, for the reference would take longer than the run.
inline constexpr double most_terms_verified = 3e8;

class SigmaKernel {
public:
  SigmaKernel(const KernelSource& source, bool static_part) : timed_(source.open_sigma()), static_part_(static_part) {}
  void constants(const SigmaArguments& arguments) { arguments.set_constants(timed_.kernel()); }
  // Runs; the first time also the reference, for one external band.
  void run(SigmaArguments& arguments);
  // Its row of result.json.
  const app::Row& record() const { return timed_.record(); }

private:
  void verify(SigmaArguments& arguments);
  app::TimedKernel timed_;
  bool static_part_;
};

}  // namespace suite::gw
