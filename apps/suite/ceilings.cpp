// SPDX-License-Identifier: BSD-3-Clause
#include "ceilings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "common/machine.hpp"

namespace suite::app {

double fma_ceiling(int threads, const Contender& contender) {
  return fma_ceiling(threads, contender.device(), contender.is_single());
}

std::string in_single(const Contender& contender) {
  return contender.is_single() ? " in single precision" : "";
}

double fma_ceiling(int threads, const std::string& backend, bool single) {
  constexpr double enough_s = 5e-3;  // a launch's own time must not count
  const std::string precision = single ? ",precision=single" : "";
  static std::map<std::tuple<int, std::string, bool>, double> measured;
  if (const auto known = measured.find({threads, backend, single}); known != measured.end())
    return known->second;
  double best = 0;
  if (const auto found = find_implementation_on("ceilings.fma", backend)) {
    Kernel kernel("ceilings.fma", *found);
    // Short runs, of which the fastest counts: other programs do not lower the ceiling.
    kernel.generate("small" + precision, 1);
    kernel.run();
    if (const double s = kernel.run(); backend != "cpu" && s < enough_s) {
      const double n = kernel.cost().flops / 2 * enough_s / std::max(s, 1e-7);
      kernel.generate("n=" + std::to_string(std::llround(n)) + precision, 1);
    }
    const double flops = kernel.cost().flops;
    const double begin = wall_s();
    kernel.run();
    do best = std::max(best, flops / kernel.run());
    while (wall_s() - begin < 0.1);
  }
  return measured[{threads, backend, single}] = best;
}

}  // namespace suite::app
