// SPDX-License-Identifier: BSD-3-Clause
// Norm-conserving pseudopotentials in the separable form of Kleinman and Bylander, and their potentials on a grid:
//
//   V = v_loc(r) + sum_l sum_ij sum_m |p_i^l Y_lm> h^l_ij <p_j^l Y_lm|
//
// They are built in (gth.hpp), or come from files (pseudopotential_file.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system.hpp"

namespace suite::tddft {

class Pseudopotential {
public:
  struct Channel {
    int l = 0;
    int projectors = 0;     // i = 1..projectors
    std::vector<double> h;  // h^l_ij, (projectors,projectors), Ha
  };
  std::string element;
  double charge = 0;        // of the ion = number of valence electrons
  double core_charge = 0;   // electrons of the nonlinear core correction, as the file has them; 0: it has none
  std::string functional;   // "pw92", or what the file calls it; empty: unknown
  std::vector<Channel> channels;

  virtual ~Pseudopotential() = default;
  virtual double local(double r) const = 0;         // v_loc(r), Ha
  virtual double local_slope(double r) const = 0;   // d v_loc/dr, Ha/bohr
  virtual double local_of_q2(double q2) const = 0;  // integral of v_loc exp(-iqr), Ha bohr^3; q2 = 0: without -4 pi Z/q^2
  // p_i^l(r)/r^l and 1/r times its derivative, both smooth at 0: p_i^l Y_lm is the first times the polynomial r^l Y_lm. i from 0.
  struct Radial {
    double value = 0, slope = 0;
  };
  virtual Radial radial(size_t channel, int i, double r) const = 0;
  // Density of the core that exchange and correlation see beside the valence electrons (nonlinear core correction), bohr^-3, and 1/r times its
  // derivative; 0 beyond core_reach().
  virtual Radial core(double) const { return {}; }
  virtual double core_reach() const { return 0; }  // bohr; 0: there is no such density
  virtual double reach(double cut) const = 0;  // radius beyond which every projector is below `cut` of its maximum, bohr
  virtual double width() const = 0;  // of a Gaussian like the density of the valence electrons, bohr
  virtual double spacing() const = 0;  // coarsest grid that holds it, bohr
};

// Of an atom of this system: the one from a file if its element has one, or the built-in one. Throws Failure(SUITE_NOT_FOUND) listing the
// built-in elements.
const Pseudopotential& pseudopotential(const System& system, const Atom& atom);

// What inputs call the functional that a file of either format names ("PADE", "PW PBX PBC"); of others, the file's own word.
std::string functional_of(const std::string& in_file);

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
