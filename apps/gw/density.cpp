// SPDX-License-Identifier: BSD-3-Clause
#include "density.hpp"

#include <algorithm>
#include <complex>
#include <vector>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "crystal_records.hpp"

namespace suite::gw {

Density::Density(std::span<const Miller> G, std::span<const std::complex<double>> rho)
    : g_(G.begin(), G.end()), rho_(rho.begin(), rho.end()) {
  if (G.size() != rho.size())
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the density has {} values for {} G vectors", rho.size(), G.size()));
  constexpr int largest = 1000;  // no file of this world needs a larger box
  for (const auto& g : G)
    for (int i = 0; i < 3; ++i) {
      if (std::abs(g[i]) > largest)
        throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the density has a G vector with component {}", g[i]));
      reach_[i] = std::max(reach_[i], std::abs(g[i]));
    }
  if (G.empty()) return;
  box_.resize(static_cast<size_t>(2 * reach_[0] + 1) * (2 * reach_[1] + 1) * (2 * reach_[2] + 1));
  for (size_t i = 0; i < G.size(); ++i) {
    const auto& g = G[i];
    box_[(static_cast<size_t>(g[0] + reach_[0]) * (2 * reach_[1] + 1) + (g[1] + reach_[1])) * (2 * reach_[2] + 1) + (g[2] + reach_[2])] =
        rho[i];
  }
  electrons_ = at({0, 0, 0}).real();
}

DensityFile read_density(const std::filesystem::path& path) {
  const FourierFile file = read_fourier_file(path, "RHO", "density");
  auto rho = file.values[0];
  for (size_t spin = 1; spin < file.values.size(); ++spin)
    for (size_t i = 0; i < rho.size(); ++i) rho[i] += file.values[spin][i];
  DensityFile out{file.crystal, Density(file.g, rho), static_cast<int>(file.values.size())};
  if (!(out.rho.electrons() > 0))
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}: the density has {:f} electrons", path.string(), out.rho.electrons()));
  return out;
}

namespace {

// rho(G) as its image under the operation has it.
std::complex<double> from_image(const Density& rho, const Operation& operation, const Miller& g) {
  const Miller image = operation(g);
  return rho.at(image) * std::polar(1.0, -operation.phase(image));
}

}  // namespace

double asymmetry(const Density& rho, const std::vector<Operation>& operations) {
  double worst = 0;
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (size_t i = 0; i < operations.size(); ++i)
    for (const auto& g : rho.gvectors()) worst = std::max(worst, std::norm(from_image(rho, operations[i], g) - rho.at(g)));
  return std::sqrt(worst);
}

Density symmetrised(const Density& rho, const std::vector<Operation>& operations) {
  std::vector<std::complex<double>> mean;
  for (const auto& g : rho.gvectors()) {
    std::complex<double> sum = 0;
    for (const auto& operation : operations) sum += from_image(rho, operation, g);
    mean.push_back(sum / static_cast<double>(operations.size()));
  }
  return Density(rho.gvectors(), mean);
}

}  // namespace suite::gw
