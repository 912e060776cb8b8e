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
    using K = Branch;
    const int32_t* const from = integers(arguments[K::from]);
    const int64_t nwalker = arguments[K::from].extent[0];
    check_branch(from, nwalker, arguments[K::rele].extent[2]);
    for (const int which : {K::rele, K::dbar_up, K::dbar_dn, K::carry}) {
      const suite_array& array = arguments[which];
      if (!array.data) continue;
      const int64_t size = which == K::carry ? array.extent[0] : array.extent[0] * array.extent[1];
      auto* const data = static_cast<double*>(array.data);
      for (int64_t w = 0; w < nwalker; ++w) std::copy_n(data + size * (from[w] - 1), size, data + size * w);
    }
  }
};

}  // namespace

extern const suite_kernel_table branch_table;
constexpr suite_kernel_table branch_table = kernel_table<Branch, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
