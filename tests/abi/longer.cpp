// SPDX-License-Identifier: BSD-3-Clause
// A plugin of a later suite, in whose abi.h the elements of every array have members that this host does not know.
#include <suite/plugin.hpp>

namespace {

// A pointer that nobody may follow, behind what version 2 knows.
template <class T> struct Longer : T {
  const void* news = reinterpret_cast<const void*>(8);
};

const Longer<suite_argument> arguments[] = {{{"y", SUITE_REAL64, 1, SUITE_OUT, 0, "n", "1", "knob x + the variant", nullptr, 1e-12}},
                                            {{"x", SUITE_REAL64, 1, SUITE_IN, 0, "n", "1", "any numbers", "2", 0}}};
const Longer<suite_published> times[] = {{{"V100", 1.63, 1.63, "s", "a size", "a paper"}}, {{"A100", 0.6, 0.7, "s", "a size", "a paper"}}};
const Longer<suite_choice> steps[] = {{{"plain", "adds nothing", 0, nullptr, SUITE_UNKNOWN, 0, nullptr}},
                                      {{"other", "adds one", 1e-5, "plain", SUITE_SLOWER, 2, times}}};
const Longer<suite_parameter> parameters[] = {{{"knob", "a factor", "1", 1, 0, 2, nullptr, 0, 0}},
                                              {{"variant", "what is added", "1", 0, 0, 1, steps, 2, 0}}};

class Kernel {
public:
  Kernel(const suite_backend*, suite_queue*, const int64_t* values)
      : factor_(static_cast<double>(values[0])), more_(static_cast<double>(values[1])) {}
  void execute(const suite_array* a) const {
    const auto* const x = static_cast<const double*>(a[1].data);
    for (int64_t i = 0; i < a[0].extent[0]; ++i) static_cast<double*>(a[0].data)[i] = x ? factor_ * x[i] + more_ : 1;
  }

private:
  double factor_, more_;
};

const suite_kernel_table table = [] {
  suite_kernel_table made{};
  made.struct_size = sizeof made;
  made.sizes = {sizeof *arguments, sizeof *parameters, sizeof *steps, sizeof *times};
  made.kernel = "broken.one";
  made.implementation = "longer_elements";
  made.backend = "cpu";
  made.summary = "knob x + the variant";
  made.arguments = arguments;
  made.argument_count = std::size(arguments);
  made.parameters = parameters;
  made.parameter_count = std::size(parameters);
  made.create = suite::Adapter<Kernel>::create;
  made.execute = suite::Adapter<Kernel>::execute;
  made.destroy = suite::Adapter<Kernel>::destroy;
  return made;
}();

}  // namespace

SUITE_PLUGIN("broken", "longer_elements", &table)
