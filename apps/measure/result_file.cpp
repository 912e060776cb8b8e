// SPDX-License-Identifier: BSD-3-Clause
#include "result_file.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "common/distinct_names.hpp"
#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/near.hpp"
#include "fields_json.hpp"
#include "result_fields.hpp"

namespace suite::app::stored {

namespace fs = std::filesystem;

namespace {

constexpr size_t largest_file = 64 << 20;

struct Known {
  const char* name;
  int version;
};
constexpr Known schemas[] = {{"result", 1},   {"compare", 1},  {"bench", 1},   {"ladder", 1},
                             {"validate", 1}, {"roofline", 1}, {"scaling", 1}, {"tuning", 1}};

// Splits "suite-compare-1" into name and version.
void read_schema(const Value& root, Result& result) {
  if (!root.is_object()) root.fail("is not an object; a result of suite is one, with the key 'schema'");
  const Value value = root["schema"];
  if (!value) root.fail("has no key 'schema'; it is not a result of suite");
  const std::string schema = value.text();
  for (const auto& [name, version] : schemas) {
    const std::string stem = std::string("suite-") + name + "-";
    if (schema.rfind(stem, 0) != 0) continue;
    const std::string digits = schema.substr(stem.size());
    if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos) break;
    result.schema = name;
    result.version = std::stoi(digits);
    if (result.version > version)
      value.fail(fmt::format("is {}, but this version of suite supports at most 'suite-{}-{}'; the file was written by a newer version",
                             in_quotes(schema), name, version));
    if (result.version < 1) break;
    return;
  }
  std::string all;
  for (const auto& [name, version] : schemas) all += fmt::format("{}suite-{}-{}", all.empty() ? "" : ", ", name, version);
  value.fail("is " + in_quotes(schema) + "; it must be one of " + all);
}

// Values given once for many rows.
struct Shared {
  std::string kernel, implementation, backend, device, size, verified_at;
  Parameters parameters;
  int threads = 0;
};

// A row's own value takes precedence over the shared one.
void complete(Row& row, const Value& value, const Shared& shared) {
  const auto own = [](std::string& text, const std::string& otherwise) {
    if (text.empty()) text = otherwise;
  };
  own(row.kernel, shared.kernel);
  if (row.kernel.empty()) value.fail("has no key 'kernel'");
  own(row.implementation, shared.implementation);
  if (row.implementation.empty()) value.fail("has no key 'implementation'");
  own(row.backend, shared.backend);
  if (!value["device"]) row.device = shared.device;
  row.size = value["size"].text_or(shared.size);
  row.verified_at = value["verified_at"].text_or(shared.verified_at);
  if (!value["parameters"]) row.parameters = shared.parameters;
  std::sort(row.parameters.begin(), row.parameters.end(), [](const Parameter& a, const Parameter& b) { return a.name < b.name; });
  row.threads = value["threads"] ? static_cast<int>(value["threads"].whole(0, 1 << 24)) : shared.threads;
}

void add_rows(const Value& list, const Shared& shared, Result& result) {
  for (const auto& value : list.items()) {
    Row row;
    read_fields<AsCandidate>(value, row);
    complete(row, value, shared);
    result.rows.push_back(std::move(row));
  }
}

void add_block(const Value& value, const RowBlock& block, Result& result) {
  const Shared shared{block.kernel, block.implementation, block.backend,    block.device,
                      block.size,   block.verified_at,    block.parameters, block.threads};
  const bool ladder = result.schema == "ladder";
  const auto items = value[ladder ? "steps" : "contenders"].items();
  for (size_t i = 0; i < items.size(); ++i) {
    Row row = block.rows[i];
    complete(row, items[i], shared);
    if (ladder) row.fma_flop_per_s = block.fma_flop_per_s;
    result.rows.push_back(std::move(row));
  }
  if (block.fma_flop_per_s > 0) {
    double& ceiling = result.ceilings["fma_flop_per_s"];
    ceiling = std::max(ceiling, block.fma_flop_per_s);
  }
  result.left_out.insert(result.left_out.end(), block.left_out.begin(), block.left_out.end());
}

// suite-roofline has a longer list of ceilings, which stays in `root`.
void read_ceilings(const Value& object, Result& result) {
  if (object.is_list()) return;
  for (const auto& [name, value] : object.members())
    if (value.is_number()) result.ceilings[name] = value.number(0, amount_limits.high);
}

template <class T> std::vector<T> list_in(const Value& list) {
  std::vector<T> all;
  for (const auto& value : list.items()) read_all_fields(value, all.emplace_back());
  return all;
}

Provenance provenance_in(const Value& value) {
  Provenance p;
  p.threads = p.ranks = p.host.cores = 0;  // if the file does not give them
  if (value) read_fields(value, p);
  return p;
}

fs::path file_of(const std::string& named) {
  std::error_code error;
  if (named == "last") {
    const fs::path folder = fs::path("results") / "last";
    if (!fs::is_directory(folder, error))
      throw IoFailure("there is no results/last here; 'suite run' creates it in the folder in which it is started");
    return folder / (fs::exists(folder / "result.json", error) ? "result.json" : "validation.json");
  }
  const fs::path path(named);
  if (!fs::is_directory(path, error)) return path;
  for (const char* name : {"result.json", "validation.json"})
    if (fs::exists(path / name, error)) return path / name;
  throw IoFailure("the folder " + in_quotes(named) + " contains neither result.json nor validation.json");
}

}  // namespace

std::vector<RowBlock> read_blocks(const Result& result) {
  std::vector<RowBlock> blocks;
  for (const auto& value : result.root["blocks"].items()) {
    RowBlock& block = blocks.emplace_back();
    if (result.schema == "ladder") read_fields<AsLadder>(value, block);
    else read_fields(value, block);
  }
  return blocks;
}

Result parse_result(const std::string& name, const std::string& text) {
  Result result;
  result.root = Value(std::make_shared<Value::Document>(Value::Document{name, parse_json(name, text)}));
  const Value& root = result.root;
  read_schema(root, result);
  result.status = field_json::read_text(root["status"], {.one_of = status_words});
  result.app = root["app"] ? root["app"].text(name_limits.longest) : "";
  result.title = root["title"].text_or("");
  result.description = root["description"].text_or("");
  result.error = root["error"]["message"].text_or("");
  result.provenance = provenance_in(root["provenance"]);
  result.results = root["results"];
  if (result.results && !result.results.is_object()) result.results.fail("must be an object");
  if (const Value times = root["times"]) read_all_fields(times, result.times);
  read_ceilings(root["ceilings"], result);
  Shared shared;
  shared.kernel = root["kernel"] ? root["kernel"].text(name_limits.longest) : "";
  shared.size = root["size"].text_or(result.description);
  shared.threads = result.provenance.threads;
  add_rows(root["kernels"], shared, result);
  add_rows(root["contenders"], shared, result);
  const auto blocks = read_blocks(result);
  for (size_t i = 0; i < blocks.size(); ++i) add_block(root["blocks"][i], blocks[i], result);
  for (const auto& one : list_in<LeftOut>(root["left_out"])) result.left_out.push_back(one);
  result.checks = list_in<PublishedCheck>(root["checks"]);
  result.consistency = list_in<ConsistencyCheck>(root["consistency"]);
  result.observables = list_in<Observable>(root["observables"]);
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
