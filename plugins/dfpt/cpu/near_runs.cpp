// SPDX-License-Identifier: BSD-3-Clause
#include "points.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

class Maker {
public:
  Maker(const SumUpCall& call, const SumUp& arrays, const SortedPoints& points) : call_(call), arrays_(arrays), points_(points) {}
  NearList operator()(const Cell& chunk, const std::vector<int32_t>& leaves);

private:
  void find(const Cell& chunk, const std::vector<int32_t>& leaves, int64_t atom, NearList& list);
  void sort(const Cell& chunk, int64_t atom, NearList& list);
  const SumUpCall& call_;
  const SumUp& arrays_;
  const SortedPoints& points_;
  Integers place_, knot_;      // of the points that are near
  Integers far_;               // places of those that are not, in the same leaves
  std::vector<int64_t> next_;  // of each knot: where its next point goes
};

NearList Maker::operator()(const Cell& chunk, const std::vector<int32_t>& leaves) {
  NearList list;
  list.atoms_near.resize(leaves.size());
  for (int64_t atom = 0; atom < call_.n_atoms; ++atom) {
    if (side_of(chunk.ball, &arrays_.atom_coords(0, atom), arrays_.radius_of(atom)) == Side::far_away) continue;
    find(chunk, leaves, atom, list);
    if (!place_.empty()) sort(chunk, atom, list);
  }
  list.places.resize(list.places.size() + list.ahead * lanes);
  list.places.shrink_to_fit();
  return list;
}

void Maker::find(const Cell& chunk, const std::vector<int32_t>& leaves, int64_t atom, NearList& list) {
  const double* const nucleus = &arrays_.atom_coords(0, atom);
  const double radius = arrays_.radius_of(atom);
  const RadialGrid& grid = call_.grids[at(arrays_.species(atom) - 1)];
  place_.clear();
  knot_.clear();
  far_.clear();
  for (size_t l = 0; l < leaves.size(); ++l) {
    const Cell& leaf = points_.tree.cells[at(leaves[l])];
    const Side side = side_of(leaf.ball, nucleus, radius);
    if (side == Side::far_away) continue;
    const size_t near_before = place_.size(), far_before = far_.size();
    for (int64_t p = leaf.begin; p < leaf.end; p += lanes) {
      const Vector r = displacement_to(load(&points_.x[at(p)]), load(&points_.y[at(p)]), load(&points_.z[at(p)]), nucleus).r;
      const Mask near = side == Side::near_by ? ~Mask{} : r < fill(radius), knot = position(grid, r).number;
      for (int64_t i = 0; i < std::min<int64_t>(lanes, leaf.end - p); ++i) {
        const auto place = static_cast<int32_t>(p - chunk.begin + i);
        if (near[i]) {
          place_.push_back(place);
          knot_.push_back(static_cast<int32_t>(knot[i]));
        } else {
          far_.push_back(place);
        }
      }
    }
    if (place_.size() > near_before) list.atoms_near[l].push_back(static_cast<int32_t>(atom));
    else far_.resize(far_before);
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
  const int64_t vectors = rounded(std::ssize(far_), lanes) / lanes;
  if (vectors > 0) list.runs.push_back({NearList::Run::far_away, static_cast<int32_t>(vectors)});
  list.places.resize(at(end + vectors * lanes), static_cast<uint16_t>(chunk.count()));
  std::ranges::copy(far_, list.places.begin() + end);
  for (size_t i = 0; i < place_.size(); ++i) list.places[at(next_[at(knot_[i])]++)] = static_cast<uint16_t>(place_[i]);
  list.atoms.push_back({static_cast<int32_t>(atom), static_cast<int32_t>(list.runs.size() - runs_before)});
}

}  // namespace

NearList near_list(const SumUpCall& call, const SumUp& arrays, const SortedPoints& points, const Cell& chunk,
                   const std::vector<int32_t>& leaves) {
  return Maker(call, arrays, points)(chunk, leaves);
}

}  // namespace suite::dfpt
