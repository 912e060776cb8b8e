// SPDX-License-Identifier: BSD-3-Clause
// The shells of a call of qmc.orbitals_gaussian or qmc.orbitals_slater, checked, and its orbitals as loops want them. Host code.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "qmc.hpp"

namespace suite::qmc {

struct Shell {
  int ion = 0, l = 0;               // ion from 0
  int64_t ao = 0;                   // where its 2l + 1 functions begin
  int64_t first = 0, primitives = 0;
  double cutoff = 0;
};

struct ShellBasis {
  std::vector<double> rion, exponent, coefficient;
  std::vector<int32_t> power;  // of Slater shells
  std::vector<Shell> shells;
  int64_t nao = 0;
  int64_t nion() const { return std::ssize(rion) / 3; }
};

inline constexpr int largest_power = 8;

// The constant arguments of a call on the host; power is empty for Gaussians, shell_cutoff where it is unset.
struct ShellArguments {
  std::vector<double> rion;
  std::vector<int32_t> shell_ion, shell_l, shell_first, power;
  std::vector<double> exponent, coefficient, shell_cutoff;
};
// fetch(argument, name, vector) copies an argument to the host.
template <class Call, class Fetch> ShellArguments shell_arguments(const Call& c, const Fetch& fetch) {
  ShellArguments a;
  fetch(c.rion, "rion", a.rion);
  fetch(c.shell_ion, "shell_ion", a.shell_ion);
  fetch(c.shell_l, "shell_l", a.shell_l);
  fetch(c.shell_first, "shell_first", a.shell_first);
  if constexpr (std::same_as<Call, OrbitalsSlater>) fetch(c.power, "power", a.power);
  fetch(c.exponent, "exponent", a.exponent);
  fetch(c.coefficient, "coefficient", a.coefficient);
  if (c.shell_cutoff) fetch(c.shell_cutoff, "shell_cutoff", a.shell_cutoff);
  return a;
}

// Refuses what is not a basis of nao functions.
ShellBasis shell_basis(ShellArguments arguments, int64_t nao);

// Where a bound of a shell and its derivatives has fallen to 1e-16 of what its primitives have where they are largest. Gaussians:
// sum_k |c_k| d^l (1 + 4 g_k d^2)^2 exp(-g_k d^2), but for factors of g_k and 1/d; Slater functions: sum_k |c_k| d^(l+n_k)
// (1 + g_k d)^2 exp(-g_k d). power is null for Gaussians.
double negligible_beyond(int l, const double* exponent, const double* coefficient, const int32_t* power, int64_t primitives);

// sqrt(4 pi/(2l+1)) r^l Y_lm is this times component k of l in solid_harmonics.hpp.
double harmonic_norm(int l, int64_t k);

// mo(nao,norb) with the norms in it, the orbitals side by side: (stride,nao), zeros beyond norb.
std::vector<double> orbitals_side_by_side(const ShellBasis& basis, const double* mo, int64_t norb, int64_t stride);

}  // namespace suite::qmc
