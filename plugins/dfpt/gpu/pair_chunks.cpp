// SPDX-License-Identifier: BSD-3-Clause
#include "pair_chunks.hpp"

#include <algorithm>
#include <cmath>

namespace suite::dfpt {
namespace {

constexpr int64_t group_points = 128;

struct Input {
  const double *coords, *atom_coords;
  int64_t n_points;
  const std::vector<NearAtom>& atoms;
  const std::vector<RadialGrid>& grids;
  std::vector<double> radius_squared;

  bool is_near(int64_t point, int64_t atom) const {
    return dfpt::is_near(coords + 3 * point, atom_coords + 3 * atom, radius_squared[static_cast<size_t>(atom)]);
  }
  // Pairs of one table and interval have the same, and neighbouring intervals neighbouring ones.
  uint64_t order(int64_t point, int64_t atom) const {
    const double *const r = coords + 3 * point, *const R = atom_coords + 3 * atom;
    const NearAtom& a = atoms[static_cast<size_t>(atom)];
    const RadialGrid& grid = grids[static_cast<size_t>(a.grid)];
    const Knot knot = grid.position(std::sqrt(square(r[0] - R[0], r[1] - R[1], r[2] - R[2])));
    return static_cast<uint64_t>(a.table) * static_cast<uint64_t>(grid.n_knots) + static_cast<uint64_t>(knot.number);
  }
};

template <class F> void for_groups(const Input& in, const F& f) {
  const int64_t groups = (in.n_points + group_points - 1) / group_points;
#pragma omp parallel for schedule(dynamic)
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t first = g * group_points, last = std::min(first + group_points, in.n_points);
    const std::vector<int32_t> atoms = atoms_near(in.coords, first, last, in.atom_coords, in.radius_squared);
    for (int64_t p = first; p < last; ++p) f(p, atoms);
  }
}

// Slots count from 0 in each chunk; `last` holds the number of the point's pairs at first.
void cut(NearPairs& made, int64_t capacity) {
  const int64_t n_points = static_cast<int64_t>(made.slots.size());
  int64_t before = 0;
  for (int64_t first = 0; first < n_points; first += group_points) {
    const int64_t last = std::min(first + group_points, n_points);
    int64_t pairs = 0;
    for (int64_t p = first; p < last; ++p) pairs += made.slots[static_cast<size_t>(p)].last;
    if (made.chunks.empty() || made.chunks.back().pairs + pairs > capacity) made.chunks.push_back({first, first, before, 0});
    PairChunk& chunk = made.chunks.back();
    for (int64_t p = first; p < last; ++p) {
      PointSlots& slots = made.slots[static_cast<size_t>(p)];
      slots.first = static_cast<int32_t>(chunk.pairs);
      chunk.pairs += slots.last;
      slots.last = static_cast<int32_t>(chunk.pairs);
    }
    chunk.last_point = last;
    before += pairs;
  }
  made.pairs.resize(static_cast<size_t>(before));
}

void fill(const Input& in, NearPairs& made) {
  std::vector<int64_t> first_pair(made.slots.size());
  for (const PairChunk& chunk : made.chunks)
    std::fill(first_pair.begin() + chunk.first_point, first_pair.begin() + chunk.last_point, chunk.first_pair);
  for_groups(in, [&](int64_t p, const std::vector<int32_t>& atoms) {
    int32_t slot = made.slots[static_cast<size_t>(p)].first;
    for (const int32_t a : atoms)
      if (in.is_near(p, a)) {
        made.pairs[static_cast<size_t>(first_pair[static_cast<size_t>(p)] + slot)] = {static_cast<int32_t>(p), a, slot};
        ++slot;
      }
  });
}

void sort_chunk(const Input& in, NearPairs& made, const PairChunk& chunk) {
  struct Keyed {
    uint64_t order;
    NearPair pair;
  };
  const auto begin = made.pairs.begin() + chunk.first_pair;
  std::vector<Keyed> keyed;
  keyed.reserve(static_cast<size_t>(chunk.pairs));
  for (auto pair = begin; pair < begin + chunk.pairs; ++pair) keyed.push_back({in.order(pair->point, pair->atom), *pair});
  std::sort(keyed.begin(), keyed.end(),
            [](const Keyed& a, const Keyed& b) { return a.order != b.order ? a.order < b.order : a.pair.slot < b.pair.slot; });
  std::transform(keyed.begin(), keyed.end(), begin, [](const Keyed& k) { return k.pair; });
}

}  // namespace

NearPairs near_pairs(const double* coords, int64_t n_points, const double* atom_coords, const std::vector<NearAtom>& atoms,
                     const std::vector<RadialGrid>& grids, int64_t capacity) {
  Input in{coords, atom_coords, n_points, atoms, grids, {}};
  for (const NearAtom& atom : atoms) in.radius_squared.push_back(atom.radius_squared);
  NearPairs made;
  made.slots.resize(static_cast<size_t>(n_points));
  for_groups(in, [&](int64_t p, const std::vector<int32_t>& candidates) {
    int32_t count = 0;
    for (const int32_t a : candidates) count += in.is_near(p, a);
    made.slots[static_cast<size_t>(p)].last = count;
  });
  cut(made, capacity);
  fill(in, made);
  const auto chunks = static_cast<int64_t>(made.chunks.size());
#pragma omp parallel for schedule(dynamic)
  for (int64_t c = 0; c < chunks; ++c) sort_chunk(in, made, made.chunks[static_cast<size_t>(c)]);
  return made;
}

}  // namespace suite::dfpt
