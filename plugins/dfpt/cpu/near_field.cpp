// SPDX-License-Identifier: BSD-3-Clause
// Tables of an atom at all near points of a chunk. The points are brought into the order of the knots they
// lie behind: those of a knot share its coefficients, which are read a number at a time for 2 vectors of
// points, and take one multiply-add for each coefficient. Point after point the coefficients would have to be
// loaded anew, 2.4 KB of them for 25 components and three directions.
#include "points.hpp"
#include "rows.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

// What is to be known of a point: its direction from the nucleus and the fraction of its knot; next to the
// nucleus, where only l = 0 counts, a direction that none has.
constexpr double no_direction = 2;

// Lists in a thread's memory: what is found, then in the order of knots.
struct Lists {
  Lists(double* memory, int64_t points) {
    rows = memory;
    sorted_rows = rows + row * points;
    point = reinterpret_cast<int32_t*>(sorted_rows + row * points);
    sorted_point = point + points;
    knot = sorted_point + points;
    first = knot + points + points % 2;  // of each knot, n_knots + 1
  }
  static int64_t room(int64_t points, int64_t n_knots) {
    const int64_t p = rounded(points, lanes) + 2 * lanes;
    return 2 * row * p + (3 * p + n_knots + 4) / 2 + 2;
  }
  // Points from `begin` on, of a vector, `some` of them, that are near; returns how many there are then.
  int64_t append(int64_t count, const Way& way, double first_radius, const Knots& knots, int32_t begin,
                 Mask near, int64_t some) const {
    typedef int32_t Numbers __attribute__((vector_size(lanes * 4)));
    const auto behind = __builtin_convertvector(cpu::lane_numbers(), Numbers) + begin,
               number = __builtin_convertvector(knots.number, Numbers);
    const Vector z = way.r > fill(first_radius) ? way.z : fill(no_direction);
    if (some == lanes && !cpu::any(~near)) {
      std::memcpy(point + count, &behind, sizeof behind);
      std::memcpy(knot + count, &number, sizeof number);
      store_rows(rows + row * count, way.x, way.y, z, knots.fraction);
      return count + lanes;
    }
    double found[row * lanes];
    store_rows(found, way.x, way.y, z, knots.fraction);
    for (int64_t i = 0; i < some; ++i) {
      point[count] = behind[i];
      knot[count] = number[i];
      copy_row(found + row * i, rows + row * count);
      count += near[i] != 0;
    }
    return count;
  }
  double *rows, *sorted_rows;
  int32_t *point, *sorted_point, *knot, *first;
};

// Values of three directions at the points `where`, added to rows of a point each.
inline void add_rows(Vector a, Vector b, Vector c, const int32_t* where, int64_t count, double* sums) {
  typedef double Row __attribute__((vector_size(row * sizeof(double))));
  double found[row * lanes];
  store_rows(found, a, b, c, Vector{});
  for (int64_t i = 0; i < std::min<int64_t>(count, lanes); ++i) {
    Row sum, more;
    double* const to = sums + row * int64_t{where[i]};
    std::memcpy(&sum, to, sizeof sum);
    std::memcpy(&more, found + row * i, sizeof more);
    sum += more;
    std::memcpy(to, &sum, sizeof sum);
  }
}

// `Vectors` vectors of points behind one knot; count of them count. sums: [point][direction of `row`].
template <int l_max, int many, int Vectors>
void add_points(const double* rows, const int32_t* where, int64_t count, const double* spline, int64_t next,
                double* sums_of_points) {
  constexpr int n = components(l_max);
  Vector Y[Vectors][n], fraction[Vectors];
  for (int v = 0; v < Vectors; ++v) {
    Vector x, y, z;
    load_rows(rows + row * lanes * v, x, y, z, fraction[v]);
    spherical_harmonics<l_max>(x, y, z, Y[v]);
    const Mask inside = z == fill(no_direction);
    if (cpu::any(inside)) [[unlikely]]
      for (int lm = 1; lm < n; ++lm) Y[v][lm] = inside ? Vector{} : Y[v][lm];
  }
  Vector sums[many][Vectors][4];
#pragma GCC unroll 3
  for (int q = 0; q < many; ++q)
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c)
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sums[q][v][c] = Y[v][0] * spline[next * q + c * n];
  for (int lm = 1; lm < n; ++lm)
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q)
#pragma GCC unroll 4
      for (int c = 0; c < 4; ++c) {
        const double coefficient = spline[next * q + c * n + lm];
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) sums[q][v][c] += Y[v][lm] * coefficient;
      }
  for (int v = 0; v < Vectors; ++v) {
    Vector value[3] = {};
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q)
      value[q] = sums[q][v][0] +
                 fraction[v] * (sums[q][v][1] + fraction[v] * (sums[q][v][2] + fraction[v] * sums[q][v][3]));
    add_rows(value[0], value[1], value[2], where + v * lanes, count - v * lanes, sums_of_points);
  }
}

template <int l_max, int many>
void add_group(const double* rows, const int32_t* where, int64_t count, const double* spline, int64_t next,
               double* sums) {
  int64_t i = 0;
  for (; i + lanes < count; i += 2 * lanes)
    add_points<l_max, many, 2>(rows + row * i, where + i, count - i, spline, next, sums);
  if (i < count) add_points<l_max, many, 1>(rows + row * i, where + i, count - i, spline, next, sums);
}

// Directions are done three at a time, the rest alone.
int64_t groups_of(int64_t n_dir) { return n_dir / 3 + n_dir % 3; }

}  // namespace

int64_t NearField::room(const SumUpCall& call, int64_t most_points) {
  return Lists::room(most_points, call.n_knots) + groups_of(call.n_dir) * row * most_points;
}

template <int l_max>
void NearField::add_atom(const Cell& chunk, const std::vector<int32_t>& leaves, int64_t atom, double* memory,
                         double* sums) const {
  const double* const nucleus = arrays_.atom_coords + 3 * atom;
  const double radius = arrays_.radius_of(atom);
  const RadialGrid& grid = call_.grids[at(arrays_.species[atom] - 1)];
  const int64_t stride = rounded(chunk.count(), lanes);
  const Lists lists(memory, stride + 2 * lanes);
  std::fill_n(lists.first, call_.n_knots + 1, 0);
  int64_t count = 0;
  for (const int32_t l : leaves) {
    const Cell& leaf = points_.tree.cells[at(l)];
    const Side side = side_of(leaf.ball, nucleus, radius);
    if (side == Side::far_away) continue;
    for (int64_t p = leaf.begin; p < leaf.end; p += lanes) {
      const double *const x = &points_.x[at(p)], *const y = &points_.y[at(p)], *const z = &points_.z[at(p)];
      const Mask near = side == Side::near_by ? ~Mask{} : is_near(x, y, z, nucleus, radius);
      if (!cpu::any(near)) continue;
      const Way way = way_to(load(x), load(y), load(z), nucleus);
      count =
          lists.append(count, way, grid.first, position(grid, way.r), static_cast<int32_t>(p - chunk.begin),
                       near, std::min<int64_t>(lanes, leaf.end - p));
    }
  }
  if (count == 0) return;
  for (int64_t i = 0; i < count; ++i) ++lists.first[lists.knot[i] + 1];
  for (int64_t k = 0; k < call_.n_knots; ++k) lists.first[k + 1] += lists.first[k];
  for (int64_t i = 0; i < count; ++i) {
    const int32_t place = lists.first[lists.knot[i]]++;
    lists.sorted_point[place] = lists.point[i];
    copy_row(lists.rows + row * i, lists.sorted_rows + row * place);
  }
  // Whole vectors are read; their last point stands in for what is missing.
  for (int64_t i = count; i < count + 2 * lanes; ++i)
    copy_row(lists.sorted_rows + row * (count - 1), lists.sorted_rows + row * i);
  const int64_t next = 4 * call_.n_lm * call_.n_knots * arrays_.n_tables;
  for (int64_t k = 0, begin = 0; k < call_.n_knots; begin = lists.first[k], ++k) {
    const int64_t some = lists.first[k] - begin;
    if (some == 0) continue;
    const double* spline =
        arrays_.spline + 4 * call_.n_lm * (k + call_.n_knots * (arrays_.atom_table[atom] - 1));
    double* to = sums;
    for (int64_t d = 0; d < call_.n_dir; to += row * stride) {
      const bool three = d + 3 <= call_.n_dir;
      (three ? add_group<l_max, 3> : add_group<l_max, 1>)(lists.sorted_rows + row * begin,
                                                          lists.sorted_point + begin, some, spline, next, to);
      d += three ? 3 : 1;
      spline += (three ? 3 : 1) * next;
    }
  }
}

void NearField::add(const Cell& chunk, const std::vector<int32_t>& leaves, double* memory,
                    double* potential) const {
  const int64_t stride = rounded(chunk.count(), lanes), groups = groups_of(call_.n_dir);
  double *const sums = memory, *const lists = sums + groups * row * stride;
  std::fill_n(sums, groups * row * stride, 0.0);
  with_l_max(call_.l_max, [&](auto l_max) {
    for (int64_t atom = 0; atom < call_.n_atoms; ++atom)
      if (side_of(chunk.ball, arrays_.atom_coords + 3 * atom, arrays_.radius_of(atom)) != Side::far_away)
        add_atom<decltype(l_max)::value>(chunk, leaves, atom, lists, sums);
  });
  const double* from = sums;
  for (int64_t d = 0; d < call_.n_dir; from += row * stride) {
    const int many = d + 3 <= call_.n_dir ? 3 : 1;
    for (int64_t p = 0; p < chunk.count(); ++p)
      for (int q = 0; q < many; ++q) potential[stride * (d + q) + p] += from[row * p + q];
    d += many;
  }
}

}  // namespace suite::dfpt
