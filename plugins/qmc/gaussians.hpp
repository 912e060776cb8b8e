// SPDX-License-Identifier: BSD-3-Clause
// The shells of a call of qmc.orbitals_gaussian, checked, and its orbitals as loops want them. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "qmc.hpp"

namespace suite::qmc {

struct GaussianShell {
  int ion = 0, l = 0;               // ion from 0
  int64_t ao = 0;                   // where its 2l + 1 functions begin
  int64_t first = 0, primitives = 0;
  double cutoff = 0;
};

struct GaussianBasis {
  std::vector<double> rion, exponent, coefficient;
  std::vector<GaussianShell> shells;
  int64_t nao = 0;
  int64_t nion() const { return std::ssize(rion) / 3; }
};

// The constant arguments of a call on the host; shell_cutoff is empty where it is unset.
struct GaussianArguments {
  std::vector<double> rion;
  std::vector<int32_t> shell_ion, shell_l, shell_first;
  std::vector<double> exponent, coefficient, shell_cutoff;
};
// fetch(argument, name, vector) copies an argument to the host.
template <class Fetch> GaussianArguments gaussian_arguments(const OrbitalsGaussian& c, const Fetch& fetch) {
  GaussianArguments a;
  fetch(c.rion, "rion", a.rion);
  fetch(c.shell_ion, "shell_ion", a.shell_ion);
  fetch(c.shell_l, "shell_l", a.shell_l);
  fetch(c.shell_first, "shell_first", a.shell_first);
  fetch(c.exponent, "exponent", a.exponent);
  fetch(c.coefficient, "coefficient", a.coefficient);
  if (c.shell_cutoff) fetch(c.shell_cutoff, "shell_cutoff", a.shell_cutoff);
  return a;
}

// Refuses what is not a basis of nao functions.
GaussianBasis gaussian_basis(GaussianArguments arguments, int64_t nao);

// Where sum_k |c_k| d^l (1 + 4 g_k d^2)^2 exp(-g_k d^2), which bounds a shell and its derivatives but for factors of
// g_k and 1/d, has fallen to 1e-16 of what its primitives have where they are largest.
double negligible_beyond(int l, const double* exponent, const double* coefficient, int64_t primitives);

// sqrt(4 pi/(2l+1)) r^l Y_lm is this times component k of l in solid_harmonics.hpp.
double harmonic_norm(int l, int64_t k);

// mo(nao,norb) with the norms in it, the orbitals side by side: (stride,nao), zeros beyond norb.
std::vector<double> orbitals_side_by_side(const GaussianBasis& basis, const double* mo, int64_t norb, int64_t stride);

}  // namespace suite::qmc
