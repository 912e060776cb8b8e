// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace suite::gw {
namespace {

struct Range {
  int32_t low = std::numeric_limits<int32_t>::max(), high = std::numeric_limits<int32_t>::min();
  void add(int32_t x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  int32_t count() const { return high - low + 1; }
};
using Ranges = std::array<Range, 3>;

std::string text(const Miller& g) { return concat("(", g[0], ",", g[1], ",", g[2], ")"); }

template <class List> std::vector<Miller> vectors_of(const List& list, const char* name) {
  std::vector<Miller> g(static_cast<size_t>(list.extent(1)));
  for (size_t i = 0; i < g.size(); ++i)
    for (int d = 0; d < 3; ++d) {
      g[i][d] = list(d, i);
      if (g[i][d] < -largest_component || g[i][d] > largest_component)
        throw Failure(SUITE_INVALID_ARGUMENT, concat(name, "(", d + 1, ",", i + 1, ") is ", g[i][d], "; components of G vectors go from ",
                                                     -largest_component, " to ", largest_component));
    }
  return g;
}

[[noreturn]] void refuse_twice(const std::vector<Miller>& g, const char* name) {
  std::vector<int32_t> order(g.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return g[a] != g[b] ? g[a] < g[b] : a < b; });
  const auto at = std::adjacent_find(order.begin(), order.end(), [&](int32_t a, int32_t b) { return g[a] == g[b]; });
  throw Failure(SUITE_INVALID_ARGUMENT, concat(name, " has ", text(g[*at]), " twice, as vectors ", at[0] + 1, " and ", at[1] + 1));
}

Ranges ranges_of(const std::vector<Miller>& list) {
  Ranges ranges;
  for (const Miller& g : list)
    for (int d = 0; d < 3; ++d) ranges[d].add(g[d]);
  return ranges;
}

// Of some of a list, by x, y, z on a grid that holds its whole range. A list with a name must not have a vector twice.
Columns columns_of(const std::vector<Miller>& list, const std::vector<int32_t>& which, const std::array<int, 3>& n,
                   const char* name = nullptr) {
  const auto place = [&](int32_t i, int d) {
    const int r = list[i][d] % n[d];
    return r < 0 ? r + n[d] : r;
  };
  // At each place of the grid the first of the list, and of each the next at the same place: hosts come with new lists in every call, and
  // sorting them takes several times as long.
  constexpr int32_t none = -1;
  std::vector<int32_t> first(static_cast<size_t>(n[0]) * n[1] * n[2], none), next(list.size(), none);
  for (auto i = which.rbegin(); i != which.rend(); ++i) {
    int32_t& here = first[(static_cast<size_t>(place(*i, 0)) * n[1] + place(*i, 1)) * n[2] + place(*i, 2)];
    if (name && here != none) refuse_twice(list, name);
    next[*i] = std::exchange(here, *i);
  }
  Columns c;
  c.z.reserve(which.size());
  c.index.reserve(which.size());
  const int32_t* here = first.data();
  for (int x = 0; x < n[0]; ++x)
    for (int y = 0; y < n[1]; ++y)
      for (int z = 0; z < n[2]; ++z, ++here)
        for (int32_t i = *here; i != none; i = next[i]) {
          const bool new_x = c.x.empty() || c.x.back() != x;
          if (new_x) {
            c.x.push_back(x);
            c.first_column.push_back(static_cast<int32_t>(c.y.size()));
          }
          if (new_x || c.y.back() != y) {
            c.y.push_back(y);
            c.first_entry.push_back(static_cast<int32_t>(c.z.size()));
          }
          c.z.push_back(z);
          c.index.push_back(i);
        }
  c.first_column.push_back(static_cast<int32_t>(c.y.size()));
  c.first_entry.push_back(static_cast<int32_t>(c.z.size()));
  return c;
}

std::vector<int32_t> all_of(size_t n) {
  std::vector<int32_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Additions and multiplications of a butterfly of complex numbers, without twiddle factors, as the codes have
// them.
double flops_of_butterfly(int radix) {
  switch (radix) {
    case 2: return 4;
    case 3: return 16;
    case 4: return 16;
    case 5: return 48;
    default: return 96;  // 7
  }
}

// Lengths up to which sums over pairs of points are as fast as stages (docs/performance/gw.mtxel.md).
constexpr int most_by_pairs = 23;
// Points of products in all, below which a smaller grid does not pay for looking for it.
constexpr double least_products = 1e5;

int length_below(int n) {
  do --n;
  while (n > 0 && !has_stages(n));
  return n;
}
int any_below(int n) { return n <= most_by_pairs + 1 ? n - 1 : length_below(n); }

}  // namespace

std::vector<int> stages_of(int n) {
  std::vector<int> stages;
  for (const int r : radices)
    for (; n % r == 0; n /= r) stages.push_back(r);
  if (n != 1) throw Failure(SUITE_INTERNAL, concat("no stages for a factor of ", n));
  return stages;
}

double flops_of_line(int n) {
  if (!has_stages(n)) return 1.3 * n * n;  // sums over pairs of points
  double flops = 0;
  bool first = true;
  for (const int r : stages_of(n)) {
    flops += n / r * (flops_of_butterfly(r) + (first ? 0 : 6 * (r - 1)));
    first = false;
  }
  return flops;
}

bool has_stages(int n) {
  for (const int r : radices)
    while (n % r == 0) n /= r;
  return n == 1;
}

// A point takes about the same time in lines of any of these lengths, and there are more of them in a longer
// one.
int shortest_length(int n) {
  while (!has_stages(n)) ++n;
  return n;
}

std::vector<double> roots_of_unity(int n) {
  std::vector<double> w(2 * static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    w[2 * k] = std::cos(angle);
    w[2 * k + 1] = std::sin(angle);
  }
  return w;
}

double Plan::flops_to_wanted() const {
  return static_cast<double>(wanted.columns()) * flops_of_line(n[2]) + static_cast<double>(wanted.nx()) * n[2] * flops_of_line(n[1]) +
         static_cast<double>(n[1]) * n[2] * flops_of_line(n[0]);
}

Plan make_plan(const Mtxel& c, Lengths lengths) {
  const auto ket = vectors_of(c.g_ket, "g_ket"), bra = vectors_of(c.g_bra, "g_bra"), wanted = vectors_of(c.g, "g");
  const Ranges kets = ranges_of(ket), bras = ranges_of(bra);
  Plan plan;
  std::vector<int32_t> reached;
  Ranges range;
  GridDemand demand{ket, bra, {}, {}, {}};
  for (size_t i = 0; i < wanted.size(); ++i) {
    bool inside = true;
    for (int d = 0; d < 3; ++d)
      inside = inside && -wanted[i][d] >= kets[d].low - bras[d].high && -wanted[i][d] <= kets[d].high - bras[d].low;
    if (!inside) {
      plan.vanishing.push_back(static_cast<int32_t>(i));
      continue;
    }
    reached.push_back(static_cast<int32_t>(i));
    demand.wanted.push_back({-wanted[i][0], -wanted[i][1], -wanted[i][2]});
    for (int d = 0; d < 3; ++d) range[d].add(-wanted[i][d]);
  }
  for (int d = 0; d < 3; ++d) {
    int need = std::max(kets[d].count(), bras[d].count());
    if (!reached.empty())
      need = std::max({need, kets[d].high - bras[d].low - range[d].low + 1, range[d].high - (kets[d].low - bras[d].high) + 1});
    demand.sufficient[d] = need;
    demand.least[d] = std::max(kets[d].count(), bras[d].count());
    plan.n[d] = lengths == Lengths::any && need <= most_by_pairs ? need : shortest_length(need);
  }
  const double products = static_cast<double>(plan.points()) * static_cast<double>(c.ntband() * c.nex());
  if (products > least_products) plan.n = smallest_grid(demand, plan.n, lengths == Lengths::any ? any_below : length_below);
  if (plan.points() > std::numeric_limits<int32_t>::max())
    throw Failure(SUITE_UNSUPPORTED, concat("the matrix elements need a grid of ", plan.n[0], " x ", plan.n[1], " x ", plan.n[2],
                                            " points; up to 2^31 - 1 are possible"));
  plan.ket = columns_of(ket, all_of(ket.size()), plan.n, "g_ket");
  plan.bra = columns_of(bra, all_of(bra.size()), plan.n, "g_bra");
  plan.wanted = columns_of(wanted, reached, plan.n);
  return plan;
}

Box make_box(const Mtxel& c) {
  const auto ket = vectors_of(c.g_ket, "g_ket"), bra = vectors_of(c.g_bra, "g_bra"), wanted = vectors_of(c.g, "g");
  const Ranges kets = ranges_of(ket), bras = ranges_of(bra), g = ranges_of(wanted);
  int64_t extent[3], low[3];
  for (int d = 0; d < 3; ++d) {
    low[d] = std::min(bras[d].low, kets[d].low + g[d].low);
    extent[d] = std::max(bras[d].high, kets[d].high + g[d].high) - low[d] + 1;
  }
  Box box;
  box.size = extent[0] * extent[1] * extent[2];
  if (box.size > std::numeric_limits<int32_t>::max())
    throw Failure(SUITE_UNSUPPORTED, concat("the product of matrices needs a box of ", box.size, " G vectors; 2^31 - 1 are possible"));
  const auto offset = [&](const Miller& v, const int64_t* from) {
    return static_cast<int32_t>(((v[0] - from[0]) * extent[1] + (v[1] - from[1])) * extent[2] + (v[2] - from[2]));
  };
  const int64_t none[3] = {0, 0, 0};
  for (const Miller& v : bra) box.of_bra.push_back(offset(v, low));
  for (const Miller& v : ket) box.of_ket.push_back(offset(v, low));
  for (const Miller& v : wanted) box.of_wanted.push_back(offset(v, none));
  return box;
}

double flops_of_product(const Mtxel& c) {
  return (c.is_real() ? 2.0 : 8.0) * static_cast<double>(c.ncouls() * c.nspinor()) * static_cast<double>(c.npw_ket()) *
         static_cast<double>(c.ntband() * c.nex());
}

bool is_conjugate(const Mtxel& c) {
  if (c.conjugate != 0 && c.conjugate != 1)
    throw Failure(SUITE_INVALID_ARGUMENT, concat("conjugate is ", c.conjugate, "; it must be one of 0, 1"));
  return c.conjugate == 1;
}

}  // namespace suite::gw
