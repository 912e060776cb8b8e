// SPDX-License-Identifier: BSD-3-Clause
#include "symmetry.hpp"

#include <set>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {

namespace {

constexpr double tolerance = 1e-5;  // of crystal coordinates: files carry k points to 6 digits or more

// k in [0,1), and the lattice vector that was taken off: k = inside + shift.
Vector3 inside(const Vector3& k, Miller& shift) {
  Vector3 out{};
  for (int i = 0; i < 3; ++i) {
    shift[i] = static_cast<int>(std::floor(k[i] + tolerance));
    out[i] = k[i] - shift[i];
  }
  return out;
}

}  // namespace

FullGrid::FullGrid(const std::vector<Vector3>& irreducible, const std::vector<Operation>& operations, const Miller& grid,
                   const std::string& what, const Vector3& shift)
    : grid_(grid), shift_(shift), index_(static_cast<size_t>(grid[0]) * grid[1] * grid[2], -1) {
  for (bool reversed : {false, true}) {
    if (points_.size() == index_.size()) break;
    for (size_t k = 0; k < irreducible.size(); ++k) {
      if (cell(irreducible[k]) < 0)
        throw Failure(SUITE_INVALID_ARGUMENT,
                      fmt::format("{}: {} is not on the {} x {} x {} grid{}", what, text(irreducible[k]), grid[0], grid[1], grid[2],
                                  shift == Vector3{} ? "" : ", shifted by " + text(shift) + " of its steps"));
      for (size_t s = 0; s < operations.size(); ++s) {
        const Vector3 image = operations[s](irreducible[k]);
        Point point{{}, static_cast<int>(k), static_cast<int>(s), reversed, {}};
        Miller off{};
        point.at = inside(reversed ? -image : image, off);
        point.shift = -off;
        const int64_t place = cell(point.at);
        if (place < 0)
          throw Failure(SUITE_INVALID_ARGUMENT,
                        fmt::format("{}: operation {} takes {} off the grid{}", what, s + 1, text(irreducible[k]),
                                    shift == Vector3{} ? "" : ", which is shifted; an unshifted one has the symmetry of the lattice"));
        if (index_[place] < 0) {
          index_[place] = size();
          points_.push_back(point);
        } else if (Point& known = points_[index_[place]]; known.irreducible == point.irreducible && known.reversed == reversed) {
          known = point;
        }
      }
    }
  }
  if (points_.size() != index_.size())
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("{}: the points and their images are {} of the {} of the grid", what, points_.size(), index_.size()));
}

int64_t FullGrid::cell(const Vector3& k) const {
  int64_t place = 0;
  for (int i = 0; i < 3; ++i) {
    const double steps = k[i] * grid_[i] - shift_[i];
    const double whole = std::round(steps);
    if (!(std::abs(steps - whole) <= tolerance * grid_[i])) return -1;
    const int64_t n = static_cast<int64_t>(whole) % grid_[i];
    place = place * grid_[i] + (n < 0 ? n + grid_[i] : n);
  }
  return place;
}

FullGrid::Found FullGrid::find(const Vector3& k) const {
  const int64_t place = cell(k);
  if (place < 0) return {};
  const int index = index_[place];
  return {index, nearest(k - points_[index].at)};
}

namespace {

constexpr double cells = 4096;  // of AllImages along an axis

// The cell of a point, or of one next to it, for all that differ by a lattice vector.
int64_t cell_of(const Vector3& k, double beside_x = 0, double beside_y = 0, double beside_z = 0) {
  const std::array<double, 3> beside{beside_x, beside_y, beside_z};
  int64_t cell = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double at = k[i] + beside[i];
    cell = cell * static_cast<int64_t>(cells) + static_cast<int64_t>((at - std::floor(at)) * cells) % static_cast<int64_t>(cells);
  }
  return cell;
}

}  // namespace

AllImages::AllImages(const std::vector<Vector3>& stored, const std::vector<Operation>& operations) {
  for (bool reversed : {false, true})
    for (size_t k = 0; k < stored.size(); ++k)
      for (size_t s = 0; s < operations.size(); ++s) {
        const Vector3 image = operations[s](stored[k]);
        FullGrid::Point point{{}, static_cast<int>(k), static_cast<int>(s), reversed, {}};
        Miller off{};
        point.at = inside(reversed ? -image : image, off);
        point.shift = -off;
        if (find(point.at).index < 0) add(point);
      }
}

// Into every cell that holds points equivalent to it: mostly one, up to eight where it lies at a corner.
void AllImages::add(const FullGrid::Point& point) {
  constexpr double away = 2 * same_point;
  std::set<int64_t> near;
  for (const double x : {-away, away})
    for (const double y : {-away, away})
      for (const double z : {-away, away}) near.insert(cell_of(point.at, x, y, z));
  for (const int64_t cell : near) in_cell_.emplace(cell, size());
  points_.push_back(point);
}

FullGrid::Found AllImages::find(const Vector3& k) const {
  FullGrid::Found found;
  const auto [begin, end] = in_cell_.equal_range(cell_of(k));
  for (auto it = begin; it != end; ++it) {
    const Vector3& at = points_[static_cast<size_t>(it->second)].at;
    if ((found.index < 0 || it->second < found.index) && equivalent(k, at)) found = {it->second, nearest(k - at)};
  }
  return found;
}

std::vector<Star> irreducible_stars(const FullGrid& q, const Vector3& k, const std::vector<Operation>& operations, bool symmetry) {
  std::vector<Star> stars;
  std::vector<const Operation*> little;
  for (const auto& operation : operations) {
    const Vector3 moved = operation(k) - k;
    if (symmetry && distance(moved, real(nearest(moved))) <= tolerance) little.push_back(&operation);
  }
  std::vector<int> star_of(q.size(), -1);
  for (int i = 0; i < q.size(); ++i) {
    if (star_of[i] >= 0) continue;
    star_of[i] = static_cast<int>(stars.size());
    stars.push_back({i, 1});
    for (const Operation* operation : little) {
      const auto image = q.find((*operation)(q[i].at));
      if (image.index < 0 || star_of[image.index] >= 0) continue;
      star_of[image.index] = star_of[i];
      ++stars.back().weight;
    }
  }
  return stars;
}

std::vector<WedgePoint> wedge_of(const Miller& grid, const std::vector<Operation>& operations, const std::string& what) {
  std::vector<WedgePoint> chosen;
  std::vector<char> known(static_cast<size_t>(grid[0]) * grid[1] * grid[2]);
  const auto place = [&](const Vector3& q) {
    int64_t at = 0;
    for (int i = 0; i < 3; ++i) {
      const int64_t n = std::lround(q[i] * grid[i]) % grid[i];
      at = at * grid[i] + (n < 0 ? n + grid[i] : n);
    }
    return static_cast<size_t>(at);
  };
  for (int a = 0; a < grid[0]; ++a)
    for (int b = 0; b < grid[1]; ++b)
      for (int c = 0; c < grid[2]; ++c) {
        const Vector3 q{double(a) / grid[0], double(b) / grid[1], double(c) / grid[2]};
        if (known[place(q)]) continue;
        WedgePoint& point = chosen.emplace_back(WedgePoint{q, 0});
        for (const Operation& operation : operations)
          for (double sign : {1.0, -1.0}) {
            Vector3 image = operation(q);
            for (int i = 0; i < 3; ++i) {
              image[i] *= sign;
              if (!(std::abs(image[i] * grid[i] - std::round(image[i] * grid[i])) <= same_point * grid[i]))
                throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} {} has not the symmetry of the crystal: an operation takes {} off it",
                                                                  what, text(grid), text(q)));
            }
            char& there = known[place(image)];
            if (!there) ++point.weight;
            there = 1;
          }
      }
  return chosen;
}

}  // namespace suite::gw
