// SPDX-License-Identifier: BSD-3-Clause
// Norm-conserving pseudopotentials of Goedecker, Teter and Hutter, Phys. Rev. B 54, 1703 (1996), "GTH-PADE" for the local-density
// approximation, and their potentials on a grid.
//
//   v_loc(r) = -Z/r erf(r / (sqrt2 r_loc)) + exp(-x^2/2) [C1 + C2 x^2 + C3 x^4 + C4 x^6],  x = r/r_loc
//   V_nl = sum_l sum_ij sum_m |p_i^l Y_lm> h^l_ij <p_j^l Y_lm|
//   p_i^l(r) = sqrt2 r^(l+2(i-1)) exp(-r^2/(2 r_l^2)) / (r_l^(l+(4i-1)/2) sqrt(Gamma(l+(4i-1)/2)))
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "system.hpp"

namespace suite::tddft {

struct Pseudopotential {
  struct Channel {
    int l = 0;
    double r = 0;                              // r_l, bohr
    int projectors = 0;                        // i = 1..projectors
    std::array<std::array<double, 2>, 2> h{};  // h^l_ij, Ha
  };
  const char* element = "";
  int charge = 0;  // of the ion = number of valence electrons
  double r_local = 0;
  std::array<double, 4> c{};  // C1..C4, Ha
  std::vector<Channel> channels;

  double local(double r) const;         // v_loc(r), Ha
  double local_slope(double r) const;   // d v_loc/dr, Ha/bohr
  double local_of_q2(double q2) const;  // integral of v_loc exp(-iqr), Ha bohr^3; q2 = 0: without -4 pi Z/q^2
  double projector(const Channel& channel, int i, double r) const;  // p_i^l(r), i from 0
  // p_i^l(r)/r^l and 1/r times its derivative, both smooth at 0: p_i^l Y_lm is the first times the polynomial r^l Y_lm.
  struct Radial {
    double value = 0, slope = 0;
  };
  Radial radial(const Channel& channel, int i, double r) const;
};

// Throws Failure(SUITE_NOT_FOUND) listing the known elements.
const Pseudopotential& pseudopotential(std::string_view element);
std::vector<std::string_view> known_elements();

// V_nl as the kernel arguments nlpoint, nldisp, beta, dnl of plugins/lfd/lfd.hpp. Atoms without projectors are omitted; natom = 0: there is
// no V_nl and the four arguments stay unset.
struct Nonlocal {
  int64_t nsphere = 0, nproj = 0, natom = 0;
  std::vector<int32_t> nlpoint;  // (nsphere,natom)
  std::vector<double> nldisp, beta, dnl;  // (3,nsphere,natom), (nsphere,nproj,natom), (nproj,nproj,natom)
  bool empty() const { return natom == 0; }
};

// Local potential of atoms, well and sphere at the grid points. Isolated: in real space. Periodic: by its Fourier series; the mean is the
// limit G -> 0 of the short-range part, -4 pi Z/G^2 being cancelled by the other charges.
std::vector<double> local_potential(const System& system);

// -d/dR of int rho v_loc for every atom, v_loc being exactly the one on the grid: conserves the energy of moving ions even where the grid
// is coarse. Ha/bohr.
std::vector<Vec3> local_forces(const System& system, const std::vector<double>& rho);

// Gradients of the projectors beta at the points of V_nl: (nsphere,nproj,3,natom), bohr^-5/2.
std::vector<double> projector_gradients(const System& system, const Nonlocal& nonlocal);

// The atoms that V_nl has, in its order: numbers in system.atoms.
std::vector<size_t> nonlocal_atoms(const System& system);

// Largest grid spacing in bohr on which second-order differences resolve these potentials: at 1.15 times this spacing silicon has states
// localised on single grid points, and no ground state is found. 0 without atoms: any spacing will do.
double recommended_spacing(const System& system);

// Each sphere ends where the largest projector falls below `cut` of its maximum. Throws Failure(SUITE_INVALID_ARGUMENT) if a sphere
// overlaps its own image.
Nonlocal nonlocal_potential(const System& system, double cut = 1e-7);

}  // namespace suite::tddft
