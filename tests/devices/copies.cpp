// SPDX-License-Identifier: BSD-3-Clause
// Copies into and out of pinned buffers by several threads: every byte once, and none of the threads with much more than its share.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <omp.h>

#include "../../plugins/backends/cuda_hip/copy.hpp"

namespace {

constexpr size_t mebibyte = size_t{1} << 20;

BOOST_AUTO_TEST_CASE(pieces_are_disjoint_and_even) {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{1000}, 4 * mebibyte - 1, 4 * mebibyte})
    for (int threads = 1; threads <= 8; ++threads) {
      BOOST_TEST(suite::piece_begin(bytes, threads, 0) == 0u);
      BOOST_TEST(suite::piece_begin(bytes, threads, threads) == bytes);
      for (int t = 0; t < threads; ++t) {
        const size_t begin = suite::piece_begin(bytes, threads, t), end = suite::piece_begin(bytes, threads, t + 1);
        BOOST_TEST(begin <= end);
        BOOST_TEST(end - begin <= bytes / static_cast<size_t>(threads) + 64);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_full_buffer_is_divided_among_all_threads_up_to_eight) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 4, 8, 16}) {
    omp_set_num_threads(threads);
    BOOST_TEST(suite::copy_threads(4 * mebibyte) == std::min(threads, 8));
    BOOST_TEST(suite::copy_threads(1000) == 1);
  }
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(every_byte_arrives) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(4);
  for (const size_t bytes : {size_t{1}, mebibyte + 13, 3 * mebibyte, 4 * mebibyte - 5}) {
    std::vector<char> from(bytes), to(bytes + 2, 'x');
    for (size_t i = 0; i < bytes; ++i) from[i] = static_cast<char>(i * 2654435761u >> 13);
    suite::copy_by_threads(to.data() + 1, from.data(), bytes);
    BOOST_TEST(std::equal(from.begin(), from.end(), to.begin() + 1));
    BOOST_TEST(to.front() == 'x');
    BOOST_TEST(to.back() == 'x');
  }
  omp_set_num_threads(before);
}

}  // namespace
