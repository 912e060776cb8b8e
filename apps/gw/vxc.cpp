// SPDX-License-Identifier: BSD-3-Clause
#include "vxc.hpp"

#include <cmath>

#include "lattice.hpp"
#include "text_lines.hpp"

namespace suite::gw {

ExchangeCorrelation ExchangeCorrelation::none(const std::filesystem::path& file) {
  ExchangeCorrelation out;
  out.file_ = file;
  return out;
}

ExchangeCorrelation::ExchangeCorrelation(const std::filesystem::path& file) : file_(file) {
  TextLines lines(file);
  while (lines.next()) {
    Vector3 k;
    long diagonal = 0, off_diagonal = 0;
    lines.scan("a k-point line 'k1 k2 k3 ndiag noffdiag'", k[0], k[1], k[2], diagonal, off_diagonal);
    if (diagonal < 0 || off_diagonal < 0 || diagonal > 1000000 || off_diagonal > 1000000)
      lines.fail(fmt::format("counts of {} diagonal and {} other elements make no sense", diagonal, off_diagonal));
    kpoints_.push_back(k);
    auto& values = values_.emplace_back();
    auto& others = off_diagonal_.emplace_back();
    const auto check = [&](int spin, std::initializer_list<int> bands, double re, double im) {
      if (spin < 1 || spin > 2) lines.fail(fmt::format("spin is {}; it can be 1 or 2", spin));
      for (int band : bands)
        if (band < 1) lines.fail(fmt::format("band is {}; bands count from 1", band));
      if (!std::isfinite(re) || !std::isfinite(im)) lines.fail("Vxc is not finite");
    };
    for (long i = 0; i < diagonal + off_diagonal; ++i) {
      if (!lines.next())
        lines.fail_at_end(fmt::format("the file ends after {} of {} elements of k = {}", i, diagonal + off_diagonal, as_in_files(k)));
      int spin = 0, band = 0, other = 0;
      double re = 0, im = 0;
      if (i >= diagonal) {
        lines.scan("'spin band band re im'", spin, band, other, re, im);
        check(spin, {band, other}, re, im);
        if (!others.emplace(std::array{spin, band, other}, std::complex(re, im)).second)
          lines.fail(fmt::format("bands {} and {} of spin {} are given twice for k = {}", band, other, spin, as_in_files(k)));
        continue;
      }
      lines.scan("'spin band re im'", spin, band, re, im);
      check(spin, {band}, re, 0);
      if (!values.emplace(std::pair{spin, band}, re).second)
        lines.fail(fmt::format("band {} of spin {} is given twice for k = {}", band, spin, as_in_files(k)));
    }
  }
  if (kpoints_.empty()) throw Failure(SUITE_INVALID_ARGUMENT, file.string() + ": no k points in the file");
}

void ExchangeCorrelation::put(const Vector3& k, int spin, int n, int m, const std::complex<double>& value) {
  if (kpoints_.empty() || kpoints_.back() != k) {
    kpoints_.push_back(k);
    values_.emplace_back();
    off_diagonal_.emplace_back();
  }
  if (n == m) values_.back()[{spin, n}] = value.real();
  else off_diagonal_.back()[{spin, n, m}] = value;
}

int ExchangeCorrelation::index_of(const Vector3& k) const {
  for (size_t ik = 0; ik < kpoints_.size(); ++ik) {
    bool same = true;
    for (int i = 0; i < 3; ++i) {
      const double d = kpoints_[ik][i] - k[i];
      same = same && std::abs(d - std::round(d)) <= 1e-6;
    }
    if (same) return static_cast<int>(ik);
  }
  throw Failure(SUITE_NOT_FOUND, fmt::format("{} has no k point {} among its {}", file_.string(), as_in_files(k), kpoints_.size()));
}

double ExchangeCorrelation::at(const Vector3& k, int band, int spin) const {
  const auto& values = values_[index_of(k)];
  if (const auto found = values.find({spin, band}); found != values.end()) return found->second;
  throw Failure(SUITE_NOT_FOUND, fmt::format("{} has no band {} of spin {} at k = {}, only {} other elements", file_.string(), band, spin,
                                             as_in_files(k), values.size()));
}

std::optional<std::complex<double>> ExchangeCorrelation::between(const Vector3& k, int n, int m, int spin) const {
  const auto& others = off_diagonal_[index_of(k)];
  if (const auto found = others.find({spin, n, m}); found != others.end()) return found->second;
  if (const auto found = others.find({spin, m, n}); found != others.end()) return std::conj(found->second);
  return n == m ? std::optional<std::complex<double>>(at(k, n, spin)) : std::nullopt;
}

}  // namespace suite::gw
