// SPDX-License-Identifier: BSD-3-Clause
// Spheres, bands and calls for the tests of the family gw.
#pragma once

#include "../common/kept.hpp"

#include <crystal.hpp>

namespace gw_test {

using namespace suite::test;
using suite::gw::Metric;
using suite::gw::Miller;
using Indices = std::vector<int32_t>;
using List = std::vector<Miller>;

// A lattice with three angles, and one of a diamond-like crystal; bohr^-2.
inline const Metric oblique{0.41, 0.06, -0.05, 0.06, 0.33, 0.04, -0.05, 0.04, 0.52},
    fcc{1.125, -0.375, -0.375, -0.375, 1.125, -0.375, -0.375, -0.375, 1.125};

inline List sphere_of(const Metric& bdot, std::array<double, 3> k, double cutoff) {
  return suite::gw::sphere(bdot, k, cutoff);
}
inline Indices flat(const List& list) {
  Indices numbers;
  for (const Miller& g : list) numbers.insert(numbers.end(), g.begin(), g.end());
  return numbers;
}
inline Miller plus(const Miller& a, const Miller& b, int sign = 1) {
  return {a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2]};
}
inline int64_t count(const auto& list) { return static_cast<int64_t>(list.size()); }
inline int64_t place_of(const List& list, const Miller& g) {
  const auto found = std::find(list.begin(), list.end(), g);
  return found == list.end() ? -1 : found - list.begin();
}

inline Complexes random_bands(int64_t numbers, unsigned seed) {
  const Numbers x = random_numbers(2 * numbers, seed, -1, 1);
  Complexes c;
  for (int64_t i = 0; i < numbers; ++i) c.emplace_back(x[2 * i], x[2 * i + 1]);
  return c;
}
// n orthonormal columns of npw numbers, by Gram and Schmidt, twice.
inline Complexes orthonormal(int64_t npw, int64_t n, unsigned seed) {
  Complexes c = random_bands(npw * n, seed);
  for (int64_t a = 0; a < n; ++a)
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t b = 0; b < a; ++b) {
        Complex overlap = 0;
        for (int64_t i = 0; i < npw; ++i) overlap += std::conj(c[b * npw + i]) * c[a * npw + i];
        for (int64_t i = 0; i < npw; ++i) c[a * npw + i] -= overlap * c[b * npw + i];
      }
      double norm = 0;
      for (int64_t i = 0; i < npw; ++i) norm += std::norm(c[a * npw + i]);
      for (int64_t i = 0; i < npw; ++i) c[a * npw + i] /= std::sqrt(norm);
    }
  return c;
}

// Every implementation of gw.mtxel, by every method that it has.
inline void each_method(const std::function<void(Call&)>& f) {
  standard_kept("gw.mtxel", [&](Call& call) {
    if (!call.has("method")) return f(call);
    for (const char* method : {"fft", "product", "auto"}) {
      call.choose("method", method);
      f(call);
    }
  });
}
inline void each_model(const char* model, const std::function<void(Call&)>& f) {
  standard_kept("gw.screening", [&](Call& call) {
    call.choose("model", model);
    f(call);
  });
}

// M(G,n',n) of a call; bra (npw,nex[,2]), ket (npw,ntband[,2]).
inline Complexes elements(Call& call, const List& g_bra, const Complexes& bra, const List& g_ket,
                          const Complexes& ket, const List& g, int64_t nspinor = 1) {
  call.forget();
  const int64_t nex = count(bra) / (count(g_bra) * nspinor), ntband = count(ket) / (count(g_ket) * nspinor);
  call.complexes("ket", ket, {count(g_ket), ntband, nspinor});
  call.indices("g_ket", flat(g_ket), {3, count(g_ket)});
  call.indices("g_bra", flat(g_bra), {3, count(g_bra)});
  call.indices("g", flat(g), {3, count(g)});
  call.complexes("bra", bra, {count(g_bra), nex, nspinor});
  call.complexes("aqs", Complexes(static_cast<size_t>(count(g) * ntband * nex), Complex(7, 7)),
                 {count(g), ntband, nex});
  call.run();
  return call.get_complexes("aqs");
}

// One q of gw.screening.
struct Crystal {
  Metric bdot = oblique;
  std::array<double, 3> q{0.2, -0.3, 0.1};
  int32_t nq = 27;
  List g, g_rho;
  Complexes rho;
  Numbers vcoul;

  explicit Crystal(std::array<double, 3> q_, double cutoff = 3)
      : q(q_), g(sphere_of(bdot, q, cutoff)), g_rho(sphere_of(bdot, {0, 0, 0}, 2.5 * cutoff)) {
    rho = random_bands(count(g_rho), 5);
    rho[static_cast<size_t>(place_of(g_rho, {0, 0, 0}))] = 7.5;
    const Numbers v = random_numbers(count(g), 6, 0.01, 0.02);
    vcoul = v;
  }
  double volume() const { return suite::gw::cell_volume(bdot.data()); }
  Complex density(const Miller& d) const {
    const int64_t at = place_of(g_rho, d);
    return at < 0 ? Complex(0) : rho[static_cast<size_t>(at)];
  }
  // w_p^2 rho(G-G')/rho(0) (q+G).(q+G') v(q+G)/8 pi, eV^2, from v as BerkeleyGW stores it.
  Complex omega2(int64_t ig, int64_t igp) const {
    double x[3], y[3];
    for (int i = 0; i < 3; ++i) {
      x[i] = q[i] + g[ig][i];
      y[i] = q[i] + g[igp][i];
    }
    const double electrons = density({0, 0, 0}).real(),
                 plasma2 = std::pow(13.60569253, 2) * 16 * pi * electrons / volume();
    if (x[0] == 0 && x[1] == 0 && x[2] == 0) return ig == igp ? plasma2 : 0;
    const double v = vcoul[ig] * nq * volume();
    return plasma2 * density(plus(g[ig], g[igp], -1)) / electrons * suite::gw::product(bdot, x, y) * v /
           (8 * pi);
  }
  void set(Call& call, const Complexes& epsinv, int64_t columns, int32_t mode = 3,
           const Indices& indigp = {}) const {
    call.forget();
    call.indices("g", flat(g), {3, count(g)});
    call.indices("g_rho", flat(g_rho), {3, count(g_rho)});
    call.complexes("rho", rho, {count(g_rho)});
    if (!indigp.empty()) call.indices("indigp", indigp, {columns});
    call.complexes("epsinv", epsinv, {count(g), columns});
    call.numbers("vcoul", vcoul, {count(g)});
    call.numbers("q", Numbers(q.begin(), q.end()), {3});
    call.numbers("bdot", Numbers(bdot.begin(), bdot.end()), {3, 3});
    call.count("nq", nq);
    call.count("invalid_gpp_mode", mode);
    const auto size = static_cast<size_t>(count(g) * columns);
    call.complexes("I_eps_array", Complexes(size, Complex(3, 3)), {count(g), columns});
    call.complexes("wtilde_array", Complexes(size, Complex(3, 3)), {count(g), columns});
  }
};

// eps^-1 = delta - I of whole columns, all of them.
inline Complexes epsinv_of(const Complexes& I, int64_t n) {
  Complexes epsinv = I;
  for (size_t i = 0; i < I.size(); ++i)
    epsinv[i] = (static_cast<int64_t>(i) % n == static_cast<int64_t>(i) / n ? 1.0 : 0.0) - I[i];
  return epsinv;
}

}  // namespace gw_test
