// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_call.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include "measure/verification.hpp"

namespace suite::gw {

void SigmaArguments::take_item(const Plan& plan, const Plan::Item& item) {
  const auto& external = plan.externals[item.external];
  nbands = plan.settings.nbands;
  nex = external.count();
  nw = static_cast<int>(plan.energy_shifts.size());
  gamma = plan.settings.gpp_broadening_eV;
  // The static limit has no resonances to cut off.
  sexcut = plan.settings.model == Model::cohsex ? 4.0 : plan.settings.gpp_sexcutoff;
  if (m.parts() != plan.parts) m = Numbers(plan.parts);
  wx.resize(static_cast<size_t>(nw) * nbands * nex);
  for (int n = 0; n < nex; ++n)
    for (int n1 = 0; n1 < nbands; ++n1)
      for (int iw = 0; iw < nw; ++iw)
        wx[(static_cast<size_t>(n) * nbands + n1) * nw + iw] =
            plan.external_eV(external, external.first + n) + plan.energy_shifts[iw] - plan.internal_eV(item, n1);
  occupation.assign(nbands, 0.0);
  for (int n1 = 0; n1 < nbands; ++n1) occupation[static_cast<size_t>(n1)] = plan.occupation_of(item, n1);
  asx.resize(static_cast<size_t>(nw) * nex);
  ach.resize(asx.size());
  achs.resize(nex);
}

void set_screening(Kernel& kernel, const Screening& screening, const std::complex<double>* wtilde) {
  const int ncouls = screening.ncouls, ngpown = screening.ngpown();
  kernel.set("wtilde_array", wtilde, {ncouls, ngpown});
  set_numbers(kernel, "I_eps_array", screening.I_eps.at(0), screening.I_eps.parts(), {ncouls, ngpown});
  kernel.set("vcoul", screening.vcoul.data(), {ncouls});
  kernel.set("indigp", screening.indigp.data(), {ngpown});
}

void SigmaArguments::set_constants(Kernel& kernel) const { set_screening(kernel, screening, screening.wtilde.data()); }

void SigmaArguments::set_item(Kernel& kernel, bool static_part, int first_external, int externals) {
  const int ncouls = screening.ncouls;
  const size_t block = static_cast<size_t>(ncouls) * nbands;
  for (const char* name : {"aqsntemp", "aqsmtemp"})
    set_numbers(kernel, name, m.at(first_external * block), m.parts(), {ncouls, nbands, externals});
  kernel.set("wx_array", wx.data() + static_cast<size_t>(first_external) * nbands * nw, {nw, nbands, externals});
  kernel.set("occ_array", occupation.data(), {nbands});
  kernel.set("gamma", gamma);
  kernel.set("sexcut", sexcut);
  kernel.set("asxtemp", asx.data(), {nw, externals});
  kernel.set("achtemp", ach.data(), {nw, externals});
  if (static_part) kernel.set("achstemp", achs.data(), {externals});
}

SigmaArguments SigmaArguments::part(int external, double most_terms) const {
  SigmaArguments out;
  const size_t ncouls = static_cast<size_t>(screening.ncouls), columns = screening.indigp.size();
  const double share = std::min(1.0, most_terms / std::max(1.0, terms_of_band()));
  const size_t some = std::max<size_t>(1, static_cast<size_t>(share * static_cast<double>(columns)));
  out.screening.ncouls = screening.ncouls;
  out.screening.vcoul = screening.vcoul;
  out.screening.I_eps = Numbers(screening.I_eps.parts());
  out.screening.I_eps.resize(ncouls * some);
  for (size_t i = 0; i < some; ++i) {
    const size_t column = i * columns / some;
    const auto from = static_cast<ptrdiff_t>(column * ncouls), to = static_cast<ptrdiff_t>((column + 1) * ncouls);
    out.screening.indigp.push_back(screening.indigp[column]);
    std::copy(screening.I_eps.at(column * ncouls), screening.I_eps.at((column + 1) * ncouls), out.screening.I_eps.at(i * ncouls));
    out.screening.wtilde.insert(out.screening.wtilde.end(), screening.wtilde.begin() + from, screening.wtilde.begin() + to);
  }
  const auto band = [&](const auto& values, size_t count) {
    const auto from = values.begin() + static_cast<ptrdiff_t>(count * static_cast<size_t>(external));
    return std::remove_cvref_t<decltype(values)>(from, from + static_cast<ptrdiff_t>(count));
  };
  out.nbands = nbands;
  out.nex = 1;
  out.nw = nw;
  const size_t block = ncouls * static_cast<size_t>(nbands);
  out.m = Numbers(m.parts());
  out.m.resize(block);
  std::copy_n(m.at(block * static_cast<size_t>(external)), block * static_cast<size_t>(m.parts()), out.m.at(0));
  out.wx = band(wx, static_cast<size_t>(nw * nbands));
  out.occupation = occupation;
  out.gamma = gamma;
  out.sexcut = sexcut;
  out.asx.resize(static_cast<size_t>(nw));
  out.ach.resize(static_cast<size_t>(nw));
  out.achs.resize(1);
  return out;
}

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
  // Of a large call a part is computed again by both.
  if (a.terms_of_band() > most_terms_verified) {
    SigmaArguments part = a.part(n, most_terms_verified);
    const auto outputs = [&](Kernel& kernel) {
      part.set_constants(kernel);
      part.set_item(kernel, static_part_, 0, 1);
      kernel.run();
      return app::outputs_of(kernel);
    };
    const std::vector<app::Output> found = outputs(timed_.kernel());
    Kernel reference("gpp.sigma", "reference");
    verification = app::verify(timed_.kernel(), outputs(reference), found);
    if (verification.failed()) verification.detail += fmt::format(" (external band {}, {} columns)", n + 1, part.screening.ngpown());
    constants(a);
    return;
  }
  const auto asx = a.asx, ach = a.ach, achs = a.achs;
  Kernel reference("gpp.sigma", "reference");
  a.set_constants(reference);
  a.set_item(reference, static_part_, n, 1);
  reference.run();
  const std::vector<app::Output> expected = app::outputs_of(reference);
  std::vector<app::Output> found = expected;
  for (app::Output& output : found) {
    const auto& all = output.name == "asxtemp" ? asx : output.name == "achtemp" ? ach : achs;
    std::memcpy(output.bytes.data(), reinterpret_cast<const char*>(all.data()) + n * output.bytes.size(), output.bytes.size());
  }
  a.asx = asx;
  a.ach = ach;
  a.achs = achs;
  verification = app::verify(timed_.kernel(), expected, found);
  if (verification.failed()) verification.detail += fmt::format(" (external band {})", n + 1);
}

}  // namespace suite::gw
