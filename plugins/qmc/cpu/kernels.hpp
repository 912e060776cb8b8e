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
  template <class... Argument> bool same(const Argument&... arguments) {
    std::vector<char> now;
    (append(now, arguments), ...);
    const bool unchanged = now == last_;
    last_ = std::move(now);
    return unchanged;
  }
  void forget() { last_.clear(); }

private:
  template <class T> static void append(std::vector<char>& to, const T* from, int64_t count) {
    const auto* const bytes = reinterpret_cast<const char*>(from);
    to.insert(to.end(), bytes, bytes + sizeof(T) * static_cast<size_t>(count));
  }
  template <class Argument> static void append(std::vector<char>& to, const Argument& argument) {
    if constexpr (requires { argument.data(); }) {
      const suite_array& array = argument;
      int64_t count = array.data ? 1 : 0;
      for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
      append(to, array.extent, count > 0 ? array.rank : 0);
      append(to, &count, 1);
      append(to, argument.data(), count);
    } else {
      const bool set = argument.is_set();
      const auto value = static_cast<double>(argument);
      append(to, &set, 1);
      append(to, &value, 1);
    }
  }
  std::vector<char> last_;
};

inline double real(int64_t n) { return static_cast<double>(n); }

class Scratch : public cpu::Scratch {
public:
  Scratch() : cpu::Scratch("qmc") {}
};

}  // namespace suite::qmc
