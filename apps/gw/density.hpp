// SPDX-License-Identifier: BSD-3-Clause
// The electron density rho(G) of BerkeleyGW's binary file RHO (Fortran records).
#pragma once

#include <complex>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "lattice.hpp"

namespace suite::gw {

// The charge density rho(G), electrons per cell, with a quick lookup; 0 outside the sphere of the file.
class Density {
public:
  Density() = default;
  Density(std::span<const Miller> G, std::span<const std::complex<double>> rho);
  std::complex<double> at(const Miller& G) const {
    std::ptrdiff_t index = 0;
    for (int i = 0; i < 3; ++i) {
      if (G[i] < -reach_[i] || G[i] > reach_[i]) return 0;
      index = index * (2 * reach_[i] + 1) + (G[i] + reach_[i]);
    }
    return box_[index];
  }
  double electrons() const { return electrons_; }  // rho(0)
  const std::vector<Miller>& gvectors() const { return g_; }
  const std::vector<std::complex<double>>& values() const { return rho_; }  // of the gvectors

private:
  std::vector<Miller> g_;
  std::vector<std::complex<double>> rho_;
  Miller reach_{-1, -1, -1};  // largest |G_i|; an empty density has no G at all
  std::vector<std::complex<double>> box_;
  double electrons_ = 0;
};

struct DensityFile {
  Crystal crystal;
  Density rho;  // of both spins together
  int spins = 1;  // of the file
};
// Fails with the number and name of the first record that is not as it must be.
DensityFile read_density(const std::filesystem::path& path);

// Invariance under {R|t} means rho(RG) = exp(-i RG.t) rho(G). The largest distance of the two over all G and
// operations, electrons per cell.
double asymmetry(const Density& rho, const std::vector<Operation>& operations);
// The mean over the operations, which is invariant where they are a group.
Density symmetrised(const Density& rho, const std::vector<Operation>& operations);

}  // namespace suite::gw
