// SPDX-License-Identifier: BSD-3-Clause
// The electron density rho(G) of BerkeleyGW's binary file RHO (Fortran records).
#pragma once

#include <complex>
#include <filesystem>
#include <vector>

#include "lattice.hpp"

namespace suite::gw {

class Density {
 public:
  explicit Density(const std::filesystem::path& path);
  // Electrons of the Fourier component G; 0 outside the file's sphere.
  std::complex<double> at(const Miller& g) const {
    size_t index = 0;
    for (int i = 0; i < 3; ++i) {
      if (std::abs(g[i]) > reach_[i]) return 0;
      index = index * (2 * reach_[i] + 1) + (g[i] + reach_[i]);
    }
    return box_[index];
  }
  double electrons() const { return at({0, 0, 0}).real(); }
  const Crystal& crystal() const { return crystal_; }

 private:
  Crystal crystal_;
  Miller reach_{};
  std::vector<std::complex<double>> box_;
};

}  // namespace suite::gw
