// SPDX-License-Identifier: BSD-3-Clause
// lfd.spectral_field_solve: v of rho wave by wave, in the real Fourier basis (../spectrum.hpp), by plain
// sums.
//   periodic: v~ = 4 pi rho~/lambda, the mean 0;   isolated: v~ = (truncated interaction) rho~ on the doubled
//   grid
#include "kernels.hpp"

namespace suite::lfd::reference {
namespace {

// Applies a square matrix, or its transpose, to the slowest index and makes that the fastest.
Field turn(const Field& in, const std::vector<double>& Q, int64_t n, bool transposed) {
  const int64_t rest = static_cast<int64_t>(in.size()) / n;
  Field out(in.size());
  for (int64_t r = 0; r < rest; ++r)
    for (int64_t row = 0; row < n; ++row)
      for (int64_t i = 0; i < n; ++i) out[r * n + row] += (transposed ? Q[i * n + row] : Q[row * n + i]) * in[i * rest + r];
  return out;
}

Field transform(Field field, const int64_t* n, bool back) {
  for (int d = 0; d < 3; ++d) field = turn(field, real_fourier_basis(n[d]), n[d], back);
  return field;
}

Field solve_periodic(const Field& rho, const Grid& g, Laplacian laplacian) {
  std::vector<double> lambda[3];
  for (int d = 0; d < 3; ++d) lambda[d] = axis_eigenvalues(laplacian, g.n[d], g.h[d]);
  Field v = transform(rho, g.n, false);
  for_each_point(g, [&](const int64_t(&row)[3], int64_t i) {
    double sum = 0;
    for (int d = 0; d < 3; ++d) sum += lambda[d][basis_wave(row[d])];
    v[i] = sum > 0 ? 4 * std::numbers::pi * v[i] / sum : 0;
  });
  return transform(v, g.n, true);
}

Field solve_isolated(const Field& rho, const Grid& g) {
  Grid twice = g;
  for (int d = 0; d < 3; ++d) twice.n[d] = 2 * g.n[d];
  const std::vector<double> spectrum = isolated_spectrum(g.n, g.h);
  Field padded(static_cast<size_t>(twice.points()));
  for_each_point(g, [&](const int64_t(&at)[3], int64_t i) { padded[point(twice, at[0], at[1], at[2])] = rho[i]; });
  padded = transform(padded, twice.n, false);
  for_each_point(twice, [&](const int64_t(&row)[3], int64_t i) {
    const int64_t wave[] = {basis_wave(row[0]), basis_wave(row[1]), basis_wave(row[2])};
    padded[i] *= spectrum[wave[2] + (g.n[2] + 1) * (wave[1] + (g.n[1] + 1) * wave[0])];
  });
  padded = transform(padded, twice.n, true);
  Field v(rho.size());
  for_each_point(g, [&](const int64_t(&at)[3], int64_t i) { v[i] = padded[point(twice, at[0], at[1], at[2])]; });
  return v;
}

}  // namespace

Field spectral_field_solve(const Field& rho, const Grid& g, Laplacian laplacian) {
  return laplacian == Laplacian::isolated ? solve_isolated(rho, g) : solve_periodic(rho, g, laplacian);
}

namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::laplacian};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : laplacian_(static_cast<Laplacian>(p[0])) {}
  void execute(const suite_array* arguments) {
    const SpectralFieldSolve c(arguments);
    const Grid g = field_grid(c.rho, c.h.data());
    Field vH = spectral_field_solve(read_field(c.rho), g, laplacian_);
    vH.resize(2 * vH.size(), 0.0);
    write(vH, c.vH);
  }

private:
  Laplacian laplacian_;
};

}  // namespace

extern const suite_kernel_table spectral_field_solve_table;
constexpr suite_kernel_table spectral_field_solve_table = kernel_table<SpectralFieldSolve, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
