// SPDX-License-Identifier: BSD-3-Clause
#include "xc.hpp"

#include <algorithm>

#include <suite/suite.hpp>

#ifdef SUITE_HAVE_LIBXC
#include <xc.h>
#endif

namespace suite::app {

#ifdef SUITE_HAVE_LIBXC
namespace {

constexpr double empty_below = 1e-24;

// Exchange and correlation in libxc. Its "modified" PW92 has the parameter A to as many digits as ours.
struct LibxcPair {
  int exchange, correlation;
};
LibxcPair libxc_pair(Xc xc) {
  switch (xc) {
    case Xc::pz81: return {XC_LDA_X, XC_LDA_C_PZ};
    case Xc::vwn5: return {XC_LDA_X, XC_LDA_C_VWN};
    case Xc::pbe: return {XC_GGA_X_PBE, XC_GGA_C_PBE};
    case Xc::revpbe: return {XC_GGA_X_PBE_R, XC_GGA_C_PBE};
    case Xc::rpbe: return {XC_GGA_X_RPBE, XC_GGA_C_PBE};
    case Xc::pbesol: return {XC_GGA_X_PBE_SOL, XC_GGA_C_PBE_SOL};
    case Xc::blyp: return {XC_GGA_X_B88, XC_GGA_C_LYP};
    case Xc::bp86: return {XC_GGA_X_B88, XC_GGA_C_P86};
    case Xc::pw92: break;
  }
  return {XC_LDA_X, XC_LDA_C_PW_MOD};
}

// Calls f(first, count) for portions of n points, in threads.
template <class F> void in_portions(size_t n, F&& f) {
  constexpr size_t most = 1024;
#pragma omp parallel for schedule(static)
  for (size_t first = 0; first < n; first += most) f(first, std::min(most, n - first));
}

class Functional {
public:
  Functional(int id, int n_spin) : n_spin_(static_cast<size_t>(n_spin)) {
    if (xc_func_init(&functional_, id, n_spin == 1 ? XC_UNPOLARIZED : XC_POLARIZED) != 0)
      throw Failure(SUITE_INTERNAL, concat("libxc ", xc_version_string(), " has no functional ", id));
    xc_func_set_dens_threshold(&functional_, empty_below);
  }
  ~Functional() { xc_func_end(&functional_); }
  Functional(const Functional&) = delete;
  Functional& operator=(const Functional&) = delete;

  void add_to(std::span<const double> density, std::span<XcValues> values, bool second) const {
    in_portions(density.size(), [&](size_t first, size_t n) {
      std::vector<double> e(n), v(n), f(n);
      if (second) xc_lda_exc_vxc_fxc(&functional_, n, density.data() + first, e.data(), v.data(), f.data());
      else xc_lda_exc_vxc(&functional_, n, density.data() + first, e.data(), v.data());
      for (size_t i = 0; i < n; ++i)
        if (density[first + i] >= empty_below) {
          XcValues& value = values[first + i];
          value = {value.e + e[i], value.v + v[i], value.f + f[i]};
        }
    });
  }

  void add_to(const double* densities, const double* products, XcDerivatives& sum) const {
    const size_t points = sum.e.size(), of_n = n_spin_, of_s = n_spin_ == 1 ? 1 : 3;
    in_portions(points, [&](size_t first, size_t n) {
      const auto room = [&](const std::vector<double>& all) { return std::vector<double>(all.size() / points * n); };
      std::vector<double> e(n), v = room(sum.n), s = room(sum.s), nn = room(sum.nn), ns = room(sum.ns), ss = room(sum.ss);
      const double *const rho = densities + of_n * first, *const sigma = products + of_s * first;
      const bool second = !nn.empty();
      if (!s.empty() && second)
        xc_gga_exc_vxc_fxc(&functional_, n, rho, sigma, e.data(), v.data(), s.data(), nn.data(), ns.data(), ss.data());
      else if (!s.empty()) xc_gga_exc_vxc(&functional_, n, rho, sigma, e.data(), v.data(), s.data());
      else if (second) xc_lda_exc_vxc_fxc(&functional_, n, rho, e.data(), v.data(), nn.data());
      else xc_lda_exc_vxc(&functional_, n, rho, e.data(), v.data());
      const auto add = [&](const std::vector<double>& some, std::vector<double>& all) {
        const size_t at = all.size() / points * first;
        for (size_t i = 0; i < some.size(); ++i) all[at + i] += some[i];
      };
      add(e, sum.e), add(v, sum.n), add(s, sum.s), add(nn, sum.nn), add(ns, sum.ns), add(ss, sum.ss);
    });
  }

private:
  xc_func_type functional_;
  size_t n_spin_;
};

}  // namespace

bool have_libxc() { return true; }

void exchange_correlation(Xc xc, std::span<const double> density, std::span<XcValues> values, bool second) {
  std::fill(values.begin(), values.end(), XcValues{0, 0, 0});
  Functional(libxc_pair(xc).exchange, 1).add_to(density, values, second);
  Functional(libxc_pair(xc).correlation, 1).add_to(density, values, second);
}

XcDerivatives xc_derivatives(Xc xc, int n_spin, std::span<const double> densities, std::span<const double> products, bool second) {
  const size_t points = densities.size() / static_cast<size_t>(n_spin);
  const bool two = n_spin == 2, gradients = needs_gradients(xc);
  XcDerivatives sum;
  sum.e.assign(points, 0.0);
  sum.n.assign(points * (two ? 2 : 1), 0.0);
  if (gradients) sum.s.assign(points * (two ? 3 : 1), 0.0);
  if (second) sum.nn.assign(points * (two ? 3 : 1), 0.0);
  if (second && gradients) {
    sum.ns.assign(points * (two ? 6 : 1), 0.0);
    sum.ss.assign(points * (two ? 6 : 1), 0.0);
  }
  if (points == 0) return sum;
  for (const int id : {libxc_pair(xc).exchange, libxc_pair(xc).correlation})
    Functional(id, n_spin).add_to(densities.data(), products.data(), sum);
  return sum;
}
#else
bool have_libxc() { return false; }

void exchange_correlation(Xc xc, std::span<const double> density, std::span<XcValues> values, bool) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < density.size(); ++i) values[i] = own_exchange_correlation(xc, density[i]);
}

XcDerivatives xc_derivatives(Xc xc, int, std::span<const double>, std::span<const double>, bool) {
  throw Failure(SUITE_UNSUPPORTED, concat("this build has no libxc, which ", name_of(xc), " needs here (apt install libxc-dev)"));
}
#endif

std::vector<XcValues> exchange_correlation(Xc xc, std::span<const double> density, bool second) {
  std::vector<XcValues> values(density.size());
  exchange_correlation(xc, density, values, second);
  return values;
}

const std::vector<std::pair<const char*, Xc>>& named_functionals() {
  static const std::vector<std::pair<const char*, Xc>> all{
      {"pw92", Xc::pw92}, {"pz81", Xc::pz81},     {"vwn5", Xc::vwn5}, {"pbe", Xc::pbe},   {"revpbe", Xc::revpbe},
      {"rpbe", Xc::rpbe}, {"pbesol", Xc::pbesol}, {"blyp", Xc::blyp}, {"bp86", Xc::bp86},
  };
  return all;
}

const char* name_of(Xc xc) {
  for (const auto& [name, named] : named_functionals())
    if (named == xc) return name;
  return "";
}

bool needs_gradients(Xc xc) { return xc != Xc::pw92 && xc != Xc::pz81 && xc != Xc::vwn5; }

}  // namespace suite::app
