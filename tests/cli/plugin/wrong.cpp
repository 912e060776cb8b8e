// SPDX-License-Identifier: BSD-3-Clause
// An implementation of gpp.sigma that is wrong in the way its variant says; the program must notice each of them.
#include "plugins/gpp/gpp.hpp"

#include <algorithm>
#include <limits>

namespace suite::gpp {
namespace {

class Wrong {
public:
  static constexpr suite_choice choices[] = {choice("null", "writes nothing"),
                                             choice("zero", "writes zeros"),
                                             choice("nan", "writes NaN"),
                                             choice("one_element", "zeros, and one element left out"),
                                             choice("device_fault", "fails as a device would"),
                                             choice("no_memory", "fails for want of memory")};
  static constexpr suite_parameter parameters[] = {suite::variant("variant", 0, choices, "what is wrong")};
  Wrong(const suite_backend*, suite_queue*, const int64_t* parameters) : variant_(parameters[0]) {}
  void execute(const suite_array* arguments) {
    if (variant_ == 4) throw Failure(SUITE_DEVICE_ERROR, "the device says: an illegal address was accessed");
    if (variant_ == 5) throw Failure(SUITE_OUT_OF_MEMORY, "needs 40 GiB; 2 GiB are free");
    if (variant_ == 0) return;
    const Sigma c(arguments);
    for (auto* const result : {c.asxtemp.data(), c.achtemp.data()}) {
      const double value = variant_ == 2 ? std::numeric_limits<double>::quiet_NaN() : 0;
      std::fill_n(result, c.nw() * c.nex() - (variant_ == 3 ? 1 : 0), value);
    }
  }

private:
  int64_t variant_;
};

constexpr suite_kernel_table table = kernel_table<Sigma, Wrong>("wrong", "cpu");

}  // namespace
}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "wrong", &suite::gpp::table)
