// SPDX-License-Identifier: BSD-3-Clause
#include "segments.hpp"

#include <iterator>

namespace suite::dfpt {
namespace {

// Segments there are at least, where there are as many batches, so that threads end together.
constexpr double least_segments = 64;
// Functions of a segment, beyond those of its first batch: the part of three matrices that belongs to 240
// functions, a triangle each, takes 0.7 MB.
constexpr int64_t more_functions = 120;

double work(const Batch& b) {
  const auto n = static_cast<double>(b.functions);
  return static_cast<double>(b.points) * n * n + 1;
}

using List = std::vector<int32_t>;

// Of two rising lists; each function of `inside` is in `outside`.
Runs runs_of(const List& inside, const List& outside) {
  Runs runs;
  size_t o = 0;
  for (size_t i = 0; i < inside.size(); ++i, ++o) {
    while (outside[o] != inside[i]) ++o;
    if (!runs.empty() && runs.back().outside + runs.back().count == static_cast<int32_t>(o)) ++runs.back().count;
    else runs.push_back({static_cast<int32_t>(i), static_cast<int32_t>(o), 1});
  }
  return runs;
}

// To the basis itself.
Runs runs_to_basis(const List& functions) {
  Runs runs;
  for (size_t i = 0; i < functions.size(); ++i) {
    const int32_t number = functions[i] - 1;
    if (!runs.empty() && runs.back().outside + runs.back().count == number) ++runs.back().count;
    else runs.push_back({static_cast<int32_t>(i), number, 1});
  }
  return runs;
}

}  // namespace

std::vector<Segment> segments_of(const Batches& batches, const int32_t* i_basis) {
  const auto list_of = [&](int64_t b) {
    const Batch& batch = batches.batch[static_cast<size_t>(b)];
    return List(i_basis + batch.first_function, i_basis + batch.first_function + batch.functions);
  };
  double total = 0;
  for (const Batch& b : batches.batch) total += work(b);
  std::vector<Segment> segments;
  for (int64_t first = 0; first < batches.count();) {
    Segment segment;
    segment.first_batch = first;
    List all = list_of(first), both;
    const auto most = static_cast<int64_t>(all.size()) + more_functions;
    double sum = work(batches.batch[static_cast<size_t>(first)]);
    int64_t last = first + 1;
    for (; last < batches.count(); ++last) {
      const List next = list_of(last);
      both.clear();
      std::set_union(all.begin(), all.end(), next.begin(), next.end(), std::back_inserter(both));
      sum += work(batches.batch[static_cast<size_t>(last)]);
      if (std::ssize(both) > most || sum > total / least_segments) break;
      all.swap(both);
    }
    segment.last_batch = last;
    segment.functions = std::ssize(all);
    segment.runs = runs_to_basis(all);
    for (int64_t b = first; b < last; ++b) segment.batch.push_back(runs_of(list_of(b), all));
    segments.push_back(std::move(segment));
    first = last;
  }
  return segments;
}

}  // namespace suite::dfpt
