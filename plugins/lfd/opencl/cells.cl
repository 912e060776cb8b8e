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
// On PoCL only: oclgrind has no such instruction.
#if VW > 1 && defined(POCL_DEVICE_ADDRESS_BITS) && defined(__has_builtin)
#if __has_builtin(__builtin_prefetch)
#define CAN_PREFETCH 1
#endif
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

// Sums over the density of a block, in double and apart for each orbital: f |psi|^2, and times x, y, z counted in points.
typedef struct {
  vd n, x, y, z;
} Sums;

// n[8]: the density of each orbital at the points of the even cell at (i,j,k).
static void add_cell(const vr* n, int i, int j, int k, Sums* sums) {
  const vr low_x = (n[0] + n[1]) + (n[2] + n[3]), high_x = (n[4] + n[5]) + (n[6] + n[7]);
  const vd all = TO_DOUBLE(low_x + high_x);
  sums->n += all;
  sums->x += TO_DOUBLE(high_x) + (double)i * all;
  sums->y += TO_DOUBLE((n[2] + n[3]) + (n[6] + n[7])) + (double)j * all;
  sums->z += TO_DOUBLE((n[1] + n[3]) + (n[5] + n[7])) + (double)k * all;
}

// The even cell again; where rho is given the block's share of the density, rho(Nz,Ny,Nx), and the sums where they are.
WIDE static void end_cell(__global real* psi, vr f, __global real* rho, Sums* sums, Cells g, int i, int j, int k) {
  __global real* p = psi + i * g.plane + j * g.line + 2 * VW * (size_t)k;
  const size_t dx = g.plane, dy = g.line, dz = 2 * VW, px = (size_t)g.ny * g.nz, py = g.nz;
  vr re[8], im[8];
  EACH(LOAD_POINT)
  JOIN_Z(g.hz)
  JOIN_Y(g.hy)
  JOIN_X(g.hx)
  EACH(STORE_POINT)
  if (!rho && !sums) return;
  vr n[8];
#define DENSITY(q) n[q] = THERE(q) ? f * (re[q] * re[q] + im[q] * im[q]) : (vr)0;
  EACH(DENSITY)
  if (sums) add_cell(n, i, j, k, sums);
  if (!rho) return;
  rho += ((size_t)i * g.ny + j) * g.nz + k;
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
  const r8 sums_of_lanes = (r8)(ab.even, cd.even) + (r8)(ab.odd, cd.odd);
  vstore2(sums_of_lanes.s01, 0, rho);
  vstore2(sums_of_lanes.s23, 0, rho + py);
  vstore2(sums_of_lanes.s45, 0, rho + px);
  vstore2(sums_of_lanes.s67, 0, rho + px + py);
#else
#define SUM_POINT(q) if (THERE(q)) rho[((q) & 4 ? px : 0) + ((q) & 2 ? py : 0) + ((q) & 1 ? 1 : 0)] = sum_of_lanes(n[q]);
  EACH(SUM_POINT)
#endif
}

#define STEP_ARGUMENTS                                                                                              \
  __global real *psi, const __global real *u, const __global real *borders, const __global real *f,                 \
      __global real *shares, int with_rho, int nx, int ny, int nz, int padded, double hx, double hy, double hz, double fx, double fy, \
      double fz
#define BLOCK_SIZE ((((2 * (size_t)nz + 3) * ny + 5) * nx + 7) * VW)

// A block and what its step needs; rho and sums are 0 where they are not wanted.
typedef struct {
  __global real *psi, *rho;
  const __global real *u, *border;
  vr f;
  Sums* sums;
  int far;
} Block;

// The lines of a cache that hold the cell at p and the points of a direction from it.
static void ask_for(const __global real* p, size_t dx, size_t dy) {
#if CAN_PREFETCH
  for (int q = 0; q < WX * WY; ++q) {
    const __global char* from = (const __global char*)(p + (q / WY) * dx + (q % WY) * dy);
    for (int byte = 0; byte < (int)(2 * WZ * sizeof(vr)); byte += 64) __builtin_prefetch(from + byte, 1);
  }
#endif
}

// A block that comes from far away is asked for two rows ahead, or for the first rows of the next slab.
WIDE static void begin_row(Block b, Cells g, int i, int j) {
  if (i < 0) return;
  const size_t ahead = !b.far ? 0 : j + WY < g.ny ? WY * g.line : i + WX < g.nx ? WX * g.plane - j * g.line : 0;
  for (int k = 0; k < g.nz; k += WZ) {
    if (ahead) ask_for(b.psi + i * g.plane + j * g.line + 2 * VW * (size_t)k + ahead, g.plane, g.line);
    begin_cell(b.psi, b.u, g, i, j, k);
  }
}
WIDE static void middle_row(Block b, Cells g, int i, int j) {
  if (i < 0) return;
  for (int k = WZ - 1; k < g.nz; k += WZ) middle_cell(b.psi, b.border, g, i, j, k);
}
WIDE static void end_row(Block b, Cells g, int i, int j) {
  if (i < 0) return;
  for (int k = 0; k < g.nz; k += WZ) end_cell(b.psi, b.f, b.rho, b.sums, g, i, j, k);
}

// Rows of cells in the three slabs under way, in the order in which they meet the same rows; -1 is no slab.
WIDE static void slabs(Block b, Cells g, int first, int second, int third) {
  begin_row(b, g, first, 0);
  for (int j = 2; j < g.ny; j += 2) {
    begin_row(b, g, first, j);
    middle_row(b, g, second, j - 1);
    if (j >= 4) end_row(b, g, third, j - 2);
  }
  middle_row(b, g, second, g.ny - 1);
  if (g.ny > 2) end_row(b, g, third, g.ny - 2);
  end_row(b, g, third, 0);
}

// A whole step of a block, for a CPU: a slab of even cells, the odd cells behind it, then the last even ones behind
// those, so that vectors stream through memory once.
WIDE static void whole_step(Block b, Cells g) {
  for (int i = 0; i < g.nx; i += 2) slabs(b, g, i, i >= 2 ? i - 1 : -1, i >= 4 ? i - 2 : -1);
  slabs(b, g, -1, g.nx - 1, g.nx > 2 ? g.nx - 2 : -1);
  slabs(b, g, -1, -1, 0);
}

// One step of each block, by one work-item.
WIDE __kernel void step_of_block(STEP_ARGUMENTS) {
  const Cells g = cells_of(nx, ny, nz, padded, hx, hy, hz, fx, fy, fz);
  const size_t at = get_global_id(0);
  const Block b = {psi + at * BLOCK_SIZE,
                   with_rho ? shares + at * (size_t)nx * ny * nz : 0,
                   u,
                   borders + VW * at,
                   LOAD(f + at * VW),
                   0,
                   1};
  whole_step(b, g);
}

// Several steps of each block while it is in a near cache: v stands still, and the density is wanted after the last one
// only. u and borders hold those of several steps in turn; bit s of `fresh`: step s takes the next. moments[step][block]:
// sums of x, y, z times the density, and of the density.
WIDE __kernel void steps_of_block(STEP_ARGUMENTS, int steps, ulong fresh, __global double* moments, double x, double y,
                                  double z) {
  const Cells g = cells_of(nx, ny, nz, padded, hx, hy, hz, fx, fy, fz);
  const size_t at = get_global_id(0);
  Sums sums;
  Block b = {psi + at * BLOCK_SIZE, 0, u, borders + VW * at, LOAD(f + at * VW), &sums, 1};
  for (int step = 0; step < steps; ++step) {
    if (step > 0 && (fresh >> step & 1)) {
      b.u += 2 * (size_t)nx * ny * nz;
      b.border += 6 * (size_t)padded;
    }
    if (with_rho && step + 1 == steps) b.rho = shares + at * (size_t)nx * ny * nz;
    sums.n = 0, sums.x = 0, sums.y = 0, sums.z = 0;
    whole_step(b, g);
    b.far = 0;
    __global double* out = moments + 4 * (step * get_global_size(0) + at);
    const double n = sum_of(sums.n);
    out[0] = (sum_of(sums.x) - nx / 2 * n) * x;
    out[1] = (sum_of(sums.y) - ny / 2 * n) * y;
    out[2] = (sum_of(sums.z) - nz / 2 * n) * z;
    out[3] = n;
  }
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
  end_cell(psi, 0, 0, 0, g, i, j, k);
}
