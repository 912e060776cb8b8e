// SPDX-License-Identifier: BSD-3-Clause
// unsteady.sum: total = sum of x(n), each thread its share and then the shares, so that the bits depend on the number of
// threads. deterministic=1: shares of 64 numbers instead.
#include <cmath>
#include <vector>

#include <omp.h>

#include <suite/plugin.hpp>

namespace {

constexpr int64_t count = 100000;

using namespace suite::element;
using suite::Arguments, suite::tolerance;

struct Sum : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "unsteady.sum";
  static constexpr const char* summary = "a sum with other bits for other numbers of threads";
  // clang-format off
  SUITE_ARGUMENT(in,  real, x,     "n",   "1", "what is summed");
  SUITE_ARGUMENT(out, real, total, "one", "1", "the sum", tolerance{1e-12});
  // clang-format on
  static int cost(const suite_array* a, suite_cost* cost) {
    cost->flops = static_cast<double>(a[0].extent[0]);
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t, suite_array* a, suite_error* error) {
    if (std::string(size) != "small") {
      suite::tell(error, "there is the size 'small' only");
      return SUITE_NOT_FOUND;
    }
    for (int i = 0; i < 2; ++i) {
      a[i].type = SUITE_REAL64;
      a[i].rank = 1;
      for (auto& extent : a[i].extent) extent = 1;
    }
    a[0].extent[0] = count;
    if (auto* const x = static_cast<double*>(a[0].data))
      for (int64_t i = 0; i < count; ++i) x[i] = 1 / (1.0 + static_cast<double>(i));
    return SUITE_OK;
  }
};

class Kernel {
public:
  static constexpr suite_parameter parameters[] = {
      suite::knob("deterministic", 0, 0, 1, "1", "1: the same bits with any number of threads"),
      suite::knob("threads", 0, 0, 4096, "threads", "threads; 0: as OpenMP has it")};
  Kernel(const suite_backend*, suite_queue*, const int64_t* p)
      : deterministic_(p[0] != 0), threads_(p[1] > 0 ? static_cast<int>(p[1]) : omp_get_max_threads()) {}

  void execute(const suite_array* a) const {
    const Sum c(a);
    const int64_t n = c.x.extent(0), shares = deterministic_ ? (n + 63) / 64 : threads_;
    const auto* const x = c.x.data();
    std::vector<double> sums(static_cast<size_t>(shares), 0.0);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t s = 0; s < shares; ++s)
      for (int64_t i = n * s / shares; i < n * (s + 1) / shares; ++i) sums[static_cast<size_t>(s)] += x[i];
    double total = 0;
    for (const double sum : sums) total += sum;
    c.total(0) = total;
  }

private:
  bool deterministic_;
  int threads_;
};

constexpr suite_kernel_table table = suite::kernel_table<Sum, Kernel>(IMPLEMENTATION, "cpu");

}  // namespace

SUITE_PLUGIN("unsteady", IMPLEMENTATION, &table)
