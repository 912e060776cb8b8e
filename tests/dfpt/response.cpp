// SPDX-License-Identifier: BSD-3-Clause
// dfpt.response: the Sternheimer equation it solves, and what holds for any first-order density matrix.
#include "support.hpp"

using namespace dfpt_test;

namespace {

// n x n matrices, first index fastest.
struct Matrix {
  int64_t n;
  Numbers x;
  double& operator()(int64_t i, int64_t j) { return x[static_cast<size_t>(i + n * j)]; }
  double operator()(int64_t i, int64_t j) const { return x[static_cast<size_t>(i + n * j)]; }
};
Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{a.n, zeros(a.n * a.n)};
  for (int64_t j = 0; j < a.n; ++j)
    for (int64_t k = 0; k < a.n; ++k)
      for (int64_t i = 0; i < a.n; ++i) c(i, j) += a(i, k) * b(k, j);
  return c;
}
Matrix transposed(const Matrix& a) {
  Matrix t = a;
  for (int64_t j = 0; j < a.n; ++j)
    for (int64_t i = 0; i < a.n; ++i) t(i, j) = a(j, i);
  return t;
}
// Gauss and Jordan; C has a large diagonal.
Matrix inverse(Matrix a) {
  Matrix b{a.n, zeros(a.n * a.n)};
  for (int64_t i = 0; i < a.n; ++i) b(i, i) = 1;
  for (int64_t k = 0; k < a.n; ++k) {
    const double pivot = a(k, k);
    for (int64_t j = 0; j < a.n; ++j) {
      a(k, j) /= pivot;
      b(k, j) /= pivot;
    }
    for (int64_t i = 0; i < a.n; ++i) {
      const double factor = a(i, k);
      for (int64_t j = 0; j < a.n && i != k; ++j) {
        a(i, j) -= factor * a(k, j);
        b(i, j) -= factor * b(k, j);
      }
    }
  }
  return b;
}

// Orbitals of H0 and S, from which these follow: C^T S C = 1, H0 = S C e C^T S.
struct System {
  int64_t n = 13, occupied = 4, n_dir = 3;
  Matrix C, S, H0;
  Numbers e, H1;
};
System some_system() {
  System s;
  s.C = {s.n, random_numbers(s.n * s.n, 41, -0.3, 0.3)};
  for (int64_t i = 0; i < s.n; ++i) s.C(i, i) += 1.5;
  s.S = inverse(product(s.C, transposed(s.C)));
  for (int64_t i = 0; i < s.n; ++i)
    s.e.push_back(i < s.occupied ? -0.4 - 0.3 * static_cast<double>(i % 2) : 0.1 + 0.2 * static_cast<double>(i));
  Matrix Ce = s.C;
  for (int64_t i = 0; i < s.n; ++i)
    for (int64_t m = 0; m < s.n; ++m) Ce(m, i) *= s.e[static_cast<size_t>(i)];
  s.H0 = product(product(s.S, product(Ce, transposed(s.C))), s.S);
  for (int64_t d = 0; d < s.n_dir; ++d) {
    const Matrix half{s.n, random_numbers(s.n * s.n, 42 + static_cast<unsigned>(d), -1, 1)};
    for (int64_t j = 0; j < s.n; ++j)
      for (int64_t i = 0; i < s.n; ++i) s.H1.push_back(half(i, j) + half(j, i));
  }
  return s;
}
Matrix direction(const System& s, const Numbers& all, int64_t d) {
  return {s.n, Numbers(all.begin() + s.n * s.n * d, all.begin() + s.n * s.n * (d + 1))};
}
// H1 C_i of the occupied.
Numbers perturbed(const System& s) {
  Numbers all;
  for (int64_t d = 0; d < s.n_dir; ++d) {
    const Matrix HC = product(direction(s, s.H1, d), s.C);
    all.insert(all.end(), HC.x.begin(), HC.x.begin() + s.n * s.occupied);
  }
  return all;
}

struct Responded {
  Numbers C1, P1;
};
Responded respond(Call& call, const System& s, bool matrices) {
  call.forget();
  call.numbers("C", s.C.x, {s.n, s.n});
  call.numbers("eigenvalues", s.e, {s.n});
  call.count("n_occ", static_cast<int32_t>(s.occupied));
  if (matrices) call.numbers("H1", s.H1, {s.n, s.n, s.n_dir});
  else call.numbers("HC1", perturbed(s), {s.n, s.occupied, s.n_dir});
  call.numbers("C1", garbage(s.n * s.occupied * s.n_dir), {s.n, s.occupied, s.n_dir});
  call.numbers("density_matrix", garbage(s.n * s.n * s.n_dir), {s.n, s.n, s.n_dir});
  call.run();
  return {call.get_numbers("C1"), call.get_numbers("density_matrix")};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(response)

// (H0 - e_i S) C1_i = -(1 - S P/2) H1 C_i with C_j^T S C1_i = 0 has one solution.
BOOST_AUTO_TEST_CASE(orbitals_solve_the_sternheimer_equation) {
  const System s = some_system();
  const Numbers HC = perturbed(s);
  each_kept("dfpt.response", [&](Call& call) {
    const Numbers C1 = respond(call, s, true).C1;
    double residual = 0, overlap = 0;
    for (int64_t k = 0; k < s.occupied * s.n_dir; ++k) {
      const int64_t i = k % s.occupied;
      Numbers r(static_cast<size_t>(s.n)), SC1(static_cast<size_t>(s.n));
      for (int64_t m = 0; m < s.n; ++m)
        for (int64_t q = 0; q < s.n; ++q) {
          r[m] += (s.H0(m, q) - s.e[i] * s.S(m, q)) * C1[q + s.n * k];
          SC1[m] += s.S(m, q) * C1[q + s.n * k];
        }
      for (int64_t m = 0; m < s.n; ++m) r[m] += HC[m + s.n * k];
      for (int64_t j = 0; j < s.occupied; ++j) {
        double projection = 0, with_occupied = 0;
        for (int64_t m = 0; m < s.n; ++m) {
          projection += s.C(m, j) * HC[m + s.n * k];
          with_occupied += s.C(m, j) * SC1[m];
        }
        overlap = std::max(overlap, std::abs(with_occupied));
        for (int64_t m = 0; m < s.n; ++m)
          for (int64_t q = 0; q < s.n; ++q) r[m] -= s.S(m, q) * s.C(q, j) * projection;
      }
      residual = std::max(residual, largest(r));
    }
    check_below(call, "residual", residual, 1e-11);
    check_below(call, "overlap with the occupied", overlap, 1e-12);
    check_below(call, "smallness of C1", 1e-2, largest(C1));
  });
}

BOOST_AUTO_TEST_CASE(density_matrices_keep_their_invariants) {
  const System s = some_system();
  Matrix P{s.n, zeros(s.n * s.n)};
  for (int64_t i = 0; i < s.occupied; ++i)
    for (int64_t k = 0; k < s.n; ++k)
      for (int64_t m = 0; m < s.n; ++m) P(m, k) += 2 * s.C(m, i) * s.C(k, i);
  each_kept("dfpt.response", [&](Call& call) {
    const Responded r = respond(call, s, true);
    for (int64_t d = 0; d < s.n_dir; ++d) {
      const Matrix P1 = direction(s, r.P1, d), PSP1 = product(P, product(s.S, P1));
      double trace = 0, idempotency = 0, asymmetry = 0, difference = 0;
      for (int64_t j = 0; j < s.n; ++j)
        for (int64_t i = 0; i < s.n; ++i) {
          trace += s.S(i, j) * P1(i, j);
          // P/2 is a projector: P1 S P + P S P1 = 2 P1.
          idempotency = std::max(idempotency, std::abs(PSP1(i, j) + PSP1(j, i) - 2 * P1(i, j)));
          asymmetry = std::max(asymmetry, std::abs(P1(i, j) - P1(j, i)));
          double expected = 0;
          for (int64_t k = 0; k < s.occupied; ++k) {
            const size_t first = static_cast<size_t>(s.n * (k + s.occupied * d));
            expected += 2 * (r.C1[first + static_cast<size_t>(i)] * s.C(j, k) + s.C(i, k) * r.C1[first + static_cast<size_t>(j)]);
          }
          difference = std::max(difference, std::abs(P1(i, j) - expected));
        }
      check_below(call, "trace of S P1", std::abs(trace), 1e-11);
      check_below(call, "idempotency", idempotency, 1e-11);
      check_below(call, "asymmetry", asymmetry, 1e-12);
      check_below(call, "P1 and C1", difference, 1e-11);
    }
  });
}

BOOST_AUTO_TEST_CASE(products_with_orbitals_do_as_well_as_matrices) {
  const System s = some_system();
  each_kept("dfpt.response", [&](Call& call) {
    const Responded a = respond(call, s, true), b = respond(call, s, false);
    check_below(call, "C1", distance(a.C1, b.C1), 1e-12);
    check_below(call, "P1", distance(a.P1, b.P1), 1e-12);
  });
}

// Functions that are far apart have no H1, and a field may have none at all; so many that tiles of rows and columns are full, partial and empty.
BOOST_AUTO_TEST_CASE(matrices_may_have_zeros) {
  System s;
  s.n = 211, s.occupied = 37, s.n_dir = 2;
  s.C = {s.n, random_numbers(s.n * s.n, 51, -0.3, 0.3)};
  for (int64_t i = 0; i < s.n; ++i) s.e.push_back(i < s.occupied ? -1.0 : 0.01 * static_cast<double>(i));
  const Numbers random = random_numbers(s.n * s.n, 52, -1, 1);
  for (int64_t j = 0; j < s.n; ++j)
    for (int64_t i = 0; i < s.n; ++i)
      s.H1.push_back(std::abs(i - j) < 23 ? random[static_cast<size_t>(std::min(i, j) + s.n * std::max(i, j))] : 0);
  s.H1.resize(s.H1.size() * 2);
  Numbers expected = zeros(s.n * s.occupied * 2);
  for (int64_t i = 0; i < s.occupied; ++i) {
    Numbers HC = zeros(s.n);
    for (int64_t k = 0; k < s.n; ++k)
      for (int64_t m = 0; m < s.n; ++m) HC[static_cast<size_t>(m)] += s.H1[static_cast<size_t>(m + s.n * k)] * s.C(k, i);
    for (int64_t a = s.occupied; a < s.n; ++a) {
      double U = 0;
      for (int64_t m = 0; m < s.n; ++m) U += s.C(m, a) * HC[static_cast<size_t>(m)];
      U /= s.e[static_cast<size_t>(i)] - s.e[static_cast<size_t>(a)];
      for (int64_t m = 0; m < s.n; ++m) expected[static_cast<size_t>(m + s.n * i)] += s.C(m, a) * U;
    }
  }
  each_kept("dfpt.response", [&](Call& call) {
    const Numbers C1 = respond(call, s, true).C1;
    // Sums of 200 numbers below 1, twice.
    check_below(call, "C1", distance(C1, expected), 1e-10);
  });
}

// Two states: alpha = 4 <a|x|i>^2/(e_a - e_i), the uncoupled polarizability.
BOOST_AUTO_TEST_CASE(two_states_have_their_polarizability) {
  System s;
  s.n = 2;
  s.occupied = s.n_dir = 1;
  s.C = {2, {0.8, 0.6, -0.6, 0.8}};
  s.e = {-0.5, 0.3};
  s.H1 = {-0.2, 0.7, 0.7, 0.4};  // -x
  each_kept("dfpt.response", [&](Call& call) {
    const Numbers P1 = respond(call, s, true).P1;
    double alpha = 0, element = 0;
    for (size_t i = 0; i < 4; ++i) alpha -= s.H1[i] * P1[i];
    for (int64_t m = 0; m < 2; ++m)
      for (int64_t k = 0; k < 2; ++k) element += s.C(m, 1) * s.H1[static_cast<size_t>(m + 2 * k)] * s.C(k, 0);
    check_below(call, "error of alpha", std::abs(alpha - 4 * element * element / 0.8), 1e-13);
  });
}

BOOST_AUTO_TEST_CASE(without_empty_states_nothing_responds) {
  System s = some_system();
  s.occupied = s.n;
  each_kept("dfpt.response", [&](Call& call) {
    const Responded r = respond(call, s, true);
    BOOST_TEST(largest(r.C1) == 0);
    BOOST_TEST(largest(r.P1) == 0);
  });
}

BOOST_AUTO_TEST_SUITE_END()
