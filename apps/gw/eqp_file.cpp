// SPDX-License-Identifier: BSD-3-Clause
#include "eqp_file.hpp"

#include <algorithm>

#include "lattice.hpp"
#include "text_lines.hpp"

namespace suite::gw {

EqpFile::EqpFile(const std::filesystem::path& file) : file_(file) {
  TextLines lines(file);
  while (lines.next()) {
    Vector3 k;
    long count = 0;
    lines.scan("a k-point line 'k1 k2 k3 n'", k[0], k[1], k[2], count);
    if (count < 0 || count > 1000000) lines.fail(fmt::format("a count of {} levels makes no sense", count));
    kpoints_.push_back(k);
    auto& levels = levels_.emplace_back();
    for (long i = 0; i < count; ++i) {
      if (!lines.next()) lines.fail_at_end(fmt::format("the file ends after {} of {} levels of k = {}", i, count, as_in_files(k)));
      int spin = 0, band = 0;
      Level level;
      lines.scan("'spin band Emf Eqp'", spin, band, level.mean_field, level.quasiparticle);
      if (spin < 1 || spin > 2) lines.fail(fmt::format("spin is {}; it can be 1 or 2", spin));
      if (band < 1) lines.fail(fmt::format("band is {}; bands count from 1", band));
      for (const double e : {level.mean_field, level.quasiparticle})
        if (!(std::abs(e) <= 1e6)) lines.fail("an energy is not a usable number");
      if (!levels.emplace(std::pair{spin, band}, level).second)
        lines.fail(fmt::format("band {} of spin {} is given twice for k = {}", band, spin, as_in_files(k)));
    }
  }
  if (kpoints_.empty()) throw Failure(SUITE_INVALID_ARGUMENT, file.string() + ": no k points in the file");
}

const EqpFile::Levels* EqpFile::levels_of(const Vector3& k) const {
  const auto known =
      std::find_if(kpoints_.begin(), kpoints_.end(), [&](const Vector3& at) { return equivalent(at, k) || equivalent(-at, k); });
  return known == kpoints_.end() ? nullptr : &levels_[static_cast<size_t>(known - kpoints_.begin())];
}

bool EqpFile::has(const State& state) const {
  const Levels* levels = levels_of(state.k);
  return levels && levels->count({state.spin, state.band}) > 0;
}

double EqpFile::at(const State& state, double mean_field, const std::string& wavefunctions, const char* purpose) const {
  constexpr double same_energy = 2e-6 * rydberg_eV;  // the file has nine digits
  const auto& [k, spin, band] = state;
  const Levels* levels = levels_of(k);
  if (!levels) throw Failure(SUITE_NOT_FOUND, fmt::format("{} has no k point {} of {}", file_.string(), as_in_files(k), wavefunctions));
  const auto found = levels->find({spin, band});
  if (found == levels->end())
    throw Failure(SUITE_NOT_FOUND, fmt::format("{} has no band {} of spin {} at k = {}; all bands that {} must be there", file_.string(),
                                               band, spin, as_in_files(k), purpose));
  if (!(std::abs(found->second.mean_field - mean_field) <= same_energy))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("the mean-field energy of band {} at k = {} is {:.6f} eV in {} and {:.6f} eV in {}", band, as_in_files(k),
                              found->second.mean_field, file_.string(), mean_field, wavefunctions));
  return found->second.quasiparticle;
}

}  // namespace suite::gw
