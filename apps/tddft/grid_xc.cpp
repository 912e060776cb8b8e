// SPDX-License-Identifier: BSD-3-Clause
#include "grid_xc.hpp"

#include <algorithm>
#include <utility>

#include "core_density.hpp"
#include "subspace.hpp"

namespace suite::tddft {
namespace {

constexpr double least_density = 1e-10, least_with_gradient = 1e-6;  // bohr^-3

}  // namespace

std::optional<app::Xc> xc_named(const std::string& functional) {
  for (const auto& [name, xc] : app::named_functionals())
    if (functional == name) return xc;
  return std::nullopt;
}

bool kernels_have(const std::string& functional, int spins, bool core) {
  return functional == "none" || (spins == 1 && !core && (functional == "pw92" || functional == "pz81"));
}

bool kernels_have(const std::string& functional, const System& system) {
  return kernels_have(functional, system.spins(), has_core(system));
}

GridXc::GridXc(const Grid& grid, app::Xc xc, int spins)
    : grid_(grid), xc_(xc), spins_(static_cast<size_t>(spins)), gradient_(grid), potential_(grid.size() * spins_, 0.0) {}

void GridXc::update(const std::vector<double>& of_electrons) {
  const size_t points = grid_.size(), columns = app::columns_of(xc_), all = points * spins_;
  std::vector<double> with_core;
  if (!core_.empty()) {
    with_core = of_electrons;
    for (size_t i = 0; i < all; ++i) with_core[i] += core_[i % points] / static_cast<double>(spins_);
  }
  const std::vector<double>& densities = core_.empty() ? of_electrons : with_core;
  std::vector<double> fields(all * columns, 0.0);
  for (size_t s = 0; s < spins_; ++s)
    for (size_t c = 1; c < columns; ++c)
      gradient_.add(static_cast<int>(c) - 1, 1, &densities[points * s], &fields[points * (s + spins_ * c)]);
  const auto parts = static_cast<double>(spins_);
  const auto drop_vectors = [&](std::vector<double>& of) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < all; ++i)
      for (size_t c = 1; c < columns && parts * densities[i] < least_with_gradient; ++c) of[i + all * c] = 0;
  };
  drop_vectors(fields);
  // LYP is 0/0 where one spin has no electrons and the other has many; next to it is its limit. The potential of others (PBE) diverges there.
  const double least_beside_other = xc_ == app::Xc::blyp ? least_density / parts : 0;
  std::vector<double> kept(points, 0.0);
  for (size_t i = 0; i < points; ++i) {
    double largest = 0;
    for (size_t s = 0; s < spins_; ++s) largest = std::max(largest, parts * densities[i + points * s]);
    if (!(largest >= least_density)) continue;
    for (size_t s = 0; s < spins_; ++s) {
      const double n = densities[i + points * s];
      fields[i + points * s] = parts * n >= least_density ? n : least_beside_other;
      if (parts * n >= least_density) kept[i] += n;
    }
  }
  const app::XcOnGrid xc(xc_, points, spins_, std::move(fields), false);
  energy_ = grid_.point_volume() * sum_of_products(xc.energy().data(), kept.data(), points);
  std::vector<double> v = xc.potential();
  drop_vectors(v);
  std::copy(v.begin(), v.begin() + static_cast<int64_t>(all), potential_.begin());
  for (size_t s = 0; s < spins_; ++s)
    for (size_t c = 1; c < columns; ++c) gradient_.add(static_cast<int>(c) - 1, -1, &v[points * (s + spins_ * c)], &potential_[points * s]);
}

}  // namespace suite::tddft
