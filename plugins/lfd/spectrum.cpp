// SPDX-License-Identifier: BSD-3-Clause
#include "spectrum.hpp"

#include <cmath>
#include <numbers>

namespace suite::lfd {
namespace {

constexpr double pi = std::numbers::pi;

// cos(2 pi a b/n) with the product reduced first, so that large waves keep their digits.
double cosine(int64_t a, int64_t b, int64_t n) { return std::cos(2 * pi * static_cast<double>(a * b % n) / static_cast<double>(n)); }

// Weights of the sum over all waves of an even function of the wave, for waves 0..m/2 of m points.
double weight(int64_t wave, int64_t m) { return wave == 0 || 2 * wave == m ? 1 : 2; }

double truncated_coulomb(double q2, double length) {
  const double s = std::sin(0.5 * length * std::sqrt(q2));
  return q2 > 0 ? 8 * pi * s * s / q2 : 2 * pi * length * length;
}

// Transforms the slowest index i of in(r,i) to a and makes it the fastest, matrix(a,i): three calls transform
// all directions and restore their order.
std::vector<double> transform(const std::vector<double>& in, const std::vector<double>& matrix, int64_t rows, int64_t columns) {
  const int64_t rest = static_cast<int64_t>(in.size()) / columns;
  std::vector<double> out(static_cast<size_t>(rest * rows));
  for (int64_t r = 0; r < rest; ++r)
    for (int64_t i = 0; i < columns; ++i)
      for (int64_t a = 0; a < rows; ++a) out[r * rows + a] += matrix[i * rows + a] * in[i * rest + r];
  return out;
}

// f(lambda) of the waves 0..Nd/2, z fastest.
template <class F> void for_each_eigenvalue(Laplacian laplacian, const int64_t* n, const double* h, F&& f) {
  std::vector<double> lambda[3];
  for (int d = 0; d < 3; ++d) lambda[d] = axis_eigenvalues(laplacian, n[d], h[d]);
  for (const double x : lambda[0])
    for (const double y : lambda[1])
      for (const double z : lambda[2]) f(x + y + z);
}

}  // namespace

std::vector<double> axis_eigenvalues(Laplacian laplacian, int64_t n, double h) {
  std::vector<double> lambda(static_cast<size_t>(n / 2 + 1));
  for (int64_t m = 0; m <= n / 2; ++m) {
    const double angle = pi * static_cast<double>(m) / static_cast<double>(n);
    const double q = laplacian == Laplacian::differences ? 2 * std::sin(angle) / h : 2 * angle / h;
    lambda[m] = q * q;
  }
  return lambda;
}

std::vector<double> real_fourier_basis(int64_t n) {
  std::vector<double> Q(static_cast<size_t>(n * n));
  const double norm = std::sqrt(1.0 / static_cast<double>(n));
  for (int64_t row = 0; row < n; ++row) {
    const int64_t m = basis_wave(row);
    const bool single = m == 0 || 2 * m == n, sine = row > 0 && row % 2 == 0;
    for (int64_t i = 0; i < n; ++i) {
      const double angle = 2 * pi * static_cast<double>(m * i % n) / static_cast<double>(n);
      Q[row * n + i] = (single ? norm : std::sqrt(2.0) * norm) * (sine ? std::sin(angle) : std::cos(angle));
    }
  }
  return Q;
}

AxisBasis axis_basis(int64_t points, bool doubled) {
  const int64_t waves = doubled ? 2 * points : points;
  const std::vector<double> Q = real_fourier_basis(waves);
  AxisBasis basis;
  for (int64_t wave = 0; wave < waves; ++wave)
    for (int64_t i = 0; i < points; ++i) basis.to_waves.push_back(Q[wave * waves + i]);
  for (int64_t i = 0; i < points; ++i)
    for (int64_t wave = 0; wave < waves; ++wave) basis.to_points.push_back(Q[wave * waves + i]);
  return basis;
}

std::vector<double> isolated_spectrum(const int64_t* n, const double* h) {
  double length[3], diagonal = 0;
  for (int d = 0; d < 3; ++d) {
    length[d] = static_cast<double>(n[d]) * h[d];
    diagonal += length[d] * length[d];
  }
  diagonal = std::sqrt(diagonal);

  // A grid of m points per direction is wide enough when the truncated interaction of an image, m h away,
  // ends before the cell. The sum over its waves gives the interaction between grid points, at distances
  // 0..n.
  int64_t m[3], waves[3];
  std::vector<double> lambda[3], to_points[3], to_waves[3];
  for (int d = 0; d < 3; ++d) {
    const double points = static_cast<double>(n[d]) * (1 + diagonal / length[d]);
    m[d] = 2 * (static_cast<int64_t>(points / 2) + 1);
    waves[d] = m[d] / 2 + 1;
    lambda[d] = axis_eigenvalues(Laplacian::continuum, m[d], h[d]);
    for (int64_t q = 0; q < waves[d]; ++q)
      for (int64_t q = 0; q < waves[d]; ++q)
        for (int64_t i = 0; i <= n[d]; ++i) to_points[d].push_back(weight(q, m[d]) * cosine(q, i, m[d]) / static_cast<double>(m[d]));
    for (int64_t i = 0; i <= n[d]; ++i)
      for (int64_t q = 0; q <= n[d]; ++q) to_waves[d].push_back(weight(i, 2 * n[d]) * cosine(q, i, 2 * n[d]));
  }
  std::vector<double> values(static_cast<size_t>(waves[0] * waves[1] * waves[2]));
  size_t at = 0;
  for (int64_t x = 0; x < waves[0]; ++x)
    for (int64_t y = 0; y < waves[1]; ++y)
      for (int64_t z = 0; z < waves[2]; ++z) values[at++] = truncated_coulomb(lambda[0][x] + lambda[1][y] + lambda[2][z], diagonal);
  for (int d = 0; d < 3; ++d) values = transform(values, to_points[d], n[d] + 1, waves[d]);
  for (int d = 0; d < 3; ++d) values = transform(values, to_waves[d], n[d] + 1, n[d] + 1);
  return values;
}

std::vector<double> coulomb_factors(Laplacian laplacian, const int64_t* n, const double* h) {
  if (laplacian == Laplacian::isolated) return isolated_spectrum(n, h);
  std::vector<double> factors;
  for_each_eigenvalue(laplacian, n, h, [&](double lambda) { factors.push_back(lambda > 0 ? 4 * pi / lambda : 0); });
  return factors;
}

std::vector<FieldPower> field_powers(const int64_t* n, const double* h, double kappa, double gamma, int64_t steps) {
  std::vector<FieldPower> powers;
  for_each_eigenvalue(Laplacian::differences, n, h, [&](double lambda) { powers.push_back(field_power(kappa * lambda, gamma, steps)); });
  return powers;
}

double largest_eigenvalue(const int64_t* n, const double* h) {
  double sum = 0;
  for (int d = 0; d < 3; ++d)
    if (n[d] > 1) sum += 4 / (h[d] * h[d]);
  return sum;
}

}  // namespace suite::lfd
