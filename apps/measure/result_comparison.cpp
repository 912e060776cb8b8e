// SPDX-License-Identifier: BSD-3-Clause
#include "result_comparison.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/core.h>

#include "common/distinct_names.hpp"
#include "common/near.hpp"
#include "common/quantities.hpp"

namespace suite::app::stored {
namespace {

namespace fs = std::filesystem;

std::string key_of(const Row& row) {
  std::string key = row.kernel;
  for (const std::string& part : {row.size, row.name, row.variant, std::to_string(row.threads)}) key += '\n' + part;
  for (const auto& [name, value] : row.parameters) key += '\n' + name + '=' + value;
  return key;
}

Change change_of(const char* metric, const char* unit, bool lower, const std::vector<double>& before, const std::vector<double>& after) {
  Change c{metric, unit, lower, compare_independent(after, before), estimate(before).median, estimate(after).median, ""};
  const bool energy = c.metric == "energy";
  const std::string& verdict = c.comparison.verdict;
  // The verdicts are worded for times: FASTER is a ratio below 1.
  if (verdict == "FASTER" || verdict == "SLOWER") {
    const bool better = (verdict == "FASTER") == lower;
    c.verdict = better ? (energy ? "LESS" : "FASTER") : (energy ? "MORE" : "SLOWER");
  } else {
    c.verdict = verdict;
  }
  return c;
}

Matched matched(Row before, Row after) {
  Matched m{std::move(before), std::move(after), {}, ""};
  if (m.after.failed()) {
    m.verdict = "FAILED";
  } else if (m.before.failed()) {
    m.verdict = "was FAILED";
  } else if (m.before.samples_s.empty() || m.after.samples_s.empty()) {
    m.verdict = "no samples";
  } else {
    const bool lower = m.after.lower_is_better;
    if (lower != m.before.lower_is_better)
      throw Failure(SUITE_INVALID_ARGUMENT, m.after.place + ": in the other file, better values are in the opposite direction");
    m.changes.push_back(change_of("time", "s", lower, m.before.samples_s, m.after.samples_s));
    const auto &before_J = m.before.energy_J, &after_J = m.after.energy_J;
    if (before_J && after_J && !before_J->empty() && !after_J->empty())
      m.changes.push_back(change_of("energy", "J", true, *before_J, *after_J));
    m.verdict = m.changes.front().verdict;
  }
  return m;
}

std::string number_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Collects the differences.
class Differences {
public:
  void add(const std::string& what, const std::string& before, const std::string& after) {
    if (before != after) found_.push_back({what, before.empty() ? "none" : before, after.empty() ? "none" : after});
  }
  void add(const std::string& what, double before, double after) { add(what, number_text(before), number_text(after)); }
  std::vector<Difference> take() { return std::move(found_); }

private:
  std::vector<Difference> found_;
};

// Plugins by file name with the instruction set they were built for, which is the folder's name; or with the folders that distinguish
// files of the same name.
std::map<std::string, const PluginFile*> plugins_by_name(const Provenance& provenance) {
  std::vector<std::string> files;
  for (const auto& plugin : provenance.plugins) files.push_back(plugin.file);
  const auto names = distinct_names(files);
  std::map<std::string, const PluginFile*> plugins;
  for (const auto& plugin : provenance.plugins) {
    const std::string& name = names.at(plugin.file);
    const std::string level = fs::path(plugin.file).parent_path().filename().string();
    const bool is_level = level.rfind("x86-64-", 0) == 0 || level.rfind("armv", 0) == 0;  // the result may come from another architecture
    plugins.emplace(name.find('/') == std::string::npos && is_level ? name + " (" + level + ")" : name, &plugin);
  }
  return plugins;
}

void differ_plugins(const Provenance& before, const Provenance& after, Differences& found) {
  auto known = plugins_by_name(before);
  for (const auto& [name, now] : plugins_by_name(after)) {
    const PluginFile& plugin = *now;
    const auto old = known.find(name);
    if (old == known.end()) {
      found.add("plugin", "", name);
      continue;
    }
    found.add("version of " + name, old->second->version, plugin.version);
    found.add("compiler and flags of " + name, old->second->compiler, plugin.compiler);
    found.add("sha256 of " + name, old->second->sha256.substr(0, 12), plugin.sha256.substr(0, 12));
    known.erase(old);
  }
  for (const auto& [name, plugin] : known) found.add("plugin", name, "");
}

void differ_ceilings(const Result& before, const Result& after, Differences& found) {
  constexpr double noise = 0.05;
  for (const auto& [name, value] : before.ceilings)
    if (const auto other = after.ceilings.find(name); other != after.ceilings.end() && value > 0 && other->second > 0)
      if (std::abs(std::log(other->second / value)) > noise) found.add("ceiling " + name, metric(value), metric(other->second));
}

// Differences of rows: device with driver, settings found by tuning, unit of the figure of merit. Each is reported once.
void differ_rows(const std::vector<Matched>& rows, Differences& found) {
  std::map<std::string, bool> said;
  const auto once = [&](const std::string& what, const std::string& before, const std::string& after) {
    if (before != after && !std::exchange(said[what + '\n' + before + '\n' + after], true)) found.add(what, before, after);
  };
  for (const auto& row : rows) {
    once("device of " + row.after.name, row.before.device, row.after.device);
    once("tuned settings of " + row_name(row.after), parameters_text(row.before.tuned), parameters_text(row.after.tuned));
    once("figure of merit of " + row.after.kernel, row.before.merit.formula, row.after.merit.formula);
  }
}

std::string deterministic_in(const Provenance& provenance) { return provenance.deterministic.value_or(false) ? "yes" : "no"; }

std::vector<Difference> differences_of(const ResultComparison& c) {
  Differences found;
  const Provenance &before = c.before.provenance, &after = c.after.provenance;
  found.add("suite", before.suite_version, after.suite_version);
  found.add("commit of suite", before.suite_commit, after.suite_commit);
  differ_plugins(before, after, found);
  differ_rows(c.rows, found);
  found.add("host", before.host.name, after.host.name);
  found.add("CPU", before.host.cpu, after.host.cpu);
  found.add("vector instructions", before.host.simd, after.host.simd);
  found.add("cores", before.host.cores, after.host.cores);
  found.add("system", before.host.system, after.host.system);
  found.add("ranks", before.ranks, after.ranks);
  found.add("sha256 of the input", before.input.sha256.substr(0, 12), after.input.sha256.substr(0, 12));
  found.add("deterministic", deterministic_in(before), deterministic_in(after));
  found.add("input keys overridden (--set)", joined_words(before.overrides), joined_words(after.overrides));
  found.add("status", c.before.status, c.after.status);
  differ_ceilings(c.before, c.after, found);
  return found.take();
}

}  // namespace

bool Change::worse_by(double fraction) const {
  if (!comparison.ratio.interval) return false;
  return lower_is_better ? comparison.ratio.low > 1 + fraction : comparison.ratio.high < 1 / (1 + fraction);
}

std::string row_name(const Row& row) {
  std::string name = row.kernel + (row.size.empty() ? "" : " " + row.size) + " " + row.name;
  if (!row.variant.empty()) name += " " + row.variant;
  name += parameters_text(row.parameters);
  if (row.threads > 0) name += " " + counted(row.threads, "thread");
  return name;
}

ResultComparison compare_results(Result before, Result after) {
  ResultComparison c{std::move(before), std::move(after), {}, {}, {}, {}, {}};
  c.physics = compare_physics(c.before, c.after);
  std::multimap<std::string, const Row*> waiting;
  for (const auto& row : c.before.rows) waiting.emplace(key_of(row), &row);
  for (const auto& row : c.after.rows) {
    const auto found = waiting.find(key_of(row));
    if (found == waiting.end()) {
      c.added.push_back(row);
    } else {
      c.rows.push_back(matched(*found->second, row));
      waiting.erase(found);
    }
  }
  for (const auto& row : c.before.rows)
    if (std::any_of(waiting.begin(), waiting.end(), [&](const auto& w) { return w.second == &row; })) c.missing.push_back(row);
  c.differences = differences_of(c);
  return c;
}

std::string slower_by_more_than(double fraction, double ratio, double low, double high) {
  return "is slower by more than " + number_text(100 * fraction) + " %: ratio " + fixed(ratio, 3) + " (" + fixed(low, 3) + " - " +
         fixed(high, 3) + ")";
}

FailOn parse_fail_on(const std::string& text) {
  const auto refuse = [&](const std::string& word) {
    throw Failure(
        SUITE_INVALID_ARGUMENT,
        "--fail-on has " + in_quotes(word) + "; it takes physics, slower:5% (or another percentage), failed, missing, separated by commas");
  };
  FailOn asked;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "physics") {
      asked.physics = true;
    } else if (word == "failed") {
      asked.failed = true;
    } else if (word == "missing") {
      asked.missing = true;
    } else if (word.rfind("slower:", 0) == 0) {
      const char *begin = word.data() + 7, *end = word.data() + word.size();
      double percent = 0;
      const auto [stop, error] = std::from_chars(begin, end, percent);
      if (error != std::errc() || stop + 1 != end || *stop != '%' || !(percent >= 0) || !(percent <= 1e6)) refuse(word);
      asked.slower = true;
      asked.slower_by = percent / 100;
    } else {
      refuse(word);
    }
  }
  if (text.empty() || text.back() == ',') refuse("");
  return asked;
}

namespace {

void judge_physics(const PhysicsComparison& physics, std::vector<std::string>& sentences) {
  if (!physics.why_not.empty()) throw Failure(SUITE_INVALID_ARGUMENT, "--fail-on physics cannot be evaluated: " + physics.why_not);
  for (const auto& row : physics.rows)
    if (!row.same)
      sentences.push_back(quantity_text(row) + (row.why.empty() ? fmt::format(" is {:.10g}, was {:.10g}: differs by {:.2g}, allowed {:.2g}",
                                                                              row.after, row.before, row.difference, row.allowed)
                                                                : " is " + row.why));
  for (const auto& name : physics.missing) sentences.push_back(name + " is not in the new result");
}

}  // namespace

std::vector<std::string> regressions(const ResultComparison& comparison, const FailOn& asked) {
  std::vector<std::string> sentences;
  if (asked.physics) judge_physics(comparison.physics, sentences);
  for (const auto& row : comparison.rows) {
    if (asked.failed && row.verdict == "FAILED")
      sentences.push_back(row_name(row.after) + " fails its verification" + (row.before.failed() ? ", as it did before" : ""));
    for (const auto& change : row.changes)
      if (asked.slower && change.metric == "time" && change.worse_by(asked.slower_by)) {
        const Estimate& ratio = change.comparison.ratio;
        sentences.push_back(row_name(row.after) + " " + slower_by_more_than(asked.slower_by, ratio.median, ratio.low, ratio.high));
      }
  }
  for (const auto& row : comparison.added)
    if (asked.failed && row.failed()) sentences.push_back(row_name(row) + " fails its verification");
  for (const auto& row : comparison.missing)
    if (asked.missing) sentences.push_back(row_name(row) + " is missing");
  if ((asked.failed || asked.missing || asked.slower) && comparison.rows.empty() && sentences.empty())
    throw Failure(SUITE_INVALID_ARGUMENT, "--fail-on cannot be evaluated: the results have no common rows");
  return sentences;
}

}  // namespace suite::app::stored
