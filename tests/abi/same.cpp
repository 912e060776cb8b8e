// SPDX-License-Identifier: BSD-3-Clause
// same.sum: y = factor x, by plugins that differ in what a program must not look at (the order of arguments, the words of a
// choice) or must (its tolerance). But for the reference each has a choice `rough` that is off by 1e-6.
#include <suite/plugin.hpp>

namespace {

using namespace suite::element;
using suite::Arguments, suite::tolerance, suite::when_unset;

// clang-format off
#define FACTOR SUITE_ARGUMENT(in,  real, factor, "",  "1", "multiplies x", when_unset("1"))
#define X      SUITE_ARGUMENT(in,  real, x,      "n", "1", "any numbers")
#define Y      SUITE_ARGUMENT(out, real, y,      "n", "1", "factor x", tolerance{1e-12})
// clang-format on

struct Sum : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "same.sum";
  static constexpr const char* summary = "y = factor x";
  static constexpr const char *merit_unit = "numbers", *merit_count = "n";
#if defined(CASE_PERMUTED)
  Y;
  FACTOR;
  X;
#else
  FACTOR;
  X;
  Y;
#endif
  static int cost(const suite_array* arguments, suite_cost* cost) {
    cost->flops = static_cast<double>(Sum(arguments).x.extent(0));
    cost->bytes = 16 * cost->flops;
    return SUITE_OK;
  }
  // small, standard, and two for the test of all plugins.
  static int generate(const char* size, uint64_t seed, suite_array* arrays, suite_error* error) {
    const std::string_view name = size;
    if (name != "small" && name != "standard" && name != "test:0" && name != "test:1") {
      suite::tell(error, "unknown size");
      return SUITE_NOT_FOUND;
    }
    constexpr int x = suite::position<Sum>("x");
    for (const int i : {x, suite::position<Sum>("y")}) {
      arrays[i].type = SUITE_REAL64;
      arrays[i].rank = 1;
      arrays[i].extent[0] = 1000;
    }
    for (int64_t i = 0; arrays[x].data && i < 1000; ++i)
      static_cast<double*>(arrays[x].data)[i] = static_cast<double>(seed + 1) + static_cast<double>(i);
    if (name != "test:1") return SUITE_OK;  // the others leave out the factor
    suite_array& factor = arrays[suite::position<Sum>("factor")];
    factor.type = SUITE_REAL64;
    factor.rank = 0;
    if (factor.data) *static_cast<double*>(factor.data) = 3;
    return SUITE_OK;
  }
};

class Kernel {
public:
#if defined(CASE_REFERENCE)
  Kernel(const suite_backend*, suite_queue*, const int64_t*) {}
#else
#if defined(CASE_REWORDED)
  static constexpr const char* meaning = "off by a part in a million, with a tolerance of 1e-15; nobody reads this number";
#else
  static constexpr const char* meaning = "off by 1e-6";
#endif
#if defined(CASE_GENEROUS)
  static constexpr double off = 1e-5;
#else
  static constexpr double off = 1e-7;
#endif
  static constexpr suite_choice precisions[] = {suite::choice("exact", "as written"), suite::choice("rough", meaning, tolerance{off})};
  static constexpr suite_parameter parameters[] = {suite::variant("precision", 0, precisions, "how exact y is")};
  Kernel(const suite_backend*, suite_queue*, const int64_t* values) : error_(values[0] == 1 ? 1e-6 : 0) {}
#endif
  void execute(const suite_array* arguments) const {
    const Sum c(arguments);
    for (int64_t i = 0; i < c.x.extent(0); ++i) c.y(i) = c.factor * c.x(i) * (1 + error_);
  }

private:
  double error_ = 0;
};

constexpr suite_kernel_table table = suite::kernel_table<Sum, Kernel>(CASE_NAME, "cpu");

}  // namespace

SUITE_PLUGIN("same", CASE_NAME, &table)
