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

using cpu::each;
using cpu::numbers;
using cpu::results;
using cpu::share;
using cpu::threads_parameter;
using cpu::useful_threads;

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

inline double real(int64_t n) { return static_cast<double>(n); }

class Scratch : public cpu::Scratch {
public:
  Scratch() : cpu::Scratch("qmc") {}
};

}  // namespace suite::qmc
