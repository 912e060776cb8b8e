// SPDX-License-Identifier: BSD-3-Clause
#include "nonlocal.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace suite::lfd {
namespace {

using Complex = std::complex<double>;
using Matrix = std::vector<Complex>;  // n x n, first index fastest

Matrix product(const Matrix& a, const Matrix& b, int64_t n) {
  Matrix c(static_cast<size_t>(n * n));
  for (int64_t j = 0; j < n; ++j)
    for (int64_t k = 0; k < n; ++k)
      for (int64_t i = 0; i < n; ++i) c[i + n * j] += a[i + n * k] * b[k + n * j];
  return c;
}

// Of tau D S, where six of K's digits are lost; pseudopotentials have about 1.
constexpr double largest_norm = 1e6;

double largest_row_sum(const Matrix& a, int64_t n) {
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < n; ++j) sum += std::abs(a[i + n * j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

Matrix exponential_of(const Matrix& S, const Matrix& D, int64_t n, double tau) {
  if (tau == 0) {
    Matrix K = D;
    for (Complex& x : K) x *= tau;  // 0, or no number where D is none
    return K;
  }
  const Matrix DS = product(D, S, n);
  const double norm = std::abs(tau) * largest_row_sum(DS, n);
  if (!(norm <= largest_norm)) return Matrix(D.size(), std::nan(""));
  const int doublings = norm > 0.125 ? std::ilogb(norm) + 4 : 0;
  const Complex factor(0, -std::ldexp(tau, -doublings));
  Matrix term = D;
  for (Complex& x : term) x *= factor;
  Matrix K = term;
  for (int order = 2; order <= 13; ++order) {  // (1/8)^12/13! is below the last bit
    term = product(DS, term, n);
    for (Complex& x : term) x *= factor / static_cast<double>(order);
    for (size_t i = 0; i < K.size(); ++i) K[i] += term[i];
  }
  for (int doubling = 0; doubling < doublings; ++doubling) {
    const Matrix KSK = product(K, product(S, K, n), n);
    for (size_t i = 0; i < K.size(); ++i) K[i] = 2.0 * K[i] + KSK[i];
  }
  return K;
}

}  // namespace

std::vector<int64_t> sphere_points(const int32_t* nlpoint, int64_t nsphere, int64_t natom) {
  std::vector<int64_t> count(static_cast<size_t>(natom));
  for (int64_t atom = 0; atom < natom; ++atom) {
    const int32_t* const points = nlpoint + atom * nsphere;
    count[atom] = std::find(points, points + nsphere, 0) - points;
  }
  return count;
}

std::vector<double> projector_overlaps(const double* beta, const int32_t* nlpoint, int64_t nsphere, int64_t nproj, int64_t natom,
                                       double volume) {
  const std::vector<int64_t> count = sphere_points(nlpoint, nsphere, natom);
  std::vector<double> S(static_cast<size_t>(nproj * nproj * natom));
  for (int64_t atom = 0; atom < natom; ++atom)
    for (int64_t j = 0; j < nproj; ++j)
      for (int64_t i = 0; i <= j; ++i) {
        const double* const a = beta + nsphere * (i + nproj * atom);
        const double* const b = beta + nsphere * (j + nproj * atom);
        double sum = 0;
        for (int64_t p = 0; p < count[atom]; ++p) sum += a[p] * b[p];
        S[i + nproj * (j + nproj * atom)] = S[j + nproj * (i + nproj * atom)] = sum * volume;
      }
  return S;
}

std::vector<std::complex<double>> projector_exponentials(const double* overlaps, const double* dnl, int64_t nproj, int64_t natom,
                                                         double tau) {
  const int64_t size = nproj * nproj;
  Matrix all(static_cast<size_t>(size * natom));
  for (int64_t atom = 0; atom < natom; ++atom) {
    const Matrix S(overlaps + size * atom, overlaps + size * (atom + 1));
    const Matrix D(dnl + size * atom, dnl + size * (atom + 1));
    for (int64_t j = 0; j < nproj; ++j)
      for (int64_t i = 0; i < j; ++i)
        if (const double a = D[i + nproj * j].real(), b = D[j + nproj * i].real(); a != b)
          throw Failure(SUITE_INVALID_ARGUMENT, concat("dnl of atom ", atom + 1, " is not symmetric: dnl(", i + 1, ",", j + 1, ") is ", a,
                                                       ", dnl(", j + 1, ",", i + 1, ") is ", b));
    const Matrix K = exponential_of(S, D, nproj, tau);
    for (const Complex& x : K)
      if (!std::isfinite(x.real()) || !std::isfinite(x.imag()))
        throw Failure(SUITE_INVALID_ARGUMENT, concat("the exponential of the nonlocal pseudopotential of atom ", atom + 1,
                                                     " cannot be computed: dnl, beta or dt is too large"));
    std::copy(K.begin(), K.end(), all.begin() + size * atom);
  }
  return all;
}

void Pseudopotential::set(const Grid& grid, const line::Nonlocal& V) {
  nsphere = V.nsphere();
  nproj = V.nproj();
  natom = V.natom();
  volume = grid.volume_element();
  check_spheres(points.data(), nsphere, natom, grid.points());
  const std::vector<int64_t> count = sphere_points(points.data(), nsphere, natom);
  counts.assign(count.begin(), count.end());
  overlaps = projector_overlaps(beta.data(), points.data(), nsphere, nproj, natom, volume);
}

std::vector<std::complex<double>> Pseudopotential::exponentials(double tau) const {
  std::vector<std::complex<double>> K = projector_exponentials(overlaps.data(), D.data(), nproj, natom, tau);
  for (Complex& k : K) k = {volume * k.real(), volume * k.imag()};
  return K;
}

std::vector<double> Pseudopotential::image_shifts(const Grid& grid) const {
  const int64_t* const n = grid.n;
  std::vector<double> shifts(displacements.size());
  for (int64_t i = 0; i < nsphere * natom; ++i) {
    if (points[i] == 0) continue;
    const int64_t origin = i / nsphere * nsphere, p = points[i] - 1, q = points[origin] - 1;
    const int64_t at[] = {p / (n[1] * n[2]), p / n[2] % n[1], p % n[2]}, from[] = {q / (n[1] * n[2]), q / n[2] % n[1], q % n[2]};
    for (int d = 0; d < 3; ++d) {
      const double apart = displacements[3 * i + d] - displacements[3 * origin + d];
      const double shift = apart - static_cast<double>(at[d] - from[d]) * grid.h[d];
      shifts[3 * i + d] = std::abs(shift) <= 1e-12 * (1 + std::abs(apart)) ? 0 : shift;
    }
  }
  return shifts;
}

}  // namespace suite::lfd
