// SPDX-License-Identifier: BSD-3-Clause
// Every value of every parameter of a kernel, one at a time.
#pragma once

#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace suite::test {

// f("variant=naive") with each other choice of each parameter, and with the ends of its range where it has no choices; what was set
// before is set again.
template <class F> void with_each_choice(Kernel& kernel, F&& f) {
  const suite_kernel_table& table = kernel.table();
  for (uint32_t p = 0; p < table.parameter_count; ++p) {
    const suite_parameter& parameter = table.parameters[p];
    const int64_t usual = suite::parameter_of(kernel, parameter.name);
    std::vector<int64_t> values{parameter.low, parameter.high};
    if (parameter.choices) {
      values.clear();
      for (int64_t i = 0; i < parameter.choice_count; ++i) values.push_back(i);
    }
    for (const int64_t value : values) {
      if (value == usual) continue;
      kernel.set_parameter(parameter.name, value);
      f(std::string(parameter.name) + "=" + (parameter.choices ? parameter.choices[value].name : std::to_string(value)));
    }
    kernel.set_parameter(parameter.name, usual);
  }
}

}  // namespace suite::test
