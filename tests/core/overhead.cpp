// SPDX-License-Identifier: BSD-3-Clause
// Prints what a set and a run of tiny arrays cost, the median of batches; asserts no time.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <suite/suite.hpp>

template <class F> static double nanoseconds(F&& f, int calls = 1000) {
  constexpr int batches = 31;
  std::vector<double> samples;
  for (int b = 0; b < batches; ++b) {
    const auto from = std::chrono::steady_clock::now();
    for (int c = 0; c < calls; ++c) f();
    samples.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - from).count() / calls);
  }
  std::nth_element(samples.begin(), samples.begin() + batches / 2, samples.end());
  return samples[batches / 2];
}

int main() try {
  ::setenv("SUITE_PLUGIN_PATH", TEST_PLUGINS, 1);
  std::vector<double> weight{1, 2, 3}, values(6), state(3), total(2);
  suite::Kernel kernel("probe.sum", "cpu");
  const auto set_all = [&] {
    kernel.set("gain", 1.0);
    kernel.set("weight", weight.data(), {3});
    kernel.set("values", values.data(), {3, 2, 1});
    kernel.set("state", state.data(), {3});
    kernel.set("total", total.data(), {2, 1});
  };
  set_all();
  kernel.run();
  std::printf("set, one argument of probe.sum: %6.0f ns\n", nanoseconds(set_all) / 5);
  const auto fresh = nanoseconds([&] { set_all(), kernel.run(); }), run = nanoseconds([&] { kernel.run(); });
  std::printf("run, tiny arrays:               %6.0f ns\n", run);
  std::printf("run after five sets, its part:  %6.0f ns\n", fresh - nanoseconds(set_all));
  std::printf("open and close a call:          %6.0f ns\n", nanoseconds([] { suite::Kernel("probe.sum", "cpu"); }, 10));
  return 0;
} catch (const suite::Failure& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
