// SPDX-License-Identifier: BSD-3-Clause
#include "result_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "distinct_names.hpp"
#include "io.hpp"
#include "json_text.hpp"
#include "near.hpp"
#include "print.hpp"

namespace suite::app::stored {

namespace fs = std::filesystem;

namespace {

constexpr size_t largest_file = 64 << 20;
constexpr size_t longest_name = 256;
constexpr double longest_s = 1e9;  // 30 years
constexpr double largest =
    1e30;  // flops, bytes, rates: beyond every machine, far from overflow in any sum of them
constexpr double largest_error = std::numeric_limits<double>::max();

struct Known {
  const char* name;
  int version;
};
constexpr Known schemas[] = {{"result", 1},   {"compare", 1},  {"bench", 1},   {"ladder", 1},
                             {"validate", 1}, {"roofline", 1}, {"scaling", 1}, {"tuning", 1}};

std::string name_in(const Value& value) { return value ? value.text(longest_name) : ""; }

int count_in(const Value& value) { return value ? static_cast<int>(value.whole(0, 1 << 24)) : 0; }

double rate_in(const Value& value) { return value ? value.number(0, largest) : 0; }

// "suite-compare-1" as name and version.
void read_schema(const Value& root, Result& result) {
  if (!root.is_object()) root.fail("is no object; a result of suite is one, with the key 'schema'");
  const Value value = root["schema"];
  if (!value) root.fail("has no key 'schema'; it is no result of suite");
  const std::string schema = value.text();
  for (const auto& [name, version] : schemas) {
    const std::string stem = std::string("suite-") + name + "-";
    if (schema.rfind(stem, 0) != 0) continue;
    const std::string digits = schema.substr(stem.size());
    if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos)
      break;
    result.schema = name;
    result.version = std::stoi(digits);
    if (result.version > version)
      value.fail("is " + in_quotes(schema) + ", but this version of suite knows 'suite-" + name + "-" +
                 std::to_string(version) + "' at most; a newer one wrote the file");
    if (result.version < 1) break;
    return;
  }
  std::string all;
  for (const auto& [name, version] : schemas)
    all += std::string(all.empty() ? "" : ", ") + "suite-" + name + "-" + std::to_string(version);
  value.fail("is " + in_quotes(schema) + "; it must be one of " + all);
}

std::string one_of(const Value& value, std::initializer_list<const char*> words) {
  const std::string text = value.text();
  std::string all;
  for (const char* word : words) {
    if (text == word) return text;
    all += std::string(all.empty() ? "" : ", ") + "'" + word + "'";
  }
  value.fail("is " + in_quotes(text) + "; it must be one of " + all);
}

std::optional<Interval> interval_in(const Value& median, const Value& low, const Value& high, double most) {
  if (!median) return {};
  const Interval found{median.number(0, most), low.number(0, most), high.number(0, most), {}};
  if (!(found.low <= found.median && found.median <= found.high))
    median.fail(
        print("is %.6g, outside of its interval from %.6g to %.6g", found.median, found.low, found.high));
  return found;
}

void read_verification(const Value& value, Row& row) {
  if (!value) return;
  row.verification = one_of(value["status"], {"verified", "failed", "not checked"});
  const Value error = value["max_relative_error"];
  row.max_relative_error = error ? error.number(0, largest_error) : INFINITY;
  row.detail = value["detail"].text_or("");
}

Parameters parameters_in(const Value& value) {
  Parameters parameters;
  for (const auto& [name, setting] : value.members()) {
    if (name.size() > longest_name)
      setting.fail("has a name of more than " + std::to_string(longest_name) + " bytes");
    parameters.push_back(
        {name, setting.is_number() ? print("%.17g", setting.number()) : setting.text(longest_name)});
  }
  std::sort(parameters.begin(), parameters.end(),
            [](const Parameter& a, const Parameter& b) { return a.name < b.name; });
  return parameters;
}

Merit merit_in(const Value& value) {
  if (!value) return {};
  return {name_in(value["unit"]), value["formula"].text_or(""), rate_in(value["per_s"])};
}

// What the file says once for many rows.
struct Shared {
  std::string kernel, implementation, backend, device, size, verified_at;
  Parameters parameters;
  int threads = 0;
};

Row row_in(const Value& value, const Shared& shared) {
  Row row;
  row.source = value;
  const auto own = [&](const char* key, const std::string& otherwise) {
    return value[key] ? name_in(value[key]) : otherwise;
  };
  row.kernel = own("kernel", shared.kernel);
  if (row.kernel.empty()) value.fail("has no key 'kernel'");
  row.implementation = own("implementation", shared.implementation);
  if (row.implementation.empty()) value.fail("has no key 'implementation'");
  row.backend = own("backend", shared.backend);
  row.variant = own("variant", "");
  row.device = value["device"].text_or(shared.device);
  row.size = value["size"].text_or(shared.size);
  row.verified_at = value["verified_at"].text_or(shared.verified_at);
  row.parameters = value["parameters"] ? parameters_in(value["parameters"]) : shared.parameters;
  row.tuned = parameters_in(value["tuned"]);
  row.threads = value["threads"] ? count_in(value["threads"]) : shared.threads;
  if (const Value samples = value["samples_s"]) row.samples_s = samples.numbers(0, longest_s);
  if (const Value samples = value["cpu_samples_s"]) row.cpu_samples_s = samples.numbers(0, longest_s * 1e6);
  if (const Value energy = value["energy_J"]) row.energy_J = energy.numbers(0, largest);
  row.time_s = interval_in(value["median_s"], value["low_s"], value["high_s"], longest_s);
  if (const Value ratio = value["ratio"]) {
    row.ratio = interval_in(ratio["median"], ratio["low"], ratio["high"], largest);
    if (row.ratio && ratio["p"]) row.ratio->p = ratio["p"].number(0, 1);
  }
  row.verdict = name_in(value["verdict"]);
  row.flops = rate_in(value["flops"]);
  row.bytes = rate_in(value["bytes"]);
  row.merit = merit_in(value["merit"]);
  row.fma_flop_per_s = rate_in(value["fma_flop_per_s"]);
  read_verification(value["verification"], row);
  return row;
}

// Rows of kernels have the operations of all samples together.
Row kernel_row(const Value& value, const Shared& shared) {
  Row row = row_in(value, shared);
  if (const auto n = static_cast<double>(row.samples_s.size()); n > 0) {
    row.flops /= n;
    row.bytes /= n;
  }
  return row;
}

Row step_row(const Value& value, const Shared& shared, double ceiling) {
  Row row = row_in(value, shared);
  Step step;
  step.name = row.variant = name_in(value["step"]);
  step.sentence = value["sentence"].text_or("");
  step.after = name_in(value["after"]);
  step.expected = value["expected"].text_or("");
  step.met = name_in(value["met"]);
  for (const auto& published : value["published"].items()) step.published.push_back(published["text"].text());
  row.step = step;
  row.fma_flop_per_s = ceiling;
  return row;
}

void read_left_out(const Value& list, Result& result) {
  for (const auto& one : list.items())
    result.left_out.push_back({name_in(one["implementation"]), one["why"].text()});
}

// suite-roofline has a list of more than that, which stays in `root`.
void read_ceilings(const Value& object, Result& result) {
  if (object.is_list()) return;
  for (const auto& [name, value] : object.members())
    if (value.is_number()) result.ceilings[name] = value.number(0, largest);
}

// bench and ladder: a block per kernel, size and number of threads.
void read_block(const Value& block, Result& result) {
  Shared shared{name_in(block["kernel"]),           name_in(block["implementation"]),
                name_in(block["backend"]),          block["device"].text_or(""),
                block["size"].text_or(""),          block["verified_at"].text_or(""),
                parameters_in(block["parameters"]), count_in(block["threads"])};
  const double ceiling = rate_in(block["fma_flop_per_s"]);
  if (ceiling > 0) result.ceilings["fma_flop_per_s"] = std::max(result.ceilings["fma_flop_per_s"], ceiling);
  for (const auto& row : block["contenders"].items()) result.rows.push_back(kernel_row(row, shared));
  for (const auto& row : block["steps"].items()) result.rows.push_back(step_row(row, shared, ceiling));
  read_left_out(block["left_out"], result);
}

void read_checks(const Value& list, Result& result) {
  for (const auto& one : list.items()) {
    Check check;
    check.name = name_in(one["case"]);
    check.quantity = name_in(one["quantity"]);
    check.deviation = one["deviation"].text_or("");
    check.verdict = one_of(one["verdict"], {"ok", "failed"});
    check.source = one["source"].text_or("");
    // A value that is no number is null in the file: it was wrong, and has to stay visible as such.
    check.value = one["value"] ? one["value"].number() : std::nan("");
    check.error = one["error"].number_or(0);
    if (one["expected"]) check.expected = one["expected"].number();
    if (one["below"]) check.below = one["below"].number();
    result.checks.push_back(check);
  }
}

void read_consistency(const Value& list, Result& result) {
  for (const auto& one : list.items())
    result.consistency.push_back({name_in(one["name"]), one["unit"].text_or(""), one["meaning"].text_or(""),
                                  one["deviation"].number_or(std::nan("")), one["bound"].number(0, largest),
                                  one_of(one["verdict"], {"holds", "broken"}) == "holds"});
}

// Numbers that may be null, JSON's word for what is not finite.
std::vector<double> numbers_or_none(const Value& list) {
  std::vector<double> all;
  for (const auto& one : list.items()) all.push_back(one.number_or(std::nan("")));
  return all;
}

void read_observables(const Value& list, Result& result) {
  for (const auto& one : list.items()) {
    Observable o{name_in(one["name"]),     one["unit"].text_or(""),    numbers_or_none(one["values"]),
                 one["labels"].texts(), one["tolerance"].number(0, largest), numbers_or_none(one["errors"])};
    if (o.name.empty()) one.fail("has no key 'name'");
    if (o.values.empty()) one.fail("has no values");
    const auto need_each = [&](const char* key, size_t found) {
      if (found != 0 && found != o.values.size())
        one.fail("has " + std::to_string(o.values.size()) + " values and " + std::to_string(found) + " " + key);
    };
    need_each("labels", o.labels.size());
    need_each("errors", o.errors.size());
    result.observables.push_back(std::move(o));
  }
}

Provenance provenance_in(const Value& value) {
  Provenance p;
  p.source = value;
  if (!value) return p;
  p.suite_version = name_in(value["suite_version"]);
  p.suite_commit = name_in(value["suite_commit"]);
  p.utc = name_in(value["utc"]);
  for (const auto& plugin : value["plugins"].items())
    p.plugins.push_back({plugin["file"].text_or(""), name_in(plugin["version"]),
                         plugin["compiler"].text_or(""), name_in(plugin["sha256"])});
  if (const Value host = value["host"]) {
    p.host = name_in(host["name"]);
    p.cpu = name_in(host["cpu"]);
    p.simd = name_in(host["simd"]);
    p.system = name_in(host["system"]);
    p.cores = count_in(host["cores"]);
    p.memory_B = rate_in(host["memory_B"]);
  }
  p.threads = count_in(value["threads"]);
  p.ranks = count_in(value["ranks"]);
  if (const Value input = value["input"]) {
    p.input_file = input["file"].text_or("");
    p.input_sha256 = name_in(input["sha256"]);
  }
  p.overrides = value["overrides"].texts();
  p.command_line = value["command_line"].texts();
  return p;
}

fs::path file_of(const std::string& named) {
  std::error_code error;
  if (named == "last") {
    const fs::path folder = fs::path("results") / "last";
    if (!fs::is_directory(folder, error))
      throw IoFailure(
          "there is no results/last here; 'suite run' makes it, in the folder that it is started in");
    return folder / (fs::exists(folder / "result.json", error) ? "result.json" : "validation.json");
  }
  const fs::path path(named);
  if (!fs::is_directory(path, error)) return path;
  for (const char* name : {"result.json", "validation.json"})
    if (fs::exists(path / name, error)) return path / name;
  throw IoFailure("the folder " + in_quotes(named) + " has neither result.json nor validation.json in it");
}

}  // namespace

std::string Row::label() const {
  return name + (variant.empty() ? "" : " " + variant) + parameters_text(parameters);
}

Result parse_result(const std::string& name, const std::string& text) {
  Result result;
  result.root = Value(std::make_shared<Value::Document>(Value::Document{name, parse_json(name, text)}));
  const Value& root = result.root;
  read_schema(root, result);
  result.status = one_of(root["status"], {"ok", "failed", "error", "interrupted"});
  result.app = name_in(root["app"]);
  result.title = root["title"].text_or("");
  result.description = root["description"].text_or("");
  result.error = root["error"]["message"].text_or("");
  result.provenance = provenance_in(root["provenance"]);
  result.results = root["results"];
  if (result.results && !result.results.is_object()) result.results.fail("must be an object");
  if (const Value times = root["times"]) {
    result.wall_s = times["wall_s"].number(0, longest_s);
    result.cpu_s = times["cpu_s"].number(0, largest);
  }
  read_ceilings(root["ceilings"], result);
  Shared shared;
  shared.kernel = name_in(root["kernel"]);
  shared.size = root["size"].text_or(result.description);
  shared.threads = result.provenance.threads;
  for (const auto& row : root["kernels"].items()) result.rows.push_back(kernel_row(row, shared));
  for (const auto& row : root["contenders"].items()) result.rows.push_back(kernel_row(row, shared));
  for (const auto& block : root["blocks"].items()) read_block(block, result);
  read_left_out(root["left_out"], result);
  read_checks(root["checks"], result);
  read_consistency(root["consistency"], result);
  read_observables(root["observables"], result);
  result.warnings = root["warnings"] ? root["warnings"].texts() : std::vector<std::string>();
  name_apart({&result});
  return result;
}

void name_apart(const std::vector<Result*>& results) {
  std::vector<std::string> implementations;
  for (const Result* result : results)
    for (const auto& row : result->rows) implementations.push_back(row.implementation);
  const auto names = distinct_names(implementations);
  for (Result* result : results)
    for (auto& row : result->rows) row.name = names.at(row.implementation);
}

Result read_result(const std::string& named) {
  const fs::path file = file_of(named);
  Result result = parse_result(file.string(), read_text_file(file, largest_file));
  result.file = file;
  result.folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return result;
}

}  // namespace suite::app::stored
