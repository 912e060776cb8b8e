// SPDX-License-Identifier: BSD-3-Clause
// Tables of an atom at all near points of a chunk. The points of a run lie behind one knot and share its
// coefficients, which are read a number at a time for a vector of points and take one multiply-add each, or
// half a multiplication and an addition. Point after point the coefficients would have to be loaded again,
// 2.4 KB of them for 25 components and three directions.
#include "far_sums.hpp"
#include "paired_sums.hpp"
#include "points.hpp"
#include "rows.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

// An atom's grid, place and coefficients, those of a direction `next` behind those of the one before.
struct Table {
  const RadialGrid& grid;
  const KnotFractions& fractions;
  const double *nucleus, *spline;
  int64_t next;
};

// A point of the chunk: x, y and z, then its sums of up to three directions. It is met by every near atom, in
// no order: what belongs to it is to be in one line of the cache.
constexpr int64_t point = 2 * row;

// Tables of all atoms are larger than a cache near the core, and runs are short: what the run to come needs
// is fetched meanwhile, a part with each vector of points, since a core waits for few lines at once.
struct PowersToCome {
  static constexpr int part = 48, line = 8;
  const double* from;
  int left;

  void fetch(int count = part) {
    for (count = std::min(count, left); count > 0; count -= line, left -= line, from += line) __builtin_prefetch(from);
  }
};

// Some vectors of points behind one knot. What is done for each takes long from beginning to end, but little
// of what a core can do at once: so one thing after the other is done for all of them, and the sums of one
// are added while those of the next are computed.
template <int l_max, int many, bool paired> class Points {
public:
  static constexpr int most = NearList::ahead;  // vectors

  // powers: of the coefficients behind the knot, and their scales (near_powers.hpp).
  Points(const Table& table, int32_t knot, const double* powers, const double* scales)
      : spline_(table.spline + 4 * n * int64_t{knot}), powers_(powers), scales_(scales) {}
  void add(const Table& table, const NearList::Run& run, const uint16_t* place, int count, PowersToCome& to_come, double* points) {
    for (int v = 0; v < count; ++v) {
      Vector x, y, z;
      load_rows<point>(points, place + v * lanes, x, y, z);
      displacement_[v] = displacement_to(x, y, z, table.nucleus);
    }
    find_fractions(table, run.knot, count);
    for (int v = 0; v < count; ++v) {
      evaluate(table, v);
      to_come.fetch();
      for (int i = 0; i < lanes; ++i) __builtin_prefetch(points + point * place[(v + most) * lanes + i]);
      if (v > 0) add_values(v - 1, place, points);  // those of v are not there yet
    }
    add_values(count - 1, place, points);
  }

private:
  static constexpr int n = components(l_max);

  void add_values(int v, const uint16_t* place, double* points) const {
    add_to_rows<point>(points + row, place + v * lanes, value_[v][0], many > 1 ? value_[v][1] : Vector{},
                       many > 2 ? value_[v][2] : Vector{});
  }

  void find_fractions(const Table& table, int32_t knot, int count) {
    const auto put = [this](int v, const Vector& f) { fraction_[v] = cpu::smaller(cpu::larger(f, Vector{}), fill(1.0)); };
    const KnotFractions::Polynomial polynomial = table.fractions.behind(knot);
    if (polynomial.count == 0) {
      for (int v = 0; v < count; ++v) put(v, coordinate(table.grid, displacement_[v].r) - double(knot));
      return;
    }
    constexpr int block = 4;  // as many as hide what a multiply-add takes
    for (int v = 0; v < count; v += block) {
      Vector t[block], f[block] = {};
      for (int b = 0; b < block; ++b) t[b] = displacement_[std::min(v + b, count - 1)].r * polynomial.scale + polynomial.shift;
      for (int k = 0; k < polynomial.count; ++k)
        for (int b = 0; b < block; ++b) f[b] = f[b] * t[b] + polynomial.coefficients[k];
      for (int b = 0; b < block; ++b) put(v + b, f[b]);
    }
  }

  // All in registers, of which there are enough for three directions with AVX-512. It is not itself inlined,
  // or the compiler would broadcast all coefficients before the loop, to the stack.
  [[gnu::noinline, gnu::flatten]] void evaluate(const Table& table, int v) {
    const Displacement& displacement = displacement_[v];
    const Mask inside = displacement.r <= fill(table.grid.first);
    const Vector f = fraction_[v];
    Vector* const value = value_[v];
    if constexpr (paired) {
      const PairedSums<l_max, many> sums(powers_, displacement.x, displacement.y, displacement.z);
#pragma GCC unroll 3
      for (int q = 0; q < many; ++q) value[q] = sums.first(q) + f * scales_[q] * sums.others(q, f);
    } else {
      constexpr int at_once = lanes >= 8 ? many : 1;
      typedef double Powers[n];
      for (int q = 0; q < many; q += at_once) {
        Vector c[4 * at_once];
        add_orders<l_max>(reinterpret_cast<const Powers*>(powers_) + 4 * q, displacement.x, displacement.y, displacement.z, Vector{},
                          Vector{}, c);
#pragma GCC unroll 3
        for (int i = 0; i < at_once; ++i) value[q + i] = c[4 * i] + f * (c[4 * i + 1] + f * (c[4 * i + 2] + f * c[4 * i + 3]));
      }
    }
    if (cpu::any(inside)) [[unlikely]]
      for (int q = 0; q < many; ++q) value[q] = inside ? fill(harmonics::N(0) * spline_[table.next * q]) : value[q];
  }

  const double *spline_, *powers_, *scales_;
  Displacement displacement_[most];
  Vector fraction_[most], value_[most][3];
};

template <int l_max, int many, bool paired>
void add_run(const Table& table, const NearList::Run& run, const double* powers, const double* scales, const double* powers_to_come,
             const uint16_t* place, double* points) {
  Points<l_max, many, paired> some(table, run.knot, powers, scales);
  PowersToCome to_come{powers_to_come, 4 * many * components(l_max)};
  for (int32_t v = 0; v < run.vectors; v += some.most)
    some.add(table, run, place + v * lanes, std::min(run.vectors - v, some.most), to_come, points);
  to_come.fetch(to_come.left);
}

// Those that are far from the atom, with its moments.
template <int l_max, int many>
[[gnu::flatten]] void add_far_run(const double* nucleus, const double* moments, int32_t vectors, const uint16_t* place, double* points) {
  for (int32_t v = 0; v < vectors; ++v, place += lanes) {
    Vector x, y, z, values[many];
    load_rows<point>(points, place, x, y, z);
    far_values<l_max>(x, y, z, nucleus, moments, values);
    add_to_rows<point>(points + row, place, values[0], many > 1 ? values[1] : Vector{}, many > 2 ? values[2] : Vector{});
  }
}

// Directions are done three at a time, then the rest.
int64_t groups_of(int64_t n_dir) { return (n_dir + 2) / 3; }

// Of a chunk, with one for places where there is no point.
int64_t size_of(int64_t points) { return point * (points + 1); }

}  // namespace

int64_t near_field_workspace(const SumUpCall& call, int64_t most_points) { return groups_of(call.n_dir) * size_of(most_points); }

void add_near_field(const SumUpCall& call, const SumUp& arrays, const OfTables& tables, const SortedPoints& points, const Cell& chunk,
                    const NearList& list, double* memory, const double* potential) {
  const int64_t size = size_of(chunk.count()), stride = rounded(chunk.count(), lanes);
  // f(the rows of some directions, the first of them, how many)
  const auto each_group = [&](auto&& f) {
    double* rows = memory;
    int64_t d = 0;
    for (; d + 3 <= call.n_dir; d += 3, rows += size) f(rows, d, std::integral_constant<int, 3>());
    if (call.n_dir - d == 2) f(rows, d, std::integral_constant<int, 2>());
    if (call.n_dir - d == 1) f(rows, d, std::integral_constant<int, 1>());
  };
  each_group([&](double* rows, int64_t d, auto many) {
    for (int64_t p = 0; p <= chunk.count(); ++p) {
      const int64_t last = std::min(p, chunk.count() - 1);
      const size_t from = at(chunk.begin + last);
      double numbers[point] = {points.x[from], points.y[from], points.z[from]};
      for (int q = 0; q < many; ++q) numbers[row + q] = potential[stride * (d + q) + last];
      std::memcpy(rows + point * p, numbers, sizeof numbers);
    }
  });
  const auto add_all = [&]<int l_max, bool paired>() {
    constexpr int n = components(l_max);
    auto run = list.runs.begin();
    const uint16_t* place = list.places.data();
    for (const NearList::Atom& atom : list.atoms) {
      const int64_t next = 4 * n * call.n_knots, number = arrays.atom_table(atom.number) - 1;
      const size_t species = at(arrays.species(atom.number) - 1);
      const Table table{call.grids[species], tables.fractions[species], &arrays.atom_coords(0, atom.number),
                        arrays.potential_spl.data() + next * number, next * arrays.n_tables()};
      const double* const moments = &tables.scaled_moments[at(n * call.n_dir * number)];
      for (const auto end = run + atom.runs; run != end; place += lanes * run->vectors, ++run) {
        const bool far_away = run->knot == run->far_away;
        const double* const powers = far_away ? nullptr : tables.powers.behind(number, run->knot);
        const bool last = run + 1 == end || run[1].knot == run->far_away;
        const double* const to_come = last ? powers : tables.powers.behind(number, run[1].knot);
        each_group([&](double* rows, int64_t d, auto many) {
          if (far_away) {
            add_far_run<l_max, many>(table.nucleus, moments + n * d, run->vectors, place, rows);
          } else {
            Table some = table;
            some.spline += d * table.next;
            add_run<l_max, many, paired>(some, *run, powers + 4 * n * d, powers + 4 * n * call.n_dir + d, to_come + 4 * n * d, place, rows);
          }
        });
      }
    }
  };
  with_l_max(call.l_max, [&](auto l) {
    constexpr int l_max = decltype(l)::value;
    tables.powers.paired() ? add_all.template operator()<l_max, true>() : add_all.template operator()<l_max, false>();
  });
  each_group([&](const double* rows, int64_t d, auto many) {
    double* const to = &arrays.potential(0, d);
    for (int64_t p = 0; p < chunk.count(); ++p)
      for (int q = 0; q < many; ++q) to[call.n_points * q + points.tree.order[at(chunk.begin + p)]] = rows[point * p + row + q];
  });
}

}  // namespace suite::dfpt
