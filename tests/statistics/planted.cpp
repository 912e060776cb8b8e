// SPDX-License-Identifier: BSD-3-Clause
// planted.work: a kernel whose parameter makes it do a known percentage more of the same work, to see whether
// measurements find that.
#include <cstring>
#include <string>

#include <suite/plugin.hpp>

namespace {

struct Work {
  static constexpr const char* name = "planted.work";
  static constexpr const char* summary = "a recurrence of a known number of steps";
  static constexpr const char* merit = "steps: steps";
  enum : int { steps, start, result };
  static constexpr suite_argument arguments[] = {
      {"steps", SUITE_INT64, 0, SUITE_IN, "", "1", "of the recurrence", 0},
      {"start", SUITE_REAL64, 1, SUITE_IN, "n", "1", "where it starts", 0},
      {"result", SUITE_REAL64, 1, SUITE_OUT, "n", "1", "where it ends", 1e-12},
  };
  static int cost(const suite_array* a, suite_cost* cost) {
    cost->flops = 2.0 * static_cast<double>(suite::scalar_or<int64_t>(a[steps], 0));
    cost->bytes = 0;
    return SUITE_OK;
  }
  // The only sizes are small and standard: some ms, so that samples are as short as those of real kernels.
  static int generate(const char*, uint64_t seed, suite_array* a, suite_error* error) {
    return suite::guarded(error, [&] {
      for (const int i : {start, result}) {
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
  static constexpr suite_parameter parameters[] = {{"percent", 0, 0, 100, nullptr, "so much more work"}};
  Planted(const suite_backend*, suite_queue*, const int64_t* values) : percent_(values[0]) {}
  void execute(const suite_array* a) {
    const auto n = suite::scalar_or<int64_t>(a[Work::steps], 0);
    *static_cast<double*>(a[Work::result].data) =
        recurrence(*static_cast<double*>(a[Work::start].data), n + n * percent_ / 100);
  }

private:
  int64_t percent_;
};

constexpr suite_kernel_table table = suite::kernel_table<Work, Planted>(PLANTED_NAME, "cpu");

}  // namespace

SUITE_PLUGIN("planted", PLANTED_NAME, &table)
