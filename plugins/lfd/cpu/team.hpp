// SPDX-License-Identifier: BSD-3-Clause
// The threads that do a piece of work together: all of a parallel region, or one alone. Functions that take a
// Team are called by each of its threads with the same arguments and end with all threads done. Shares depend
// on sizes and threads alone.
#pragma once

#include <omp.h>

#include <cstdint>

namespace suite::lfd {

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
  template <class F>
  void share(int64_t n, F&& f) const {
    for (int64_t i = begin(n); i < end(n); ++i) f(i);
    wait();
  }
  // f() by one thread, then all go on.
  template <class F>
  void once(F&& f) const {
    if (first()) f();
    wait();
  }

private:
  Team(int size, int rank) : size_(size), rank_(rank) {}
  int size_, rank_;
};

}  // namespace suite::lfd
