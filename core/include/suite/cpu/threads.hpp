// SPDX-License-Identifier: BSD-3-Clause
// suite/cpu/threads.hpp - the threads of a CPU kernel: OpenMP, one parallel region per call.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include <suite/plugin.hpp>

namespace suite::cpu {

inline constexpr suite_parameter threads_parameter =
    knob("threads", 0, 0, 4096, "threads", "number of threads; 0: OpenMP's default (OMP_NUM_THREADS)");

// The base of a kernel class with the named choices, then `threads`, as its parameters.
template <const suite_parameter&... choices> class WithThreads {
public:
  static constexpr suite_parameter parameters[] = {choices..., threads_parameter};
  WithThreads(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[sizeof...(choices)]) {}

protected:
  int64_t threads_;
};

inline int team_size(int64_t threads) { return threads > 0 ? static_cast<int>(threads) : omp_get_max_threads(); }

// f(begin,end) for shares of 0..n-1; small work, below `least` for a thread, by fewer threads. What f throws
// leaves the parallel region, where it would end the process.
template <class F> void in_parallel(int64_t threads, int64_t n, int64_t least, F&& f) {
  const int64_t useful = std::clamp<int64_t>(n / std::max<int64_t>(least, 1), 1, team_size(threads));
  if (useful == 1) return f(int64_t{0}, n);
  std::exception_ptr failure;
#pragma omp parallel num_threads(static_cast<int>(useful))
  {
    const int64_t size = omp_get_num_threads(), rank = omp_get_thread_num();
    try {
      f(n * rank / size, n * (rank + 1) / size);
    } catch (...) {
#pragma omp critical(suite_cpu_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

// The useful number of threads for n items of about this duration each: a team costs several microseconds, and a
// thread should get at least 50.
inline int useful_threads(int64_t threads, int64_t n, double nanoseconds) {
  const double worth = std::min(static_cast<double>(n), static_cast<double>(n) * nanoseconds / 50e3);
  if (worth < 2) return 1;
  return static_cast<int>(std::min<double>(worth, team_size(threads)));
}

// f(begin,end,thread) for shares of 0..n-1 on `team` threads; f does not throw.
template <class F> void share(int team, int64_t n, F&& f) {
  if (team == 1) return f(int64_t{0}, n, 0);
#pragma omp parallel num_threads(team)
  {
    const int64_t size = omp_get_num_threads(), rank = omp_get_thread_num();
    f(n * rank / size, n * (rank + 1) / size, static_cast<int>(rank));
  }
}

// f(item,thread) for 0..n-1, whichever thread is free. What f throws leaves the parallel region; the items
// that were not begun are then skipped.
template <class F> void each(int team, int64_t n, F&& f) {
  if (team == 1) {
    for (int64_t i = 0; i < n; ++i) f(i, 0);
    return;
  }
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
#pragma omp parallel for num_threads(team) schedule(dynamic, 1)
  for (int64_t i = 0; i < n; ++i) {
    if (failed) continue;
    try {
      f(i, omp_get_thread_num());
    } catch (...) {
#pragma omp critical(suite_cpu_failure)
      failure = std::current_exception();
      failed = true;
    }
  }
  if (failure) std::rethrow_exception(failure);
}

// The threads that share a piece of work: all of a parallel region, or a single one. Functions that take a
// Team are called by each of its threads with the same arguments and end with all threads done. Shares depend
// on sizes and threads alone.
class Team {
public:
  static Team alone() { return {1, 0}; }
  static Team all() { return {omp_get_num_threads(), omp_get_thread_num()}; }

  int size() const { return size_; }
  int rank() const { return rank_; }
  bool first() const { return rank_ == 0; }
  int64_t begin(int64_t n) const { return n * rank_ / size_; }
  int64_t end(int64_t n) const { return n * (rank_ + 1) / size_; }

  void wait() const {
    if (size_ == 1) return;
#pragma omp barrier
  }

  // f(i) for this thread's share of 0..n-1, then all wait.
  template <class F> void share(int64_t n, F&& f) const {
    for (int64_t i = begin(n); i < end(n); ++i) f(i);
    wait();
  }
  // f() by one thread while the others wait.
  template <class F> void once(F&& f) const {
    if (first()) f();
    wait();
  }

private:
  Team(int size, int rank) : size_(size), rank_(rank) {}
  int size_, rank_;
};

}  // namespace suite::cpu
