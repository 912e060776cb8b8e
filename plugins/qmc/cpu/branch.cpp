// SPDX-License-Identifier: BSD-3-Clause
// qmc.branch: copies of walkers, at the speed of memory.
#include "kernels.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void execute(const suite_array* arguments) {
    const Branch c(arguments);
    const auto* const from = c.from.data();
    const int64_t nwalker = c.nwalker();
    check_branch(from, nwalker, c.nslot());
    const ArraysOfSlots arrays = arrays_of_slots(c);
    int64_t numbers_of_walker = 0;
    for (const OfSlots& of : arrays) numbers_of_walker += of.size;
    share(useful_threads(threads_, nwalker, 0.5 * real(numbers_of_walker)), nwalker, [&](int64_t begin, int64_t end, int) {
      for (int64_t w = begin; w < end; ++w) {
        if (from[w] == w + 1) continue;
        for (const OfSlots& of : arrays) {
          double* const x = results<double>(*of.array);
          std::copy_n(x + of.size * (from[w] - 1), of.size, x + of.size * w);
        }
      }
    });
  }

private:
  int64_t threads_;
};

}  // namespace

extern const suite_kernel_table branch_table;
constexpr suite_kernel_table branch_table = kernel_table<Branch, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
