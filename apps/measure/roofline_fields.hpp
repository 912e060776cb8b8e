// SPDX-License-Identifier: BSD-3-Clause
// Keys, units and limits of ceilings and peaks (roofline.hpp) in files.
#pragma once

#include "roofline.hpp"
#include "row_fields.hpp"

namespace suite::app {

inline constexpr const char* arithmetic_words[] = {"FMA", "matrix", "no FMA", "divide", "reciprocal"};
inline constexpr const char* peak_words[] = {"fp64", "fp32", "dram", "l1", "l2", "l3"};
inline constexpr Limits above_zero{.low = 0, .high = 1e30, .above_low = true};

struct OfArithmetic;
struct OfMemory;

// clang-format off
template <> inline constexpr auto fields<Ceiling, OfArithmetic> = std::tuple{
    Field{&Ceiling::name,   "name",       "", "", {.one_of = arithmetic_words}},
    Field{&Ceiling::kernel, "kernel",     "", "kernel that measured it", not_empty},
    Field{&Ceiling::per_s,  "flop_per_s", "flop/s", "a division or reciprocal counts as 1", above_zero},
};
template <> inline constexpr auto fields<Ceiling, OfMemory> = std::tuple{
    Field{&Ceiling::name,          "name",          "", "L1, L2, L3, memory", not_empty},
    Field{&Ceiling::kernel,        "kernel",        "", "kernel that measured it", not_empty},
    Field{&Ceiling::working_set_B, "working_set_B", "B", "", above_zero},
    Field{&Ceiling::per_s,         "B_per_s",       "B/s", "", above_zero},
};
template <> inline constexpr auto fields<DeviceCeilings> = std::tuple{
    Field{&DeviceCeilings::device,       "device",      "", "", not_empty},
    Field{&DeviceCeilings::description,  "description", "", "name reported by the device"},
    Computed{&DeviceCeilings::precision, "precision",   "", "", {.one_of = precision_words}},
    Field{&DeviceCeilings::threads,      "threads",     "", "", {.low = 1}},
    as<OfArithmetic>(&DeviceCeilings::compute, "compute", ""),
    as<OfMemory>(&DeviceCeilings::bandwidth, "bandwidth", "from the first cache level to memory"),
};
template <> inline constexpr auto fields<Peak> = std::tuple{
    Field{&Peak::name,          "name",       "", "", {.one_of = peak_words}},
    Field{&Peak::device,        "device",     "", "empty if the user gave the number"},
    Computed{&Peak::flop_per_s, "flop_per_s", "flop/s", "", above_zero},
    Computed{&Peak::B_per_s,    "B_per_s",    "B/s", "", above_zero},
    Field{&Peak::source,        "source",     "", "", not_empty},
};
// clang-format on

}  // namespace suite::app
