// SPDX-License-Identifier: BSD-3-Clause
// Parts shared by the JSON documents of several verbs, and the schemas of all documents.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "measure/fields_json.hpp"
#include "measure/result_fields.hpp"
#include "options.hpp"

namespace suite::app {

inline constexpr const char* scaling_words[] = {"strong", "weak"};

// The last members of every measured result.
struct Closing {
  Times times;
  Provenance provenance;
  std::string folder;
};

struct ErrorMessage {
  int exit_code = 0;
  std::string message;
};

struct Ceilings {
  std::optional<double> fma_flop_per_s;
};

// clang-format off
template <> inline constexpr auto fields<Closing> = std::tuple{
    Field{&Closing::times,      "times",      "", ""},
    Field{&Closing::provenance, "provenance", "", ""},
    Field{&Closing::folder,     "folder",     "", "of the results", not_empty},
};
template <> inline constexpr auto fields<ErrorMessage> = std::tuple{
    Field{&ErrorMessage::exit_code, "exit_code", "", "", {.low = 1, .high = 255}},
    Field{&ErrorMessage::message,   "message",   "", "", not_empty},
};
template <> inline constexpr auto fields<Ceilings> = std::tuple{
    Field{&Ceilings::fma_flop_per_s, "fma_flop_per_s", "flop/s", "", amount_limits},
};
// clang-format on

// One object with the keys of all parts.
SchemaObject merged_schema(std::initializer_list<SchemaObject> parts);
// Schema of a measured result: schema, status, its body, times, provenance, folder.
SchemaObject measured_schema(const char* name, const SchemaObject& body);
template <class Body> SchemaObject measured_schema() { return measured_schema(Body::schema, schema_of<Body>()); }

SchemaObject bench_schema();
SchemaObject plan_schema();
SchemaObject tuning_schema();
SchemaObject ranks_schema();
SchemaObject scaling_schema();
SchemaObject compare_schema();
SchemaObject comparison_schema();
SchemaObject history_schema();
SchemaObject ladder_schema();
SchemaObject roofline_schema();
SchemaObject list_schema();
SchemaObject list_kernel_schema();
SchemaObject version_schema();
SchemaObject error_schema();
SchemaObject validate_schema();
SchemaObject validate_plan_schema();
SchemaObject run_schema();

// The schema of inputs of an app or of "kernel". Throws Failure (not found).
SchemaObject input_schema_of(const std::string& kind);

// With --json prints the document, with --csv its rows; returns whether one of them was given.
bool print_document(const Arguments& arguments, const nlohmann::ordered_json& document);

// Writes NAME.schema.json for each schema of an output into the folder, and of an input into its folder "input", creating them.
void write_schemas(const std::filesystem::path& folder);

}  // namespace suite::app
