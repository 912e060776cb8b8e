// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate's own order of psi (BLOCKS), and its kinetic propagator in cells of 2 x 2 x 2 points.
//
// The parts of different directions commute, so that [half x, half y, half z] [full x, full y, full z] [half x, half y,
// half z] is the step of lfd.hpp: three passes over cells that do not touch each other, in place. The halves join the
// even cells, from (0,0,0), the full parts the odd ones, from (1,1,1), around the border. Each pair takes the form
// a += i t b, b += i t a (../splitting.hpp), four multiply-adds; the constants are in the phase u.
// Blocks hold chi = e^{i(A+k).r} psi, so that only the bonds across the border carry a phase.
//
//   WX, WY, WZ  points of a cell: 2, or 1 in a direction of one point
//   BORDER      1: there are A or k, 0: none
// WIDE: some compilers for processors halve vectors of 512 bits unless a function asks for them.
#if defined(__has_attribute)
#if __has_attribute(min_vector_width)
#define WIDE __attribute__((min_vector_width(512)))
#endif
#endif
#ifndef WIDE
#define WIDE
#endif
#define THERE(q) (!((q) & 4 && WX == 1) && !((q) & 2 && WY == 1) && !((q) & 1 && WZ == 1))
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)

// Where point q = 4 di + 2 dj + dk of a cell lies; distances in numbers.
#define PLACE(q) (((q) & 4 ? dx : 0) + ((q) & 2 ? dy : 0) + ((q) & 1 ? dz : 0))
#define LOAD_POINT(q)             \
  if (THERE(q)) {                 \
    re[q] = LOAD_ALIGNED(p + PLACE(q));   \
    im[q] = LOAD_ALIGNED(p + PLACE(q) + VW); \
  }
#define STORE_POINT(q)             \
  if (THERE(q)) {                  \
    STORE_ALIGNED(re[q], p + PLACE(q));    \
    STORE_ALIGNED(im[q], p + PLACE(q) + VW); \
  }
#define PAIR(a, b, t)                                                        \
  {                                                                          \
    const vr ar = re[a] - t * im[b], ai = im[a] + t * re[b];                 \
    const vr br = re[b] - t * im[a], bi = im[b] + t * re[a];                 \
    re[a] = ar, im[a] = ai, re[b] = br, im[b] = bi;                          \
  }
// a is the last point of a direction and b the first, behind the border.
#define PAIR_AT_BORDER(a, b, c, s)                                                     \
  {                                                                                    \
    const vr ar = re[a] - s * re[b] - c * im[b], ai = im[a] + c * re[b] - s * im[b];   \
    const vr br = re[b] + s * re[a] - c * im[a], bi = im[b] + c * re[a] + s * im[a];   \
    re[a] = ar, im[a] = ai, re[b] = br, im[b] = bi;                                    \
  }
#define JOIN_X(t) if (WX == 2) { PAIR(0, 4, t) PAIR(1, 5, t) PAIR(2, 6, t) PAIR(3, 7, t) }
#define JOIN_Y(t) if (WY == 2) { PAIR(0, 2, t) PAIR(1, 3, t) PAIR(4, 6, t) PAIR(5, 7, t) }
#define JOIN_Z(t) if (WZ == 2) { PAIR(0, 1, t) PAIR(2, 3, t) PAIR(4, 5, t) PAIR(6, 7, t) }

typedef struct {
  int nx, ny, nz, padded;
  size_t line, plane;  // numbers from (i,j,k) to (i,j+1,k) and (i+1,j,k)
  real hx, hy, hz, fx, fy, fz;  // tangents of the halves and of the full parts
} Cells;

static Cells cells_of(int nx, int ny, int nz, int padded, double hx, double hy, double hz, double fx, double fy,
                      double fz) {
  const size_t line = 2 * (size_t)nz + 3, plane = line * ny + 5;
  const Cells c = {nx,       ny,       nz,       padded,   line * VW, plane * VW,
                   (real)hx, (real)hy, (real)hz, (real)fx, (real)fy,  (real)fz};
  return c;
}

// The even cell at (i,j,k), each point first multiplied by u(Nz,Ny,Nx).
WIDE static void begin_cell(__global real* psi, const __global real* u, Cells g, int i, int j, int k) {
  __global real* p = psi + i * g.plane + j * g.line + 2 * VW * (size_t)k;
  const __global real* phase = u + 2 * (((size_t)i * g.ny + j) * g.nz + k);
  const size_t dx = g.plane, dy = g.line, dz = 2 * VW, px = 2 * (size_t)g.ny * g.nz, py = 2 * (size_t)g.nz;
  vr re[8], im[8];
  EACH(LOAD_POINT)
#define TURN_POINT(q)                                                                                      \
  if (THERE(q)) {                                                                                          \
    const __global real* at = phase + ((q) & 4 ? px : 0) + ((q) & 2 ? py : 0) + ((q) & 1 ? 2 : 0);          \
    turn(&re[q], &im[q], at[0], at[1]);                                                                    \
  }
  EACH(TURN_POINT)
  JOIN_Z(g.hz)
  JOIN_Y(g.hy)
  JOIN_X(g.hx)
  EACH(STORE_POINT)
}

// The odd cell at (i,j,k). border: t cos and t sin of the phase across the border for each direction, six rows.
WIDE static void middle_cell(__global real* psi, const __global real* border, Cells g, int i, int j, int k) {
  __global real* p = psi + i * g.plane + j * g.line + 2 * VW * (size_t)k;
  const int out_x = i + 1 == g.nx, out_y = j + 1 == g.ny, out_z = k + 1 == g.nz;
  const long dx = out_x ? -(long)(i * g.plane) : (long)g.plane;
  const long dy = out_y ? -(long)(j * g.line) : (long)g.line;
  const long dz = out_z ? -(long)(2 * VW * (long)k) : (long)(2 * VW);
  vr re[8], im[8];
  EACH(LOAD_POINT)
#if BORDER
  if (out_x || out_y || out_z) {
    const int n = g.padded;
    const vr cx = LOAD(border), sx = LOAD(border + n), cy = LOAD(border + 2 * n), sy = LOAD(border + 3 * n);
    const vr cz = LOAD(border + 4 * n), sz = LOAD(border + 5 * n);
    const vr tcz = out_z ? cz : (vr)g.fz, tsz = out_z ? sz : (vr)0, tcy = out_y ? cy : (vr)g.fy,
             tsy = out_y ? sy : (vr)0, tcx = out_x ? cx : (vr)g.fx, tsx = out_x ? sx : (vr)0;
    if (WZ == 2) {
      PAIR_AT_BORDER(0, 1, tcz, tsz)
      PAIR_AT_BORDER(2, 3, tcz, tsz)
      PAIR_AT_BORDER(4, 5, tcz, tsz)
      PAIR_AT_BORDER(6, 7, tcz, tsz)
    }
    if (WY == 2) {
      PAIR_AT_BORDER(0, 2, tcy, tsy)
      PAIR_AT_BORDER(1, 3, tcy, tsy)
      PAIR_AT_BORDER(4, 6, tcy, tsy)
      PAIR_AT_BORDER(5, 7, tcy, tsy)
    }
    if (WX == 2) {
      PAIR_AT_BORDER(0, 4, tcx, tsx)
      PAIR_AT_BORDER(1, 5, tcx, tsx)
      PAIR_AT_BORDER(2, 6, tcx, tsx)
      PAIR_AT_BORDER(3, 7, tcx, tsx)
    }
    EACH(STORE_POINT)
    return;
  }
#endif
  JOIN_Z(g.fz)
  JOIN_Y(g.fy)
  JOIN_X(g.fx)
  EACH(STORE_POINT)
}

// The even cell again, and where rho is given the block's share of the density, rho(Nz,Ny,Nx).
WIDE static void end_cell(__global real* psi, vr f, __global real* rho, Cells g, int i, int j, int k) {
  __global real* p = psi + i * g.plane + j * g.line + 2 * VW * (size_t)k;
  const size_t dx = g.plane, dy = g.line, dz = 2 * VW, px = (size_t)g.ny * g.nz, py = g.nz;
  vr re[8], im[8];
  EACH(LOAD_POINT)
  JOIN_Z(g.hz)
  JOIN_Y(g.hy)
  JOIN_X(g.hx)
  EACH(STORE_POINT)
  if (!rho) return;
  rho += ((size_t)i * g.ny + j) * g.nz + k;
  vr n[8];
#define DENSITY(q) if (THERE(q)) n[q] = f * (re[q] * re[q] + im[q] * im[q]);
  EACH(DENSITY)
#if VW >= 8 && WX == 2 && WY == 2 && WZ == 2
  // Eight sums of lanes as three rounds of pairs.
  typedef CAT(REAL, 8) r8;
#if VW == 16
#define EIGHT(q) (n[q].lo + n[q].hi)
#else
#define EIGHT(q) n[q]
#endif
#define FOURS(a, b) ((r8)(EIGHT(a).lo, EIGHT(b).lo) + (r8)(EIGHT(a).hi, EIGHT(b).hi))
  const r8 a = FOURS(0, 1), b = FOURS(2, 3), c = FOURS(4, 5), d = FOURS(6, 7);
  const r8 ab = (r8)(a.s0145, b.s0145) + (r8)(a.s2367, b.s2367);
  const r8 cd = (r8)(c.s0145, d.s0145) + (r8)(c.s2367, d.s2367);
  const r8 sums = (r8)(ab.even, cd.even) + (r8)(ab.odd, cd.odd);
  vstore2(sums.s01, 0, rho);
  vstore2(sums.s23, 0, rho + py);
  vstore2(sums.s45, 0, rho + px);
  vstore2(sums.s67, 0, rho + px + py);
#else
#define SUM_POINT(q) if (THERE(q)) rho[((q) & 4 ? px : 0) + ((q) & 2 ? py : 0) + ((q) & 1 ? 1 : 0)] = sum_of_lanes(n[q]);
  EACH(SUM_POINT)
#endif
}

WIDE static void begin_slab(__global real* psi, const __global real* u, Cells g, int i) {
  for (int j = 0; j < g.ny; j += WY)
    for (int k = 0; k < g.nz; k += WZ) begin_cell(psi, u, g, i, j, k);
}
WIDE static void middle_slab(__global real* psi, const __global real* border, Cells g, int i) {
  for (int j = WY - 1; j < g.ny; j += WY)
    for (int k = WZ - 1; k < g.nz; k += WZ) middle_cell(psi, border, g, i, j, k);
}
WIDE static void end_slab(__global real* psi, vr f, __global real* rho, Cells g, int i) {
  for (int j = 0; j < g.ny; j += WY)
    for (int k = 0; k < g.nz; k += WZ) end_cell(psi, f, rho, g, i, j, k);
}

#define STEP_ARGUMENTS                                                                                              \
  __global real *psi, const __global real *u, const __global real *borders, const __global real *f,                 \
      __global real *shares, int with_rho, int nx, int ny, int nz, int padded, double hx, double hy, double hz, double fx, double fy, \
      double fz
#define BLOCK_SIZE ((((2 * (size_t)nz + 3) * ny + 5) * nx + 7) * VW)

// A whole step of a block by one work-item, for a processor: a slab of even cells, the odd cells behind it, then the
// last even ones behind those, so that vectors stream through memory once.
WIDE __kernel void step_of_block(STEP_ARGUMENTS) {
  const Cells g = cells_of(nx, ny, nz, padded, hx, hy, hz, fx, fy, fz);
  const size_t b = get_global_id(0);
  psi += b * BLOCK_SIZE;
  const __global real* border = borders + VW * b;
  const vr fn = LOAD(f + b * VW);
  __global real* rho = with_rho ? shares + b * (size_t)nx * ny * nz : 0;
  begin_slab(psi, u, g, 0);
  for (int i = 2; i < nx; i += 2) {
    begin_slab(psi, u, g, i);
    middle_slab(psi, border, g, i - 1);
    if (i >= 4) end_slab(psi, fn, rho, g, i - 2);
  }
  middle_slab(psi, border, g, nx - 1);
  if (nx > 2) end_slab(psi, fn, rho, g, nx - 2);
  end_slab(psi, fn, rho, g, 0);
}

// The passes one by one, a cell of a block for each work-item: cells in dimension 0, blocks in dimension 1.
#define CELL_OF_ITEM(x0, y0, z0)                                                    \
  const Cells g = cells_of(nx, ny, nz, padded, hx, hy, hz, fx, fy, fz);                     \
  const int cz = nz / WZ, cy = ny / WY, cell = (int)get_global_id(0);               \
  const size_t b = get_global_id(1);                                                \
  if (cell >= cz * cy * (nx / WX)) return;                                          \
  const int i = cell / (cz * cy) * WX + x0, j = cell / cz % cy * WY + y0, k = cell % cz * WZ + z0; \
  psi += b * BLOCK_SIZE;

__kernel void begin_cells(STEP_ARGUMENTS) {
  CELL_OF_ITEM(0, 0, 0)
  begin_cell(psi, u, g, i, j, k);
}
__kernel void middle_cells(STEP_ARGUMENTS) {
  CELL_OF_ITEM(WX - 1, WY - 1, WZ - 1)
  middle_cell(psi, borders + VW * b, g, i, j, k);
}
__kernel void end_cells(STEP_ARGUMENTS) {
  CELL_OF_ITEM(0, 0, 0)
  end_cell(psi, 0, 0, g, i, j, k);
}
