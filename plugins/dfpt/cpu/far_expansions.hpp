// SPDX-License-Identifier: BSD-3-Clause
// The expansions of ../far_tree.hpp: those above the chunks once a call, the others with their chunk.
#pragma once

#include "../far_tree.hpp"
#include "expansions.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {

class FarExpansions {
public:
  // Lists; they depend on places alone.
  void prepare(const SumUpCall& call, const SumUp& arrays, const SortedPoints& points, const std::vector<std::vector<int32_t>>& leaves);
  // Multipoles of the cells, and the expansions of the cells above the chunks; of the first n_dir directions.
  void read(const SumUp& arrays, int64_t n_dir, int64_t threads);
  int64_t workspace() const { return doubles<Four> * most_local_; }  // for a chunk
  // Expansions of a chunk, at its points.
  void add(int64_t chunk, double* memory, double* potential) const;
  // Atoms that a leaf takes directly.
  const std::vector<int32_t>& direct(int32_t leaf) const { return tree_.direct(leaf); }

private:
  template <class Lanes> static constexpr int64_t doubles = sizeof(Term<Lanes>) / sizeof(double);
  void share_chunk(int64_t chunk);
  template <class Lanes> void read_groups(const SumUp& arrays, int64_t threads);
  template <class Lanes> void add_groups(int64_t chunk, double* memory, double* potential) const;
  template <class Lanes> void make_multipoles(const SumUp& arrays, int64_t group, int64_t threads);
  template <class Lanes> void make_local(int32_t target, int64_t group, Term<Lanes>* L) const;
  int64_t local_count(int32_t target) const { return tree_.order(target) < 0 ? 0 : half_count(tree_.order(target)); }
  template <class Lanes> Term<Lanes>* multipole(FarTree::Source source, int64_t group) const;
  int many(int64_t group) const { return static_cast<int>(std::min<int64_t>(3, n_dir_ - 3 * group)); }

  const SortedPoints* points_ = nullptr;
  FarTree tree_;
  std::vector<std::vector<int32_t>> cells_;  // of chunks
  std::vector<int32_t> above_;               // cells above the chunks
  std::vector<int64_t> offset_;              // of a cell's expansion, in its chunk's memory
  int l_max_ = 0;
  int64_t n_dir_ = 0, n_atoms_ = 0, most_local_ = 0, above_local_ = 0;
  cpu::Buffer<double> atoms_{"dfpt.sum_up"}, multipoles_{"dfpt.sum_up"}, locals_{"dfpt.sum_up"};
};

}  // namespace suite::dfpt
