// SPDX-License-Identifier: BSD-3-Clause
#include "documents.hpp"

#include <iostream>

#include "base/input_schema.hpp"
#include "common/io.hpp"
#include "common/json_text.hpp"
#include "csv.hpp"
#include "measure/tuned.hpp"
#include "registry.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* measured_status_words[] = {"ok", "failed", "interrupted"};

struct Document {
  const char *name, *title;
  SchemaObject (*schema)();
};

constexpr Document documents[] = {
    {"suite-bench-1", "`suite bench --json`", bench_schema},
    {"suite-plan-1", "`suite bench --dry-run --json`", plan_schema},
    {"suite-tuning-1", "`suite bench --tune --json`", tuning_schema},
    {"suite-tuned-1", "The file of settings that `suite bench --tune` writes", tuned_schema},
    {"suite-ranks-1", "`suite bench KERNEL --scaling` without `--ranks`: one kernel on all ranks at the same time", ranks_schema},
    {"suite-scaling-1", "`suite bench --scaling --ranks --json`", scaling_schema},
    {"suite-compare-1", "`suite compare FILE.yaml --json`", compare_schema},
    {"suite-comparison-1", "`suite compare OLD NEW --json`", comparison_schema},
    {"suite-history-1", "`suite history --json`", history_schema},
    {"suite-ladder-1", "`suite ladder --json`", ladder_schema},
    {"suite-roofline-1", "`suite roofline --json`", roofline_schema},
    {"suite-list-1", "`suite list --json`", list_schema},
    {"suite-list-kernel-1", "`suite list KERNEL --json`", list_kernel_schema},
    {"suite-version-1", "`suite version --json`", version_schema},
    {"suite-error-1", "what any command prints with --json if it fails", error_schema},
    {"suite-validate-1", "`suite validate --json`, and validation.json of its folder", validate_schema},
    {"suite-validate-plan-1", "`suite validate --json` without a family, and with --dry-run", validate_plan_schema},
    {"suite-result-1", "result.json of `suite run`, also printed by its --json", run_schema},
};

}  // namespace

SchemaObject merged_schema(std::initializer_list<SchemaObject> parts) {
  SchemaObject all{{"type", "object"}, {"required", SchemaObject::array()}, {"properties", SchemaObject::object()}};
  for (const auto& part : parts) {
    all["properties"].update(part.at("properties"));
    for (const auto& key : part.at("required")) all["required"].push_back(key);
  }
  all["additionalProperties"] = false;
  return all;
}

SchemaObject measured_schema(const char* name, const SchemaObject& body) {
  SchemaObject opening{{"required", {"schema", "status"}}};
  opening["properties"]["schema"] = {{"const", name}};
  opening["properties"]["status"] = field_json::text_schema({.one_of = measured_status_words});
  field_json::describe(opening["properties"]["status"],
                       "failed: an implementation differs from the reference; interrupted: partial results", "");
  return merged_schema({opening, body, schema_of<Closing>()});
}

SchemaObject input_schema_of(const std::string& kind) {
  if (kind == "kernel") return input_schema(kernel_input_kind());
  const auto app = make_app(kind);
  return input_schema(input_kind(app->name(), app->summary(), app->keys()));
}

bool print_document(const Arguments& arguments, const nlohmann::ordered_json& document) {
  if (arguments.has("--json")) std::cout << json_document(document);
  else if (arguments.has("--csv")) std::cout << csv_of(document);
  else return false;
  return true;
}

void write_schemas(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder / "input", error);
  if (error) throw IoFailure("cannot create the folder '" + folder.string() + "': " + error.message());
  auto kinds = app_names();
  kinds.push_back("kernel");
  for (const auto& kind : kinds) write_text_file(folder / "input" / input_schema_name(kind), json_document(input_schema_of(kind)));
  for (const auto& document : documents) {
    SchemaObject schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                        {"$id", document.name + std::string(".schema.json")},
                        {"title", document.title}};
    schema.update(document.schema());
    write_text_file(folder / (document.name + std::string(".schema.json")), json_document(schema));
  }
}

}  // namespace suite::app
