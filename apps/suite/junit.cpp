// SPDX-License-Identifier: BSD-3-Clause
#include "junit.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/near.hpp"
#include "measure/markup.hpp"

namespace suite::app {
namespace {

namespace fs = std::filesystem;
using markup::empty_tag, markup::Markup, markup::tag;
using nlohmann::ordered_json;

constexpr const char* xml_declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr const char* junit_root = "<testsuites ";

Markup element_of(const TestCase& test) {
  markup::Attributes attributes{{"classname", test.group}, {"name", test.name}};
  if (test.seconds > 0) attributes.emplace_back("time", fmt::format("{:.9f}", test.seconds));
  for (const auto& [name, message] : {std::pair{"failure", &test.failure}, {"error", &test.error}, {"skipped", &test.skipped}})
    if (!message->empty()) return tag("testcase", attributes, empty_tag(name, {{"message", *message}})) + "\n";
  return empty_tag("testcase", attributes) + "\n";
}

markup::Attributes counts(const std::string& name, const std::vector<const TestCase*>& cases) {
  const auto count = [&](std::string TestCase::*what) {
    return std::to_string(std::count_if(cases.begin(), cases.end(), [&](const TestCase* test) { return !(test->*what).empty(); }));
  };
  return {{"name", name},
          {"tests", std::to_string(cases.size())},
          {"failures", count(&TestCase::failure)},
          {"errors", count(&TestCase::error)},
          {"skipped", count(&TestCase::skipped)}};
}

std::string text_or_none(const ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// "small cpu v2 precision=mixed 2 threads"; what the row does not say is said of its block.
std::string name_of_case(const ordered_json& row, const ordered_json& block) {
  std::string name;
  const auto add = [&](const std::string& word) { name += (name.empty() || word.empty() ? "" : " ") + word; };
  for (const char* key : {"size", "implementation", "variant", "step"}) {
    const std::string own = text_or_none(row, key);
    add(own.empty() ? text_or_none(block, key) : own);
  }
  if (const auto parameters = row.find("parameters"); parameters != row.end())
    for (const auto& [key, value] : parameters->items()) add(key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  if (const auto threads = block.find("threads"); threads != block.end()) {
    const auto count = threads->get<long>();
    add(fmt::format("{} thread{}", count, count == 1 ? "" : "s"));
  }
  return name;
}

void add_cases(std::vector<TestCase>& cases, const ordered_json& block) {
  const std::string kernel = text_or_none(block, "kernel");
  for (const char* list : {"contenders", "steps"})
    for (const auto& row : block.value(list, ordered_json::array())) {
      TestCase& test = cases.emplace_back(TestCase{kernel, name_of_case(row, block), row.value("median_s", 0.0), "", "", ""});
      const ordered_json& verification = row.at("verification");
      if (text_or_none(verification, "status") == "failed")
        test.failure = "differs from the reference: " + text_or_none(verification, "detail");
      else if (!row.contains("median_s")) test.skipped = "not timed";
    }
  for (const auto& row : block.value("left_out", ordered_json::array())) {
    const std::string name = text_or_none(block, "size") + " " + text_or_none(row, "implementation");
    cases.push_back({kernel, name, 0, "", "", "left out: " + text_or_none(row, "why")});
  }
}

}  // namespace

void require_junit_place(const Arguments& arguments) {
  if (!arguments.has("--junit")) return;
  const fs::path file = arguments.get("--junit");
  std::error_code error;
  if (fs::is_directory(file, error)) throw UsageError("--junit " + in_quotes(file.string()) + " is a folder; it must be a file");
  if (file.has_parent_path() && !fs::is_directory(file.parent_path(), error))
    throw UsageError("--junit: there is no folder " + in_quotes(file.parent_path().string()));
  constexpr size_t largest = 64 << 20;
  if (fs::exists(file, error) && !read_text_file(file, largest).starts_with(std::string(xml_declaration) + junit_root))
    throw UsageError("--junit " + in_quotes(file.string()) + " exists and was not written by suite; it is not overwritten");
}

void write_junit(const Arguments& arguments, std::vector<TestCase> cases) {
  if (!arguments.has("--junit")) return;
  // Many services take a file without cases for one that is broken.
  if (cases.empty()) cases.push_back({"suite " + arguments.verb(), "rows", 0, "", "", "the result has no rows"});
  std::vector<std::string> groups;
  std::vector<const TestCase*> all;
  for (const auto& test : cases) {
    all.push_back(&test);
    if (std::find(groups.begin(), groups.end(), test.group) == groups.end()) groups.push_back(test.group);
  }
  Markup suites;
  for (const auto& group : groups) {
    std::vector<const TestCase*> members;
    Markup elements = "\n";
    for (const auto* test : all)
      if (test->group == group) members.push_back(test), elements += element_of(*test);
    suites += tag("testsuite", counts(group, members), elements) + "\n";
  }
  const markup::Attributes attributes = counts("suite " + arguments.verb(), all);
  write_text_file(arguments.get("--junit"), xml_declaration + tag("testsuites", attributes, "\n" + suites).str() + "\n");
}

void write_junit(const Arguments& arguments, const ordered_json& document) {
  if (!arguments.has("--junit")) return;
  std::vector<TestCase> cases;
  add_cases(cases, document);
  for (const auto& block : document.value("blocks", ordered_json::array())) add_cases(cases, block);
  for (const auto& block : document.value("not_run", ordered_json::array()))
    cases.push_back({text_or_none(block, "kernel"), name_of_case(block, block), 0, "", "", text_or_none(block, "why")});
  write_junit(arguments, std::move(cases));
}

}  // namespace suite::app
