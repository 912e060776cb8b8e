// SPDX-License-Identifier: BSD-3-Clause
// A line's transform from some of its points to others: those of a sphere of G vectors are about half of a
// line. Stockham's stages compute all of it. Sums over pairs of points j and n-j,
//
//   out(+-k) = sum_j (in_j + in_n-j) cos(2 pi j k/n) +- i sum_j (in_j - in_n-j) sin(2 pi j k/n),
//
// take points that are not zero to points that are wanted, by multiply-adds of real factors and without
// passing through memory in between.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <unordered_map>

#include "lines.hpp"

namespace suite::gw {

using Points = std::span<const int32_t>;

class Line {
public:
  // The points, on the grid, that are given and wanted. Keeps a pointer to `whole`.
  Line(const Lines& whole, Points from, Points to)
      : whole_(&whole),
        from_(from.begin(), from.end()),
        to_(to.begin(), to.end()),
        in_(pairs_of(from_, whole.n())),
        out_(pairs_of(to_, whole.n())) {
    by_pairs_ = !has_stages(whole.n()) || operations_by_pairs() * by_pairs_takes < flops_of_line(whole.n());
    if (by_pairs_) make_factors();
  }
  bool is(Points from, Points to) const { return std::ranges::equal(from, from_) && std::ranges::equal(to, to_); }

  static int64_t work_size(int64_t n) { return 2 * (n / 2 + 1); }

  // load(i) is the i-th of the given points; store(i, z) gets the i-th of those wanted. a, b: workspace of work_size() each.
  template <class Load, class Store> [[gnu::always_inline]] void operator()(Z* a, Z* b, Load&& load, Store&& store) const {
    if (by_pairs_) return sum_pairs(a, b, load, store);
    const int n = whole_->n();
    if (std::ssize(from_) < n) std::fill_n(a, n, Z{});
    for (size_t i = 0; i < from_.size(); ++i) a[from_[i]] = load(static_cast<int64_t>(i));
    const Z* const line = (*whole_)(a, a, b);
    for (size_t i = 0; i < to_.size(); ++i) store(static_cast<int64_t>(i), read(line + to_[i]));
  }

private:
  // Places in a list of j and n-j.
  struct Pair {
    int32_t j, first, second;
  };
  // First points that are their own partners, which have no difference; then pairs; then points without a
  // partner in the list.
  struct Pairs {
    std::vector<Pair> all;
    int alone = 0, both = 0;  // ends of the first two kinds
    int count() const { return static_cast<int>(all.size()); }
  };
  // Measured (docs/performance/gw.mtxel.md): an operation takes this many times as long as a flop of the stages.
  static constexpr double by_pairs_takes = 1.6;
  // Rows of the sums that are computed together: as many as their sums have registers for.
  static constexpr int rows = 4;

  static Pairs pairs_of(const std::vector<int32_t>& list, int n) {
    std::vector<int32_t> place(static_cast<size_t>(n), -1);
    for (size_t i = 0; i < list.size(); ++i) place[list[i]] = static_cast<int32_t>(i);
    std::vector<Pair> kinds[3];
    for (int j = 0; 2 * j <= n; ++j) {
      const bool alone = j == 0 || 2 * j == n;
      const int32_t first = place[j], second = alone ? -1 : place[n - j];
      if (first < 0 && second < 0) continue;
      kinds[alone ? 0 : first >= 0 && second >= 0 ? 1 : 2].push_back({j, first, second});
    }
    Pairs pairs;
    for (const auto& kind : kinds) pairs.all.insert(pairs.all.end(), kind.begin(), kind.end());
    pairs.alone = static_cast<int>(kinds[0].size());
    pairs.both = pairs.alone + static_cast<int>(kinds[1].size());
    return pairs;
  }

  // A multiply-add counts as one: Stockham's butterflies have few of them, but pass through memory.
  double operations_by_pairs() const {
    const int in = in_.count(), differences = in - in_.alone, out = out_.count(), odd = out - out_.alone;
    return 4.0 * (in_.both - in_.alone) + 2.0 * in * out + 2.0 * differences * odd + 4.0 * odd;
  }

  // In the order in which sum_rows reads them.
  void make_factors() {
    const int n = whole_->n();
    const std::vector<double>& roots = whole_->roots();
    for (int part = 0; part < 2; ++part)
      for (int first = part ? out_.alone : 0; first < out_.count(); first += rows)
        for (int i = part ? in_.alone : 0; i < in_.count(); ++i)
          for (int r = first; r < std::min(first + rows, out_.count()); ++r)
            factors_.push_back(roots[2 * (in_.all[i].j * out_.all[r].j % n) + part]);
  }

  template <class Load, class Store> [[gnu::always_inline]] void sum_pairs(Z* a, Z* b, Load&& load, Store&& store) const {
    Z *const sum = a, *const difference = a + in_.count(), *const even = b, *const odd = b + out_.count();
    const Pair* pair = in_.all.data();
    int i = 0;
    for (; i < in_.alone; ++i) sum[i] = load(pair[i].first);
    if (std::ssize(from_) == whole_->n()) {
      // All points, in their order: without reading places.
      const int64_t n = whole_->n(), skip = in_.alone - 1;
      for (int64_t j = 1; 2 * j < n; ++j) {
        const Z x = load(j), y = load(n - j);
        sum[j + skip] = x + y;
        difference[j + skip] = x - y;
      }
    } else {
      for (; i < in_.both; ++i) {
        const Z x = load(pair[i].first), y = load(pair[i].second);
        sum[i] = x + y;
        difference[i] = x - y;
      }
      for (; i < in_.count(); ++i) {
        const bool second = pair[i].first < 0;
        const Z x = load(second ? pair[i].second : pair[i].first);
        sum[i] = x;
        difference[i] = second ? Z{} - x : x;
      }
    }
    sum_rows(sum, difference, even, odd);
    pair = out_.all.data();
    for (i = 0; i < out_.alone; ++i) store(pair[i].first, read(even + i));
    for (; i < out_.both; ++i) {
      const Z sums = read(even + i), turned = i_times(read(odd + i));
      store(pair[i].first, sums + turned);
      store(pair[i].second, sums - turned);
    }
    for (; i < out_.count(); ++i) {
      const Z sums = read(even + i), turned = i_times(read(odd + i));
      if (pair[i].first >= 0) store(pair[i].first, sums + turned);
      else store(pair[i].second, sums - turned);
    }
  }

  void sum_rows(const Z* sum, const Z* difference, Z* even, Z* odd) const {
    const double* f = factors_.data();
    const int end = out_.count();
    for (int part = 0; part < 2; ++part) {
      const Z* const in = part ? difference + in_.alone : sum;
      const int count = part ? in_.count() - in_.alone : in_.count();
      Z* const to = part ? odd : even;
      int row = part ? out_.alone : 0;
      for (; row + rows <= end; row += rows, f += rows * count) sums_of<rows>(in, count, f, to + row);
      switch (end - row) {
        case 3: sums_of<3>(in, count, f, to + row); break;
        case 2: sums_of<2>(in, count, f, to + row); break;
        case 1: sums_of<1>(in, count, f, to + row); break;
        default:;
      }
      f += (end - row) * count;
    }
  }

  template <int Rows> static void sums_of(const Z* in, int count, const double* f, Z* to) {
    Doubles re[Rows] = {}, im[Rows] = {};
    for (int i = 0; i < count; ++i, f += Rows) {
      const Doubles x = in[i].re, y = in[i].im;
#pragma GCC unroll 6
      for (int r = 0; r < Rows; ++r) {
        re[r] += f[r] * x;
        im[r] += f[r] * y;
      }
    }
#pragma GCC unroll 6
    for (int r = 0; r < Rows; ++r) to[r] = {re[r], im[r]};
  }

  const Lines* whole_;
  std::vector<int32_t> from_, to_;
  Pairs in_, out_;
  bool by_pairs_ = false;
  std::vector<double> factors_;
};

// Lines of one length: many columns of a sphere share theirs, and so do calls with other lists.
class LinesOfLength {
public:
  explicit LinesOfLength(int n) : whole_(std::make_unique<Lines>(n)), all_(static_cast<size_t>(n)) {
    std::iota(all_.begin(), all_.end(), 0);
  }
  const Line& operator[](int which) const { return lines_[which]; }
  size_t size() const { return lines_.size(); }
  int all_to_all() { return find(all_, all_); }
  int to_all(Points from) { return find(from, all_); }
  int from_all(Points to) { return find(all_, to); }

private:
  int find(Points from, Points to) {
    uint64_t hash = from.size();
    for (const Points points : {from, to})
      for (const int32_t i : points) hash = (hash ^ static_cast<uint64_t>(i)) * 0x100000001b3;  // as FNV-1a
    const auto [first, end] = known_.equal_range(hash);
    for (auto at = first; at != end; ++at)
      if (lines_[at->second].is(from, to)) return at->second;
    lines_.emplace_back(*whole_, from, to);
    return known_.emplace(hash, static_cast<int>(lines_.size()) - 1)->second;
  }

  std::unique_ptr<Lines> whole_;  // where it is, when this is moved
  std::vector<int32_t> all_;
  std::vector<Line> lines_;
  std::unordered_multimap<uint64_t, int> known_;
};

// Those of all lengths that the calls of a kernel have met.
class KnownLines {
public:
  LinesOfLength& of(int n) { return lengths_.try_emplace(n, n).first->second; }
  // Before the lines of a call are looked for: so that many shapes do not fill the memory.
  void limit() {
    size_t lines = 0;
    for (const auto& [n, of_length] : lengths_) lines += of_length.size();
    if (lines > most_lines) lengths_.clear();
  }

private:
  static constexpr size_t most_lines = 1024;
  std::map<int, LinesOfLength> lengths_;
};

}  // namespace suite::gw
