// SPDX-License-Identifier: BSD-3-Clause
// The batches of a call, checked, with where each lies in the arrays; all numbers from 0. Pointers are to
// host memory.
#pragma once

#include <algorithm>
#include <vector>

#include "dfpt.hpp"
#include "text.hpp"

namespace suite::dfpt {

struct Batch {
  int64_t first_point, points;
  int64_t first_function, functions;  // in i_basis
  int64_t wave;                       // first of its functions*points numbers in wave
};

struct Batches {
  std::vector<Batch> batch;
  int64_t n_points = 0, n_list = 0, n_wave = 0;
  int64_t most_points = 0, most_functions = 0;
  int64_t count() const { return static_cast<int64_t>(batch.size()); }
};

namespace detail {

// first(1) = 1, rising or equal, first(n_batches+1) = total + 1.
inline void check_offsets(const char* name, const int32_t* first, int64_t n_batches, int64_t total, const char* what) {
  if (first[0] != 1)
    throw Failure(SUITE_INVALID_ARGUMENT, element(name, 0) + " is " + text_of(first[0]) + "; the first batch must begin at 1");
  for (int64_t b = 0; b < n_batches; ++b)
    if (first[b + 1] < first[b])
      throw Failure(SUITE_INVALID_ARGUMENT, element(name, b + 1) + " is " + text_of(first[b + 1]) + " but " + element(name, b) + " is " +
                                                text_of(first[b]) + "; batches must follow each other");
  if (first[n_batches] != total + 1)
    throw Failure(SUITE_INVALID_ARGUMENT, element(name, n_batches) + " is " + text_of(first[n_batches]) + " but there are " +
                                              text_of(total) + " " + what + "; it must be one more");
}

inline void check_functions(const int32_t* batch_basis, int64_t n_batches, const int32_t* i_basis, int64_t n_basis) {
  for (int64_t b = 0; b < n_batches; ++b)
    for (int64_t i = batch_basis[b] - 1; i < batch_basis[b + 1] - 1; ++i) {
      if (i_basis[i] < 1 || i_basis[i] > n_basis)
        throw Failure(SUITE_INVALID_ARGUMENT,
                      element("i_basis", i) + " is " + text_of(i_basis[i]) + "; the basis functions are 1 to " + text_of(n_basis));
      if (i >= batch_basis[b] && i_basis[i] <= i_basis[i - 1])
        throw Failure(SUITE_INVALID_ARGUMENT, element("i_basis", i) + " is " + text_of(i_basis[i]) + " after " + text_of(i_basis[i - 1]) +
                                                  "; the functions of a batch must ascend");
    }
}

}  // namespace detail

// n_wave is the extent of wave.
inline Batches batches_of(const InBatches& c, int64_t n_points, int64_t n_basis, int64_t n_wave) {
  const int32_t *const points = c.batch_points.data(), *const functions = c.batch_basis.data();
  const int64_t n_batches = c.n_batches(), n_list = c.n_list();
  detail::check_offsets("batch_points", points, n_batches, n_points, "points");
  detail::check_offsets("batch_basis", functions, n_batches, n_list, "entries of i_basis");
  detail::check_functions(functions, n_batches, c.i_basis.data(), n_basis);
  Batches all;
  all.n_points = n_points;
  all.n_list = n_list;
  for (int64_t b = 0; b < n_batches; ++b) {
    const Batch batch{points[b] - 1, points[b + 1] - points[b], functions[b] - 1, functions[b + 1] - functions[b], all.n_wave};
    all.n_wave += batch.points * batch.functions;
    all.most_points = std::max(all.most_points, batch.points);
    all.most_functions = std::max(all.most_functions, batch.functions);
    all.batch.push_back(batch);
  }
  if (all.n_wave != n_wave)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "n_wave is " + text_of(n_wave) + " in wave; the batches have " + text_of(all.n_wave) + " (function, point) pairs");
  return all;
}

}  // namespace suite::dfpt
