// SPDX-License-Identifier: BSD-3-Clause
// How was it measured? Every sample, and the provenance of the numbers.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "common/distinct_names.hpp"
#include "common/quantities.hpp"
#include "measure/statistics.hpp"
#include "chart.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

using app::Provenance;

constexpr size_t most_samples = 400;

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// Quotes a command line for a shell.
std::string shell_text(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) {
    const bool plain =
        !word.empty() &&
        word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./:=,@%") == std::string::npos;
    std::string quoted = "'";
    for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += (text.empty() ? "" : " ") + (plain ? word : quoted + "'");
  }
  return text;
}

Html origin(const Source& source) {
  const Provenance& p = source.result.provenance;
  Html list;
  const auto add = [&](const char* what, const Html& value) {
    if (!value.empty()) list += tag("dt", what) + tag("dd", value) + Html::raw("\n");
  };
  const auto code = [](const std::string& text) { return text.empty() ? Html() : tag("code", text); };
  add("when", p.utc);
  add("command", code(shell_text(p.command_line)));
  add("input", p.input.file.empty()
                   ? Html()
                   : code(p.input.file) + (p.input.sha256.empty() ? Html() : Html(", sha256 ") + code(p.input.sha256.substr(0, 16))));
  add("overrides", code(joined(p.overrides, " ")));
  add("suite", p.suite_version.empty() ? "" : p.suite_version + (p.suite_commit.empty() ? "" : " (" + p.suite_commit + ")"));
  add("machine", joined({p.host.name, p.host.cpu, p.host.simd}, ", ") +
                     (p.host.cores > 0 ? ", " + app::counted(p.host.cores, "core") : "") +
                     (p.host.memory_B > 0 ? ", " + app::bytes_text(static_cast<double>(p.host.memory_B)) : ""));
  add("system", p.host.system);
  add("threads, ranks", p.threads > 0 ? fmt::format("{}{}", p.threads, p.ranks > 0 ? fmt::format(", {}", p.ranks) : "") : "");
  if (source.result.times.wall_s > 0)
    add("total time", seconds(source.result.times.wall_s) + ", " + seconds(source.result.times.cpu_s) + " of CPU time");
  add("file", source.result.file.empty() ? Html() : code(source.result.file.string()));
  return list.empty() ? paragraph("The file has no provenance.") : tag("dl", list);
}

Html plugins(const Provenance& p) {
  if (p.plugins.empty()) return {};
  Table t{"Plugins in use", columns("file|version|compiler and flags|sha256"), {}};
  std::vector<std::string> files;
  for (const auto& one : p.plugins) files.push_back(one.file);
  const auto names = app::distinct_names(files);
  for (const auto& one : p.plugins)
    t.rows.push_back({names.at(one.file), one.version, one.compiler, tag("code", one.sha256.substr(0, 16))});
  return table(t);
}

std::string samples_text(const std::vector<double>& samples) {
  std::string text;
  for (size_t i = 0; i < std::min(samples.size(), most_samples); ++i) text += (i ? " " : "") + fmt::format("{:.6g}", samples[i]);
  if (samples.size() > most_samples) text += fmt::format(" … and {} more in the file", samples.size() - most_samples);
  return text;
}

struct Samples {
  std::string title;
  std::vector<Strip> strips;
  Table table;
};

Html draw(const Samples& s) {
  const std::string caption =
      "Deviation of every sample from the median of its row, first sample on top, so a drift appears as a slope. Shaded: 95 % interval of "
      "the median. Arrow: a sample outside the figure.";
  return figure(strips("Every sample of " + s.title, s.strips), caption) +
         tag("details", tag("summary", "All samples in seconds") + table(s.table));
}

Samples samples_of(const std::string& title) {
  return {title, {}, {"Samples of " + title, columns("row|seconds, in the order of measurement"), {}}};
}

void add(Samples& to, const std::string& label, const Row& row, double median, double low, double high) {
  to.strips.push_back({label, app::counted(row.samples_s.size(), "sample"), row.samples_s, median, low, high});
  to.table.rows.push_back({label, tag("span", {{"class", "mono"}}, samples_text(row.samples_s))});
}

Html race_samples(const Source& source, size_t& drawn) {
  Html out;
  for (const auto& race : races_of(source)) {
    Samples all = samples_of(race.kernel);
    for (const Row* row : race.rows)
      if (!row->samples_s.empty() && !row->failed()) add(all, label_of(*row), *row, row->time->median, row->time->low, row->time->high);
    if (all.strips.empty() || ++drawn > most_figures) continue;
    const std::string conditions = race.conditions();
    out += tag("h3", race.kernel + (conditions.empty() ? "" : " · " + conditions)) + draw(all);
  }
  return out;
}

// Costs excluded from the times: once, or with every transfer of the arguments.
Html overheads(const Source& source) {
  Table t{"Costs beside the times: done once, and transfers to and from the device",
          columns("row|>warm-up|>prepare|>upload|>download|>energy of a run"),
          {}};
  bool any = false;
  for (const auto& row : source.result.rows) {
    if (!row.timed()) continue;
    const auto cell = [&](const std::optional<double>& s) {
      any = any || s.value_or(0) > 0;
      return s.value_or(0) > 0 ? seconds(*s) : std::string("–");
    };
    std::string joule = "–";
    if (row.energy_J && !row.energy_J->empty()) joule = fmt::format("{:.3g} J", app::estimate(*row.energy_J).median), any = true;
    t.rows.push_back({row.kernel + ", " + label_of(row), row.warm_up_samples ? app::counted(*row.warm_up_samples, "run") : "–",
                      cell(row.prepare_s), cell(row.upload_s), cell(row.download_s), joule});
  }
  return any ? table(t) : Html();
}

// The calls of an app differ in their work, so their spread is not noise: only the table is shown.
Html run_samples(const Source& source) {
  Samples all = samples_of(title_of(source.result));
  for (const auto& row : source.result.rows)
    if (!row.samples_s.empty() && !row.failed()) add(all, row.kernel + ", " + label_of(row), row, 0, 0, 0);
  if (all.strips.empty()) return {};
  return tag("details", tag("summary", "Seconds of every call or batch of calls") + table(all.table));
}

void answer(const std::vector<Source>& sources, Section& section) {
  size_t least = SIZE_MAX, most = 0;
  std::set<std::string> machines;
  bool app = false;
  for (const auto& s : sources) {
    app = app || is_app_run(s.result);
    for (const auto& row : s.result.rows)
      if (!row.failed() && !row.samples_s.empty())
        least = std::min(least, row.samples_s.size()), most = std::max(most, row.samples_s.size());
    const Provenance& p = s.result.provenance;
    if (!p.host.name.empty() || !p.host.cpu.empty()) machines.insert(joined({p.host.name, p.host.cpu}, ", "));
  }
  section.answer = most == 0 ? "Provenance" : least == most ? app::counted(most, "sample") : fmt::format("{} to {} samples", least, most);
  section.because = most == 0 ? "Where the numbers come from"
                    : app     ? "of each kernel, one per call or batch of calls"
                              : "of each row, measured alternately";
  if (machines.size() == 1) section.because += ", on " + *machines.begin();
  if (machines.size() > 1) section.because += fmt::format(", on {} machines: do not compare their times directly", machines.size());
  section.because += ".";
}

}  // namespace

Section measured_section(const std::vector<Source>& sources) {
  Section section{"measured", "How was it measured?", "", "", false, {}};
  answer(sources, section);
  size_t drawn = 0;
  for (const auto& s : sources) {
    section.body += heading(s, title_of(s.result)) + origin(s) + plugins(s.result.provenance) + overheads(s) +
                    (is_app_run(s.result) ? run_samples(s) : race_samples(s, drawn));
  }
  if (drawn > most_figures)
    section.body += paragraph(
        fmt::format("The figure shows the samples of the first {} of {} comparisons; the files contain all.", most_figures, drawn));
  return section;
}

}  // namespace suite::report
