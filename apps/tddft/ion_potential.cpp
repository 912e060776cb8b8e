// SPDX-License-Identifier: BSD-3-Clause
// Local and nonlocal potentials on the grid.
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <string>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/fft/fft.hpp"
#include "harmonics.hpp"
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
    const Pseudopotential& p = pseudopotential(system, atom);
    const Grid& grid = system.grid;
#pragma omp parallel for schedule(static)
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz) {
          const Vec3 r{grid.coordinate(0, ix), grid.coordinate(1, iy), grid.coordinate(2, iz)};
          v[grid.index(ix, iy, iz)] += p.local(length(displacement(system, r, atom.position)));
        }
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

// of_q2(q^2) at every G of the grid.
template <class F> std::vector<double> form_factor(const Grid& grid, F&& of_q2) {
  std::vector<double> out(grid.size());
  const auto component = [&](int d, int m) { return 2 * pi * wave(grid, d, m) / grid.length(d); };
#pragma omp parallel for schedule(static)
  for (int mx = 0; mx < grid.points[0]; ++mx)
    for (int my = 0; my < grid.points[1]; ++my)
      for (int mz = 0; mz < grid.points[2]; ++mz) {
        const double gx = component(0, mx), gy = component(1, my), gz = component(2, mz);
        out[grid.index(mx, my, mz)] = of_q2(gx * gx + gy * gy + gz * gz);
      }
  return out;
}

// That of each element once, however many atoms it has.
class FormFactors {
public:
  explicit FormFactors(const System& system) : system_(system) {}
  const std::vector<double>& of(const Atom& atom) {
    auto& values = known_[atom.element];
    if (values.empty()) {
      const Pseudopotential& p = pseudopotential(system_, atom);
      values = form_factor(system_.grid, [&](double q2) { return p.local_of_q2(q2); });
    }
    return values;
  }

private:
  const System& system_;
  std::map<std::string, std::vector<double>> known_;
};

// exp(-i G R) of a position, as a product of three.
struct Phases {
  std::array<std::vector<std::complex<double>>, 3> along;
  Phases(const Grid& grid, const Vec3& position)
      : along{phases(grid, 0, position[0]), phases(grid, 1, position[1]), phases(grid, 2, position[2])} {}
};

void add_by_fourier_series(const System& system, std::vector<double>& v) {
  const Grid& grid = system.grid;
  const auto buffer = app::allocate_complex(grid.size());
  std::fill_n(buffer.get(), grid.size(), 0);
  const auto add = [&](const Vec3& position, const std::vector<double>& form) {
    const Phases phase(grid, position);
#pragma omp parallel for schedule(static)
    for (int mx = 0; mx < grid.points[0]; ++mx)
      for (int my = 0; my < grid.points[1]; ++my) {
        const auto xy = phase.along[0][mx] * phase.along[1][my] / grid.volume();
        for (int mz = 0; mz < grid.points[2]; ++mz) {
          const size_t at = grid.index(mx, my, mz);
          buffer[at] += xy * phase.along[2][mz] * form[at];
        }
      }
  };
  FormFactors forms(system);
  for (const Atom& atom : system.atoms) add(atom.position, forms.of(atom));
  if (system.sphere) add({}, form_factor(grid, [&](double q2) { return sphere_of_q2(*system.sphere, q2); }));
  app::Transform transform(grid.points);
  transform(buffer.get());
  for (size_t i = 0; i < v.size(); ++i) v[i] += buffer[i].real();
}

Vec3 sum_of(const std::vector<Vec3>& parts, double factor) {
  Vec3 sum{};
  for (const Vec3& part : parts)
    for (size_t d = 0; d < 3; ++d) sum[d] += part[d];
  for (double& x : sum) x *= factor;
  return sum;
}

// With E = (h^3/V) sum_G v(G) Re[rho(G) exp(-iGR)]:  -dE/dR = -(h^3/V) sum_G v(G) G Im[rho(G) exp(-iGR)].
std::vector<Vec3> forces_by_fourier_series(const System& system, const std::vector<double>& rho) {
  const Grid& grid = system.grid;
  const auto waves = app::allocate_complex(grid.size());
  std::copy(rho.begin(), rho.end(), waves.get());
  app::Transform(grid.points)(waves.get());
  FormFactors forms(system);
  std::vector<Vec3> forces;
  for (const Atom& atom : system.atoms) {
    const Phases phase(grid, atom.position);
    const std::vector<double>& form = forms.of(atom);
    std::vector<Vec3> of_planes(static_cast<size_t>(grid.points[0]), Vec3{});
#pragma omp parallel for schedule(static)
    for (int mx = 0; mx < grid.points[0]; ++mx) {
      Vec3& sum = of_planes[static_cast<size_t>(mx)];
      for (int my = 0; my < grid.points[1]; ++my) {
        const auto xy = phase.along[0][mx] * phase.along[1][my];
        for (int mz = 0; mz < grid.points[2]; ++mz) {
          const size_t at = grid.index(mx, my, mz);
          const double part = -form[at] * std::imag(waves[at] * (xy * phase.along[2][mz]));
          sum[0] += part * wave(grid, 0, mx), sum[1] += part * wave(grid, 1, my), sum[2] += part * wave(grid, 2, mz);
        }
      }
    }
    Vec3 force = sum_of(of_planes, grid.point_volume() / grid.volume());
    for (int d = 0; d < 3; ++d) force[d] *= 2 * pi / grid.length(d);
    forces.push_back(force);
  }
  return forces;
}

std::vector<Vec3> forces_in_real_space(const System& system, const std::vector<double>& rho) {
  const Grid& grid = system.grid;
  std::vector<Vec3> forces;
  for (const Atom& atom : system.atoms) {
    const Pseudopotential& p = pseudopotential(system, atom);
    std::vector<Vec3> of_planes(static_cast<size_t>(grid.points[0]), Vec3{});
#pragma omp parallel for schedule(static)
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz) {
          const Vec3 r = displacement(system, {grid.coordinate(0, ix), grid.coordinate(1, iy), grid.coordinate(2, iz)}, atom.position);
          const double distance = length(r);
          if (distance == 0) continue;
          const double part = rho[grid.index(ix, iy, iz)] * p.local_slope(distance) / distance;
          for (size_t d = 0; d < 3; ++d) of_planes[static_cast<size_t>(ix)][d] += part * r[d];
        }
    forces.push_back(sum_of(of_planes, grid.point_volume()));
  }
  return forces;
}

// One projector |p_i^l Y_lm>.
struct Projector {
  size_t channel;
  int l, i, m;
};

std::vector<Projector> projectors(const Pseudopotential& p) {
  std::vector<Projector> out;
  for (size_t channel = 0; channel < p.channels.size(); ++channel)
    for (int i = 0; i < p.channels[channel].projectors; ++i)
      for (int m = 0; m < 2 * p.channels[channel].l + 1; ++m) out.push_back({channel, p.channels[channel].l, i, m});
  return out;
}

struct Sphere {
  const Pseudopotential* potential;
  std::vector<int32_t> points;
  std::vector<Vec3> displacements;
};

Sphere make_sphere(const System& system, const Atom& atom, double cut) {
  Sphere sphere{&pseudopotential(system, atom), {}, {}};
  const double radius = sphere.potential->reach(cut);
  for (int d = 0; d < 3; ++d)
    if (system.grid.points[d] > 1 && 2 * radius > system.grid.length(d))
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the projectors of {} reach {:f} bohr, so that the cell must be at least "
                                                        "{:f} bohr long along {}, but is {:f}; those of Goedecker, Teter and Hutter end "
                                                        "earlier with 'system.filter: false'",
                                                        atom.element, radius, 2 * radius, "xyz"[d], system.grid.length(d)));
  // The planes of the grid that the sphere touches; their points in the order of the grid.
  const Grid& grid = system.grid;
  struct Plane {
    int index;
    double distance;
  };
  std::array<std::vector<Plane>, 3> planes;
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < grid.points[d]; ++i) {
      Vec3 r = atom.position;
      r[d] = grid.coordinate(d, i);
      const double distance = displacement(system, r, atom.position)[d];
      if (std::abs(distance) < radius) planes[d].push_back({i, distance});
    }
  for (const Plane& x : planes[0])
    for (const Plane& y : planes[1])
      for (const Plane& z : planes[2]) {
        const Vec3 from_atom{x.distance, y.distance, z.distance};
        if (length(from_atom) >= radius) continue;
        sphere.points.push_back(static_cast<int32_t>(grid.index(x.index, y.index, z.index) + 1));
        sphere.displacements.push_back(from_atom);
      }
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
          sphere.potential->radial(all[j].channel, all[j].i, length(r)).value * solid_harmonic(all[j].l, all[j].m, r);
  }
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j)
      if (all[i].channel == all[j].channel && all[i].m == all[j].m) {
        const Pseudopotential::Channel& channel = sphere.potential->channels[all[i].channel];
        out.dnl[i + out.nproj * (j + out.nproj * a)] = channel.h[static_cast<size_t>(all[i].i * channel.projectors + all[j].i)];
      }
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

std::vector<Vec3> local_forces(const System& system, const std::vector<double>& rho) {
  return system.boundary == Boundary::periodic ? forces_by_fourier_series(system, rho) : forces_in_real_space(system, rho);
}

std::vector<size_t> nonlocal_atoms(const System& system) {
  std::vector<size_t> atoms;
  for (size_t i = 0; i < system.atoms.size(); ++i)
    if (!pseudopotential(system, system.atoms[i]).channels.empty()) atoms.push_back(i);
  return atoms;
}

std::vector<double> projector_gradients(const System& system, const Nonlocal& nonlocal) {
  std::vector<double> out(3 * nonlocal.beta.size(), 0.0);
  if (nonlocal.empty()) return out;
  const std::vector<size_t> atoms = nonlocal_atoms(system);
#pragma omp parallel for schedule(dynamic)
  for (int64_t a = 0; a < nonlocal.natom; ++a) {
    const Pseudopotential& p = pseudopotential(system, system.atoms[atoms[static_cast<size_t>(a)]]);
    const auto all = projectors(p);
    for (int64_t s = 0; s < nonlocal.nsphere && nonlocal.nlpoint[s + nonlocal.nsphere * a] > 0; ++s) {
      Vec3 r;
      std::copy_n(&nonlocal.nldisp[3 * (s + nonlocal.nsphere * a)], 3, r.begin());
      const double distance = length(r);
      for (size_t j = 0; j < all.size(); ++j) {
        const Pseudopotential::Radial radial = p.radial(all[j].channel, all[j].i, distance);
        const double harmonic = solid_harmonic(all[j].l, all[j].m, r);
        const Vec3 slope = solid_harmonic_gradient(all[j].l, all[j].m, r);
        for (size_t d = 0; d < 3; ++d) {
          const double gradient = radial.slope * r[d] * harmonic + radial.value * slope[d];
          out[s + nonlocal.nsphere * (static_cast<int64_t>(j) + nonlocal.nproj * (static_cast<int64_t>(d) + 3 * a))] = gradient;
        }
      }
    }
  }
  return out;
}

double recommended_spacing(const System& system) {
  double smallest = 0;
  for (const Atom& atom : system.atoms) {
    const double own = pseudopotential(system, atom).spacing();
    smallest = smallest == 0 ? own : std::min(smallest, own);
  }
  return smallest;
}

Nonlocal nonlocal_potential(const System& system, double cut) {
  std::vector<Sphere> spheres;
  Nonlocal out;
  for (const Atom& atom : system.atoms) {
    const auto count = static_cast<int64_t>(projectors(pseudopotential(system, atom)).size());
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
