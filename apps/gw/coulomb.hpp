// SPDX-License-Identifier: BSD-3-Clause
// The Coulomb interaction v(q+G) = 8 pi/|q+G|^2 (Ry bohr^3) on a grid of q points: each q stands for a cell
// of the Brillouin zone, and on coarse grids the average of v over that cell replaces its value at the
// centre. At q+G = 0 only the average exists.
#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <unordered_map>
#include <vector>

#include "lattice.hpp"

namespace suite::gw {

// Averages over p in the Wigner-Seitz cell C of the lattice b_i/qgrid_i, by quadrature, to 1e-12 of their
// value. 1/|x|^2 = div x/|x|^2 and 2/|x| = div x/|x|, so that the integral over C, the integrable singularity
// included, is a sum over the faces of C of smooth surface integrals:
//   <1/|Q+p|^2> = 1/|C| sum_faces n.(Q+p) int_face dS/|Q+p|^2,   <1/|Q+p|> = 1/(2|C|) sum_faces n.(Q+p)
//   int_face dS/|Q+p|.
// Safe to call from several threads.
class CoulombAverage {
public:
  // bdot: b_i.b_j in bohr^-2; qgrid: divisions; volume of the unit cell in bohr^3. more_points is added to
  // the points of every quadrature rule, to see that nothing changes.
  CoulombAverage(const Matrix3& bdot, const Miller& qgrid, double volume, int more_points = 0);
  double v(const Vector3& q_plus_G) const;  // <8 pi/|q+G+p|^2>, Ry bohr^3; q_plus_G in crystal coordinates
  double one_over_q(const Vector3& q_plus_G) const;    // <8 pi/|q+G+p|>, Ry bohr^2
  // <f(|p|)> of a function of which only f q^2 is asked for: it may be as singular as 1/q^2 at 0, and else as smooth as a few dozen points show.
  std::complex<double> mean_at_origin(const std::function<std::complex<double>(double q)>& f_q2) const;
  double cell_volume() const { return cell_volume_; }  // |C|, bohr^-3

private:
  struct Triangle {
    Vector3 a, b, c;  // corners, Cartesian, bohr^-1
  };
  struct Face {
    Vector3 normal;
    double distance;  // from p = 0
    std::vector<Triangle> triangles;
  };
  struct Rule {
    std::vector<double> point, weight;  // Gauss-Legendre on 0...1
  };
  Vector3 cartesian(const Vector3& crystal) const;
  double flux(const Vector3& Q, int power) const;
  double surface(const Triangle& triangle, const Vector3& Q, int power, int depth) const;

  Matrix3 b_;  // rows: b_i, bohr^-1
  std::vector<Face> faces_;
  std::vector<Rule> rules_;  // by number of points
  int more_points_;
  double cell_volume_ = 0;
};

// Averages over random points p, those that BerkeleyGW takes: 2.5 million numbers of the Mersenne twister
// with seed 5000 from the 7 500 001st on, folded into the Wigner-Seitz cell of the b_i and then divided by
// qgrid. 1e-4 off the true averages at q = 0, 2e-3 farther away; to repeat that code's numbers.
class RandomPoints {
public:
  static constexpr size_t points = 2500000;
  RandomPoints(const Matrix3& bdot, const Miller& qgrid);
  double one_over_q(const Vector3& q) const;  // <8 pi/|q+p|>, Ry bohr^2; q in crystal coordinates
  // <8 pi/|q+p|^2>, Ry bohr^3: over the fewer points the longer q is; at q = 0 outside of the inscribed
  // sphere, whose part is known.
  double v(const Vector3& q) const;
  // Of a function of |p|, p without its third component, which is perpendicular to the others.
  double mean_in_plane(const std::function<double(double)>& f) const;

private:
  template <class F> double mean(const Vector3& Q, size_t count, F&& of_length2) const;
  Matrix3 bdot_;
  Matrix3 u_;  // Cartesian from crystal coordinates, bohr^-1
  double cell_volume_;  // bohr^-3
  double sphere2_;  // radius of the inscribed sphere squared
  std::vector<double> x_;  // of the points, Cartesian
};

// v(q+G) from a text file with lines "q1 q2 q3  G1 G2 G3  v" (crystal coordinates, Ry bohr^3),
// gzip-compressed or not: BerkeleyGW's vcoul.
class CoulombFile {
public:
  explicit CoulombFile(const std::filesystem::path& file);
  // By q+G as a whole, to 1e-6, so that another label of the same q finds it; v is even, so -(q+G) serves
  // too.
  double v(const Vector3& q, const Miller& G) const;
  // The mean of v over those images of q+G under the operations that the file has: random points give
  // different numbers to equivalent q+G.
  double mean_v(const Vector3& q, const Miller& G, const std::vector<Operation>& operations) const;
  size_t size() const { return entries_.size(); }

private:
  struct Entry {
    Vector3 q_plus_G;
    double v;
  };
  const Entry* find(const Vector3& q_plus_G) const;
  const Entry* find_either_sign(const Vector3& q_plus_G) const;
  [[noreturn]] void miss(const Vector3& q_plus_G) const;
  std::filesystem::path file_;
  std::vector<Entry> entries_;
  std::unordered_multimap<uint64_t, uint32_t> index_;
};

}  // namespace suite::gw
