// SPDX-License-Identifier: BSD-3-Clause
// What CASINO's gwfn.data and stowfn.data have in common: the system and its nuclei before the shells, orbitals after them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "casino_numbers.hpp"
#include "molecule.hpp"

namespace suite::vmc {

inline constexpr size_t largest_wave_function_file = size_t{1} << 28;
inline constexpr long most_of_a_kind = 1 << 20;

class CasinoWaveFunction {
protected:
  CasinoWaveFunction(const std::string& name, const std::string& text) : file_(name, text) {}

  // Periodicity, spins, electrons.
  void read_system(const std::array<int32_t, 2>& nele);
  void read_nuclei();
  // Shell by shell. first: the first shell of each centre, from 1, and nshell + 1.
  void check_first_shells(const std::vector<long>& first, size_t nshell) const;
  // A function of the file is `factor` times component k of l of the shell added last, in the order of solid_harmonics.hpp.
  void add_shell(size_t centre, int l);
  void add_function(int k, double factor) { functions_.push_back({shell_begin_ + k, factor}); }
  // One that no orbital may have: `why` completes the sentence "orbital 3 has .. ".
  void add_refused_function(int k, const char* why) { functions_.push_back({shell_begin_ + k, 0, why}); }
  int functions() const { return nao_; }
  // All orbitals, lowest first; those of spin down after those of spin up if they differ. The determinant is that of the lowest ones.
  // They must be orthonormal to a tolerance.
  void read_orbitals(const std::array<int32_t, 2>& nele, double orthonormal_to);

  CasinoNumbers file_;
  Molecule m_;
  bool unrestricted_ = false;
  std::array<size_t, 2> orbitals_{};  // of each spin; 0: as many as the coefficients are

private:
  struct OfFile {  // a function of the file: the place among ours, and the factor
    int place;
    double factor;
    const char* refused = nullptr;
  };
  int nao_ = 0, shell_begin_ = 0;
  std::vector<OfFile> functions_;
};

}  // namespace suite::vmc
