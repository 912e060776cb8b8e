// SPDX-License-Identifier: BSD-3-Clause
// qmc.branch: copies of walkers, at the speed of memory.
#include "kernels.hpp"

namespace suite::qmc {
namespace {

class Cpu {
  using K = Branch;

public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void execute(const suite_array* a) {
    const auto* const from = numbers<int32_t>(a[K::from]);
    const int64_t nwalker = a[K::from].extent[0];
    check_branch(from, nwalker, a[K::rele].extent[2]);
    int64_t numbers_of_walker = 0;
    for (const int k : {K::rele, K::dbar_up, K::dbar_dn, K::carry}) numbers_of_walker += size(a[k]);
    share(useful_threads(threads_, nwalker, 0.5 * real(numbers_of_walker)), nwalker,
          [&](int64_t begin, int64_t end, int) {
            for (int64_t w = begin; w < end; ++w) {
              if (from[w] == w + 1) continue;
              for (const int k : {K::rele, K::dbar_up, K::dbar_dn, K::carry})
                if (double* const x = results<double>(a[k]))
                  std::copy_n(x + size(a[k]) * (from[w] - 1), size(a[k]), x + size(a[k]) * w);
            }
          });
  }

private:
  // Numbers of a slot.
  static int64_t size(const suite_array& array) {
    if (!array.data) return 0;
    int64_t n = 1;
    for (int d = 0; d + 1 < array.rank; ++d) n *= array.extent[d];
    return n;
  }
  int64_t threads_;
};

}  // namespace

extern const suite_kernel_table branch_table;
constexpr suite_kernel_table branch_table = kernel_table<Branch, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
