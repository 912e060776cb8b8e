// SPDX-License-Identifier: BSD-3-Clause
// Tables of an atom at all near points of a chunk. The points of a run lie behind one knot and share its
// coefficients, which are read a number at a time for a vector of points and take one multiply-add each.
// Point after point the coefficients would have to be loaded anew, 2.4 KB of them for 25 components and three
// directions.
#include "points.hpp"
#include "powers_of_z.hpp"
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

// Values of three directions at `lanes` points, added to their sums.
inline void add_sums(Vector a, Vector b, Vector c, const uint16_t* place, double* points) {
  typedef double Row __attribute__((vector_size(row * sizeof(double))));
  double found[row * lanes];
  store_rows(found, a, b, c, Vector{});
  for (int i = 0; i < lanes; ++i) {
    Row sum, more;
    double* const to = points + point * place[i] + row;
    std::memcpy(&sum, to, sizeof sum);
    std::memcpy(&more, found + row * i, sizeof more);
    sum += more;
    std::memcpy(to, &sum, sizeof sum);
  }
}

// Tables of all atoms are larger than a cache near the core, and runs are short: what the run to come needs
// is fetched meanwhile, a part with each vector of points, since a core waits for few lines at once.
struct PowersToCome {
  static constexpr int part = 48, line = 8;
  const double* from;
  int left;

  void fetch(int count = part) {
    for (count = std::min(count, left); count > 0; count -= line, left -= line, from += line)
      __builtin_prefetch(from);
  }
};

// Some vectors of points behind one knot. What is done for each takes long from beginning to end, but little
// of what a core can do at once: so one thing after the other is done for all of them.
template <int l_max, int many>
class Points {
public:
  static constexpr int most = 8;  // vectors

  // powers: of the coefficients behind the knot (near_powers.hpp).
  Points(const Table& table, int32_t knot, const double* powers)
      : spline_(table.spline + 4 * n * int64_t{knot}), powers_(reinterpret_cast<const Powers*>(powers)) {}
  void add(const Table& table, const NearList::Run& run, const uint16_t* place, int count,
           PowersToCome& to_come, double* points) {
    for (int v = 0; v < count; ++v) {
      Vector x, y, z;
      load_rows<point>(points, place + v * lanes, x, y, z);
      way_[v] = way_to(x, y, z, table.nucleus);
    }
    find_fractions(table, run.knot, count);
    for (int v = 0; v < count; ++v) {
      evaluate(table, v);
      to_come.fetch();
      if (v > 0) add_values(v - 1, place, points);  // those of v are not there yet
    }
    add_values(count - 1, place, points);
  }

private:
  void add_values(int v, const uint16_t* place, double* points) const {
    add_sums(value_[v][0], many > 1 ? value_[v][1] : Vector{}, many > 2 ? value_[v][2] : Vector{},
             place + v * lanes, points);
  }
  static constexpr int n = components(l_max);
  typedef double Powers[n];

  void find_fractions(const Table& table, int32_t knot, int count) {
    const KnotFractions::Polynomial polynomial = table.fractions.behind(knot);
    if (polynomial.count == 0)
      for (int v = 0; v < count; ++v) fraction_[v] = coordinate(table.grid, way_[v].r) - double(knot);
    constexpr int block = 4;  // as many as hide what a multiply-add takes
    for (int v = 0; v < count && polynomial.count > 0; v += block) {
      Vector t[block], f[block] = {};
      for (int b = 0; b < block; ++b)
        t[b] = way_[std::min(v + b, count - 1)].r * polynomial.scale + polynomial.shift;
      for (int k = 0; k < polynomial.count; ++k)
        for (int b = 0; b < block; ++b) f[b] = f[b] * t[b] + polynomial.coefficients[k];
      for (int b = 0; b < block; ++b) fraction_[v + b] = f[b];
    }
    for (int v = 0; v < count; ++v)
      fraction_[v] = cpu::smaller(cpu::larger(fraction_[v], Vector{}), fill(1.0));
  }

  // All in registers, of which there are enough for three directions with AVX-512. It is not itself inlined,
  // or the compiler would broadcast all coefficients before the loop, to the stack.
  [[gnu::noinline, gnu::flatten]] void evaluate(const Table& table, int v) {
    constexpr int at_once = lanes >= 8 ? many : 1;
    const Way& way = way_[v];
    const Mask inside = way.r <= fill(table.grid.first);
    const Vector f = fraction_[v];
    for (int q = 0; q < many; q += at_once) {
      Vector c[4 * at_once];
      add_orders<l_max>(powers_ + 4 * q, way.x, way.y, way.z, Vector{}, Vector{}, c);
      if (cpu::any(inside)) [[unlikely]]
        for (int i = 0; i < 4 * at_once; ++i)
          c[i] = inside ? fill(harmonics::N(0) * spline_[table.next * (q + i / 4) + i % 4 * n]) : c[i];
#pragma GCC unroll 3
      for (int i = 0; i < at_once; ++i)
        value_[v][q + i] = c[4 * i] + f * (c[4 * i + 1] + f * (c[4 * i + 2] + f * c[4 * i + 3]));
    }
  }

  const double* spline_;
  const Powers* powers_;
  Way way_[most];
  Vector fraction_[most], value_[most][3];
};

template <int l_max, int many>
void add_run(const Table& table, const NearList::Run& run, const double* powers, const double* powers_to_come,
             const uint16_t* place, double* points) {
  Points<l_max, many> some(table, run.knot, powers);
  PowersToCome to_come{powers_to_come, 4 * many * components(l_max)};
  for (int32_t v = 0; v < run.vectors; v += some.most)
    some.add(table, run, place + v * lanes, std::min(run.vectors - v, some.most), to_come, points);
  to_come.fetch(to_come.left);
}

// Directions are done three at a time, the rest alone.
int64_t groups_of(int64_t n_dir) { return n_dir / 3 + n_dir % 3; }

// Of a chunk, with one for places where there is no point.
int64_t size_of(int64_t points) { return point * (points + 1); }

}  // namespace

int64_t near_field_room(const SumUpCall& call, int64_t most_points) {
  return groups_of(call.n_dir) * size_of(most_points);
}

void add_near_field(const SumUpCall& call, const SumUpArrays& arrays,
                    const std::vector<KnotFractions>& fractions, const NearPowers& powers,
                    const SortedPoints& points, const Cell& chunk, const NearList& list, double* memory,
                    double* potential) {
  const int64_t size = size_of(chunk.count()), stride = rounded(chunk.count(), lanes);
  for (int64_t g = 0; g < groups_of(call.n_dir); ++g)
    for (int64_t p = 0; p <= chunk.count(); ++p) {
      const size_t from = at(chunk.begin + std::min(p, chunk.count() - 1));
      const double numbers[point] = {points.x[from], points.y[from], points.z[from]};
      std::memcpy(memory + size * g + point * p, numbers, sizeof numbers);
    }
  with_l_max(call.l_max, [&](auto l) {
    constexpr int l_max = decltype(l)::value;
    auto run = list.runs.begin();
    const uint16_t* place = list.places.data();
    for (const NearList::Atom& atom : list.atoms) {
      const int64_t next = 4 * call.n_lm * call.n_knots;
      const size_t species = at(arrays.species[atom.number] - 1);
      const int64_t number = arrays.atom_table[atom.number] - 1;
      const Table table{call.grids[species], fractions[species], arrays.atom_coords + 3 * atom.number,
                        arrays.spline + next * number, next * arrays.n_tables};
      for (const auto end = run + atom.runs; run != end; place += lanes * run->vectors, ++run) {
        const double* of_run = powers.behind(number, run->knot);
        const double* to_come = run + 1 != end ? powers.behind(number, run[1].knot) : of_run;
        Table some = table;
        double* to = memory;
        const auto add = [&](auto many) {
          constexpr int q = decltype(many)::value, size_of_powers = 4 * q * components(l_max);
          add_run<l_max, q>(some, *run, of_run, to_come, place, to);
          some.spline += q * table.next;
          of_run += size_of_powers;
          to_come += size_of_powers;
          to += size;
        };
        int64_t d = 0;
        for (; d + 3 <= call.n_dir; d += 3) add(std::integral_constant<int, 3>());
        for (; d < call.n_dir; ++d) add(std::integral_constant<int, 1>());
      }
    }
  });
  const double* from = memory + row;
  for (int64_t d = 0; d < call.n_dir; from += size) {
    const int many = d + 3 <= call.n_dir ? 3 : 1;
    for (int64_t p = 0; p < chunk.count(); ++p)
      for (int q = 0; q < many; ++q) potential[stride * (d + q) + p] += from[point * p + q];
    d += many;
  }
}

}  // namespace suite::dfpt
