// SPDX-License-Identifier: BSD-3-Clause
#include "merit.hpp"

#include "common/quantities.hpp"

namespace suite::app {

Merit merit_of(const suite_kernel_table& table) {
  if (!table.merit_unit) return {};
  return {table.merit_unit, table.merit_count};
}

std::string rate_text(const Merit& merit, double seconds) {
  if (!(merit.count > 0) || !(seconds > 0)) return "-";
  return metric(merit.count / seconds) + " " + merit.unit + "/s";
}

}  // namespace suite::app
