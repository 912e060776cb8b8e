// SPDX-License-Identifier: BSD-3-Clause
#include "merit.hpp"

#include "quantities.hpp"

namespace suite::app {

Merit merit_of(const suite_kernel_table& table) {
  if (!table.merit) return {};
  const std::string text = table.merit;
  const size_t colon = text.find(':'), begin = text.find_first_not_of(' ', colon + 1);
  return {text.substr(0, colon), begin == std::string::npos ? "" : text.substr(begin)};
}

std::string rate_text(const Merit& merit, double seconds) {
  if (!(merit.count > 0) || !(seconds > 0)) return "-";
  return metric(merit.count / seconds) + " " + merit.unit + "/s";
}

}  // namespace suite::app
