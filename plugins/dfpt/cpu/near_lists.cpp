// SPDX-License-Identifier: BSD-3-Clause
#include "points.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

class Maker {
public:
  Maker(const SumUpCall& call, const SumUpArrays& arrays, const SortedPoints& points)
      : call_(call), arrays_(arrays), points_(points) {}
  NearList operator()(const Cell& chunk, const std::vector<int32_t>& leaves);

private:
  void find(const Cell& chunk, const std::vector<int32_t>& leaves, int64_t atom);
  void sort(const Cell& chunk, int64_t atom, NearList& list);
  const SumUpCall& call_;
  const SumUpArrays& arrays_;
  const SortedPoints& points_;
  Integers place_, knot_;      // of the points that were found
  std::vector<int64_t> next_;  // of each knot: where its next point goes
};

NearList Maker::operator()(const Cell& chunk, const std::vector<int32_t>& leaves) {
  NearList list;
  for (int64_t atom = 0; atom < call_.n_atoms; ++atom) {
    if (side_of(chunk.ball, arrays_.atom_coords + 3 * atom, arrays_.radius_of(atom)) == Side::far_away)
      continue;
    find(chunk, leaves, atom);
    if (!place_.empty()) sort(chunk, atom, list);
  }
  list.places.shrink_to_fit();
  return list;
}

void Maker::find(const Cell& chunk, const std::vector<int32_t>& leaves, int64_t atom) {
  const double* const nucleus = arrays_.atom_coords + 3 * atom;
  const double radius = arrays_.radius_of(atom);
  const RadialGrid& grid = call_.grids[at(arrays_.species[atom] - 1)];
  place_.clear();
  knot_.clear();
  for (const int32_t l : leaves) {
    const Cell& leaf = points_.tree.cells[at(l)];
    const Side side = side_of(leaf.ball, nucleus, radius);
    if (side == Side::far_away) continue;
    for (int64_t p = leaf.begin; p < leaf.end; p += lanes) {
      const double *const x = &points_.x[at(p)], *const y = &points_.y[at(p)], *const z = &points_.z[at(p)];
      const Mask near = side == Side::near_by ? ~Mask{} : is_near(x, y, z, nucleus, radius);
      if (!cpu::any(near)) continue;
      const Mask knot = position(grid, way_to(load(x), load(y), load(z), nucleus).r).number;
      for (int64_t i = 0; i < std::min<int64_t>(lanes, leaf.end - p); ++i)
        if (near[i]) {
          place_.push_back(static_cast<int32_t>(p - chunk.begin + i));
          knot_.push_back(static_cast<int32_t>(knot[i]));
        }
    }
  }
}

// By counting.
void Maker::sort(const Cell& chunk, int64_t atom, NearList& list) {
  next_.assign(at(call_.n_knots), 0);
  for (const int32_t knot : knot_) ++next_[at(knot)];
  const size_t runs_before = list.runs.size();
  int64_t end = std::ssize(list.places);
  for (int64_t knot = 0; knot < call_.n_knots; ++knot) {
    const int64_t vectors = rounded(next_[at(knot)], lanes) / lanes;
    next_[at(knot)] = end;
    if (vectors == 0) continue;
    list.runs.push_back({static_cast<int32_t>(knot), static_cast<int32_t>(vectors)});
    end += vectors * lanes;
  }
  list.places.resize(at(end), static_cast<uint16_t>(chunk.count()));
  for (size_t i = 0; i < place_.size(); ++i)
    list.places[at(next_[at(knot_[i])]++)] = static_cast<uint16_t>(place_[i]);
  list.atoms.push_back({static_cast<int32_t>(atom), static_cast<int32_t>(list.runs.size() - runs_before)});
}

}  // namespace

NearList near_list(const SumUpCall& call, const SumUpArrays& arrays, const SortedPoints& points,
                   const Cell& chunk, const std::vector<int32_t>& leaves) {
  return Maker(call, arrays, points)(chunk, leaves);
}

}  // namespace suite::dfpt
