// SPDX-License-Identifier: BSD-3-Clause
// An ordinary small plugin with some code and tables to damage.
#include <cmath>

#include <suite/plugin.hpp>

namespace {

using namespace suite::element;
using suite::Arguments, suite::tolerance;

struct Interface : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "victim.norm";
  static constexpr const char* summary = "the norm of x";
  // clang-format off
  SUITE_ARGUMENT(constant, real, x,    "n", "1", "a vector");
  SUITE_ARGUMENT(out,      real, norm, "1", "1", "its norm", tolerance{1e-15});
  // clang-format on
  static int cost(const suite_array* a, suite_cost* cost) {
    cost->flops = 2 * static_cast<double>(a[0].extent[0]);
    cost->bytes = 8 * static_cast<double>(a[0].extent[0]);
    return SUITE_OK;
  }
};

struct Norm {
  static constexpr suite_published times[] = {{"V100", 1, 2, "s", "two vectors", "a paper"}};
  static constexpr suite_choice variants[] = {suite::choice("plain", "as written"), suite::step("scaled", "by the largest", times)};
  static constexpr suite_parameter parameters[] = {suite::variant("variant", 0, variants, "how the squares are kept small")};
  Norm(const suite_backend*, suite_queue*, const int64_t* values) : scaled_(values[0] == 1) {}
  void execute(const suite_array* a) {
    const Interface c(a);
    const auto& x = c.x;
    double largest = scaled_ ? 0 : 1, sum = 0;
    for (int64_t i = 0; scaled_ && i < x.extent(0); ++i) largest = std::fmax(largest, std::fabs(x(i)));
    for (int64_t i = 0; i < x.extent(0); ++i) sum += x(i) / largest * (x(i) / largest);
    c.norm(0) = largest * std::sqrt(sum);
  }

private:
  bool scaled_;
};

constexpr auto table = suite::kernel_table<Interface, Norm>(VICTIM, "cpu");

}  // namespace

SUITE_PLUGIN("victim", VICTIM, &table)
