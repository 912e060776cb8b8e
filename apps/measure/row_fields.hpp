// SPDX-License-Identifier: BSD-3-Clause
// Keys, units, limits and order of rows (row.hpp) in files.
#pragma once

#include "fields.hpp"
#include "row.hpp"

namespace suite::app {

namespace stored {
class Value;
}

// Limits shared by many members. Files beyond them are refused: 1e9 s are 30 years; 1e30 flop is beyond any machine and far below an
// overflow of any sum.
inline constexpr Limits name_limits{.longest = 256, .least = 1}, name_or_none{.longest = 256}, not_empty{.least = 1},
    seconds_limits{.low = 0, .high = 1e9}, cpu_seconds_limits{.low = 0, .high = 1e15}, amount_limits{.low = 0, .high = 1e30};
inline constexpr Limits share_or_null{.low = 0, .high = 1, .or_null = true};
inline constexpr const char* waited_meaning =
    "fraction of the time during which its threads were ready to run but waited for a core, because of other programs or other threads of "
    "its own";
inline constexpr const char* verification_words[] = {"verified", "failed", "not checked"};
inline constexpr const char* decided_words[] = {"verified", "failed"};
inline constexpr const char* verdict_words[] = {"baseline", "FASTER", "same", "SLOWER", "unclear"};
inline constexpr const char* step_verdict_words[] = {"FASTER", "same", "SLOWER", "unclear"};
inline constexpr const char* better_words[] = {"lower"};
inline constexpr const char* met_words[] = {"met", "not met", "unclear", ""};
inline constexpr const char* precision_words[] = {"double", "single"};

template <> struct NamedOf<Parameters> {
  using item = std::string;
  static constexpr bool is = true;
};
// The values may be numbers in a file written by another program.
void read_from(const stored::Value& from, Parameters& into);

// Checks beyond the tables: a median lies within its interval; an error that is not a number becomes infinite.
void checked(const stored::Value& from, Interval& interval);
void checked(const stored::Value& from, Verification& verification);
void checked(const stored::Value& from, Row& row);

struct AsKernel;     // in a run
struct AsCandidate;  // compared with others on the same arguments
struct AsStep;       // in a ladder
struct OfSamples;    // an estimate of times
struct Decided;      // a verification that was carried out
struct WithoutCount;
struct RateOnly;
struct Definition;

// clang-format off
template <> inline constexpr auto fields<Estimate> = std::tuple{
    Field{&Estimate::median, "median", "", "", amount_limits},
    Field{&Estimate::low,    "low",    "", "", amount_limits},
    Field{&Estimate::high,   "high",   "", "", amount_limits},
};
template <> inline constexpr auto fields<Estimate, OfSamples> = std::tuple{
    Field{&Estimate::median, "median_s", "s", "", seconds_limits},
    Field{&Estimate::low,    "low_s",    "s", "lower end of the 95 % interval of the median; minimum of fewer than 6 samples", seconds_limits},
    Field{&Estimate::high,   "high_s",   "s", "upper end of that interval; maximum of fewer than 6 samples", seconds_limits},
};
template <> inline constexpr auto fields<Interval> = std::tuple{
    Field{&Interval::median, "median", "", "", amount_limits},
    Field{&Interval::low,    "low",    "", "", amount_limits},
    Field{&Interval::high,   "high",   "", "", amount_limits},
    Field{&Interval::p,      "p",      "", "p value of the rank test for equality", {.low = 0, .high = 1, .or_null = true}},
};

template <> inline constexpr auto fields<Merit> = std::tuple{
    Field{&Merit::unit,    "unit",    "", "what is counted", name_limits},
    Field{&Merit::formula, "formula", "", "how", not_empty},
    Field{&Merit::count,   "count",   "", "count in all samples (in one, if the row is a step of a ladder)", amount_limits},
    Constant{"better", "higher"},
    Field{&Merit::per_s,   "per_s",   "1/s", "", amount_limits},
};
template <> inline constexpr auto fields<Merit, Definition> = std::tuple{std::get<0>(fields<Merit>), std::get<1>(fields<Merit>)};
template <> inline constexpr auto fields<Merit, RateOnly> = std::tuple{std::get<0>(fields<Merit>), std::get<4>(fields<Merit>)};
template <> inline constexpr auto fields<Merit, WithoutCount> = std::tuple{std::get<0>(fields<Merit>), std::get<1>(fields<Merit>), std::get<4>(fields<Merit>)};

template <> inline constexpr auto fields<Verification> = std::tuple{
    Field{&Verification::status,             "status",             "", "", {.one_of = verification_words}},
    Field{&Verification::max_relative_error, "max_relative_error", "1", "largest deviation from the reference, relative to its largest element; null: not finite",
          {.low = 0, .high = std::numeric_limits<double>::max(), .or_null = true}},
    Field{&Verification::detail,             "detail",             "", "element that differs", {.omit_empty = true}},
};
template <> inline constexpr auto fields<Verification, AsStep> = std::tuple{
    std::get<0>(fields<Verification>), std::get<1>(fields<Verification>),
    Field{&Verification::detail, "detail", "", "element that differs"},
};

template <> inline constexpr auto fields<Verification, Decided> = std::tuple{
    Field{&Verification::status, "status", "", "", {.one_of = decided_words}},
    std::get<1>(fields<Verification>), std::get<2>(fields<Verification>),
};

template <> inline constexpr auto fields<Place::Roof> = std::tuple{
    Field{&Place::Roof::name,       "name",       "", "", name_limits},
    Field{&Place::Roof::flop_per_s, "flop_per_s", "flop/s", "", amount_limits},
};
template <> inline constexpr auto fields<Place::Traffic> = std::tuple{
    Field{&Place::Traffic::level,      "level",      "", "", name_limits},
    Field{&Place::Traffic::bytes,      "B",          "B", "", {.low = 0, .high = 1e30, .above_low = true}},
    Field{&Place::Traffic::flop_per_B, "flop_per_B", "flop/B", "", amount_limits},
};
template <> inline constexpr auto fields<Place> = std::tuple{
    Field{&Place::device,        "device",        "", "", not_empty},
    Field{&Place::precision,     "precision",     "", "", {.one_of = precision_words}},
    Field{&Place::flops,         "flops",         "flop", "counted, for one run", amount_limits},
    Field{&Place::bytes,         "bytes",         "B", "counted, for one run", amount_limits},
    Field{&Place::working_set_B, "working_set_B", "B", "size of all arguments", amount_limits},
    Field{&Place::flop_per_B,    "flop_per_B",    "flop/B", "", {.low = 0, .high = 1e30, .or_null = true}},
    Field{&Place::flop_per_s,    "flop_per_s",    "flop/s", "", amount_limits},
    Field{&Place::B_per_s,       "B_per_s",       "B/s", "", amount_limits},
    Field{&Place::roof,          "roof",          "", "null if no ceiling is known", {.or_null = true}},
    Field{&Place::fraction,      "fraction",      "1", "fraction of the roof", {.low = 0, .high = 1e30, .or_null = true}},
    Field{&Place::traffic,       "traffic",       "", "bytes transferred from a level in one run, from hardware counters"},
};

template <> inline constexpr auto fields<Row, AsKernel> = std::tuple{
    Field{&Row::kernel,         "kernel",         "", "", name_limits},
    Field{&Row::implementation, "implementation", "", "", name_limits},
    Field{&Row::backend,        "backend",        "", "", name_limits},
    Field{&Row::variant,        "variant",        "", "", name_or_none},
    Field{&Row::device,         "device",         "", ""},
    Field{&Row::samples_s,      "samples_s",      "s", "every sample", seconds_limits},
    Constant{"better", "lower", "direction of samples_s"},
    Computed{&Row::total_s,     "total_s",        "s", "", {.low = 0}},
    Field{&Row::flops,          "flops",          "flop", "counted, summed over the samples", amount_limits},
    Field{&Row::bytes,          "bytes",          "B", "counted, summed over the samples", amount_limits},
    Field{&Row::merit,          "merit",          "", "figure of merit; null if the kernel defines none", {.or_null = true}},
    Field{&Row::verification,   "verification",   "", ""},
    Field{&Row::parameters,     "parameters",     "", "", {.longest = 256, .omit_empty = true}},
    Field{&Row::energy_J,       "energy_J",       "J", "energy of every sample", {.low = 0, .high = 1e30, .or_null = true}},
    Field{&Row::energy_why,     "energy_why",     "", "reason why energy_J is null", {.omit_empty = true}},
    Field{&Row::tuned,          "tuned",          "", "settings found by `suite bench --tune` and applied automatically",
          {.longest = 256, .omit_empty = true}},
};

template <> inline constexpr auto fields<Row, AsCandidate> = std::tuple_cat(fields<Row, AsKernel>, std::tuple{
    flat_as<OfSamples>(&Row::time),
    Field{&Row::cpu_samples_s,   "cpu_samples_s",   "s", "", {.low = 0, .high = 1e15, .omit_empty = true}},
    Field{&Row::waited_fraction, "waited_fraction", "1", waited_meaning, share_or_null},
    Field{&Row::flop_per_s,      "flop_per_s",      "flop/s", "", amount_limits},
    Field{&Row::fma_flop_per_s,  "fma_flop_per_s",  "flop/s", "measured FMA ceiling", amount_limits},
    Field{&Row::fma_fraction,    "fma_fraction",    "1", "flop_per_s as a fraction of that ceiling", amount_limits},
    Field{&Row::fma_fraction_of_cpu_time, "fma_fraction_of_cpu_time", "1",
          "the same per second of CPU time, which other programs do not affect", amount_limits},
    Field{&Row::prepare_s,       "prepare_s",       "s", "once, before the first run", seconds_limits},
    Field{&Row::upload_s,        "upload_s",        "s", "transfer of arguments to the device", seconds_limits},
    Field{&Row::download_s,      "download_s",      "s", "transfer of results from the device", seconds_limits},
    Field{&Row::warm_up_samples, "warm_up_samples", "", "", {.low = 0, .high = 1 << 24}},
    Field{&Row::samples_taken_again, "samples_taken_again", "", "samples rejected because another program was running", {.low = 0}},
    Field{&Row::ratio,           "ratio",           "1", "time relative to the first row: median with its 95 % interval"},
    Field{&Row::verdict,         "verdict",         "", "", {.one_of = verdict_words, .omit_empty = true}},
    Field{&Row::roofline,        "roofline",        "", "position of the kernel below the ceilings of its device"},
});

template <> inline constexpr auto fields<LadderStep::Published> = std::tuple{
    Field{&LadderStep::Published::device,  "device",  "", "", not_empty},
    Field{&LadderStep::Published::seconds, "seconds", "s", "", seconds_limits},
    Field{&LadderStep::Published::text,    "text",    "", "", not_empty},
};
template <> inline constexpr auto fields<LadderStep> = std::tuple{
    Field{&LadderStep::name,      "step",      "", "", name_limits},
    Field{&LadderStep::sentence,  "sentence",  "", "", not_empty},
    Field{&LadderStep::after,     "after",     "", "step that it modifies; empty for the first", name_or_none},
    Field{&LadderStep::published, "published", "", ""},
    Field{&LadderStep::expected,  "expected",  "", "expected time relative to that step"},
    Field{&LadderStep::met,       "met",       "", "whether the expectation is met; empty if there is none", {.one_of = met_words}},
};
// A step that failed verification has no times.
template <> inline constexpr auto fields<Row, AsStep> = std::tuple{
    Flat{&Row::step, true},
    as<AsStep>(&Row::verification, "verification", ""),
    flat_as<OfSamples>(&Row::time),
    Field{&Row::samples_s,       "samples_s",       "s", "every sample", {.low = 0, .high = 1e9, .omit_empty = true}},
    Field{&Row::cpu_samples_s,   "cpu_samples_s",   "s", "", {.low = 0, .high = 1e15, .omit_empty = true}},
    Field{&Row::waited_fraction, "waited_fraction", "1", waited_meaning, share_or_null},
    Computed{&Row::better_of_step, "better",        "", "", {.one_of = better_words}},
    Computed{&Row::flops_of_step,  "flops",         "flop", "counted, for one run", amount_limits},
    Computed{&Row::bytes_of_step,  "bytes",         "B", "counted, for one run", amount_limits},
    Field{&Row::flop_per_s,      "flop_per_s",      "flop/s", "", amount_limits},
    Computed{&Row::merit_of_step,  "merit",         "", "figure of merit of one run; null if the kernel defines none", {.or_null = true}},
    Field{&Row::fma_fraction,    "fma_fraction",    "1", "", amount_limits},
    Field{&Row::ratio,           "ratio",           "1", "time relative to the step that it modifies"},
    Field{&Row::verdict,         "verdict",         "", "", {.one_of = step_verdict_words, .omit_empty = true}},
};
// clang-format on

}  // namespace suite::app
