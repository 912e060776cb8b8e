// SPDX-License-Identifier: BSD-3-Clause
#include "quasiparticle.hpp"

#include <cmath>
#include <complex>
#include <optional>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {
namespace {

constexpr double same_energy = tol_energy_Ry * rydberg_eV;

template <class T> size_t end_of_set(const std::vector<T>& states, size_t first) {
  size_t last = first;
  while (last + 1 < states.size() && states[last + 1].k == states[first].k && states[last + 1].spin == states[first].spin &&
         std::abs(states[last + 1].emf - states[last].emf) < same_energy)
    ++last;
  return last + 1;
}

// The mean of a set: sums of every term, energies relative to each state's own emf.
State average(const std::vector<State>& states, size_t first, size_t end) {
  State mean = states[first];
  const double share = 1.0 / static_cast<double>(end - first);
  for (size_t i = first + 1; i < end; ++i) {
    const State& s = states[i];
    if (s.sx.size() != mean.sx.size() || s.ch.size() != mean.ch.size())
      throw Failure(SUITE_INTERNAL,
                    fmt::format("degenerate bands {} and {} have {} and {} energies", mean.band, s.band, mean.sx.size(), s.sx.size()));
    mean.vxc += s.vxc;
    mean.x += s.x;
    mean.remainder += s.remainder;
    for (size_t iw = 0; iw < s.sx.size(); ++iw) mean.sx[iw] += s.sx[iw], mean.ch[iw] += s.ch[iw];
    for (size_t iw = 0; iw < s.imaginary.size(); ++iw) mean.imaginary[iw] += s.imaginary[iw];
  }
  mean.vxc *= share;
  mean.x *= share;
  mean.remainder *= share;
  for (size_t iw = 0; iw < mean.sx.size(); ++iw) mean.sx[iw] *= share, mean.ch[iw] *= share;
  for (double& x : mean.imaginary) x *= share;
  return mean;
}

// The energies of a state must hold what the form differentiates.
void require_energies(const State& s, size_t count, int form) {
  if (s.energies.size() != count || s.sx.size() != count || s.ch.size() != count)
    throw Failure(SUITE_INTERNAL, fmt::format("finite_difference_form {} needs Sigma at {} energies; band {} has {}", form, count, s.band,
                                              s.energies.size()));
}

struct OnGrid {
  double sx, ch, imaginary;  // at Eo
  size_t interval;           // in which Eo lies, or next to it
};

// finite_difference_form -3: Sigma on a grid of energies, linear between its points and beyond its ends.
OnGrid on_grid(const State& s) {
  const size_t n = s.energies.size();
  if (n < 2 || s.sx.size() != n || s.ch.size() != n)
    throw Failure(SUITE_INTERNAL, fmt::format("the energy grid of band {} has {} points; it needs 2 or more", s.band, n));
  size_t at = 0;
  while (at + 2 < n && s.energies[at + 1] <= s.eo()) ++at;
  const double t = (s.eo() - s.energies[at]) / (s.energies[at + 1] - s.energies[at]);
  OnGrid result{};
  result.interval = at;
  result.sx = (s.sx[at] + t * (s.sx[at + 1] - s.sx[at])).real();
  result.ch = (s.ch[at] + t * (s.ch[at + 1] - s.ch[at])).real();
  if (!s.imaginary.empty()) result.imaginary = s.imaginary[at] + t * (s.imaginary[at + 1] - s.imaginary[at]);
  return result;
}

struct Root {
  double energy, slope;
};

// The E of Emf - Vxc + Re Sigma(E) + remainder = E that is nearest to Eqp0, where the left side falls below the right one (Z > 0; the others
// have a large imaginary part); without one on the grid, from its first or last interval; without one there Eqp0 itself. The equation is real,
// so its slope is too, that of the interval of the root. BerkeleyGW's rule at full frequency.
Root root_on_grid(const State& s, const OnGrid& at, double remainder) {
  const size_t n = s.energies.size();
  const double base = s.emf - s.vxc + s.x + remainder, eqp0 = base + at.sx + at.ch;
  const auto sigma = [&](size_t i) { return s.sx[i].real() + s.ch[i].real(); };
  const auto above = [&](size_t i) { return base + sigma(i) - s.energies[i]; };
  const auto in_interval = [&](size_t i) {
    const double slope = (sigma(i + 1) - sigma(i)) / (s.energies[i + 1] - s.energies[i]);
    return Root{s.energies[i] + above(i) / (1 - slope), slope};
  };
  std::optional<Root> best;
  const auto take = [&](const Root& root) {
    if (!best || std::abs(root.energy - eqp0) < std::abs(best->energy - eqp0)) best = root;
  };
  for (size_t i = 0; i + 1 < n; ++i)
    if (above(i) >= 0 && above(i + 1) < 0) take(in_interval(i));
  if (best) return *best;
  if (const Root first = in_interval(0); first.slope < 1 && above(0) < 0) take(first);
  if (const Root last = in_interval(n - 2); last.slope < 1 && above(n - 1) >= 0) take(last);
  return best ? *best : Root{eqp0, in_interval(at.interval).slope};
}

Quasiparticle solve(const State& s, int form) {
  Quasiparticle p{.k = s.k, .band = s.band, .spin = s.spin, .emf = s.emf, .x = s.x, .vxc = s.vxc, .eo = s.eo()};
  size_t centre = 0;
  const bool on_a_grid = form == -3 && s.energies.size() > 1;
  if (on_a_grid) {
    const OnGrid grid = on_grid(s);
    p.sx = grid.sx;
    p.ch_primed = grid.ch;
    p.imaginary = grid.imaginary;
    const Root root = root_on_grid(s, grid, s.remainder);
    p.eqp1 = root.energy;
    p.z = 1 / (1 - root.slope);
    p.eqp1_primed = root_on_grid(s, grid, 0).energy;
  } else {
    size_t low = 0, high = 0;  // the pair of energies of the difference
    switch (s.energies.size() == 1 ? -2 : form) {
      case -2: require_energies(s, 1, form); break;
      case -1: require_energies(s, 2, form), high = centre = 1; break;
      case 0: require_energies(s, 3, form), high = 2, centre = 1; break;
      case 1:
      case 2: require_energies(s, 2, form), high = 1; break;
      default: throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("finite_difference_form is {}; it can be -3 to 2", form));
    }
    p.sx = s.sx[centre].real();
    p.ch_primed = s.ch[centre].real();
    if (!s.imaginary.empty()) p.imaginary = s.imaginary[centre];
    if (high > low) {
      const auto slope = (s.sx[high] + s.ch[high] - s.sx[low] - s.ch[low]) / (s.energies[high] - s.energies[low]);
      p.z = (1.0 / (1.0 - slope)).real();
    }
  }
  p.sigma_primed = p.x + p.sx + p.ch_primed;
  p.eqp0_primed = p.emf - p.vxc + p.sigma_primed;
  p.ch = p.ch_primed + s.remainder;
  p.sigma = p.sigma_primed + s.remainder;
  p.eqp0 = p.eqp0_primed + s.remainder;
  if (!on_a_grid) {
    p.eqp1_primed = p.eqp0_primed + (p.z - 1) * (p.eqp0_primed - p.eo);
    p.eqp1 = p.eqp1_primed + p.z * s.remainder;
  }
  return p;
}

}  // namespace

std::vector<Quasiparticle> quasiparticles(const std::vector<State>& states, int finite_difference_form) {
  std::vector<Quasiparticle> all;
  all.reserve(states.size());
  for (size_t first = 0; first < states.size();) {
    const size_t end = end_of_set(states, first);
    State mean = average(states, first, end);
    for (size_t i = first; i < end; ++i) {
      // each member keeps its own band number and energy, and the grid around it
      mean.band = states[i].band;
      mean.emf = states[i].emf;
      mean.correction = states[i].correction;
      mean.energies = states[i].energies;
      all.push_back(solve(mean, finite_difference_form));
    }
    first = end;
  }
  return all;
}

std::optional<Gap> find_gap(const std::vector<Quasiparticle>& states, double Quasiparticle::*level, const Result& result) {
  if (result.fermi_eV) return std::nullopt;
  Gap gap;
  gap.valence_top = -INFINITY;
  gap.conduction_bottom = INFINITY;
  double gamma_top = -INFINITY, gamma_bottom = INFINITY;
  for (const auto& s : states) {
    const double e = s.*level;
    const Vector3& k = result.kpoints.at(s.k);
    const bool gamma = std::abs(k[0]) + std::abs(k[1]) + std::abs(k[2]) < 1e-6;
    if (result.is_occupied(s.spin, s.band, s.eo)) {
      if (e > gap.valence_top) gap.valence_top = e, gap.k_valence = s.k, gap.spin_valence = s.spin;
      if (gamma) gamma_top = std::max(gamma_top, e);
    } else {
      if (e < gap.conduction_bottom) gap.conduction_bottom = e, gap.k_conduction = s.k, gap.spin_conduction = s.spin;
      if (gamma) gamma_bottom = std::min(gamma_bottom, e);
    }
  }
  if (!std::isfinite(gap.valence_top) || !std::isfinite(gap.conduction_bottom)) return std::nullopt;
  if (std::isfinite(gamma_top) && std::isfinite(gamma_bottom)) gap.direct_at_gamma = gamma_bottom - gamma_top;
  return gap;
}

size_t end_of_degenerate_set(const std::vector<Quasiparticle>& states, size_t first) { return end_of_set(states, first); }

}  // namespace suite::gw
