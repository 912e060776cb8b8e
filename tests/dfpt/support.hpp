// SPDX-License-Identifier: BSD-3-Clause
// Atoms with Gaussians, and points in batches, for the tests of dfpt; and how its kernels are called with
// them. On points that are uniform in space the integrals of smooth functions that end inside converge
// exponentially.
#pragma once

#include "../common/kept.hpp"

#include <grid.hpp>
#include <harmonics.hpp>
#include <spline.hpp>

namespace dfpt_test {

using namespace suite::test;
using Indices = std::vector<int32_t>;

inline int64_t size_of(const Numbers& x) { return static_cast<int64_t>(x.size()); }
inline int64_t size_of(const Indices& x) { return static_cast<int64_t>(x.size()); }
inline Numbers zeros(int64_t n) { return Numbers(static_cast<size_t>(n)); }
inline Numbers garbage(int64_t n) { return Numbers(static_cast<size_t>(n), 1e30); }

// Y_lm by the standard library's associated Legendre functions, which have the Condon-Shortley phase.
inline double real_harmonic(int l, int m, const double* r) {
  const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  const double theta = std::acos(std::clamp(r[2] / length, -1.0, 1.0)), phi = std::atan2(r[1], r[0]);
  const unsigned order = static_cast<unsigned>(std::abs(m));
  const double P = (order % 2 ? -1 : 1) * std::sph_legendre(static_cast<unsigned>(l), order, theta);
  return m == 0 ? P : std::sqrt(2.0) * P * (m > 0 ? std::cos(m * phi) : std::sin(-m * phi));
}

// N r^l exp(-a r^2), normalised with Y_lm, and -1/2 of its Laplacian's radial part.
struct Gaussian {
  int l;
  double a;
  double norm() const { return std::sqrt(2 * std::pow(2 * a, l + 1.5) / std::tgamma(l + 1.5)); }
  double value(double r) const { return norm() * std::pow(r, l) * std::exp(-a * r * r); }
  double kinetic(double r) const { return (a * (2 * l + 3) - 2 * a * a * r * r) * value(r); }
};

// Functions on atoms: all m of each Gaussian of each atom.
struct Basis {
  Numbers atoms;  // (3,n_atoms), all of one species
  std::vector<Gaussian> radial;
  Indices atom, fn, l, m;
  double r_min = 1e-5, inc = 1.003, outer = 12;
  int64_t n_grid = 4700;

  int64_t count() const { return size_of(atom); }
  int64_t n_atoms() const { return size_of(atoms) / 3; }
  void add(int32_t on_atom, Gaussian g) {
    radial.push_back(g);
    for (int k = -g.l; k <= g.l; ++k) {
      atom.push_back(on_atom);
      fn.push_back(static_cast<int32_t>(radial.size()));
      l.push_back(g.l);
      m.push_back(k);
    }
  }
  double value(int64_t i, const double* r) const {
    double way[3], square = 0;
    for (int d = 0; d < 3; ++d) {
      way[d] = r[d] - atoms[static_cast<size_t>(3 * (atom[static_cast<size_t>(i)] - 1) + d)];
      square += way[d] * way[d];
    }
    const size_t n = static_cast<size_t>(i);
    const double R = radial[static_cast<size_t>(fn[n] - 1)].value(std::sqrt(square));
    return square > 0 ? R * real_harmonic(l[n], m[n], way) : l[n] == 0 ? R / std::sqrt(4 * pi) : 0;
  }
  Numbers splines(bool kinetic) const {
    const suite::dfpt::RadialGrid grid = suite::dfpt::logarithmic_grid(r_min, inc, n_grid);
    Numbers all;
    for (const Gaussian& g : radial) {
      Numbers values, spline(static_cast<size_t>(4 * n_grid));
      for (int64_t k = 0; k < n_grid; ++k) {
        const double r = grid.radius(static_cast<double>(k));
        values.push_back(kinetic ? g.kinetic(r) : g.value(r));
      }
      suite::dfpt::interleaved_splines(values.data(), n_grid, 1, spline.data());
      all.insert(all.end(), spline.begin(), spline.end());
    }
    return all;
  }
};

// All functions in all batches.
struct Points {
  Numbers coords, weight;
  Indices batch_points, batch_basis, i_basis;
  int64_t count() const { return size_of(weight); }
  int64_t n_batches() const { return size_of(batch_points) - 1; }
  int64_t n_wave() const {
    int64_t n = 0;
    for (size_t b = 0; b + 1 < batch_points.size(); ++b)
      n += int64_t{batch_points[b + 1] - batch_points[b]} * (batch_basis[b + 1] - batch_basis[b]);
    return n;
  }
  void set(Call& call) const {
    call.indices("batch_points", batch_points, {n_batches() + 1});
    call.indices("batch_basis", batch_basis, {n_batches() + 1});
    call.indices("i_basis", i_basis, {size_of(i_basis)});
  }
};
inline Points in_batches(Numbers coords, Numbers weight, int64_t most, int64_t n_basis) {
  Points points{std::move(coords), std::move(weight), {}, {}, {}};
  for (int64_t first = 0;; first += most) {
    points.batch_points.push_back(static_cast<int32_t>(std::min(first, points.count()) + 1));
    points.batch_basis.push_back(static_cast<int32_t>(size_of(points.i_basis) + 1));
    if (first >= points.count()) return points;
    for (int64_t i = 0; i < n_basis; ++i) points.i_basis.push_back(static_cast<int32_t>(i + 1));
  }
}
// A cube of n^3 points around a centre.
inline Points cube(int n, double spacing, const double* centre, int64_t most, int64_t n_basis) {
  Numbers coords, weight;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int at[] = {i, j, k};
        for (int d = 0; d < 3; ++d) coords.push_back(centre[d] + spacing * (at[d] - 0.5 * (n - 1) + 0.013 * d));
        weight.push_back(spacing * spacing * spacing);
      }
  return in_batches(coords, weight, most, n_basis);
}

inline Numbers waves(Call& call, const Basis& basis, const Points& points, bool kinetic) {
  const int64_t n = basis.count(), fns = static_cast<int64_t>(basis.radial.size());
  call.forget();
  points.set(call);
  call.numbers("coords", points.coords, {3, points.count()});
  call.numbers("atom_coords", basis.atoms, {3, basis.n_atoms()});
  call.indices("species", Indices(static_cast<size_t>(basis.n_atoms()), 1), {basis.n_atoms()});
  call.indices("basis_atom", basis.atom, {n});
  call.indices("basis_fn", basis.fn, {n});
  call.indices("basis_l", basis.l, {n});
  call.indices("basis_m", basis.m, {n});
  call.numbers("r_grid_min", {basis.r_min}, {1});
  call.numbers("r_grid_inc", {basis.inc}, {1});
  call.numbers("basis_wave_spl", basis.splines(kinetic), {4, basis.n_grid, fns});
  call.numbers("outer_radius", Numbers(static_cast<size_t>(fns), basis.outer), {fns});
  call.numbers("wave", garbage(points.n_wave()), {points.n_wave()});
  call.run();
  return call.get_numbers("wave");
}
// By the reference, for tests of other kernels.
inline Numbers waves(const Basis& basis, const Points& points, bool kinetic = false) {
  Call call = reference("dfpt.basis");
  return waves(call, basis, points, kinetic);
}

// Two atoms with s, p and d Gaussians, and points around them.
struct TwoAtoms {
  Basis basis;
  Points points;
  Numbers wave;
};
inline const TwoAtoms& two_atoms() {
  static const TwoAtoms all = [] {
    TwoAtoms made;
    made.basis.atoms = {0, 0, 0, 0.3, -0.5, 0.9};
    made.basis.add(1, {0, 0.8});
    made.basis.add(2, {0, 0.6});
    made.basis.add(2, {1, 0.7});
    made.basis.add(1, {2, 0.75});
    const double centre[] = {0.15, -0.25, 0.45};
    made.points = cube(25, 0.5, centre, 170, made.basis.count());
    made.wave = waves(made.basis, made.points);
    return made;
  }();
  return all;
}

}  // namespace dfpt_test
