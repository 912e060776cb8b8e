// SPDX-License-Identifier: BSD-3-Clause
// vxc.dat: <nk|Vxc|nk> in eV, as pw2bgw writes it. Per k point a line "k1 k2 k3 ndiag noffdiag" (crystal
// coordinates), ndiag lines "spin band re im" and noffdiag lines "spin n m re im" of <nk|Vxc|mk>.
#pragma once

#include <array>
#include <complex>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gw.hpp"

namespace suite::gw {

class ExchangeCorrelation {
public:
  // Those of a vxc.dat.
  explicit ExchangeCorrelation(const std::filesystem::path& file);
  // None yet, for those of another kind of file.
  static ExchangeCorrelation none(const std::filesystem::path& file);
  // <nk|Vxc|mk>; those of one k and spin follow each other.
  void put(const Vector3& k, int spin, int n, int m, const std::complex<double>& value);
  // Bands count from 1. k is found to 1e-6 and up to a reciprocal lattice vector.
  double at(const Vector3& k, int band, int spin = 1) const;
  // <nk|Vxc|mk>, which is Hermitian, from one of the two; nothing where the file has none of them.
  std::optional<std::complex<double>> between(const Vector3& k, int n, int m, int spin = 1) const;
  const std::vector<Vector3>& kpoints() const { return kpoints_; }

private:
  ExchangeCorrelation() = default;
  int index_of(const Vector3& k) const;
  std::filesystem::path file_;
  std::vector<Vector3> kpoints_;
  std::vector<std::map<std::pair<int, int>, double>> values_;                      // per k: (spin, band)
  std::vector<std::map<std::array<int, 3>, std::complex<double>>> off_diagonal_;  // per k: (spin, n, m)
};

}  // namespace suite::gw
