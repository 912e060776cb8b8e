// SPDX-License-Identifier: BSD-3-Clause
// kinetic = fourier (../fourier.hpp): a work-item takes a line of N points of one vector of orbitals to its waves and back,
// stage by stage: radix 4 and 2 by sums and differences, others each number as the sum that fourier.hpp states.
//
//   MOST  points of a line that a work-item has room for
// Everywhere n is the points of a line and d its direction: 0, 1, 2. What differs from line to line is no build option,
// because a program takes longer to build than to run.

// exp(-i dt T)/N of each wave and e^{i(A+k)r} of each point: [place or point][re, im][orbital]. waves: q and the slope of
// each place's wave; momenta: A+k, [direction][orbital].
__kernel void line_tables(const __global double* waves, const __global double* momenta, __global real* phase,
                          __global real* turns, double dt, double h, int n, int d, int norb) {
  const int padded = PADDED(norb), last = SHARE_END(0, n * padded);
  for (int index = SHARE_BEGIN(0, n * padded); index < last; ++index) {
    const int at = index / padded, o = index % padded, to = 2 * at * padded + o;
    const double kappa = momenta[d * padded + o], q = waves[2 * at], slope = waves[2 * at + 1];
    const double angle = n == 1 ? 0 : -0.5 * dt * (q * q + kappa * (2 * slope + kappa)), way = kappa * h * (at - n / 2);
    phase[to] = (real)(cos(angle) / n);
    phase[to + padded] = (real)(sin(angle) / n);
    turns[to] = (real)cos(way);
    turns[to + padded] = (real)sin(way);
  }
}

// Point i of the line of number q along d.
static int3 point_of_line(int d, int q, int i, int ny, int nz) {
  return d == 0 ? (int3)(i, q / nz, q % nz) : d == 1 ? (int3)(q / nz, i, q % nz) : (int3)(q / ny, q % ny, i);
}

// u: a phase that the orbitals have not taken yet; turns: e^{i(A+k)r} of chi. Either may be null.
static void load_line(const __global real* psi, const __global real* u, const __global real* turns, int n, int d, int q,
                      int v, int nx, int ny, int nz, int norb, vr* re, vr* im) {
  const int padded = PADDED(norb);
  for (int i = 0; i < n; ++i) {
    const int3 p = point_of_line(d, q, i, ny, nz);
    vr x, y;
    load_row(psi + row_at(p.x, p.y, p.z, v, nx, ny, nz, norb), REST(v, norb), &x, &y);
    if (u) {
      const __global real* at = u + 2 * ((p.x * ny + p.y) * nz + p.z);
      turn(&x, &y, at[0], at[1]);
    }
    if (turns) turn(&x, &y, LOAD(turns + 2 * i * padded + v * VW), -LOAD(turns + (2 * i + 1) * padded + v * VW));
    re[i] = x;
    im[i] = y;
  }
}

// A stage of radix 4, as one_stage().
static void stage_of_four(int n, int length, const __global real* roots, int back, const vr* re, const vr* im, vr* to_re, vr* to_im) {
  const int q = length / 4, each = n / length;
  const real way = back ? -1 : 1;
  for (int first = 0; first < n; first += length)
    for (int j = 0; j < q; ++j) {
      const int at = first + j, root = 2 * each * j;
      vr x1 = re[at + q], y1 = im[at + q], x2 = re[at + 2 * q], y2 = im[at + 2 * q], x3 = re[at + 3 * q], y3 = im[at + 3 * q];
      if (back) {
        turn(&x1, &y1, roots[root], -roots[root + 1]);
        turn(&x2, &y2, roots[2 * root], -roots[2 * root + 1]);
        turn(&x3, &y3, roots[3 * root], -roots[3 * root + 1]);
      }
      const vr even = re[at] + x2, even_im = im[at] + y2, a = re[at] - x2, a_im = im[at] - y2;
      const vr odd = x1 + x3, odd_im = y1 + y3, b = way * (x1 - x3), b_im = way * (y1 - y3);
      to_re[at] = even + odd;
      to_im[at] = even_im + odd_im;
      x1 = a + b_im;
      y1 = a_im - b;
      x2 = even - odd;
      y2 = even_im - odd_im;
      x3 = a - b_im;
      y3 = a_im + b;
      if (!back) {
        turn(&x1, &y1, roots[root], roots[root + 1]);
        turn(&x2, &y2, roots[2 * root], roots[2 * root + 1]);
        turn(&x3, &y3, roots[3 * root], roots[3 * root + 1]);
      }
      to_re[at + q] = x1;
      to_im[at + q] = y1;
      to_re[at + 2 * q] = x2;
      to_im[at + 2 * q] = y2;
      to_re[at + 3 * q] = x3;
      to_im[at + 3 * q] = y3;
    }
}
static void stage_of_two(int n, int length, const __global real* roots, int back, const vr* re, const vr* im, vr* to_re, vr* to_im) {
  const int q = length / 2, each = n / length;
  for (int first = 0; first < n; first += length)
    for (int j = 0; j < q; ++j) {
      const int at = first + j, root = 2 * each * j;
      vr x = re[at + q], y = im[at + q];
      if (back) turn(&x, &y, roots[root], -roots[root + 1]);
      vr down = re[at] - x, down_im = im[at] - y;
      if (!back) turn(&down, &down_im, roots[root], roots[root + 1]);
      to_re[at] = re[at] + x;
      to_im[at] = im[at] + y;
      to_re[at + q] = down;
      to_im[at + q] = down_im;
    }
}

// Stages: radix and length of each. roots: e^{-2 pi i m/n}.
static void one_stage(int n, int radix, int length, const __global real* roots, int back, const vr* re, const vr* im,
                      vr* to_re, vr* to_im) {
  if (radix == 4) {
    stage_of_four(n, length, roots, back, re, im, to_re, to_im);
    return;
  }
  if (radix == 2) {
    stage_of_two(n, length, roots, back, re, im, to_re, to_im);
    return;
  }
  const int q = length / radix, each = n / length;
  for (int first = 0; first < n; first += length)
    for (int major = 0; major < radix; ++major)
      for (int j = 0; j < q; ++j) {
        const int more = back ? each * (major * q + j) : major * (n / radix);
        int at = back ? 0 : each * major * j;
        vr x = 0, y = 0;
        for (int i = 0; i < radix; ++i) {
          const int from = first + i * q + j;
          const real c = roots[2 * at], s = back ? -roots[2 * at + 1] : roots[2 * at + 1];
          x += c * re[from] - s * im[from];
          y += c * im[from] + s * re[from];
          at += more;
          if (at >= n) at -= n;
        }
        to_re[first + major * q + j] = x;
        to_im[first + major * q + j] = y;
      }
}

#define LINE_ROOM vr room[4 * MOST]
// Where a stage finds the line, and where it leaves it.
#define LINE_RE(stage) (room + ((stage) % 2) * 2 * MOST)
#define LINE_IM(stage) (LINE_RE(stage) + MOST)

static void to_waves(int n, const __global int* stages, int count, const __global real* roots, vr* room) {
  for (int s = 0; s < count; ++s)
    one_stage(n, stages[2 * s], stages[2 * s + 1], roots, 0, LINE_RE(s), LINE_IM(s), LINE_RE(s + 1), LINE_IM(s + 1));
}

__kernel void propagate_lines(__global real* psi, const __global real* u, const __global int* stages, int count,
                              const __global real* roots, const __global real* phase, const __global real* turns,
                              int with_u, int with_turns, int n, int d, int nx, int ny, int nz, int norb) {
  const int lines = nx * ny * nz / n, last = SHARE_END(1, lines), padded = PADDED(norb);
  for (int q = SHARE_BEGIN(1, lines); q < last; ++q)
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0)) {
      LINE_ROOM;
      load_line(psi, with_u ? u : 0, with_turns ? turns : 0, n, d, q, v, nx, ny, nz, norb, LINE_RE(0), LINE_IM(0));
      to_waves(n, stages, count, roots, room);
      for (int i = 0; i < n; ++i)
        turn(LINE_RE(count) + i, LINE_IM(count) + i, LOAD(phase + 2 * i * padded + v * VW),
             LOAD(phase + (2 * i + 1) * padded + v * VW));
      for (int s = count - 1; s >= 0; --s)
        one_stage(n, stages[2 * s], stages[2 * s + 1], roots, 1, LINE_RE(s + 1), LINE_IM(s + 1), LINE_RE(s), LINE_IM(s));
      for (int i = 0; i < n; ++i) {
        const int3 p = point_of_line(d, q, i, ny, nz);
        if (with_turns)
          turn(LINE_RE(0) + i, LINE_IM(0) + i, LOAD(turns + 2 * i * padded + v * VW),
               LOAD(turns + (2 * i + 1) * padded + v * VW));
        store_row(psi + row_at(p.x, p.y, p.z, v, nx, ny, nz, norb), REST(v, norb), LINE_RE(0)[i], LINE_IM(0)[i]);
      }
    }
}

// Sums over lines of |psi_q|^2/N and, with velocity, q + A + k, else 1/2 (q + A + k)^2: of the lines of row `row` of the first
// other direction.
static vd sum_of_lines(const __global real* psi, const __global int* stages, int count, const __global real* roots,
                       const __global double* waves, const __global double* momenta, const __global real* turns, int velocity,
                       int n, int d, int row, int v, int nx, int ny, int nz, int norb) {
  const int inner = d == 2 ? ny : nz, outer = d == 0 ? ny : nx;
  const vd kappa = LOAD(momenta + d * PADDED(norb) + v * VW);
  vd sum = 0;
  for (int q = row * inner; n > 1 && row < outer && q < (row + 1) * inner; ++q) {
    LINE_ROOM;
    load_line(psi, 0, turns, n, d, q, v, nx, ny, nz, norb, LINE_RE(0), LINE_IM(0));
    to_waves(n, stages, count, roots, room);
    for (int i = 0; i < n; ++i) {
      const vd x = TO_DOUBLE(LINE_RE(count)[i]), y = TO_DOUBLE(LINE_IM(count)[i]);
      const double w = waves[2 * i], slope = waves[2 * i + 1];
      const vd weight = velocity ? slope + kappa : 0.5 * (w * w + kappa * (2 * slope + kappa));
      sum += weight * (x * x + y * y);
    }
  }
  return sum / n;
}

// By row and orbital, added to what is there unless this is the first direction.
__kernel void line_energies(const __global real* psi, const __global int* stages, int count, const __global real* roots,
                            const __global double* waves, const __global double* momenta, __global double* partial,
                            int rows, int is_first, int n, int d, int nx, int ny, int nz, int norb) {
  const int last = SHARE_END(1, rows), padded = PADDED(norb);
  for (int row = SHARE_BEGIN(1, rows); row < last; ++row)
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0)) {
      __global double* to = partial + (size_t)row * padded + v * VW;
      const vd sum = sum_of_lines(psi, stages, count, roots, waves, momenta, 0, 0, n, d, row, v, nx, ny, nz, norb);
      STORE(is_first ? sum : LOAD(to) + sum, to);
    }
}

// By row and vector, three numbers: those of the direction d times f.
__kernel void line_velocities(const __global real* psi, const __global int* stages, int count, const __global real* roots,
                              const __global double* waves, const __global double* momenta, const __global real* turns,
                              const __global double* f, __global double* partial, int rows, int with_turns, int n,
                              int d, int nx, int ny, int nz, int norb) {
  const int last = SHARE_END(1, rows);
  for (int row = SHARE_BEGIN(1, rows); row < last; ++row)
    for (int v = (int)get_global_id(0); v < VECTORS(norb); v += (int)get_global_size(0)) {
      const vd sum = sum_of_lines(psi, stages, count, roots, waves, momenta, with_turns ? turns : 0, 1, n, d, row, v, nx, ny, nz, norb);
      partial[3 * ((size_t)row * VECTORS(norb) + v) + d] = sum_of(LOAD(f + v * VW) * sum);
    }
}
