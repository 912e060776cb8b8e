// SPDX-License-Identifier: BSD-3-Clause
// A molecule in open space: nuclei, Gaussian or Slater shells as qmc.orbitals_gaussian and qmc.orbitals_slater take them, and the occupied
// orbitals of one determinant. Or the nuclei of a crystal, which has its orbitals in splines (crystal/crystal.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace suite::vmc {

struct Crystal;

// A function of the distance given by r times it at ascending distances from 0, bohr; 0 beyond the last.
struct RadialTable {
  std::vector<double> r, times_r;
  double at(double distance) const;  // by cubic polynomials through the four points around it
};

// coefficient r^power exp(-exponent r^2) of a pseudopotential, or a table, ion from 0: of the channel l, or of the part without projector.
inline constexpr int local_channel = -1;
struct PotentialTerm {
  int32_t ion = 0, l = local_channel;
  int power = 0;
  double exponent = 0, coefficient = 0;
  std::shared_ptr<const RadialTable> table = {};  // instead of these three
  double at(double r) const;
};

struct Molecule {
  std::vector<std::string> label;  // of each nucleus: "O"
  std::vector<double> rion;        // rion(3,nion), bohr
  std::vector<double> charge;      // charge(nion), e; with a pseudopotential that of the nucleus and the electrons it stands for

  std::vector<PotentialTerm> potential;  // of nuclei with pseudopotentials
  int points = 12;                       // of the quadrature of its projectors
  bool turns = true;                     // the quadrature is turned at random for each use
  bool cusps = false;                    // orbitals have cusps at nuclei without pseudopotential (cusp.hpp)

  std::vector<int32_t> shell_ion, shell_l;  // of each shell; ions from 1
  std::vector<int32_t> shell_first;         // first primitive of each shell, from 1; at the end nprim + 1
  std::vector<double> exponent, coefficient;
  std::vector<int32_t> power;  // of each primitive, for Slater functions; empty: they are Gaussians
  std::array<std::vector<double>, 2> mo;  // mo(nao,nele(spin)): the occupied orbitals of each spin

  std::shared_ptr<const Crystal> crystal;  // instead of shells and mo; null: open space

  int64_t nion() const { return static_cast<int64_t>(charge.size()); }
  int64_t nshell() const { return static_cast<int64_t>(shell_l.size()); }
  int64_t nprim() const { return static_cast<int64_t>(exponent.size()); }
  int64_t nao() const;
  bool slater() const { return !power.empty(); }
  bool bare(size_t ion) const;  // without pseudopotential
  double repulsion() const;  // of the nuclei, Ha
  // The kinds of atoms, in the order of their first nuclei, and the kind of each nucleus, from 0. Nuclei of one kind have the same label
  // and charge; a pseudopotential belongs to a kind.
  std::vector<std::string> kinds() const;
  std::string formula() const;  // "O H2"
  std::vector<int32_t> kind_of_ion() const;
};

// <i|j> and <i|-1/2 lap|j> of the occupied orbitals of a spin without cusps, (n,n) each, by exact integrals (Obara, Saika, J. Chem. Phys.
// 84, 3963 (1986)) or, of Slater functions, by those of slater_functions.hpp.
struct Integrals {
  int64_t n = 0;
  std::vector<double> overlap, kinetic;
};
Integrals integrals_of(const Molecule& molecule, int spin);

inline constexpr double programs_are_orthonormal_to = 1e-4;  // of the occupied orbitals; programs write 8 digits or more

// What is wrong with the nuclei or the occupied orbitals of a file, a sentence; "" if nothing is: charges that are not positive, nuclei on top
// of each other; orbitals that are not orthonormal.
std::string flaw_of_nuclei(const Molecule& molecule);
std::string flaw_of_orbitals(const Molecule& molecule, double orthonormal_to = programs_are_orthonormal_to);

// Kinetic energy of the determinants, Ha: the exact mean of KEI without a Jastrow factor. Of a crystal, that of the splines.
double kinetic_energy(const Molecule& molecule);

}  // namespace suite::vmc
