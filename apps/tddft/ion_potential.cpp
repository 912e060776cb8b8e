// SPDX-License-Identifier: BSD-3-Clause
// Local and nonlocal potentials on the grid.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/fft/fft.hpp"
#include "pseudopotential.hpp"

namespace suite::tddft {

namespace {

using std::numbers::pi;

double length(const Vec3& r) { return std::hypot(r[0], r[1], r[2]); }

template <class F> void for_points(const Grid& grid, F&& f) {
  size_t at = 0;
  for (int ix = 0; ix < grid.points[0]; ++ix)
    for (int iy = 0; iy < grid.points[1]; ++iy)
      for (int iz = 0; iz < grid.points[2]; ++iz, ++at) f(at, Vec3{grid.coordinate(0, ix), grid.coordinate(1, iy), grid.coordinate(2, iz)});
}

double sphere_potential(const JelliumSphere& sphere, double r) {
  const double radius = sphere.radius();
  if (r >= radius) return -sphere.charge / r;
  return -sphere.charge * (3 - r * r / (radius * radius)) / (2 * radius);
}

// The analogue of Pseudopotential::local_of_q2.
double sphere_of_q2(const JelliumSphere& sphere, double q2) {
  const double radius = sphere.radius(), x = std::sqrt(q2) * radius;
  if (q2 == 0) return 0.4 * pi * sphere.charge * radius * radius;
  return -4 * pi * sphere.charge / q2 * 3 * (std::sin(x) - x * std::cos(x)) / (x * x * x);
}

void add_in_real_space(const System& system, std::vector<double>& v) {
  for (const Atom& atom : system.atoms) {
    const Pseudopotential& p = pseudopotential(atom.element);
    for_points(system.grid, [&](size_t at, const Vec3& r) { v[at] += p.local(length(displacement(system, r, atom.position))); });
  }
  if (system.sphere) for_points(system.grid, [&](size_t at, const Vec3& r) { v[at] += sphere_potential(*system.sphere, length(r)); });
}

// Wave number of index m of a transform: 0, 1, .., N/2 - 1, -N/2, .., -1.
int wave(const Grid& grid, int d, int m) { return 2 * m < grid.points[d] ? m : m - grid.points[d]; }

// exp(-i G R) for the components of G in one direction, R measured from the first grid point. The two highest components +-N/2 coincide on
// the grid; the real part below takes their mean.
std::vector<std::complex<double>> phases(const Grid& grid, int d, double position) {
  std::vector<std::complex<double>> out(grid.points[d]);
  const double from_first = position - grid.coordinate(d, 0);
  for (int m = 0; m < grid.points[d]; ++m) { out[m] = std::polar(1.0, -2 * pi * wave(grid, d, m) * from_first / grid.length(d)); }
  return out;
}

void add_by_fourier_series(const System& system, std::vector<double>& v) {
  const Grid& grid = system.grid;
  const auto buffer = app::allocate_complex(grid.size());
  std::fill_n(buffer.get(), grid.size(), 0);
  const auto add = [&](const Vec3& position, auto&& of_q2) {
    const auto x = phases(grid, 0, position[0]), y = phases(grid, 1, position[1]), z = phases(grid, 2, position[2]);
    const auto component = [&](int d, int m) { return 2 * pi * wave(grid, d, m) / grid.length(d); };
    for (int mx = 0; mx < grid.points[0]; ++mx)
      for (int my = 0; my < grid.points[1]; ++my) {
        const double gx = component(0, mx), gy = component(1, my);
        const auto xy = x[mx] * y[my] / grid.volume();
        for (int mz = 0; mz < grid.points[2]; ++mz) {
          const double gz = component(2, mz);
          buffer[grid.index(mx, my, mz)] += xy * z[mz] * of_q2(gx * gx + gy * gy + gz * gz);
        }
      }
  };
  for (const Atom& atom : system.atoms) {
    const Pseudopotential& p = pseudopotential(atom.element);
    add(atom.position, [&](double q2) { return p.local_of_q2(q2); });
  }
  if (system.sphere) add({}, [&](double q2) { return sphere_of_q2(*system.sphere, q2); });
  app::Transform transform(grid.points);
  transform(buffer.get());
  for (size_t i = 0; i < v.size(); ++i) v[i] += buffer[i].real();
}

// One projector |p_i^l Y_lm>.
struct Projector {
  const Pseudopotential::Channel* channel;
  int i, m;
};

std::vector<Projector> projectors(const Pseudopotential& p) {
  std::vector<Projector> out;
  for (const auto& channel : p.channels)
    for (int i = 0; i < channel.projectors; ++i)
      for (int m = 0; m < 2 * channel.l + 1; ++m) out.push_back({&channel, i, m});
  return out;
}

// Real spherical harmonics; for l = 1 in the order x, y, z.
double harmonic(int l, int m, const Vec3& r) {
  if (l == 0) return std::sqrt(1 / (4 * pi));
  const double distance = length(r);
  return distance > 0 ? std::sqrt(3 / (4 * pi)) * r[m] / distance : 0;
}

// Radius beyond which every projector is below `cut` of its maximum.
double sphere_radius(const Pseudopotential& p, double cut) {
  double radius = 0;
  for (const auto& channel : p.channels)
    for (int i = 0; i < channel.projectors; ++i) {
      double largest = 0, r = 0;
      for (; r < 3 * channel.r; r += 0.01 * channel.r) largest = std::max(largest, std::abs(p.projector(channel, i, r)));
      while (std::abs(p.projector(channel, i, r)) > cut * largest) r += 0.01 * channel.r;
      radius = std::max(radius, r);
    }
  return radius;
}

struct Sphere {
  const Pseudopotential* potential;
  std::vector<int32_t> points;
  std::vector<Vec3> displacements;
};

Sphere make_sphere(const System& system, const Atom& atom, double cut) {
  Sphere sphere{&pseudopotential(atom.element), {}, {}};
  const double radius = sphere_radius(*sphere.potential, cut);
  for (int d = 0; d < 3; ++d)
    if (system.grid.points[d] > 1 && 2 * radius > system.grid.length(d))
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the projectors of {} reach {:f} bohr, so that the cell must be at least "
                                                        "{:f} bohr long along {}, but is {:f}",
                                                        atom.element, radius, 2 * radius, "xyz"[d], system.grid.length(d)));
  for_points(system.grid, [&](size_t at, const Vec3& r) {
    const Vec3 from_atom = displacement(system, r, atom.position);
    if (length(from_atom) >= radius) return;
    sphere.points.push_back(static_cast<int32_t>(at + 1));
    sphere.displacements.push_back(from_atom);
  });
  return sphere;
}

void put_sphere(const Sphere& sphere, int64_t a, Nonlocal& out) {
  const auto all = projectors(*sphere.potential);
  for (size_t s = 0; s < sphere.points.size(); ++s) {
    const Vec3& r = sphere.displacements[s];
    out.nlpoint[s + out.nsphere * a] = sphere.points[s];
    for (int d = 0; d < 3; ++d) out.nldisp[d + 3 * (s + out.nsphere * a)] = r[d];
    for (size_t j = 0; j < all.size(); ++j)
      out.beta[s + out.nsphere * (j + out.nproj * a)] =
          sphere.potential->projector(*all[j].channel, all[j].i, length(r)) * harmonic(all[j].channel->l, all[j].m, r);
  }
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j)
      if (all[i].channel == all[j].channel && all[i].m == all[j].m)
        out.dnl[i + out.nproj * (j + out.nproj * a)] = all[i].channel->h[all[i].i][all[j].i];
}

}  // namespace

std::vector<double> local_potential(const System& system) {
  std::vector<double> v(system.grid.size(), 0.0);
  if (system.boundary == Boundary::periodic) add_by_fourier_series(system, v);
  else add_in_real_space(system, v);
  if (system.well)
    for_points(system.grid, [&](size_t at, const Vec3& r) {
      const Vec3 from_centre = displacement(system, r, system.well->centre);
      for (int d = 0; d < 3; ++d) {
        const double x = system.well->omega[d] * from_centre[d];
        v[at] += x * x / 2;
      }
    });
  return v;
}

double recommended_spacing(const System& system) {
  double smallest = 0;
  for (const Atom& atom : system.atoms) {
    const Pseudopotential& p = pseudopotential(atom.element);
    double radius = p.r_local;
    for (const auto& channel : p.channels) radius = std::min(radius, channel.r);
    smallest = smallest == 0 ? radius : std::min(smallest, radius);
  }
  return 1.05 * smallest;
}

Nonlocal nonlocal_potential(const System& system, double cut) {
  std::vector<Sphere> spheres;
  Nonlocal out;
  for (const Atom& atom : system.atoms) {
    const auto count = static_cast<int64_t>(projectors(pseudopotential(atom.element)).size());
    if (count == 0) continue;
    spheres.push_back(make_sphere(system, atom, cut));
    out.nproj = std::max(out.nproj, count);
    out.nsphere = std::max(out.nsphere, static_cast<int64_t>(spheres.back().points.size()));
  }
  out.natom = static_cast<int64_t>(spheres.size());
  if (out.nsphere == 0) return {};
  out.nlpoint.assign(out.nsphere * out.natom, 0);
  out.nldisp.assign(3 * out.nsphere * out.natom, 0.0);
  out.beta.assign(out.nsphere * out.nproj * out.natom, 0.0);
  out.dnl.assign(out.nproj * out.nproj * out.natom, 0.0);
  for (int64_t a = 0; a < out.natom; ++a) put_sphere(spheres[a], a, out);
  return out;
}

}  // namespace suite::tddft
