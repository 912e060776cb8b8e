// SPDX-License-Identifier: BSD-3-Clause
// The fastest dfpt.sum_up: points in the order of a tree of cells, in the lanes; three directions at a time.
#pragma once

#include <memory>

#include "../cells.hpp"
#include "../fractions.hpp"
#include "near_powers.hpp"
#include "sum_up.hpp"

namespace suite::dfpt {

// Points in the order of the tree; the last stands in for what is missing to whole vectors.
struct SortedPoints {
  CellTree tree;
  Numbers x, y, z;
  std::vector<int32_t> chunks;  // cells whose near fields are done at once

  void sort(const double* coords, int64_t count, int team);
  bool same(const double* coords) const;  // as those that were sorted
  int64_t capacity() const { return std::ssize(x); }
};

// Which points of a chunk are near to which atoms, in the order of the knots they lie behind; then the others
// of the same leaves. It follows from places alone and is made once for them (near_runs.cpp): 2 bytes a
// pair.
struct NearList {
  struct Atom {
    int32_t number, runs;
  };
  struct Run {  // points behind one knot, or far ones
    int32_t knot, vectors;
    static constexpr int32_t far_away = -1;
  };
  std::vector<Atom> atoms;
  std::vector<Run> runs;             // atom after atom
  std::vector<Integers> atoms_near;  // to a point of each leaf
  // Run after run: which point of the chunk; its count where there is none. Places of some more vectors
  // follow, so that rows can be fetched ahead.
  std::vector<uint16_t> places;
  static constexpr int ahead = 8;
};
inline constexpr int64_t most_chunk = 32768;
static_assert(most_chunk <= UINT16_MAX);
NearList near_list(const SumUpCall& call, const SumUp& arrays, const SortedPoints& points, const Cell& chunk,
                   const std::vector<int32_t>& leaves);

// What is made of a call's tables.
struct OfTables {
  std::vector<KnotFractions> fractions;  // of each species
  NearPowers powers;
  Numbers scaled_moments;
};

// near_field.cpp: what the lists say, and with it the results of a chunk. potential: what its other pairs
// gave, [direction][point of the chunk]; memory: near_field_workspace doubles.
int64_t near_field_workspace(const SumUpCall& call, int64_t most_points);
void add_near_field(const SumUpCall& call, const SumUp& arrays, const OfTables& tables, const SortedPoints& points, const Cell& chunk,
                    const NearList& list, double* memory, const double* potential);

// far_field.cpp: the moments of one atom, of the first n_dir directions, at the points of a leaf, all far, after all atoms' have been scaled.
void scale_moments(const SumUpCall& call, const SumUp& arrays, Numbers& scaled);
void add_far_field(const SumUpCall& call, const SumUp& arrays, int64_t n_dir, const Numbers& scaled_moments, const SortedPoints& points,
                   const Cell& leaf, int64_t atom, double* potential, int64_t stride);

// How near tables are summed: powers_of_z.hpp or paired_sums.hpp.
enum class Products { automatic, fused, paired };
inline constexpr suite_choice products[] = {
    choice("auto", "paired on AMD CPUs with AVX-512, which add in parallel with multiply-adds; otherwise fused"),
    choice("fused", "multiply-adds (variant best)"), choice("paired", "half as many multiplications and twice as many additions")};

class FarExpansions;

// What the lists follow from besides the points.
struct Places {
  int l_max = -1;
  int64_t n_points = 0, n_knots = 0, n_tables = 0;
  Numbers atoms, radius;
  Integers species, table;
  std::vector<RadialGrid> grids;
  bool operator==(const Places&) const = default;
};

class SumUpBest {
public:
  SumUpBest();
  ~SumUpBest();
  void prepare(const SumUpCall& call, const SumUp& arrays, Far far, Products products, int64_t threads);
  void execute(const SumUpCall& call, const SumUp& arrays, int64_t threads, cpu::Scratch& scratch);

private:
  void make_lists(const SumUpCall& call, const SumUp& arrays, Far far, int64_t threads);
  void sort_chunks(const SumUpCall& call);
  void add_direct(const SumUpCall& call, const SumUp& arrays, int64_t n_dir, int64_t chunk, double* potential) const;

  std::unique_ptr<FarExpansions> expansions_;  // if far fields are expanded
  Places places_;
  SortedPoints points_;
  std::vector<std::vector<int32_t>> leaves_;  // of each chunk
  std::vector<NearList> near_;  // of each chunk
  std::vector<int32_t> order_;  // in which chunks are done
  OfTables tables_;
};

}  // namespace suite::dfpt
