// SPDX-License-Identifier: BSD-3-Clause
#include "merit.hpp"

#include <nlohmann/json.hpp>

#include "quantities.hpp"

namespace suite::app {

Merit merit_of(const suite_kernel_table& table) {
  if (!table.merit_unit) return {};
  return {table.merit_unit, table.merit_count, 0};
}

nlohmann::ordered_json merit_json(const Merit& merit, double seconds) {
  if (merit.unit.empty()) return nullptr;
  return {{"unit", merit.unit},
          {"formula", merit.formula},
          {"count", merit.count},
          {"better", "higher"},
          {"per_s", seconds > 0 ? merit.count / seconds : 0}};
}

std::string rate_text(const Merit& merit, double seconds) {
  if (!(merit.count > 0) || !(seconds > 0)) return "-";
  return metric(merit.count / seconds) + " " + merit.unit + "/s";
}

}  // namespace suite::app
