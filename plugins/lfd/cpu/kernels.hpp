// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common.
#pragma once

#include <omp.h>

#include <algorithm>
#include <exception>

#include "../call.hpp"

namespace suite::lfd {

inline constexpr suite_parameter threads_parameter{
    "threads", 0,       0,
    4096,      nullptr, "threads of the one parallel region; 0: as OpenMP has it (OMP_NUM_THREADS)"};

template <class T>
const T* numbers(const suite_array& array) {
  return static_cast<const T*>(array.data);
}
template <class T>
T* results(const suite_array& array) {
  return static_cast<T*>(array.data);
}

// f(float()) or f(double()).
template <class F>
void by_precision(const suite_array& array, F&& f) {
  if (is_single(array))
    f(float());
  else
    f(double());
}

inline int team_size(int64_t threads) {
  return threads > 0 ? static_cast<int>(threads) : omp_get_max_threads();
}

// f(begin,end) for shares of 0..n-1; small work, below `least` for a thread, by fewer threads. What f throws
// leaves the parallel region, where it would end the process.
template <class F>
void in_parallel(int64_t threads, int64_t n, int64_t least, F&& f) {
  const int64_t useful = std::clamp<int64_t>(n / std::max<int64_t>(least, 1), 1, team_size(threads));
  if (useful == 1) return f(int64_t{0}, n);
  std::exception_ptr failure;
#pragma omp parallel num_threads(static_cast <int>(useful))
  {
    const int64_t size = omp_get_num_threads(), rank = omp_get_thread_num();
    try {
      f(n * rank / size, n * (rank + 1) / size);
    } catch (...) {
#pragma omp critical(suite_lfd_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace suite::lfd
