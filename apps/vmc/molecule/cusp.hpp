// SPDX-License-Identifier: BSD-3-Clause
// Cusps for Gaussian orbitals (Ma, Towler, Drummond, Needs, J. Chem. Phys. 122, 224322 (2005)): around each nucleus without pseudopotential
// the s part of an orbital, that of the s functions on the nucleus, gives way to C + sign exp(p(r)) with a polynomial p. Then the orbital has
// the slope -Z times its value at the nucleus, and the local energy is finite there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "molecule.hpp"

namespace suite::vmc {

// A function of the distance from a nucleus, its derivative and its Laplacian.
struct Radial {
  double value = 0, slope = 0, laplacian = 0;
};

// An orbital at a nucleus of charge Z: its s part, sum c exp(-g r^2), and the value there of the rest of it.
struct OrbitalAtNucleus {
  std::span<const double> exponent, coefficient;
  double rest = 0, Z = 0;
  Radial s_part(double r) const;
};

// shift + sign exp(p(r)) instead of the s part for r < radius, with its value, slope and second derivative at the radius. Radius 0: the
// s part stays as it is.
struct Cusp {
  double radius = 0, shift = 0, sign = 1;
  std::array<double, 5> p{};
  Radial at(double r) const;
  double slope(double r) const;  // p'
  double curvature(double r) const;  // lap exp(p)/exp(p)
};

// The cusp whose local energy strays least from that of s electrons in atoms; its radius is at most 1/Z and `largest`.
Cusp best_cusp(const OrbitalAtNucleus& orbital, double largest);
// The same with the radius and shift given; the s part minus the shift has no node within the radius.
Cusp best_cusp_within(const OrbitalAtNucleus& orbital, double radius, double shift);

// Of the occupied orbitals of a spin. Changes nothing unless molecule.cusps. The molecule must outlive it.
class CuspCorrection {
public:
  CuspCorrection(const Molecule& molecule, int spin);

  // Whether one of r(3,count) is where orbitals change.
  bool reaches(std::span<const double> r) const;
  // Adds the changes at r(3,count) to phi(n,count), dphi(n,3,count) and d2phi(n,count); dphi and d2phi may be null.
  void add(std::span<const double> r, double* phi, double* dphi, double* d2phi) const;
  // <i|j> and <i|-1/2 lap|j> of the corrected orbitals, from those of the orbitals as they are.
  Integrals corrected(Integrals integrals) const;

private:
  struct Sphere {  // around a nucleus
    size_t ion = 0;
    double radius = 0;  // the largest of its cusps
    std::vector<double> exponent;
    std::vector<std::vector<double>> coefficient;  // of each orbital
    std::vector<Cusp> cusp;  // of each orbital
  };
  OrbitalAtNucleus orbital(const Sphere& sphere, size_t i) const;
  Radial change(const Sphere& sphere, size_t i, double r) const;
  double distance(const Sphere& sphere, const double* r) const;
  std::vector<double> of_other_ions(size_t ion, const double* r) const;  // what their functions add to each orbital

  const Molecule& molecule_;
  const std::vector<double>& mo_;
  size_t n_;
  std::vector<Sphere> spheres_;  // they do not overlap
};

}  // namespace suite::vmc
