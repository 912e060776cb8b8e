// SPDX-License-Identifier: BSD-3-Clause
// gw.screening on a GPU: a thread for each G vector, then for each pair (G,G').
#include "../device/screening.hpp"
#include "../gw.hpp"
#include "../metric.hpp"
#include "../pole.hpp"

#include <suite/gpu.hpp>

namespace suite::gw {
namespace {

constexpr int pair_threads = 256, row_threads = 128;
constexpr int64_t most_pair_blocks = (int64_t{1} << 31) - 1;

__global__ void __launch_bounds__(row_threads)
    rows_of_vectors(const int32_t* g, const double* vcoul, const double* q, const double* bdot, double* rows, int32_t* wrong,
                    int64_t ncouls, double factor, double plasma2_volume, double w_imaginary2) {
  const int64_t ig = int64_t{blockIdx.x} * row_threads + threadIdx.x;
  if (ig >= ncouls) return;
  double x[3];
  SUITE_GPU_UNROLL
  for (int i = 0; i < 3; ++i) x[i] = q[i] + g[3 * ig + i];
  SUITE_GPU_UNROLL
  for (int i = 0; i < 3; ++i) {
    rows[6 * ig + i] = factor * vcoul[ig] * (bdot[i] * x[0] + bdot[i + 3] * x[1] + bdot[i + 6] * x[2]);
    rows[6 * ig + 3 + i] = x[i];
  }
  if (ig > 0) return;
  *wrong = is_of_a_lattice(bdot) ? 0 : 1;
  rows[6 * ncouls] = plasma2_volume / volume_of(bdot);
  rows[6 * ncouls + 1] = w_imaginary2;
}

struct Pairs {
  const double* rows;
  const int32_t* wrong;
  const int32_t* g;
  const double* rho;
  const int32_t* columns;
  const double *epsinv, *epsinv_imaginary;
  double *I_eps, *wtilde;
  int64_t ncouls, pairs;
  int reach_x, reach_y, reach_z, model, mode, parts;
};

__device__ __forceinline__ Complexes<double> omega_of(const Pairs& f, int64_t ig, int64_t column) {
  const double *const row = f.rows + 6 * ig, *const other = f.rows + 6 * column;
  if (row[3] == 0 && row[4] == 0 && row[5] == 0) return {ig == column ? f.rows[6 * f.ncouls] : 0.0, 0.0};
  const int x = f.g[3 * ig] - f.g[3 * column], y = f.g[3 * ig + 1] - f.g[3 * column + 1], z = f.g[3 * ig + 2] - f.g[3 * column + 2];
  if (x < -f.reach_x || x > f.reach_x || y < -f.reach_y || y > f.reach_y || z < -f.reach_z || z > f.reach_z) return {0.0, 0.0};
  const double factor = row[0] * other[3] + row[1] * other[4] + row[2] * other[5];
  const double* const rho =
      f.rho + ((int64_t{x + f.reach_x} * (2 * f.reach_y + 1) + (y + f.reach_y)) * (2 * f.reach_z + 1) + (z + f.reach_z)) * f.parts;
  return {factor * rho[0], f.parts == 2 ? factor * rho[1] : 0.0};
}

__global__ void __launch_bounds__(pair_threads) poles_of_pairs(Pairs f) {
  const int64_t at = int64_t{blockIdx.x} * pair_threads + threadIdx.x;
  if (at >= f.pairs || *f.wrong) return;
  const int64_t ig = at % f.ncouls, column = f.columns[at / f.ncouls];
  PoleOf<double> pole{{0, 0}, {0, 0}};
  if (column >= 0) {
    const double delta = ig == column ? 1 : 0;
    const Complexes<double> I{delta - f.epsinv[at * f.parts], f.parts == 2 ? -f.epsinv[at * 2 + 1] : 0.0};
    if (f.model == static_cast<int>(Model::hybertsen_louie)) {
      pole = hybertsen_louie<double, ScalarMath>(omega_of(f, ig, column), I, f.mode);
    } else if (f.model == static_cast<int>(Model::godby_needs)) {
      const Complexes<double> second{delta - f.epsinv_imaginary[at * f.parts], f.parts == 2 ? -f.epsinv_imaginary[at * 2 + 1] : 0.0};
      pole = godby_needs<double, ScalarMath>(I, second, f.rows[6 * f.ncouls + 1], f.mode);
    } else {
      pole = {{1e12, 0}, I};
    }
  }
  f.I_eps[at * f.parts] = pole.I.re;
  if (f.parts == 2) f.I_eps[at * 2 + 1] = pole.I.im;
  f.wtilde[2 * at] = pole.w.re;
  f.wtilde[2 * at + 1] = pole.w.im;
}

void launch_rows(const device::Queue& queue, int64_t, const int32_t* g, const double* vcoul, const double* q, const double* bdot,
                 double* rows, int32_t* wrong, int64_t ncouls, double factor, double plasma2_volume, double w_imaginary2) {
  SUITE_GPU_LAUNCH(rows_of_vectors, gpu::blocks_for(ncouls, row_threads), row_threads, 0, queue.stream(), g, vcoul, q, bdot, rows, wrong,
                   ncouls, factor, plasma2_volume, w_imaginary2);
}

void launch_pair_poles(const device::Queue& queue, int64_t, const double* rows, const int32_t* wrong, const int32_t* g, const double* rho,
                       const int32_t* columns, const double* epsinv, const double* epsinv_imaginary, double* I_eps, double* wtilde,
                       int64_t ncouls, int64_t pairs, int32_t reach_x, int32_t reach_y, int32_t reach_z, int32_t model, int32_t mode,
                       int32_t parts) {
  const int64_t blocks = (pairs + pair_threads - 1) / pair_threads;
  if (blocks > most_pair_blocks)
    throw Failure(SUITE_UNSUPPORTED,
                  concat("the call takes ", blocks, " blocks of threads; this implementation serves up to ", most_pair_blocks));
  const Pairs f{rows,    wrong,   g,       rho,   columns, epsinv, epsinv_imaginary, I_eps, wtilde, ncouls, pairs,
                reach_x, reach_y, reach_z, model, mode,    parts};
  SUITE_GPU_LAUNCH(poles_of_pairs, static_cast<unsigned>(blocks), pair_threads, 0, queue.stream(), f);
}

}  // namespace

SetRows set_rows() { return {launch_rows}; }
PairPoles pair_poles() { return {launch_pair_poles}; }

}  // namespace suite::gw
