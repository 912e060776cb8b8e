// SPDX-License-Identifier: BSD-3-Clause
// Implementation parameters as written by a user: precision=mixed, columns=4.
#pragma once

#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace suite::app {

struct Parameter {
  std::string name, value;  // "precision", "mixed"
};
using Parameters = std::vector<Parameter>;

const suite_parameter* find_parameter(const suite_kernel_table& table, const std::string& name);
// " precision=mixed columns=4", or "".
std::string parameters_text(const Parameters& parameters);
// Sets a parameter to a named choice or a number. Throws Failure (invalid argument) listing the choices.
void set_parameter(Kernel& kernel, const Parameter& parameter);

}  // namespace suite::app
