// SPDX-License-Identifier: BSD-3-Clause
// The kinetic energy of plane waves (../fourier.hpp) along lines of points, wave by wave in plain sums.
#include "kernels.hpp"

namespace suite::lfd::reference {
namespace {

// e^{2 pi i m/n}
std::vector<Complex> roots_of_unity(int64_t n) {
  std::vector<Complex> roots;
  for (int64_t m = 0; m < n; ++m) roots.push_back(std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(m) / static_cast<double>(n)));
  return roots;
}

// f(index of the first point) for each line along d.
template <class F> void for_each_line(const Grid& g, int d, F&& f) {
  for_each_point(g, [&](const int64_t(&at)[3], int64_t i) {
    if (at[d] == 0) f(i);
  });
}
int64_t distance_of_points(const Grid& g, int d) { return d == 0 ? g.n[1] * g.n[2] : d == 1 ? g.n[2] : 1; }

}  // namespace

void fourier_prop(Orbitals& psi, const Grid& g, int d, double dt, const Momenta& momenta) {
  const int64_t n = g.n[d], row = g.norb, apart = distance_of_points(g, d) * row;
  if (n == 1) return;
  const std::vector<Complex> root = roots_of_unity(n);
  // exp(-i dt T) from point j to point i depends on i - j alone: its waves added up, for each orbital.
  std::vector<Complex> kernel(static_cast<size_t>(n * row)), line(kernel.size()), sum(static_cast<size_t>(row));
  for (int64_t m = 0; m < n; ++m)
    for (int64_t o = 0; o < row; ++o) {
      const Complex phase = std::polar(1.0 / static_cast<double>(n), -dt * line_wave(m, n, g.h[d]).energy(momenta(d, o)));
      for (int64_t by = 0; by < n; ++by) kernel[by * row + o] += root[m * by % n] * phase;
    }
  for_each_line(g, d, [&](int64_t first) {
    Complex* const points = psi.data() + first * row;
    for (int64_t i = 0; i < n; ++i) std::copy_n(points + i * apart, row, line.data() + i * row);
    for (int64_t i = 0; i < n; ++i) {
      std::fill(sum.begin(), sum.end(), 0);
      for (int64_t j = 0; j < n; ++j)
        for (int64_t o = 0; o < row; ++o) sum[o] += kernel[(i - j + n) % n * row + o] * line[j * row + o];
      std::copy_n(sum.data(), row, points + i * apart);
    }
  });
}

std::vector<double> fourier_sums(const Orbitals& psi, const Grid& g, int d, const Momenta& momenta,
                                 const std::function<double(const LineWave&, double)>& weight) {
  const int64_t n = g.n[d], row = g.norb, apart = distance_of_points(g, d) * row;
  std::vector<double> sums(static_cast<size_t>(row)), power(static_cast<size_t>(n * row));
  if (n == 1) return sums;
  const std::vector<Complex> root = roots_of_unity(n);
  std::vector<Complex> wave(static_cast<size_t>(row));
  for_each_line(g, d, [&](int64_t first) {
    const Complex* const points = psi.data() + first * row;
    for (int64_t m = 0; m < n; ++m) {
      std::fill(wave.begin(), wave.end(), 0);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t o = 0; o < row; ++o) wave[o] += std::conj(root[m * i % n]) * points[i * apart + o];
      for (int64_t o = 0; o < row; ++o) power[m * row + o] += std::norm(wave[o]);
    }
  });
  for (int64_t m = 0; m < n; ++m)
    for (int64_t o = 0; o < row; ++o)
      sums[o] += weight(line_wave(m, n, g.h[d]), momenta(d, o)) * power[m * row + o] * g.volume_element() / static_cast<double>(n);
  return sums;
}

}  // namespace suite::lfd::reference
