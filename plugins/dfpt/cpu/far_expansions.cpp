// SPDX-License-Identifier: BSD-3-Clause
#include "far_expansions.hpp"

namespace suite::dfpt {

void FarExpansions::prepare(const SumUpCall& call, const SumUp& arrays, const SortedPoints& points,
                            const std::vector<std::vector<int32_t>>& leaves) {
  points_ = &points;
  l_max_ = call.l_max;
  n_dir_ = call.n_dir;
  n_atoms_ = call.n_atoms;
  tree_.prepare(call, arrays, points.tree);
  const size_t n_cells = points.tree.cells.size();
  cells_.assign(leaves.size(), {});
  above_.clear();
  above_local_ = most_local_ = 0;
  offset_.assign(n_cells, -1);
  for (size_t chunk = 0; chunk < leaves.size(); ++chunk) share_chunk(static_cast<int64_t>(chunk));
  for (size_t c = 0; c < n_cells; ++c)
    if (offset_[c] < 0) {
      above_.push_back(static_cast<int32_t>(c));
      offset_[c] = above_local_;
      above_local_ += local_count(static_cast<int32_t>(c));
    }
}

void FarExpansions::share_chunk(int64_t chunk) {
  const auto& cells = points_->tree.cells;
  std::vector<int32_t>& mine = cells_[at(chunk)];
  mine.push_back(points_->chunks[at(chunk)]);
  int64_t local = 0;
  for (size_t i = 0; i < mine.size(); ++i) {
    const int32_t c = mine[i];
    offset_[at(c)] = local;
    local += local_count(c);
    if (cells[at(c)].is_leaf()) continue;
    mine.push_back(cells[at(c)].child);
    mine.push_back(cells[at(c)].child + 1);
  }
  most_local_ = std::max(most_local_, local);
}

template <class Lanes> Term<Lanes>* FarExpansions::multipole(FarTree::Source source, int64_t group) const {
  auto* const of_atoms = reinterpret_cast<Term<Lanes>*>(atoms_.data());
  auto* const of_cells = reinterpret_cast<Term<Lanes>*>(multipoles_.data());
  return source.is_cell ? of_cells + half_count(cell_order) * (group * std::ssize(tree_.sources().cells) + source.number)
                        : of_atoms + half_count(l_max_) * (group * n_atoms_ + source.number);
}

template <class Lanes> void FarExpansions::make_multipoles(const SumUp& arrays, int64_t group, int64_t threads) {
  const int64_t n_lm = components(l_max_), next = n_lm * arrays.n_tables();
  for (int64_t a = 0; a < n_atoms_; ++a)
    read_moments(arrays.moments.data() + n_lm * (arrays.atom_table(a) - 1) + next * 3 * group, next, many(group), l_max_,
                 multipole<Lanes>({static_cast<int32_t>(a), false}, group));
  const auto& cells = tree_.sources().cells;
  const auto one = [&](int64_t c) {
    const Cell& S = cells[at(c)];
    Term<Lanes>* const M = multipole<Lanes>({static_cast<int32_t>(c), true}, group);
    std::fill_n(M, half_count(cell_order), Term<Lanes>{});
    std::vector<FarTree::Source> parts;
    tree_.split(static_cast<int32_t>(c), parts);
    for (const FarTree::Source part : parts) {
      double by[3];
      for (int d = 0; d < 3; ++d) by[d] = tree_.place(part)[d] - S.ball.centre[d];
      add_multipole(by, multipole<Lanes>(part, group), part.is_cell ? cell_order : l_max_, M, cell_order);
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

template <class Lanes> void FarExpansions::make_local(int32_t target, int64_t group, Term<Lanes>* L) const {
  std::fill_n(L, half_count(tree_.order(target)), Term<Lanes>{});
  const double* const centre = points_->tree.cells[at(target)].ball.centre;
  for (const FarTree::Taken& far : tree_.far(target)) {
    double by[3];
    for (int d = 0; d < 3; ++d) by[d] = centre[d] - tree_.place(far.source)[d];
    add_local(by, multipole<Lanes>(far.source, group), far.source_order, L, far.order);
  }
}

void FarExpansions::read(const SumUp& arrays, int64_t n_dir, int64_t threads) {
  n_dir_ = n_dir;
  n_dir == 1 ? read_groups<double>(arrays, threads) : read_groups<Four>(arrays, threads);
}

template <class Lanes> void FarExpansions::read_groups(const SumUp& arrays, int64_t threads) {
  const int64_t groups = (n_dir_ + 2) / 3;
  (void)atoms_.at_least(doubles<Lanes> * groups * n_atoms_ * half_count(l_max_));
  (void)multipoles_.at_least(doubles<Lanes> * groups * std::ssize(tree_.sources().cells) * half_count(cell_order));
  auto* const locals = reinterpret_cast<Term<Lanes>*>(locals_.at_least(doubles<Lanes> * groups * std::max<int64_t>(above_local_, 1)));
  const auto& cells = points_->tree.cells;
  for (int64_t group = 0; group < groups; ++group) {
    make_multipoles<Lanes>(arrays, group, threads);
    Term<Lanes>* const mine = locals + group * above_local_;
    const int64_t count = std::ssize(above_);
    cpu::each(cpu::useful_threads(threads, count, 1e5), count, [&](int64_t i, int) {
      if (const int32_t c = above_[at(i)]; tree_.order(c) >= 0) make_local(c, group, mine + offset_[at(c)]);
    });
    for (const int32_t c : above_) {
      const int32_t parent = cells[at(c)].parent;
      if (!tree_.has_above(c)) continue;
      double by[3];
      for (int d = 0; d < 3; ++d) by[d] = cells[at(c)].ball.centre[d] - cells[at(parent)].ball.centre[d];
      add_moved(by, mine + offset_[at(parent)], tree_.order(parent), mine + offset_[at(c)], tree_.order(c));
    }
  }
}

void FarExpansions::add(int64_t chunk, double* memory, double* potential) const {
  n_dir_ == 1 ? add_groups<double>(chunk, memory, potential) : add_groups<Four>(chunk, memory, potential);
}

template <class Lanes> void FarExpansions::add_groups(int64_t chunk, double* memory, double* potential) const {
  const auto& cells = points_->tree.cells;
  const Cell& all = cells[at(points_->chunks[at(chunk)])];
  const int64_t stride = rounded(all.count(), lanes), groups = (n_dir_ + 2) / 3;
  auto* const mine = reinterpret_cast<Term<Lanes>*>(memory);
  for (int64_t group = 0; group < groups; ++group)
    for (const int32_t c : cells_[at(chunk)]) {
      const Cell& cell = cells[at(c)];
      if (tree_.order(c) < 0) continue;
      Term<Lanes>* const L = mine + offset_[at(c)];
      make_local(c, group, L);
      if (tree_.has_above(c)) {
        const int32_t parent = cell.parent;
        const Term<Lanes>* const from =
            c == cells_[at(chunk)].front() ? reinterpret_cast<const Term<Lanes>*>(locals_.data()) + group * above_local_ : mine;
        double by[3];
        for (int d = 0; d < 3; ++d) by[d] = cell.ball.centre[d] - cells[at(parent)].ball.centre[d];
        add_moved(by, from + offset_[at(parent)], tree_.order(parent), L, tree_.order(c));
      }
      if (cell.is_leaf())
        add_potential(cell.ball.centre, L, tree_.order(c), &points_->x[at(cell.begin)], &points_->y[at(cell.begin)],
                      &points_->z[at(cell.begin)], cell.count(), many(group), potential + stride * 3 * group + (cell.begin - all.begin),
                      stride);
    }
}

}  // namespace suite::dfpt
