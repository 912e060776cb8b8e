// SPDX-License-Identifier: BSD-3-Clause
// An implementation of gpp.sigma that is wrong in the way its variant says; the program must notice each of them.
#include "plugins/gpp/gpp.hpp"

#include <algorithm>
#include <limits>

namespace suite::gpp {
namespace {

class Wrong {
public:
  static constexpr const char* choices[] = {"null", "zero", "nan", "one_element", "device_fault", "no_memory", nullptr};
  static constexpr suite_parameter parameters[] = {{"variant", 0, 0, 5, choices,
                                                    "null: writes nothing\nzero: writes zeros\nnan: writes NaN\none_element: zeros, and one element left out\n"
                                                    "device_fault: fails as a device would\nno_memory: fails for want of memory"}};
  Wrong(const suite_backend*, suite_queue*, const int64_t* parameters) : variant_(parameters[0]) {}
  void execute(const suite_array* arguments) {
    if (variant_ == 4) throw Failure(SUITE_DEVICE_ERROR, "the device says: an illegal address was accessed");
    if (variant_ == 5) throw Failure(SUITE_OUT_OF_MEMORY, "needs 40 GiB; 2 GiB are free");
    if (variant_ == 0) return;
    for (int argument : {Sigma::asxtemp, Sigma::achtemp}) {
      View<std::complex<double>, 2> result(arguments[argument]);
      const int64_t count = result.extent(0) * result.extent(1);
      const double value = variant_ == 2 ? std::numeric_limits<double>::quiet_NaN() : 0;
      std::fill(result.data(), result.data() + count - (variant_ == 3 ? 1 : 0), value);
    }
  }

private:
  int64_t variant_;
};

constexpr suite_kernel_table table = kernel_table<Sigma, Wrong>("wrong", "cpu");

}  // namespace
}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "wrong", &suite::gpp::table)
