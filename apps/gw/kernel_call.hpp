// SPDX-License-Identifier: BSD-3-Clause
// One opened gpp.sigma: its arguments for one (k,q), its time, and its check against the reference
// implementation.
#pragma once

#include <complex>
#include <vector>

#include <suite/suite.hpp>

#include "measure/timed_kernel.hpp"
#include "plan.hpp"
#include "screening.hpp"

namespace suite::gw {

// The arguments of gpp.sigma for one (k,q) but the matrix elements.
struct SigmaArguments {
  int ncouls = 0, ngpown = 0, nbands = 0, nex = 0, nw = 0;
  std::vector<std::complex<double>> I_eps, wtilde;  // (ncouls, ngpown)
  std::vector<double> vcoul;                        // (ncouls)
  std::vector<int32_t> indigp;                      // (ngpown)
  std::vector<std::complex<double>> m;              // (ncouls, nbands, nex)
  std::vector<double> wx;                           // (nw, nbands, nex), eV
  std::vector<double> occupation;                   // (nbands)
  double gamma = 0.5, sexcut = 4.0;
  std::vector<std::complex<double>> asx, ach, achs;  // results: (nw, nex), (nw, nex), (nex), Ry

  // The columns G' of slice `slice` of `slices`.
  void take_screening(const Screening& screening, int slice, int slices);
  // Energies, occupations and room for matrix elements and results of one item.
  void take_item(const Plan& plan, const Plan::Item& item);
  void set_constants(Kernel& kernel) const;
  void set_item(Kernel& kernel, bool static_part, int first_external, int externals);
};

class SigmaKernel {
public:
  SigmaKernel(const std::string& implementation, const std::string& variant, const app::Parameters& parameters, bool static_part);
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
