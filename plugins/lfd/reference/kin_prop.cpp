// SPDX-License-Identifier: BSD-3-Clause
// lfd.kin_prop: the pairs of one part of one direction (lfd.hpp), each turned by its own 2 x 2 matrix. And the kinetic energy
// of plane waves (../fourier.hpp) along lines of points, wave by wave in plain sums.
#include "kernels.hpp"

namespace suite::lfd::reference {

void kin_prop(Orbitals& psi, const Grid& g, int d, Part part, double theta, const Momenta& momenta) {
  if (g.n[d] == 1) return;
  const Rotation r = rotation(theta, part);
  std::vector<Complex> bond;  // e^{i(A+k)h}
  for (int64_t n = 0; n < g.norb; ++n) bond.push_back(std::polar(1.0, momenta(d, n) * g.h[d]));
  for_each_point(g, [&](const int64_t(&at)[3], int64_t first) {
    const bool even = at[d] % 2 == 0;
    if (even != (part == Part::half)) return;  // a pair is met at its first point
    const int64_t second = neighbour(g, at, d, 1);
    for (int64_t n = 0; n < g.norb; ++n) {
      Complex &a = psi[n + g.norb * first], &b = psi[n + g.norb * second];
      const Complex old_a = a, old_b = b;
      a = r.ep * old_a + r.em * bond[n] * old_b;
      b = r.ep * old_b + r.em * std::conj(bond[n]) * old_a;
    }
  });
}

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

// kinetic = fourier
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

namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::d, parameter::p, parameter::mass_correction};
  Reference(const suite_backend*, suite_queue*, const int64_t* p)
      : d_(static_cast<int>(p[0])), part_(static_cast<Part>(p[1])), mass_correction_(p[2] != 0) {}

  void execute(const suite_array* arguments) {
    const KinProp c(arguments);
    const Grid g = orbital_grid(c.psi, c.h.data());
    check_time_step(c.dt, g.h, g.n, mass_correction_);
    Orbitals psi = read_orbitals(c.psi);
    const Momenta momenta{three_or_zero(c.A), c.k.data()};
    kin_prop(psi, g, d_, part_, splitting_angle(c.dt, g.h[d_], mass_correction_), momenta);
    write(psi, c.psi);
  }

private:
  int d_;
  Part part_;
  bool mass_correction_;
};

}  // namespace

extern const suite_kernel_table kin_prop_table;
constexpr suite_kernel_table kin_prop_table = kernel_table<KinProp, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
