// SPDX-License-Identifier: BSD-3-Clause
#include "far_field.hpp"

#include <cmath>
#include <limits>

namespace suite::dfpt {
namespace {

constexpr int64_t leaf_unit = 32;  // points of a leaf are a multiple, where there are so many
// A launch for local expansions up to each of these orders, so that a group has no more work-items than components.
constexpr int order_classes[] = {6, 9, 14, most_order};

int32_t counted(int64_t n, const char* what) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (n > most) throw Failure(SUITE_UNSUPPORTED, concat("far=tree has ", n, " ", what, " here; devices count up to ", most));
  return static_cast<int32_t>(n);
}

// Of a moment in the multipole of its (l,m): Y_lm = sqrt(2) N_lm P_lm cos or sin (m phi), N_lm^2 = (2l+1)/(4 pi) (l-m)!/(l+m)!.
std::vector<double> moment_factors(int l_max) {
  constexpr double four_pi = 12.566370614359172954;
  std::vector<double> factors;
  for (int l = 0; l <= l_max; ++l)
    for (int m = 0; m <= l; ++m) {
      double up = 1, down = 1;  // (l+m)! and (l-m)!
      for (int k = 2; k <= l + m; ++k) up *= k;
      for (int k = 2; k <= l - m; ++k) down *= k;
      factors.push_back(std::sqrt((2 * l + 1) / (four_pi * up * down) * (m > 0 ? 0.5 : 1.0)));
    }
  return factors;
}

// Levels below the root; parents lie before their children.
std::vector<int> depths_of(const CellTree& tree) {
  std::vector<int> depth(tree.cells.size(), 0);
  for (size_t c = 1; c < depth.size(); ++c) depth[c] = depth[at(tree.cells[c].parent)] + 1;
  return depth;
}

}  // namespace

void FarField::prepare(const SumUpCall& call, const SumUp& host) {
  CellTree points;
  points.build(host.coords.data(), call.n_points, leaf_points, leaf_unit);
  FarTree tree;
  tree.prepare(call, host, points);
  n_atoms_ = call.n_atoms;
  l_max_ = call.l_max;
  factors_.set(moment_factors(l_max_));
  points_.set(points.order);
  list_sources(tree);
  list_cells(tree);
  list_expansions(tree);
}

// Those cells of atoms that some cell of points takes, and what they consist of.
void FarField::list_sources(const FarTree& tree) {
  const auto& cells = tree.sources().cells;
  std::vector<char> needed(cells.size(), 0);
  for (size_t target = 0; target < tree.points().cells.size(); ++target)
    for (const FarTree::Taken& far : tree.far(static_cast<int32_t>(target)))
      if (far.source.is_cell) needed[at(far.source.number)] = 1;
  for (size_t c = 1; c < cells.size(); ++c) needed[c] |= needed[at(cells[c].parent)];

  std::vector<FarSource> sources;
  multipole_components_ = 0;
  const auto add = [&](FarTree::Source source, int order) {
    const double* const at_centre = tree.place(source);
    sources.push_back({{at_centre[0], at_centre[1], at_centre[2]}, counted(multipole_components_, "components of multipoles"), order});
    multipole_components_ += half_count(order);
  };
  for (int64_t a = 0; a < n_atoms_; ++a) add({static_cast<int32_t>(a), false}, l_max_);
  for (size_t c = 0; c < cells.size(); ++c) add({static_cast<int32_t>(c), true}, cell_order);

  const std::vector<int> depth = depths_of(tree.sources());
  std::vector<FarParts> upward;
  std::vector<int32_t> parts;
  std::vector<FarTree::Source> split;
  upward_.clear();
  const auto first_cell = static_cast<int32_t>(n_atoms_);
  for (int level = depth.empty() ? -1 : *std::max_element(depth.begin(), depth.end()); level >= 0; --level) {
    const int64_t first = std::ssize(upward);
    for (size_t c = 0; c < cells.size(); ++c) {
      if (depth[c] != level || !needed[c]) continue;
      const auto before = static_cast<int32_t>(parts.size());
      split.clear();
      tree.split(static_cast<int32_t>(c), split);
      for (const FarTree::Source part : split) parts.push_back(part.is_cell ? first_cell + part.number : part.number);
      upward.push_back({first_cell + static_cast<int32_t>(c), before, static_cast<int32_t>(parts.size())});
    }
    if (std::ssize(upward) > first) upward_.push_back({first, std::ssize(upward) - first, cell_order});
  }
  sources_.set(sources);
  upward_cells_.set(upward);
  parts_.set(parts);
}

void FarField::list_cells(const FarTree& tree) {
  std::vector<FarCell> cells;
  std::vector<FarTaken> taken;
  std::vector<int32_t> direct, leaves;
  local_components_ = 0;
  for (int32_t c = 0; c < std::ssize(tree.points().cells); ++c) {
    const Cell& cell = tree.points().cells[at(c)];
    const double* const centre = cell.ball.centre;
    FarCell made{{centre[0], centre[1], centre[2]},
                 tree.has_above(c) ? cell.parent : -1,
                 tree.order(c),
                 counted(local_components_, "components of expansions"),
                 counted(std::ssize(taken), "expansions"),
                 0,
                 counted(std::ssize(direct), "direct atoms of cells"),
                 0,
                 static_cast<int32_t>(cell.begin),
                 static_cast<int32_t>(cell.end),
                 0};
    if (made.order >= 0) local_components_ += half_count(made.order);
    for (const FarTree::Taken& far : tree.far(c))
      taken.push_back(
          {far.source.is_cell ? static_cast<int32_t>(n_atoms_) + far.source.number : far.source.number, far.source_order, far.order});
    direct.insert(direct.end(), tree.direct(c).begin(), tree.direct(c).end());
    made.last_far = counted(std::ssize(taken), "expansions");
    made.last_direct = counted(std::ssize(direct), "direct atoms of cells");
    if (cell.is_leaf()) leaves.push_back(c);
    cells.push_back(made);
  }
  cells_.set(cells);
  taken_.set(taken);
  direct_.set(direct);
  leaves_.set(leaves);
}

// In which order expansions come about: from far in any, those of similar length together; from above level by level.
void FarField::list_expansions(const FarTree& tree) {
  const auto n_cells = static_cast<int32_t>(tree.points().cells.size());
  std::vector<int32_t> targets, moved;
  const auto append = [](std::vector<Part>& parts, std::vector<int32_t>& list, int most, auto&& cells) {
    const int64_t first = std::ssize(list);
    cells(list);
    if (std::ssize(list) > first) parts.push_back({first, std::ssize(list) - first, most});
  };
  from_far_.clear();
  downward_.clear();
  for (int above = -1; const int most : order_classes) {
    append(from_far_, targets, most, [&](std::vector<int32_t>& list) {
      for (int32_t c = 0; c < n_cells; ++c)
        if (tree.order(c) > above && tree.order(c) <= most) list.push_back(c);
    });
    above = most;
  }
  const std::vector<int> depth = depths_of(tree.points());
  for (int level = 1, deepest = *std::max_element(depth.begin(), depth.end()); level <= deepest; ++level)
    append(downward_, moved, most_order, [&](std::vector<int32_t>& list) {
      for (int32_t c = 0; c < n_cells; ++c)
        if (depth[at(c)] == level && tree.order(c) >= 0 && tree.has_above(c)) list.push_back(c);
    });
  targets_.set(targets);
  moved_.set(moved);
}

void FarField::expand(const SumUp& c, int64_t first_dir, int64_t dirs) {
  const int64_t doubles = far_component(dirs);
  multipoles_.at_least(std::max<int64_t>(1, doubles * multipole_components_));
  locals_.at_least(std::max<int64_t>(1, doubles * local_components_));
  device::launch(queue_, atom_multipoles(), n_atoms_ * half_count(l_max_), c.moments, c.atom_table, factors_, multipoles_, n_atoms_,
                 c.n_tables(), l_max_, first_dir, dirs);
  for (const Part& part : upward_)
    device::launch(queue_, cell_multipoles(), items_of_groups(queue_, part.count), sources_, upward_cells_, parts_, multipoles_, part.first,
                   part.count, dirs);
  for (const Part& part : from_far_)
    device::launch(queue_, local_expansions(), items_of_groups(queue_, part.count), sources_, cells_, taken_, targets_, multipoles_,
                   locals_, part.first, part.count, part.most, dirs);
  for (const Part& part : downward_)
    device::launch(queue_, moved_expansions(), items_of_groups(queue_, part.count), cells_, moved_, locals_, part.first, part.count, dirs);
}

}  // namespace suite::dfpt
