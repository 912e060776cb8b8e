// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <functional>
#include <numeric>

#include "far_expansions.hpp"

namespace suite::dfpt {
namespace {

constexpr int64_t least_chunk = 1024, least_chunks = 16, chunks_a_thread = 4;

int threads_worth(const SumUpCall& call, int64_t chunks, int64_t threads) {
  return cpu::useful_threads(threads, chunks, 5 * real(call.n_atoms) * real(call.n_points) / real(chunks));
}

// AMD's processors with 512 bits add beside multiply-adds and have the registers. Others' adders are the
// multipliers themselves.
bool paired(Products products) {
  if (products != Products::automatic) return products == Products::paired;
#if defined(__AVX512F__)
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}

}  // namespace

void SortedPoints::sort(const double* coords, int64_t count, int team) {
  tree.build(coords, count, leaf_points, lanes, [&](int64_t n, const std::function<void(int64_t)>& f) {
    cpu::each(cpu::useful_threads(team, n, 10 * real(count) / real(n)), n, [&](int64_t i, int) { f(i); });
  });
  // Cells are halves of halves, but for whole vectors: one chunk less, or they would be halved once more.
  const int64_t chunk = count / (std::max(least_chunks, chunks_a_thread * team) - 1);
  chunks = tree.largest(std::clamp(chunk, least_chunk, most_chunk));
  const int64_t capacity = rounded(count, lanes);
  x.resize(at(capacity));
  y.resize(at(capacity));
  z.resize(at(capacity));
  for (int64_t i = 0; i < capacity; ++i) {
    const double* const from = coords + 3 * int64_t{tree.order[at(std::min(i, count - 1))]};
    x[at(i)] = from[0];
    y[at(i)] = from[1];
    z[at(i)] = from[2];
  }
}

SumUpBest::SumUpBest() = default;
SumUpBest::~SumUpBest() = default;

bool SortedPoints::same(const double* coords) const {
  for (int64_t i = 0; i < std::ssize(tree.order); ++i) {
    const double* const here = coords + 3 * int64_t{tree.order[at(i)]};
    if (here[0] != x[at(i)] || here[1] != y[at(i)] || here[2] != z[at(i)]) return false;
  }
  return true;
}

// A host that sums two fields after three at the same places keeps the lists: they take longer than a call.
void SumUpBest::prepare(const SumUpCall& call, const SumUp& arrays, Far far, Products products, int64_t threads) {
  const auto list = [](const auto& argument, int64_t count) { return std::vector(argument.data(), argument.data() + count); };
  Places places{call.l_max,
                call.n_points,
                call.n_knots,
                arrays.n_tables(),
                list(arrays.atom_coords, 3 * call.n_atoms),
                {},
                list(arrays.species, call.n_atoms),
                list(arrays.atom_table, call.n_atoms),
                call.grids};
  for (int64_t a = 0; a < call.n_atoms; ++a) places.radius.push_back(arrays.radius_of(a));
  if (places != places_ || !points_.same(arrays.coords.data())) {
    places_ = {};
    make_lists(call, arrays, far, threads);
    places_ = std::move(places);
  }
  tables_.powers.prepare(call, arrays, near_, paired(products));
}

void SumUpBest::make_lists(const SumUpCall& call, const SumUp& arrays, Far far, int64_t threads) {
  points_.sort(arrays.coords.data(), call.n_points, cpu::team_size(threads));
  leaves_.assign(points_.chunks.size(), {});
  size_t chunk = 0;
  for (const int32_t leaf : points_.tree.leaves()) {
    while (points_.tree.cells[at(leaf)].begin >= points_.tree.cells[at(points_.chunks[chunk])].end) ++chunk;
    leaves_[chunk].push_back(leaf);
  }
  const auto count = std::ssize(points_.chunks);
  tables_.fractions = std::vector<KnotFractions>(call.grids.begin(), call.grids.end());
  near_.assign(points_.chunks.size(), {});
  cpu::each(threads_worth(call, count, threads), count, [&](int64_t c, int) {
    near_[at(c)] = near_list(call, arrays, points_, points_.tree.cells[at(points_.chunks[at(c)])], leaves_[at(c)]);
  });
  sort_chunks(call);
  expansions_.reset();
  if (far != Far::tree) return;
  expansions_ = std::make_unique<FarExpansions>();
  expansions_->prepare(call, arrays, points_, leaves_);
}

// Those that take long first, so that threads end at the same time. A near pair takes as long as four far
// ones.
void SumUpBest::sort_chunks(const SumUpCall& call) {
  std::vector<int64_t> cost;
  for (size_t c = 0; c < near_.size(); ++c)
    cost.push_back(3 * std::ssize(near_[c].places) + call.n_atoms * points_.tree.cells[at(points_.chunks[c])].count());
  order_.resize(cost.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, std::greater(), [&](int32_t c) { return cost[at(c)]; });
}

// What is neither expanded nor in the lists.
void SumUpBest::add_direct(const SumUpCall& call, const SumUp& arrays, int64_t n_dir, int64_t chunk, double* potential) const {
  if (n_dir == 0) return;
  const Cell& all = points_.tree.cells[at(points_.chunks[at(chunk)])];
  for (size_t i = 0; i < leaves_[at(chunk)].size(); ++i) {
    const int32_t l = leaves_[at(chunk)][i];
    const Cell& leaf = points_.tree.cells[at(l)];
    const Integers& atoms_near = near_[at(chunk)].atoms_near[i];
    const auto add = [&](int64_t atom) {
      if (!std::ranges::binary_search(atoms_near, atom))
        add_far_field(call, arrays, n_dir, tables_.scaled_moments, points_, leaf, atom, potential + (leaf.begin - all.begin),
                      rounded(all.count(), lanes));
    };
    if (expansions_)
      for (const int32_t atom : expansions_->direct(l)) add(atom);
    else
      for (int64_t atom = 0; atom < call.n_atoms; ++atom) add(atom);
  }
}

namespace {

// The directions up to the last one that has a moment at all: a host may sum fields that end with their tables beside others.
int64_t directions_with_moments(const SumUpCall& call, const SumUp& arrays) {
  const int64_t all = call.n_lm * arrays.n_tables();
  const double* const moments = arrays.moments.data();
  int64_t n = call.n_dir;
  while (n > 0 && std::all_of(moments + all * (n - 1), moments + all * n, [](double m) { return m == 0; })) --n;
  return n;
}

}  // namespace

void SumUpBest::execute(const SumUpCall& call, const SumUp& arrays, int64_t threads, cpu::Scratch& scratch) {
  int64_t most = 0;
  for (const int32_t c : points_.chunks) most = std::max(most, rounded(points_.tree.cells[at(c)].count(), lanes));
  const int64_t count = std::ssize(points_.chunks);
  const int team = threads_worth(call, count, threads);
  const int64_t working = rounded(call.n_dir * most, 8);
  scratch.reserve(team, working + std::max(near_field_workspace(call, most), expansions_ ? expansions_->workspace() : 0));
  const int64_t far = directions_with_moments(call, arrays);
  scale_moments(call, arrays, tables_.scaled_moments);
  tables_.powers.read(call, arrays, threads);
  if (expansions_ && far > 0) expansions_->read(arrays, far, threads);
  cpu::each(team, count, [&](int64_t i, int thread) {
    const int64_t c = order_[at(i)];
    const Cell& chunk = points_.tree.cells[at(points_.chunks[at(c)])];
    const int64_t stride = rounded(chunk.count(), lanes);
    double *const potential = scratch.of(thread), *const memory = potential + working;
    std::fill_n(potential, call.n_dir * stride, 0.0);
    if (expansions_ && far > 0) expansions_->add(c, memory, potential);
    add_direct(call, arrays, far, c, potential);
    add_near_field(call, arrays, tables_, points_, chunk, near_[at(c)], memory, potential);
  });
}

}  // namespace suite::dfpt
