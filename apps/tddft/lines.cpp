// SPDX-License-Identifier: BSD-3-Clause
#include "lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>

namespace suite::tddft {
namespace {

constexpr size_t most_lines = 24;  // fitted together
constexpr int most_rounds = 40;

// Vertex of the parabola through three neighbouring points, in steps from the middle one, and its height.
std::pair<double, double> vertex(double left, double middle, double right) {
  const double curvature = left - 2 * middle + right;
  const double at = curvature < 0 ? 0.5 * (left - right) / curvature : 0;
  return {at, middle - 0.25 * (left - right) * at};
}

std::vector<Peak> maxima(const Spectrum& s, double height_of_one, double threshold) {
  const auto& S = s.strength;
  double highest = 0;
  for (double value : S) highest = std::max(highest, value);
  std::vector<Peak> found;
  for (size_t i = 1; i + 1 < S.size(); ++i) {
    if (!(S[i] > 0) || !(S[i] >= threshold * highest) || !(S[i] > S[i - 1] && S[i] >= S[i + 1])) continue;
    const auto [at, height] = vertex(S[i - 1], S[i], S[i + 1]);
    found.push_back({s.energy[i] + at * (s.energy[1] - s.energy[0]), height / height_of_one, false});
  }
  return found;
}

// Levenberg-Marquardt least squares for the parameters (energy, strength) of every line.
class Fit {
public:
  Fit(const Spectrum& s, Observable observable, double duration, const SpectrumSettings& settings, std::vector<Peak> lines)
      : spectrum_(s), observable_(observable), duration_(duration), settings_(settings), lines_(std::move(lines)), start_(lines_) {
    for (size_t i = 0; i < s.energy.size(); ++i)
      if (std::any_of(start_.begin(), start_.end(), [&](const Peak& p) { return std::abs(s.energy[i] - p.energy) <= s.resolution; }))
        near_.push_back(i);
  }

  std::vector<Peak> run() {
    double damping = 1e-3, error = error_of(lines_);
    for (int round = 0; round < most_rounds && damping < 1e8; ++round) {
      auto trial = lines_;
      if (!step(trial, damping)) break;
      const double trial_error = error_of(trial);
      if (!(trial_error < error)) {
        damping *= 10;
        continue;
      }
      const bool settled = error - trial_error <= 1e-12 * error;
      lines_ = trial;
      error = trial_error;
      damping *= 0.1;
      if (settled) break;
    }
    // A line that has left its maximum describes something else (a shoulder, a continuum).
    for (size_t l = 0; l < lines_.size(); ++l) {
      const bool sound = std::abs(lines_[l].energy - start_[l].energy) <= 0.5 * spectrum_.resolution && lines_[l].strength > 0;
      if (sound) lines_[l].fitted = true;
      else lines_[l] = start_[l];
    }
    return lines_;
  }

private:
  double shape(double w, double energy) const { return line_shape(w, energy, observable_, duration_, settings_); }

  double residual(const std::vector<Peak>& lines, size_t point) const {
    double r = spectrum_.strength[point];
    for (const auto& l : lines) r -= l.strength * shape(spectrum_.energy[point], l.energy);
    return r;
  }

  double error_of(const std::vector<Peak>& lines) const {
    double sum = 0;
    for (size_t point : near_) sum += std::pow(residual(lines, point), 2);
    return sum;
  }

  bool step(std::vector<Peak>& lines, double damping) const {
    const auto n = static_cast<Eigen::Index>(2 * lines.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n), row(n);
    const double d = 1e-3 / duration_;  // for the derivative with respect to the energy
    for (size_t point : near_) {
      const double w = spectrum_.energy[point], r = residual(lines, point);
      for (size_t l = 0; l < lines.size(); ++l) {
        row[2 * l] = lines[l].strength * (shape(w, lines[l].energy + d) - shape(w, lines[l].energy - d)) / (2 * d);
        row[2 * l + 1] = shape(w, lines[l].energy);
      }
      b += r * row;
      A += row * row.transpose();
    }
    A.diagonal() *= 1 + damping;
    const Eigen::LDLT<Eigen::MatrixXd> factors(A);
    if (factors.info() != Eigen::Success || !factors.isPositive()) return false;
    const Eigen::VectorXd change = factors.solve(b);
    for (size_t l = 0; l < lines.size(); ++l) {
      lines[l].energy += change[2 * l];
      lines[l].strength += change[2 * l + 1];
      if (!(lines[l].energy > 0)) return false;
    }
    return true;
  }

  const Spectrum& spectrum_;
  Observable observable_;
  double duration_;
  const SpectrumSettings& settings_;
  std::vector<Peak> lines_, start_;
  std::vector<size_t> near_;
};

}  // namespace

std::vector<Peak> find_lines(const Spectrum& spectrum, Observable observable, double duration, const SpectrumSettings& settings) {
  const double height_of_one = window_transform(0, duration, settings).real() / std::numbers::pi;
  auto lines = maxima(spectrum, height_of_one, settings.threshold);
  auto stronger = [](const Peak& a, const Peak& b) { return a.strength > b.strength; };
  std::stable_sort(lines.begin(), lines.end(), stronger);
  std::vector<Peak> weak(lines.begin() + static_cast<long>(std::min(lines.size(), most_lines)), lines.end());
  lines.resize(std::min(lines.size(), most_lines));
  if (!lines.empty()) lines = Fit(spectrum, observable, duration, settings, lines).run();
  lines.insert(lines.end(), weak.begin(), weak.end());
  std::sort(lines.begin(), lines.end(), [](const Peak& a, const Peak& b) { return a.energy < b.energy; });
  return lines;
}

}  // namespace suite::tddft
