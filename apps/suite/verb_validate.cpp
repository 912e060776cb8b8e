// SPDX-License-Identifier: BSD-3-Clause
// suite validate FAMILY: runs the inputs of inputs/validation/FAMILY and compares their results with published ones. validation.json is
// updated after every case, so that --resume can continue from there.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/memory.hpp"
#include "common/near.hpp"
#include "measure/result.hpp"
#include "measure/result_file.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "junit.hpp"
#include "session.hpp"
#include "table.hpp"
#include "validation_list.hpp"
#include "verbs.hpp"
#include "common/quantities.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Validated {
  struct Case {
    std::string name;
    double wall_s = 0, cpu_s = 0, peak_memory_B = 0;
    std::string folder;
  };
  std::string family, status = "interrupted";
  std::vector<PublishedCheck> checks;
  std::vector<Case> cases;
  std::vector<std::string> command_line;
  std::string folder;
};

struct ValidationPlan {
  struct Case {
    std::string name;
    double cpu_s = 0, memory_B = 0;
  };
  struct Family {
    std::string name;
    double cpu_s = 0, memory_B = 0;
    std::vector<Case> cases;
  };
  std::vector<Family> families;
};

constexpr const char* validated_words[] = {"ok", "failed", "interrupted"};

}  // namespace

// clang-format off
template <> inline constexpr auto fields<Validated::Case> = std::tuple{
    Field{&Validated::Case::name,          "case",          "", "", name_limits},
    Field{&Validated::Case::wall_s,        "wall_s",        "s", "", seconds_limits},
    Field{&Validated::Case::cpu_s,         "cpu_s",         "s", "of all threads", {.low = 0, .high = 1e15}},
    Field{&Validated::Case::peak_memory_B, "peak_memory_B", "B", "of the process; 0: not provided by the system", amount_limits},
    Field{&Validated::Case::folder,        "folder",        "", "below that of validation.json", not_empty},
};
template <> inline constexpr auto fields<Validated> = std::tuple{
    Constant{"schema", "suite-validate-1"},
    Field{&Validated::family,       "family",       "", "", not_empty},
    Field{&Validated::status,       "status",       "", "interrupted: some cases are not finished", {.one_of = validated_words}},
    Field{&Validated::checks,       "checks",       "", ""},
    Field{&Validated::cases,        "cases",        "", "finished cases"},
    Field{&Validated::command_line, "command_line", "", "without the program", {.least = 1}},
    Field{&Validated::folder,       "folder",       "", "", not_empty},
};
template <> inline constexpr auto fields<ValidationPlan::Case> = std::tuple{
    Field{&ValidationPlan::Case::name,     "case",     "", "", name_limits},
    Field{&ValidationPlan::Case::cpu_s,    "cpu_s",    "s", "estimate, of all threads; 0: unknown", {.low = 0}},
    Field{&ValidationPlan::Case::memory_B, "memory_B", "B", "estimate; 0: unknown", {.low = 0}},
};
template <> inline constexpr auto fields<ValidationPlan::Family> = std::tuple{
    Field{&ValidationPlan::Family::name,     "family",   "", "", not_empty},
    Field{&ValidationPlan::Family::cpu_s,    "cpu_s",    "s", "of all cases; 0: unknown", {.low = 0}},
    Field{&ValidationPlan::Family::memory_B, "memory_B", "B", "of the largest case; 0: unknown", {.low = 0}},
    Field{&ValidationPlan::Family::cases,    "cases",    "", ""},
};
template <> inline constexpr auto fields<ValidationPlan> = std::tuple{
    Constant{"schema", "suite-validate-plan-1"},
    Field{&ValidationPlan::families, "families", "", "", {.least = 1}},
};
// clang-format on

SchemaObject validate_schema() {
  SchemaObject schema = schema_of<Validated>();
  // A value is compared with exactly one of the two.
  schema["properties"]["checks"]["items"]["oneOf"] = {{{"required", {"expected"}}}, {{"required", {"below"}}}};
  return schema;
}
SchemaObject validate_plan_schema() { return schema_of<ValidationPlan>(); }

namespace {

constexpr double most_sigmas = 3;
constexpr size_t largest_result = 64 << 20;

struct Finding {
  double value = 0, error = 0;
  std::string deviation;
  bool right = false;
};

// Looks up "components.KEI.mean_Ha" in the results.
double number_at(const ordered_json& results, const std::string& path) {
  std::string pointer = "/" + path;
  for (auto& c : pointer)
    if (c == '.') c = '/';
  const nlohmann::json::json_pointer at(pointer);
  const auto& flat = nlohmann::json(results);
  if (!flat.contains(at) || !flat[at].is_number()) throw Failure(SUITE_INTERNAL, "the results have no number " + path);
  return flat[at].get<double>();
}

Finding find(const PublishedValue& c, const ordered_json& results) {
  Finding f;
  f.value = number_at(results, c.quantity);
  if (!c.quantity_error.empty()) f.error = number_at(results, c.quantity_error);
  if (c.below) {
    f.right = f.value <= *c.below;
    return f;
  }
  const double off = f.value - *c.expected, sigma = std::hypot(f.error, c.error.value_or(0));
  if (c.tolerance) {
    f.deviation = fmt::format("{:.1e}", off);
    f.right = std::abs(off) <= *c.tolerance;
  } else {
    f.deviation = fmt::format("{:+.2f} sigma", off / sigma);
    f.right = std::abs(off) <= most_sigmas * sigma;
  }
  f.right = f.right && !(c.largest_error && !(f.error <= *c.largest_error));
  return f;
}

std::string value_text(double value, double error) {
  return error > 0 ? fmt::format("{:.6f} +- {:.6f}", value, error) : fmt::format("{:.10g}", value);
}

std::string expected_text(const PublishedValue& c) {
  if (c.below) return fmt::format("<= {:.10g}", *c.below);
  return c.error ? value_text(*c.expected, *c.error) : fmt::format("{:.10g}", *c.expected);
}

std::string failure_text(const PublishedValue& c, const Finding& f) {
  return value_text(f.value, f.error) + ", expected " + expected_text(c) + (f.deviation.empty() ? "" : ", off by " + f.deviation) + " (" +
         c.source + ")";
}

std::string about_text(double seconds) {
  if (!(seconds > 0)) return "unknown";
  if (seconds < 120) return fmt::format("{:.0f} s", std::ceil(seconds));
  return seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

std::string memory_text(double bytes) { return bytes > 0 ? bytes_text(bytes) : "unknown"; }

std::string forecast(const ValidationList& list) {
  const std::string cases = list.family + ": " + counted(list.cases.size(), "case");
  if (!list.whole()) return cases + "; not all of their times are known";
  return cases + ", about " + about_text(list.cpu_s()) + " of CPU time and " + memory_text(list.memory_B()) + " of memory";
}

ValidationPlan plan_of(const std::vector<ValidationList>& lists) {
  ValidationPlan plan;
  for (const auto& list : lists) {
    auto& family = plan.families.emplace_back(ValidationPlan::Family{list.family, list.cpu_s(), list.memory_B(), {}});
    for (const auto& one : list.cases) family.cases.push_back({one.name, one.cpu_s, one.memory_B});
  }
  return plan;
}

// Without a family: all lists. With --dry-run: the cases of one.
int print_plan(const Arguments& arguments, const std::vector<ValidationList>& lists, bool each_case) {
  Table table;
  table.header({each_case ? "case" : "family", each_case ? "values" : "cases", "CPU time", "memory"});
  for (size_t column : {1, 2, 3}) table.right(column);
  for (const auto& list : lists) {
    if (!each_case) table.row({list.family, std::to_string(list.cases.size()), about_text(list.cpu_s()), memory_text(list.memory_B())});
    else
      for (const auto& one : list.cases)
        table.row({one.name, std::to_string(one.checks.size()), about_text(one.cpu_s), memory_text(one.memory_B)});
  }
  if (!print_document(arguments, json_of(plan_of(lists))))
    std::cout << table.text()
              << (each_case ? "\n" + forecast(lists.front()) + "\n" : "\nnext: suite validate " + lists.front().family + "\n");
  return exit_ok;
}

// Finished cases of an earlier run in this folder, each a row of "cases".
struct Earlier {
  fs::path folder;
  std::vector<std::string> words;  // of its command line
  std::vector<Validated::Case> cases;
};

// Options about the output, which may differ in a run that continues an earlier one.
constexpr const char* changeable[] = {"--json", "--csv", "--junit", "--quiet"};

Earlier read_earlier(const Arguments& arguments) {
  for (const auto& option : options())
    if (const std::string name = option.name;
        arguments.has(name) && name != "--resume" && std::find(std::begin(changeable), std::end(changeable), name) == std::end(changeable))
      throw UsageError(
          "--resume continues with the options of the earlier run; it may be combined only with --json, --csv, --junit and --quiet");
  if (!arguments.positional().empty())
    throw UsageError("--resume continues with the family of the run; leave out " + in_quotes(arguments.positional()[0]));
  const std::string named = arguments.get("--resume");
  const auto result = stored::read_result((fs::path(named) / "validation.json").string());
  if (result.schema != "validate")
    throw Failure(SUITE_INVALID_ARGUMENT, "--resume: " + in_quotes(named) + " was not written by 'suite validate'");
  Earlier earlier{result.folder, result.root["command_line"].texts(), {}};
  for (const auto& row : result.root["cases"].items()) {
    read_all_fields(row, earlier.cases.emplace_back());
    if (const std::string& folder = earlier.cases.back().folder; fs::path(folder).filename() != folder)
      row["folder"].fail("is " + in_quotes(folder) + "; it must be the name of a folder beside the file");
  }
  if (earlier.words.empty() || earlier.words[0] != "validate")
    throw Failure(SUITE_INVALID_ARGUMENT, "--resume: " + in_quotes(named) + " does not contain its command line");
  for (const char* option : changeable) {
    if (!arguments.has(option) || Arguments::parse(earlier.words).has(option)) continue;
    earlier.words.emplace_back(option);
    if (const std::string value = arguments.get(option); !value.empty()) earlier.words.push_back(value);
  }
  return earlier;
}

// Returns what has changed since the case ran, or "".
std::string changed_since(const stored::Result& result, const fs::path& input) {
  const auto& then = result.provenance;
  char digits[65] = {};
  suite_error error{};
  const auto is = [&](const fs::path& file, const std::string& sha256) {
    return suite_hash_file(file.string().c_str(), digits, &error) == SUITE_OK && sha256 == digits;
  };
  if (result.status != "ok") return "it did not finish";
  if (then.suite_version + (then.suite_commit.empty() ? "" : " (" + then.suite_commit + ")") != version_text())
    return "the program has changed";
  if (!is(input, then.input.sha256)) return "its input has changed";
  for (const auto& plugin : then.plugins)
    if (!is(plugin.file, plugin.sha256)) return "the plugin " + plugin.file + " has changed";
  return "";
}

class Validation {
public:
  Validation(const Arguments& arguments, const std::optional<Earlier>& earlier)
      : arguments_(arguments), list_(read_validation_list(arguments.positional()[0])), earlier_(earlier), talks_(prints(arguments)) {
    table_.header({"case", "quantity", "this run", "expected", "deviation", "", "source"});
    table_.flow();
    document_.family = list_.family;
    document_.command_line = arguments.words();
  }

  int run() {
    if (arguments_.has("--dry-run")) return print_plan(arguments_, {list_}, true);
    folder_ = earlier_ ? earlier_->folder : make_run_folder("validate-" + list_.family, arguments_.get("--output"));
    document_.folder = folder_.string();
    const std::string continued = "suite: to continue: suite validate --resume " + shell_word(folder_.string());
    if (talks_) std::cerr << forecast(list_) << "\n";
    warn_of_memory();
    const InterruptNote note(continued);
    keep();
    for (const auto& one : list_.cases)
      if (const int code = run_or_reuse(one); code != exit_ok) {
        cases_.push_back({list_.family, one.name, 0, "", fmt::format("the run ended with exit code {}", code), ""});
        write_junit(arguments_, cases_);
        std::cerr << "suite: the run of " << one.name << " ended with exit code " << code << "\n" << continued << "\n";
        return code;
      }
    document_.status = right_ ? "ok" : "failed";
    keep();
    write_junit(arguments_, cases_);
    if (!print_document(arguments_, json_of(document_)) && talks_)
      std::cout << table_.text() << "\n results in " << folder_.string() << "\n";
    return right_ ? exit_ok : exit_verification;
  }

private:
  void keep() const { write_text_file(folder_ / "validation.json", json_document(json_of(document_))); }

  void warn_of_memory() const {
    const double share = memory_share_B();
    for (const auto& one : list_.cases)
      if (one.memory_B > usable_memory * share)
        std::cerr << "suite: warning: " << one.name << " takes " << bytes_text(one.memory_B) << " of memory and this machine has "
                  << bytes_text(share) << "\n";
  }

  int run_or_reuse(const ValidationCase& one) {
    std::optional<Validated::Case> row = finished(one);
    if (!row) {
      if (talks_) std::cerr << one.name << (one.cpu_s > 0 ? " (about " + about_text(one.cpu_s) + " of CPU time)" : "") << " ...\n";
      // Leave the folder of a run that ended early unchanged.
      fs::path folder = folder_ / one.name;
      for (int number = 2; fs::exists(folder); ++number) folder = folder_ / fmt::format("{}-{}", one.name, number);
      const double begin_s = wall_s(), begin_cpu_s = cpu_s();
      begin_peak_memory();
      if (const int code = run_case(one.input, folder); code != exit_ok) return code;
      row = {one.name, wall_s() - begin_s, cpu_s() - begin_cpu_s, peak_memory_B(), folder.filename().string()};
    } else if (talks_) std::cerr << one.name << " is finished\n";
    check(one, ordered_json::parse(read_text_file(folder_ / row->folder / "result.json", largest_result)).at("results"));
    document_.cases.push_back(*row);
    keep();
    return exit_ok;
  }

  // The row of an earlier run if it is still valid.
  std::optional<Validated::Case> finished(const ValidationCase& one) const {
    if (!earlier_) return {};
    for (const auto& row : earlier_->cases) {
      if (row.name != one.name) continue;
      const std::string changed = changed_since(stored::read_result((folder_ / row.folder).string()), one.input);
      if (changed.empty()) return row;
      if (talks_) std::cerr << one.name << " runs again: " << changed << "\n";
    }
    return {};
  }

  // Runs a case like `suite run`, with the options given here; returns its exit code.
  int run_case(const fs::path& input, const fs::path& folder) const {
    std::vector<std::string> words{"run", input.string(), "--output", folder.string(), "--quiet"};
    for (const char* option : {"--implementation", "--backend", "--plugin", "--threads", "--variant"})
      if (arguments_.has(option)) words.insert(words.end(), {option, arguments_.get(option)});
    return run_verb(Arguments::parse(words));
  }

  void check(const ValidationCase& one, const ordered_json& results) {
    for (const auto& value : one.checks) {
      const Finding f = find(value, results);
      right_ = right_ && f.right;
      table_.row({one.name, value.quantity, value_text(f.value, f.error), expected_text(value), f.deviation,
                  f.right ? good("ok", colour_on_stdout()) : bad("FAILED", colour_on_stdout()), value.source});
      cases_.push_back({list_.family + "." + one.name, value.quantity, 0, f.right ? "" : failure_text(value, f), "", ""});
      document_.checks.push_back(
          {one.name, value.quantity, f.deviation, f.right ? "ok" : "failed", value.source, f.value, f.error, value.expected, value.below});
    }
  }

  const Arguments& arguments_;
  const ValidationList list_;
  const std::optional<Earlier>& earlier_;
  const bool talks_;
  Table table_;
  Validated document_;
  std::vector<TestCase> cases_;
  fs::path folder_;
  bool right_ = true;
};

}  // namespace

int validate_verb(const Arguments& arguments) {
  if (launched_rank() >= 0) throw UsageError("'suite validate' is a single process; start it without mpirun");
  if (arguments.has("--resume")) {
    const std::optional<Earlier> earlier = read_earlier(arguments);
    return Validation(Arguments::parse(earlier->words), earlier).run();
  }
  if (!arguments.positional().empty()) return Validation(arguments, {}).run();
  std::vector<ValidationList> lists;
  for (const auto& family : validated_families()) lists.push_back(read_validation_list(family));
  if (lists.empty()) throw UsageError("no validation is installed: suite validate LIST.yaml");
  return print_plan(arguments, lists, false);
}

}  // namespace suite::app
