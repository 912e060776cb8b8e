// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common.
#pragma once

#include <omp.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "../call.hpp"
#include "buffer.hpp"
#include "lanes.hpp"

namespace suite::qmc {

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

// How many threads have something to do: n items, at least `least` for each.
inline int useful_threads(int64_t threads, int64_t n, int64_t least) {
  const int64_t team = threads > 0 ? threads : omp_get_max_threads();
  return static_cast<int>(std::clamp<int64_t>(n / std::max<int64_t>(least, 1), 1, team));
}

// f(begin,end,thread) for shares of 0..n-1 on `team` threads; f does not throw.
template <class F>
void share(int team, int64_t n, F&& f) {
  if (team == 1) return f(int64_t{0}, n, 0);
#pragma omp parallel num_threads(team)
  {
    const int64_t size = omp_get_num_threads(), rank = omp_get_thread_num();
    f(n * rank / size, n * (rank + 1) / size, static_cast<int>(rank));
  }
}

// f(item,thread) for 0..n-1, whichever thread is free.
template <class F>
void each(int team, int64_t n, F&& f) {
  if (team == 1) {
    for (int64_t i = 0; i < n; ++i) f(i, 0);
    return;
  }
#pragma omp parallel for num_threads(team) schedule(dynamic, 1)
  for (int64_t i = 0; i < n; ++i) f(i, omp_get_thread_num());
}

// Working memory of each thread, one after the other in one buffer.
class Scratch {
public:
  // Before a parallel region; sizes in doubles.
  void reserve(int team, int64_t each_thread) {
    size_ = (each_thread + 15) / 16 * 16;
    data_ = buffer_.at_least(size_ * team);
  }
  double* of(int thread) const { return data_ + size_ * thread; }

private:
  Buffer<double> buffer_;
  double* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace suite::qmc
