// SPDX-License-Identifier: BSD-3-Clause
// Far fields by expansions: cells of atoms have multipoles, cells of points local expansions, each as high as
// its distance asks for. What is cheaper directly, and what is not surely far, is left to lists of the
// leaves. Here is which cell takes what from where; it follows from places alone and is the same for all
// implementations, which make the expansions (cpu/expansions.hpp has the formulas).
#pragma once

#include <algorithm>

#include "call.hpp"
#include "cells.hpp"

namespace suite::dfpt {

// Components (l,m) of an expansion: those of m >= 0, and all.
constexpr int half_count(int order) { return (order + 1) * (order + 2) / 2; }
constexpr int half_place(int l, int m) { return l * (l + 1) / 2 + m; }
constexpr int whole_count(int order) { return (order + 1) * (order + 1); }
constexpr int whole_place(int l, int m) { return l * l + l + m; }

inline constexpr int most_order = 18;  // of local expansions
inline constexpr int cell_order = 12;  // of the multipoles of a cell of atoms
inline constexpr int64_t leaf_points = 128;  // that are not parted into cells

class FarTree {
public:
  struct Source {
    int32_t number;  // of a cell of `sources`, or of an atom
    bool is_cell;
  };
  // What a target takes from a source.
  struct Taken {
    Source source;
    int8_t order, source_order;
  };

  // points: the targets, which must stay.
  void prepare(const SumUpCall& call, const SumUp& arrays, const CellTree& points);

  const CellTree& points() const { return *points_; }
  const CellTree& sources() const { return sources_; }
  const double* place(Source source) const {
    return source.is_cell ? sources_.cells[at(source.number)].ball.centre : nuclei_.data() + 3 * int64_t{source.number};
  }
  // What a cell of atoms consists of: two cells, or atoms.
  void split(int32_t cell, std::vector<Source>& to) const;
  // Of a cell of points: what its expansion takes; the expansion's order, -1: it has none; atoms that its points take directly.
  const std::vector<Taken>& far(int32_t target) const { return far_[at(target)]; }
  int order(int32_t target) const { return order_[at(target)]; }
  const std::vector<int32_t>& direct(int32_t leaf) const { return direct_[at(leaf)]; }
  // Whether something comes to its expansion from the cell above.
  bool has_above(int32_t target) const {
    const int32_t parent = points_->cells[at(target)].parent;
    return parent >= 0 && order_[at(parent)] >= 0;
  }

private:
  void visit(int32_t target, const std::vector<Source>& candidates);
  bool take(int32_t target, Source source);
  void find_orders();

  const CellTree* points_ = nullptr;
  CellTree sources_;
  std::vector<double> nuclei_, radius_, cell_radius_;  // multipole radii of atoms; the largest of a cell's
  std::vector<std::vector<Taken>> far_;
  std::vector<std::vector<int32_t>> direct_;
  std::vector<int32_t> order_;
  int l_max_ = 0;
};

// How an implementation sums the far field.
enum class Far { direct, tree };
inline constexpr suite_choice far_fields[] = {
    choice("direct", "every atom at every point"),
    {"tree", "expansions of cells of atoms about cells of points (variant best)", 1e-9, nullptr, SUITE_UNKNOWN, 0, nullptr}};
inline constexpr suite_parameter far_parameter = suite::variant("far", 0, far_fields, "far field of variant best");

}  // namespace suite::dfpt
