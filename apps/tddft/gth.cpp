// SPDX-License-Identifier: BSD-3-Clause
#include "gth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace suite::tddft {

namespace {

using std::numbers::pi;

// One channel of the table: r_l, and h11, h12, h22 of its one or two projectors.
struct Row {
  double r, h11, h12 = 0, h22 = 0;
};

Gth made(const char* element, int charge, double r_local, const std::array<double, 4>& c, const std::vector<Row>& rows,
         const char* functional = "pw92") {
  Gth p;
  p.element = element;
  p.charge = charge;
  p.functional = functional;
  p.r_local = r_local;
  p.c = c;
  for (const Row& row : rows) {
    const bool two = row.h22 != 0;
    p.channels.push_back(
        {static_cast<int>(p.channels.size()), two ? 2 : 1, two ? std::vector{row.h11, row.h12, row.h12, row.h22} : std::vector{row.h11}});
    p.radii.push_back(row.r);
  }
  return p;
}

// Table I of the first paper; the off-diagonal h between the two s projectors of Na and Si follows from their orthogonality,
// h12 = -1/2 sqrt(3/5) h22, as in the second.
const std::vector<Gth>& table() {
  static const std::vector<Gth> all = {
      made("H", 1, 0.2, {-4.18023680, 0.72507482}, {}),
      made("He", 2, 0.2, {-9.11202340, 1.69836797}, {}),
      made("C", 4, 0.34883045, {-8.51377110, 1.22843203}, {{0.30455321, 9.52284179}}),
      made("N", 5, 0.28917923, {-12.23481988, 1.76640728}, {{0.25660487, 13.55224272}}),
      made("O", 6, 0.24762086, {-16.58031797, 2.39570092}, {{0.22178614, 18.26691718}}),
      made("Na", 1, 0.88550938, {-1.23886713}, {{0.66110390, 1.84727135, -0.22540903, 0.58200362}, {0.85711928, 0.47113258}}),
      made("Si", 4, 0.44, {-7.33610297}, {{0.42273813, 5.90692831, -1.26189397, 3.25819622}, {0.48427842, 2.72701346}}),
  };
  return all;
}

// Krack, Theor. Chem. Acc. 114, 145 (2005). Sodium has none of one electron there.
const std::vector<Gth>& gradient_table() {
  static const std::vector<Gth> all = {
      made("H", 1, 0.2, {-4.17890044, 0.72446331}, {}, "pbe"),
      made("He", 2, 0.2, {-9.12214383, 1.70270770}, {}, "pbe"),
      made("C", 4, 0.33847124, {-8.80367398, 1.33921085}, {{0.30257575, 9.62248665}}, "pbe"),
      made("N", 5, 0.28379051, {-12.41522559, 1.86809592}, {{0.25540500, 13.63026257}}, "pbe"),
      made("O", 6, 0.24455430, {-16.66721480, 2.48731132}, {{0.22095592, 18.33745811}}, "pbe"),
      made("Si", 4, 0.44, {-6.26928833}, {{0.43563383, 8.95174150, -2.70627082, 3.49378060}, {0.49794218, 2.43127673}}, "pbe"),
  };
  return all;
}

// In units of r_local: erf is 1 there, and the Gaussian 3e-18. Most points of a molecule's cell lie beyond.
constexpr double far = 9;

}  // namespace

double Gth::local(double r) const {
  const double x = r / r_local, x2 = x * x;
  if (x > far) return -charge / r;
  const double coulomb = x < 1e-4 ? std::sqrt(2 / pi) / r_local * (1 - x2 / 6) : std::erf(x / std::numbers::sqrt2) / r;
  return -charge * coulomb + std::exp(-x2 / 2) * (c[0] + x2 * (c[1] + x2 * (c[2] + x2 * c[3])));
}

double Gth::local_slope(double r) const {
  const double x = r / r_local, x2 = x * x;
  if (x > far) return charge / (r * r);
  const double gaussian = std::exp(-x2 / 2);
  // d/dx of erf(x/sqrt2)/x; its own series near 0, where the difference below loses its digits.
  const double coulomb = x < 0.05 ? std::sqrt(2 / pi) * x * (-1.0 / 3 + x2 * (1.0 / 10 + x2 * (-1.0 / 56 + x2 / 432)))
                                  : std::sqrt(2 / pi) * gaussian / x - std::erf(x / std::numbers::sqrt2) / x2;
  const double polynomial = c[0] + x2 * (c[1] + x2 * (c[2] + x2 * c[3]));
  const double slope = 2 * (c[1] + x2 * (2 * c[2] + x2 * 3 * c[3])) - polynomial;
  return (-charge * coulomb / r_local + gaussian * x * slope) / r_local;
}

double Gth::local_of_q2(double q2) const {
  const double y2 = q2 * r_local * r_local;
  const double polynomial = c[0] + c[1] * (3 - y2) + c[2] * (15 + y2 * (y2 - 10)) + c[3] * (105 + y2 * (-105 + y2 * (21 - y2)));
  const double gaussian = std::sqrt(8 * pi * pi * pi) * r_local * r_local * r_local * polynomial;
  if (q2 == 0) return 2 * pi * charge * r_local * r_local + gaussian;
  return std::exp(-y2 / 2) * (gaussian - 4 * pi * charge / q2);
}

double Gth::projector(size_t channel, int i, double r) const {
  const int l = channels[channel].l;
  const double power = l + (4 * (i + 1) - 1) / 2.0, width = radii[channel];
  return std::numbers::sqrt2 * std::pow(r, l + 2 * i) * std::exp(-r * r / (2 * width * width)) /
         (std::pow(width, power) * std::sqrt(std::tgamma(power)));
}

Pseudopotential::Radial Gth::radial(size_t channel, int i, double r) const {
  const double power = channels[channel].l + (4 * (i + 1) - 1) / 2.0, width = radii[channel], width2 = width * width;
  const double gaussian = std::numbers::sqrt2 * std::exp(-r * r / (2 * width2)) / (std::pow(width, power) * std::sqrt(std::tgamma(power)));
  const double value = gaussian * std::pow(r, 2 * i);
  return {value, (i == 0 ? 0 : 2 * i * gaussian * std::pow(r, 2 * i - 2)) - value / width2};
}

Pseudopotential::Radial Gth::core(double r) const {
  Radial out;
  for (const auto& [width, c] : core_terms) {
    const double y2 = r * r / (width * width);
    if (y2 > far * far) continue;
    double value = 0, slope = 0;  // of the polynomial, and by y2
    for (size_t n = c.size(); n-- > 0;) {
      slope = slope * y2 + value;
      value = value * y2 + c[n];
    }
    const double gaussian = std::exp(-y2 / 2) / (4 * pi);
    out.value += gaussian * value;
    out.slope += gaussian * (2 * slope - value) / (width * width);
  }
  return out;
}

double Gth::core_reach() const {
  double radius = 0;
  for (const auto& term : core_terms) radius = std::max(radius, far * term.r);
  return radius;
}

double Gth::reach(double cut) const {
  double radius = 0;
  for (size_t channel = 0; channel < channels.size(); ++channel)
    for (int i = 0; i < channels[channel].projectors; ++i) {
      const double step = 0.01 * radii[channel];
      double largest = 0, r = 0;
      for (; r < 300 * step; r += step) largest = std::max(largest, std::abs(projector(channel, i, r)));
      while (std::abs(projector(channel, i, r)) > cut * largest) r += step;
      radius = std::max(radius, r);
    }
  return radius;
}

double Gth::spacing() const {
  double radius = r_local;
  for (const double r : radii) radius = std::min(radius, r);
  for (const auto& term : core_terms) radius = std::min(radius, term.r);
  return 1.05 * radius;
}

std::vector<std::string_view> built_in_elements() {
  std::vector<std::string_view> names;
  for (const Gth& p : table()) names.emplace_back(p.element);
  return names;
}

const Gth* built_in(std::string_view element, bool gradients) {
  for (const Gth& p : gradients ? gradient_table() : table())
    if (element == p.element) return &p;
  return nullptr;
}

}  // namespace suite::tddft
