// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of determinants have in common on the host: sizes of small arrays, and the caller's window of delayed moves.
#pragma once

#include <algorithm>

#include "engine.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {

inline const char* slater_text() {
  static const std::string text = std::string(text::windows) + text::slater;
  return text.c_str();
}
inline constexpr const char* work_in_global = " -DKIND=0 -DWORK=__global";

// Whole tiles of moves (slater.cl, WINDOW_STEP).
inline int64_t capacity_for(int64_t kmax, int lanes) {
  const int64_t step = lanes > 1 ? 4 * lanes : 1;
  return ceil_div(kmax, step) * step;
}

// Of one group: row, phi, four small arrays, partial sums (slater.cl, small_arrays).
inline int64_t small_size(int64_t n, int64_t capacity, int lanes, int items) {
  return 2 * ceil_div(n, lanes) * lanes + 4 * capacity + std::max<int64_t>(items * lanes, capacity);
}

inline size_t doubles(int64_t n) { return static_cast<size_t>(std::max<int64_t>(n, 1)) * sizeof(double); }

// The caller's window: checked, and on the device with the transposed copies that the kernels want.
class CallersWindow {
public:
  explicit CallersWindow(Engine& engine)
      : engine_(engine),
        V_(engine.backend, engine.queue, "the columns of delayed moves"),
        U_(engine.backend, engine.queue, "the columns of delayed moves") {}

  template <class Call> void set(const Call& c, int lanes, int items) {
    const int64_t n = c.n(), nwalker = c.nwalker();
    kmax = c.kmax();
    capacity = capacity_for(kmax, lanes);
    const std::vector<int32_t> who = engine_.fetch<int32_t>(c.delayed_electron, "delayed_electron");
    for (int64_t w = 0; w < nwalker; ++w) check_window(&who[static_cast<size_t>((kmax + 1) * w)], kmax, n, w);
    V = V_.at_least(doubles(n * capacity * nwalker));
    U = U_.at_least(doubles(n * capacity * nwalker));
    engine_.start(slater_text(), "transpose_windows", work_in_global, nwalker, lanes, items, memory_of(c.delayed_phi),
                  memory_of(c.delayed_dbar), memory_of(c.delayed_electron), V, U, as_int(n), as_int(kmax), as_int(capacity),
                  as_int(nwalker));
  }
  int64_t kmax = 0, capacity = 1;
  cl_mem V = nullptr, U = nullptr;

private:
  Engine& engine_;
  opencl::Scratch V_, U_;
};

}  // namespace suite::qmc::cl
