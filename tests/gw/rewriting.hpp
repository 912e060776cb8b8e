// SPDX-License-Identifier: BSD-3-Clause
// One crystal written in other ways, of which nothing that is computed depends.
#pragma once

#include <array>
#include <string>

#include "bench.hpp"
#include "lattice.hpp"
#include "wavefunctions.hpp"

namespace suite::gw::test {

struct Manner {
  std::array<size_t, 3> order{0, 1, 2};  // new axis i is the old one order[i]
  Vector3 origin{};                      // by which atoms are moved, in crystal coordinates of the old axes
  Miller umklapp{};                      // by which k points are moved, times the number of each
  int wider = 0;                         // points more along each axis of the grid of the density
  size_t image = 0;                      // every k point is replaced by its image under another operation, from this number on; 0: none
  bool reversed = false;                 // every other k point is replaced by that of time reversal
  unsigned mixing = 0;  // degenerate bands are mixed and all have other phases, by random numbers of this seed; 0: none.
      // Those that are equal but for rounding, for others would not be eigenstates

  template <class T> std::array<T, 3> operator()(const std::array<T, 3>& v) const { return {v[order[0]], v[order[1]], v[order[2]]}; }
  Operation operator()(const Operation& operation) const;
};

// Writes the files of the settings again; binary, of the complex flavour. Sigma is wanted at all k of the file.
class Rewritten {
public:
  Rewritten(const Settings& settings, const Manner& manner);
  Settings settings;
  std::filesystem::path folder() const { return folder_ / ""; }

private:
  void write_bands(const std::filesystem::path& from, const std::filesystem::path& to) const;
  void write_fourier(const std::filesystem::path& from, const std::string& kind, const std::filesystem::path& to) const;

  Settings old_;
  Manner manner_;
  Scratch folder_;
};

}  // namespace suite::gw::test
