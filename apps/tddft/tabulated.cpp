// SPDX-License-Identifier: BSD-3-Clause
#include "tabulated.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "harmonics.hpp"

namespace suite::tddft {
inline std::pair<double, double> SmoothTable::both(double x) const {
  const double at = x * per_step_;
  if (!(at < static_cast<double>(values_.size()) - 1)) return {0, 0};
  const auto i = static_cast<size_t>(at);
  const double t = at - static_cast<double>(i), s = 1 - t, v = values_[i], next = values_[i + 1], d = slopes_[i], d_next = slopes_[i + 1];
  return {s * s * ((1 + 2 * t) * v + t * step_ * d) + t * t * ((1 + 2 * s) * next - s * step_ * d_next),
          6 * t * s * (next - v) * per_step_ + s * (1 - 3 * t) * d + t * (3 * t - 2) * d_next};
}

namespace {

using std::numbers::pi;

constexpr double step_r = 0.005;     // bohr, of integrals over the radius
constexpr double step_q = 0.005;     // bohr^-1, of integrals over waves
constexpr double table_q = 0.01;     // bohr^-1, of tables of waves
constexpr double coarse_q = 0.1;     // bohr^-1, of those that only tell how far the waves of a potential reach
constexpr double bessel_step = 0.01; // of tables of Bessel functions
constexpr double largest_q = 25;     // bohr^-1: a grid of 0.13 bohr
constexpr double noise = 1e-6;       // of a table, Ha bohr or bohr^-1/2
constexpr double mask_decay = 5;     // m(r) = (exp(-5 x^2) - exp(-5))/(1 - exp(-5)), x = r/end
constexpr double core_share = 0.01;  // the part of a projector that is above this share of its maximum stays well inside of the mask

// j_l(x)/x^l, smooth at 0, where the recurrence upwards loses digits. d/dx of it is -x times that of l + 1.
double bessel(int l, double x) {
  if (!(x < l + 1.5)) {
    double before = std::cos(x) / x, now = std::sin(x) / x;  // l = -1, 0
    for (int n = 0; n < l; ++n) before = std::exchange(now, (2 * n + 1) / x * now - before);
    return now / std::pow(x, l);
  }
  double term = 1, sum = 0;
  for (int n = 1; n <= l; ++n) term /= 2 * n + 1;
  for (int k = 1; std::abs(term) > 1e-18 * std::abs(sum) && k < 40; ++k) {
    sum += term;
    term *= -x * x / (2 * k * (2 * (l + k) + 1));
  }
  return sum;
}

// Natural cubic spline.
class Spline {
public:
  Spline(const std::vector<double>& x, const std::vector<double>& y) : x_(x), y_(y), second_(x.size(), 0.0) {
    std::vector<double> u(x.size(), 0.0);
    for (size_t i = 1; i + 1 < x.size(); ++i) {
      const double share = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]), p = share * second_[i - 1] + 2;
      second_[i] = (share - 1) / p;
      u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
      u[i] = (6 * u[i] / (x[i + 1] - x[i - 1]) - share * u[i - 1]) / p;
    }
    for (size_t i = x.size() - 1; i-- > 0;) second_[i] = second_[i] * second_[i + 1] + u[i];
  }
  // Within the table.
  double operator()(double x) const {
    const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
    const auto i = static_cast<size_t>(above - x_.begin());
    const double width = x_[i] - x_[i - 1], a = (x_[i] - x) / width, b = 1 - a;
    return a * y_[i - 1] + b * y_[i] + ((a * a * a - a) * second_[i - 1] + (b * b * b - b) * second_[i]) * width * width / 6;
  }

private:
  const std::vector<double>&x_, &y_;
  std::vector<double> second_;
};

// A function of r or q, sampled from 0 on at an odd number of points.
struct Samples {
  double step;
  std::vector<double> values;
  double at(size_t i) const { return step * static_cast<double>(i); }
  double end() const { return at(values.size() - 1); }
  double simpson(size_t i) const { return step / 3 * (i == 0 || i + 1 == values.size() ? 1 : i % 2 == 1 ? 4 : 2); }
};

template <class F> Samples sampled(double end, double step, F&& f) {
  const auto half = static_cast<size_t>(std::ceil(end / (2 * step)));
  Samples out{end / static_cast<double>(2 * half), {}};
  for (size_t i = 0; i <= 2 * half; ++i) out.values.push_back(f(out.at(i)));
  return out;
}

// j_l(x)/x^l up to `end` within 6e-12, its slope within 2e-9 (measured for l = 0): with sines for each of its points a transform would take
// most of the time before a run.
SmoothTable bessels(int l, double end) {
  std::vector<double> values, slopes;
  for (double x = 0; x < end + 2 * bessel_step; x = bessel_step * static_cast<double>(values.size())) {
    values.push_back(bessel(l, x));
    slopes.push_back(-x * bessel(l + 1, x));
  }
  return {bessel_step, std::move(values), std::move(slopes)};
}

// factor y^-l int x^2 f(x) j_l(xy) dx with its slope, for y up to `end`: from p(r) to its transform over q^l, or back to p(r)/r^l.
SmoothTable transform(int l, double factor, const Samples& f, double end, double step) {
  const auto count = static_cast<size_t>(std::ceil(end / step)) + 1;
  const SmoothTable table = bessels(l, f.end() * step * static_cast<double>(count));
  std::vector<double> weights(f.values.size());
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = factor * f.simpson(i) * f.values[i] * std::pow(f.at(i), l + 2);
  std::vector<double> values(count), slopes(count);
#pragma omp parallel for schedule(static)
  for (size_t n = 0; n < count; ++n) {
    const double y = step * static_cast<double>(n);
    double value = 0, slope = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      const double x = f.at(i);
      const auto [j, change] = table.both(x * y);
      value += weights[i] * j;
      slope += weights[i] * x * change;
    }
    values[n] = value;
    slopes[n] = slope;
  }
  return {step, std::move(values), std::move(slopes)};
}

double last_above(const std::vector<double>& r, const std::vector<double>& values, double bound) {
  for (size_t i = values.size(); i-- > 0;)
    if (std::abs(values[i]) > bound) return r[i];
  return 0;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

double mask(double r, double end) {
  const double x = r / end, edge = std::exp(-mask_decay);
  return x >= 1 ? 0 : (std::exp(-mask_decay * x * x) - edge) / (1 - edge);
}

double mask_slope(double r, double end) {
  const double x = r / end;
  return x >= 1 ? 0 : -2 * mask_decay * x / end * std::exp(-mask_decay * x * x) / (1 - std::exp(-mask_decay));
}

// The wave number beyond which 1 % of the integral of |f| lies.
double highest_wave(const Samples& f) {
  double sum = 0, beyond = 0;
  for (const double x : f.values) sum += std::abs(x);
  for (size_t i = f.values.size(); i-- > 0;)
    if ((beyond += std::abs(f.values[i])) > 0.01 * sum) return f.at(i);
  return 0;
}

double spacing_for(const Samples& f) { return pi / std::max(highest_wave(f), 0.1); }

// Of the Gaussian with the same <r^2>; without a density in the file, that of a typical atom.
double width_of(const std::vector<double>& r, const std::vector<double>& density) {
  double charge = 0, squares = 0;
  for (size_t i = 1; i < density.size(); ++i) {
    const double part = 0.5 * (density[i] + density[i - 1]) * (r[i] - r[i - 1]), middle = 0.5 * (r[i] + r[i - 1]);
    charge += part;
    squares += part * middle * middle;
  }
  const double width = std::sqrt(squares / (3 * charge));
  return width > 0.3 && width < 3 ? width : 1.2;
}

double coarsest(const Grid& grid) {
  double h = 0;
  for (int d = 0; d < 3; ++d)
    if (grid.points[d] > 1) h = std::max(h, grid.h[d]);
  return h;
}

double diagonal(const Grid& grid) { return std::hypot(grid.length(0), grid.length(1), grid.length(2)); }

// Of the highest wave of a grid, in a corner of its Fourier series.
double corner(const Grid& grid) { return pi * std::hypot(1 / grid.h[0], 1 / grid.h[1], 1 / grid.h[2]); }

}  // namespace

double SmoothTable::value(double x) const { return both(x).first; }

double SmoothTable::slope(double x) const { return both(x).second; }

SmoothTable SmoothTable::times(const std::function<double(double)>& factor, const std::function<double(double)>& slope_of_factor) const {
  SmoothTable out = *this;
  for (size_t i = 0; i < values_.size(); ++i) {
    const double x = step_ * static_cast<double>(i), f = factor(x);
    out.slopes_[i] = f * slopes_[i] + slope_of_factor(x) * values_[i];
    out.values_[i] = f * values_[i];
  }
  return out;
}

RadialTables tables_of(const Gth& p) {
  constexpr int points = 800;
  constexpr double first = 1e-3, last = 30;  // bohr, of a logarithmic mesh
  RadialTables out;
  out.element = p.element;
  out.charge = p.charge;
  out.functional = p.functional;
  for (int i = 0; i < points; ++i) out.r.push_back(first * std::pow(last / first, i / (points - 1.0)));
  for (const double r : out.r) out.local.push_back(p.local(r));
  if (p.core_reach() > 0)
    for (const double r : out.r) out.core.push_back(p.core(r).value);
  size_t betas = 0;
  for (const auto& channel : p.channels) betas += static_cast<size_t>(channel.projectors);
  out.d.assign(betas * betas, 0.0);
  for (size_t channel = 0; channel < p.channels.size(); ++channel) {
    const size_t from = out.betas.size();
    const auto& [l, n, h] = p.channels[channel];
    for (int i = 0; i < n; ++i) {
      RadialTables::Beta beta{l, {}};
      for (const double r : out.r) beta.times_r.push_back(r * p.projector(channel, i, r));
      out.betas.push_back(std::move(beta));
      for (int j = 0; j < n; ++j)
        out.d[(from + static_cast<size_t>(i)) * betas + from + static_cast<size_t>(j)] = h[static_cast<size_t>(i * n + j)];
    }
  }
  return out;
}

Tabulated::Tabulated(const RadialTables& tables, const Grid& grid, Boundary boundary) {
  element = tables.element;
  charge = tables.charge;
  functional = tables.functional;
  const double cut = pi / coarsest(grid);
  const auto& r = tables.r;

  // Its Gaussian is exp(-32) at the cut.
  erf_width_ = 8 / cut;
  std::vector<double> beyond(r.size());
  for (size_t i = 0; i < r.size(); ++i) beyond[i] = r[i] * tables.local[i] + charge;
  const double end = std::max({std::min(last_above(r, beyond, noise), r.back()), 9 * erf_width_, 2.0});
  const Spline spline(r, tables.local);
  const Samples rest = sampled(end, std::max(step_r, end / 2000), [&](double x) {  // on a coarse grid it reaches far, and is smooth there
    const double v = x < r.front() ? tables.local.front() : x < r.back() ? spline(x) : -charge / x;
    return v + charge * (x == 0 ? std::sqrt(2 / pi) / erf_width_ : std::erf(x / (std::numbers::sqrt2 * erf_width_)) / x);
  });
  rest_of_q_ = transform(0, 4 * pi, rest, 1.001 * corner(grid), table_q);
  if (boundary == Boundary::isolated) {
    const Samples waves = sampled(cut, step_q, [&](double q) { return rest_of_q_.value(q); });
    rest_ = transform(0, 1 / (2 * pi * pi), waves, diagonal(grid), 0.1 / cut);
  }
  const SmoothTable all = transform(0, 4 * pi, rest, largest_q, coarse_q);
  spacing_ =
      spacing_for(sampled(largest_q, coarse_q, [&](double q) { return q == 0 ? 0 : q * q * (all.value(q) + coulomb_of_q2(q * q)); }));
  add_projectors(tables, cut);
  add_core(tables, cut);
  width_ = width_of(r, tables.density);
}

void Tabulated::add_projectors(const RadialTables& tables, double cut) {
  for (int l = 0; l <= largest_l; ++l) {
    std::vector<size_t> own;
    for (size_t i = 0; i < tables.betas.size(); ++i)
      if (tables.betas[i].l == l && largest_of(tables.betas[i].times_r) > noise) own.push_back(i);
    if (own.empty()) continue;
    Channel channel{l, static_cast<int>(own.size()), {}};
    for (const size_t i : own)
      for (const size_t j : own) channel.h.push_back(tables.d[i * tables.betas.size() + j]);
    channels.push_back(std::move(channel));
    radials_.emplace_back();
    for (const size_t i : own) {
      Filtered beta = filtered(l, tables.r, tables.betas[i].times_r, cut);
      radials_.back().push_back(std::move(beta.table));
      reach_ = std::max(reach_, beta.end);
    }
  }
}

void Tabulated::add_core(const RadialTables& tables, double cut) {
  if (tables.core.empty()) return;
  std::vector<double> times_r(tables.core);
  for (size_t i = 0; i < times_r.size(); ++i) times_r[i] *= tables.r[i];
  if (!(largest_of(times_r) > noise)) return;
  Filtered core = filtered(0, tables.r, times_r, cut);
  core_charge = 4 * pi * core.integral;
  core_ = std::move(core.table);
  core_reach_ = core.end;
}

// p/r^l of a projector r p(r).
Tabulated::Filtered Tabulated::filtered(int l, const std::vector<double>& r, const std::vector<double>& times_r, double cut) {
  const double last = last_above(r, times_r, noise), core = last_above(r, times_r, core_share * largest_of(times_r));
  const double end = std::max(1.02 * last, 1.6 * core);
  const Spline spline(r, times_r);
  const Samples p = sampled(std::min(last, r.back()), step_r, [&](double x) {
    // r p goes as r^(l+1) below the mesh.
    const double low = std::max(r.front(), step_r / 2);
    return x < low ? spline(low) / low * std::pow(x / low, l) : spline(x) / x;
  });
  Samples divided = p;
  for (size_t i = 0; i < p.values.size(); ++i) divided.values[i] /= mask(p.at(i), end);
  const SmoothTable all = transform(l, 1, p, largest_q, coarse_q), of_q = transform(l, 1, divided, cut, table_q);
  const auto with_power = [l](const SmoothTable& table) { return [&table, l](double q) { return table.value(q) * std::pow(q, l); }; };
  spacing_ = std::min(spacing_, spacing_for(sampled(largest_q, coarse_q, [&](double q) {
                        const double value = with_power(all)(q);
                        return q * q * value * value;
                      })));
  const SmoothTable back = transform(l, 2 / pi, sampled(cut * (1 - 1e-12), step_q, with_power(of_q)), end, 0.1 / cut);
  return {back.times([end](double x) { return mask(x, end); }, [end](double x) { return mask_slope(x, end); }), end, all.value(0)};
}

double Tabulated::local(double r) const {
  const double x = r / (std::numbers::sqrt2 * erf_width_);
  return rest_.value(r) - charge * (r == 0 ? std::sqrt(2 / pi) / erf_width_ : std::erf(x) / r);
}

double Tabulated::local_slope(double r) const {
  const double x = r / (std::numbers::sqrt2 * erf_width_);
  // d/dr of erf(x)/r; its series near 0, where the difference loses its digits.
  const double coulomb = x < 0.02 ? x / (std::sqrt(pi) * erf_width_ * erf_width_) * (-2.0 / 3 + 2.0 / 5 * x * x)
                                  : 2 / std::sqrt(pi) * std::exp(-x * x) / (std::numbers::sqrt2 * erf_width_ * r) - std::erf(x) / (r * r);
  return rest_.slope(r) - charge * coulomb;
}

double Tabulated::coulomb_of_q2(double q2) const {
  const double width2 = erf_width_ * erf_width_;
  return q2 == 0 ? 2 * pi * charge * width2 : -4 * pi * charge / q2 * std::exp(-q2 * width2 / 2);
}

double Tabulated::local_of_q2(double q2) const { return rest_of_q_.value(std::sqrt(q2)) + coulomb_of_q2(q2); }

Pseudopotential::Radial Tabulated::core(double r) const {
  const auto [value, slope] = core_.both(r);
  return {value, r > 0 ? slope / r : 0};
}

Pseudopotential::Radial Tabulated::radial(size_t channel, int i, double r) const {
  const SmoothTable& table = radials_[channel][static_cast<size_t>(i)];
  return {table.value(r), r > 0 ? table.slope(r) / r : 0};
}

}  // namespace suite::tddft
