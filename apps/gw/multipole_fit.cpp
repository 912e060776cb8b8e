// SPDX-License-Identifier: BSD-3-Clause
#include "multipole_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <suite/plugin.hpp>

#include "base/units.hpp"
#ifdef SUITE_HAVE_EIGEN
#include "base/dense/small.hpp"
#endif

namespace suite::gw {

std::vector<std::complex<double>> sampling_frequencies(int poles, double range_eV) {
  // Denser at low frequencies, where states near the gap see eps^-1.
  static const std::vector<std::vector<double>> steps{{0},
                                                      {0, 1},
                                                      {0, 0.5, 1},
                                                      {0, 0.25, 0.5, 1},
                                                      {0, 0.125, 0.25, 0.5, 1},
                                                      {0, 0.125, 0.25, 0.5, 0.75, 1},
                                                      {0, 0.0625, 0.125, 0.25, 0.5, 0.75, 1},
                                                      {0, 0.0625, 0.125, 0.25, 0.375, 0.5, 0.75, 1}};
  constexpr double near_axis = 0.1 * app::hartree_eV, far_from_axis = app::hartree_eV;
  std::vector<std::complex<double>> z;
  for (const double distance : {far_from_axis, near_axis})
    for (const double t : steps.at(static_cast<size_t>(poles - 1)))
      if (t > 0 || distance == far_from_axis) z.emplace_back(t * range_eV, distance);
  return z;
}

PoleFit::PoleFit(const std::vector<Complex>& z) : z_(z) {
  for (const Complex& each : z) range_ = std::max(range_, std::abs(each));
  for (const Complex& each : z) y_.push_back(each * each / (range_ * range_));
}

#ifdef SUITE_HAVE_EIGEN

// x = sum a_l y^l / (y^n + sum b_l y^l) is linear in a and b; the poles are where the denominator vanishes.
bool PoleFit::attempt(int order, const Complex* x, Complex* poles, Complex* residues) const {
  const int m = static_cast<int>(z_.size());
  std::array<Complex, app::most_small * app::most_small> a;
  std::array<Complex, app::most_small> right, found, roots;
  for (int j = 0; j < m; ++j) {
    Complex power = 1;
    for (int l = 0; l < order; ++l, power *= y_[static_cast<size_t>(j)]) {
      a[static_cast<size_t>(l * m + j)] = power;
      a[static_cast<size_t>((order + l) * m + j)] = -x[j] * power;
    }
    right[static_cast<size_t>(j)] = x[j] * power;
  }
  if (!app::least_squares(m, 2 * order, a.data(), right.data(), found.data()) ||
      !app::polynomial_roots(order, found.data() + order, roots.data()))
    return false;
  int kept = 0;
  for (int p = 0; p < order; ++p) {
    Complex squared = roots[static_cast<size_t>(p)] * (range_ * range_);
    if (squared.real() < 0) squared = -std::conj(squared);
    Complex w = std::sqrt(squared);
    if (w.imag() > 0) w = std::conj(w);
    // Beyond all structure, or on top of another.
    const bool useless = !(std::abs(w) <= 10 * range_) || !(std::abs(w) >= 1e-3 * range_) ||
                         std::any_of(poles, poles + kept, [&](const Complex& other) { return std::abs(other - w) < 1e-5 * range_; });
    if (!useless) poles[kept++] = w;
  }
  if (kept == 0) return false;
  for (int j = 0; j < m; ++j)
    for (int p = 0; p < kept; ++p)
      a[static_cast<size_t>(p * m + j)] = 2.0 * poles[p] / (z_[static_cast<size_t>(j)] * z_[static_cast<size_t>(j)] - poles[p] * poles[p]);
  std::copy(x, x + m, right.begin());
  if (!app::least_squares(m, kept, a.data(), right.data(), residues)) return false;
  for (int p = kept; p < this->poles(); ++p) poles[p] = range_, residues[p] = 0;
  return true;
}

#else

bool PoleFit::attempt(int, const Complex*, Complex*, Complex*) const {
  throw Failure(SUITE_UNSUPPORTED, "this build cannot fit poles: it was made without Eigen (apt install libeigen3-dev)");
}

#endif

double PoleFit::fit(const Complex* x, Complex* poles, Complex* residues) const {
  const int n = this->poles();
  std::fill_n(poles, n, range_);
  std::fill_n(residues, n, 0.0);
  constexpr double negligible = 1e-10;
  double largest = 0;
  for (size_t j = 0; j < z_.size(); ++j) largest = std::max(largest, std::abs(x[j]));
  if (!(largest > negligible)) return 0;
  std::array<Complex, 2 * most_poles> scaled;
  for (size_t j = 0; j < z_.size(); ++j) scaled[j] = x[j] / largest;
  int order = n;
  while (order > 0 && !attempt(order, scaled.data(), poles, residues)) --order;
  if (order == 0) std::fill_n(poles, n, range_), std::fill_n(residues, n, 0.0);
  double misfit = 0;
  for (size_t j = 0; j < z_.size(); ++j) {
    Complex sum = 0;
    for (int p = 0; p < n; ++p) sum += 2.0 * poles[p] * residues[p] / (z_[j] * z_[j] - poles[p] * poles[p]);
    misfit = std::max(misfit, std::abs(sum - scaled[j]));
  }
  for (int p = 0; p < n; ++p) residues[p] *= largest;
  return misfit;
}

}  // namespace suite::gw
