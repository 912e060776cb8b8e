// SPDX-License-Identifier: BSD-3-Clause
#include "copy.hpp"

#include <cstring>

#include <omp.h>

namespace suite {

int copy_threads(size_t bytes) {
  constexpr size_t least = size_t{512} << 10;
  constexpr int most = 8;  // memory is the limit of more
  return std::clamp(static_cast<int>(std::min<size_t>(bytes / least, most)), 1, std::max(1, omp_get_max_threads()));
}

void copy_by_threads(void* to, const void* from, size_t bytes) {
  const int wanted = copy_threads(bytes);
#pragma omp parallel num_threads(wanted) if (wanted > 1)
  {
    // There may be fewer than asked for.
    const int threads = omp_get_num_threads(), t = omp_get_thread_num();
    const size_t begin = piece_begin(bytes, threads, t), end = piece_begin(bytes, threads, t + 1);
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
  }
}

}  // namespace suite
