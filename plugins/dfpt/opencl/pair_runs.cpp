// SPDX-License-Identifier: BSD-3-Clause
#include "pair_runs.hpp"

#include <algorithm>

namespace suite::dfpt::cl {
namespace {

// One block's runs, with numbers that begin at 0.
class Block {
public:
  Block(const double* coords, int64_t first, int64_t last, const AtomTables& atoms, int lanes)
      : coords_(coords), first_(first), last_(last), atoms_(atoms), lanes_(lanes) {
    for (const int32_t a : atoms_near(coords, first, last, atoms.coords, atoms.radius_squared)) add_atom(static_cast<size_t>(a));
  }
  NearPairs runs;

private:
  void add_atom(size_t a) {
    const double* const nucleus = atoms_.coords + 3 * a;
    near_.clear();
    const RadialGrid& grid = atoms_.grid[a];
    count_.assign(static_cast<size_t>(grid.n_knots) + 1, 0);
    for (int64_t p = first_; p < last_; ++p) {
      const double x = coords_[3 * p] - nucleus[0], y = coords_[3 * p + 1] - nucleus[1], z = coords_[3 * p + 2] - nucleus[2],
                   squared = x * x + y * y + z * z;
      if (!may_be_near(squared, atoms_.radius_squared[a])) continue;
      const int32_t knot = grid.position(std::sqrt(squared)).number;
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
    for (const Pair& pair : near_) runs.pair_point[static_cast<size_t>(count_[static_cast<size_t>(pair.knot)]++)] = pair.point;
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

NearPairs near_pairs(const double* coords, int64_t n_points, const AtomTables& atoms, int64_t block, int lanes) {
  const int64_t n_blocks = (n_points + block - 1) / block;
  std::vector<NearPairs> parts(static_cast<size_t>(n_blocks));
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < n_blocks; ++b)
    parts[static_cast<size_t>(b)] = Block(coords, b * block, std::min(n_points, (b + 1) * block), atoms, lanes).runs;
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
