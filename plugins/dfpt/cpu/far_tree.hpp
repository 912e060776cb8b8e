// SPDX-License-Identifier: BSD-3-Clause
// Far fields by expansions: cells of atoms have multipoles, cells of points local expansions, each as high as
// its distance asks for. What is cheaper directly, and what is not surely far, is left to lists of the
// leaves.
#pragma once

#include "expansions.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {

class FarTree {
public:
  // Lists; they depend on places alone.
  void prepare(const SumUpCall& call, const SumUp& arrays, const SortedPoints& points, const std::vector<std::vector<int32_t>>& leaves);
  // Multipoles of the cells, and the expansions of the cells above the chunks; of the first n_dir directions.
  void read(const SumUp& arrays, int64_t n_dir, int64_t threads);
  int64_t workspace() const { return 8 * most_local_; }  // doubles for a chunk
  // Expansions of a chunk, at its points.
  void add(int64_t chunk, double* memory, double* potential) const;
  // Atoms that a leaf takes directly.
  const std::vector<int32_t>& direct(int32_t leaf) const { return direct_[at(leaf)]; }

private:
  struct Source {
    int32_t number;
    bool is_cell;
  };
  // What a target takes from a source.
  struct Taken {
    Source source;
    int8_t order, source_order;
  };
  void visit(int32_t target, const std::vector<Source>& candidates);
  bool take(int32_t target, Source source);
  void split(int32_t cell, std::vector<Source>& to) const;
  void find_orders();
  void share_chunk(int64_t chunk);
  void make_multipoles(const SumUp& arrays, int64_t group, int64_t threads);
  void make_local(int32_t target, int64_t group, Eight* L) const;
  const double* place(Source source) const {
    return source.is_cell ? sources_.cells[at(source.number)].ball.centre : nuclei_.data() + 3 * int64_t{source.number};
  }
  const Eight* multipole(Source source, int64_t group) const;
  int many(int64_t group) const { return static_cast<int>(std::min<int64_t>(3, n_dir_ - 3 * group)); }

  const SortedPoints* points_ = nullptr;
  CellTree sources_;
  Numbers nuclei_, radius_, cell_radius_;  // multipole radii of atoms; the largest of a cell's
  std::vector<std::vector<Taken>> far_;
  std::vector<std::vector<int32_t>> direct_, cells_;  // of cells; of chunks
  std::vector<int32_t> above_;                        // cells above the chunks
  Numbers reach_;                                     // the least distance a cell's expansion comes from
  std::vector<int32_t> order_;                        // of its expansion, -1: none
  std::vector<int64_t> offset_;                       // of it, in its chunk's memory
  int l_max_ = 0;
  int64_t n_dir_ = 0, n_atoms_ = 0, most_local_ = 0, above_local_ = 0;
  cpu::Buffer<double> atoms_{"dfpt.sum_up"}, multipoles_{"dfpt.sum_up"}, locals_{"dfpt.sum_up"};
};

}  // namespace suite::dfpt
