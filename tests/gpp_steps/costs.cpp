// SPDX-License-Identifier: BSD-3-Clause
// The flops that gpp.sigma and gpp.sigma_offdiag state against arithmetic written out with a number that
// counts, within 10 %: with modes left out, occupied bands, padding and each optional argument. A reciprocal
// is three FMA here, as on devices (docs/performance/gpp.sigma.steps.md).
#include "../common/costs.hpp"

#include <complex>

using namespace suite::test;

namespace {

Counted reciprocal(Counted a) { return Counted::done(1 / a.value, 6); }

// A product of M and I, of either flavour, which goes into sums.
struct Term {
  int parts;
  Counted p[2];
  explicit Term(bool real) : parts(real ? 1 : 2) {
    const CountedComplex m{1, 2}, I{3, 4};
    if (real) p[0] = m.re * I.re;
    else p[0] = m.re * I.re - m.im * I.im, p[1] = m.re * I.im + m.im * I.re;
  }
  void add() const {
    Counted sum;
    for (int i = 0; i < parts; ++i) sum += p[i];
  }
  void add(Counted factor) const {
    Counted sum;
    for (int i = 0; i < parts; ++i) sum += p[i] * factor;
  }
};

// w/(x - w) of one to three energies by one reciprocal, or w/(x^2 - w^2) for two sums where a band is occupied; w is in I unless
// static CH wants I alone.
void group(const Term& P, int energies, bool scaled, bool occupied) {
  Counted D[3], r[3];
  for (int i = 0; i < energies; ++i) D[i] = Counted(1) - Counted(3);
  Counted product = D[0];
  for (int i = 1; i < energies; ++i) product = product * D[i];
  Counted q = reciprocal(product);
  if (scaled) q = q * 3.0;
  if (energies == 1) r[0] = q;
  if (energies == 2) r[0] = q * D[1], r[1] = q * D[0];
  if (energies == 3) {
    const Counted q2 = q * D[2];
    r[2] = q * D[0], r[0] = q2 * D[1], r[1] = q2 * D[0];  // D0 D1 is at hand
  }
  for (int i = 0; i < energies; ++i) {
    P.add(r[i]);
    if (occupied) P.add(Counted(3.0));  // what was added, times w
  }
}
void energies(const Term& P, int nw, bool scaled, bool occupied) {
  for (; nw > 0; nw -= 3) group(P, std::min(nw, 3), scaled, occupied);
}

struct Pairs {
  double finite = 0, infinite = 0, none = 0, columns = 0;
  double occupied = 0, bands = 0;
  explicit Pairs(suite::Kernel& k) {
    const suite_array w = k.argument("wtilde_array"), occupations = k.argument("occ_array");
    const auto* const modes = static_cast<const std::complex<double>*>(w.data);
    const auto* const column = static_cast<const int32_t*>(k.argument("indigp").data);
    const auto* const f = static_cast<const double*>(occupations.data);
    for (int64_t c = 0; c < w.extent[1]; ++c) {
      if (column[c] == 0) continue;
      ++columns;
      for (int64_t g = 0; g < w.extent[0]; ++g) {
        const double mode = modes[c * w.extent[0] + g].real();
        ++(mode == 0 ? none : mode == 1e12 ? infinite : finite);
      }
    }
    for (int64_t n = 0; n < occupations.extent[0]; ++n) ++bands, occupied += f[n] > 0;
  }
};

double sigma_flops(suite::Kernel& k) {
  const Pairs pairs(k);
  const bool real = k.argument("I_eps_array").type == SUITE_REAL64, still = k.argument("achstemp").data != nullptr;
  const int nw = static_cast<int>(k.argument("wx_array").extent[0]);
  const auto finite = [&](bool occupied) {
    return flops_of([=] {
      const Term P(real);
      energies(P, nw, still, occupied);
      if (still) P.add();
    });
  };
  const double without_energies = flops_of([=] { Term(real).add(); });
  const double of_pairs = (pairs.infinite + (still ? pairs.none : 0)) * without_energies;
  return static_cast<double>(k.argument("wx_array").extent[2]) *
         (pairs.bands * of_pairs + pairs.finite * ((pairs.bands - pairs.occupied) * finite(false) + pairs.occupied * finite(true)));
}

double offdiag_flops(suite::Kernel& k) {
  const Pairs pairs(k);
  const bool real = k.argument("I_eps_array").type == SUITE_REAL64;
  const int64_t nex = k.argument("aqs").extent[2];
  const double product = flops_of([=] {
    const CountedComplex a{1, 2}, b{3, 4};
    CountedComplex sum;
    if (real) sum.re += a.re * b.re;
    else sum = sum + a * b;
  });
  const auto factor = [&](bool exchange) {
    return flops_of([=] {
      const Counted x = 1, w = 3, D = x - w;
      const Counted f = exchange ? w * w * reciprocal(D * (x + w)) : w * reciprocal(D);
      for (int i = 0; i < (real ? 1 : 2); ++i) (void)(f * Counted(2));
    });
  };
  const auto nw = static_cast<double>(k.argument("wx_array").extent[0]), n = static_cast<double>(nex),
             rows = static_cast<double>(k.argument("wtilde_array").extent[0]);
  const auto of = [&](bool exchange) { return rows * (factor(exchange) + product * n) + product * n * n; };
  return nw * pairs.columns * (pairs.bands * of(false) + pairs.occupied * of(true));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(costs)

BOOST_AUTO_TEST_CASE(sigma) {
  for (const char* flavour : {"", ",flavour=real"})
    for (const char* nw : {"1", "2", "3", "5", "7"})
      for (const char* keys :
           {",nvband=0", ",nvband=5", ",nvband=16", ",nvband=5,infinite=0.3,zero=0.2", ",nvband=0,static=1",
            ",nvband=5,infinite=0.3,zero=0.2,static=1,nex=2", ",nvband=5,padding=1", ",nvband=5,band_resolved=1,gamma=0.3,sexcut=3"})
        states("gpp.sigma", std::string("ntband=16,ngpown=12,ncouls=40,nw=") + nw + flavour + keys, sigma_flops);
}

BOOST_AUTO_TEST_CASE(sigma_offdiag) {
  for (const char* flavour : {"", ",flavour=real"})
    for (const char* nex : {"2", "16", "40"})
      for (const char* keys :
           {",nvband=0", ",nvband=3", ",nvband=8", ",nvband=3,infinite=0.3,zero=0.1,padding=1", ",nvband=3,gamma=0.3,sexcut=3"})
        states("gpp.sigma_offdiag", std::string("ntband=8,ngpown=12,ncouls=40,nw=2,nex=") + nex + flavour + keys, offdiag_flops);
}

BOOST_AUTO_TEST_SUITE_END()
