// SPDX-License-Identifier: BSD-3-Clause
// qmc.branch: slot w takes over what slot from(w) has.
#include <algorithm>

#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Branch c(arguments);
    check_branch(c.from.data(), c.nwalker(), c.nslot());
    for (const OfSlots& of : arrays_of_slots(c)) {
      auto* const data = static_cast<double*>(of.array->data);
      for (int64_t w = 0; w < c.nwalker(); ++w) std::copy_n(data + of.size * (c.from(w) - 1), of.size, data + of.size * w);
    }
  }
};

}  // namespace

extern const suite_kernel_table branch_table;
constexpr suite_kernel_table branch_table = kernel_table<Branch, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
