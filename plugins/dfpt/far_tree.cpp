// SPDX-License-Identifier: BSD-3-Clause
#include "far_tree.hpp"

namespace suite::dfpt {
namespace {

// (radius/distance)^(order+1) of what is left out. Potentials come out to better than 1e-9 of the largest
// with it (docs/performance/dfpt.sum_up.md).
constexpr double accuracy = 1e-9;
constexpr int64_t source_leaf = 8;  // atoms that are not parted into cells
// Cycles for a point and an atom directly; for a product of a component of both expansions.
constexpr double direct_cycles = 10, product_cycles = 1.2;

// The least order with which a ball of this radius may be expanded at this distance.
int order_for(double radius, double reach) {
  if (!(reach > 0) || !(radius < 0.5 * reach)) return most_order + 1;
  if (radius < 1e-12 * reach) return 0;
  const double order = std::ceil(std::log(accuracy) / std::log(radius / reach)) - 1;
  return static_cast<int>(std::clamp(order, 0.0, most_order + 1.0));
}

}  // namespace

void FarTree::prepare(const SumUpCall& call, const SumUp& arrays, const CellTree& points) {
  points_ = &points;
  l_max_ = call.l_max;
  sources_.build(arrays.atom_coords.data(), call.n_atoms, source_leaf, 1);
  nuclei_.assign(arrays.atom_coords.data(), arrays.atom_coords.data() + 3 * call.n_atoms);
  radius_.clear();
  for (int64_t a = 0; a < call.n_atoms; ++a) radius_.push_back(arrays.radius_of(a));
  cell_radius_.assign(sources_.cells.size(), 0);
  for (size_t c = 0; c < sources_.cells.size(); ++c)
    for (int64_t i = sources_.cells[c].begin; i < sources_.cells[c].end; ++i)
      cell_radius_[c] = std::max(cell_radius_[c], radius_[at(sources_.order[at(i)])]);
  far_.assign(points.cells.size(), {});
  direct_.assign(points.cells.size(), {});
  visit(0, {{0, true}});
  find_orders();
}

// Sources are taken at this target, at its children, or by its leaves directly.
void FarTree::visit(int32_t target, const std::vector<Source>& candidates) {
  const Cell& T = points_->cells[at(target)];
  std::vector<Source> open = candidates, later;
  while (!open.empty()) {
    const Source source = open.back();
    open.pop_back();
    if (take(target, source)) continue;
    if (source.is_cell) {
      if (T.is_leaf() || sources_.cells[at(source.number)].ball.radius > T.ball.radius) split(source.number, open);
      else later.push_back(source);
      continue;
    }
    const Side side = side_of(T.ball, place(source), radius_[at(source.number)]);
    if (side == Side::near_by) continue;
    if (T.is_leaf()) direct_[at(target)].push_back(source.number);
    else later.push_back(source);
  }
  if (T.is_leaf()) return;
  const int32_t child = T.child;
  visit(child, later);
  visit(child + 1, later);
}

void FarTree::split(int32_t cell, std::vector<Source>& to) const {
  const Cell& S = sources_.cells[at(cell)];
  if (!S.is_leaf()) {
    to.push_back({S.child, true});
    to.push_back({S.child + 1, true});
    return;
  }
  for (int64_t i = S.begin; i < S.end; ++i) to.push_back({sources_.order[at(i)], false});
}

// By an expansion, where that is exact enough and cheaper than all pairs.
bool FarTree::take(int32_t target, Source source) {
  const Cell& T = points_->cells[at(target)];
  const Cell* const S = source.is_cell ? &sources_.cells[at(source.number)] : nullptr;
  const double r = distance(T.ball.centre, place(source)), radius = S ? S->ball.radius : 0;
  const double outside = S ? cell_radius_[at(source.number)] : radius_[at(source.number)];
  if (side_of(r - T.ball.radius - radius, r, outside) != Side::far_away) return false;
  const int order = order_for(T.ball.radius, r - radius), source_order = S ? order_for(radius, r - T.ball.radius) : l_max_;
  if (order > most_order || (S && source_order > cell_order)) return false;
  // A cell's multipoles begin with those of its atoms.
  const int used = std::max(source_order, l_max_);
  const double atoms = S ? static_cast<double>(S->count()) : 1;
  if (S && whole_count(used) > atoms * whole_count(l_max_)) return false;
  const double cost = product_cycles * half_count(order) * whole_count(used);
  if (cost > direct_cycles * atoms * static_cast<double>(T.count())) return false;
  far_[at(target)].push_back({source, static_cast<int8_t>(order), static_cast<int8_t>(used)});
  return true;
}

// An expansion keeps what its own sources need, and of what comes from above what counts at its size.
void FarTree::find_orders() {
  const auto& cells = points_->cells;
  order_.assign(cells.size(), -1);
  std::vector<double> reach(cells.size(), 1e300);  // the least distance that a cell's expansion comes from
  for (size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].parent >= 0 && order_[at(cells[c].parent)] >= 0) {
      reach[c] = reach[at(cells[c].parent)];
      order_[c] = std::min(order_[at(cells[c].parent)], order_for(cells[c].ball.radius, reach[c]));
    }
    for (const Taken& far : far_[c]) {
      const double radius = far.source.is_cell ? sources_.cells[at(far.source.number)].ball.radius : 0;
      reach[c] = std::min(reach[c], distance(cells[c].ball.centre, place(far.source)) - radius);
      order_[c] = std::max<int32_t>(order_[c], far.order);
    }
  }
}

}  // namespace suite::dfpt
