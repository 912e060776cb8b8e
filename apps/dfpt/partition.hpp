// SPDX-License-Identifier: BSD-3-Clause
// Partition functions p_a = P_a/sum_b P_b of Stratmann, Scuseria and Frisch (Chem. Phys. Lett. 257, 213 (1996)):
//   P_a = prod_(b != a) s(mu_ab), mu_ab = (r_a - r_b)/R_ab, s = [1 - g(mu/0.64)]/2
//   g(q) = (35 q - 35 q^3 + 21 q^5 - 5 q^7)/16 between -1 and 1, the sign of q beyond
// made local: the factor of b goes smoothly to 1 between 0.8 and 1 times b's radius, and P_a = 0 beyond a's.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace suite::all_electron {

inline double distance(const double* a, const double* b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return std::sqrt(x * x + y * y + z * z);
}

class Partition {
public:
  // atom_coords: (3,n_atoms) bohr; radius: (n_atoms) bohr, beyond which an atom is ignored.
  Partition(std::vector<double> atom_coords, std::vector<double> radius);

  // p of the atom at points on the sphere of this radius (bohr) around it, in the order of directions.
  std::vector<double> on_sphere(size_t atom, double sphere, const std::vector<std::array<double, 3>>& directions) const;

private:
  struct Near {
    size_t atom;
    double distance;  // from the atom at the centre of the sphere
  };
  // A sphere and the atoms that reach it, the sphere's own last.
  struct Sphere {
    double radius = 0;
    size_t n_atoms = 0;
    std::vector<double> coords, reach, apart;  // apart(n_atoms,n_atoms): the atoms' distances
  };
  struct Here {
    size_t number;  // among the sphere's atoms
    double distance, relaxed;  // from the point
  };
  static double product(const Here& a, const Sphere& sphere, const std::vector<Here>& here);  // P_a
  Sphere sphere_of(size_t atom, double radius) const;
  double at(const Sphere& sphere, const std::array<double, 3>& point) const;
  std::vector<double> atom_coords_, radius_;
  std::vector<std::vector<Near>> neighbours_;  // of each atom, nearest first
};

}  // namespace suite::all_electron
