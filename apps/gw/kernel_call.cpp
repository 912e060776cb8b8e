// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_call.hpp"

#include <algorithm>
#include <cstring>

namespace suite::gw {

namespace {

double allowed_of(const Kernel& kernel, const char* argument) {
  for (const suite_argument& a : std::span(kernel.table().arguments, kernel.table().argument_count))
    if (std::strcmp(a.name, argument) == 0) return allowed(a, tolerance_factor(kernel), tolerance_of_choices(kernel));
  return 0;
}

}  // namespace

void SigmaArguments::take_screening(const Screening& screening, int slice, int slices) {
  ncouls = screening.ncouls;
  const int first = static_cast<int>(int64_t{ncouls} * slice / slices),
            end = static_cast<int>(int64_t{ncouls} * (slice + 1) / slices);
  const auto columns = [&](const std::vector<std::complex<double>>& all) {
    std::vector<std::complex<double>> own(all.begin() + int64_t{first} * ncouls,
                                          all.begin() + int64_t{end} * ncouls);
    if (first == end) own.assign(ncouls, 0);
    return own;
  };
  I_eps = columns(screening.I_eps);
  wtilde = columns(screening.wtilde);
  vcoul.assign(screening.vcoul.begin(), screening.vcoul.begin() + ncouls);
  indigp.clear();
  for (int igp = first; igp < end; ++igp) indigp.push_back(igp + 1);
  if (indigp.empty()) indigp.push_back(0);  // more slices than columns: one of padding, which counts nothing
  ngpown = static_cast<int>(indigp.size());
}

void SigmaArguments::take_item(const Plan& plan, const Plan::Item& item) {
  const auto& external = plan.externals[item.external];
  const int inner_k = plan.k_full[item.inner].irreducible;
  nbands = plan.settings.nbands;
  nex = external.count();
  nw = static_cast<int>(plan.energy_shifts.size());
  gamma = plan.settings.gpp_broadening_eV;
  // The static limit has no resonances to cut off.
  sexcut = plan.settings.model == Model::cohsex ? 4.0 : plan.settings.gpp_sexcutoff;
  m.resize(static_cast<size_t>(ncouls) * nbands * nex);
  wx.resize(static_cast<size_t>(nw) * nbands * nex);
  for (int n = 0; n < nex; ++n)
    for (int n1 = 0; n1 < nbands; ++n1)
      for (int iw = 0; iw < nw; ++iw)
        wx[(static_cast<size_t>(n) * nbands + n1) * nw + iw] =
            plan.energy_eV(external.k, external.first + n) + plan.energy_shifts[iw] -
            plan.energy_eV(inner_k, n1);
  occupation.assign(nbands, 0.0);
  std::fill(occupation.begin(), occupation.begin() + plan.wavefunctions.occupied(), 1.0);
  asx.resize(static_cast<size_t>(nw) * nex);
  ach.resize(asx.size());
  achs.resize(nex);
}

void SigmaArguments::set_constants(Kernel& kernel) const {
  kernel.set("wtilde_array", wtilde.data(), {ncouls, ngpown});
  kernel.set("I_eps_array", I_eps.data(), {ncouls, ngpown});
  kernel.set("vcoul", vcoul.data(), {ncouls});
  kernel.set("indigp", indigp.data(), {ngpown});
}

void SigmaArguments::set_item(Kernel& kernel, bool static_part, int first_external, int externals) {
  const size_t block = static_cast<size_t>(ncouls) * nbands;
  kernel.set("aqsntemp", m.data() + first_external * block, {ncouls, nbands, externals});
  kernel.set("aqsmtemp", m.data() + first_external * block, {ncouls, nbands, externals});
  kernel.set("wx_array", wx.data() + static_cast<size_t>(first_external) * nbands * nw,
             {nw, nbands, externals});
  kernel.set("occ_array", occupation.data(), {nbands});
  kernel.set("gamma", gamma);
  kernel.set("sexcut", sexcut);
  kernel.set("asxtemp", asx.data(), {nw, externals});
  kernel.set("achtemp", ach.data(), {nw, externals});
  if (static_part) kernel.set("achstemp", achs.data(), {externals});
}

SigmaKernel::SigmaKernel(const std::string& implementation, const std::string& variant,
                         const app::Parameters& parameters, bool static_part)
    : timed_("gpp.sigma", implementation, variant, parameters), static_part_(static_part) {}

void SigmaKernel::run(SigmaArguments& a) {
  Kernel& kernel = timed_.kernel();
  a.set_item(kernel, static_part_, 0, a.nex);
  timed_.run();
  kernel.get("asxtemp", a.asx.data(), {a.nw, a.nex});
  kernel.get("achtemp", a.ach.data(), {a.nw, a.nex});
  if (static_part_) kernel.get("achstemp", a.achs.data(), {a.nex});
  if (timed_.record().samples_s.size() == 1) verify(a);
}

void SigmaKernel::verify(SigmaArguments& a) {
  app::Verification& verification = timed_.record().verification;
  if (timed_.record().implementation == "reference") {
    verification.detail = "this is the reference implementation";
    return;
  }
  // The middle external band: near the gap, where occupied n' take every branch of the formula.
  const int n = a.nex / 2;
  const auto mine_sx = a.asx, mine_ch = a.ach, mine_static = a.achs;
  Kernel reference("gpp.sigma", "reference");
  a.set_constants(reference);
  a.set_item(reference, static_part_, n, 1);
  reference.run();
  reference.get("asxtemp", a.asx.data(), {a.nw, 1});
  reference.get("achtemp", a.ach.data(), {a.nw, 1});
  if (static_part_) reference.get("achstemp", a.achs.data(), {1});
  verification.status = "verified";
  const auto compare = [&](const char* name, const std::complex<double>* mine,
                           const std::complex<double>* truth, int count) {
    double norm = 0;
    for (int i = 0; i < count; ++i) norm = std::max(norm, std::abs(truth[i]));
    const double tolerance = allowed_of(timed_.kernel(), name);
    for (int i = 0; i < count; ++i) {
      const double distance = std::abs(mine[i] - truth[i]), error = norm > 0 ? distance / norm : distance;
      if (error > verification.max_relative_error || error != error) verification.max_relative_error = error;
      if (error <= tolerance || verification.failed()) continue;
      verification.status = "failed";
      char line[256];
      std::snprintf(line, sizeof line,
                    "%s(%d) of external band %d is (%.15g, %.15g), the reference has (%.15g, %.15g)", name,
                    i + 1, n + 1, mine[i].real(), mine[i].imag(), truth[i].real(), truth[i].imag());
      verification.detail = line;
    }
  };
  compare("asxtemp", mine_sx.data() + static_cast<size_t>(n) * a.nw, a.asx.data(), a.nw);
  compare("achtemp", mine_ch.data() + static_cast<size_t>(n) * a.nw, a.ach.data(), a.nw);
  if (static_part_) compare("achstemp", mine_static.data() + n, a.achs.data(), 1);
  a.asx = mine_sx;
  a.ach = mine_ch;
  a.achs = mine_static;
}

}  // namespace suite::gw
