// SPDX-License-Identifier: BSD-3-Clause
#include "offdiag.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "measure/verification.hpp"

namespace suite::gw {

namespace {
using Complex = std::complex<double>;
}

std::vector<int> offdiag_energies(const Settings& s) {
  switch (s.model == Model::cohsex ? -2 : s.finite_difference_form) {
    case -1: return {1, 2};
    case 0: return {1, 2, 3};
    case 1: return {2, 3};
    default: return {2};
  }
}

// The arguments of gpp.sigma_offdiag and its results.
struct OffDiagonalKernel::Call {
  const Screening& screening;
  const std::vector<double>& occupation;
  double gamma, sexcut;
  int nbands, nex, nw;
  const Complex* wtilde;
  const double* aqs;  // in the flavour of the screening
  std::vector<double> wx;        // (nw, nbands)
  std::vector<Complex> asx, ach;  // (nex, nex, nw)

  void set(Kernel& kernel) {
    set_screening(kernel, screening, wtilde);
    set_numbers(kernel, "aqs", aqs, screening.I_eps.parts(), {screening.ncouls, nbands, nex});
    kernel.set("wx_array", wx.data(), {nw, nbands});
    kernel.set("occ_array", occupation.data(), {nbands});
    kernel.set("gamma", gamma);
    kernel.set("sexcut", sexcut);
    asx.resize(static_cast<size_t>(nex) * nex * nw);
    ach.resize(asx.size());
    kernel.set("asx", asx.data(), {nex, nex, nw});
    kernel.set("ach", ach.data(), {nex, nex, nw});
  }
};

OffDiagonalKernel::OffDiagonalKernel(const Plan& plan, KernelSource& source) : plan_(plan) {
  const Settings& s = plan.settings;
  if (s.offdiag.empty() || s.full_frequency()) return;
  std::set<int> bands, levels;
  for (const Element& e : s.offdiag) bands.insert({e.n, e.m}), levels.insert(e.l);
  levels_.assign(levels.begin(), levels.end());
  for (int iw : offdiag_energies(s)) shifts_.push_back((iw - 2) * s.finite_difference_spacing_eV);
  first_ = *bands.begin() - s.band_min;
  bands_ = *bands.rbegin() - *bands.begin() + 1;
  screened_.emplace(source.open("gpp.sigma_offdiag"));
  if (s.static_bands()) static_.emplace(source.open("gpp.sigma_offdiag"));
}

void OffDiagonalKernel::run(app::TimedKernel& kernel, Call& call) {
  call.set(kernel.kernel());
  kernel.run();
  for (auto [name, values] : {std::pair{"asx", &call.asx}, {"ach", &call.ach}})
    kernel->get(name, values->data(), {call.nex, call.nex, call.nw});
  if (kernel.record().samples_s.size() == 1) verify(kernel, call);
}

// Against the reference: the elements of the first and the last band at the first energy.
void OffDiagonalKernel::verify(app::TimedKernel& kernel, const Call& call) {
  app::Verification& verification = kernel.record().verification;
  if (kernel.record().implementation == "reference") {
    verification.detail = "this is the reference implementation";
    return;
  }
  const size_t block = static_cast<size_t>(call.screening.ncouls) * call.nbands * call.screening.I_eps.parts(),
               last = static_cast<size_t>(call.nex) - 1;
  std::vector<size_t> bands{0};
  if (last > 0) bands.push_back(last);
  Call part = call;
  part.nex = static_cast<int>(bands.size());
  part.nw = 1;
  part.wx.clear();
  for (int n1 = 0; n1 < call.nbands; ++n1) part.wx.push_back(call.wx[static_cast<size_t>(n1) * call.nw]);
  std::vector<double> aqs;
  for (size_t band : bands) aqs.insert(aqs.end(), call.aqs + block * band, call.aqs + block * (band + 1));
  part.aqs = aqs.data();
  Kernel reference("gpp.sigma_offdiag", "reference");
  part.set(reference);
  reference.run();
  const std::vector<app::Output> expected = app::outputs_of(reference);
  std::vector<app::Output> found = expected;
  for (app::Output& output : found) {
    const auto& all = output.name == "asx" ? call.asx : call.ach;
    auto* values = reinterpret_cast<Complex*>(output.bytes.data());
    for (size_t m : bands)
      for (size_t n : bands) *values++ = all[n + call.nex * m];
  }
  verification = app::verify(kernel.kernel(), expected, found);
}

void OffDiagonalKernel::run(const Plan::Item& item, const SigmaArguments& a, std::span<ElementTerms> terms) {
  if (!wanted()) return;
  const auto& elements = plan_.settings.offdiag;
  const auto& point = plan_.q_full[item.q];
  const auto& external = plan_.externals[static_cast<size_t>(item.external)];
  const int nw = static_cast<int>(levels_.size() * shifts_.size());
  Call call{a.screening,
            a.occupation,
            a.gamma,
            a.sexcut,
            a.nbands,
            bands_,
            nw,
            a.screening.wtilde.data(),
            a.m.at(static_cast<size_t>(a.screening.ncouls) * a.nbands * first_),
            {},
            {},
            {}};
  for (int n1 = 0; n1 < a.nbands; ++n1)
    for (int l : levels_)
      for (double shift : shifts_) call.wx.push_back(plan_.external_eV(external, l - 1) + shift - plan_.internal_eV(item, n1));
  run(*screened_, call);
  // Where the screening is that of the irreducible q, time reversal left the conjugate matrix elements, and results.
  const bool conjugate = point.reversed && !plan_.screening_by_image;
  const auto result = [&](const std::vector<Complex>& of, const Element& e, size_t iw) {
    const int n = e.n - plan_.settings.band_min - first_, m = e.m - plan_.settings.band_min - first_;
    const Complex value = of[n + static_cast<size_t>(bands_) * (m + bands_ * iw)];
    return conjugate ? std::conj(value) : value;
  };
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t level = std::find(levels_.begin(), levels_.end(), elements[i].l) - levels_.begin();
    terms[i].sx.clear(), terms[i].ch.clear();
    for (size_t iw = level * shifts_.size(); iw < (level + 1) * shifts_.size(); ++iw) {
      terms[i].sx.push_back(result(call.asx, elements[i], iw));
      terms[i].ch.push_back(result(call.ach, elements[i], iw));
    }
  }
  if (!static_) return;
  const std::vector<Complex> infinite(a.screening.wtilde.size(), static_limit);
  call.wtilde = infinite.data();
  call.nw = 1;
  call.wx.assign(a.nbands, 0.0);
  run(*static_, call);
  for (size_t i = 0; i < elements.size(); ++i) terms[i].static_ch = result(call.ach, elements[i], 0);
}

app::Row OffDiagonalKernel::record() const {
  std::vector<app::Row> rows;
  for (const auto* kernel : {&screened_, &static_})
    if (*kernel) app::add_or_join(rows, (*kernel)->record());
  return rows.at(0);
}

size_t numbers_of_terms(const Settings& settings) { return settings.offdiag.empty() ? 0 : 6 + 4 * offdiag_energies(settings).size(); }

void put_exchange(const Complex& x, double* numbers) { numbers[0] = x.real(), numbers[1] = x.imag(); }

void put_screened(const ElementTerms& terms, double* numbers) {
  numbers += 2;
  const auto put = [&](const Complex& z) { *numbers++ = z.real(), *numbers++ = z.imag(); };
  put(terms.exact_ch);
  put(terms.static_ch);
  for (size_t iw = 0; iw < terms.sx.size(); ++iw) put(terms.sx[iw]), put(terms.ch[iw]);
}

ElementTerms unpack(const Settings& settings, const double* numbers) {
  const auto take = [&] {
    const Complex z{numbers[0], numbers[1]};
    numbers += 2;
    return z;
  };
  ElementTerms terms;
  for (Complex* z : {&terms.x, &terms.exact_ch, &terms.static_ch}) *z = take();
  for (size_t iw = 0; iw < offdiag_energies(settings).size(); ++iw) terms.sx.push_back(take()), terms.ch.push_back(take());
  return terms;
}

}  // namespace suite::gw
