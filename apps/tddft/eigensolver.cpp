// SPDX-License-Identifier: BSD-3-Clause
#include "eigensolver.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <suite/plugin.hpp>

#include "base/dense/eigenpairs.hpp"
#include "subspace.hpp"

namespace suite::tddft {

namespace {

constexpr double least_degree = 6, largest_degree = 120;

}  // namespace

template <class T>
Eigensolver<T>::Eigensolver(Hamiltonian<T>& h, std::vector<T> guess, int count, int wanted)
    : h_(h), psi_(std::move(guess)), other_(psi_.size()), count_(count), wanted_(wanted) {
  rotate_to_eigenvectors();
  find_top();
}

// Lanczos: after these steps the largest Ritz value plus the norm of its residual exceeds every eigenvalue (Zhou et al.). Starts from a
// random function, so that no direction is missing.
template <class T> void Eigensolver<T>::find_top() {
  constexpr int steps = 12;
  const size_t size = h_.grid().size();
  const double volume = h_.grid().point_volume();
  std::vector<T> v(size), before(size, T(0)), w(size);
  std::mt19937_64 random(1);
  for (T& x : v) x = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
  double norm = std::sqrt(std::real(overlaps(v.data(), 1, v.data(), 1, size)(0, 0)) * volume);
  for (T& x : v) x /= norm;
  Eigen::MatrixXd tridiagonal = Eigen::MatrixXd::Zero(steps, steps);
  double off = 0;
  for (int j = 0; j < steps; ++j) {
    h_.apply(v.data(), w.data(), 1);
    const double alpha = std::real(overlaps(v.data(), 1, w.data(), 1, size)(0, 0)) * volume;
    for (size_t i = 0; i < size; ++i) w[i] -= alpha * v[i] + off * before[i];
    tridiagonal(j, j) = alpha;
    off = std::sqrt(std::real(overlaps(w.data(), 1, w.data(), 1, size)(0, 0)) * volume);
    if (j + 1 < steps) tridiagonal(j, j + 1) = tridiagonal(j + 1, j) = off;
    if (!(off > 1e-10 * std::abs(alpha))) break;
    std::swap(before, v);
    for (size_t i = 0; i < size; ++i) v[i] = w[i] / off;
  }
  top_ = app::eigenpairs_of(tridiagonal).values.maxCoeff() + off;
}

template <class T> void Eigensolver<T>::rotate_to_eigenvectors() {
  const size_t size = h_.grid().size();
  const double volume = h_.grid().point_volume();
  if (!orthonormalise(psi_.data(), count_, size, volume))
    throw Failure(SUITE_INTERNAL, "an orbital of the ground state is zero or not finite");
  h_.apply(psi_.data(), other_.data(), count_);
  Dense<T> inside = overlaps(psi_.data(), count_, other_.data(), count_, size) * T(volume);
  inside = (inside + inside.adjoint()).eval() / T(2);
  const app::Eigenpairs<T> solved = app::eigenpairs_of(inside);
  rotate(psi_.data(), count_, solved.vectors, size);
  rotate(other_.data(), count_, solved.vectors, size);
  eigenvalues_.assign(solved.values.data(), solved.values.data() + count_);
  residuals_.resize(count_);
  for (int n = 0; n < count_; ++n) {
    T* r = other_.data() + size * n;
    const T* p = psi_.data() + size * n;
    const double energy = eigenvalues_[n];
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < size; ++i) r[i] -= energy * p[i];
    residuals_[n] = std::sqrt(std::real(overlaps(r, 1, r, 1, size)(0, 0)) * volume);
  }
}

// T_m((H - centre)/half) scaled to 1 at the lowest eigenvalue, so that nothing overflows.
template <class T> void Eigensolver<T>::filter(int degree) {
  const double cut = eigenvalues_.back(), centre = (top_ + cut) / 2, half = (top_ - cut) / 2;
  const double lowest = eigenvalues_.front();
  double sigma = half / (lowest - centre);
  const double two_over = 2 / sigma;
  // psi holds the previous polynomial, other the current one.
  h_.combine(sigma / half, -centre * sigma / half, 0, psi_.data(), other_.data(), count_);
  for (int m = 2; m <= degree; ++m) {
    const double next = 1 / (two_over - sigma), factor = 2 * next / half;
    h_.combine(factor, -centre * factor, -sigma * next, other_.data(), psi_.data(), count_);
    std::swap(psi_, other_);
    sigma = next;
  }
  std::swap(psi_, other_);
}

template <class T> void Eigensolver<T>::iterate(double goal) {
  const double cut = eigenvalues_.back(), centre = (top_ + cut) / 2, half = (top_ - cut) / 2;
  // Relative to the unwanted functions, of size 1, a function grows to cosh(m arcosh x).
  const auto rate = [&](double energy) { return std::acosh(std::max((centre - energy) / half, 1.0)); };
  const double wanted = rate(eigenvalues_[wanted_ - 1]), lowest = rate(eigenvalues_.front());
  const double wished = std::acosh(1 / std::clamp(goal, 1e-4, 0.5)) / wanted;
  // The highest function contains about its residual of the lowest; after amplification that component must not dominate it.
  const double allowed = std::log(1e4 / std::clamp(residual(), 1e-6, 1.0)) / (lowest - wanted);
  degree_ = static_cast<int>(std::ceil(std::clamp(std::min(wished, allowed), least_degree, largest_degree)));
  filter(degree_);
  rotate_to_eigenvectors();
}

template <class T> double Eigensolver<T>::residual() const { return *std::max_element(residuals_.begin(), residuals_.begin() + wanted_); }

template class Eigensolver<double>;
template class Eigensolver<std::complex<double>>;

}  // namespace suite::tddft
