// SPDX-License-Identifier: BSD-3-Clause
#include "local_energies.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

namespace suite::vmc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_iterations = 50;
constexpr double first_damping = 1e-3, least_damping = 1e-9, most_damping = 1e9;
constexpr double still_worth = 1e-6;  // minimum relative gain per iteration

// sum w r, sum w r^2 or |r|, and, with derivatives, the normal equations.
struct Moments {
  double count = 0, mean = 0, value = 0;
  VectorXd gradient;  // sum w (J - <J>) (r - <r>)
  MatrixXd normal;    // sum w (J - <J>) (J - <J>)^T
};

enum class Target { variance, mad };

class Fit {
public:
  Fit(const LocalEnergies& energies, const SumOver& sum, Target target)
      : e_(energies), sum_(sum), target_(target), n_(energies.parameters()) {}

  Step minimise() {
    Step step;
    step.change = VectorXd::Zero(n_);
    double damping = first_damping;
    Moments now = moments(step.change);
    step.before = step.after = now.value;
    while (step.iterations < most_iterations && step.after > 0) {
      ++step.iterations;
      derive(step.change, now);
      std::optional<double> gained;
      while (!gained && damping <= most_damping) {
        const VectorXd trial = step.change - solve(now, damping);
        const Moments there = moments(trial);
        if (there.value < now.value) {
          gained = now.value - there.value;
          step.change = trial;
          step.after = there.value;
          now = there;
          damping = std::max(damping * 0.2, least_damping);
        } else {
          damping *= 8;
        }
      }
      if (!gained || *gained < still_worth * step.after) break;
    }
    return step;
  }

private:
  double weight(double residual, double scale) const {
    return target_ == Target::variance ? 1 : 1 / std::max(std::abs(residual), 0.01 * scale);
  }

  // The mean energy and the value of the target at d; two passes to avoid cancellation.
  Moments moments(const VectorXd& d) const {
    Moments m;
    auto sums = sum_(2, [&](size_t i, std::span<double> row) {
      row[0] += 1;
      row[1] += e_.energy(i, d);
    });
    m.count = sums[0];
    m.mean = sums[1] / sums[0];
    sums = sum_(1, [&](size_t i, std::span<double> row) {
      const double r = e_.energy(i, d) - m.mean;
      row[0] += target_ == Target::variance ? r * r : std::abs(r);
    });
    m.value = sums[0] / (target_ == Target::variance ? m.count - 1 : m.count);
    return m;
  }

  void derive(const VectorXd& d, Moments& m) const {
    const auto n = static_cast<size_t>(n_);
    const auto means = sum_(n, [&](size_t i, std::span<double> row) {
      const VectorXd j = e_.derivative(i, d);
      for (size_t k = 0; k < n; ++k) row[k] += j(static_cast<Index>(k));
    });
    const VectorXd mean = Eigen::Map<const VectorXd>(means.data(), n_) / m.count;
    const auto sums = sum_(n + n * n, [&](size_t i, std::span<double> row) {
      const double r = e_.energy(i, d) - m.mean, w = weight(r, m.value);
      const VectorXd j = e_.derivative(i, d) - mean;
      Eigen::Map<VectorXd>(row.data(), n_) += w * r * j;
      Eigen::Map<MatrixXd>(row.data() + n, n_, n_) += w * j * j.transpose();
    });
    m.gradient = Eigen::Map<const VectorXd>(sums.data(), n_);
    m.normal = Eigen::Map<const MatrixXd>(sums.data() + n, n_, n_);
  }

  // Solves (normal + damping diag(normal)) step = gradient, scaled to a unit diagonal. A parameter without effect is not changed.
  VectorXd solve(const Moments& m, double damping) const {
    const VectorXd scale = m.normal.diagonal().unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 0.0; });
    MatrixXd a = scale.asDiagonal() * m.normal * scale.asDiagonal();
    a.diagonal().array() += damping;
    const VectorXd b = scale.cwiseProduct(m.gradient);
    return scale.cwiseProduct(a.ldlt().solve(b));
  }

  const LocalEnergies& e_;
  const SumOver& sum_;
  Target target_;
  Index n_;
};

// Matrices of the linear method, scaled so that each score has variance 1.
struct LinearMethod {
  MatrixXd overlap, hamiltonian;
  VectorXd scale;
  VectorXd slope;  // mean of dE_L/dd, which vanishes apart from sampling noise
  double energy = 0, variance = 0, count = 0;
};

LinearMethod linear_method(const LocalEnergies& e, const SumOver& sum) {
  const Index n = e.parameters();
  const auto un = static_cast<size_t>(n);
  // Means of E, the scores and the derivatives of E.
  auto sums = sum(2 + 2 * un, [&](size_t i, std::span<double> row) {
    row[0] += 1;
    row[1] += e.energy(i);
    Eigen::Map<VectorXd>(row.data() + 2, n) += e.score(i);
    Eigen::Map<VectorXd>(row.data() + 2 + un, n) += e.slope(i);
  });
  LinearMethod m;
  m.count = sums[0];
  m.energy = sums[1] / m.count;
  const VectorXd score = Eigen::Map<const VectorXd>(sums.data() + 2, n) / m.count;
  m.slope = Eigen::Map<const VectorXd>(sums.data() + 2 + un, n) / m.count;
  // With o = O - <O>, x = E - <E>: <o o>, <o x>, <o o x>, <o E_j> and the variance.
  sums = sum(1 + un + 3 * un * un, [&](size_t i, std::span<double> row) {
    const VectorXd o = e.score(i) - score;
    const double x = e.energy(i) - m.energy;
    row[0] += x * x;
    Eigen::Map<VectorXd>(row.data() + 1, n) += x * o;
    Eigen::Map<MatrixXd>(row.data() + 1 + un, n, n) += o * o.transpose();
    Eigen::Map<MatrixXd>(row.data() + 1 + un + un * un, n, n) += x * o * o.transpose();
    Eigen::Map<MatrixXd>(row.data() + 1 + un + 2 * un * un, n, n) += o * e.slope(i).transpose();
  });
  const Eigen::Map<const VectorXd> ox(sums.data() + 1, n);
  const Eigen::Map<const MatrixXd> oo(sums.data() + 1 + un, n, n), oox(sums.data() + 1 + un + un * un, n, n),
      oe(sums.data() + 1 + un + 2 * un * un, n, n);
  m.variance = sums[0] / (m.count - 1);
  m.scale = oo.diagonal().unaryExpr([&](double x) { return x > 0 ? std::sqrt(m.count / x) : 0.0; });
  m.overlap = MatrixXd::Identity(n + 1, n + 1);
  m.hamiltonian = MatrixXd::Zero(n + 1, n + 1);
  const auto scaled = [&](const MatrixXd& a) -> MatrixXd { return m.scale.asDiagonal() * a * m.scale.asDiagonal() / m.count; };
  m.overlap.bottomRightCorner(n, n) = scaled(oo);
  m.hamiltonian.bottomRightCorner(n, n) = scaled(oox + m.energy * oo + oe);
  m.hamiltonian(0, 0) = m.energy;
  m.hamiltonian.col(0).tail(n) = m.scale.cwiseProduct(ox) / m.count;
  m.hamiltonian.row(0).tail(n) = (m.scale.cwiseProduct(ox / m.count + m.slope)).transpose();
  for (Index k = 0; k <= n; ++k)  // a parameter without effect
    if (k > 0 && m.scale(k - 1) == 0) m.overlap(k, k) = 1;
  return m;
}

// The change given by the lowest eigenvector with a first component that is not small, with `shift` added to the diagonal.
std::optional<VectorXd> linear_step(const LinearMethod& m, double shift) {
  const Index n = m.scale.size();
  MatrixXd h = m.hamiltonian, s = m.overlap;
  h.diagonal().tail(n).array() += shift;
  s.diagonal().tail(n).array() += 1e-10;
  const Eigen::EigenSolver<MatrixXd> solver(s.ldlt().solve(h));
  if (solver.info() != Eigen::Success) return std::nullopt;
  std::optional<VectorXd> best;
  double lowest = 0;
  for (Index k = 0; k <= n; ++k) {
    const auto value = solver.eigenvalues()(k);
    const VectorXd v = solver.eigenvectors().col(k).real();
    const double weight = v(0) * v(0) / v.dot(s * v);
    if (std::abs(value.imag()) > 1e-6 * std::abs(value.real()) || !(weight > 0.1)) continue;
    if (!best || value.real() < lowest) {
      lowest = value.real();
      best = m.scale.cwiseProduct(v.tail(n)) / v(0);
    }
  }
  return best;
}

// Energy of the changed wave function from the configurations of the unchanged one, minus known noise; and the effective fraction of
// configurations, 1 for all.
struct Reweighted {
  double energy = 0, share = 0;
};

Reweighted reweighted(const LocalEnergies& e, const SumOver& sum, const VectorXd& d, const LinearMethod& m) {
  // ln w = 2 score.d minus its mean, to prevent overflow.
  const auto mean = sum(2, [&](size_t i, std::span<double> row) {
    row[0] += 1;
    row[1] += 2 * e.score(i).dot(d);
  });
  const double shift = mean[1] / mean[0];
  const auto sums = sum(3, [&](size_t i, std::span<double> row) {
    const double w = std::exp(std::clamp(2 * e.score(i).dot(d) - shift, -200.0, 200.0));
    row[0] += w;
    row[1] += w * w;
    row[2] += w * (e.energy(i, d) - m.energy);
  });
  return {m.energy + sums[2] / sums[0] - d.dot(m.slope), sums[0] * sums[0] / (sums[1] * mean[0])};
}

}  // namespace

void LocalEnergies::add(double energy, const VectorXd& slope, const MatrixXd& curvature, const VectorXd& score) {
  energy_.push_back(energy);
  numbers_.insert(numbers_.end(), slope.data(), slope.data() + parameters_);
  numbers_.insert(numbers_.end(), score.data(), score.data() + parameters_);
  numbers_.insert(numbers_.end(), curvature.data(), curvature.data() + parameters_ * parameters_);
}

double LocalEnergies::energy(size_t i, const VectorXd& d) const { return energy_[i] + d.dot(slope(i) + curvature(i) * d); }

VectorXd LocalEnergies::derivative(size_t i, const VectorXd& d) const {
  return slope(i) + 2 * (curvature(i) * d);  // the curvature is symmetric
}

SumOver plain_sum(const LocalEnergies& energies) {
  return [&energies](size_t row, const std::function<void(size_t, std::span<double>)>& term) {
    std::vector<double> sums(row, 0.0);
    for (size_t i = 0; i < energies.count(); ++i) term(i, sums);
    return sums;
  };
}

Step minimise_variance(const LocalEnergies& energies, const SumOver& sum) { return Fit(energies, sum, Target::variance).minimise(); }
Step minimise_mad(const LocalEnergies& energies, const SumOver& sum) { return Fit(energies, sum, Target::mad).minimise(); }

Step minimise_energy(const LocalEnergies& energies, const SumOver& sum) {
  constexpr double enough = 0.2;  // minimum effective fraction of the configurations
  const LinearMethod m = linear_method(energies, sum);
  Step step;
  step.change = VectorXd::Zero(energies.parameters());
  step.before = step.after = m.energy;
  // In units of the spread of the local energies, from long steps to short ones.
  for (double shift = 1e-4; shift < 1e5; shift *= std::sqrt(10.0)) {
    const auto change = linear_step(m, shift * std::sqrt(m.variance));
    if (!change) continue;
    const Reweighted there = reweighted(energies, sum, *change, m);
    ++step.iterations;
    if (!(there.share >= enough) || !(there.energy < step.after)) continue;
    step.change = *change;
    step.after = there.energy;
  }
  return step;
}

}  // namespace suite::vmc
