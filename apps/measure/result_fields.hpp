// SPDX-License-Identifier: BSD-3-Clause
// Keys, units, limits and order of the parts of result files other than rows.
#pragma once

#include "fields.hpp"
#include "outcome.hpp"
#include "provenance.hpp"
#include "result_blocks.hpp"
#include "row_fields.hpp"

namespace suite::app {

inline constexpr const char* status_words[] = {"ok", "failed", "error", "interrupted"};
inline constexpr const char* law_words[] = {"holds", "broken"};
inline constexpr const char* check_words[] = {"ok", "failed"};
inline constexpr Limits count_limits{.low = 0, .high = 1 << 24}, counting{.low = 1, .high = 1 << 24}, any_number{.or_null = true};

void checked(const stored::Value& from, ConsistencyCheck& check);
void checked(const stored::Value& from, Observable& observable);

struct AsLadder;
struct AsRoofline;

// clang-format off
template <> inline constexpr auto fields<LeftOut> = std::tuple{
    Field{&LeftOut::implementation, "implementation", "", "", name_limits},
    Field{&LeftOut::why,            "why",            "", "", not_empty},
};

// The arguments common to the rows of a block.
inline constexpr auto arguments_of_block = std::tuple{
    Field{&RowBlock::size,           "size",           "", "", not_empty},
    Field{&RowBlock::seed,           "seed",           "", "", {.low = 0}},
    Field{&RowBlock::threads,        "threads",        "", "", counting},
    Field{&RowBlock::verified_at,    "verified_at",    "", "size at which the rows were verified", not_empty},
};
inline constexpr Field kernel_of_block{&RowBlock::kernel, "kernel", "", "", name_limits};
inline constexpr Field left_out_of_block{&RowBlock::left_out, "left_out", "", ""};

template <> inline constexpr auto fields<RowBlock> = std::tuple_cat(std::tuple{kernel_of_block}, arguments_of_block, std::tuple{
    Field{&RowBlock::fma_flop_per_s, "fma_flop_per_s", "flop/s", "measured FMA ceiling", amount_limits},
    as<AsCandidate>(&RowBlock::rows, "contenders", "implementations on the same arguments"),
    left_out_of_block,
    Field{&RowBlock::ended_early,    "ended_early",    "", "number of rounds before the time limit was reached", {.least = 1, .omit_empty = true}},
    Field{&RowBlock::wall_s,         "wall_s",         "s", "", seconds_limits},
});
template <> inline constexpr auto fields<RowBlock, AsRoofline> = std::tuple_cat(std::tuple{kernel_of_block}, arguments_of_block, std::tuple{
    as<AsCandidate>(&RowBlock::rows, "contenders", "implementations on the same arguments", {.least = 1}),
    left_out_of_block,
});
template <> inline constexpr auto fields<RowBlock, AsLadder> = std::tuple_cat(std::tuple{
    kernel_of_block,
    Field{&RowBlock::implementation, "implementation", "", "", name_limits},
    Field{&RowBlock::backend,        "backend",        "", "", name_limits},
    Field{&RowBlock::device,         "device",         "", ""},
    Field{&RowBlock::plugin,         "plugin",         "", "file of the plugin", not_empty},
}, arguments_of_block, std::tuple{
    Field{&RowBlock::parameters,     "parameters",     "", "", {.longest = 256, .omit_empty = true}},
    Field{&RowBlock::fma_flop_per_s, "fma_flop_per_s", "flop/s", "measured FMA ceiling; 0: not measured", amount_limits},
    as<AsStep>(&RowBlock::rows,      "steps", "", {.least = 1}),
});

template <> inline constexpr auto fields<PluginFile> = std::tuple{
    Field{&PluginFile::file,     "file",     "", "", not_empty},
    Field{&PluginFile::version,  "version",  "", "", {.longest = 256, .omit_empty = true}},
    Field{&PluginFile::compiler, "compiler", "", "", {.omit_empty = true}},
    Field{&PluginFile::sha256,   "sha256",   "", "", {.pattern = "^[0-9a-f]{64}$", .longest = 256, .omit_empty = true}},
};
template <> inline constexpr auto fields<Machine> = std::tuple{
    Field{&Machine::name,     "name",     "", "", name_or_none},
    Field{&Machine::cpu,      "cpu",      "", "", name_or_none},
    Field{&Machine::simd,     "simd",     "", "", name_or_none},
    Field{&Machine::cores,    "cores",    "", "number of cores available to the process", counting},
    Field{&Machine::memory_B, "memory_B", "B", "", {.low = 0}},
    Field{&Machine::system,   "system",   "", "", name_or_none},
};
template <> inline constexpr auto fields<Provenance::Input> = std::tuple{
    Field{&Provenance::Input::file,   "file",   "", ""},
    Field{&Provenance::Input::sha256, "sha256", "", "", {.pattern = "^([0-9a-f]{64})?$", .longest = 256}},
};
template <> inline constexpr auto fields<Provenance> = std::tuple{
    Field{&Provenance::suite_version, "suite_version", "", "", name_limits},
    Field{&Provenance::suite_commit,  "suite_commit",  "", "", name_or_none},
    Field{&Provenance::plugins,       "plugins",       "", "plugins in use"},
    Field{&Provenance::host,          "host",          "", ""},
    Field{&Provenance::threads,       "threads",       "", "", counting},
    Field{&Provenance::ranks,         "ranks",         "", "", counting},
    Field{&Provenance::devices,       "devices",       "", "device of each rank, if there are several", {.omit_empty = true}},
    Field{&Provenance::deterministic, "deterministic", "", "whether --deterministic was in effect"},
    Field{&Provenance::input,         "input",         "", ""},
    Field{&Provenance::overrides,     "overrides",     "", "input keys changed by --set"},
    Field{&Provenance::command_line,  "command_line",  "", "", {.least = 2}},
    Field{&Provenance::utc,           "utc",           "", "start time", {.pattern = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$", .longest = 256}},
};
template <> inline constexpr auto fields<Times> = std::tuple{
    Field{&Times::wall_s,          "wall_s",          "s", "", seconds_limits},
    Field{&Times::cpu_s,           "cpu_s",           "s", "CPU time of all threads", amount_limits},
    Field{&Times::waited_fraction, "waited_fraction", "1", waited_meaning, share_or_null},
    Field{&Times::energy_J,        "energy_J",        "J", "", {.low = 0, .high = 1e30, .or_null = true}},
    Field{&Times::energy_why,      "energy_why",      "", "reason why energy_J is null", {.omit_empty = true}},
    Field{&Times::app_s,           "app_s",           "s", "time without verification against the reference", seconds_limits},
};

template <> inline constexpr auto fields<ConsistencyCheck> = std::tuple{
    Field{&ConsistencyCheck::name,      "name",      "", "", name_limits},
    Field{&ConsistencyCheck::deviation, "deviation", "", "null: not finite", any_number},
    Field{&ConsistencyCheck::bound,     "bound",     "", "largest accepted absolute deviation", amount_limits},
    Field{&ConsistencyCheck::unit,      "unit",      "", "unit of deviation and bound; empty if relative"},
    Computed{&ConsistencyCheck::verdict, "verdict",  "", "", {.one_of = law_words}},
    Field{&ConsistencyCheck::meaning,   "meaning",   "", "what to conclude if it is broken"},
};
template <> inline constexpr auto fields<Observable> = std::tuple{
    Field{&Observable::name,      "name",      "", "", name_limits},
    Field{&Observable::unit,      "unit",      "", ""},
    Field{&Observable::values,    "values",    "", "null: not finite", {.least = 1, .items_or_null = true}},
    Field{&Observable::labels,    "labels",    "", "one for each value", {.omit_empty = true}},
    Field{&Observable::tolerance, "tolerance", "", "absolute; two runs agree if no value differs by more", amount_limits},
    Field{&Observable::errors,    "errors",    "",
          "standard errors, one for each value: two runs agree within four joint standard errors, or within the tolerance if that is larger",
          {.low = 0, .items_or_null = true, .omit_empty = true}},
};
template <> inline constexpr auto fields<Outcome> = std::tuple{
    Field{&Outcome::checks,      "consistency", "", "conservation laws, sum rules and symmetries that the results must obey, and the deviations from them"},
    Field{&Outcome::observables, "observables", "", "numbers that another run of the same input must reproduce; compared by `suite compare OLD NEW`"},
    Computed{&warning_sentences, "warnings",    "", "every broken consistency check, and other warnings of the app", {.items_not_empty = true}},
};

template <> inline constexpr auto fields<PublishedCheck> = std::tuple{
    Field{&PublishedCheck::name,      "case",      "", "", name_limits},
    Field{&PublishedCheck::quantity,  "quantity",  "", "", name_limits},
    Field{&PublishedCheck::value,     "value",     "", "", any_number},
    Field{&PublishedCheck::error,     "error",     "", "", {.low = 0}},
    Field{&PublishedCheck::deviation, "deviation", "", ""},
    Field{&PublishedCheck::verdict,   "verdict",   "", "", {.one_of = check_words}},
    Field{&PublishedCheck::source,    "source",    "", ""},
    Field{&PublishedCheck::expected,  "expected",  "", ""},
    Field{&PublishedCheck::below,     "below",     "", ""},
};
// clang-format on

}  // namespace suite::app
