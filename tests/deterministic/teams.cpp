// SPDX-License-Identifier: BSD-3-Clause
#include "teams.hpp"

#include <algorithm>
#include <dlfcn.h>

#include <omp.h>

int largest_team = 1;

void use_threads(int threads) { omp_set_num_threads(threads); }

namespace {

void note(unsigned threads) { largest_team = std::max(largest_team, threads > 0 ? static_cast<int>(threads) : omp_get_max_threads()); }

template <class F> F next(const char* name) { return reinterpret_cast<F>(dlsym(RTLD_NEXT, name)); }

using Body = void (*)(void*);
using Loop = void (*)(Body, void*, unsigned, long, long, long, long, unsigned);

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void GOMP_parallel(Body body, void* data, unsigned threads, unsigned flags) {
  static const auto real = next<void (*)(Body, void*, unsigned, unsigned)>("GOMP_parallel");
  note(threads);
  real(body, data, threads, flags);
}

__attribute__((visibility("default"))) void GOMP_parallel_loop_dynamic(Body body, void* data, unsigned threads, long begin, long end,
                                                                       long step, long chunk, unsigned flags) {
  static const auto real = next<Loop>("GOMP_parallel_loop_dynamic");
  note(threads);
  real(body, data, threads, begin, end, step, chunk, flags);
}

__attribute__((visibility("default"))) void GOMP_parallel_loop_nonmonotonic_dynamic(Body body, void* data, unsigned threads, long begin,
                                                                                    long end, long step, long chunk, unsigned flags) {
  static const auto real = next<Loop>("GOMP_parallel_loop_nonmonotonic_dynamic");
  note(threads);
  real(body, data, threads, begin, end, step, chunk, flags);
}
}
