// SPDX-License-Identifier: BSD-3-Clause
// Tables of an atom at all near points of a chunk. The points are brought into the order of the knots they
// lie behind: those of a knot share its coefficients, which are read a number at a time for 2 vectors of
// points, and take one multiply-add for each coefficient. Point after point the coefficients would have to be
// loaded anew, 2.4 KB of them for 25 components and three directions.
#include "points.hpp"
#include "sum_up_best.hpp"

namespace suite::dfpt {
namespace {

// Lists in a thread's memory: what is found, then in the order of knots.
struct Lists {
  Lists(double* memory, int64_t points) {
    fraction = memory;
    sorted_fraction = fraction + points;
    point = reinterpret_cast<int32_t*>(sorted_fraction + points);
    sorted_point = point + points;
    knot = sorted_point + points;
    first = knot + points + points % 2;  // of each knot, n_knots + 1
  }
  static int64_t room(int64_t points, int64_t n_knots) {
    const int64_t p = rounded(points, lanes) + 2 * lanes;
    return 2 * p + (3 * p + n_knots + 4) / 2 + 2;
  }
  // Points from `begin` on, of a vector, `some` of them, that are near; returns how many there are then.
  int64_t append(int64_t count, const Knots& knots, int32_t begin, Mask near, int64_t some) const {
    typedef int32_t Numbers __attribute__((vector_size(lanes * 4)));
    const auto behind = __builtin_convertvector(cpu::lane_numbers(), Numbers) + begin,
               number = __builtin_convertvector(knots.number, Numbers);
    if (some == lanes && !cpu::any(~near)) {
      std::memcpy(point + count, &behind, sizeof behind);
      std::memcpy(knot + count, &number, sizeof number);
      store(fraction + count, knots.fraction);
      return count + lanes;
    }
    for (int64_t i = 0; i < some; ++i) {
      point[count] = behind[i];
      knot[count] = number[i];
      fraction[count] = knots.fraction[i];
      count += near[i] != 0;
    }
    return count;
  }
  double *fraction, *sorted_fraction;
  int32_t *point, *sorted_point, *knot, *first;
};

inline Vector gather(const double* from, const int32_t* where) {
  Vector v{};
  for (int i = 0; i < lanes; ++i) v[i] = from[where[i]];
  return v;
}

// `Vectors` vectors of points behind one knot; count of them count.
template <int l_max, int many, int Vectors>
void add_points(const SortedPoints& points, int64_t base, const int32_t* where, const double* fraction,
                int64_t count, const double* nucleus, double first_radius, const double* spline, int64_t next,
                double* potential, int64_t stride) {
  constexpr int n = components(l_max);
  Vector Y[Vectors][n];
  for (int v = 0; v < Vectors; ++v) {
    const int32_t* const w = where + v * lanes;
    const Way way = way_to(gather(points.x.data() + base, w), gather(points.y.data() + base, w),
                           gather(points.z.data() + base, w), nucleus);
    harmonics_of<l_max>(way, first_radius, Y[v]);
  }
  Vector sums[many][Vectors][4] = {};
  for (int lm = 0; lm < n; ++lm)
#pragma GCC unroll 3
    for (int q = 0; q < many; ++q)
#pragma GCC unroll 4
      for (int c = 0; c < 4; ++c) {
        const double coefficient = spline[next * q + c * n + lm];
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) sums[q][v][c] += Y[v][lm] * coefficient;
      }
  for (int q = 0; q < many; ++q)
    for (int v = 0; v < Vectors; ++v) {
      const Vector d = load(fraction + v * lanes);
      const Vector value = sums[q][v][0] + d * (sums[q][v][1] + d * (sums[q][v][2] + d * sums[q][v][3]));
      const int64_t some = std::min<int64_t>(count - v * lanes, lanes);
      for (int64_t i = 0; i < some; ++i) potential[stride * q + where[v * lanes + i]] += value[i];
    }
}

template <int l_max, int many>
void add_group(const SortedPoints& points, int64_t base, const int32_t* where, const double* fraction,
               int64_t count, const double* nucleus, double first_radius, const double* spline, int64_t next,
               double* potential, int64_t stride) {
  int64_t i = 0;
  for (; i + lanes < count; i += 2 * lanes)
    add_points<l_max, many, 2>(points, base, where + i, fraction + i, count - i, nucleus, first_radius,
                               spline, next, potential, stride);
  if (i < count)
    add_points<l_max, many, 1>(points, base, where + i, fraction + i, count - i, nucleus, first_radius,
                               spline, next, potential, stride);
}

}  // namespace

int64_t NearField::room(const SumUpCall& call, int64_t most_points) {
  return Lists::room(most_points, call.n_knots);
}

template <int l_max>
void NearField::add_atom(const Cell& chunk, const std::vector<int32_t>& leaves, int64_t atom, double* memory,
                         double* potential) const {
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
      const Knots knots = position(grid, way_to(load(x), load(y), load(z), nucleus).r);
      count = lists.append(count, knots, static_cast<int32_t>(p - chunk.begin), near,
                           std::min<int64_t>(lanes, leaf.end - p));
    }
  }
  if (count == 0) return;
  for (int64_t i = 0; i < count; ++i) ++lists.first[lists.knot[i] + 1];
  for (int64_t k = 0; k < call_.n_knots; ++k) lists.first[k + 1] += lists.first[k];
  for (int64_t i = 0; i < count; ++i) {
    const int32_t place = lists.first[lists.knot[i]]++;
    lists.sorted_point[place] = lists.point[i];
    lists.sorted_fraction[place] = lists.fraction[i];
  }
  // Whole vectors are read; their last point stands in for what is missing.
  for (int64_t i = count; i < count + 2 * lanes; ++i) {
    lists.sorted_point[i] = lists.sorted_point[count - 1];
    lists.sorted_fraction[i] = 0;
  }
  const int64_t next = 4 * call_.n_lm * call_.n_knots * arrays_.n_tables;
  for (int64_t k = 0, begin = 0; k < call_.n_knots; begin = lists.first[k], ++k) {
    const int64_t some = lists.first[k] - begin;
    if (some == 0) continue;
    for (int64_t d = 0; d < call_.n_dir;) {
      const double* const spline =
          arrays_.spline + 4 * call_.n_lm * (k + call_.n_knots * (arrays_.atom_table[atom] - 1)) + next * d;
      const bool three = d + 3 <= call_.n_dir;
      (three ? add_group<l_max, 3> : add_group<l_max, 1>)(points_, chunk.begin, lists.sorted_point + begin,
                                                          lists.sorted_fraction + begin, some, nucleus,
                                                          grid.first, spline, next, potential + stride * d,
                                                          stride);
      d += three ? 3 : 1;
    }
  }
}

void NearField::add(const Cell& chunk, const std::vector<int32_t>& leaves, double* memory,
                    double* potential) const {
  with_l_max(call_.l_max, [&](auto l_max) {
    for (int64_t atom = 0; atom < call_.n_atoms; ++atom)
      if (side_of(chunk.ball, arrays_.atom_coords + 3 * atom, arrays_.radius_of(atom)) != Side::far_away)
        add_atom<decltype(l_max)::value>(chunk, leaves, atom, memory, potential);
  });
}

}  // namespace suite::dfpt
