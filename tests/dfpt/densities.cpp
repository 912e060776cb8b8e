// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho: against sums written out, integrals against traces, orbitals against their density matrix.
#include "gaussian_integrals.hpp"

using namespace dfpt_test;

namespace {

void set_points(Call& call, const TwoAtoms& two) {
  call.forget();
  two.points.set(call);
  call.numbers("wave", two.wave, {two.points.n_wave()});
}
Numbers of_matrices(Call& call, const TwoAtoms& two, const Numbers& P) {
  const int64_t n = two.basis.count(), n_dir = size_of(P) / (n * n), np = two.points.count();
  set_points(call, two);
  call.numbers("density_matrix", P, {n, n, n_dir});
  call.numbers("rho", garbage(np * n_dir), {np, n_dir});
  call.run();
  return call.get_numbers("rho");
}
Numbers of_orbitals(Call& call, const TwoAtoms& two, const Numbers& C, const Numbers& C1) {
  const int64_t n = two.basis.count(), occupied = size_of(C) / n, np = two.points.count();
  const int64_t n_dir = C1.empty() ? 1 : size_of(C1) / size_of(C);
  set_points(call, two);
  call.numbers("C", C, {n, occupied});
  if (!C1.empty()) call.numbers("C1", C1, {n, occupied, n_dir});
  call.numbers("rho", garbage(np * n_dir), {np, n_dir});
  call.run();
  return call.get_numbers("rho");
}
// sum_i (left_i right_i^T + right_i left_i^T)
Numbers products(int64_t n, const Numbers& left, const Numbers& right) {
  Numbers P(static_cast<size_t>(n * n * size_of(right) / size_of(left)));
  for (int64_t i = 0; i < size_of(right) / n; ++i) {
    const int64_t occupied = size_of(left) / n, d = i / occupied;
    for (int64_t k = 0; k < n; ++k)
      for (int64_t m = 0; m < n; ++m)
        P[m + n * (k + n * d)] += left[m + n * (i % occupied)] * right[k + n * i] + right[m + n * i] * left[k + n * (i % occupied)];
  }
  return P;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(densities)

// The lower triangle of the matrix is not looked at.
BOOST_AUTO_TEST_CASE(of_matrices_are_their_sums) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count(), np = two.points.count();
  const Numbers P = random_numbers(3 * n * n, 31, -1, 1);
  Numbers expected;
  for (int64_t d = 0; d < 3; ++d)
    for (int64_t p = 0; p < np; ++p) {
      double sum = 0;
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) sum += P[std::min(i, j) + n * (std::max(i, j) + n * d)] * two.wave[i + n * p] * two.wave[j + n * p];
      expected.push_back(sum);
    }
  each_kept("dfpt.rho", [&](Call& call) {
    check_below(call, "error of rho", distance(of_matrices(call, two, P), expected), 1e-14 * largest(expected) * 10);
  });
}

BOOST_AUTO_TEST_CASE(hold_as_many_electrons_as_their_matrix) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count();
  const Numbers C = random_numbers(2 * n, 32, -1, 1), P = products(n, C, C);
  double electrons = 0;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i) electrons += P[i + n * j] * integral(two.basis, i, j);
  each_kept("dfpt.rho", [&](Call& call) {
    const Numbers rho = of_matrices(call, two, P);
    double sum = 0, least = 0;
    for (size_t p = 0; p < rho.size(); ++p) {
      sum += two.points.weight[p] * rho[p];
      least = std::min(least, rho[p]);
    }
    check_below(call, "error of the number of electrons", std::abs(sum - electrons), 1e-7 * electrons);
    check_below(call, "most negative density of a positive matrix", -least, 1e-14);
  });
}

BOOST_AUTO_TEST_CASE(of_orbitals_are_those_of_their_matrices) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count();
  const Numbers C = random_numbers(3 * n, 33, -1, 1), C1 = random_numbers(3 * 3 * n, 34, -1, 1);
  Numbers P1 = products(n, C, C1);
  for (double& x : P1) x *= 2;
  each_kept("dfpt.rho", [&](Call& call) {
    const Numbers ground = of_matrices(call, two, products(n, C, C)), first = of_matrices(call, two, P1);
    check_below(call, "ground state", relative_distance(of_orbitals(call, two, C, {}), ground), 1e-13);
    check_below(call, "first order", relative_distance(of_orbitals(call, two, C, C1), first), 1e-13);
  });
}

BOOST_AUTO_TEST_SUITE_END()
