// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <complex>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "../common/outcome.hpp"

using suite::test::outcome;

using Complex = std::complex<double>;

// probe.sum with sane arguments: n=3, m=2, nex=1.
struct SumCall {
  explicit SumCall(const std::string& implementation, const suite::Device* device = nullptr) : kernel("probe.sum", implementation, device) {
    set();
  }
  void set() {
    kernel.set("weight", weight.data(), {3});
    kernel.set("values", values.data(), {3, 2, 1});
    kernel.set("state", state.data(), {3});
    kernel.set("total", total.data(), {2, 1});
    kernel.set("counters", counters.data(), {2});
  }
  // Brings what came back already, or was kept.
  void fetch() {
    kernel.get("state", state.data(), {3});
    kernel.get("total", total.data(), {2, 1});
    kernel.get("counters", counters.data(), {2});
  }
  std::vector<double> weight{1, 2, 3}, values{1, 1, 1, 2, 2, 2}, state{10, 20, 30}, total{0, 0};
  std::vector<int64_t> counters{0, 0};
  suite::Kernel kernel;
};
