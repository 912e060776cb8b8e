// SPDX-License-Identifier: BSD-3-Clause
// The first-order density matrices of two spins, with any occupations:
//   P1_s = sum_pq (f_p - f_q)/(e_p - e_q) C_p <p|h1_s|q> C_q^T   over |f_p - f_q| > 1e-12
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "response.hpp"

namespace suite::all_electron {
namespace {

constexpr double equal_occupations = 1e-12, equal_levels = 1e-6;  // Ha

class TwoSpins final : public OrbitalResponse {
public:
  TwoSpins(GridMatrices& grid, const GroundStateSolver& solver, const GroundState& ground)
      : grid_(grid), overlap_(solver.overlap()), library_(linear_algebra_for(overlap_.rows())), spins_(ground.spins) {
    for (size_t s = 0; s < 2; ++s) set_factors(s);
  }

  bool orbital_form() const override { return false; }

  std::vector<double> density_of(std::span<const double> v, std::span<const double> w) override {
    P1_ = grid_.matrices(v, w);
    const Eigen::Index n = overlap_.rows(), n_dir = P1_.cols() / n / 2;
    for (Eigen::Index i = 0; i < 2 * n_dir; ++i) {
      const auto s = static_cast<size_t>(i / n_dir);
      const Matrix& C = spins_[s].states.C;
      const Matrix H1 = library_.transposed_product(C, library_.product(P1_.middleCols(i * n, n), C));
      const Matrix half = library_.product(C, H1.cwiseProduct(factors_[s]));
      P1_.middleCols(i * n, n) = library_.product(half, C.transpose());
    }
    return grid_.density(P1_);
  }

  // Idempotency: between full states, and between empty ones P1 has nothing.
  Invariants invariants() const override {
    Invariants out;
    const Eigen::Index n = overlap_.rows(), n_dir = P1_.cols() / n / 2;
    for (Eigen::Index s = 0; s < 2; ++s) {
      const SpinStates& spin = spins_[static_cast<size_t>(s)];
      const Eigen::Index full = (spin.occupations.array() == 1).count();
      const Matrix C = spin.states.C.leftCols(full), S_C = library_.product(overlap_, C);
      if (full > 0)
        out.orthonormality =
            std::max(out.orthonormality, (library_.transposed_product(C, S_C) - Matrix::Identity(full, full)).cwiseAbs().maxCoeff());
      for (Eigen::Index d = 0; d < n_dir; ++d) {
        const auto P1 = P1_.middleCols((d + n_dir * s) * n, n);
        out.overlap = std::max(out.overlap, std::abs(overlap_.cwiseProduct(P1).sum()));
        if (full > 0)
          out.idempotency = std::max(out.idempotency, library_.transposed_product(S_C, library_.product(P1, S_C)).cwiseAbs().maxCoeff());
      }
    }
    return out;
  }

private:
  void set_factors(size_t s) {
    const Eigen::VectorXd &e = spins_[s].states.eigenvalues, &f = spins_[s].occupations;
    factors_[s] = Matrix::Zero(e.size(), e.size());
    for (Eigen::Index p = 0; p < e.size(); ++p)
      for (Eigen::Index q = 0; q < e.size(); ++q) {
        if (std::abs(f[p] - f[q]) <= equal_occupations) continue;
        if (std::abs(e[p] - e[q]) < equal_levels)
          throw Failure(
              SUITE_INVALID_ARGUMENT,
              fmt::format("the levels {} and {} of spin {} have the same energy, {:.6f} Ha, but occupations of {:g} and {:g}: they "
                          "have no response",
                          p + 1, q + 1, s == 0 ? "up" : "down", e[p], f[p], f[q]));
        factors_[s](p, q) = (f[p] - f[q]) / (e[p] - e[q]);
      }
  }

  GridMatrices& grid_;
  const Matrix& overlap_;
  const LinearAlgebra& library_;
  const std::vector<SpinStates>& spins_;
  std::array<Matrix, 2> factors_;
  Matrix P1_;  // (n_basis,n_basis n_dir 2)
};

}  // namespace

std::unique_ptr<OrbitalResponse> response_of_spins(GridMatrices& grid, const GroundStateSolver& solver, const GroundState& ground) {
  return std::make_unique<TwoSpins>(grid, solver, ground);
}

}  // namespace suite::all_electron
