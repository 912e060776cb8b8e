// SPDX-License-Identifier: BSD-3-Clause
#include "guess.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <type_traits>

#include "pseudopotential.hpp"

namespace suite::tddft {

namespace {

struct Centre {
  Vec3 position{};
  double width = 1, charge = 1;
};

// From -1 to 1, the same on every machine: the C++ standard fixes the generator but not the distributions.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; }

std::vector<Centre> centres(const System& system) {
  std::vector<Centre> out;
  for (const Atom& atom : system.atoms) {
    const Pseudopotential& p = pseudopotential(system, atom);
    out.push_back({atom.position, p.width(), p.charge});
  }
  if (system.sphere) out.push_back({{}, system.sphere->radius() / 2, 1});
  if (system.well)
    for (int d = 0; d < 3 && out.empty(); ++d)
      if (system.well->omega[d] > 0) out.push_back({system.well->centre, 1 / std::sqrt(system.well->omega[d]), 1});
  return out;
}

// x - x0 and exp(-(x - x0)^2/(2 width^2)) at the points of one direction, for separable products in three.
struct Axis {
  std::vector<double> distance, gaussian;
};

Axis axis(const System& system, int d, const Centre& centre) {
  Axis out;
  for (int i = 0; i < system.grid.points[d]; ++i) {
    Vec3 r = centre.position;
    r[d] = system.grid.coordinate(d, i);
    const double x = system.grid.points[d] > 1 ? displacement(system, r, centre.position)[d] : 0;
    out.distance.push_back(x);
    out.gaussian.push_back(std::exp(-x * x / (2 * centre.width * centre.width)));
  }
  return out;
}

// values += Gaussian (s + p . (r - R))
void add(const System& system, const Centre& centre, double s, const Vec3& p, std::vector<double>& values) {
  const Axis x = axis(system, 0, centre), y = axis(system, 1, centre), z = axis(system, 2, centre);
  size_t at = 0;
  for (size_t ix = 0; ix < x.distance.size(); ++ix)
    for (size_t iy = 0; iy < y.distance.size(); ++iy) {
      const double gaussian = x.gaussian[ix] * y.gaussian[iy], linear = s + p[0] * x.distance[ix] + p[1] * y.distance[iy];
      for (size_t iz = 0; iz < z.distance.size(); ++iz, ++at) values[at] += gaussian * z.gaussian[iz] * (linear + p[2] * z.distance[iz]);
    }
}

}  // namespace

std::vector<double> guess_density(const System& system) {
  std::vector<double> rho(system.grid.size(), 0.0);
  const auto all = centres(system);
  for (const Centre& centre : all) add(system, centre, centre.charge / (centre.width * centre.width * centre.width), {}, rho);
  if (all.empty()) std::fill(rho.begin(), rho.end(), 1.0);
  double sum = 0;
  for (double x : rho) sum += x;
  const double factor = system.electrons / (sum * system.grid.point_volume());
  for (double& x : rho) x *= factor;
  return rho;
}

template <class T> std::vector<T> guess_orbitals(const System& system, const Vec3& k, int count, uint64_t seed) {
  const Grid& grid = system.grid;
  std::mt19937_64 random(seed);
  std::vector<Centre> all = centres(system);
  if (all.empty())
    for (int n = 0; n < 8; ++n) {
      Centre centre;
      for (int d = 0; d < 3; ++d) centre.position[d] = 0.5 * grid.length(d) * uniform(random);
      centre.width = std::cbrt(grid.volume()) / 8;
      all.push_back(centre);
    }
  std::vector<T> psi(grid.size() * count);
  std::vector<double> values(grid.size());
  for (int n = 0; n < count; ++n) {
    std::fill(values.begin(), values.end(), 0.0);
    for (Centre centre : all) {
      const double s = uniform(random);
      const Vec3 p{uniform(random) / centre.width, uniform(random) / centre.width, uniform(random) / centre.width};
      centre.width *= 1 + 0.3 * uniform(random);
      add(system, centre, s, p, values);
    }
    for (double& x : values) x += 0.02 * uniform(random);
    T* out = psi.data() + grid.size() * n;
    for (int ix = 0; ix < grid.points[0]; ++ix)
      for (int iy = 0; iy < grid.points[1]; ++iy)
        for (int iz = 0; iz < grid.points[2]; ++iz) {
          const size_t at = grid.index(ix, iy, iz);
          if constexpr (std::is_same_v<T, double>) out[at] = values[at];
          else
            out[at] =
                values[at] * std::polar(1.0, k[0] * grid.coordinate(0, ix) + k[1] * grid.coordinate(1, iy) + k[2] * grid.coordinate(2, iz));
        }
  }
  return psi;
}

template std::vector<double> guess_orbitals(const System&, const Vec3&, int, uint64_t);
template std::vector<std::complex<double>> guess_orbitals(const System&, const Vec3&, int, uint64_t);

}  // namespace suite::tddft
