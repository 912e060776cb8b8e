// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and products by Eigen and by LAPACK, and which of them serves.
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include <dfpt/eigenproblem.hpp>

using namespace suite::all_electron;

namespace {

// What this build has.
std::vector<const LinearAlgebra*> libraries() {
  std::vector<const LinearAlgebra*> all{&eigen()};
#ifdef SUITE_HAVE_LAPACK
  std::string why;
  BOOST_REQUIRE_MESSAGE(lapack(&why), why);
  all.push_back(lapack());
#else
  BOOST_TEST_MESSAGE("SKIPPED: LAPACK, which this build has not");
#endif
  return all;
}

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 random(seed);
  Matrix m(rows, columns);
  for (double& x : m.reshaped()) x = static_cast<double>(random()) * 0x1p-31 - 1;
  return m;
}

// Q diag(values) Q^T.
Matrix with_eigenvalues(const Eigen::VectorXd& values) {
  const Matrix random = random_matrix(values.size(), values.size(), 7);
  const Matrix q = eigen().eigenpairs(random + random.transpose())->vectors;
  const Matrix m = q * values.asDiagonal() * q.transpose();
  return (m + m.transpose()) / 2;
}

double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

struct Deterministic {
  Deterministic() { setenv("SUITE_DETERMINISTIC", "1", 1); }
  ~Deterministic() { unsetenv("SUITE_DETERMINISTIC"); }
};

}  // namespace

// Backward stable methods are off by a small multiple of epsilon times the norm, which is 4 here; sums of n
// terms by sqrt(n) at most.
BOOST_AUTO_TEST_CASE(eigenvalues_and_vectors_are_right) {
  constexpr double tolerance = 1e-13;
  for (const Eigen::Index n : {1, 2, 101, 230}) {
    Eigen::VectorXd expected(n);
    for (Eigen::Index i = 0; i < n; ++i) expected[i] = i < n / 3 ? -4.0 : 8.0 * static_cast<double>(i) / static_cast<double>(n) - 4;
    const Matrix m = with_eigenvalues(expected);
    for (const LinearAlgebra* library : libraries()) {
      const auto pairs = library->eigenpairs(m);
      BOOST_REQUIRE(pairs.has_value());
      BOOST_TEST(!(largest(pairs->values - expected) > tolerance), library->name() << ", " << n << " rows");
      BOOST_TEST(largest(m * pairs->vectors - pairs->vectors * pairs->values.asDiagonal()) < tolerance);
      BOOST_TEST(largest(pairs->vectors.transpose() * pairs->vectors - Matrix::Identity(n, n)) < tolerance);
    }
  }
}

// Sums of 60 products of numbers below 1.
BOOST_AUTO_TEST_CASE(products_are_right) {
  const Matrix a = random_matrix(35, 60, 1), b = random_matrix(60, 47, 2);
  const Matrix expected = a.lazyProduct(b);
  for (const LinearAlgebra* library : libraries()) {
    BOOST_TEST(!(largest(library->product(a, b) - expected) > 1e-14), library->name());
    BOOST_TEST(!(largest(library->transposed_product(a.transpose(), b) - expected) > 1e-14), library->name());
  }
}

// Of parts, whose columns lie further apart than they are long, added to what is there.
BOOST_AUTO_TEST_CASE(products_of_parts_are_added) {
  const Matrix a = random_matrix(40, 70, 1), b = random_matrix(70, 50, 2), before = random_matrix(50, 60, 3);
  const Matrix expected = a.block(3, 5, 35, 60).lazyProduct(b.block(2, 1, 60, 47));
  for (const LinearAlgebra* library : libraries()) {
    const auto add = [&](auto&& how) {
      Matrix c = before;
      how(c.block(7, 9, 35, 47));
      Matrix change = c - before;
      BOOST_TEST(!(largest(change.block(7, 9, 35, 47) - expected) > 1e-14), library->name());
      change.block(7, 9, 35, 47).setZero();
      BOOST_TEST(largest(change) == 0, library->name());
    };
    const Matrix a_turned = a.transpose(), b_turned = b.transpose();
    add([&](Part c) { library->add_product(a.block(3, 5, 35, 60), b.block(2, 1, 60, 47), c); });
    add([&](Part c) { library->add_transposed_product(a_turned.block(5, 3, 60, 35), b.block(2, 1, 60, 47), c); });
    add([&](Part c) { library->add_product_with_transposed(a.block(3, 5, 35, 60), b_turned.block(1, 2, 47, 60), c); });
  }
}

BOOST_AUTO_TEST_CASE(inverse_factors_are_triangles_or_nothing) {
  constexpr Eigen::Index n = 101;
  const Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(n, 0.01, 3);
  Eigen::VectorXd indefinite = values;
  indefinite[40] = -1e-3;
  for (const LinearAlgebra* library : libraries()) {
    if (library == &eigen()) continue;  // finds none
    const Matrix S = with_eigenvalues(values);
    const auto X = library->inverse_factor(S);
    BOOST_REQUIRE(X.has_value());
    BOOST_TEST(largest(X->triangularView<Eigen::StrictlyLower>()) == 0);
    BOOST_TEST(!(largest(X->transpose() * S * *X - Matrix::Identity(n, n)) > 1e-12));
    BOOST_TEST(!library->inverse_factor(with_eigenvalues(indefinite)));
    Matrix wrong = S;
    wrong(30, 20) = wrong(20, 30) = std::numeric_limits<double>::quiet_NaN();
    BOOST_TEST(!library->inverse_factor(wrong));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_finite_has_no_eigenvalues) {
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const LinearAlgebra* library : libraries()) {
      Matrix m = with_eigenvalues(Eigen::VectorXd::LinSpaced(120, 0, 1));
      m(70, 20) = m(20, 70) = wrong;
      BOOST_TEST(!library->eigenpairs(m), library->name());
    }
}

BOOST_AUTO_TEST_CASE(eigen_serves_small_matrices_and_deterministic_runs) {
  BOOST_TEST(&linear_algebra_for(50) == &eigen());
  const std::string large = linear_algebra_for(1000).name();
#ifdef SUITE_HAVE_LAPACK
  BOOST_TEST(large.find("LAPACK 3.") == 0, large);
#else
  BOOST_TEST(large == eigen().name() + " (this build has no LAPACK)");
#endif
  const Deterministic here;
  BOOST_TEST(&linear_algebra_for(1000) == &eigen());
}

BOOST_AUTO_TEST_CASE(generalised_eigenproblems_have_one_answer) {
  constexpr Eigen::Index n = 230;
  Eigen::VectorXd overlaps = Eigen::VectorXd::LinSpaced(n, 1e-3, 3);
  overlaps[0] = 1e-9;  // two functions that are nearly one
  const Matrix S = with_eigenvalues(overlaps), random = random_matrix(n, n, 3), H = random + random.transpose();
  const suite::app::Communicator alone;
  const States found = Eigenproblem(S, alone).solve(H);
  const Deterministic here;
  const Eigenproblem by_eigen(S, alone);
  BOOST_TEST(by_eigen.library() == eigen().name());
  BOOST_TEST(by_eigen.n_states() == n - 1);
  const States expected = by_eigen.solve(H);
  // The largest eigenvalue is about 1/1e-3 times H's; so much larger are errors, too.
  BOOST_TEST(!(largest(found.eigenvalues - expected.eigenvalues) > 1e-9));
  BOOST_TEST(!(largest(found.C.transpose() * S * found.C - Matrix::Identity(n - 1, n - 1)) > 1e-9));
  BOOST_TEST(!(largest(found.C.transpose() * H * found.C - Matrix(found.eigenvalues.asDiagonal())) > 1e-8));
}

namespace {

// Batches of one point; of which functions, is all that counts. The last block of functions is small, and two functions far apart share points.
Grid overlapping_batches(int32_t n) {
  Grid grid;
  grid.batch_points.push_back(1), grid.batch_basis.push_back(1);
  const auto add = [&](std::vector<int32_t> functions) {
    grid.i_basis.insert(grid.i_basis.end(), functions.begin(), functions.end());
    grid.batch_basis.push_back(static_cast<int32_t>(grid.i_basis.size()) + 1);
    grid.batch_points.push_back(grid.batch_points.back() + 1);
  };
  for (int32_t first = 1; first <= n; first += 7) {
    std::vector<int32_t> functions;
    for (int32_t f = first; f < std::min(first + 20, n + 1); ++f) functions.push_back(f);
    add(functions);
  }
  add({2, n - 300});
  return grid;
}

// 1 where two functions share points.
Matrix sharing(const Grid& grid, int32_t n) {
  Matrix shared = Matrix::Zero(n, n);
  for (size_t b = 0; b < grid.n_batches(); ++b)
    for (int32_t e = grid.batch_basis[b] - 1; e < grid.batch_basis[b + 1] - 1; ++e)
      for (int32_t f = grid.batch_basis[b] - 1; f < grid.batch_basis[b + 1] - 1; ++f)
        shared(grid.i_basis[static_cast<size_t>(e)] - 1, grid.i_basis[static_cast<size_t>(f)] - 1) = 1;
  return shared;
}

}  // namespace

BOOST_AUTO_TEST_CASE(blocks_have_all_that_functions_share) {
  constexpr int32_t n = 805;
  const Grid grid = overlapping_batches(n);
  const BlockPattern pattern(grid, n);
  const Matrix shared = sharing(grid, n), a = random_matrix(n, 31, 1), b = random_matrix(n, 31, 2);
  BOOST_TEST(pattern.share() < 0.5);
  const Matrix random = random_matrix(n, n, 3), H = (random + random.transpose()).cwiseProduct(shared);
  Matrix X = random_matrix(n, n, 4);
  X.triangularView<Eigen::StrictlyLower>().setZero();
  const Matrix V = random_matrix(n, 40, 5), outer = a * b.transpose() + b * a.transpose(), transformed = X.transpose() * H * X, XV = X * V;
  for (const LinearAlgebra* library : libraries()) {
    Matrix all = random_matrix(n, 2 * n, 6);  // what is there does not matter
    pattern.add_up_symmetric(*library, a, b, all.rightCols(n));
    const Matrix found = all.rightCols(n);
    BOOST_TEST(!(largest((found - outer).cwiseProduct(shared)) > 1e-13), library->name());
    BOOST_TEST(largest(found - found.transpose()) == 0, library->name());
    BOOST_TEST(static_cast<double>((found.array() != 0).count()) / n / n < 0.5);
    const Matrix lower = (pattern.transformed(*library, H, X) - transformed).triangularView<Eigen::Lower>();
    BOOST_TEST(!(largest(lower) > 1e-10), library->name());
    BOOST_TEST(!(largest(triangular_product(*library, X, V) - XV) > 1e-12), library->name());
  }
}

// By a triangle where the functions are independent, by the overlap's eigenvectors where two are nearly one.
BOOST_AUTO_TEST_CASE(patterns_do_not_change_eigenproblems) {
  constexpr int32_t n = 405;
  const Grid grid = overlapping_batches(n);
  const BlockPattern pattern(grid, n);
  const Matrix shared = sharing(grid, n), random = random_matrix(n, n, 3), H = (random + random.transpose()).cwiseProduct(shared);
  const suite::app::Communicator alone;
  Matrix S = 0.02 * (random.transpose() + random).cwiseProduct(shared);
  S.diagonal().setOnes();
  for (const bool dependent : {false, true}) {
    if (dependent) {
      S.row(5) = S.row(4), S.col(5) = S.col(4);
      S(4, 5) = S(5, 4) = 1 - 1e-9;
      S(5, 5) = 1;
    }
    const States expected = Eigenproblem(S, alone).solve(H), found = Eigenproblem(S, alone, &pattern).solve(H);
    BOOST_REQUIRE(found.eigenvalues.size() == n - dependent);
    BOOST_TEST(!(largest(found.eigenvalues - expected.eigenvalues) > 1e-10));
    BOOST_TEST(!(largest(found.C.transpose() * S * found.C - Matrix::Identity(n - dependent, n - dependent)) > 1e-10));
    BOOST_TEST(!(largest(found.C.transpose() * H * found.C - Matrix(found.eigenvalues.asDiagonal())) > 1e-10));
  }
}
