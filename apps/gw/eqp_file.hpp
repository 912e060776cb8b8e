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
  // The quasiparticle energy of a level, eV; k, k + G and -k are one, spin and band count from 1. mean_field is its energy in the wavefunctions
  // of that name, which the file must repeat.
  double at(const Vector3& k, int spin, int band, double mean_field, const std::string& wavefunctions) const;

private:
  struct Level {
    double mean_field = 0, quasiparticle = 0;
  };
  std::filesystem::path file_;
  std::vector<Vector3> kpoints_;
  std::vector<std::map<std::pair<int, int>, Level>> levels_;  // by k; spin and band
};

}  // namespace suite::gw
