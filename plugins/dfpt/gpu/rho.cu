// SPDX-License-Identifier: BSD-3-Clause
// dfpt.rho on a GPU. With T_q(p,j) = sum_m chi_m(p) M_q(m,j) every form is a sum over j of two factors:
//   density matrix        M_d = P_d                    rho_d = sum_j chi_j T_d
//   orbitals              M_0 = C                      rho = 2 sum_j T_0^2
//   first-order orbitals  M_0 = C, M_(1+d) = C1_d      rho_d = 4 sum_j T_0 T_(1+d)
#include "../steps.hpp"
#include "batch_list.hpp"
#include "matrix_product.cuh"

namespace suite::dfpt {
namespace {

struct Densities {
  const Batch* batches;
  const int32_t* i_basis;
  const double *wave, *P, *C, *C1;
  double* rho;
  int64_t n_points, n_basis;
  int n_occ;

  template <RhoForm form> __device__ __forceinline__ int columns(const Batch& batch) const {
    return form == RhoForm::density_matrix ? static_cast<int>(batch.functions) : n_occ;
  }
  // P of two functions of the batch, by its upper triangle.
  __device__ __forceinline__ double matrix(const int32_t* functions, int k, int j, int d) const {
    const int64_t m = functions[k < j ? k : j] - 1, n = functions[k < j ? j : k] - 1;
    return P[m + n_basis * (n + n_basis * d)];
  }
  __device__ __forceinline__ double orbital(const int32_t* functions, int k, int j) const { return C[functions[k] - 1 + n_basis * j]; }
  __device__ __forceinline__ double first_order(const int32_t* functions, int k, int j, int d) const {
    return C1[functions[k] - 1 + n_basis * (j + int64_t{n_occ} * d)];
  }
};

// One element of M_d, or of M_(1+d).
template <RhoForm form> __device__ __forceinline__ double element_of(const Densities& call, const int32_t* functions, int k, int j, int d) {
  if constexpr (form == RhoForm::density_matrix) return call.matrix(functions, k, j, d);
  if constexpr (form == RhoForm::orbitals) return call.orbital(functions, k, j);
  return call.first_order(functions, k, j, d);
}
template <RhoForm form> inline constexpr double prefactor = form == RhoForm::density_matrix ? 1 : form == RhoForm::orbitals ? 2 : 4;

// naive: a thread for each batch, T of all its points and columns in memory.
template <RhoForm form> __global__ void rho_by_batches(Densities call, int64_t n_batches, int n_dir, int64_t workspace, double* work) {
  const int64_t slots = int64_t{gridDim.x} * blockDim.x, slot = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double *const left = work + 2 * workspace * slot, *const right = left + workspace;
  for (int64_t b = slot; b < n_batches; b += slots) {
    const Batch batch = call.batches[b];
    const int32_t* const functions = call.i_basis + batch.first_function;
    const int n = static_cast<int>(batch.functions), columns = call.columns<form>(batch);
    for (int d = 0; d < n_dir; ++d) {
      for (int64_t p = 0; p < batch.points; ++p)
        for (int j = 0; j < columns; ++j) {
          const double* const chi = call.wave + batch.wave + p * n;
          double x = 0, y = 0;
          for (int k = 0; k < n; ++k) {
            y += chi[k] * element_of<form>(call, functions, k, j, d);
            if constexpr (form == RhoForm::first_order_orbitals) x += chi[k] * call.orbital(functions, k, j);
          }
          right[p * columns + j] = y;
          left[p * columns + j] = form == RhoForm::density_matrix ? chi[j] : form == RhoForm::orbitals ? y : x;
        }
      for (int64_t p = 0; p < batch.points; ++p) {
        double sum = 0;
        for (int j = 0; j < columns; ++j) sum += left[p * columns + j] * right[p * columns + j];
        call.rho[batch.first_point + p + call.n_points * d] = prefactor<form> * sum;
      }
    }
  }
}

// parallelism: a block for each batch, a thread for each point.
template <RhoForm form> __global__ void __launch_bounds__(block_threads) rho_by_points(Densities call, int n_dir) {
  const Batch batch = call.batches[blockIdx.x];
  const int32_t* const functions = call.i_basis + batch.first_function;
  const int n = static_cast<int>(batch.functions), columns = call.columns<form>(batch);
  for (int64_t p = thread(); p < batch.points; p += block_threads) {
    const double* const chi = call.wave + batch.wave + p * n;
    for (int d = 0; d < n_dir; ++d) {
      double sum = 0;
      for (int j = 0; j < columns; ++j) {
        double x = 0, y = 0;
        for (int k = 0; k < n; ++k) {
          y += chi[k] * element_of<form>(call, functions, k, j, d);
          if constexpr (form == RhoForm::first_order_orbitals) x += chi[k] * call.orbital(functions, k, j);
        }
        sum += y * (form == RhoForm::density_matrix ? chi[j] : form == RhoForm::orbitals ? y : x);
      }
      call.rho[batch.first_point + p + call.n_points * d] = prefactor<form> * sum;
    }
  }
}

// memory, control_flow, best: a block for each tile of points, T by tiles. With `triangle` only the upper
// half of P is gone through.
template <RhoForm form, int Dirs> inline constexpr int matrices = Dirs + (form == RhoForm::first_order_orbitals ? 1 : 0);

// The points of a piece, as both kinds of tiles see them.
template <RhoForm form, int Dirs> struct PointTile {
  static constexpr int N = matrices<form, Dirs>;
  const Densities& call;
  const int32_t* functions;
  const double* wave;
  int64_t first_point;
  int n, points, columns, first;
  bool triangle;

  __device__ __forceinline__ PointTile(const Densities& densities, const Piece& piece, bool of_triangle, int first_direction)
      : call(densities), first(first_direction), triangle(of_triangle) {
    const Batch batch = call.batches[piece.batch];
    functions = call.i_basis + batch.first_function;
    wave = call.wave + batch.wave + int64_t{piece.row} * batch.functions;
    first_point = batch.first_point + piece.row;
    n = static_cast<int>(batch.functions);
    points = static_cast<int>(batch.points) - piece.row;
    columns = call.template columns<form>(batch);
  }

  // Functions that columns up to `above` need.
  __device__ __forceinline__ int depth(int above) const { return triangle && form == RhoForm::density_matrix && above < n ? above : n; }
  __device__ __forceinline__ double chi(int i, int k) const { return i < points ? wave[i * n + k] : 0.0; }
  __device__ __forceinline__ void matrix(int k, int j, double (&x)[N]) const {
    if (j >= columns) return;
    if constexpr (form == RhoForm::density_matrix) {
      if (triangle) {
        // Twice what is above the diagonal, nothing below. A batch's functions ascend.
        if (k > j) return;
        const double* const P = call.P + (functions[k] - 1 + call.n_basis * (functions[j] - 1 + call.n_basis * first));
        SUITE_GPU_UNROLL
        for (int d = 0; d < Dirs; ++d) x[d] = (k < j ? 2 : 1) * P[call.n_basis * call.n_basis * d];
        return;
      }
    }
    constexpr int ahead = form == RhoForm::first_order_orbitals ? 1 : 0;
    if constexpr (ahead) x[0] = call.orbital(functions, k, j);
    SUITE_GPU_UNROLL
    for (int d = 0; d < Dirs; ++d) x[ahead + d] = element_of<form>(call, functions, k, j, first + d);
  }
  // What the products T of a point and a column are multiplied with.
  __device__ __forceinline__ double left(int i, int j, const double (&x)[N]) const {
    if constexpr (form == RhoForm::density_matrix) return j < columns ? chi(i, j) : 0.0;
    return x[0];
  }
  __device__ __forceinline__ void store(int i, int d, double sum) const {
    if (i < points) call.rho[first_point + i + call.n_points * (first + d)] = prefactor<form> * sum;
  }
};

// memory, control_flow: register tiles of 2 x 4.
template <RhoForm form, int Dirs>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(block_threads, 4) rho_by_tiles(Densities call, const Piece* pieces, bool triangle, int first) {
  constexpr int N = matrices<form, Dirs>, R = 2, C = 4;
  using T = Tiles<block_threads, R, C, N>;
  __shared__ T tiles;
  const PointTile<form, Dirs> tile(call, pieces[blockIdx.x], triangle, first);
  double rho[Dirs][R] = {};
  for (int j0 = 0; j0 < tile.columns; j0 += T::columns) {
    double sum[N][R][C] = {};
    multiply<Fast::inner, Fast::inner>(
        tiles, tile.depth(j0 + T::columns), [&](int i, int k) { return tile.chi(i, k); },
        [&](int k, int j, double(&x)[N]) { tile.matrix(k, j0 + j, x); }, sum);
    SUITE_GPU_UNROLL
    for (int i = 0; i < R; ++i) SUITE_GPU_UNROLL
    for (int j = 0; j < C; ++j) {
      double x[N];
      SUITE_GPU_UNROLL
      for (int q = 0; q < N; ++q) x[q] = sum[q][i][j];
      const double left = tile.left(T::row(i), j0 + T::column(j), x);
      SUITE_GPU_UNROLL
      for (int d = 0; d < Dirs; ++d) rho[d][i] += left * x[N - Dirs + d];
    }
  }
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) SUITE_GPU_UNROLL
  for (int i = 0; i < R; ++i) {
    const double total = gpu::section_sum(rho[d][i], 8);
    if (thread() % 8 == 0) tile.store(T::row(i), d, total);
  }
}

// best: by matrix units, whose threads have sums of half of the columns.
inline constexpr int best_rows = 64;
template <RhoForm form, int Dirs>
using RhoTiles = MatrixTiles<Fast::inner, Fast::inner, best_rows, matrices<form, Dirs> == 4 ? 16 : 32, matrices<form, Dirs>>;

template <RhoForm form, int Dirs>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(2 * best_rows, (matrices<form, Dirs> > 2 ? 3 : 4))
    rho_by_matrix_units(Densities call, const Piece* pieces, int first) {
  constexpr int N = matrices<form, Dirs>;
  using T = RhoTiles<form, Dirs>;
  static_assert(T::threads == 2 * best_rows);
  __shared__ typename T::Shared shared;
  __shared__ double parts[T::teams_across][Dirs][T::rows];
  const PointTile<form, Dirs> tile(call, pieces[blockIdx.x], true, first);
  double rho[Dirs][T::row_slots] = {};
  for (int j0 = 0; j0 < tile.columns; j0 += T::columns) {
    T product;
    product.multiply(
        shared, tile.depth(j0 + T::columns), [&](int i, int k) { return tile.chi(i, k); },
        [&](int k, int j, double(&x)[N]) { tile.matrix(k, j0 + j, x); });
    product.each([&](int slot, int row, int column, const double(&x)[N]) {
      const double left = tile.left(row, j0 + column, x);
      SUITE_GPU_UNROLL
      for (int d = 0; d < Dirs; ++d) rho[d][slot] += left * x[N - Dirs + d];
    });
  }
  SUITE_GPU_UNROLL
  for (int d = 0; d < Dirs; ++d) SUITE_GPU_UNROLL
  for (int slot = 0; slot < T::row_slots; ++slot) {
    const double total = gpu::section_sum(rho[d][slot], T::Unit::row_lanes);
    if (T::leads_row()) parts[T::team_column()][d][T::row(slot)] = total;
  }
  __syncthreads();
  for (int e = thread(); e < Dirs * T::rows; e += T::threads) {
    const int d = e / T::rows, i = e % T::rows;
    double total = 0;
    SUITE_GPU_UNROLL
    for (int team = 0; team < T::teams_across; ++team) total += parts[team][d][i];
    tile.store(i, d, total);
  }
}

template <class F> void by_form(RhoForm form, F&& f) {
  switch (form) {
    case RhoForm::density_matrix: return f(std::integral_constant<RhoForm, RhoForm::density_matrix>());
    case RhoForm::orbitals: return f(std::integral_constant<RhoForm, RhoForm::orbitals>());
    case RhoForm::first_order_orbitals: return f(std::integral_constant<RhoForm, RhoForm::first_order_orbitals>());
  }
}

constexpr int64_t most_naive_work = int64_t{1} << 25;  // numbers of naive's arrays
constexpr int ladder_rows = 32;

class RhoGpu {
public:
  static constexpr suite_parameter parameters[] = {variant_of(rho_steps)};

  RhoGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : variant_(static_cast<Step>(p[0])),
        queue_(backend, queue),
        batches_(queue_, "the list of batches"),
        pieces_(queue_, "the list of tiles"),
        work_(queue_, "the products of a batch") {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Rho> host(queue_, a, {"batch_points", "batch_basis", "i_basis"});
    call_ = check_rho(*host);
    batches_.set(call_.batches.batch);
    pieces_.set(point_pieces(call_.batches, variant_ == Step::best ? best_rows : ladder_rows).pieces);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const Rho c(a);
    const Densities arrays{batches_.data(), c.i_basis.data(), c.wave.data(), c.density_matrix.data(), c.C.data(),
                           c.C1.data(),     c.rho.data(),     c.n_points(),  call_.n_basis,           static_cast<int>(call_.n_occ)};
    by_form(call_.form, [&](auto form) { run<form>(arrays, static_cast<int>(call_.n_dir)); });
  }

private:
  template <RhoForm form> void run(const Densities& arrays, int n_dir) {
    const int64_t n_batches = call_.batches.count();
    switch (variant_) {
      case Step::naive: {
        const int64_t workspace =
            std::max<int64_t>(1, call_.batches.most_points * (arrays.n_occ ? arrays.n_occ : call_.batches.most_functions));
        const int64_t blocks = std::clamp<int64_t>(most_naive_work / (2 * workspace * 32), 1, (n_batches + 31) / 32);
        SUITE_GPU_LAUNCH(rho_by_batches<form>, grid_of(blocks), 32, 0, queue_.stream(), arrays, n_batches, n_dir, workspace,
                         work_.at_least(2 * workspace * 32 * blocks));
        return;
      }
      case Step::parallelism:
        SUITE_GPU_LAUNCH(rho_by_points<form>, grid_of(n_batches), block_threads, 0, queue_.stream(), arrays, n_dir);
        return;
      case Step::memory:
        for (int d = 0; d < n_dir; ++d) tiles<form, 1>(arrays, false, d);
        return;
      case Step::control_flow: by_directions<form>(n_dir, [&](auto dirs, int d) { tiles<form, dirs>(arrays, true, d); }); return;
      case Step::best: by_directions<form>(n_dir, [&](auto dirs, int d) { matrix_units<form, dirs>(arrays, d); }); return;
    }
  }
  template <RhoForm form, class F> static void by_directions(int64_t n_dir, F&& f) {
    if constexpr (form == RhoForm::orbitals) f(std::integral_constant<int, 1>(), 0);
    else dfpt::by_directions(n_dir, f);
  }
  template <RhoForm form, int Dirs> void tiles(const Densities& arrays, bool triangle, int first) {
    if (pieces_.count() == 0) return;
    SUITE_GPU_LAUNCH((rho_by_tiles<form, Dirs>), grid_of(pieces_.count()), block_threads, 0, queue_.stream(), arrays, pieces_.data(),
                     triangle, first);
  }
  template <RhoForm form, int Dirs> void matrix_units(const Densities& arrays, int first) {
    if (pieces_.count() == 0) return;
    SUITE_GPU_LAUNCH((rho_by_matrix_units<form, Dirs>), grid_of(pieces_.count()), 2 * best_rows, 0, queue_.stream(), arrays, pieces_.data(),
                     first);
  }

  Step variant_;
  gpu::Queue queue_;
  RhoCall call_;
  device::Buffer<Batch> batches_;
  device::Buffer<Piece> pieces_;
  gpu::Buffer<double> work_;
};

}  // namespace

const suite_kernel_table* rho_table() { return gpu_table<Rho, RhoGpu>(); }

}  // namespace suite::dfpt
