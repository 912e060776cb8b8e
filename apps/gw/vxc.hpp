// SPDX-License-Identifier: BSD-3-Clause
// vxc.dat: <nk|Vxc|nk> in eV, as pw2bgw writes it. Per k point a line "k1 k2 k3 ndiag noffdiag" (crystal
// coordinates), ndiag lines "spin band re im" and noffdiag lines "spin band band re im"; the latter are read
// over.
#pragma once

#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "gw.hpp"

namespace suite::gw {

class ExchangeCorrelation {
public:
  explicit ExchangeCorrelation(const std::filesystem::path& file);
  // Bands count from 1. k is found to 1e-6 and up to a reciprocal lattice vector.
  double at(const Vector3& k, int band, int spin = 1) const;
  const std::vector<Vector3>& kpoints() const { return kpoints_; }

private:
  std::filesystem::path file_;
  std::vector<Vector3> kpoints_;
  std::vector<std::map<std::pair<int, int>, double>> values_;  // per k: (spin, band)
};

}  // namespace suite::gw
