// SPDX-License-Identifier: BSD-3-Clause
// suite validate FAMILY: runs the inputs of inputs/validation/FAMILY and compares their results with published ones.
// What is finished is in validation.json after every case, so that --resume can continue from there.
#include <cmath>
#include <iostream>
#include <optional>

#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/memory.hpp"
#include "common/near.hpp"
#include "common/print.hpp"
#include "common/result.hpp"
#include "common/result_file.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "session.hpp"
#include "table.hpp"
#include "validation_list.hpp"
#include "verbs.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr double most_sigmas = 3;
constexpr size_t largest_result = 64 << 20;

struct Finding {
  double value = 0, error = 0;
  std::string deviation;
  bool right = false;
};

// "components.KEI.mean_Ha" of the results.
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
    f.deviation = print("%.1e", off);
    f.right = std::abs(off) <= *c.tolerance;
  } else {
    f.deviation = print("%+.2f sigma", off / sigma);
    f.right = std::abs(off) <= most_sigmas * sigma;
  }
  f.right = f.right && !(c.largest_error && !(f.error <= *c.largest_error));
  return f;
}

std::string value_text(double value, double error) { return error > 0 ? print("%.6f +- %.6f", value, error) : print("%.10g", value); }

std::string expected_text(const PublishedValue& c) {
  if (c.below) return print("<= %.10g", *c.below);
  return c.error ? value_text(*c.expected, *c.error) : print("%.10g", *c.expected);
}

std::string about_text(double seconds) {
  if (!(seconds > 0)) return "unknown";
  if (seconds < 120) return print("%.0f s", std::ceil(seconds));
  return seconds < 7200 ? print("%.0f min", seconds / 60) : print("%.1f h", seconds / 3600);
}

std::string memory_text(double bytes) { return bytes > 0 ? bytes_text(bytes) : "unknown"; }

std::string forecast(const ValidationList& list) {
  const std::string cases = list.family + ": " + count_text(list.cases.size(), "case", "cases");
  if (!list.whole()) return cases + "; what they take is not known of all";
  return cases + ", about " + about_text(list.cpu_s()) + " of CPU time and " + memory_text(list.memory_B()) + " of memory";
}

ordered_json plan_json(const std::vector<ValidationList>& lists) {
  ordered_json j{{"schema", "suite-validate-plan-1"}, {"families", ordered_json::array()}};
  for (const auto& list : lists) {
    ordered_json cases = ordered_json::array();
    for (const auto& one : list.cases) cases.push_back({{"case", one.name}, {"cpu_s", one.cpu_s}, {"memory_B", one.memory_B}});
    j["families"].push_back({{"family", list.family}, {"cpu_s", list.cpu_s()}, {"memory_B", list.memory_B()}, {"cases", cases}});
  }
  return j;
}

// Without a family: all there are. With --dry-run: the cases of one.
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
  if (arguments.has("--json")) std::cout << json_document(plan_json(lists));
  else std::cout << table.text() << (each_case ? "\n" + forecast(lists.front()) + "\n" : "\nnext: suite validate " + lists.front().family + "\n");
  return exit_ok;
}

// What an earlier run in this folder has finished: of each case a row of "cases".
struct Earlier {
  fs::path folder;
  std::vector<std::string> words;  // of its command line
  std::vector<stored::Value> cases;
};

Earlier read_earlier(const Arguments& arguments) {
  for (const auto& option : options())
    if (const std::string name = option.name; arguments.has(name) && name != "--resume" && name != "--json" && name != "--quiet")
      throw UsageError("--resume continues with the options that the run was given; beside it stand only --json and --quiet");
  if (!arguments.positional().empty()) throw UsageError("--resume continues with the family that the run was given; leave out " + in_quotes(arguments.positional()[0]));
  const std::string named = arguments.get("--resume");
  const auto result = stored::read_result((fs::path(named) / "validation.json").string());
  if (result.schema != "validate") throw Failure(SUITE_INVALID_ARGUMENT, "--resume: " + in_quotes(named) + " is not of 'suite validate'");
  Earlier earlier{result.folder, result.root["command_line"].texts(), result.root["cases"].items()};
  if (earlier.words.empty() || earlier.words[0] != "validate")
    throw Failure(SUITE_INVALID_ARGUMENT, "--resume: " + in_quotes(named) + " does not say how it was started");
  for (const char* option : {"--json", "--quiet"})
    if (arguments.has(option) && !Arguments::parse(earlier.words).has(option)) earlier.words.emplace_back(option);
  return earlier;
}

// "" or what is not as it was when the case ran.
std::string changed_since(const stored::Result& result, const fs::path& input) {
  const auto& then = result.provenance;
  char digits[65] = {};
  suite_error error{};
  const auto is = [&](const fs::path& file, const std::string& sha256) {
    return suite_hash_file(file.string().c_str(), digits, &error) == SUITE_OK && sha256 == digits;
  };
  if (result.status != "ok") return "it was not finished";
  if (then.suite_version + (then.suite_commit.empty() ? "" : " (" + then.suite_commit + ")") != version_text()) return "the program is another one";
  if (!is(input, then.input_sha256)) return "its input has changed";
  for (const auto& plugin : then.plugins)
    if (!is(plugin.file, plugin.sha256)) return "the plugin " + plugin.file + " has changed";
  return "";
}

class Validation {
public:
  Validation(const Arguments& arguments, const std::optional<Earlier>& earlier)
      : arguments_(arguments), list_(read_validation_list(arguments.positional()[0])), earlier_(earlier), talks_(!arguments.has("--quiet") && !arguments.has("--json")) {
    table_.header({"case", "quantity", "this run", "expected", "deviation", "", "source"});
    document_ = {{"schema", "suite-validate-1"}, {"family", list_.family}, {"status", "interrupted"}, {"checks", ordered_json::array()},
                 {"cases", ordered_json::array()}, {"command_line", arguments.words()}, {"folder", ""}};
  }

  int run() {
    if (arguments_.has("--dry-run")) return print_plan(arguments_, {list_}, true);
    folder_ = earlier_ ? earlier_->folder : make_run_folder("validate-" + list_.family, arguments_.get("--output"));
    document_["folder"] = folder_.string();
    const std::string continued = "suite: to continue: suite validate --resume " + folder_.string();
    if (talks_) std::cerr << forecast(list_) << "\n";
    warn_of_memory();
    const InterruptNote note(continued);
    keep();
    for (const auto& one : list_.cases)
      if (const int code = run_or_reuse(one); code != exit_ok) {
        std::cerr << "suite: the run of " << one.name << " ended with exit code " << code << "\n" << continued << "\n";
        return code;
      }
    document_["status"] = right_ ? "ok" : "failed";
    keep();
    if (arguments_.has("--json")) std::cout << json_document(document_);
    else if (talks_) std::cout << table_.text() << "\n results in " << folder_.string() << "\n";
    return right_ ? exit_ok : exit_verification;
  }

private:
  void keep() const { write_text_file(folder_ / "validation.json", json_document(document_)); }

  void warn_of_memory() const {
    const double share = memory_share_B();
    for (const auto& one : list_.cases)
      if (one.memory_B > usable_memory * share)
        std::cerr << "suite: warning: " << one.name << " takes " << bytes_text(one.memory_B) << " of memory and this machine has " << bytes_text(share) << "\n";
  }

  int run_or_reuse(const ValidationCase& one) {
    ordered_json row = finished(one);
    if (row.is_null()) {
      if (talks_) std::cerr << one.name << (one.cpu_s > 0 ? " (about " + about_text(one.cpu_s) + " of CPU time)" : "") << " ...\n";
      // A folder of a run that ended early stays as it is.
      fs::path folder = folder_ / one.name;
      for (int number = 2; fs::exists(folder); ++number) folder = folder_ / (one.name + "-" + std::to_string(number));
      const double begin_s = wall_s(), begin_cpu_s = cpu_s();
      begin_peak_memory();
      if (const int code = run_case(one.input, folder); code != exit_ok) return code;
      row = {{"case", one.name}, {"wall_s", wall_s() - begin_s}, {"cpu_s", cpu_s() - begin_cpu_s}, {"peak_memory_B", peak_memory_B()},
             {"folder", folder.filename().string()}};
    } else if (talks_) std::cerr << one.name << " is finished\n";
    check(one, ordered_json::parse(read_text_file(folder_ / row["folder"].get<std::string>() / "result.json", largest_result)).at("results"));
    document_["cases"].push_back(row);
    keep();
    return exit_ok;
  }

  // The row of an earlier run that holds still; else null.
  ordered_json finished(const ValidationCase& one) const {
    if (!earlier_) return {};
    for (const auto& row : earlier_->cases) {
      if (row["case"].text() != one.name) continue;
      const std::string name = row["folder"].text();
      if (fs::path(name).filename() != name) row["folder"].fail("is " + in_quotes(name) + "; it must be the name of a folder beside the file");
      const std::string changed = changed_since(stored::read_result((folder_ / name).string()), one.input);
      if (changed.empty())
        return {{"case", one.name}, {"wall_s", row["wall_s"].number(0, 1e9)}, {"cpu_s", row["cpu_s"].number(0, 1e15)},
                {"peak_memory_B", row["peak_memory_B"].number(0, 1e30)}, {"folder", name}};
      if (talks_) std::cerr << one.name << " is run again: " << changed << "\n";
    }
    return {};
  }

  // As `suite run` would, with the options given here: its exit code.
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
      auto& rows = document_["checks"];
      rows.push_back({{"case", one.name}, {"quantity", value.quantity}, {"value", f.value}, {"error", f.error}, {"deviation", f.deviation},
                      {"verdict", f.right ? "ok" : "failed"}, {"source", value.source}});
      if (value.expected) rows.back()["expected"] = *value.expected;
      if (value.below) rows.back()["below"] = *value.below;
    }
  }

  const Arguments& arguments_;
  const ValidationList list_;
  const std::optional<Earlier>& earlier_;
  const bool talks_;
  Table table_;
  ordered_json document_;
  fs::path folder_;
  bool right_ = true;
};

}  // namespace

int validate_verb(const Arguments& arguments) {
  if (launched_rank() >= 0) throw UsageError("'suite validate' is one process; start it without mpirun");
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
