// SPDX-License-Identifier: BSD-3-Clause
// Parameters of an implementation as a user writes them: precision=mixed, columns=4.
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
// Sets one by the name of a choice or by a number. Throws Failure (invalid argument) that says what there is.
void set_parameter(Kernel& kernel, const Parameter& parameter);

}  // namespace suite::app
