// SPDX-License-Identifier: BSD-3-Clause
// Independent electrons in a harmonic well: everything separates into one dimension, where a step is a small
// matrix.
#pragma once

#include <cmath>
#include <complex>
#include <iostream>
#include <numbers>

#include "../../apps/common/communicator.hpp"
#include "../../apps/base/dense/eigenpairs.hpp"
#include "calculation.hpp"
#include "propagation.hpp"

namespace suite::test {

using tddft::Settings;

inline Settings well_settings() {
  Settings s;
  s.system.grid.points = {12, 10, 20};
  s.system.grid.h = {0.8, 0.9, 0.6};
  s.system.boundary = tddft::Boundary::isolated;
  s.system.kinetic = tddft::Kinetic::differences;
  s.system.well = tddft::HarmonicWell{{0.6, 0.5, 0.4}, {}};
  s.system.electrons = 2;
  s.ground_state.functional = "none";
  s.ground_state.residual_tolerance = 1e-10;
  s.propagation.field = "frozen";
  s.propagation.dt = 0.1;
  s.propagation.steps = 40;
  s.propagation.interval = 7;
  s.kick = 0.01;
  return s;
}

// One direction of the well: its ground state, and the exact step of the splitting, V/2 H F H V/2.
class Line {
public:
  Line(const Settings& s, int d) : n_(s.system.grid.points[static_cast<size_t>(d)]), h_(s.system.grid.h[static_cast<size_t>(d)]) {
    const double omega = s.system.well->omega[static_cast<size_t>(d)], dt = s.propagation.dt;
    const double theta = s.propagation.mass_correction ? std::atan(dt / (2 * h_ * h_)) : dt / (2 * h_ * h_);
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n_, n_);
    Eigen::MatrixXcd V = Eigen::MatrixXcd::Zero(n_, n_);
    for (int i = 0; i < n_; ++i) {
      const double v = omega * omega * x(i) * x(i) / 2;
      H(i, i) += 1 / (h_ * h_) + v;
      H(i, (i + 1) % n_) -= 1 / (2 * h_ * h_);
      H((i + 1) % n_, i) -= 1 / (2 * h_ * h_);
      V(i, i) = std::polar(1.0, -v * dt / 2);
    }
    const bool waves = s.system.kinetic == tddft::Kinetic::fourier;
    const Eigen::MatrixXd T = kinetic_of_waves();
    if (waves) H = T + Eigen::MatrixXd((omega * omega / 2 * (positions().array().square())).matrix().asDiagonal());
    const auto solved = app::eigenpairs_of(H);
    ground = solved.vectors.col(0);
    energy = solved.values[0];
    if (waves) {
      const auto of_T = app::eigenpairs_of(T);
      Eigen::VectorXcd phases(n_);
      for (int i = 0; i < n_; ++i) phases[i] = std::polar(1.0, -of_T.values[i] * dt);
      step =
          V * of_T.vectors.cast<std::complex<double>>() * phases.asDiagonal() * of_T.vectors.transpose().cast<std::complex<double>>() * V;
    } else {
      step = V * pairs(0, theta) * pairs(1, 2 * theta) * pairs(0, theta) * V;
    }
  }
  double x(int i) const { return (i - n_ / 2) * h_; }
  double mean(const Eigen::VectorXcd& psi) const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += x(i) * std::norm(psi[i]);
    return sum;
  }
  // <cos(p h)>
  double sum_rule() const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += ground[i] * ground[(i + 1) % n_];
    return sum;
  }
  Eigen::VectorXd ground;
  Eigen::MatrixXcd step;
  double energy = 0;

private:
  Eigen::VectorXd positions() const {
    Eigen::VectorXd all(n_);
    for (int i = 0; i < n_; ++i) all[i] = x(i);
    return all;
  }
  // q^2/2 of every wave, which are cosines of the distance.
  Eigen::MatrixXd kinetic_of_waves() const {
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n_, n_);
    for (int m = 1; m <= n_ / 2; ++m) {
      const double q = 2 * std::numbers::pi * m / (n_ * h_), times = 2 * m == n_ ? 1 : 2;
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) T(i, j) += times * q * q / 2 * std::cos(q * h_ * (i - j)) / n_;
    }
    return T;
  }
  Eigen::MatrixXcd pairs(int first, double phi) const {
    Eigen::MatrixXcd U = Eigen::MatrixXcd::Zero(n_, n_);
    const std::complex<double> e = std::polar(1.0, -phi), ep = (1.0 + e) / 2.0, em = (1.0 - e) / 2.0;
    for (int i = first; i < n_ + first; i += 2) {
      const int a = i % n_, b = (i + 1) % n_;
      U(a, a) += ep, U(b, b) += ep, U(a, b) += em, U(b, a) += em;
    }
    return U;
  }
  int n_;
  double h_;
};

// What a run needs of the program around it.
struct World {
  app::Communicator world;
  app::Progress progress{false};
  std::ostream out{nullptr};
  std::vector<app::Row> kernels;
  app::Outcome outcome;
  app::Context context;
  explicit World(const std::string& implementation, const std::filesystem::path& folder = {})
      : context{world, progress, out, folder, implementation, "", kernels, outcome} {}
};

}  // namespace suite::test
