// SPDX-License-Identifier: BSD-3-Clause
#include "verification.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include <fmt/core.h>

#include "common/quantities.hpp"

namespace suite::app {
namespace {

// Element i as a number; complex types have two per element.
double component(const Output& output, int64_t i) {
  const char* p = output.bytes.data();
  auto at = [&]<class T>(T value) {
    std::memcpy(&value, p + i * static_cast<int64_t>(sizeof value), sizeof value);
    return static_cast<double>(value);
  };
  switch (output.array.type) {
    case SUITE_INT32: return at(int32_t{});
    case SUITE_INT64: return at(int64_t{});
    case SUITE_REAL32:
    case SUITE_COMPLEX64: return at(float{});
    default: return at(double{});
  }
}

int components(int32_t type) { return type == SUITE_COMPLEX64 || type == SUITE_COMPLEX128 ? 2 : 1; }

std::string element_name(const Output& output, int64_t index) {
  std::string name = output.name;
  for (int d = 0; d < output.array.rank; ++d) {
    name += fmt::format("{}{}", d ? "," : "(", index % output.array.extent[d] + 1);
    index /= output.array.extent[d];
  }
  return output.array.rank ? name + ")" : name;
}

std::string value_text(const Output& output, int64_t index) {
  // The sign of a NaN is meaningless.
  auto number = [](double x) {
    std::ostringstream text;
    text.precision(12);
    text << (std::isnan(x) ? std::abs(x) : x);
    return text.str();
  };
  if (components(output.array.type) == 1) return number(component(output, index));
  return "(" + number(component(output, 2 * index)) + ", " + number(component(output, 2 * index + 1)) + ")";
}

}  // namespace

std::vector<Output> outputs_of(Kernel& kernel) {
  std::vector<Output> outputs;
  const suite_kernel_table& table = kernel.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_argument& argument = table.arguments[i];
    if (!(argument.intent & SUITE_OUT)) continue;
    const suite_array bound = kernel.argument(argument.name);
    if (bound.rank < 0 || !bound.data) continue;
    Output output{argument.name, bound, {}};
    output.bytes.resize(static_cast<size_t>(count_of(bound)) * suite_type_size(bound.type));
    suite_array here = bound;
    here.data = output.bytes.data();
    here.place = SUITE_HOST;
    kernel.get(argument.name, here);
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Verification verify(const Kernel& kernel, const std::vector<Output>& expected, const std::vector<Output>& found, double least_tolerance) {
  const suite_kernel_table& table = kernel.table();
  const double of_choices = std::max(tolerance_of_choices(kernel), least_tolerance), factor = tolerance_factor(kernel);
  Verification result{"verified", 0, ""};
  double worst_excess = 0;
  for (const auto& want : expected) {
    const auto got = std::find_if(found.begin(), found.end(), [&](const Output& o) { return o.name == want.name; });
    if (got == found.end() || got->bytes.size() != want.bytes.size()) return {"failed", INFINITY, want.name + " was not computed"};
    double tolerance = 0;
    for (uint32_t i = 0; i < table.argument_count; ++i)
      if (want.name == table.arguments[i].name) tolerance = allowed(table.arguments[i], factor, of_choices);
    const int c = components(want.array.type);
    const int64_t n = count_of(want.array);
    auto magnitude = [&](int64_t i) {
      return c == 2 ? std::hypot(component(want, 2 * i), component(want, 2 * i + 1)) : std::abs(component(want, i));
    };
    double largest = 0;
    for (int64_t i = 0; i < n; ++i) largest = std::max(largest, magnitude(i));
    for (int64_t i = 0; i < n; ++i) {
      double distance = 0;
      for (int k = 0; k < c; ++k) distance = std::hypot(distance, component(*got, c * i + k) - component(want, c * i + k));
      const double relative = largest > 0 ? distance / largest : distance;
      if (relative > result.max_relative_error) result.max_relative_error = relative;
      if (!(relative <= tolerance)) {
        result.status = "failed";
        const double excess = std::isfinite(relative) ? relative : INFINITY;
        if (result.detail.empty() || excess > worst_excess) {
          worst_excess = excess;
          result.detail = element_name(want, i) + " is " + value_text(*got, i) + ", the reference has " + value_text(want, i);
          if (std::isfinite(relative))
            result.detail += ": differs by " + scientific(excess) + " of the largest element, " + scientific(tolerance) + " allowed";
        }
        if (!std::isfinite(relative)) result.max_relative_error = INFINITY;
      }
    }
  }
  if (expected.empty()) return {"failed", INFINITY, "the reference computed nothing"};
  return result;
}

}  // namespace suite::app
