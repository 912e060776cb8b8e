// SPDX-License-Identifier: BSD-3-Clause
// The energies that denominators are made of, and which levels are occupied: those of a file, or corrected ones (a scissors operator, or
// quasiparticle energies of an earlier run). Energies in Ry unless said otherwise.
//
// A level is occupied below the Fermi level, half occupied at it, and empty above. The Fermi level is in the middle between the highest level
// that the file has as occupied and the lowest empty one, after corrections, unless it is moved. Those are BerkeleyGW's rules.
#pragma once

#include <array>
#include <optional>

#include "wavefunction_file.hpp"

namespace suite::gw {

class Levels {
public:
  Levels() = default;
  // `bands`: how many a file of corrections must have at every k; 0: all. fermi: that of another file, by spin; none: found here.
  Levels(const WavefunctionFile& file, const LevelSettings& settings, int bands, const std::optional<std::array<double, 2>>& fermi);

  double energy(int k, int band, int spin) const { return energies_[at(k, band, spin)]; }
  double occupation(int k, int band, int spin) const { return occupations_[at(k, band, spin)]; }
  // Where no level separates both spins, each has its own.
  const std::array<double, 2>& fermi() const { return fermi_; }
  // Bands up to the last that has electrons, at one k or anywhere; and those that are full everywhere.
  int occupied_at(int k, int spin) const { return occupied_[static_cast<size_t>(spin) * kpoints_ + static_cast<size_t>(k)]; }
  int occupied(int spin) const { return most_[static_cast<size_t>(spin)]; }
  int full(int spin) const { return full_[static_cast<size_t>(spin)]; }
  // Highest level that the file has as occupied and lowest that it has as empty, of both spins.
  double top() const { return top_; }
  double bottom() const { return bottom_; }

private:
  size_t at(int k, int band, int spin) const {
    return (static_cast<size_t>(spin) * kpoints_ + static_cast<size_t>(k)) * bands_ + static_cast<size_t>(band);
  }
  void correct(const WavefunctionFile& file, const LevelSettings& settings, int bands);
  void find_fermi(const WavefunctionFile& file, const LevelSettings& settings);
  void occupy(const WavefunctionHeader& header, double broadening);

  size_t kpoints_ = 0, bands_ = 0;
  std::vector<double> energies_, occupations_;  // band fastest, then k, then spin
  std::array<double, 2> fermi_{};
  double top_ = 0, bottom_ = 0;
  std::vector<int> occupied_;  // k fastest, then spin
  std::array<int, 2> most_{}, full_{};
};

}  // namespace suite::gw
