// SPDX-License-Identifier: BSD-3-Clause
#include "ncu_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "common/json_text.hpp"

namespace suite::app {

const char* const ncu_metrics =
    "gpu__time_duration.sum,dram__bytes.sum,lts__t_bytes.sum,l1tex__t_bytes.sum,"
    "sm__sass_thread_inst_executed_op_dadd_pred_on.sum,sm__sass_thread_inst_executed_op_dmul_pred_on.sum,"
    "sm__sass_thread_inst_executed_op_dfma_pred_on.sum,sm__sass_thread_inst_executed_op_fadd_pred_on.sum,"
    "sm__sass_thread_inst_executed_op_fmul_pred_on.sum,sm__sass_thread_inst_executed_op_ffma_pred_on.sum";

namespace {

struct CsvRow {
  size_t line;  // in the file, from 1
  std::vector<std::string> cells;
};

[[noreturn]] void fail(const std::string& name, size_t line, const std::string& sentence) {
  throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: error: {}", name, line, sentence));
}

// Cells of one line of comma-separated values; a doubled quote within quotes is a quote.
std::vector<std::string> cells_of(const std::string& name, size_t line, const std::string& text) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      cells.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  if (quoted) fail(name, line, "a quoted cell is not closed");
  for (auto& cell : cells) cell = without_control(cell);  // printed on a terminal
  return cells;
}

// Extracts the table from the other output of the profiler and the program.
std::vector<CsvRow> rows_of(const std::string& name, const std::string& text) {
  std::vector<CsvRow> rows;
  size_t line = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string content = text.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    const bool head = rows.empty() && content.rfind("\"ID\",", 0) == 0;
    // Every line of the table is quoted; others are output of the program.
    if (head || (!rows.empty() && !content.empty() && content[0] == '"')) rows.push_back({line, cells_of(name, line, content)});
  }
  if (rows.empty())
    fail(name, 1, "this is not a table of Nsight Compute: no line begins with \"ID\"; create it with ncu --csv --page raw --log-file FILE");
  return rows;
}

// Factor from the unit to bytes, seconds or instructions.
double unit_scale(const std::string& name, size_t line, const std::string& metric, const std::string& unit) {
  static const std::map<std::string, double> units{{"", 1},           {"inst", 1},       {"byte", 1},       {"Kbyte", 1e3}, {"Mbyte", 1e6},
                                                   {"Gbyte", 1e9},    {"Tbyte", 1e12},   {"B", 1},          {"KB", 1e3},    {"MB", 1e6},
                                                   {"GB", 1e9},       {"ns", 1e-9},      {"us", 1e-6},      {"ms", 1e-3},   {"s", 1},
                                                   {"nsecond", 1e-9}, {"usecond", 1e-6}, {"msecond", 1e-3}, {"second", 1},  {"Kinst", 1e3},
                                                   {"Minst", 1e6},    {"Ginst", 1e9}};
  const auto found = units.find(unit);
  if (found == units.end()) fail(name, line, "the unit '" + unit + "' of " + metric + " is unknown");
  return found->second;
}

// Parses "1,234.5" as written by ncu.
double number_of(const std::string& name, size_t line, const std::string& metric, std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
    fail(name, line, metric + " is '" + text.substr(0, 40) + "'; it must be a non-negative number");
  return value;
}

// The metrics of one launch.
struct Launch {
  size_t line = 0;
  std::string kernel;
  std::map<std::string, double> metrics;
};

size_t column_of(const CsvRow& head, const std::string& title) {
  return static_cast<size_t>(std::find(head.cells.begin(), head.cells.end(), title) - head.cells.begin());
}

bool wanted(const std::string& metric) {
  const std::string all = std::string(",") + ncu_metrics + ",";
  return all.find("," + metric + ",") != std::string::npos;
}

std::vector<Launch> launches_by_metric(const std::string& name, const std::vector<CsvRow>& rows, size_t kernel) {
  const CsvRow& head = rows.front();
  const size_t id = 0, metric = column_of(head, "Metric Name"), unit = column_of(head, "Metric Unit"),
               value = column_of(head, "Metric Value");
  if (std::max(unit, value) >= head.cells.size())
    fail(name, head.line, "the table has a column 'Metric Name' but no 'Metric Unit' and 'Metric Value'");
  std::vector<Launch> launches;
  std::map<std::string, size_t> known;
  for (size_t i = 1; i < rows.size(); ++i) {
    const CsvRow& row = rows[i];
    const auto [at, is_new] = known.try_emplace(row.cells[id], launches.size());
    if (is_new) launches.push_back({row.line, row.cells[kernel], {}});
    const std::string& what = row.cells[metric];
    if (wanted(what))
      launches[at->second].metrics[what] =
          number_of(name, row.line, what, row.cells[value]) * unit_scale(name, row.line, what, row.cells[unit]);
  }
  return launches;
}

std::vector<Launch> launches_by_column(const std::string& name, const std::vector<CsvRow>& rows, size_t kernel) {
  const CsvRow& head = rows.front();
  if (rows.size() < 2) fail(name, head.line, "the table has no row of units below its header");
  const CsvRow& units = rows[1];
  std::vector<Launch> launches;
  for (size_t i = 2; i < rows.size(); ++i) {
    Launch launch{rows[i].line, rows[i].cells[kernel], {}};
    for (size_t c = 0; c < head.cells.size(); ++c)
      if (wanted(head.cells[c]))
        launch.metrics[head.cells[c]] =
            number_of(name, rows[i].line, head.cells[c], rows[i].cells[c]) * unit_scale(name, units.line, head.cells[c], units.cells[c]);
    launches.push_back(std::move(launch));
  }
  return launches;
}

double metric_or(const Launch& launch, const std::string& metric, double otherwise) {
  const auto found = launch.metrics.find(metric);
  return found == launch.metrics.end() ? otherwise : found->second;
}

ProfiledKernel profiled(const std::string& name, const Launch& launch) {
  const auto instructions = [&](const char* operation) {
    return metric_or(launch, std::string("sm__sass_thread_inst_executed_op_") + operation + "_pred_on.sum", 0);
  };
  if (!launch.metrics.count("gpu__time_duration.sum"))
    fail(name, launch.line, "the launch of " + launch.kernel + " has no gpu__time_duration.sum; ncu needs --metrics " + ncu_metrics);
  ProfiledKernel k;
  k.name = launch.kernel;
  k.seconds = metric_or(launch, "gpu__time_duration.sum", 0);
  if (k.seconds == 0) fail(name, launch.line, "the launch of " + launch.kernel + " took no time at all");
  k.flops_single = instructions("fadd") + instructions("fmul") + 2 * instructions("ffma");
  k.flops = k.flops_single + instructions("dadd") + instructions("dmul") + 2 * instructions("dfma");
  k.l1_B = metric_or(launch, "l1tex__t_bytes.sum", -1);
  k.l2_B = metric_or(launch, "lts__t_bytes.sum", -1);
  k.dram_B = metric_or(launch, "dram__bytes.sum", -1);
  return k;
}

void take_mean(double& mean, double value, int launches) { mean = mean < 0 || value < 0 ? -1 : mean + (value - mean) / launches; }

}  // namespace

std::string short_name(const std::string& kernel) {
  std::string name = kernel;
  for (const std::string nameless : {"(anonymous namespace)::", "<unnamed>::"})
    for (size_t at; (at = name.find(nameless)) != std::string::npos;) name.erase(at, nameless.size());
  size_t begin = 0, at = 0;
  // Text between < and > belongs to the name, whatever it is.
  for (int depth = 0; at < name.size() && (depth > 0 || name[at] != '('); ++at) {
    depth += (name[at] == '<') - (name[at] == '>');
    if (depth == 0 && (name[at] == ' ' || name[at] == ':')) begin = at + 1;
  }
  return begin < at ? name.substr(begin, at - begin) : kernel;
}

std::vector<ProfiledKernel> read_ncu(const std::string& name, const std::string& text) {
  const std::vector<CsvRow> rows = rows_of(name, text);
  const CsvRow& head = rows.front();
  const size_t kernel = column_of(head, "Kernel Name");
  if (kernel == head.cells.size()) fail(name, head.line, "the table has no column 'Kernel Name'");
  for (const CsvRow& row : rows)
    if (row.cells.size() != head.cells.size())
      fail(name, row.line, fmt::format("the row has {} cells; the header has {}", row.cells.size(), head.cells.size()));
  const bool by_metric = column_of(head, "Metric Name") < head.cells.size();
  const auto launches = by_metric ? launches_by_metric(name, rows, kernel) : launches_by_column(name, rows, kernel);
  if (launches.empty()) fail(name, rows.back().line, "the table has no launches of kernels");
  std::vector<ProfiledKernel> kernels;
  for (const Launch& launch : launches) {
    const ProfiledKernel one = profiled(name, launch);
    const auto known = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.name == one.name; });
    if (known == kernels.end()) {
      kernels.push_back(one);
      continue;
    }
    const int n = ++known->launches;
    for (auto member : {&ProfiledKernel::seconds, &ProfiledKernel::flops, &ProfiledKernel::flops_single, &ProfiledKernel::l1_B,
                        &ProfiledKernel::l2_B, &ProfiledKernel::dram_B})
      take_mean((*known).*member, one.*member, n);
  }
  return kernels;
}

}  // namespace suite::app
