// SPDX-License-Identifier: BSD-3-Clause
// Quasiparticle energies of an earlier run as the energies of another one: eqp0.dat or eqp1.dat of ours or of BerkeleyGW's sigma.x.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "gw.hpp"

namespace suite::gw {

class EqpFile {
public:
  explicit EqpFile(const std::filesystem::path& file);
  // k, k + G and -k are one; spin and band count from 1.
  struct State {
    Vector3 k{};
    int spin = 1, band = 1;
  };
  bool has(const State& state) const;
  // The quasiparticle energy of a level, eV. mean_field is its energy in the wavefunctions of that name, which the file must repeat. The failure where it
  // is missing says what the bands are for.
  double at(const State& state, double mean_field, const std::string& wavefunctions, const char* purpose = "are summed over") const;

private:
  struct Level {
    double mean_field = 0, quasiparticle = 0;
  };
  std::filesystem::path file_;
  std::vector<Vector3> kpoints_;
  using Levels = std::map<std::pair<int, int>, Level>;  // by spin and band
  const Levels* levels_of(const Vector3& k) const;  // nullptr: the file has no such k
  std::vector<Levels> levels_;  // by k
};

}  // namespace suite::gw
