// SPDX-License-Identifier: BSD-3-Clause
// The system of a calculation: atoms and electrons in an orthorhombic cell with a grid. Hartree atomic units.
//
// The data order is that of the kernels (plugins/lfd/lfd.hpp): a field is v(Nz,Ny,Nx) with z fastest, orbitals are psi(Norb,Nz,Ny,Nx) with
// the orbital fastest. The origin is the centre of the cell: point i along x is at (i - Nx/2) hx, so that the cell extends from -L/2 to
// L/2.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace suite::tddft {

using Vec3 = std::array<double, 3>;

class Pseudopotential;

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

// The grid of a cell with these lengths and a spacing of at most h: even numbers of points with the factors 2, 3 and 5 only.
Grid make_grid(const Vec3& lengths, double h);

enum class Boundary {
  periodic,  // a crystal: Hartree field without its mean, Ewald energy with a neutralising background
  isolated   // a molecule: bare Coulomb interactions; the orbitals must vanish at the faces of the cell
};

struct Atom {
  std::string element;  // "Na"; pseudopotential.hpp has its valence electrons and potential
  Vec3 position{};      // bohr, from the centre of the cell; periodic: anywhere, isolated: inside
};

// v(r) = sum_d omega_d^2 (r_d - centre_d)^2 / 2
struct HarmonicWell {
  Vec3 omega{}, centre{};
};

// A sphere of positive background at the centre of the cell, with one elementary charge per 4 pi rs^3 / 3. Only without atoms. A
// homogeneous background filling the cell needs no entry: it is the one that neutralises a periodic cell.
struct JelliumSphere {
  double charge = 0;  // total, 1
  double rs = 0;      // bohr
  double radius() const;
};

struct KPoint {
  Vec3 k{};                 // bohr^-1
  double weight = 1;        // weights of all k sum to 1
  bool with_minus = false;  // represents -k as well, each with half of the weight (time reversal)
};

// The operator of the kinetic energy: second-order differences, or plane waves.
enum class Kinetic { differences, fourier };
// The choice `kinetic` of lfd.propagate and lfd.calc_energy.
inline const char* choice_of(Kinetic kinetic) { return kinetic == Kinetic::fourier ? "fourier" : "differences"; }

struct System {
  Grid grid;
  Kinetic kinetic = Kinetic::fourier;
  Boundary boundary = Boundary::isolated;
  std::vector<Atom> atoms;
  std::map<std::string, std::shared_ptr<const Pseudopotential>> pseudopotentials;  // of elements that do not have the built-in one
  std::optional<HarmonicWell> well;
  std::optional<JelliumSphere> sphere;
  double electrons = 0;  // default_electrons(system) for a neutral system
  int unpaired = 0;      // electrons of spin up without a partner: then each spin has orbitals of its own
  bool polarised = false;  // so too without such electrons
  std::vector<KPoint> k_points = {KPoint{}};
  // Occupations of the orbitals of each k, 0 to 2; empty: filled from below with 2, an odd electron half filling an orbital. Of two spins:
  // those of spin up, 0 to 1, with those of spin down beside them.
  std::vector<double> occupations, occupations_down;

  int spins() const { return polarised || unpaired > 0 ? 2 : 1; }
};

// Monkhorst-Pack points k_d = (2 n - q_d - 1) pi / (q_d L_d), n = 1..q_d, with k and -k merged (time reversal). Phys. Rev. B 13, 5188
// (1976).
std::vector<KPoint> monkhorst_pack(const Grid& grid, const std::array<int, 3>& divisions);

// The same points individually: the points of the system, followed by -k of those that represent both. A field maps k to -k with the
// opposite field, so only the ground state may merge them.
std::vector<KPoint> all_k_points(const System& system);

double ion_charge(const System& system);  // of the pseudo-ions and the sphere
double default_electrons(const System& system);  // = ion_charge

// Occupations per k of the orbitals of one spin, truncated after the last non-zero one, from system.occupations or system.electrons. With two
// spins both have as many orbitals, the last of one of them empty. spin: 0 for up, or for both together; 1 for down.
std::vector<double> occupations(const System& system, int spin = 0);

// Throws Failure(SUITE_INVALID_ARGUMENT) for the first invalid property: odd numbers of points, two atoms at the same position, an atom
// outside an isolated cell or at its faces, occupations that do not sum to the electrons, ...
void check(const System& system);

// r - R; in a periodic cell, to the nearest image.
Vec3 displacement(const System& system, const Vec3& r, const Vec3& centre);

}  // namespace suite::tddft
