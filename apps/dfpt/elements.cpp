// SPDX-License-Identifier: BSD-3-Clause
#include "elements.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/structure/structure.hpp"
#include "common/near.hpp"
#include "integration_setup.hpp"

namespace suite::all_electron {
namespace {

// H to Kr, the first one being element 1.
const std::vector<std::string>& symbols() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> some;
    for (int Z = 1; Z <= last_element; ++Z) some.push_back(app::element_of_number(Z));
    return some;
  }();
  return all;
}

// 3d and 4s electrons of Sc to Cu; the ground states of Cr and Cu are not those of Madelung's rule.
constexpr struct {
  int d, s;
} d_block[] = {{1, 2}, {2, 2}, {3, 2}, {5, 1}, {5, 2}, {6, 2}, {7, 2}, {8, 2}, {10, 1}};
constexpr int scandium = 21, zinc = 30;

}  // namespace

int atomic_number(const std::string& symbol) {
  const auto found = std::find(symbols().begin(), symbols().end(), symbol);
  return found == symbols().end() ? 0 : static_cast<int>(found - symbols().begin()) + 1;
}

const char* element_symbol(int Z) { return Z >= 1 && Z <= last_element ? symbols()[static_cast<size_t>(Z - 1)].c_str() : "?"; }

std::string no_such_element(const std::string& symbol) {
  for (int Z = last_element + 1; !app::element_of_number(Z).empty(); ++Z)
    if (app::element_of_number(Z) == symbol)
      return fmt::format("{} is beyond the elements of this non-relativistic app, H to {}", symbol, element_symbol(last_element));
  return fmt::format("no element {} here (H to {})", app::in_quotes(symbol), element_symbol(last_element)) +
         app::did_you_mean(symbol, symbols());
}

std::vector<Shell> ground_state_shells(int Z) {
  if (Z < 1 || Z > last_element)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("no element with nuclear charge {1}; supported: 1 to {0}", last_element, Z));
  constexpr int n_shells = 8;
  constexpr struct {
    int n, l;
  } all[n_shells] = {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}, {3, 2}, {4, 0}, {4, 1}};
  double electrons[n_shells]{};
  double left = Z;
  for (const int shell : {0, 1, 2, 3, 4, 6, 5, 7}) {  // 4s before 3d
    electrons[shell] = std::min(left, 2.0 * (2 * all[shell].l + 1));
    left -= electrons[shell];
  }
  if (Z >= scandium && Z < zinc) electrons[5] = d_block[Z - scandium].d, electrons[6] = d_block[Z - scandium].s;
  std::vector<Shell> shells;
  for (int i = 0; i < n_shells; ++i)
    if (electrons[i] > 0) shells.push_back({all[i].n, all[i].l, electrons[i]});
  return shells;
}

}  // namespace suite::all_electron
