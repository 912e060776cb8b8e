// SPDX-License-Identifier: BSD-3-Clause
#include "band_densities.hpp"

#include <algorithm>
#include <set>

namespace suite::gw {

namespace {

// Bands of one call: all their pairs are computed, of which those on the diagonal are wanted.
constexpr int density_block = 8;

}  // namespace

void band_densities(ElementsKernel& kernel, const Bands& bands, const std::vector<Miller>& g, const std::vector<Element>& pairs, int first,
                    Numbers& work, const std::function<void(int n, int m, size_t at)>& take) {
  const size_t ng = g.size();
  for (int64_t from = 0; from < bands.count; from += density_block) {
    const Bands some = bands.part(from, std::min<int64_t>(density_block, bands.count - from));
    work.resize(ng * static_cast<size_t>(some.count * some.count));
    kernel.run({some, some, g, {}, false, work.at(0)});
    for (int64_t i = 0; i < some.count; ++i) {
      const int n = first + static_cast<int>(from + i);
      take(n, n, ng * static_cast<size_t>(i * some.count + i));
    }
  }
  std::set<int> rows;
  for (const Element& pair : pairs) rows.insert(pair.n);
  work.resize(rows.empty() ? work.size() : ng * static_cast<size_t>(bands.count));
  for (int row : rows) {
    kernel.run({bands.part(row - first, 1), bands, g, {}, false, work.at(0)});
    std::set<int> columns;  // an element may be wanted at several energies
    for (const Element& pair : pairs)
      if (pair.n == row && columns.insert(pair.m).second) take(row, pair.m, ng * static_cast<size_t>(pair.m - first));
  }
}

}  // namespace suite::gw
