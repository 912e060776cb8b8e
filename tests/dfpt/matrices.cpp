// SPDX-License-Identifier: BSD-3-Clause
// dfpt.h: overlaps, kinetic energies and dipoles of Gaussians in closed form, and its two forms against each
// other. 0.5 bohr between points and Gaussians of 0.6 to 0.8 integrate s to 1e-10,
// d to 1e-8 and their kinetic energies to 1e-7.
#include "gaussian_integrals.hpp"

using namespace dfpt_test;

namespace {

void set_weighted_points(Call& call, const TwoAtoms& two) {
  call.forget();
  two.points.set(call);
  call.numbers("wave", two.wave, {two.points.n_wave()});
  call.numbers("partition_tab", two.points.weight, {two.points.count()});
}
Numbers potential_matrices(Call& call, const TwoAtoms& two, const Numbers& v, const Numbers& before) {
  const int64_t n = two.basis.count(), n_dir = size_of(before) / (n * n);
  set_weighted_points(call, two);
  if (!v.empty()) call.numbers("v", v, {two.points.count(), n_dir});
  call.numbers("H", before, {n, n, n_dir});
  call.run();
  return call.get_numbers("H");
}
Numbers symmetric(int64_t n, int64_t n_dir, unsigned seed) {
  Numbers all = random_numbers(n * n * n_dir, seed, -1, 1);
  for (int64_t d = 0; d < n_dir; ++d)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < j; ++i) all[j + n * (i + n * d)] = all[i + n * (j + n * d)];
  return all;
}
template <class F> Numbers matrix_of(int64_t n, F&& f) {
  Numbers all;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i) all.push_back(f(i, j));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(matrices)

BOOST_AUTO_TEST_CASE(without_a_potential_they_are_overlaps) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count();
  const Numbers S = matrix_of(n, [&](int64_t i, int64_t j) { return integral(two.basis, i, j); });
  BOOST_TEST(std::abs(S[0] - 1) < 1e-14);
  each_kept("dfpt.h", [&](Call& call) {
    const Numbers computed = potential_matrices(call, two, {}, zeros(n * n));
    check_below(call, "error of S", distance(computed, S), 5e-8);
    const Numbers ones(static_cast<size_t>(two.points.count()), 1);
    check_below(call, "S and H of v = 1", distance(potential_matrices(call, two, ones, zeros(n * n)), computed), 1e-13);
  });
}

BOOST_AUTO_TEST_CASE(of_a_field_they_are_dipoles) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count(), np = two.points.count();
  Numbers expected, v;
  for (size_t d = 0; d < 3; ++d) {
    for (int64_t p = 0; p < np; ++p) v.push_back(two.points.coords[static_cast<size_t>(3 * p) + d]);
    const Numbers one = matrix_of(n, [&](int64_t i, int64_t j) {
      std::array<int, 3> moment{};
      moment[d] = 1;
      return integral(two.basis, i, j, moment);
    });
    expected.insert(expected.end(), one.begin(), one.end());
  }
  each_kept("dfpt.h", [&](Call& call) {
    check_below(call, "error of dipoles", distance(potential_matrices(call, two, v, zeros(3 * n * n)), expected), 1e-7);
  });
}

BOOST_AUTO_TEST_CASE(with_other_functions_on_the_right_they_are_kinetic_energies) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count();
  const Numbers right = waves(two.basis, two.points, true);
  const Numbers T = matrix_of(n, [&](int64_t i, int64_t j) { return kinetic_integral(two.basis, i, j); });
  each_kept("dfpt.h", [&](Call& call) {
    set_weighted_points(call, two);
    call.numbers("wave_right", right, {two.points.n_wave()});
    call.numbers("H", zeros(n * n), {n, n, 1});
    call.run();
    check_below(call, "error of T", distance(call.get_numbers("H"), T), 1e-6);
  });
}

// Of any functions on the right, half of either order.
BOOST_AUTO_TEST_CASE(with_other_functions_on_the_right_they_are_symmetric_sums) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count(), np = two.points.count();
  const Numbers right = random_numbers(two.points.n_wave(), 13, -1, 1), v = random_numbers(np, 14, -1, 1);
  Numbers expected = zeros(n * n);
  for (int64_t p = 0; p < np; ++p)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i)
        expected[i + n * j] +=
            two.points.weight[p] * v[p] / 2 * (two.wave[i + n * p] * right[j + n * p] + right[i + n * p] * two.wave[j + n * p]);
  each_kept("dfpt.h", [&](Call& call) {
    set_weighted_points(call, two);
    call.numbers("wave_right", right, {two.points.n_wave()});
    call.numbers("v", v, {np, 1});
    call.numbers("H", zeros(n * n), {n, n, 1});
    call.run();
    check_below(call, "error of H", distance(call.get_numbers("H"), expected), 1e-12);
  });
}

BOOST_AUTO_TEST_CASE(they_are_added_and_symmetric) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count();
  const Numbers v = random_numbers(2 * two.points.count(), 11, -1, 1), before = symmetric(n, 2, 12);
  each_kept("dfpt.h", [&](Call& call) {
    Numbers alone = potential_matrices(call, two, v, zeros(2 * n * n));
    const Numbers added = potential_matrices(call, two, v, before);
    double asymmetry = 0;
    for (int64_t d = 0; d < 2; ++d)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < j; ++i) asymmetry = std::max(asymmetry, std::abs(alone[i + n * (j + n * d)] - alone[j + n * (i + n * d)]));
    check_below(call, "asymmetry", asymmetry, 1e-14);
    for (size_t i = 0; i < alone.size(); ++i) alone[i] += before[i];
    check_below(call, "error of what is added", distance(added, alone), 1e-13);
  });
}

BOOST_AUTO_TEST_CASE(products_are_matrices_times_orbitals) {
  const TwoAtoms& two = two_atoms();
  const int64_t n = two.basis.count(), occupied = 3;
  const Numbers v = random_numbers(3 * two.points.count(), 21, -1, 1), C = random_numbers(n * occupied, 22, -1, 1),
                before = random_numbers(3 * n * occupied, 23, -1, 1);
  each_kept("dfpt.h", [&](Call& call) {
    const Numbers H = potential_matrices(call, two, v, zeros(3 * n * n));
    Numbers expected = before;
    for (int64_t d = 0; d < 3; ++d)
      for (int64_t i = 0; i < occupied; ++i)
        for (int64_t m = 0; m < n; ++m)
          for (int64_t k = 0; k < n; ++k) expected[m + n * (i + occupied * d)] += H[m + n * (k + n * d)] * C[k + n * i];
    for (const bool both : {false, true}) {
      set_weighted_points(call, two);
      call.numbers("v", v, {two.points.count(), 3});
      call.numbers("C", C, {n, occupied});
      call.numbers("HC", before, {n, occupied, 3});
      if (both) call.numbers("H", zeros(3 * n * n), {n, n, 3});
      call.run();
      check_below(call, "error of HC", distance(call.get_numbers("HC"), expected), 1e-12);
      if (both) check_below(call, "H beside HC", distance(call.get_numbers("H"), H), 1e-13);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
