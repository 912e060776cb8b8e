// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common.
#pragma once

#include <algorithm>
#include <vector>

#include <suite/cpu/buffer.hpp>
#include <suite/cpu/threads.hpp>

#include "../call.hpp"
#include "lanes.hpp"

namespace suite::qmc {

using cpu::threads_parameter;

template <class T>
const T* numbers(const suite_array& array) {
  return static_cast<const T*>(array.data);
}
template <class T>
T* results(const suite_array& array) {
  return static_cast<T*>(array.data);
}

// Whether constant arguments are those of the last time, so that a change of the number of walkers alone
// leaves the tables as they are.
class Constants {
public:
  bool same(std::initializer_list<const suite_array*> arrays) {
    std::vector<char> now;
    const auto add = [&](const void* from, size_t bytes) {
      now.insert(now.end(), static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
    };
    for (const suite_array* a : arrays) {
      const int64_t count = a->data ? count_of(*a) : 0;
      add(&count, sizeof count);
      if (count == 0) continue;
      add(a->extent, sizeof(int64_t) * static_cast<size_t>(a->rank));
      add(a->data, static_cast<size_t>(count * suite_type_bytes(a->type)));
    }
    const bool unchanged = now == last_;
    last_ = std::move(now);
    return unchanged;
  }
  void forget() { last_.clear(); }

private:
  static int64_t count_of(const suite_array& a) {
    int64_t n = 1;
    for (int d = 0; d < a.rank; ++d) n *= a.extent[d];
    return n;
  }
  static int64_t suite_type_bytes(int32_t type) { return type == SUITE_INT32 ? 4 : 8; }
  std::vector<char> last_;
};

// How many threads n items are worth that take about so long each: a team costs several microseconds, a
// thread of it gets at least 50.
inline int useful_threads(int64_t threads, int64_t n, double nanoseconds) {
  const double worth = std::min(static_cast<double>(n), static_cast<double>(n) * nanoseconds / 50e3);
  if (worth < 2) return 1;
  return static_cast<int>(std::min<double>(worth, cpu::team_size(threads)));
}
inline double real(int64_t n) { return static_cast<double>(n); }

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
  cpu::Buffer<double> buffer_{"qmc"};
  double* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace suite::qmc
