// SPDX-License-Identifier: BSD-3-Clause
// The published steps as the parameter `variant` of dfpt.rho, dfpt.sum_up and dfpt.h, for every
// implementation that keeps them: their order, what they do, and what was published of each.
//   "An OpenCL implementation of all-electron density-functional perturbation theory in FHI-aims", Front.
//   Chem. 11, 1156891 (2023), Fig. 11. Of rho and h only the whole is published.
#pragma once

#include <suite/plugin.hpp>

namespace suite::dfpt {

enum class Step { naive, parallelism, memory, control_flow, best };

namespace published {

inline constexpr const char* article = "Front. Chem. 11, 1156891 (2023)";
inline constexpr const char* source = "Front. Chem. 11, 1156891 (2023), Fig. 11";
inline constexpr const char* polypeptide = "sum_up, polypeptide of 312 atoms";
inline constexpr const char* rbd = "sum_up, RBD of 3006 atoms";

// Before the first step, on the host alone, and with it.
inline constexpr suite_published naive[] = {{"8 cores", 16.61, 16.61, "s", polypeptide, source},
                                            {"Hygon", 4.89, 4.89, "s", polypeptide, source},
                                            {"32 cores", 276.55, 276.55, "s", rbd, source},
                                            {"4 Hygon", 105.33, 105.33, "s", rbd, source}};
inline constexpr suite_published parallelism[] = {{"Hygon", 4.09, 4.09, "s", polypeptide, source},
                                                  {"4 Hygon", 93.70, 93.70, "s", rbd, source}};
inline constexpr suite_published memory[] = {{"Hygon", 1.69, 1.69, "s", polypeptide, source}, {"4 Hygon", 38.62, 38.62, "s", rbd, source}};
inline constexpr suite_published control_flow[] = {{"Hygon", 1.05, 1.05, "s", polypeptide, source},
                                                   {"4 Hygon", 19.56, 19.56, "s", rbd, source}};
inline constexpr suite_published whole_rho[] = {{"Hygon", 1.7, 1.7, "times as fast as 8 cores", "the whole of rho", article}};
inline constexpr suite_published whole_h[] = {{"Hygon", 2.7, 2.7, "times as fast as 8 cores", "the whole of h", article}};

}  // namespace published

inline constexpr suite_choice rho_steps[] = {
    choice("naive", "one thread per batch, products of all its points in memory"),
    choice("parallelism", "one block per batch, one thread per point, no intermediate arrays", SUITE_FASTER),
    choice("memory", "tiles of 32 x 32 of the matrix and of the functions in shared memory", SUITE_FASTER),
    step("control_flow", "precomputed lists of tiles, upper triangle only, three directions at once", published::whole_rho, nullptr,
         SUITE_FASTER),
    choice("best", "the same with tiles of 64 points and 16 products per thread and direction", SUITE_FASTER)};

inline constexpr suite_choice h_steps[] = {
    choice("naive", "one thread per batch, weighted functions of all its points in memory"),
    choice("parallelism", "one block per batch, one thread per element, no intermediate arrays", SUITE_FASTER),
    choice("memory", "tiles of 32 x 32 of the functions at the points in shared memory", SUITE_FASTER),
    step("control_flow", "precomputed lists of tiles, upper triangle only, three directions at once", published::whole_h, nullptr,
         SUITE_FASTER),
    choice("best", "the same with 16 products per thread and direction", SUITE_FASTER)};

inline constexpr suite_choice sum_up_steps[] = {
    step("naive", "one thread per 32 points, harmonics in memory, near and far field separately", published::naive),
    step("parallelism", "one thread per point and direction, harmonics of one point at a time", published::parallelism),
    step("memory", "moments in shared memory, harmonics in registers, one pass for three directions", published::memory),
    step("control_flow", "near and far field merged into one sum, l_max known at compile time", published::control_flow),
    choice("best", "near pairs separate, sorted by the interval of their table", SUITE_FASTER)};

// For an implementation whose devices differ too much for an expectation of the steps before the fastest way.
template <size_t N> consteval std::array<suite_choice, N> without_expectation(std::array<suite_choice, N> steps) {
  for (size_t i = 0; i + 1 < N; ++i) steps[i].expected = SUITE_UNKNOWN;
  return steps;
}

// The parameter itself; an implementation that does something else in a step gives its own `steps`
// (with_meaning).
template <class Steps> constexpr suite_parameter variant_of(const Steps& steps) {
  return variant("variant", static_cast<int>(Step::best), steps, "published optimisation step, or the fastest (best)");
}

}  // namespace suite::dfpt
