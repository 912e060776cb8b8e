// SPDX-License-Identifier: BSD-3-Clause
// A call of lfd.propagate as a test sees it: a system, its state, and what came out of the steps.
#pragma once

#include "dense.hpp"

namespace lfd_test {

struct System {
  Grid g;
  Numbers f, vloc, k;
  double dt = 0.02;
  Numbers kappa, gamma;  // empty or one number
  int32_t field_steps = 1;
  const Nonlocal* nonlocal = nullptr;
  const char *field = "frozen", *functional = "none", *gauge = "length", *mass_correction = "off", *kinetic = "differences";
};

struct State {
  Orbitals psi;
  Numbers vH;
};

struct Trace {
  Numbers rho, dipole, current;
};

// Steps with one drive each; drive(3,nsteps).
inline Trace propagate(Call& call, const System& s, State& state, const Numbers& drive) {
  const auto steps = static_cast<int64_t>(drive.size() / 3);
  call.forget();
  call.choose("field", s.field);
  call.choose("functional", s.functional);
  call.choose("gauge", s.gauge);
  call.choose("mass_correction", s.mass_correction);
  call.choose("kinetic", s.kinetic);
  call.complexes("psi", state.psi, s.g.psi_extents());
  call.numbers("f", s.f, {s.g.norb});
  call.reals("vloc", s.vloc, s.g.extents());
  call.numbers("h", s.g.spacings(), {3});
  call.scalar("dt", s.dt);
  call.numbers("drive", drive, {3, steps});
  if (!s.k.empty()) call.numbers("k", s.k, {3, s.g.norb});
  call.reals("vH", state.vH, s.g.two_extents());
  if (!s.kappa.empty()) call.scalar("kappa", s.kappa[0]);
  if (!s.gamma.empty()) call.scalar("gamma", s.gamma[0]);
  call.count("field_steps", s.field_steps);
  if (s.nonlocal) s.nonlocal->set(call);
  call.reals("rho", Numbers(static_cast<size_t>(s.g.points()), 1e30), s.g.extents());
  call.numbers("dipole", Numbers(static_cast<size_t>(4 * steps), 1e30), {4, steps});
  call.numbers("current", Numbers(static_cast<size_t>(3 * steps), 1e30), {3, steps});
  call.run();
  state.psi = call.get_complexes("psi");
  state.vH = call.get_reals("vH");
  return {call.get_reals("rho"), call.get_numbers("dipole"), call.get_numbers("current")};
}

inline Numbers no_drive(int64_t steps) { return Numbers(static_cast<size_t>(3 * steps), 0.0); }
inline Numbers no_field(const Grid& g) { return Numbers(static_cast<size_t>(2 * g.points()), 0.0); }

inline Numbers density(const System& s, const Orbitals& psi) {
  Numbers rho(static_cast<size_t>(s.g.points()));
  for (int64_t i = 0; i < s.g.points(); ++i)
    for (int64_t n = 0; n < s.g.norb; ++n) rho[i] += s.f[n] * std::norm(psi[n + s.g.norb * i]);
  return rho;
}

// The Hartree field that belongs to psi, by the implementation's own solver.
inline Numbers field_of(Call& call, const System& s, const Orbitals& psi, const char* laplacian = "differences") {
  Call solver = beside(call, "lfd.spectral_field_solve");
  solver.choose("laplacian", laplacian);
  solver.reals("rho", density(s, psi), s.g.extents());
  solver.numbers("h", s.g.spacings(), {3});
  solver.reals("vH", no_field(s.g), s.g.two_extents());
  solver.run();
  return solver.get_reals("vH");
}

// Energies (5) by lfd.calc_energy, or ekin(Norb); A as it is.
inline Numbers energies(Call& call, const System& s, const State& state, const Vector& A = {}, const char* wanted = "energy") {
  Call energy = beside(call, "lfd.calc_energy");
  energy.choose("functional", s.functional);
  energy.choose("kinetic", s.kinetic);
  energy.complexes("psi", state.psi, s.g.psi_extents());
  energy.numbers("f", s.f, {s.g.norb});
  energy.numbers("h", s.g.spacings(), {3});
  energy.reals("vloc", s.vloc, s.g.extents());
  energy.reals("vH", state.vH, s.g.two_extents());
  energy.reals("rho", density(s, state.psi), s.g.extents());
  if (s.nonlocal) s.nonlocal->set(energy);
  energy.numbers("A", {A[0], A[1], A[2]}, {3});
  if (!s.k.empty()) energy.numbers("k", s.k, {3, s.g.norb});
  energy.numbers("ekin", Numbers(static_cast<size_t>(s.g.norb), 1e30), {s.g.norb});
  energy.numbers("enl", Numbers(static_cast<size_t>(s.g.norb), 1e30), {s.g.norb});
  energy.numbers("energy", Numbers(5, 1e30), {5});
  energy.run();
  return energy.get_numbers(wanted);
}

// Harmonic well of frequency w, and Hermite-Gaussian orbitals in it (1, x, y, z, .. times the Gaussian),
// shifted.
inline System harmonic(const Grid& g, double w) {
  System s;
  s.g = g;
  s.f.assign(static_cast<size_t>(g.norb), 2.0);
  s.vloc.resize(static_cast<size_t>(g.points()));
  for (int64_t i = 0; i < g.points(); ++i)
    for (int d = 0; d < 3; ++d) s.vloc[i] += g.n[d] > 1 ? 0.5 * w * w * g.r(d, i) * g.r(d, i) : 0;
  return s;
}
inline Orbitals hermite(const Grid& g, double w, const Vector& shift = {}) {
  Orbitals psi(static_cast<size_t>(g.norb * g.points()));
  for (int64_t i = 0; i < g.points(); ++i) {
    double r[3], r2 = 0;
    for (int d = 0; d < 3; ++d) {
      r[d] = g.n[d] > 1 ? g.r(d, i) - shift[d] : 0;
      r2 += r[d] * r[d];
    }
    const double shapes[] = {1, r[0], r[1], r[2], r[0] * r[1]};
    for (int64_t n = 0; n < g.norb; ++n) psi[n + g.norb * i] = shapes[n] * std::exp(-0.5 * w * r2);
  }
  orthonormalise(g, psi);
  return psi;
}

// A cell with interacting orbitals in a well, a nonlocal atom and Hartree and exchange and correlation.
struct Full {
  System s;
  Nonlocal V;
  State start;
  explicit Full(Call& call, Grid g = {{12, 10, 14}, {0.6, 0.7, 0.5}, 3}) {
    s = harmonic(g, 0.8);
    V = some_nonlocal(g, {g.index(6, 5, 7), g.index(7, 5, 6)}, 1.6, 0.5);
    s.nonlocal = &V;
    s.field = "spectral";
    s.functional = "pw92";
    start.psi = hermite(g, 0.8, {0.2, -0.1, 0.3});
    start.vH = field_of(call, s, start.psi);
  }
  Full(const Full&) = delete;
};

// A at the middle of each step, -int E dt, of the field E there; (3,nsteps).
inline Numbers vector_potential(const Numbers& E, double dt) {
  Numbers A(E.size());
  for (size_t d = 0; d < 3; ++d) {
    double sum = 0;
    for (size_t i = d; i < E.size(); i += 3) {
      A[i] = -(sum + 0.5 * E[i]) * dt;
      sum += E[i];
    }
  }
  return A;
}

// What a step of dt from the start measures.
inline Trace step_of(Call& call, const Full& full, double dt) {
  System s = full.s;
  s.dt = dt;
  State state = full.start;
  return propagate(call, s, state, no_drive(1));
}

// Checks that the current is the derivative of the dipole, by differences of the fourth order.
inline void check_current(Call& call, const Full& full) {
  const double dt = 0.01;
  const Trace now = step_of(call, full, 0), fore = step_of(call, full, dt), back = step_of(call, full, -dt),
              fore2 = step_of(call, full, 2 * dt), back2 = step_of(call, full, -2 * dt);
  double worst = 0;
  for (int d = 0; d < 3; ++d) {
    const double slope = (8 * (fore.dipole[d] - back.dipole[d]) - (fore2.dipole[d] - back2.dipole[d])) / (12 * dt);
    worst = std::max(worst, std::abs(slope - now.current[d]));
  }
  check_below(call, "distance from the derivative", worst, 1e-7);
}

// For hundreds of steps or large grids: an emulated device, for which they take a minute, is left to the other tests and to agreement with the reference.
inline void for_each_fast(Variants variants, const std::function<void(Call&)>& f) {
  for_each("lfd.propagate", variants, [&](Call& call) {
    if (call.kernel().table().backend != std::string("emulated")) f(call);
  });
}

}  // namespace lfd_test
