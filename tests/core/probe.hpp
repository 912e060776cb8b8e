// SPDX-License-Identifier: BSD-3-Clause
// probe - a kernel family that exists to test the core: every kind of argument, on a backend that shares host
// memory and on one that does not.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include <suite/plugin.hpp>

namespace probe {

inline constexpr int32_t flavour = SUITE_ONE_OF2(SUITE_REAL64, SUITE_COMPLEX128);

// total(j,e) = factor * gain * sum_i weight(i) values(i,j,e), state(i) += weight(i).
struct Sum {
  static constexpr const char* name = "probe.sum";
  static constexpr const char* summary = "weighted sums";
  static constexpr const char* merit = "sums: m*nex*nm";
  enum : int { gain, nm, weight, values, offsets, state, total, counters };
  static constexpr suite_argument arguments[] = {
      {"gain", SUITE_REAL64, 0, SUITE_IN | SUITE_OPTIONAL, "", "1", "1 when unset", 0},
      {"nm", SUITE_INT32, 0, SUITE_IN | SUITE_OPTIONAL, "", "1", "the number of sums", 0},
      {"weight", flavour, 1, SUITE_CONSTANT, "n", "1", "kept by prepare", 0},
      {"values", flavour, 3, SUITE_IN, "n,m,nex", "1", "to be summed", 0},
      {"offsets", SUITE_INT32, 1, SUITE_IN | SUITE_OPTIONAL, "m+1", "1", "unused", 0},
      {"state", flavour, 1, SUITE_INOUT, "n", "1", "grows by weight", 1e-15},
      {"total", flavour, 2, SUITE_OUT, "m,nex", "1", "the sums", 1e-14},
      {"counters", SUITE_INT64, 1, SUITE_OUT | SUITE_OPTIONAL, "2", "1", "prepares and kernels made", 0},
  };

  static int cost(const suite_array* a, suite_cost* cost) {
    const double terms = static_cast<double>(a[values].extent[0] * a[values].extent[1] * a[values].extent[2]);
    cost->flops = 2 * terms;
    cost->bytes = 8 * terms;
    return SUITE_OK;
  }

  // size: the number n, or "absurd" for more memory than there is.
  static int generate(const char* size, uint64_t seed, suite_array* a, suite_error* error) {
    return suite::guarded(error, [&] {
      int64_t n = 0;
      const std::string_view text = size;
      if (text == "absurd")
        n = int64_t(1) << 50;
      else if (std::from_chars(text.data(), text.data() + text.size(), n).ec != std::errc() || n < 1)
        throw suite::Failure(SUITE_INVALID_ARGUMENT, "no size is named '" + std::string(text) + "'");
      const auto shape = [&](int i, int32_t type, std::initializer_list<int64_t> extents) {
        a[i].type = type;
        a[i].rank = 0;
        for (int64_t e : extents) a[i].extent[a[i].rank++] = e;
      };
      if (!a[weight].data) {
        shape(weight, SUITE_REAL64, {n});
        shape(values, SUITE_REAL64, {n, 2, 1});
        shape(state, SUITE_REAL64, {n});
        shape(total, SUITE_REAL64, {2, 1});
        return;
      }
      for (int64_t i = 0; i < n; ++i) static_cast<double*>(a[weight].data)[i] = static_cast<double>(seed);
      for (int64_t i = 0; i < 2 * n; ++i)
        static_cast<double*>(a[values].data)[i] = static_cast<double>(i + 1);
      for (int64_t i = 0; i < n; ++i) static_cast<double*>(a[state].data)[i] = 0;
    });
  }
};

// out(i,j,k) over "a*b,c+d,(e+f)/2": all equal to the last element of in.
struct Six {
  static constexpr const char* name = "probe.six";
  static constexpr const char* summary = "rank 6 and shape expressions";
  static constexpr const char* merit = "things: a*(b+c)*nrow";
  static constexpr suite_argument arguments[] = {
      {"in", SUITE_REAL32, 6, SUITE_IN, "a,b,c,d,e,f", "1", "", 0},
      {"triangle", SUITE_REAL32, 1, SUITE_IN | SUITE_OPTIONAL, "a*(a+1)/2", "1", "unused", 0},
      {"rows", SUITE_INT32, 1, SUITE_IN | SUITE_OPTIONAL, "2*nrow-1", "1",
       "unused; nrow stands nowhere alone", 0},
      {"row", SUITE_INT32, 1, SUITE_IN | SUITE_OPTIONAL, "nrow+1", "1", "unused", 0},
      {"out", SUITE_REAL32, 3, SUITE_OUT, "a*b,c+d,(e+f)/2", "1", "the last element of in, everywhere", 0},
  };
  static constexpr auto cost = nullptr;
  static constexpr auto generate = nullptr;
};

// copy = in, both in whatever layout the implementation names; raw shows in as it lay there.
struct Copy {
  static constexpr const char* name = "probe.copy";
  static constexpr const char* summary = "layouts";
  static constexpr suite_argument arguments[] = {
      {"in", flavour, 3, SUITE_IN, "n,m,k", "1", "", 0},
      {"fixed", flavour, 2, SUITE_CONSTANT, "n,m", "1", "", 0},
      {"raw", SUITE_REAL64, 1, SUITE_OUT, "nraw", "1", "the first reals of in in the kernel's layout", 0},
      {"copy", flavour, 3, SUITE_OUT, "n,m,k", "1", "", 0},
      {"fixed_copy", flavour, 2, SUITE_OUT, "n,m", "1", "", 0},
  };
  static constexpr auto cost = nullptr;
  static constexpr auto generate = nullptr;
};

}  // namespace probe
