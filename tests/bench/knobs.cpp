// SPDX-License-Identifier: BSD-3-Clause
// knobs.work: a kernel whose parameters waste a known share of its time, do nothing, or make it wrong, to see what
// `suite bench --tune` keeps.
#include <string>

#include <suite/plugin.hpp>

namespace {

using namespace suite::element;
using suite::Arguments, suite::tolerance;

struct Work : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "knobs.work";
  static constexpr const char* summary = "a recurrence of a known number of steps";
  static constexpr const char *merit_unit = "steps", *merit_count = "n";
  // clang-format off
  SUITE_ARGUMENT(in,  real, start,  "n", "1", "where each recurrence starts");
  SUITE_ARGUMENT(out, real, result, "n", "1", "where it ends", tolerance{1e-12});
  // clang-format on
  static constexpr int64_t steps = 200;
  static int cost(const suite_array* a, suite_cost* cost) {
    const auto n = static_cast<double>(Work(a).start.extent(0));
    cost->flops = 2.0 * static_cast<double>(steps) * n;
    cost->bytes = 16.0 * n;
    return SUITE_OK;
  }
  // small, standard: some milliseconds; n=N.
  static int generate(const char* size, uint64_t seed, suite_array* a, suite_error* error) {
    return suite::guarded(error, [&] {
      const std::string text = size ? size : "small", last = text.substr(text.rfind(',') + 1);
      const bool named = last == "small" || last == "standard";
      if (!named && last.rfind("n=", 0) != 0) throw suite::Failure(SUITE_NOT_FOUND, "unknown size '" + text + "'");
      constexpr int start = suite::position<Work>("start"), result = suite::position<Work>("result");
      if (a[start].data) {
        for (int64_t i = 0; i < a[start].extent[0]; ++i)
          static_cast<double*>(a[start].data)[i] = static_cast<double>((i + static_cast<int64_t>(seed)) % 100) * 1e-2;
        return;
      }
      for (const int i : {start, result}) {
        a[i].type = SUITE_REAL64;
        a[i].rank = 1;
        a[i].extent[0] = named ? 2000 : std::stol(last.substr(2));
      }
    });
  }
};

// x = 1/2 x + 1 converges to 2 from everywhere, so that more steps of it have the same result.
double recurrence(double x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x = 0.5 * x + 1;
  return x;
}

class Knobs {
public:
  static constexpr suite_choice ways[] = {suite::choice("right", "as it should be"),
                                          suite::choice("wrong", "no steps, and therefore fast")};
  static constexpr suite_choice exactness[] = {suite::choice("exact", "all steps"), suite::choice("loose", "no steps", tolerance{1e3})};
  static constexpr suite_parameter parameters[] = {
      suite::knob("waste", 16, 0, 20, "1", "so many times the work more"),
      suite::knob("idle", 8, 1, 64, "1", "changes nothing"),
      suite::variant("way", 0, ways, "whether the answer is right"),
      suite::variant("exactness", 0, exactness, "how close the answer comes"),
  };
  Knobs(const suite_backend*, suite_queue*, const int64_t* values) : waste_(values[0]), lazy_(values[2] == 1 || values[3] == 1) {}
  void execute(const suite_array* a) {
    const Work c(a);
    for (int64_t i = 0; i < c.start.extent(0); ++i) c.result(i) = recurrence(c.start(i), lazy_ ? 0 : Work::steps * (1 + waste_));
  }

private:
  int64_t waste_;
  bool lazy_;
};

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* a) {
    const Work c(a);
    for (int64_t i = 0; i < c.start.extent(0); ++i) c.result(i) = recurrence(c.start(i), Work::steps);
  }
};

#ifdef REFERENCE
constexpr suite_kernel_table table = suite::kernel_table<Work, Reference>("reference", "cpu");
#else
constexpr suite_kernel_table table = suite::kernel_table<Work, Knobs>("cpu", "cpu");
#endif

}  // namespace

#ifdef REFERENCE
SUITE_PLUGIN("knobs", "reference", &table)
#else
SUITE_PLUGIN("knobs", "cpu", &table)
#endif
