// SPDX-License-Identifier: BSD-3-Clause
#include "slater_functions.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <suite/qmc/shells.hpp>
#include <suite/qmc/solid_harmonics.hpp>

namespace suite::vmc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The functions of one nucleus and their coefficients in the orbitals of a spin.
class OfNucleus {
public:
  OfNucleus(const Molecule& m, size_t ion, int spin) : m_(m) {
    const auto& mo = m.mo[static_cast<size_t>(spin)];
    const auto nao = static_cast<Index>(m.nao()), norb = static_cast<Index>(mo.size()) / nao;
    const Eigen::Map<const MatrixXd> all(mo.data(), nao, norb);
    Index ao = 0, mine = 0;
    C_.resize(nao, norb);
    for (size_t s = 0; s < m.shell_l.size(); ++s) {
      const Index functions = 2 * m.shell_l[s] + 1;
      if (m.shell_ion[s] == static_cast<int32_t>(ion) + 1) {
        shells_.push_back(s);
        for (auto k = static_cast<size_t>(m.shell_first[s] - 1); k < static_cast<size_t>(m.shell_first[s + 1] - 1); ++k) {
          slowest_ = std::min(slowest_, m.exponent[k]);
          largest_power_ = std::max(largest_power_, m.shell_l[s] + m.power[k]);
        }
        C_.middleRows(mine, functions) = all.middleRows(ao, functions);
        mine += functions;
      }
      ao += functions;
    }
    C_.conservativeResize(mine, norb);
  }

  const MatrixXd& coefficients() const { return C_; }
  const std::vector<size_t>& shells() const { return shells_; }
  // Of all functions; far away they are smaller than r^largest_power exp(-slowest r).
  double slowest() const { return slowest_; }
  int largest_power() const { return largest_power_; }

  // What the functions add to each orbital at r from the nucleus, and to its Laplacian.
  void at(const Eigen::Vector3d& r, VectorXd& value, VectorXd& laplacian) const {
    const double r2 = r.squaredNorm(), d = std::sqrt(r2);
    double harmonic[qmc::harmonics_to(qmc::largest_l)];
    qmc::solid_harmonics<qmc::largest_l>(r[0], r[1], r[2], r2, harmonic);
    value.setZero(C_.cols()), laplacian.setZero(C_.cols());
    Index row = 0;
    for (const size_t s : shells_) {
      const int l = m_.shell_l[s];
      double radial = 0, bracket = 0;
      for (auto k = static_cast<size_t>(m_.shell_first[s] - 1); k < static_cast<size_t>(m_.shell_first[s + 1] - 1); ++k) {
        const double g = m_.exponent[k], n = m_.power[k], e = m_.coefficient[k] * std::pow(d, n) * std::exp(-g * d);
        radial += e;
        bracket += e * (g * g - 2 * g * (n + l + 1) / d + n * (n + 2 * l + 1) / r2);
      }
      for (int k = 0; k < 2 * l + 1; ++k, ++row) {
        const double S = harmonic[l * l + k] * qmc::harmonic_norm(l, k);
        value += radial * S * C_.row(row).transpose();
        laplacian += bracket * S * C_.row(row).transpose();
      }
    }
  }

private:
  const Molecule& m_;
  double slowest_ = HUGE_VAL;
  int largest_power_ = 0;
  std::vector<size_t> shells_;
  MatrixXd C_;
};

// Between orbitals: overlap and -1/2 <i|lap|j>.
struct Matrices {
  MatrixXd overlap, kinetic;
};

// int_0^inf r^p exp(-g r) dr
double power_integral(double p, double g) { return std::tgamma(p + 1) / std::pow(g, p + 1); }

void add_one_nucleus(const Molecule& m, const OfNucleus& of, Matrices& sum) {
  const auto& shells = of.shells();
  const Index size = of.coefficients().rows();
  MatrixXd overlap = MatrixXd::Zero(size, size), kinetic = overlap;
  Index row = 0;
  for (const size_t s : shells) {
    const int l = m.shell_l[s];
    Index column = 0;
    for (const size_t t : shells) {
      if (m.shell_l[t] == l) {
        double S = 0, T = 0;
        for (auto p = static_cast<size_t>(m.shell_first[s] - 1); p < static_cast<size_t>(m.shell_first[s + 1] - 1); ++p)
          for (auto q = static_cast<size_t>(m.shell_first[t] - 1); q < static_cast<size_t>(m.shell_first[t + 1] - 1); ++q) {
            const double c = m.coefficient[p] * m.coefficient[q], g = m.exponent[q], both = m.exponent[p] + g;
            const double n = m.power[q], power = m.power[p] + n + 2 * l + 2;
            S += c * power_integral(power, both);
            T += c * (g * g * power_integral(power, both) - 2 * g * (n + l + 1) * power_integral(power - 1, both) +
                      (n > 0 ? n * (n + 2 * l + 1) * power_integral(power - 2, both) : 0));
          }
        const double norm = 4 * std::numbers::pi / (2 * l + 1);
        for (int k = 0; k < 2 * l + 1; ++k) overlap(row + k, column + k) = norm * S, kinetic(row + k, column + k) = -0.5 * norm * T;
      }
      column += 2 * m.shell_l[t] + 1;
    }
    row += 2 * l + 1;
  }
  sum.overlap += of.coefficients().transpose() * overlap * of.coefficients();
  sum.kinetic += of.coefficients().transpose() * kinetic * of.coefficients();
}

struct Node {
  double x, weight;
};
// Trapezoidal sums after substitutions that make both ends vanish doubly exponentially: 1 to infinity, where functions decay as
// exp(-x), and -1 to 1 (Takahasi, Mori, Publ. RIMS 9, 721 (1974)). Here they decay as x^power exp(-rate x): the nodes go on until that is
// negligible, which is far out where nuclei are close beside the size of the functions.
std::vector<Node> to_infinity(double rate, int power) {
  std::vector<Node> nodes;
  constexpr double step = 1.0 / 8;
  const double last = std::log((60 + 3 * power) / rate);
  for (double t = -3.2; t < last; t += step) {
    const double above = std::exp(t - std::exp(-t));
    nodes.push_back({1 + above, step * above * (1 + std::exp(-t))});
  }
  return nodes;
}
std::vector<Node> between_one_and_one() {
  std::vector<Node> nodes;
  constexpr double step = 1.0 / 8, half = std::numbers::pi / 2;
  for (double t = -3; t <= 3 + step / 2; t += step) {
    const double c = std::cosh(half * std::sinh(t));
    nodes.push_back({std::tanh(half * std::sinh(t)), step * half * std::cosh(t) / (c * c)});
  }
  return nodes;
}

// With mu = (r_a + r_b)/R, nu = (r_a - r_b)/R and the angle about the axis, in which a product of harmonics is a polynomial of degree 2 l:
// dV = (R/2)^3 (mu^2 - nu^2) dmu dnu dphi takes away the poles of the Laplacians.
void add_two_nuclei(const Molecule& m, const OfNucleus& of_a, const OfNucleus& of_b, size_t a, size_t b, Matrices& sum) {
  if (of_a.shells().empty() || of_b.shells().empty()) return;
  static const std::vector<Node> along_nu = between_one_and_one();
  constexpr int angles = 2 * qmc::largest_l + 2;
  const Eigen::Vector3d A(&m.rion[3 * a]), B(&m.rion[3 * b]), axis = (B - A).normalized();
  const double half = 0.5 * (B - A).norm();
  const std::vector<Node> along_mu =
      to_infinity(half * (of_a.slowest() + of_b.slowest()), of_a.largest_power() + of_b.largest_power() + 2);  // + 2: the volume
  Index least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Eigen::Vector3d u = axis.cross(Eigen::Vector3d::Unit(least)).normalized(), v = axis.cross(u);
  const Index points = std::ssize(along_nu) * angles, norb = sum.overlap.rows();
  MatrixXd value_a(norb, points), value_b(norb, points), laplacian_b(norb, points);
  VectorXd value, laplacian;
  for (const Node& mu : along_mu) {
    Index p = 0;
    for (const Node& nu : along_nu)
      for (int k = 0; k < angles; ++k, ++p) {
        const double phi = 2 * std::numbers::pi * (k + 0.3) / angles;
        const double across = half * std::sqrt((mu.x - 1) * (mu.x + 1) * (1 - nu.x) * (1 + nu.x));
        const double volume = half * half * half * (mu.x - nu.x) * (mu.x + nu.x) * 2 * std::numbers::pi / angles;
        // From each nucleus, so that near it no digits are lost: the first nodes are 1e-12 bohr away.
        const Eigen::Vector3d aside = across * (std::cos(phi) * u + std::sin(phi) * v);
        of_a.at(aside + half * (mu.x * nu.x + 1) * axis, value, laplacian);
        value_a.col(p) = mu.weight * nu.weight * volume * value;
        of_b.at(aside + half * (mu.x * nu.x - 1) * axis, value, laplacian);
        value_b.col(p) = value, laplacian_b.col(p) = laplacian;
      }
    const MatrixXd S = value_a * value_b.transpose(), T = -0.5 * value_a * laplacian_b.transpose();
    sum.overlap += S + S.transpose();
    sum.kinetic += T + T.transpose();
  }
}

}  // namespace

Integrals slater_integrals(const Molecule& m, int spin) {
  std::vector<OfNucleus> nuclei;
  for (size_t ion = 0; ion < m.charge.size(); ++ion) nuclei.emplace_back(m, ion, spin);
  const Index n = nuclei.front().coefficients().cols();
  Matrices sum{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n)};
  for (size_t a = 0; a < nuclei.size() && n > 0; ++a) {
    add_one_nucleus(m, nuclei[a], sum);
    for (size_t b = 0; b < a; ++b) add_two_nuclei(m, nuclei[a], nuclei[b], a, b, sum);
  }
  return {n, {sum.overlap.data(), sum.overlap.data() + n * n}, {sum.kinetic.data(), sum.kinetic.data() + n * n}};
}

double worst_cusp(const Molecule& m) {
  constexpr double worth_it = 1e-3;
  double worst = 0;
  for (int spin = 0; spin < 2; ++spin)
    for (size_t ion = 0; ion < m.charge.size(); ++ion) {
      if (!m.bare(ion)) continue;
      const OfNucleus own(m, ion, spin);
      const Index n = own.coefficients().cols();
      VectorXd value = VectorXd::Zero(n), slope = value, one, laplacian;
      Index row = 0;
      for (const size_t s : own.shells()) {
        for (auto k = static_cast<size_t>(m.shell_first[s] - 1); m.shell_l[s] == 0 && k < static_cast<size_t>(m.shell_first[s + 1] - 1);
             ++k) {
          const VectorXd c = m.coefficient[k] * own.coefficients().row(row).transpose();
          if (m.power[k] == 0) value += c, slope -= m.exponent[k] * c;
          if (m.power[k] == 1) slope += c;
        }
        row += 2 * m.shell_l[s] + 1;
      }
      for (size_t other = 0; other < m.charge.size(); ++other) {
        if (other == ion) continue;
        OfNucleus(m, other, spin).at(Eigen::Vector3d(&m.rion[3 * ion]) - Eigen::Vector3d(&m.rion[3 * other]), one, laplacian);
        value += one;
      }
      for (Index i = 0; i < n; ++i)
        if (std::abs(value[i]) > worth_it * value.cwiseAbs().maxCoeff())
          worst = std::max(worst, std::abs(slope[i] / (m.charge[ion] * value[i]) + 1));
    }
  return worst;
}

}  // namespace suite::vmc
