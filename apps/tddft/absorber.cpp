// SPDX-License-Identifier: BSD-3-Clause
#include "absorber.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "settings.hpp"

namespace suite::tddft {
namespace {

constexpr double mask_power = 1.0 / 8;

// Of the plane i across direction d; 0 outside the layers.
double depth(const Grid& grid, const Absorber& absorber, int d, int i) {
  if (grid.points[static_cast<size_t>(d)] == 1) return 0;
  return std::max(0.0, std::abs(grid.coordinate(d, i)) - (grid.length(d) / 2 - absorber.width));
}

double factor_of_plane(const Absorber& absorber, double depth, double dt) {
  const double angle = std::numbers::pi / 2 * std::min(1.0, depth / absorber.width);
  if (absorber.kind == Absorber::Kind::mask) return std::pow(std::max(0.0, std::cos(angle)), mask_power);
  return std::exp(-absorber.height * std::sin(angle) * std::sin(angle) * dt);
}

template <class F> void for_each_point(const Grid& grid, F&& f) {
  for (int ix = 0; ix < grid.points[0]; ++ix)
    for (int iy = 0; iy < grid.points[1]; ++iy)
      for (int iz = 0; iz < grid.points[2]; ++iz) f(std::array{ix, iy, iz}, grid.index(ix, iy, iz));
}

// How far something at `position` with this radius reaches into a layer, and along which direction the farthest.
std::pair<double, int> reach(const Settings& s, const Vec3& position, double radius) {
  std::pair<double, int> most{0, 0};
  for (int d = 0; d < 3; ++d) {
    if (s.system.grid.points[static_cast<size_t>(d)] == 1) continue;
    const double inside =
        std::abs(position[static_cast<size_t>(d)]) + radius - (s.system.grid.length(d) / 2 - s.propagation.absorber.width);
    if (inside > most.first) most = {inside, d};
  }
  return most;
}

void check_layers(const app::Input& input, const Settings& s) {
  const Grid& grid = s.system.grid;
  const double width = s.propagation.absorber.width;
  for (int d = 0; d < 3; ++d) {
    if (grid.points[static_cast<size_t>(d)] == 1) continue;
    if (!(2 * width < grid.length(d)))
      return input.fail("propagation.absorber.width",
                        fmt::format("two layers of 'width' {:.4g} bohr leave nothing of the cell's {:.4g} bohr along {}", width,
                                    grid.length(d), "xyz"[d]));
    if (!(width > grid.h[static_cast<size_t>(d)]))
      return input.fail("propagation.absorber.width",
                        fmt::format("'width' is {:.4g} bohr, not more than the grid spacing of {:.4g} bohr along {}", width,
                                    grid.h[static_cast<size_t>(d)], "xyz"[d]));
  }
  const auto refuse = [&](const std::string& what, const std::pair<double, int>& most) {
    input.fail("propagation.absorber.width",
               fmt::format("{} {:.4g} bohr into the absorbing layer of {:.4g} bohr along {}; enlarge the cell or make the layer thinner",
                           what, most.first, width, "xyz"[most.second]));
  };
  if (s.system.sphere)
    if (const auto most = reach(s, {}, s.system.sphere->radius()); most.first > 0) return refuse("the jellium sphere reaches", most);
  for (size_t i = 0; i < s.system.atoms.size(); ++i)
    if (const auto most = reach(s, s.system.atoms[i].position, 0); most.first > 0)
      return refuse(fmt::format("atom {} ({}) lies", i + 1, s.system.atoms[i].element), most);
}

}  // namespace

AbsorbingLayers::AbsorbingLayers(const Grid& grid, const Absorber& absorber, double dt) : grid_(grid), factors_(grid.size()) {
  std::array<std::vector<double>, 3> planes;
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < grid.points[static_cast<size_t>(d)]; ++i)
      planes[static_cast<size_t>(d)].push_back(factor_of_plane(absorber, depth(grid, absorber, d, i), dt));
  for_each_point(grid, [&](const std::array<int, 3>& at, size_t p) {
    factors_[p] = planes[0][static_cast<size_t>(at[0])] * planes[1][static_cast<size_t>(at[1])] * planes[2][static_cast<size_t>(at[2])];
  });
}

AbsorbingLayers::Moments AbsorbingLayers::take(std::vector<double>& densities) const {
  const size_t points = factors_.size(), spins = densities.size() / points;
  std::vector<Moments> planes(static_cast<size_t>(grid_.points[0]));
#pragma omp parallel for schedule(static)
  for (int ix = 0; ix < grid_.points[0]; ++ix) {
    Moments& plane = planes[static_cast<size_t>(ix)];
    for (int iy = 0; iy < grid_.points[1]; ++iy)
      for (int iz = 0; iz < grid_.points[2]; ++iz) {
        const size_t p = grid_.index(ix, iy, iz);
        const std::array<double, 4> r{grid_.coordinate(0, ix), grid_.coordinate(1, iy), grid_.coordinate(2, iz), 1};
        double all = 0, left = 0, difference = 0;
        for (size_t spin = 0; spin < spins; ++spin) {
          double& density = densities[p + spin * points];
          all += density;
          density *= factors_[p] * factors_[p];
          left += density;
          difference += spin == 0 ? density : -density;
        }
        for (size_t d = 0; d < 4; ++d) {
          plane.left[d] += r[d] * left;
          plane.gone[d] += r[d] * (all - left);
          plane.magnetisation[d] += r[d] * difference;
        }
      }
  }
  Moments sum;
  const double volume = grid_.point_volume();
  for (const Moments& plane : planes)
    for (size_t d = 0; d < 4; ++d) {
      sum.left[d] += plane.left[d] * volume;
      sum.gone[d] += plane.gone[d] * volume;
      sum.magnetisation[d] += plane.magnetisation[d] * volume;
    }
  return sum;
}

double electrons_within(const Grid& grid, const Absorber& absorber, const std::vector<double>& rho) {
  double sum = 0;
  for_each_point(grid, [&](const std::array<int, 3>& at, size_t p) {
    bool within = false;
    for (int d = 0; d < 3; ++d) within = within || depth(grid, absorber, d, at[static_cast<size_t>(d)]) > 0;
    if (within) sum += rho[p];
  });
  return sum * grid.point_volume();
}

void check_absorber(const app::Input& input, const Settings& s) {
  const Absorber& absorber = s.propagation.absorber;
  if (!absorber.there())
    return input.refuse_section("propagation.absorber", "this applies to a 'kind' of absorber, and there is none",
                                "propagation.absorber.kind");
  if (s.system.boundary == Boundary::periodic)
    return input.fail(
        "propagation.absorber.kind",
        "an absorber takes away the electrons that leave an isolated system; a crystal, whose cell is repeated, has no outside");
  if (absorber.kind == Absorber::Kind::mask)
    input.refuse({"propagation.absorber.height"}, "this is of 'kind: potential'; a mask has a width only");
  check_layers(input, s);
}

}  // namespace suite::tddft
