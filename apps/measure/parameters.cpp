// SPDX-License-Identifier: BSD-3-Clause
#include "parameters.hpp"

#include <charconv>

#include <fmt/core.h>

#include "common/near.hpp"

namespace suite::app {

const suite_parameter* find_parameter(const suite_kernel_table& table, const std::string& name) {
  for (uint32_t i = 0; i < table.parameter_count; ++i)
    if (name == table.parameters[i].name) return &table.parameters[i];
  return nullptr;
}

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += " " + name + "=" + value;
  return text;
}

void set_parameter(Kernel& kernel, const Parameter& parameter) {
  const suite_kernel_table& table = kernel.table();
  const suite_parameter* known = find_parameter(table, parameter.name);
  try {
    if (!known || known->choices) return kernel.choose(parameter.name.c_str(), parameter.value);
    const std::string& text = parameter.value;
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("{} takes a whole number from {} to {}; got {}", parameter.name, known->low, known->high, in_quotes(text)));
    kernel.set_parameter(parameter.name.c_str(), value);
  } catch (const Failure& failure) {
    // A user error, whatever status the core reports.
    const std::string where = std::string(table.kernel) + " on " + table.implementation;
    const std::string said = failure.what();
    throw Failure(SUITE_INVALID_ARGUMENT, said.compare(0, where.size(), where) == 0 ? said : where + ": " + said);
  }
}

}  // namespace suite::app
