// SPDX-License-Identifier: BSD-3-Clause
// ceilings - what the machine can do at most, measured: a roofline's roofs. ceilings.fma runs nothing but
// independent fused multiply-adds, in the precision of its result; ceilings.triad streams a = b + s c (J.
// McCalpin, STREAM).
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <suite/plugin.hpp>

namespace suite::ceilings {

// The one number of a size: "n=1000000", or a named one. A kernel of two precisions knows ",precision=single"
// too.
inline int64_t size_of(const char* kernel, const char* size, int64_t small, int64_t standard,
                       bool* single = nullptr) {
  std::string text = size ? size : "standard";
  constexpr std::string_view suffix = ",precision=single";
  if (single && (*single = text.ends_with(suffix))) text.resize(text.size() - suffix.size());
  if (text == "small") return small;
  if (text == "standard") return standard;
  if (text.starts_with("test:"))
    throw Failure(SUITE_NOT_FOUND,
                  std::string(kernel) + " has no test sizes: what it computes is not of interest");
  char* end = nullptr;
  errno = 0;
  const double n = text.starts_with("n=") ? std::strtod(text.c_str() + 2, &end) : 0;
  if (!end || *end != '\0' || errno != 0 || !(n >= 1 && n <= 1e15))
    throw Failure(SUITE_NOT_FOUND, "unknown size '" + text + "' of " + kernel +
                                       " (known: small, standard, n=<1 to 1e15>" +
                                       (single ? "; each with ,precision=single" : "") + ")");
  return static_cast<int64_t>(n);
}

inline void set_shape(suite_array& a, int32_t type, int32_t rank, int64_t n) {
  a.type = type;
  a.rank = rank;
  for (auto& e : a.extent) e = 1;
  if (rank > 0) a.extent[0] = n;
}

struct Fma {
  static constexpr const char* name = "ceilings.fma";
  static constexpr const char* summary = "peak of fused multiply-adds";
  static constexpr const char* merit = "fused multiply-adds: count";
  enum : int { count, result };
  static constexpr suite_argument arguments[] = {
      {"count", SUITE_INT64, 0, SUITE_IN, "", "1", "fused multiply-adds to run, over all threads", 0},
      {"result", SUITE_ONE_OF2(SUITE_REAL32, SUITE_REAL64), 1, SUITE_OUT, "n", "1",
       "every chain's x <- x/2 + 1/2 in this precision, which tends to 1, averaged", 1e-12},
  };
  static int cost(const suite_array* arguments, suite_cost* cost) {
    cost->flops = arguments[count].data
                      ? 2 * static_cast<double>(*static_cast<const int64_t*>(arguments[count].data))
                      : 0;
    cost->bytes = 0;
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t, suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      bool single = false;
      const int64_t n = size_of(name, size, 100'000'000, 20'000'000'000, &single);
      if (arguments[count].data) {
        *static_cast<int64_t*>(arguments[count].data) = n;
        return;
      }
      set_shape(arguments[count], SUITE_INT64, 0, 1);
      set_shape(arguments[result], single ? SUITE_REAL32 : SUITE_REAL64, 1, 1);
    });
  }
};

struct Triad {
  static constexpr const char* name = "ceilings.triad";
  static constexpr const char* summary = "memory bandwidth of a = b + s c";
  static constexpr const char* merit = "elements: n";
  enum : int { b, c, s, a };
  static constexpr suite_argument arguments[] = {
      {"b", SUITE_REAL64, 1, SUITE_IN, "n", "1", "read", 0},
      {"c", SUITE_REAL64, 1, SUITE_IN, "n", "1", "read", 0},
      {"s", SUITE_REAL64, 0, SUITE_IN, "", "1", "factor", 0},
      {"a", SUITE_REAL64, 1, SUITE_OUT, "n", "1", "b + s c", 1e-15},
  };
  // 24 bytes an element, as STREAM counts them: that a processor reads a line before it writes it is not
  // counted.
  static int cost(const suite_array* arguments, suite_cost* cost) {
    cost->flops = 2 * static_cast<double>(arguments[a].extent[0]);
    cost->bytes = 24 * static_cast<double>(arguments[a].extent[0]);
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t, suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      const int64_t n = size_of(name, size, 100'000, int64_t{1} << 26);
      if (!arguments[b].data) {
        for (int i : {b, c, a}) set_shape(arguments[i], SUITE_REAL64, 1, n);
        set_shape(arguments[s], SUITE_REAL64, 0, 1);
        return;
      }
      auto* const to_b = static_cast<double*>(arguments[b].data);
      auto* const to_c = static_cast<double*>(arguments[c].data);
#if defined(_OPENMP)
#pragma omp parallel for schedule(static)
#endif
      for (int64_t i = 0; i < n; ++i) {
        to_b[i] = 1;
        to_c[i] = static_cast<double>(i % 7);
      }
      *static_cast<double*>(arguments[s].data) = 3;
    });
  }
};

}  // namespace suite::ceilings
