// SPDX-License-Identifier: BSD-3-Clause
#include "plane_waves.hpp"

#include <algorithm>
#include <array>

namespace suite::dfpt {
namespace {

struct Weighted {
  std::array<int32_t, 3> g;
  double weight;
  bool same_line(const Weighted& other) const { return g[0] == other.g[0] && g[1] == other.g[1]; }
};

std::vector<Weighted> with_first_positive(const Reciprocal& c) {
  std::vector<Weighted> all;
  for (int64_t i = 0; i < c.n_g(); ++i) {
    Weighted wave{{c.g_index(0, i), c.g_index(1, i), c.g_index(2, i)}, c.g_weight(i)};
    const auto leading = std::find_if(wave.g.begin(), wave.g.end(), [](int32_t g) { return g != 0; });
    if (leading != wave.g.end() && *leading < 0)
      for (int32_t& g : wave.g) g = -g;
    all.push_back(wave);
  }
  std::stable_sort(all.begin(), all.end(), [](const Weighted& a, const Weighted& b) { return a.g < b.g; });
  return all;
}

}  // namespace

PlaneWaves plane_waves_of(const Reciprocal& c) {
  const std::vector<Weighted> all = with_first_positive(c);
  PlaneWaves waves;
  for (auto begin = all.begin(), end = begin; begin != all.end(); begin = end) {
    end = std::find_if(begin, all.end(), [&](const Weighted& wave) { return !wave.same_line(*begin); });
    int32_t longest = 0;
    for (auto wave = begin; wave != end; ++wave) longest = std::max(longest, std::abs(wave->g[2]));
    const PlaneWaves::Line line{begin->g[0], begin->g[1], static_cast<int32_t>(waves.n_pairs()), longest + 1};
    waves.up.resize(waves.up.size() + static_cast<size_t>(line.count));
    waves.down.resize(waves.up.size());
    for (auto wave = begin; wave != end; ++wave)
      (wave->g[2] < 0 ? waves.down : waves.up)[static_cast<size_t>(line.first + std::abs(wave->g[2]))] += wave->weight;
    waves.lines.push_back(line);
    waves.most[0] = std::max(waves.most[0], line.g1);
    waves.most[1] = std::max(waves.most[1], std::abs(line.g2));
    waves.most[2] = std::max(waves.most[2], longest);
  }
  return waves;
}

}  // namespace suite::dfpt
