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
