// SPDX-License-Identifier: BSD-3-Clause
// Expansions of far fields (../far_tree.hpp; formulas: ../cpu/expansions.hpp), a group for each cell. Up to three
// directions and both parts of a complex number are one vector: re 1, 2, 3, -, im 1, 2, 3, -. Expansions have the
// components of m >= 0.
#define MOST_ORDER 18
#define CELL_ORDER 12
#define HALF_COUNT(order) (((order) + 1) * ((order) + 2) / 2)
#define HALF(l, m) ((l) * ((l) + 1) / 2 + (m))
#define WHOLE_COUNT(order) (((order) + 1) * ((order) + 1))
#define WHOLE(l, m) ((l) * (l) + (l) + (m))
// The parts' signs are the conjugate's.
#define CONJUGATE(v) ((double8)((v).s0123, -(v).s4567))
#define BOTH(re, im) ((double8)((double4)(re), (double4)(im)))

// As ../device/far_field.hpp has them.
typedef struct {
  double centre[3];
  int multipole, order;
} far_source;
typedef struct {
  int source, first, last;
} far_parts;
typedef struct {
  double centre[3];
  int parent, order, expansion, first_far, last_far, first_direct, last_direct, begin, end, unused;
} far_cell;
typedef struct {
  int source, source_order, order;
} far_taken;

// The column m of harmonics up to this order, and with it that of -m: irregular ones, or regular ones.
INLINE void put_column(int is_irregular, double x, double y, double z, int order, int m, __local double* re, __local double* im) {
  const double r2 = x * x + y * y + z * z, over = is_irregular ? 1 / r2 : 0;
  double here = is_irregular ? sqrt(over) : 1, here_im = 0, below = 0, below_im = 0;
  for (int k = 1; k <= m; ++k) {
    const double factor = is_irregular ? (2 * k - 1) * over : 1.0 / (2 * k), up = (here * x - here_im * y) * factor;
    here_im = (here * y + here_im * x) * factor;
    here = up;
  }
  const double sign = m % 2 ? -1 : 1;
  for (int l = m; l <= order; ++l) {
    if (l > m) {
      const double scale = is_irregular ? over : 1.0 / ((l + m) * (l - m)), along = (2 * l - 1) * z * scale,
                   back = (is_irregular ? (double)((l - 1) * (l - 1) - m * m) : r2) * scale;
      const double up = along * here - back * below, up_im = along * here_im - back * below_im;
      below = here;
      below_im = here_im;
      here = up;
      here_im = up_im;
    }
    re[WHOLE(l, m)] = here;
    im[WHOLE(l, m)] = here_im;
    if (m > 0) {
      re[WHOLE(l, -m)] = sign * here;
      im[WHOLE(l, -m)] = -sign * here_im;
    }
  }
}

// An expansion with all m.
INLINE void put_whole(__global const double8* half_of, int order, __local double8* whole) {
  for (int e = ITEM; e < WHOLE_COUNT(order); e += LOCAL) {
    int l = 0;
    while (WHOLE_COUNT(l) <= e) ++l;
    const int m = e - WHOLE(l, 0);
    const double8 v = half_of[HALF(l, abs(m))];
    whole[e] = m >= 0 ? v : m % 2 ? -CONJUGATE(v) : CONJUGATE(v);
  }
}

INLINE int row_of(int component) {
  int l = 0;
  while (HALF_COUNT(l) <= component) ++l;
  return l;
}

KERNEL void atom_multipoles(__global const double* moments, __global const int* atom_table, __global const double* factors,
                            __global double8* multipoles, int n_atoms, int n_tables, int l_max, int first_dir, int dirs) {
  const int of_atom = HALF_COUNT(l_max), count = n_atoms * of_atom;
  for (int e = SHARE_BEGIN(1, count) + ITEM; e < SHARE_END(1, count); e += LOCAL) {
    const int component = e % of_atom, l = row_of(component), m = component - HALF(l, 0);
    double value[8];
    for (int d = 0; d < 4; ++d) {
      value[d] = value[4 + d] = 0;
      if (d >= dirs) continue;
      __global const double* from =
          moments + (size_t)WHOLE_COUNT(l_max) * (atom_table[e / of_atom] - 1 + (size_t)n_tables * (first_dir + d)) + WHOLE(l, 0);
      value[d] = factors[component] * from[m];
      if (m > 0) value[4 + d] = factors[component] * from[-m];
    }
    multipoles[e] = vload8(0, value);
  }
}

KERNEL void cell_multipoles(__global const far_source* sources, __global const far_parts* cells, __global const int* parts,
                            __global double8* multipoles, int first, int count, int dirs) {
  __local double re[WHOLE_COUNT(CELL_ORDER)], im[WHOLE_COUNT(CELL_ORDER)];
  __local double8 M[WHOLE_COUNT(CELL_ORDER)];
  for (int row = SHARE_BEGIN(1, count); row < SHARE_END(1, count); ++row) {
    __global const far_parts* cell = cells + first + row;
    __global const far_source* whole = sources + cell->source;
    __global double8* to = multipoles + whole->multipole;
    for (int i = cell->first; i < cell->last; ++i) {
      __global const far_source* part = sources + parts[i];
      BARRIER;
      for (int m = ITEM; m <= CELL_ORDER; m += LOCAL)
        put_column(0, part->centre[0] - whole->centre[0], part->centre[1] - whole->centre[1],
                   part->centre[2] - whole->centre[2], CELL_ORDER, m, re, im);
      put_whole(multipoles + part->multipole, part->order, M);
      BARRIER;
      for (int e = ITEM; e < HALF_COUNT(CELL_ORDER); e += LOCAL) {
        const int l = row_of(e), m = e - HALF(l, 0);
        double8 straight = 0, turned = 0;
        for (int j = 0; j <= min(l, part->order); ++j)
          for (int k = max(-j, m - (l - j)); k <= min(j, m + (l - j)); ++k) {
            straight += M[WHOLE(j, k)] * re[WHOLE(l - j, m - k)];
            turned += M[WHOLE(j, k)] * im[WHOLE(l - j, m - k)];
          }
        const double8 sum = straight + (double8)(-turned.s4567, turned.s0123);
        to[e] = i == cell->first ? sum : to[e] + sum;
      }
    }
  }
}

// The terms of m and -m have the same M_lm = a + i b, and
//   conj(M_lm) I+ + (-1)^m M_lm I- = a (I+ + I') + i b (I' - I+),  I' = (-1)^m I-,
// with I+ and I- at k + m and k - m.
KERNEL void local_expansions(__global const far_source* sources, __global const far_cell* cells, __global const far_taken* taken,
                             __global const int* targets, __global const double8* multipoles, __global double8* locals, int first,
                             int count, int most, int dirs) {
  __local double re[WHOLE_COUNT(MOST_ORDER + CELL_ORDER)], im[WHOLE_COUNT(MOST_ORDER + CELL_ORDER)];
  __local double8 a[HALF_COUNT(CELL_ORDER)], b[HALF_COUNT(CELL_ORDER)];
  for (int row = SHARE_BEGIN(1, count); row < SHARE_END(1, count); ++row) {
    __global const far_cell* cell = cells + targets[first + row];
    __global double8* L = locals + cell->expansion;
    for (int e = ITEM; e < HALF_COUNT(cell->order); e += LOCAL) L[e] = 0;
    for (int t = cell->first_far; t < cell->last_far; ++t) {
      __global const far_source* source = sources + taken[t].source;
      const int order = taken[t].order, source_order = taken[t].source_order;
      BARRIER;
      for (int m = ITEM; m <= order + source_order; m += LOCAL)
        put_column(1, cell->centre[0] - source->centre[0], cell->centre[1] - source->centre[1],
                   cell->centre[2] - source->centre[2], order + source_order, m, re, im);
      for (int e = ITEM; e < HALF_COUNT(source_order); e += LOCAL) {
        const double8 v = multipoles[source->multipole + e];
        a[e] = (double8)(v.s0123, v.s0123);
        b[e] = (double8)(v.s4567, v.s4567);
      }
      BARRIER;
      for (int e = ITEM; e < HALF_COUNT(order); e += LOCAL) {
        const int j = row_of(e), k = e - HALF(j, 0);
        double8 sum = 0, more = 0;
        for (int l = 0; l <= source_order; ++l) {
          const int middle = WHOLE(l + j, k);
          sum += a[HALF(l, 0)] * BOTH(re[middle], im[middle]);
          double sign = -1;
          for (int m = 1; m <= l; ++m, sign = -sign) {
            const double up = re[middle + m], up_im = im[middle + m], down = sign * re[middle - m],
                         down_im = sign * im[middle - m];
            sum += a[HALF(l, m)] * BOTH(up + down, up_im + down_im);
            more += b[HALF(l, m)] * BOTH(up_im - down_im, down - up);
          }
        }
        L[e] += j % 2 ? -(sum + more) : sum + more;
      }
    }
  }
}

KERNEL void moved_expansions(__global const far_cell* cells, __global const int* moved, __global double8* locals, int first,
                             int count, int dirs) {
  __local double re[WHOLE_COUNT(MOST_ORDER)], im[WHOLE_COUNT(MOST_ORDER)];
  __local double8 L[WHOLE_COUNT(MOST_ORDER)];
  for (int row = SHARE_BEGIN(1, count); row < SHARE_END(1, count); ++row) {
    __global const far_cell* cell = cells + moved[first + row];
    __global const far_cell* above = cells + cell->parent;
    BARRIER;
    for (int m = ITEM; m <= above->order; m += LOCAL)
      put_column(0, cell->centre[0] - above->centre[0], cell->centre[1] - above->centre[1],
                 cell->centre[2] - above->centre[2], above->order, m, re, im);
    put_whole(locals + above->expansion, above->order, L);
    BARRIER;
    for (int e = ITEM; e < HALF_COUNT(cell->order); e += LOCAL) {
      const int l = row_of(e), m = e - HALF(l, 0);
      double8 straight = 0, turned = 0;
      for (int j = l; j <= above->order; ++j)
        for (int k = max(-j, m - (j - l)); k <= min(j, m + (j - l)); ++k) {
          straight += L[WHOLE(j, k)] * re[WHOLE(j - l, k - m)];
          turned += L[WHOLE(j, k)] * im[WHOLE(j - l, k - m)];
        }
      locals[cell->expansion + e] += straight + (double8)(turned.s4567, -turned.s0123);
    }
  }
}
