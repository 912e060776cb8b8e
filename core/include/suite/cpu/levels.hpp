// SPDX-License-Identifier: BSD-3-Clause
// suite/cpu/levels.hpp - instruction sets beyond the baseline that plugins are built for, best first. A plugin for a
// level lies in the subfolder of its name, which is what the compiler's -march calls it.
#pragma once

#include <array>
#include <cstddef>

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace suite::cpu {

struct Level {
  const char *name, *vectors;
};

// runs(at): whether this CPU runs levels[at].
#if defined(__x86_64__)
inline constexpr std::array<Level, 2> levels{{{"x86-64-v4", "AVX-512"}, {"x86-64-v3", "AVX2"}}};

inline bool runs(size_t at) {
  __builtin_cpu_init();
  return at == 0 ? __builtin_cpu_supports("x86-64-v4") : __builtin_cpu_supports("x86-64-v3");
}
#elif defined(__aarch64__) && defined(__linux__)
inline constexpr std::array<Level, 1> levels{{{"armv8-a+sve", "SVE"}}};

inline bool runs(size_t) {
  constexpr unsigned long sve = 1UL << 22;  // HWCAP_SVE
  return (::getauxval(AT_HWCAP) & sve) != 0;
}
#else
inline constexpr std::array<Level, 0> levels{};

inline bool runs(size_t) { return false; }
#endif

}  // namespace suite::cpu
