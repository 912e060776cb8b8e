// SPDX-License-Identifier: BSD-3-Clause
#include "pseudopotential.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <suite/plugin.hpp>

namespace suite::tddft {

namespace {

using std::numbers::pi;

using H = std::array<std::array<double, 2>, 2>;

// Table I of the paper; the off-diagonal h between the two s projectors of Na and Si follows from their orthogonality,
// h12 = -1/2 sqrt(3/5) h22, as in Hartwigsen, Goedecker and Hutter, Phys. Rev. B 58, 3641 (1998).
const std::vector<Pseudopotential>& table() {
  static const std::vector<Pseudopotential> all = {
      {"H", 1, 0.2, {-4.18023680, 0.72507482}, {}},
      {"He", 2, 0.2, {-9.11202340, 1.69836797}, {}},
      {"C", 4, 0.34883045, {-8.51377110, 1.22843203}, {{0, 0.30455321, 1, H{{{9.52284179, 0}, {0, 0}}}}}},
      {"N", 5, 0.28917923, {-12.23481988, 1.76640728}, {{0, 0.25660487, 1, H{{{13.55224272, 0}, {0, 0}}}}}},
      {"O", 6, 0.24762086, {-16.58031797, 2.39570092}, {{0, 0.22178614, 1, H{{{18.26691718, 0}, {0, 0}}}}}},
      {"Na",
       1,
       0.88550938,
       {-1.23886713},
       {{0, 0.66110390, 2, H{{{1.84727135, -0.22540903}, {-0.22540903, 0.58200362}}}}, {1, 0.85711928, 1, H{{{0.47113258, 0}, {0, 0}}}}}},
      {"Si",
       4,
       0.44,
       {-7.33610297},
       {{0, 0.42273813, 2, H{{{5.90692831, -1.26189397}, {-1.26189397, 3.25819622}}}}, {1, 0.48427842, 1, H{{{2.72701346, 0}, {0, 0}}}}}},
  };
  return all;
}

// In units of r_local: erf is 1 there, and the Gaussian 3e-18. Most points of a molecule's cell lie beyond.
constexpr double far = 9;

}  // namespace

double Pseudopotential::local(double r) const {
  const double x = r / r_local, x2 = x * x;
  if (x > far) return -charge / r;
  const double coulomb = x < 1e-4 ? std::sqrt(2 / pi) / r_local * (1 - x2 / 6) : std::erf(x / std::numbers::sqrt2) / r;
  return -charge * coulomb + std::exp(-x2 / 2) * (c[0] + x2 * (c[1] + x2 * (c[2] + x2 * c[3])));
}

double Pseudopotential::local_slope(double r) const {
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

double Pseudopotential::local_of_q2(double q2) const {
  const double y2 = q2 * r_local * r_local;
  const double polynomial = c[0] + c[1] * (3 - y2) + c[2] * (15 + y2 * (y2 - 10)) + c[3] * (105 + y2 * (-105 + y2 * (21 - y2)));
  const double gaussian = std::sqrt(8 * pi * pi * pi) * r_local * r_local * r_local * polynomial;
  if (q2 == 0) return 2 * pi * charge * r_local * r_local + gaussian;
  return std::exp(-y2 / 2) * (gaussian - 4 * pi * charge / q2);
}

double Pseudopotential::projector(const Channel& channel, int i, double r) const {
  const double power = channel.l + (4 * (i + 1) - 1) / 2.0;
  return std::numbers::sqrt2 * std::pow(r, channel.l + 2 * i) * std::exp(-r * r / (2 * channel.r * channel.r)) /
         (std::pow(channel.r, power) * std::sqrt(std::tgamma(power)));
}

Pseudopotential::Radial Pseudopotential::radial(const Channel& channel, int i, double r) const {
  const double power = channel.l + (4 * (i + 1) - 1) / 2.0, width2 = channel.r * channel.r;
  const double gaussian =
      std::numbers::sqrt2 * std::exp(-r * r / (2 * width2)) / (std::pow(channel.r, power) * std::sqrt(std::tgamma(power)));
  const double value = gaussian * std::pow(r, 2 * i);
  return {value, (i == 0 ? 0 : 2 * i * gaussian * std::pow(r, 2 * i - 2)) - value / width2};
}

std::vector<std::string_view> known_elements() {
  std::vector<std::string_view> names;
  for (const Pseudopotential& p : table()) names.emplace_back(p.element);
  return names;
}

const Pseudopotential& pseudopotential(std::string_view element) {
  for (const Pseudopotential& p : table())
    if (element == p.element) return p;
  std::string known;
  for (std::string_view name : known_elements()) known += (known.empty() ? "" : ", ") + std::string(name);
  throw Failure(SUITE_NOT_FOUND, "no pseudopotential of element \"" + std::string(element) + "\"; there are " + known);
}

}  // namespace suite::tddft
