// SPDX-License-Identifier: BSD-3-Clause
#include "images.hpp"

#include <algorithm>
#include <cmath>

namespace suite::all_electron {
namespace {

double squared_distance(const double* a, const double* b) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

void append(Images& images, size_t atom, const Place& r, const Cell& cell) {
  images.coords.insert(images.coords.end(), r.begin(), r.end());
  images.home.push_back(static_cast<int32_t>(atom) + 1);
  images.cell.push_back(cell);
}

}  // namespace

std::vector<int32_t> Images::spread(const std::vector<int32_t>& values) const {
  std::vector<int32_t> all;
  for (const int32_t atom : home) all.push_back(values[static_cast<size_t>(atom - 1)]);
  return all;
}

Images images_reaching(const Lattice& lattice, std::span<const double> atoms, const std::vector<double>& reach,
                       std::span<const double> points) {
  Images images;
  const size_t n_points = points.size() / 3;
  Place centre{};
  for (size_t i = 0; i < points.size(); ++i) centre[i % 3] += points[i] / static_cast<double>(n_points);
  double radius = 0;
  for (size_t p = 0; p < n_points; ++p) radius = std::max(radius, std::sqrt(squared_distance(centre.data(), &points[3 * p])));
  for (size_t a = 0; a < reach.size(); ++a) append(images, a, {atoms[3 * a], atoms[3 * a + 1], atoms[3 * a + 2]}, {0, 0, 0});
  for (size_t a = 0; a < reach.size(); ++a) {
    const double* const home = &atoms[3 * a];
    for (const Cell& cell : lattice.cells_within({home[0] - centre[0], home[1] - centre[1], home[2] - centre[2]}, radius + reach[a])) {
      if (cell == Cell{0, 0, 0}) continue;
      Place r = lattice.place(cell);
      for (size_t d = 0; d < 3; ++d) r[d] += home[d];
      bool reaches = false;
      for (size_t p = 0; p < n_points && !reaches; ++p) reaches = squared_distance(r.data(), &points[3 * p]) < reach[a] * reach[a];
      if (reaches) append(images, a, r, cell);
    }
  }
  return images;
}

}  // namespace suite::all_electron
