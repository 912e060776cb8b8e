// SPDX-License-Identifier: BSD-3-Clause
// Tables of an atom at all near points of a chunk. The points of a run lie behind one knot and share its
// coefficients, which are read a number at a time for a vector of points and take one multiply-add each.
// Point after point the coefficients would have to be loaded anew, 2.4 KB of them for 25 components and three
// directions.
#include "points.hpp"
#include "rows.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

// An atom's grid, place and coefficients, those of a direction `next` behind those of the one before.
struct Table {
  const RadialGrid& grid;
  const double *nucleus, *spline;
  int64_t next;
};

// Values of three directions at `lanes` points, added to rows of a point each.
inline void add_rows(Vector a, Vector b, Vector c, const uint16_t* place, double* sums) {
  typedef double Row __attribute__((vector_size(row * sizeof(double))));
  double found[row * lanes];
  store_rows(found, a, b, c, Vector{});
  for (int i = 0; i < lanes; ++i) {
    Row sum, more;
    double* const to = sums + row * place[i];
    std::memcpy(&sum, to, sizeof sum);
    std::memcpy(&more, found + row * i, sizeof more);
    sum += more;
    std::memcpy(to, &sum, sizeof sum);
  }
}

// A vector of points behind a knot; rows are the points of the chunk, sums their values of `many` directions.
// Harmonics go into the sums as they come: none is stored, if all calls are inlined.
template <int l_max, int many>
[[gnu::flatten]] void add_points(const Table& table, int32_t knot, const double* rows, const uint16_t* place,
                                 double* sums) {
  constexpr int n = components(l_max);
  Vector x, y, z;
  load_rows(rows, place, x, y, z);
  const Way way = way_to(x, y, z, table.nucleus);
  const Vector behind = coordinate(table.grid, way.r) - double(knot);
  const Vector f = cpu::smaller(cpu::larger(behind, Vector{}), fill(1.0));
  const double* const spline = table.spline + 4 * n * int64_t{knot};
  Vector c[many][4] = {};
  const auto add = [&](int lm, const Vector& Y) {
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q)
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) c[q][i] += Y * spline[table.next * q + i * n + lm];
  };
  each_spherical_harmonic<l_max>(way.x, way.y, way.z, add);
  if (const Mask inside = way.r <= fill(table.grid.first); cpu::any(inside)) [[unlikely]]
    for (int q = 0; q < many; ++q)
      for (int i = 0; i < 4; ++i)
        c[q][i] = inside ? fill(harmonics::N(0) * spline[table.next * q + i * n]) : c[q][i];
  Vector value[3] = {};
#pragma GCC unroll 3
  for (int q = 0; q < many; ++q) value[q] = c[q][0] + f * (c[q][1] + f * (c[q][2] + f * c[q][3]));
  add_rows(value[0], value[1], value[2], place, sums);
}

template <int l_max, int many>
void add_run(const Table& table, const NearList::Run& run, const double* rows, const uint16_t* place,
             double* sums) {
  for (int32_t v = 0; v < run.vectors; ++v)
    add_points<l_max, many>(table, run.knot, rows, place + v * lanes, sums);
}

// Directions are done three at a time, the rest alone.
int64_t groups_of(int64_t n_dir) { return n_dir / 3 + n_dir % 3; }

// Rows of a chunk, with one for places where there is no point.
int64_t rows_of(int64_t points) { return row * (points + 1); }

}  // namespace

int64_t near_field_room(const SumUpCall& call, int64_t most_points) {
  return (1 + groups_of(call.n_dir)) * rows_of(most_points);
}

void add_near_field(const SumUpCall& call, const SumUpArrays& arrays, const SortedPoints& points,
                    const Cell& chunk, const NearList& list, double* memory, double* potential) {
  const int64_t size = rows_of(chunk.count()), stride = rounded(chunk.count(), lanes);
  double *const rows = memory, *const sums = memory + size;
  for (int64_t p = 0; p <= chunk.count(); ++p) {
    const size_t from = at(chunk.begin + std::min(p, chunk.count() - 1));
    const double r[row] = {points.x[from], points.y[from], points.z[from], 0};
    std::memcpy(rows + row * p, r, sizeof r);
  }
  std::fill_n(sums, groups_of(call.n_dir) * size, 0.0);
  with_l_max(call.l_max, [&](auto l) {
    constexpr int l_max = decltype(l)::value;
    auto run = list.runs.begin();
    const uint16_t* place = list.places.data();
    for (const NearList::Atom& atom : list.atoms) {
      const int64_t next = 4 * call.n_lm * call.n_knots;
      Table table{call.grids[at(arrays.species[atom.number] - 1)], arrays.atom_coords + 3 * atom.number,
                  arrays.spline + next * (arrays.atom_table[atom.number] - 1), next * arrays.n_tables};
      for (const auto end = run + atom.runs; run != end; place += lanes * run->vectors, ++run) {
        Table some = table;
        double* to = sums;
        int64_t d = 0;
        for (; d + 3 <= call.n_dir; d += 3, to += size, some.spline += 3 * table.next)
          add_run<l_max, 3>(some, *run, rows, place, to);
        for (; d < call.n_dir; ++d, to += size, some.spline += table.next)
          add_run<l_max, 1>(some, *run, rows, place, to);
      }
    }
  });
  const double* from = sums;
  for (int64_t d = 0; d < call.n_dir; from += size) {
    const int many = d + 3 <= call.n_dir ? 3 : 1;
    for (int64_t p = 0; p < chunk.count(); ++p)
      for (int q = 0; q < many; ++q) potential[stride * (d + q) + p] += from[row * p + q];
    d += many;
  }
}

}  // namespace suite::dfpt
