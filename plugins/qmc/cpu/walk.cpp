// SPDX-License-Identifier: BSD-3-Clause
#include "walk.hpp"

#include <numbers>

namespace suite::qmc {
namespace {

// Below so many orbitals a move is cheaper at once than in a window.
constexpr int64_t least_for_window = 48;

// From there on the smallest matrices want the shortest windows.
int64_t window_capacity(int64_t n, int64_t delay) { return n < least_for_window ? 1 : std::min(delay, std::max<int64_t>(n / 6, 8)); }

// (-1 + sqrt(1 + 2 a v^2 tau))/(a v^2 tau) v, without a difference of near numbers.
void limit(double (&v)[3], const Walk& walk) {
  const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const double factor = 2 / (1 + std::sqrt(1 + 2 * walk.alimit * square * walk.tau));
  for (double& x : v) x *= factor;
}

}  // namespace

OneWalker::Sizes::Sizes(const Trial& trial, const Electrons& electrons, int64_t delay) {
  cloud = Cloud::size(electrons);
  G = trial.p_width();
  k = trial.k.width();
  column = trial.column_size();
  tables = trial.k.one_size();  // of the p term too
  work = trial.has_p ? trial.see_size(electrons) : 0;
  for (int spin = 0; spin < 2; ++spin) {
    const int64_t n = electrons.count(spin);
    capacity[spin] = window_capacity(n, delay);
    window[spin] = Window::size(n, capacity[spin]);
    work = std::max(work, inverse_scratch(n, capacity[spin]));
  }
}

OneWalker::OneWalker(const Trial& trial, const Electrons& electrons, int64_t delay, double* memory, double* rele, double* dbar_up,
                     double* dbar_dn)
    : trial_(trial), electrons_(electrons), rele_(rele), dbar_{dbar_up, dbar_dn} {
  const Sizes sizes(trial, electrons, delay);
  Arena arena(memory);
  cloud_ = Cloud::in(arena.take(sizes.cloud), electrons);
  seen_ = arena.take(4 * sizes.G);
  others_ = arena.take(2 * sizes.G);
  for (Place* place : {&here_, &there_}) {
    place->G = arena.take(2 * sizes.G);
    place->k = arena.take(2 * sizes.k);
  }
  column_ = arena.take(sizes.column);
  phi_ = arena.take(sizes.column);
  tables_ = arena.take(sizes.tables);
  work_ = arena.take(sizes.work);
  for (int spin = 0; spin < 2; ++spin)
    window_[spin] = Window::in(arena.take(sizes.window[spin]), electrons.count(spin), sizes.capacity[spin]);
  cloud_.fill_from(trial.frame, rele);
  if (trial.has_p) trial.see(electrons, rele, seen_, work_);
  std::fill_n(column_, trial.column_size(), 0.0);
}

Outcome OneWalker::go(const Walk& walk, int64_t stream) {
  for (int64_t k = 0; k < walk.nsweep; ++k)
    for (int64_t i = 0; i < electrons_.netot; ++i)
      if (!move(walk, stream, walk.first_sweep + k, i)) return outcome_;
  for (int spin = 0; spin < 2; ++spin)
    if (window_[spin].count > 0) flush(window_[spin], dbar_[spin], work_);
  for (int64_t i = 0; i < electrons_.netot; ++i) {
    double* const r = rele_ + 3 * i;
    double whole[3];
    for (int d = 0; d < 3; ++d) {
      const double(&b)[3] = trial_.lattice.b[d];
      whole[d] = std::floor((b[0] * r[0] + b[1] * r[1] + b[2] * r[2]) / (2 * std::numbers::pi));
    }
    for (int d = 0; d < 3; ++d)
      for (int c = 0; c < 3; ++c) r[c] -= whole[d] * trial_.lattice.a[d][c];
  }
  return outcome_;
}

// False where the accepted move makes the Slater matrix singular.
bool OneWalker::move(const Walk& walk, int64_t stream, int64_t sweep, int64_t i) {
  const bool drifts = walk.move == Move::langevin;
  const int spin = electrons_.spin(i);
  const Own own{spin, i - electrons_.first(spin), cloud_.place(i)};
  find_column(own);
  std::copy_n(rele_ + 3 * i, 3, here_.r);
  cloud_.get(i, here_.frame);
  if (trial_.has_p) {
    trial_.p.waves.powers(here_.r, tables_);
    trial_.p.waves.at(tables_, here_.G, here_.G + trial_.p_width());
    without_own(trial_.p.waves, seen_ + 2 * trial_.p_width() * spin, trial_.a_of(spin, spin), here_.G, others_);
  }
  if (drifts) {
    if (!trial_.has_p) trial_.k.powers(here_.r, tables_);
    trial_.k.at(tables_, here_.k, here_.k + trial_.k.width());
    drift(walk, own, here_);
  }
  double g[3], diffused = 0;
  move_gaussians(walk.seed, stream, sweep, i, g);
  for (int d = 0; d < 3; ++d) {
    there_.r[d] = here_.r[d] + std::sqrt(walk.tau) * g[d] + (drifts ? walk.tau * here_.drift[d] : 0);
    diffused += walk.tau * g[d] * g[d];
  }
  outcome_.diffused += diffused;
  trial_.frame.into(there_.r, there_.frame);
  trial_.k.powers(there_.r, tables_);
  trial_.k.at(tables_, there_.k, there_.k + trial_.k.width());
  if (trial_.has_p) trial_.p.waves.at(tables_, there_.G, there_.G + trial_.p_width());
  if (drifts) drift(walk, own, there_);
  else values(own);
  const double log_ratio = std::log(std::abs(there_.ratio)) + there_.jastrow - here_.jastrow;
  double exponent = 2 * log_ratio;
  if (drifts) {
    if (!(there_.ratio > 0)) return true;
    double back = 0;
    for (int d = 0; d < 3; ++d) {
      const double step = here_.r[d] - there_.r[d] - walk.tau * there_.drift[d];
      back += step * step;
    }
    exponent -= (back - diffused) / (2 * walk.tau);
  }
  if (!(acceptance_uniform(walk.seed, stream, sweep, i) < std::exp(exponent))) return true;
  if (!accept(i, own)) return false;
  ++outcome_.accepted;
  outcome_.diffused_accepted += diffused;
  outcome_.logpsi += log_ratio;
  return true;
}

void OneWalker::find_column(const Own& own) {
  const Window& window = window_[own.spin];
  current_column(window, dbar_[own.spin], own.index, column_, work_);
  std::fill(column_ + window.n, column_ + trial_.column_size(), 0.0);
}

// Without drift: the ratio there, and both values of the Jastrow factor in one pass over the electrons.
void OneWalker::values(const Own& own) {
  const int64_t k = trial_.k.width();
  there_.ratio = slater_sums<false>(trial_.k, there_.k, there_.k + k, column_).value;
  here_.jastrow = there_.jastrow = 0;
  if (trial_.has_u) {
    const double at[2][3] = {{here_.frame[0], here_.frame[1], here_.frame[2]}, {there_.frame[0], there_.frame[1], there_.frame[2]}};
    double u[2];
    trial_.row.two_values(cloud_, own.spin, own.place, at, u);
    here_.jastrow += u[0];
    there_.jastrow += u[1];
  }
  if (trial_.has_p) {
    here_.jastrow += p_sums<false>(trial_.p.waves, here_.G, others_).value;
    there_.jastrow += p_sums<false>(trial_.p.waves, there_.G, others_).value;
  }
}

void OneWalker::drift(const Walk& walk, const Own& own, Place& place) {
  const RowSums slater = slater_sums<true>(trial_.k, place.k, place.k + trial_.k.width(), column_);
  place.ratio = slater.value;
  place.jastrow = 0;
  for (int d = 0; d < 3; ++d) place.drift[d] = slater.gradient[d] / slater.value;
  const auto add = [&](const RowSums& term) {
    place.jastrow += term.value;
    for (int d = 0; d < 3; ++d) place.drift[d] += term.gradient[d];
  };
  if (trial_.has_u) add(trial_.row.gradient(cloud_, own.spin, own.place, place.frame));
  if (trial_.has_p) add(p_sums<true>(trial_.p.waves, place.G, others_));
  limit(place.drift, walk);
}

bool OneWalker::accept(int64_t i, const Own& own) {
  Window& window = window_[own.spin];
  double* const dbar = dbar_[own.spin];
  free_orbitals(trial_.k, there_.k, there_.k + trial_.k.width(), phi_);
  double ratio;
  if (window.kmax == 1) {
    ratio = sherman_morrison(dbar, window.n, own.index, phi_, work_);
  } else {
    const bool again = waits(window, own.index);
    if (again) flush(window, dbar, work_);
    // What find_column left in work_.
    ratio = add_move(window, dbar, own.index, phi_, again ? nullptr : work_, work_);
  }
  if (!(std::abs(ratio) > 0) || !std::isfinite(ratio)) {
    outcome_.refused = i;
    outcome_.refused_ratio = ratio;
    return false;
  }
  if (window.count == window.kmax) flush(window, dbar, work_);
  std::copy_n(there_.r, 3, rele_ + 3 * i);
  cloud_.set(i, there_.frame);
  if (!trial_.has_p) return true;
  const int64_t w = trial_.p_width();
  for (int spin = 0; spin < 2; ++spin) {
    const double* const a = trial_.a_of(spin, own.spin);
    double* const seen = seen_ + 2 * w * spin;
    for (int64_t g = 0; g < 2 * w; g += lanes) store(seen + g, load(seen + g) + load(a + g % w) * (load(there_.G + g) - load(here_.G + g)));
  }
  return true;
}

}  // namespace suite::qmc
