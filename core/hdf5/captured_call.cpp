// SPDX-License-Identifier: BSD-3-Clause
#include "captured_call.hpp"

#include <cstring>
#include <sstream>

#include <suite/plugin.hpp>

namespace suite::hdf5 {
namespace {

constexpr const char* schema = "suite-capture-2";
constexpr const char* names_of_texts[] = {"kernel",        "implementation", "backend",
                                          "device",        "parameters",     "plugin_file",
                                          "plugin_sha256", "plugin_version", "plugin_compiler",
                                          "program",       "host",           "suite_version",
                                          "pid",           "rank",           "utc"};

double number(const File& in, const char* name, double low, double high) {
  const double value = in.number(name);
  if (!(value >= low && value <= high)) in.fail(name, concat("its value is ", value));
  return value;
}

}  // namespace

CapturedCall read_captured_call(const std::filesystem::path& file) {
  const File in(file);
  const std::string has = in.text("schema");
  if (has != schema)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  file.string() + ": its schema is '" + has + "'; this suite reads captures of schema '" + schema + "'");
  CapturedCall call;
  for (const char* name : names_of_texts) call.texts[name] = in.text(name);
  call.seconds = number(in, "seconds", 0, 1e9);
  call.number = number(in, "call", 1, 1e15);
  call.tolerance = number(in, "tolerance", 0, 1e300);
  std::istringstream names(in.text("arguments"));
  for (std::string name; names >> name;) {
    const bool goes_in = in.has(name), comes_out = in.has("results/" + name);
    if (!goes_in && !comes_out) in.fail(name, "there is no such dataset");
    if (call.before.count(name) + call.after.count(name) > 0) in.fail(name, "the arguments name it twice");
    if (goes_in) call.before[name] = in.array(name);
    if (comes_out) call.after[name] = in.array("results/" + name);
    if (goes_in && comes_out && std::memcmp(&call.before[name].array, &call.after[name].array, sizeof(suite_array)))
      in.fail(name, "its type or extents differ before and after the run");
    call.arguments.push_back(name);
  }
  return call;
}

}  // namespace suite::hdf5
