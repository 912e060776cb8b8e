// SPDX-License-Identifier: BSD-3-Clause
#include "near_pairs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace suite::dfpt::cl {
namespace {

struct Box {
  std::array<double, 3> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(const double* point) {
    for (size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], point[k]);
      high[k] = std::max(high[k], point[k]);
    }
  }
  double square_to(const double* point) const {
    double square = 0;
    for (size_t k = 0; k < 3; ++k) {
      const double out = std::max({low[k] - point[k], point[k] - high[k], 0.0});
      square += out * out;
    }
    return square;
  }
};

// One block's runs, with numbers that begin at 0.
class Block {
public:
  Block(const double* coords, int64_t first, int64_t last, const AtomTables& atoms, int lanes)
      : coords_(coords), first_(first), last_(last), atoms_(atoms), lanes_(lanes) {
    Box box;
    for (int64_t p = first; p < last; ++p) box.add(coords + 3 * p);
    for (size_t a = 0; a < atoms.radius.size(); ++a) {
      const double border = atoms.radius[a] * (1 + 1e-12);
      if (box.square_to(atoms.coords + 3 * a) <= border * border) add_atom(a, border * border);
    }
  }
  NearPairs runs;

private:
  void add_atom(size_t a, double border) {
    const double* const nucleus = atoms_.coords + 3 * a;
    near_.clear();
    const RadialGrid& grid = atoms_.grid[a];
    count_.assign(static_cast<size_t>(grid.n_knots) + 1, 0);
    for (int64_t p = first_; p < last_; ++p) {
      const double x = coords_[3 * p] - nucleus[0], y = coords_[3 * p + 1] - nucleus[1],
                   z = coords_[3 * p + 2] - nucleus[2], square = x * x + y * y + z * z;
      if (!(square <= border)) continue;
      const int32_t knot = grid.position(std::sqrt(square)).number;
      near_.push_back({static_cast<int32_t>(p), knot});
      ++count_[static_cast<size_t>(knot)];
    }
    if (near_.empty()) return;
    fill_vectors(a);
  }

  // By counting: the place of each knot's first pair, in whole vectors.
  void fill_vectors(size_t a) {
    const auto lanes = static_cast<size_t>(lanes_);
    const size_t before = runs.vector_knot.size();
    size_t place = runs.pair_point.size();
    for (size_t knot = 0; knot < count_.size(); ++knot) {
      const size_t vectors = (static_cast<size_t>(count_[knot]) + lanes - 1) / lanes;
      runs.vector_knot.insert(runs.vector_knot.end(), vectors, static_cast<int32_t>(knot));
      count_[knot] = static_cast<int64_t>(place);
      place += vectors * lanes;
    }
    runs.pair_point.resize(place, -1);
    for (const Pair& pair : near_)
      runs.pair_point[static_cast<size_t>(count_[static_cast<size_t>(pair.knot)]++)] = pair.point;
    runs.run_atom.push_back(static_cast<int32_t>(a));
    runs.run_vector.push_back(static_cast<int32_t>(before));
  }

  struct Pair {
    int32_t point, knot;
  };
  const double* coords_;
  int64_t first_, last_;
  const AtomTables& atoms_;
  int lanes_;
  std::vector<Pair> near_;
  std::vector<int64_t> count_;
};

}  // namespace

NearPairs near_pairs(const double* coords, int64_t n_points, const AtomTables& atoms, int64_t block,
                     int lanes) {
  const int64_t n_blocks = (n_points + block - 1) / block;
  std::vector<NearPairs> parts(static_cast<size_t>(n_blocks));
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < n_blocks; ++b)
    parts[static_cast<size_t>(b)] =
        Block(coords, b * block, std::min(n_points, (b + 1) * block), atoms, lanes).runs;
  NearPairs all;
  for (NearPairs& part : parts) {
    const auto vectors = static_cast<int32_t>(all.vector_knot.size());
    all.block_run.push_back(static_cast<int32_t>(all.run_atom.size()));
    for (int32_t& first : part.run_vector) first += vectors;
    all.run_atom.insert(all.run_atom.end(), part.run_atom.begin(), part.run_atom.end());
    all.run_vector.insert(all.run_vector.end(), part.run_vector.begin(), part.run_vector.end());
    all.vector_knot.insert(all.vector_knot.end(), part.vector_knot.begin(), part.vector_knot.end());
    all.pair_point.insert(all.pair_point.end(), part.pair_point.begin(), part.pair_point.end());
    part = NearPairs();
  }
  all.block_run.push_back(static_cast<int32_t>(all.run_atom.size()));
  all.run_vector.push_back(static_cast<int32_t>(all.vector_knot.size()));
  return all;
}

}  // namespace suite::dfpt::cl
