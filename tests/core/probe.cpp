// SPDX-License-Identifier: BSD-3-Clause
// The kernels of probe.hpp. PROBE_NAME is the implementation, PROBE_BACKEND the backend it runs on.
#include "probe.hpp"

#include <atomic>
#include <complex>
#include <vector>

#include <suite/layout.hpp>

#include "remote.hpp"

namespace {

// Where host memory is not shared, data are behind addresses that only the backend can resolve.
template <class T>
T* here(const suite_array& array) {
  return static_cast<T*>(array.rank > 0 && remote::is_remote(array.data) ? remote::resolve(array.data)
                                                                         : array.data);
}

struct Sum {
  static constexpr const char* variants[] = {"plain", "doubled", nullptr};
  static constexpr suite_parameter parameters[] = {
      {"factor", 1, 1, 8, nullptr, "multiplies the sums"},
      {"variant", 0, 0, 1, variants, "plain: as written\ndoubled: twice as much"}};
  Sum(const suite_backend*, suite_queue*, const int64_t* values)
      : factor_(static_cast<double>(values[0]) * (values[1] == 1 ? 2 : 1)) {
    ++made;
  }
  void prepare(const suite_array* a) {
    ++prepared_;
    const size_t reals = static_cast<size_t>(a[probe::Sum::weight].extent[0]) *
                         (a[probe::Sum::weight].type == SUITE_REAL64 ? 1 : 2);
    const auto* from = here<double>(a[probe::Sum::weight]);
    weight_.assign(from, from + reals);
  }
  void execute(const suite_array* a) {
    if (a[probe::Sum::gain].data && *static_cast<double*>(a[probe::Sum::gain].data) == -1)
      throw suite::Failure(SUITE_UNSUPPORTED, "a gain of -1 is not served");
    if (a[probe::Sum::weight].type == SUITE_REAL64)
      sum<double>(a);
    else
      sum<std::complex<double>>(a);
    if (auto* counters = here<int64_t>(a[probe::Sum::counters])) counters[0] = prepared_, counters[1] = made;
  }

private:
  template <class T>
  void sum(const suite_array* a) {
    const auto* weight = reinterpret_cast<const T*>(weight_.data());
    const auto* values = here<T>(a[probe::Sum::values]);
    auto *state = here<T>(a[probe::Sum::state]), *total = here<T>(a[probe::Sum::total]);
    const int64_t n = a[probe::Sum::values].extent[0],
                  sums = a[probe::Sum::values].extent[1] * a[probe::Sum::values].extent[2];
    const double factor = factor_ * suite::scalar_or<double>(a[probe::Sum::gain], 1);
    for (int64_t s = 0; s < sums; ++s) {
      total[s] = 0;
      for (int64_t i = 0; i < n; ++i) total[s] += factor * weight[i] * values[i + n * s];
    }
    for (int64_t i = 0; i < n; ++i) state[i] += weight[i];
  }
  static inline std::atomic<int64_t> made = 0;
  double factor_;
  int64_t prepared_ = 0;
  std::vector<double> weight_;
};

struct Six {
  Six(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* a) {
    int64_t last = 1, count = 1;
    for (int64_t e : a[0].extent) last *= e;
    for (int64_t e : a[4].extent) count *= e;
    std::fill_n(here<float>(a[4]), count, here<float>(a[0])[last - 1]);
  }
};

struct Copy {
  static constexpr const char* layouts[] = {PROBE_LAYOUT, PROBE_LAYOUT, nullptr, PROBE_LAYOUT, PROBE_LAYOUT};
  Copy(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* a) {
    const auto layout = suite::layout::parse(PROBE_LAYOUT);
    const auto bytes = static_cast<size_t>(suite::layout::packed_bytes(layout, a[0]));
    std::memcpy(here<char>(a[3]), here<char>(a[0]), bytes);
    std::memcpy(here<char>(a[4]), here<char>(a[1]),
                static_cast<size_t>(suite::layout::packed_bytes(layout, a[1])));
    std::memcpy(here<char>(a[2]), here<char>(a[0]),
                std::min(bytes, sizeof(double) * static_cast<size_t>(a[2].extent[0])));
  }
};

constexpr auto sum = suite::kernel_table<probe::Sum, Sum>(PROBE_NAME, PROBE_BACKEND);
constexpr auto six = suite::kernel_table<probe::Six, Six>(PROBE_NAME, PROBE_BACKEND);
constexpr auto copy = suite::kernel_table<probe::Copy, Copy>(PROBE_NAME, PROBE_BACKEND);

}  // namespace

SUITE_PLUGIN("probe", PROBE_NAME, &sum, &six, &copy)
