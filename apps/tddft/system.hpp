// SPDX-License-Identifier: BSD-3-Clause
// What a calculation is about: atoms and electrons in an orthorhombic cell with a grid. Hartree atomic units.
//
// Data order is that of the kernels (plugins/lfd/lfd.hpp): a field is v(Nz,Ny,Nx) with z fastest, orbitals
// are psi(Norb,Nz,Ny,Nx) with the orbital fastest. The origin lies in the middle of the cell: point i along x
// is at (i - Nx/2) hx, so that the cell goes from -L/2 to L/2.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace suite::tddft {

using Vec3 = std::array<double, 3>;

struct Grid {
  std::array<int, 3> points{};  // Nx, Ny, Nz: even, or 1 for a direction that does not exist
  Vec3 h{};                     // bohr

  size_t size() const { return static_cast<size_t>(points[0]) * points[1] * points[2]; }
  double length(int d) const { return points[d] * h[d]; }
  double volume() const { return length(0) * length(1) * length(2); }
  double point_volume() const { return h[0] * h[1] * h[2]; }
  double coordinate(int d, int i) const { return (i - points[d] / 2) * h[d]; }
  size_t index(int ix, int iy, int iz) const { return (static_cast<size_t>(ix) * points[1] + iy) * points[2] + iz; }
};

// The grid of a cell with these lengths whose spacing is at most h: even numbers of points with the factors
// 2, 3 and 5 only.
Grid make_grid(const Vec3& lengths, double h);

enum class Boundary {
  periodic,  // a crystal: Hartree field without its mean, Ewald energy with a neutralising background
  isolated   // a molecule: bare Coulomb interactions; the orbitals must have died out where the cell ends
};

struct Atom {
  std::string element;  // "Na"; its valence electrons and potential: pseudopotential.hpp
  Vec3 position{};      // bohr, from the middle of the cell; periodic: anywhere, isolated: inside
};

// v(r) = sum_d omega_d^2 (r_d - centre_d)^2 / 2
struct HarmonicWell {
  Vec3 omega{}, centre{};
};

// A sphere, in the middle of the cell, of positive background with one elementary charge per 4 pi rs^3 / 3.
// Only without atoms. A homogeneous background that fills the cell needs no entry: it is what neutralises a
// periodic cell.
struct JelliumSphere {
  double charge = 0;  // total, 1
  double rs = 0;      // bohr
  double radius() const;
};

struct KPoint {
  Vec3 k{};                 // bohr^-1
  double weight = 1;        // of all k: 1
  bool with_minus = false;  // stands for -k as well, with half of the weight each (time reversal)
};

struct System {
  Grid grid;
  Boundary boundary = Boundary::isolated;
  std::vector<Atom> atoms;
  std::optional<HarmonicWell> well;
  std::optional<JelliumSphere> sphere;
  double electrons = 0;  // default_electrons(system) for a neutral system
  std::vector<KPoint> k_points = {KPoint{}};
  // Of the orbitals of each k, 0 to 2; empty: filled from below with 2, an odd electron fills half an
  // orbital.
  std::vector<double> occupations;
};

// Monkhorst-Pack points k_d = (2 n - q_d - 1) pi / (q_d L_d), n = 1..q_d, with k and -k joined (time
// reversal). Phys. Rev. B 13, 5188 (1976).
std::vector<KPoint> monkhorst_pack(const Grid& grid, const std::array<int, 3>& divisions);

// The same points one by one: the points of the system, and after them -k of those that stand for both. A
// field maps k to -k with the opposite field, so that only the ground state may join them.
std::vector<KPoint> all_k_points(const System& system);

double ion_charge(const System& system);         // of the pseudo-ions and the sphere
double default_electrons(const System& system);  // = ion_charge

// Occupations of each k, as many as are not zero, from system.occupations or system.electrons.
std::vector<double> occupations(const System& system);

// Throws Failure(SUITE_INVALID_ARGUMENT) with the first thing that cannot be: odd numbers of points, two
// atoms at one place, an atom outside an isolated cell, occupations that do not make the electrons, ...
void check(const System& system);

// r - R, in a periodic cell of the nearest image.
Vec3 displacement(const System& system, const Vec3& r, const Vec3& centre);

}  // namespace suite::tddft
