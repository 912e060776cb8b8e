// SPDX-License-Identifier: BSD-3-Clause
// An ordinary small plugin with some code and tables to damage.
#include <cmath>

#include <suite/plugin.hpp>

namespace {

struct Interface {
  static constexpr const char* name = "victim.norm";
  static constexpr const char* summary = "the norm of x";
  static constexpr suite_argument arguments[] = {
      {"x", SUITE_REAL64, 1, SUITE_CONSTANT, "n", "1", "a vector", 0},
      {"norm", SUITE_REAL64, 1, SUITE_OUT, "1", "1", "its norm", 1e-15}};
  static int cost(const suite_array* a, suite_cost* cost) {
    cost->flops = 2 * static_cast<double>(a[0].extent[0]);
    cost->bytes = 8 * static_cast<double>(a[0].extent[0]);
    return SUITE_OK;
  }
  static constexpr auto generate = nullptr;
};

struct Norm {
  static constexpr const char* variants[] = {"plain", "scaled", nullptr};
  static constexpr suite_parameter parameters[] = {
      {"variant", 0, 0, 1, variants, "plain: as written\nscaled: by the largest"}};
  Norm(const suite_backend*, suite_queue*, const int64_t* values) : scaled_(values[0] == 1) {}
  void execute(const suite_array* a) {
    const suite::View<double, 1> x(a[0]);
    double largest = scaled_ ? 0 : 1, sum = 0;
    for (int64_t i = 0; scaled_ && i < x.extent(0); ++i) largest = std::fmax(largest, std::fabs(x(i)));
    for (int64_t i = 0; i < x.extent(0); ++i) sum += x(i) / largest * (x(i) / largest);
    *static_cast<double*>(a[1].data) = largest * std::sqrt(sum);
  }

private:
  bool scaled_;
};

constexpr auto table = suite::kernel_table<Interface, Norm>(VICTIM, "cpu");

}  // namespace

SUITE_PLUGIN("victim", VICTIM, &table)
