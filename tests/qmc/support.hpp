// SPDX-License-Identifier: BSD-3-Clause
// Electron gases for the tests of qmc, and how kernels are called with them.
#pragma once

#include "../common/kept.hpp"

#include <lattice.hpp>

namespace qmc_test {

using namespace suite::test;
using Indices = std::vector<int32_t>;
using suite::qmc::Lattice;

inline void start_anew(Call& call) {
  call.forget();
  for (const auto& [parameter, choice] : {std::pair{"form", "polynomial"}, {"move", "metropolis"}})
    if (call.has(parameter)) call.choose(parameter, choice);
}
inline void each(const std::string& kernel, const std::function<void(Call&)>& f) {
  each_kept(kernel, [&](Call& call) {
    start_anew(call);
    f(call);
  });
}
inline void standard(const std::string& kernel, const std::function<void(Call&)>& f) {
  standard_kept(kernel, [&](Call& call) {
    start_anew(call);
    f(call);
  });
}
// Another kernel of the same implementation.
inline Call next_to(Call& call, const std::string& kernel) {
  const std::string implementation = call.kernel().table().implementation;
  Call other(kernel_of(kernel, implementation, ""), kernel + " on " + implementation, false);
  start_anew(other);
  return other;
}

const Numbers sc{1, 0, 0, 0, 1, 0, 0, 0, 1}, fcc{0, .5, .5, .5, 0, .5, .5, .5, 0}, bcc{-.5, .5, .5, .5, -.5, .5, .5, .5, -.5},
    triclinic{1, .1, .2, .3, 1.1, -.1, -.25, .2, .9};

inline Numbers scaled(Numbers cell, double factor) {
  for (double& x : cell) x *= factor;
  return cell;
}
// The cell of n electrons at r_s.
inline Numbers cell_of(const Numbers& shape, int64_t n, double rs) {
  return scaled(shape, rs * std::cbrt(4 * pi / 3 * static_cast<double>(n) / suite::qmc::lattice_of(shape.data()).volume));
}
inline Numbers positions(const Numbers& cell, int64_t count, unsigned seed, double low = -0.3, double high = 1.2) {
  const Numbers s = random_numbers(3 * count, seed, low, high);
  Numbers r(s.size());
  for (int64_t i = 0; i < count; ++i)
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 3; ++e) r[3 * i + d] += s[3 * i + e] * cell[3 * e + d];
  return r;
}

// Spin up and down with all that a Slater-Jastrow wavefunction of them has; the arrays of qmc.sweep and
// qmc.local_energy.
struct Gas {
  Numbers cell, rele;
  int64_t nup = 0, ndn = 0, nwalker = 1;
  Indices kvec, gvec, star;
  Numbers alpha, a;  // (nalpha,nset_u), (nstar,nset_p)
  int64_t nset_u = 1, nset_p = 1;
  double L_u = 0;
  std::string form = "polynomial";
  Numbers dbar[2];

  int64_t netot() const { return nup + ndn; }
  int64_t count(int spin) const { return spin ? ndn : nup; }
  int64_t nalpha() const { return static_cast<int64_t>(alpha.size()) / nset_u; }
  int64_t nstar() const { return static_cast<int64_t>(a.size()) / nset_p; }
  Lattice lattice() const { return suite::qmc::lattice_of(cell.data()); }

  void set_electrons(Call& call) const {
    call.numbers("cell", cell, {3, 3});
    call.indices("nele", {static_cast<int32_t>(nup), static_cast<int32_t>(ndn)}, {2});
    call.numbers("rele", rele, {3, netot(), nwalker});
  }
  void set_u(Call& call) const {
    if (alpha.empty()) return;
    call.numbers("alpha", alpha, {nalpha(), nset_u});
    call.scalar("L_u", L_u);
  }
  void set_p(Call& call) const {
    if (a.empty()) return;
    call.indices("gvec", gvec, {3, static_cast<int64_t>(star.size())});
    call.indices("star", star, {static_cast<int64_t>(star.size())});
    call.numbers("a", a, {nstar(), nset_p});
  }
  // For qmc.sweep and qmc.local_energy.
  void set_wavefunction(Call& call) const {
    call.forget();
    call.choose("form", form);
    set_electrons(call);
    call.indices("kvec", kvec, {3, static_cast<int64_t>(kvec.size()) / 3});
    set_u(call);
    set_p(call);
    if (nup > 0) call.numbers("dbar_up", dbar[0], {nup, nup, nwalker});
    if (ndn > 0) call.numbers("dbar_dn", dbar[1], {ndn, ndn, nwalker});
  }
};

// ln|D| and the inverses for positions rele(3,netot,nwalker), both spins.
struct Slater {
  Numbers dbar[2], logdet;
};
inline Slater slater_of(const Gas& gas) {
  Slater result;
  result.logdet.assign(static_cast<size_t>(gas.nwalker), 0);
  for (int spin = 0; spin < 2; ++spin) {
    const int64_t n = gas.count(spin), W = gas.nwalker;
    if (n == 0) continue;
    Numbers r;
    for (int64_t w = 0; w < W; ++w) {
      const auto first = gas.rele.begin() + 3 * (gas.netot() * w + (spin ? gas.nup : 0));
      r.insert(r.end(), first, first + 3 * n);
    }
    Call orbitals = reference("qmc.orbitals_free");
    orbitals.numbers("cell", gas.cell, {3, 3});
    orbitals.indices("kvec", gas.kvec, {3, static_cast<int64_t>(gas.kvec.size()) / 3});
    orbitals.numbers("r", r, {3, n, W});
    orbitals.numbers("phi", Numbers(static_cast<size_t>(n * n * W)), {n, n, W});
    orbitals.run();
    Call invert = reference("qmc.slater_invert");
    invert.numbers("phi", orbitals.get_numbers("phi"), {n, n, W});
    invert.numbers("dbar", Numbers(static_cast<size_t>(n * n * W)), {n, n, W});
    invert.numbers("logdet", Numbers(static_cast<size_t>(W)), {W});
    invert.run();
    result.dbar[spin] = invert.get_numbers("dbar");
    const Numbers logdet = invert.get_numbers("logdet");
    for (int64_t w = 0; w < W; ++w) result.logdet[w] += logdet[w];
  }
  return result;
}

// A gas of the first wave vectors, with u and p terms of plausible size that have no symmetry.
inline Gas gas_of(const Numbers& shape, int64_t nup, int64_t ndn, double rs, int64_t nwalker, unsigned seed, int64_t ngvec = 9,
                  int64_t nset = 2) {
  Gas g;
  g.cell = cell_of(shape, nup + ndn, rs);
  g.nup = nup;
  g.ndn = ndn;
  g.nwalker = nwalker;
  g.rele = positions(g.cell, g.netot() * nwalker, seed);
  const Lattice lattice = g.lattice();
  g.kvec = suite::qmc::shortest_reciprocal(lattice, std::max<int64_t>(1, std::max(nup, ndn) / 2));
  g.gvec = suite::qmc::shortest_reciprocal(lattice, ngvec, &g.star);
  g.L_u = 0.95 * lattice.inscribed_radius;
  g.nset_u = g.nset_p = nset;
  g.a = random_numbers(g.star.back() * nset, seed + 1, -0.1, 0.02);
  const Numbers c = random_numbers(6 * nset, seed + 2, -0.5, 0.5);
  for (int64_t i = 0; i < 6 * nset; ++i) g.alpha.push_back(g.L_u / 6 * c[i] / std::pow(-g.L_u, 3 + i % 6));
  const Slater slater = slater_of(g);
  for (int spin = 0; spin < 2; ++spin) g.dbar[spin] = slater.dbar[spin];
  return g;
}

}  // namespace qmc_test
