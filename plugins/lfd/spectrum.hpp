// SPDX-License-Identifier: BSD-3-Clause
// The Hartree field wave by wave. On the periodic grid -lap v = 4 pi (rho - mean rho) and the field's wave
// equation fall apart into waves (mx,my,mz), and only |m| = 0..N/2 matters: index m of a discrete Fourier
// transform is the wave min(m, N - m). Devices without a transform use the orthogonal real basis below, one
// small matrix per axis. All in double, on the host.
#pragma once

#include <vector>

#include "lfd.hpp"

namespace suite::lfd {

// Eigenvalues of -d^2/dx^2 for the waves 0..n/2: of differences 2 (1 - cos(2 pi m/n))/h^2, of the continuum
// (2 pi m/(n h))^2.
std::vector<double> axis_eigenvalues(Laplacian laplacian, int64_t n, double h);

// Q(row,i) at [row n + i], rows 1/sqrt n, then cos and sin of m = 1, 2, .. (times sqrt(2/n)), then
// (-1)^i/sqrt n: Q Q^T = 1. v~ = Q v in each direction, then a factor that depends on the waves alone, then v
// = Q^T v~.
std::vector<double> real_fourier_basis(int64_t n);
inline int64_t basis_wave(int64_t row) { return (row + 1) / 2; }

// The same as two matrices between the points of an axis and its waves, twice as many for a density that is
// surrounded by as many zeros.
struct AxisBasis {
  std::vector<double> to_waves, to_points;  // [wave][point], [point][wave]
};
AxisBasis axis_basis(int64_t points, bool doubled);

// The transform of the Coulomb interaction truncated at the diagonal L of the cell,
//   4 pi (1 - cos(L q))/q^2   (2 pi L^2 at q = 0; Vico, Greengard, Ferrando, J. Comput. Phys. 323, 191
//   (2016)),
// whose images cannot reach back into the cell, brought down to the grid of 2 Nx x 2 Ny x 2 Nz: spectrum of
// the waves 0..Nd of that grid, (Nx+1)(Ny+1)(Nz+1) numbers, z fastest. With rho padded by zeros on the
// doubled grid, v~ = spectrum rho~, no volume and no power of 2 Nx 2 Ny 2 Nz left over for a unitary pair of
// transforms.
std::vector<double> isolated_spectrum(const int64_t* n, const double* h);

// v~/rho~ of the waves 0..Nd/2, z fastest: 4 pi/lambda, 0 for the mean; isolated: isolated_spectrum().
std::vector<double> coulomb_factors(Laplacian laplacian, const int64_t* n, const double* h);

// lambda_max of the 7-point Laplacian: 4 sum_d 1/h_d^2 over the directions with more than one point.
double largest_eigenvalue(const int64_t* n, const double* h);

// K steps of the field at once: with d = v - 4 pi rho/lambda (lambda > 0; d = v for the mean, lambda = 0),
//   d' = dd d + dw w,   w' = wd d + ww w,   the K-th power of [[1 - kappa lambda, 1 - gamma], [-kappa lambda,
//   1 - gamma]],
// by repeated squaring, which asks for no roots and so knows no special case where they coincide.
struct FieldPower {
  double dd = 1, dw = 0, wd = 0, ww = 1;
};
inline FieldPower operator*(const FieldPower& a, const FieldPower& b) {
  return {a.dd * b.dd + a.dw * b.wd, a.dd * b.dw + a.dw * b.ww, a.wd * b.dd + a.ww * b.wd, a.wd * b.dw + a.ww * b.ww};
}
inline FieldPower field_power(double kappa_lambda, double gamma, int64_t steps) {
  FieldPower power, square{1 - kappa_lambda, 1 - gamma, -kappa_lambda, 1 - gamma};
  for (; steps > 0; steps >>= 1) {
    if (steps & 1) power = power * square;
    square = square * square;
  }
  return power;
}
// Of the waves 0..Nd/2 under differences, z fastest.
std::vector<FieldPower> field_powers(const int64_t* n, const double* h, double kappa, double gamma, int64_t steps);

}  // namespace suite::lfd
