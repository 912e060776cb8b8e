// SPDX-License-Identifier: BSD-3-Clause
// planted.work: a kernel whose parameter makes it do a known percentage more of the same work, to see whether
// measurements find that.
#include <cstring>
#include <string>

#include <suite/plugin.hpp>

namespace {

using namespace suite::element;
using suite::Arguments, suite::tolerance;

struct Work : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "planted.work";
  static constexpr const char* summary = "a recurrence of a known number of steps";
  static constexpr const char *merit_unit = "steps", *merit_count = "steps";
  // clang-format off
  SUITE_ARGUMENT(in,  long_integer, steps,  "",  "1", "of the recurrence");
  SUITE_ARGUMENT(in,  real,         start,  "n", "1", "where it starts");
  SUITE_ARGUMENT(out, real,         result, "n", "1", "where it ends", tolerance{1e-12});
  // clang-format on
  static int cost(const suite_array* a, suite_cost* cost) {
    cost->flops = 2.0 * static_cast<double>(int64_t{Work(a).steps});
    cost->bytes = 0;
    return SUITE_OK;
  }
  // The only sizes are small and standard: some ms, so that samples are as short as those of real kernels.
  static int generate(const char*, uint64_t seed, suite_array* a, suite_error* error) {
    return suite::guarded(error, [&] {
      constexpr int steps = suite::position<Work>("steps"), start = suite::position<Work>("start");
      for (const int i : {start, suite::position<Work>("result")}) {
        a[i].type = SUITE_REAL64;
        a[i].rank = 1;
        a[i].extent[0] = 1;
      }
      a[steps].type = SUITE_INT64;
      a[steps].rank = 0;
      if (!a[start].data) return;
      *static_cast<int64_t*>(a[steps].data) = 500000;
      *static_cast<double*>(a[start].data) = static_cast<double>(seed % 100) * 1e-2;
    });
  }
};

// x = 1/2 x + 1 converges to 2 from everywhere, so that more steps of it have the same result.
double recurrence(double x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x = 0.5 * x + 1;
  return x;
}

class Planted {
public:
  static constexpr suite_parameter parameters[] = {suite::knob("percent", 0, 0, 100, "percent", "so much more work")};
  Planted(const suite_backend*, suite_queue*, const int64_t* values) : percent_(values[0]) {}
  void execute(const suite_array* a) {
    const Work c(a);
    c.result(0) = recurrence(c.start(0), c.steps + c.steps * percent_ / 100);
  }

private:
  int64_t percent_;
};

constexpr suite_kernel_table table = suite::kernel_table<Work, Planted>(PLANTED_NAME, "cpu");

}  // namespace

SUITE_PLUGIN("planted", PLANTED_NAME, &table)
