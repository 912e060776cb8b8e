// SPDX-License-Identifier: BSD-3-Clause
#include "far_tree.hpp"

namespace suite::dfpt {
namespace {

// (radius/distance)^(order+1) of what is left out. Potentials come out to better than 1e-9 of the largest
// with it (docs/performance/dfpt.sum_up.md).
constexpr double accuracy = 1e-9;
constexpr int64_t source_leaf = 8;  // atoms that are not parted into cells
constexpr int cell_order = 12;      // of a cell's multipoles
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

void FarTree::prepare(const SumUpCall& call, const SumUp& arrays, const SortedPoints& points,
                      const std::vector<std::vector<int32_t>>& leaves) {
  points_ = &points;
  l_max_ = call.l_max;
  n_dir_ = call.n_dir;
  n_atoms_ = call.n_atoms;
  sources_.build(arrays.atom_coords.data(), n_atoms_, source_leaf, 1);
  nuclei_.assign(arrays.atom_coords.data(), arrays.atom_coords.data() + 3 * n_atoms_);
  radius_.clear();
  for (int64_t a = 0; a < n_atoms_; ++a) radius_.push_back(arrays.radius_of(a));
  cell_radius_.assign(sources_.cells.size(), 0);
  for (size_t c = 0; c < sources_.cells.size(); ++c)
    for (int64_t i = sources_.cells[c].begin; i < sources_.cells[c].end; ++i)
      cell_radius_[c] = std::max(cell_radius_[c], radius_[at(sources_.order[at(i)])]);
  const size_t n_cells = points.tree.cells.size();
  far_.assign(n_cells, {});
  direct_.assign(n_cells, {});
  visit(0, {{0, true}});
  find_orders();
  cells_.assign(leaves.size(), {});
  above_.clear();
  above_local_ = most_local_ = 0;
  offset_.assign(n_cells, -1);
  for (size_t chunk = 0; chunk < leaves.size(); ++chunk) share_chunk(static_cast<int64_t>(chunk));
  for (size_t c = 0; c < n_cells; ++c)
    if (offset_[c] < 0) {
      above_.push_back(static_cast<int32_t>(c));
      offset_[c] = above_local_;
      above_local_ += order_[c] < 0 ? 0 : half_count(order_[c]);
    }
}

// Sources are taken at this target, at its children, or by its leaves directly.
void FarTree::visit(int32_t target, const std::vector<Source>& candidates) {
  const Cell& T = points_->tree.cells[at(target)];
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
  const Cell& T = points_->tree.cells[at(target)];
  const Cell* const S = source.is_cell ? &sources_.cells[at(source.number)] : nullptr;
  const double r = distance(T.ball.centre, place(source)), radius = S ? S->ball.radius : 0;
  const double outside = S ? cell_radius_[at(source.number)] : radius_[at(source.number)];
  if (side_of(r - T.ball.radius - radius, r, outside) != Side::far_away) return false;
  const int order = order_for(T.ball.radius, r - radius), source_order = S ? order_for(radius, r - T.ball.radius) : l_max_;
  if (order > most_order || (S && source_order > cell_order)) return false;
  // A cell's multipoles begin with those of its atoms.
  const int used = std::max(source_order, l_max_);
  const double atoms = S ? real(S->count()) : 1;
  if (S && real(whole_count(used)) > atoms * real(whole_count(l_max_))) return false;
  const double cost = product_cycles * real(half_count(order) * whole_count(used));
  if (cost > direct_cycles * atoms * real(T.count())) return false;
  far_[at(target)].push_back({source, static_cast<int8_t>(order), static_cast<int8_t>(used)});
  return true;
}

// An expansion keeps what its own sources need, and of what comes from above what counts at its size.
void FarTree::find_orders() {
  const auto& cells = points_->tree.cells;
  order_.assign(cells.size(), -1);
  reach_.assign(cells.size(), 1e300);
  for (size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].parent >= 0 && order_[at(cells[c].parent)] >= 0) {
      reach_[c] = reach_[at(cells[c].parent)];
      order_[c] = std::min(order_[at(cells[c].parent)], order_for(cells[c].ball.radius, reach_[c]));
    }
    for (const Taken& far : far_[c]) {
      const double radius = far.source.is_cell ? sources_.cells[at(far.source.number)].ball.radius : 0;
      reach_[c] = std::min(reach_[c], distance(cells[c].ball.centre, place(far.source)) - radius);
      order_[c] = std::max<int32_t>(order_[c], far.order);
    }
  }
}

void FarTree::share_chunk(int64_t chunk) {
  const auto& cells = points_->tree.cells;
  std::vector<int32_t>& mine = cells_[at(chunk)];
  mine.push_back(points_->chunks[at(chunk)]);
  int64_t local = 0;
  for (size_t i = 0; i < mine.size(); ++i) {
    const int32_t c = mine[i];
    offset_[at(c)] = local;
    local += order_[at(c)] < 0 ? 0 : half_count(order_[at(c)]);
    if (cells[at(c)].is_leaf()) continue;
    mine.push_back(cells[at(c)].child);
    mine.push_back(cells[at(c)].child + 1);
  }
  most_local_ = std::max(most_local_, local);
}

const Eight* FarTree::multipole(Source source, int64_t group) const {
  const auto* const of_atoms = reinterpret_cast<const Eight*>(atoms_.data());
  const auto* const of_cells = reinterpret_cast<const Eight*>(multipoles_.data());
  return source.is_cell ? of_cells + half_count(cell_order) * (group * std::ssize(sources_.cells) + source.number)
                        : of_atoms + half_count(l_max_) * (group * n_atoms_ + source.number);
}

void FarTree::make_multipoles(const SumUp& arrays, int64_t group, int64_t threads) {
  const int64_t n_lm = components(l_max_), next = n_lm * arrays.n_tables();
  for (int64_t a = 0; a < n_atoms_; ++a)
    read_moments(arrays.moments.data() + n_lm * (arrays.atom_table(a) - 1) + next * 3 * group, next, many(group), l_max_,
                 const_cast<Eight*>(multipole({static_cast<int32_t>(a), false}, group)));
  const auto& cells = sources_.cells;
  const auto one = [&](int64_t c) {
    const Cell& S = cells[at(c)];
    auto* const M = const_cast<Eight*>(multipole({static_cast<int32_t>(c), true}, group));
    std::fill_n(M, half_count(cell_order), Eight{});
    std::vector<Source> parts;
    split(static_cast<int32_t>(c), parts);
    for (const Source part : parts) {
      double by[3];
      for (int d = 0; d < 3; ++d) by[d] = place(part)[d] - S.ball.centre[d];
      add_multipole(by, multipole(part, group), part.is_cell ? cell_order : l_max_, M, cell_order);
    }
  };
  // Level by level, the lowest first; children lie behind their parents.
  for (int64_t end = std::ssize(cells); end > 0;) {
    int64_t begin = end - 1;
    while (begin > 0 && (cells[at(begin - 1)].is_leaf() || cells[at(begin - 1)].child >= end)) --begin;
    cpu::each(cpu::useful_threads(threads, end - begin, 3e4), end - begin, [&](int64_t i, int) { one(begin + i); });
    end = begin;
  }
}

void FarTree::make_local(int32_t target, int64_t group, Eight* L) const {
  std::fill_n(L, half_count(order_[at(target)]), Eight{});
  const double* const centre = points_->tree.cells[at(target)].ball.centre;
  for (const Taken& far : far_[at(target)]) {
    double by[3];
    for (int d = 0; d < 3; ++d) by[d] = centre[d] - place(far.source)[d];
    add_local(by, multipole(far.source, group), far.source_order, L, far.order);
  }
}

void FarTree::read(const SumUp& arrays, int64_t n_dir, int64_t threads) {
  n_dir_ = n_dir;
  const int64_t groups = (n_dir_ + 2) / 3;
  (void)atoms_.at_least(8 * groups * n_atoms_ * half_count(l_max_));
  (void)multipoles_.at_least(8 * groups * std::ssize(sources_.cells) * half_count(cell_order));
  auto* const locals = reinterpret_cast<Eight*>(locals_.at_least(8 * groups * std::max<int64_t>(above_local_, 1)));
  const auto& cells = points_->tree.cells;
  for (int64_t group = 0; group < groups; ++group) {
    make_multipoles(arrays, group, threads);
    Eight* const mine = locals + group * above_local_;
    const int64_t count = std::ssize(above_);
    cpu::each(cpu::useful_threads(threads, count, 1e5), count, [&](int64_t i, int) {
      if (const int32_t c = above_[at(i)]; order_[at(c)] >= 0) make_local(c, group, mine + offset_[at(c)]);
    });
    for (const int32_t c : above_) {
      const int32_t parent = cells[at(c)].parent;
      if (parent < 0 || order_[at(parent)] < 0) continue;
      double by[3];
      for (int d = 0; d < 3; ++d) by[d] = cells[at(c)].ball.centre[d] - cells[at(parent)].ball.centre[d];
      add_moved(by, mine + offset_[at(parent)], order_[at(parent)], mine + offset_[at(c)], order_[at(c)]);
    }
  }
}

void FarTree::add(int64_t chunk, double* memory, double* potential) const {
  const auto& cells = points_->tree.cells;
  const Cell& all = cells[at(points_->chunks[at(chunk)])];
  const int64_t stride = rounded(all.count(), lanes), groups = (n_dir_ + 2) / 3;
  auto* const mine = reinterpret_cast<Eight*>(memory);
  for (int64_t group = 0; group < groups; ++group)
    for (const int32_t c : cells_[at(chunk)]) {
      const Cell& cell = cells[at(c)];
      if (order_[at(c)] < 0) continue;
      Eight* const L = mine + offset_[at(c)];
      make_local(c, group, L);
      if (const int32_t parent = cell.parent; parent >= 0 && order_[at(parent)] >= 0) {
        const Eight* const from =
            c == cells_[at(chunk)].front() ? reinterpret_cast<const Eight*>(locals_.data()) + group * above_local_ : mine;
        double by[3];
        for (int d = 0; d < 3; ++d) by[d] = cell.ball.centre[d] - cells[at(parent)].ball.centre[d];
        add_moved(by, from + offset_[at(parent)], order_[at(parent)], L, order_[at(c)]);
      }
      if (cell.is_leaf())
        add_potential(cell.ball.centre, L, order_[at(c)], &points_->x[at(cell.begin)], &points_->y[at(cell.begin)],
                      &points_->z[at(cell.begin)], cell.count(), many(group), potential + stride * 3 * group + (cell.begin - all.begin),
                      stride);
    }
}

}  // namespace suite::dfpt
