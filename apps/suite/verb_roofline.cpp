// SPDX-License-Identifier: BSD-3-Clause
// suite roofline: measured ceilings of every device, and the kernels below them.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <set>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "measure/ceilings.hpp"
#include "measure/generated_arguments.hpp"
#include "measure/hardware_counters.hpp"
#include "measure/installed.hpp"
#include "measure/ncu_table.hpp"
#include "measure/roofline.hpp"
#include "measure/roofline_fields.hpp"
#include "measure/statistics.hpp"
#include "documents.hpp"
#include "peaks.hpp"
#include "result_folder.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "steps.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

struct RooflineResult {
  static constexpr const char* schema = "suite-roofline-1";
  struct Profiled {
    std::string name;
    long launches = 1;
    double seconds_s = 0, flops = 0;
    std::vector<Place::Traffic> traffic;
  };
  struct Counters {
    std::string perf = "no kernel of backend cpu ran", file;
    std::vector<Profiled> kernels;
  };
  std::vector<DeviceCeilings> ceilings;
  std::vector<Peak> peaks;
  std::vector<RowBlock> blocks;
  Counters counters;
  std::vector<std::string> files;
};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<RooflineResult::Profiled> = std::tuple{
    Field{&RooflineResult::Profiled::name,      "name",      "", ""},
    Field{&RooflineResult::Profiled::launches,  "launches",  "", "", {.low = 1}},
    Field{&RooflineResult::Profiled::seconds_s, "seconds_s", "s", "average of one launch", seconds_limits},
    Field{&RooflineResult::Profiled::flops,     "flops",     "flop", "", amount_limits},
    Field{&RooflineResult::Profiled::traffic,   "traffic",   "", "bytes transferred from a level in one run, from hardware counters"},
};
template <> inline constexpr auto fields<RooflineResult::Counters> = std::tuple{
    Field{&RooflineResult::Counters::perf,    "perf",    "", "reason why the CPU's counters were not read; null if they were", {.or_null = true}},
    Field{&RooflineResult::Counters::file,    "file",    "", "of --counters", {.or_null = true}},
    Field{&RooflineResult::Counters::kernels, "kernels", "", ""},
};
template <> inline constexpr auto fields<RooflineResult> = std::tuple{
    Field{&RooflineResult::ceilings, "ceilings", "", "ceilings of each device, measured in the same run"},
    Field{&RooflineResult::peaks,    "peaks",    "", "from data sheets"},
    as<AsRoofline>(&RooflineResult::blocks, "blocks", ""),
    Field{&RooflineResult::counters, "counters", "", ""},
    Field{&RooflineResult::files,    "files",    "", "in the folder of the results", {.items_not_empty = true, .omit_empty = true}},
};
// clang-format on

SchemaObject roofline_schema() { return measured_schema<RooflineResult>(); }

namespace {

// A dot with the parts of its label.
struct Measured {
  Dot dot;
  std::string implementation, variant, size;
};

// The chart of one device in one precision.
struct Chart {
  std::string device;
  bool single = false;
  std::vector<Measured> measured;
};

class Roofline {
public:
  explicit Roofline(const Arguments& arguments) : arguments_(arguments), print_(prints(arguments)) {}
  void block(const std::string& kernel, const std::string& size, ResultFolder& kept);
  void add_profile(const std::string& file, const std::vector<ProfiledKernel>& kernels, const std::string& backend);
  void set_peaks(std::vector<Peak> peaks) { result_.peaks = std::move(peaks); }
  RooflineResult& result() { return result_; }
  std::string svg(const std::string& title) const;
  bool failed() const { return failed_; }
  bool has_charts() const { return !charts_.empty(); }
  std::string notes() const;

private:
  const DeviceCeilings& ceilings(const std::string& device, bool single);
  std::vector<Traffic> traffic_of(Candidate& candidate);
  Dot dot_of(Candidate& candidate);
  Chart& chart_of(const std::string& device, bool single);

  const Arguments& arguments_;
  bool print_, failed_ = false;
  std::vector<const DeviceCeilings*> shown_;
  std::vector<Chart> charts_;
  RooflineResult result_;
};

std::string data_sheet_text(const std::vector<Peak>& peaks, const std::string& name) {
  for (const auto& peak : peaks)
    if (peak.name == name) return metric(peak.per_s) + (peak.is_bandwidth() ? "B/s" : "FLOP/s");
  return "-";
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string ceilings_table(const DeviceCeilings& c, const std::vector<Peak>& peaks) {
  Table table;
  std::vector<std::string> head{"  ceiling", "measured", "in FMAs", "by"};
  if (!peaks.empty()) head.insert(head.begin() + 3, "data sheet");
  table.header(head);
  for (size_t column = 1; column + 1 < head.size(); ++column) table.right(column);
  const auto add = [&](const std::string& name, const std::string& rate, const std::string& cost, const std::string& sheet,
                       const std::string& by) {
    std::vector<std::string> cells{"  " + name, rate, cost, by};
    if (!peaks.empty()) cells.insert(cells.begin() + 3, sheet);
    table.row(cells);
  };
  for (const auto& one : c.compute) {
    const bool quotient = one.name == "divide" || one.name == "reciprocal";
    // Number of FMA operations in the time of one such operation.
    const std::string cost = quotient && c.fma() > 0 ? fixed(c.fma() / 2 / one.per_s, 1) : "-";
    const std::string sheet = one.name == "FMA" ? data_sheet_text(peaks, c.single ? "fp32" : "fp64") : "-";
    add(one.name, metric(one.per_s) + (quotient ? "/s" : "FLOP/s"), cost, sheet, one.kernel);
  }
  for (const auto& one : c.bandwidth) {
    const std::string sheet = data_sheet_text(peaks, one.name == "memory" ? "dram" : lower_case(one.name));
    add(one.name, metric(one.per_s) + "B/s", "-", sheet, one.kernel + " of " + bytes_text(one.working_set_B));
  }
  return "ceilings of " + c.device + " in " + (c.single ? "single" : "double") + " precision   " +
         (c.device == "cpu" ? fmt::format("{}{}", c.threads, c.threads == 1 ? " thread   " : " threads   ") : "") + c.description + "\n" +
         table.text();
}

const DeviceCeilings& Roofline::ceilings(const std::string& device, bool single) {
  const DeviceCeilings& c = ceilings_of(threads_in_use(), device, single);
  if (std::find(shown_.begin(), shown_.end(), &c) == shown_.end()) {
    shown_.push_back(&c);
    result_.ceilings.push_back(c);
    if (print_)
      std::cout << (c.empty() ? "no ceilings of " + device + ": no plugin provides the ceiling kernels for it\n"
                              : ceilings_table(c, result_.peaks))
                << "\n"
                << std::flush;
  }
  return c;
}

double working_set_B(Kernel& kernel) {
  double bytes = 0;
  const suite_kernel_table& table = kernel.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_array bound = kernel.argument(table.arguments[i].name);
    if (bound.rank >= 0 && bound.data) bytes += static_cast<double>(count_of(bound)) * static_cast<double>(suite_type_size(bound.type));
  }
  return bytes;
}

// From the CPU's counters, over enough runs to take a while.
std::vector<Traffic> Roofline::traffic_of(Candidate& candidate) {
  if (candidate.record().backend != "cpu") return {};
  HardwareCounters counters(cpu_events());
  result_.counters.perf = counters.why();
  if (!result_.counters.perf.empty()) return {};
  constexpr double long_enough_s = 0.02;
  const int runs = static_cast<int>(std::clamp(long_enough_s / std::max(candidate.first_run_s(), 1e-7), 1.0, 10000.0));
  std::vector<Traffic> traffic;
  for (const auto& c : counters.count([&] {
         for (int i = 0; i < runs; ++i) candidate.kernel().run();
       }))
    if (c.amount > 0) traffic.push_back({c.quantity, c.amount / runs});
  return traffic;
}

Dot Roofline::dot_of(Candidate& candidate) {
  const Row& r = candidate.record();
  Dot dot;
  dot.kernel = r.kernel;
  dot.seconds = r.time->median;
  dot.flops = r.flops_per_run();
  dot.bytes = r.bytes_per_run();
  dot.working_set_B = working_set_B(candidate.kernel());
  dot.traffic = traffic_of(candidate);
  return dot;
}

std::vector<Place::Traffic> stored_traffic(const Dot& dot) {
  std::vector<Place::Traffic> all;
  for (const auto& t : dot.traffic) all.push_back({t.level, t.bytes, dot.flops / t.bytes});
  return all;
}

Place place_of(const Dot& dot, const Roof& roof, const DeviceCeilings& c) {
  Place place;
  place.device = c.device;
  place.precision = c.single ? "single" : "double";
  place.flops = dot.flops;
  place.bytes = dot.bytes;
  place.working_set_B = dot.working_set_B;
  place.flop_per_B = dot.bytes > 0 ? dot.flops / dot.bytes : NAN;
  place.flop_per_s = dot.rate();
  place.B_per_s = dot.bytes / dot.seconds;
  place.roof = {roof.name, roof.flop_per_s};
  place.fraction = roof.name.empty() ? NAN : roof.fraction;
  place.traffic = stored_traffic(dot);
  return place;
}

// The ladder step that a variant modifies; "" if variants are not steps.
std::string step_before(Candidate& candidate) {
  const suite_parameter* variant = find_parameter(candidate.kernel().table(), "variant");
  if (!variant || !variant->choices) return "";
  try {
    for (const auto& step : steps_of(*variant))
      if (step.choice.name == candidate.record().variant) return step.after;
  } catch (const Failure&) {
    // Variants documented in another form.
  }
  return "";
}

std::string intensity_text(double flops, double bytes) {
  return flops > 0 && bytes > 0 ? fixed(flops / bytes, flops / bytes < 100 ? 2 : 0) : "-";
}

std::vector<std::string> row_of(const Candidate& candidate, const Dot& dot, const Roof& roof, const std::string& checked_at, bool colour) {
  return {"  " + candidate.label(),
          seconds_text(dot.seconds),
          seconds_text(estimate(candidate.record().cpu_samples_s).median),
          giga(dot.rate()),
          giga(dot.bytes / dot.seconds),
          intensity_text(dot.flops, dot.bytes),
          bytes_text(dot.working_set_B),
          roof.name.empty() ? "-" : roof.name,
          giga(roof.flop_per_s),
          roof.name.empty() ? "-" : of_ceiling(roof.fraction),
          scientific(candidate.record().verification.max_relative_error) + checked_at,
          good("verified", colour)};
}

Chart& Roofline::chart_of(const std::string& device, bool single) {
  for (auto& chart : charts_)
    if (chart.device == device && chart.single == single) return chart;
  charts_.push_back({device, single, {}});
  return charts_.back();
}

void Roofline::block(const std::string& kernel, const std::string& size, ResultFolder& kept) {
  const uint64_t seed = seed_of(arguments_);
  GeneratedArguments generated(kernel, size, seed);
  std::vector<std::string> by_default;
  for (const auto& name : implementations_of(kernel))
    if (name != "reference") by_default.push_back(name);
  std::vector<LeftOut> left_out;
  Candidates candidates = make_candidates(arguments_, kernel, by_default, left_out);
  Progress progress(print_);
  const std::string checked_at =
      verify_generated(candidates, kernel, generated, seed, are_named(arguments_) ? nullptr : &left_out, progress);
  sample_in_turns(candidates, repeat_of(arguments_), progress);
  const int threads = threads_in_use();
  const bool colour = colour_on_stdout();
  Table table;
  table.header({"  implementation", "time", "CPU time", "GFLOP/s", "GB/s", "flop/byte", "arguments", "roof", "GFLOP/s there", "of it",
                "max rel err", "verdict"});
  for (size_t column : {1, 2, 3, 4, 5, 6, 8, 9, 10}) table.right(column);
  conclude(candidates, threads);
  std::string details;
  for (size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = *candidates[i];
    kept.used(candidate.record());
    if (candidate.record().failed()) {
      failed_ = true;
      std::vector<std::string> cells{"  " + candidate.label()};
      cells.resize(10, "-");
      cells.push_back(scientific(candidate.record().verification.max_relative_error));
      cells.push_back(bad("FAILED", colour));
      table.row(cells);
      details += "  " + candidate.label() + " FAILED: " + candidate.record().verification.detail + "\n";
      continue;
    }
    const bool single = candidate.is_single();
    const DeviceCeilings& c = ceilings(candidate.device(), single);
    Dot dot = dot_of(candidate);
    dot.joined = i > 0 && candidates[i - 1]->record().variant == step_before(candidate) &&
                 candidates[i - 1]->record().implementation == candidate.record().implementation;
    const Roof roof = roof_above(dot, c);
    candidate.record().roofline = place_of(dot, roof, c);
    table.row(row_of(candidate, dot, roof, checked_at, colour));
    if (c.empty() && result_.peaks.empty()) continue;  // dots below no ceiling are meaningless
    chart_of(candidate.device(), single)
        .measured.push_back(
            {dot, candidate.record().implementation, candidate.record().variant + parameters_text(candidate.record().parameters), size});
  }
  if (print_)
    std::cout << kernel << "   size " << size << "\n"
              << explained(table.text()) << details << waiting_text(candidates, threads) << left_out_text(left_out) << "\n"
              << std::flush;
  RowBlock block;
  block.kernel = kernel;
  block.size = size;
  block.seed = seed;
  block.threads = threads;
  block.verified_at = checked_at.empty() ? size : "small";
  block.rows = rows_of(candidates);
  block.left_out = left_out;
  result_.blocks.push_back(std::move(block));
}

void Roofline::add_profile(const std::string& file, const std::vector<ProfiledKernel>& kernels, const std::string& backend) {
  constexpr size_t longest_label = 24, longest_name = 60;
  result_.counters.file = file;
  Table table;
  table.header({"  kernel", "launches", "time", "GFLOP/s", "flop/byte L1", "L2", "memory"});
  for (size_t column = 1; column < 7; ++column) table.right(column);
  Chart chart{"the profile " + std::filesystem::path(file).filename().string(), false, {}};
  bool any_single = false, any_double = false;
  for (const auto& k : kernels) {
    any_single = any_single || k.flops_single > 0;
    any_double = any_double || k.flops > k.flops_single;
  }
  chart.single = any_single && !any_double;
  if (!backend.empty()) chart.device = backend;
  for (const auto& k : kernels) {
    Dot dot;
    dot.kernel = dot.label = short_name(k.name);
    if (dot.label.size() > longest_label) dot.label = dot.label.substr(0, longest_label - 1) + "…";
    dot.seconds = k.seconds;
    dot.flops = k.flops;
    for (const auto& [level, bytes] : {std::pair{"L1", k.l1_B}, {"L2", k.l2_B}, {"memory", k.dram_B}})
      if (bytes > 0) dot.traffic.push_back({level, bytes});
    table.row({"  " + dot.kernel.substr(0, longest_name), std::to_string(k.launches), seconds_text(k.seconds), giga(dot.rate()),
               intensity_text(k.flops, k.l1_B), intensity_text(k.flops, k.l2_B), intensity_text(k.flops, k.dram_B)});
    result_.counters.kernels.push_back({k.name, k.launches, k.seconds, k.flops, stored_traffic(dot)});
    chart.measured.push_back({dot, "", "", ""});
  }
  if (!backend.empty()) ceilings(backend, chart.single);
  if (print_) std::cout << "counted by Nsight Compute   " << file << "\n" << table.text() << "\n" << std::flush;
  charts_.push_back(chart);
}

// Labels the dots by what differs between them.
std::vector<Dot> labelled(const Chart& chart) {
  std::set<std::string> families, kernels, sizes;
  std::map<std::string, std::set<std::string>> implementations;  // of a kernel at a size
  std::map<std::string, int> rows;                               // of a kernel, size and implementation
  const auto place = [](const Measured& m) { return m.dot.kernel + " " + m.size; };
  for (const auto& m : chart.measured) {
    families.insert(m.dot.kernel.substr(0, m.dot.kernel.find('.')));
    kernels.insert(m.dot.kernel);
    sizes.insert(m.size);
    implementations[place(m)].insert(m.implementation);
    ++rows[place(m) + m.implementation];
  }
  std::vector<Dot> dots;
  for (const auto& m : chart.measured) {
    Dot dot = m.dot;
    if (!m.implementation.empty()) {
      std::vector<std::string> parts;
      if (kernels.size() > 1) parts.push_back(families.size() > 1 ? dot.kernel : dot.kernel.substr(dot.kernel.find('.') + 1));
      if (sizes.size() > 1) parts.push_back(m.size);
      if (implementations[place(m)].size() > 1) parts.push_back(m.implementation);
      const int alike = rows[place(m) + m.implementation];
      if (alike > 1) parts.push_back(m.variant);
      if (alike > 2) dot.chain = place(m) + ", " + m.implementation;
      if (parts.empty()) parts.push_back(dot.kernel);
      for (const auto& part : parts) dot.label += (dot.label.empty() ? "" : " ") + part;
    }
    dots.push_back(dot);
  }
  return dots;
}

std::string Roofline::svg(const std::string& title) const {
  std::vector<plot::Panel> panels;
  for (const auto& chart : charts_) {
    const DeviceCeilings* known = nullptr;
    for (const auto* c : shown_)
      if (c->device == chart.device && c->single == chart.single) known = c;
    DeviceCeilings none;
    none.single = chart.single;
    const std::string name =
        chart.device + ", " + (chart.single ? "single" : "double") + " precision" +
        (known && chart.device == "cpu" ? fmt::format(", {}{}", known->threads, known->threads == 1 ? " thread" : " threads") : "");
    panels.push_back(roofline_panel(name, known ? *known : none, result_.peaks, labelled(chart)));
  }
  return plot::svg(title, panels);
}

std::string Roofline::notes() const {
  std::string text;
  if (!result_.blocks.empty() && !result_.counters.perf.empty()) text += "no hardware counters: " + result_.counters.perf + "\n";
  for (const auto& p : result_.peaks)
    if (p.name == result_.peaks.front().name && !p.device.empty()) text += "data sheet: " + p.device + " (" + p.source + ")\n";
  return text;
}

// Kernels that have a reference: the ceilings themselves have none.
std::vector<std::string> kernels_asked_for(const Arguments& arguments) {
  std::vector<std::string> known, families, wanted;
  for (const auto& name : kernel_names()) {
    const auto implementations = implementations_of(name);
    if (implementations.size() < 2 || implementations.front() != "reference") continue;
    known.push_back(name);
    families.push_back(name.substr(0, name.find('.')));
  }
  for (const auto& asked : arguments.positional()) {
    bool found = false;
    for (size_t i = 0; i < known.size(); ++i) {
      if (asked != known[i] && asked != families[i]) continue;
      found = true;
      if (std::find(wanted.begin(), wanted.end(), known[i]) == wanted.end()) wanted.push_back(known[i]);
    }
    if (found) continue;
    if (asked.find('.') != std::string::npos) require_kernel(asked);
    families.insert(families.end(), known.begin(), known.end());
    throw Failure(SUITE_NOT_FOUND,
                  "no kernel or family of kernels " + in_quotes(asked) + " to be verified and timed" + did_you_mean(asked, families));
  }
  if (!arguments.positional().empty() || arguments.has("--counters")) return wanted;
  if (known.empty()) throw Failure(SUITE_NOT_FOUND, "no kernel to time: 'suite list' shows what is installed");
  return known;
}

std::string what_of(const Arguments& arguments) {
  std::string what;
  for (const auto& name : arguments.positional()) what += (what.empty() ? "" : "+") + name;
  return what.empty() ? (arguments.has("--counters") ? "profile" : "all") : what;
}

}  // namespace

int roofline_verb(const Arguments& arguments) {
  constexpr size_t largest_profile = 64 << 20;
  apply_environment(arguments);
  require_device(arguments);
  const std::vector<std::string> kernels = kernels_asked_for(arguments);
  std::vector<std::string> sizes = arguments.all("--size");
  if (sizes.empty()) sizes = {"small"};
  const std::string profile = arguments.get("--counters");
  std::vector<ProfiledKernel> profiled;
  if (!profile.empty()) profiled = read_ncu(profile, read_text_file(profile, largest_profile));
  Roofline roofline(arguments);
  if (arguments.has("--peak")) roofline.set_peaks(given_peaks(arguments.get("--peak")));
  const std::string what = what_of(arguments);
  ResultFolder kept(arguments, RooflineResult::schema, what);
  for (const auto& kernel : kernels)
    for (const auto& size : sizes) {
      roofline.block(kernel, size, kept);
      kept.save(json_of(roofline.result()));
    }
  if (!profile.empty()) roofline.add_profile(profile, profiled, kernels.empty() ? arguments.get("--backend") : "");
  if (roofline.has_charts()) {
    write_text_file(kept.path() / "roofline.svg",
                    roofline.svg("Roofline: " + what + (sizes.size() == 1 && !kernels.empty() ? ", size " + sizes[0] : "")));
    roofline.result().files = {"roofline.svg"};
  }
  if (prints(arguments)) std::cout << roofline.notes();
  return kept.end(json_of(roofline.result()), roofline.failed());
}

}  // namespace suite::app
