// SPDX-License-Identifier: BSD-3-Clause
// With u = sqrt(r) y and x = ln r, y'' = [(l+1/2)^2 + 2 r^2 (v - e)] y: Numerov's method from both sides with Cooley's energy correction
// (Math. Comput. 15, 363 (1961)). The state is identified by its nodes, the number of negative ratios of neighbours (Johnson, J. Chem.
// Phys. 67, 4086 (1977)).
#include "radial.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::all_electron {
namespace {

using std::numbers::pi;

// The equation at one energy: F_(i+1) - 2 F_i + F_(i-1) = 12 T_i y_i, F = (1 - T) y, T = h^2/12 [...].
class Numerov {
public:
  Numerov(const LogGrid& grid, const std::vector<double>& v, size_t wall, int l)
      : grid_(grid), wall_(wall), l_(l), charge_(-v[0] * grid.r[0]) {
    const double h = grid.step();
    c_ = h * h / 12;
    constant_.resize(wall);
    slope_.resize(wall);
    for (size_t i = 0; i < wall; ++i) {
      slope_[i] = 2 * grid.r[i] * grid.r[i] * c_;
      constant_[i] = c_ * (l + 0.5) * (l + 0.5) + slope_[i] * v[i];
    }
    y_.resize(wall);
  }

  // Number of states below the energy.
  int states_below(double energy) {
    set_range(energy);
    return turn_ == 0 ? 0 : nodes_outwards(energy, end_);
  }

  struct Try {
    double correction;  // of the energy
    int nodes;
  };

  // Integrates from both sides to the outer turning point.
  Try attempt(double energy) {
    set_range(energy);
    if (turn_ < 2) return {0, -1};
    const size_t m = std::min(turn_, end_ - 3);
    int nodes = outwards(energy, m);
    const double before = F_before_, at = F_;
    nodes += inwards(energy, m, at);
    const double residual = F_ - 2 * at + before - 12 * T(m, energy) * y_[m];
    const double h = grid_.step();
    double norm = 0;
    for (size_t i = 0; i < end_; ++i) norm += grid_.r[i] * grid_.r[i] * y_[i] * y_[i];
    return {-y_[m] * residual / (2 * h * h * norm), nodes};
  }

  // Normalised u of the last attempt.
  std::vector<double> normalised() const {
    std::vector<double> u(grid_.size(), 0.0);
    double norm = 0;
    for (size_t i = 0; i < end_; ++i) norm += grid_.r[i] * grid_.r[i] * y_[i] * y_[i];
    const double scale = 1 / std::sqrt(norm * grid_.step());
    for (size_t i = 0; i < end_; ++i) u[i] = scale * std::sqrt(grid_.r[i]) * y_[i];
    return u;
  }

  double lowest() const { return -0.6 * charge_ * charge_ / ((l_ + 1) * (l_ + 1)) - 1; }

private:
  double T(size_t i, double energy) const { return constant_[i] - slope_[i] * energy; }

  // turn_: the last classically allowed point (0: none). end_: where the state has decayed by e^-45, or where the steps become too long for
  // its tail (T above 0.3, as at a wall).
  void set_range(double energy) {
    turn_ = 0;
    for (size_t i = wall_; i-- > 0;)
      if (T(i, energy) < 0) {
        turn_ = i;
        break;
      }
    double decay = 0;
    end_ = turn_;
    while (end_ < wall_ && decay < 45 && T(end_, energy) < 0.3) {
      decay += std::sqrt(12 * std::max(T(end_, energy), 0.0));
      ++end_;
    }
  }

  double start(size_t i) const {  // r^(l+1) (1 - Z r/(l+1)) as y, up to a factor
    const double r = grid_.r[i];
    return std::pow(r / grid_.r[0], l_ + 0.5) * (1 - charge_ * r / (l_ + 1));
  }

  int nodes_outwards(double energy, size_t end) const {
    double t = T(1, energy);
    double ratio = (1 - t) * start(1) / ((1 - T(0, energy)) * start(0));
    int nodes = 0;
    for (size_t i = 1; i < end; ++i) {
      t = T(i, energy);
      ratio = (2 + 10 * t) / (1 - t) - 1 / ratio;
      nodes += ratio < 0;
    }
    return nodes;
  }

  // Integrates y_0 to y_m; F_ = F_m, F_before_ = F_(m-1).
  int outwards(double energy, size_t m) {
    int nodes = 0;
    y_[0] = start(0), y_[1] = start(1);
    double before = (1 - T(0, energy)) * y_[0], F = (1 - T(1, energy)) * y_[1];
    for (size_t i = 1; i < m; ++i) {
      const double next = 2 * F - before + 12 * T(i, energy) * y_[i];
      before = F;
      F = next;
      y_[i + 1] = F / (1 - T(i + 1, energy));
      nodes += (y_[i + 1] < 0) != (y_[i] < 0);
    }
    F_ = F, F_before_ = before;
    return nodes;
  }

  // Integrates y_(end-1) to y_(m+1), scaled to match F_m = at; F_ = F_(m+1).
  int inwards(double energy, size_t m, double at) {
    int nodes = 0;
    double before = 0, F = 1e-30, last = 0;
    for (size_t i = end_ - 1;; --i) {
      const double y = F / (1 - T(i, energy));
      if (i + 1 < end_) nodes += (y < 0) != (last < 0);
      last = y;
      if (i == m) break;
      y_[i] = y;
      const double next = 2 * F - before + 12 * T(i, energy) * y;
      before = F;
      F = next;
    }
    const double scale = at / F;
    for (size_t i = m + 1; i < end_; ++i) y_[i] *= scale;
    F_ = before * scale;
    return nodes;
  }

  const LogGrid& grid_;
  size_t wall_, turn_ = 0, end_ = 0;
  int l_;
  double charge_, c_, F_ = 0, F_before_ = 0;
  std::vector<double> constant_, slope_, y_;
};

// Newton steps from a guess. Returns nullopt if they lead elsewhere.
std::optional<double> refine(Numerov& equation, double energy, int nodes, double low, double high) {
  for (int step = 0; step < 12; ++step) {
    const Numerov::Try result = equation.attempt(energy);
    if (!std::isfinite(result.correction)) return std::nullopt;
    if (std::abs(result.correction) < 1e-11 * std::max(1.0, std::abs(energy)))
      return result.nodes == nodes ? std::optional(energy) : std::nullopt;
    energy += result.correction;
    if (!(energy > low && energy < high)) return std::nullopt;
  }
  return std::nullopt;
}

double search(Numerov& equation, int nodes) {
  double low = equation.lowest(), high = 1;
  while (equation.states_below(high) <= nodes) {
    low = high;
    high *= 2;
    if (high > 1e6)
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("no state with {} nodes was found below 1e6 Ha in a radial potential", nodes));
  }
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    (equation.states_below(middle) <= nodes ? low : high) = middle;
    if (high - low > 0.1 * std::max(std::abs(low), 1e-3)) continue;
    if (const auto energy = refine(equation, 0.5 * (low + high), nodes, low, high)) return *energy;
  }
  throw Failure(SUITE_INTERNAL, fmt::format("a radial state between {:f} and {:f} Ha did not converge", low, high));
}

}  // namespace

double LogGrid::step() const { return std::log(inc); }

size_t LogGrid::first_from(double radius) const {
  return static_cast<size_t>(std::lower_bound(r.begin(), r.end(), radius * (1 - 1e-12)) - r.begin());
}

LogGrid make_log_grid(double first, double inc, size_t points) {
  LogGrid grid{first, inc, std::vector<double>(points)};
  for (size_t i = 0; i < points; ++i) grid.r[i] = first * std::pow(inc, static_cast<double>(i));
  return grid;
}

double integrate(const LogGrid& grid, const std::vector<double>& f) {
  double sum = 0;
  for (size_t i = 0; i < grid.size(); ++i) sum += f[i] * grid.r[i];
  return sum * grid.step();
}

double integrate(const LogGrid& grid, const std::vector<double>& f, const std::vector<double>& g) {
  double sum = 0;
  for (size_t i = 0; i < grid.size(); ++i) sum += f[i] * g[i] * grid.r[i];
  return sum * grid.step();
}

std::vector<double> hartree_potential(const LogGrid& grid, const std::vector<double>& density, double* at_nucleus) {
  const size_t n = grid.size();
  const double h = grid.step();
  // Integral over an interval by the cubic through its four nearest points.
  const auto interval = [&](int power, size_t i) {  // from i to i + 1
    const auto f = [&](size_t at) { return density[at] * std::pow(grid.r[at], power); };
    if (i == 0) return h / 24 * (9 * f(0) + 19 * f(1) - 5 * f(2) + f(3));
    if (i + 2 == n) return h / 24 * (9 * f(n - 1) + 19 * f(n - 2) - 5 * f(n - 3) + f(n - 4));
    return h / 24 * (13 * (f(i) + f(i + 1)) - f(i - 1) - f(i + 2));
  };
  std::vector<double> v(n);
  double inside = density[0] * std::pow(grid.r[0], 3) / 3;
  for (size_t i = 0; i < n; ++i) {
    v[i] = 4 * pi * inside / grid.r[i];
    if (i + 1 < n) inside += interval(3, i);
  }
  double outside = 0;
  for (size_t i = n; i-- > 0;) {
    v[i] += 4 * pi * outside;
    if (i > 0) outside += interval(2, i - 1);
  }
  if (at_nucleus) *at_nucleus = 4 * pi * (outside + density[0] * grid.r[0] * grid.r[0] / 2);
  return v;
}

RadialState solve_radial(const LogGrid& grid, const std::vector<double>& v, size_t wall, int n, int l, std::optional<double> guess) {
  Numerov equation(grid, v, std::min(wall, grid.size()), l);
  const int nodes = n - l - 1;
  std::optional<double> energy;
  if (guess) energy = refine(equation, *guess, nodes, equation.lowest(), 1e6);
  if (!energy) energy = search(equation, nodes);
  return {*energy, equation.normalised()};
}

}  // namespace suite::all_electron
