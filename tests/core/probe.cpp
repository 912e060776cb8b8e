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
template <class T, class A> T* here(const A& argument) {
  void* const data = argument.array().data;
  return static_cast<T*>(remote::is_remote(data) ? remote::resolve(data) : data);
}

struct Sum {
  static constexpr suite_choice variants[] = {suite::choice("plain", "as written"), suite::choice("doubled", "twice as much")};
  static constexpr suite_parameter parameters[] = {suite::knob("factor", 1, 1, 8, "1", "multiplies the sums"),
                                                   suite::variant("variant", 0, variants, "how often the sums count")};
  Sum(const suite_backend*, suite_queue*, const int64_t* values) : factor_(static_cast<double>(values[0]) * (values[1] == 1 ? 2 : 1)) {
    ++made;
  }
  void prepare(const suite_array* arguments) {
    const probe::Sum c(arguments);
    ++prepared_;
    const auto* from = here<double>(c.weight);
    weight_.assign(from, from + c.weight.extent(0) * (c.weight.is<probe::real>() ? 1 : 2));
  }
  void execute(const suite_array* arguments) {
    const probe::Sum c(arguments);
    if (c.gain == -1) throw suite::Failure(SUITE_UNSUPPORTED, "a gain of -1 is not served");
    c.weight.is<probe::real>() ? sum<double>(c) : sum<std::complex<double>>(c);
    if (c.counters) {
      auto* counters = here<int64_t>(c.counters);
      counters[0] = prepared_, counters[1] = made;
    }
  }

private:
  template <class T> void sum(const probe::Sum& c) {
    const auto* weight = reinterpret_cast<const T*>(weight_.data());
    const auto* values = here<T>(c.values);
    auto *state = here<T>(c.state), *total = here<T>(c.total);
    const int64_t n = c.values.extent(0), sums = c.values.extent(1) * c.values.extent(2);
    const double factor = factor_ * c.gain;
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

int64_t count_of(const suite_array& array) {
  int64_t count = 1;
  for (int64_t e : array.extent) count *= e;
  return count;
}

struct Six {
  Six(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const probe::Six c(arguments);
    std::fill_n(here<float>(c.out), count_of(c.out.array()), here<float>(c.in)[count_of(c.in.array()) - 1]);
  }
};

struct Copy {
  static constexpr const char* layouts[] = {PROBE_LAYOUT, PROBE_LAYOUT, nullptr, PROBE_LAYOUT, PROBE_LAYOUT};
  Copy(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const probe::Copy c(arguments);
    const auto layout = suite::layout::parse(PROBE_LAYOUT);
    const auto bytes = static_cast<size_t>(suite::layout::packed_bytes(layout, c.in.array()));
    std::memcpy(here<char>(c.copy), here<char>(c.in), bytes);
    std::memcpy(here<char>(c.fixed_copy), here<char>(c.fixed), static_cast<size_t>(suite::layout::packed_bytes(layout, c.fixed.array())));
    std::memcpy(here<char>(c.raw), here<char>(c.in), std::min(bytes, sizeof(double) * static_cast<size_t>(c.raw.extent(0))));
  }
};

class Pick {
public:
  static constexpr suite_choice precisions[] = {suite::choice("double", "as written"),
                                                suite::choice("mixed", "less exact", suite::tolerance{1e-5})};
  static constexpr suite_choice orders[] = {suite::choice("fixed", "the first to the last"),
                                            suite::choice("any", "as it comes", suite::tolerance{1e-7})};
  static constexpr suite_parameter parameters[] = {suite::knob("again", 1, 1, 8, "1", "how often each is picked, in its cost"),
                                                   suite::variant("precision", 0, precisions, "how exact it is"),
                                                   suite::variant("order", 0, orders, "of what is picked")};
  Pick(const suite_backend*, suite_queue*, const int64_t*) {}
  static int cost(const suite_array* arguments, const int64_t* values, suite_cost* cost) {
    cost->flops = static_cast<double>(values[0] * probe::Pick(arguments).bands.extent(0));
    cost->bytes = 0;
    return SUITE_OK;
  }
  void prepare(const suite_array* arguments) {
    const probe::Pick c(arguments);
    kept_.assign(static_cast<size_t>(c.bands.extent(0)), 0);
    if (c.kept) std::copy_n(here<int32_t>(c.kept), kept_.size(), kept_.begin());
  }
  void execute(const suite_array* arguments) {
    const probe::Pick c(arguments);
    for (size_t i = 0; i < kept_.size(); ++i) here<int32_t>(c.picked)[i] = 10 * here<int32_t>(c.bands)[i] + kept_[i];
  }

private:
  std::vector<int32_t> kept_;
};

class Late {
public:
  Late(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const probe::Late c(arguments);
    const double* const in = here<double>(c.in);
    const int64_t n = c.in.extent(0);
    std::copy_n(in, n, here<double>(c.out));
    *here<int64_t>(c.asked) = asked_;
    negative_ = std::find_if(in, in + n, [](double x) { return x < 0; }) - in;
    if (negative_ == n) negative_ = -1;
  }
  void finish() {
    ++asked_;
    if (negative_ >= 0) throw suite::Failure(SUITE_INVALID_ARGUMENT, suite::concat("in(", negative_ + 1, ") is negative"));
  }

private:
  int64_t asked_ = 0, negative_ = -1;
};

constexpr auto sum = suite::kernel_table<probe::Sum, Sum>(PROBE_NAME, PROBE_BACKEND);
constexpr auto six = suite::kernel_table<probe::Six, Six>(PROBE_NAME, PROBE_BACKEND);
constexpr auto copy = suite::kernel_table<probe::Copy, Copy>(PROBE_NAME, PROBE_BACKEND);
constexpr auto pick = suite::kernel_table<probe::Pick, Pick>(PROBE_NAME, PROBE_BACKEND);
constexpr auto late = suite::kernel_table<probe::Late, Late>(PROBE_NAME, PROBE_BACKEND);

}  // namespace

SUITE_PLUGIN("probe", PROBE_NAME, &sum, &six, &copy, &pick, &late)
