// SPDX-License-Identifier: BSD-3-Clause
// dfpt.response on a GPU: four products of matrices for each direction.
#include "call.hpp"
#include "matrix_product.cuh"

namespace suite::dfpt {
namespace {

struct States {
  const double *C, *eigenvalues;
  int64_t n_basis;
  int n_occ, n_empty;
  __device__ __forceinline__ const double* empty(int a) const { return C + n_basis * (n_occ + a); }
  __device__ __forceinline__ const double* occupied(int i) const { return C + n_basis * i; }
};

// T = H1 C_occ
struct Perturb {
  static constexpr Fast fast_a = Fast::outer, fast_b = Fast::inner;
  States states;
  const double* H1;
  double* T;
  __device__ double a(int d, int i, int k) const { return H1[i + states.n_basis * (k + states.n_basis * d)]; }
  __device__ double b(int, int k, int j) const { return states.occupied(j)[k]; }
  __device__ void store(int d, int i, int j, double x) const { T[i + states.n_basis * (j + int64_t{states.n_occ} * d)] = x; }
};
// U = C_empty^T T / (e_i - e_a)
struct Project {
  static constexpr Fast fast_a = Fast::inner, fast_b = Fast::inner;
  States states;
  const double* T;
  double* U;
  __device__ double a(int, int i, int k) const { return states.empty(i)[k]; }
  __device__ double b(int d, int k, int j) const { return T[k + states.n_basis * (j + int64_t{states.n_occ} * d)]; }
  __device__ void store(int d, int i, int j, double x) const {
    U[i + states.n_empty * (j + int64_t{states.n_occ} * d)] = x / (states.eigenvalues[j] - states.eigenvalues[states.n_occ + i]);
  }
};
// C1 = C_empty U
struct Expand {
  static constexpr Fast fast_a = Fast::outer, fast_b = Fast::inner;
  States states;
  const double* U;
  double* C1;
  __device__ double a(int, int i, int k) const { return states.empty(k)[i]; }
  __device__ double b(int d, int k, int j) const { return U[k + states.n_empty * (j + int64_t{states.n_occ} * d)]; }
  __device__ void store(int d, int i, int j, double x) const { C1[i + states.n_basis * (j + int64_t{states.n_occ} * d)] = x; }
};
// P1 = 2 (C1 C^T + C C1^T), as one product of [C1 C] and [C C1].
struct Density {
  static constexpr Fast fast_a = Fast::outer, fast_b = Fast::outer;
  States states;
  const double* C1;
  double* P1;
  __device__ double first_order(int d, int i, int k) const { return C1[i + states.n_basis * (k + int64_t{states.n_occ} * d)]; }
  __device__ double a(int d, int i, int k) const { return k < states.n_occ ? first_order(d, i, k) : states.occupied(k - states.n_occ)[i]; }
  __device__ double b(int d, int k, int j) const { return k < states.n_occ ? states.occupied(k)[j] : first_order(d, j, k - states.n_occ); }
  __device__ void store(int d, int i, int j, double x) const { P1[i + states.n_basis * (j + states.n_basis * d)] = 2 * x; }
};

// Sets *wrong where an empty state may not lie above all occupied ones; the host then looks (check_gap). One block.
__global__ void __launch_bounds__(block_threads) find_no_gap(const double* eigenvalues, int n_occ, int n_states, int* wrong) {
  __shared__ double highest[block_threads];
  const int thread = static_cast<int>(threadIdx.x);
  double most = eigenvalues[0];
  bool good = true;
  for (int i = thread; i < n_occ; i += block_threads) {
    good = good && eigenvalues[i] == eigenvalues[i];
    most = eigenvalues[i] > most ? eigenvalues[i] : most;
  }
  highest[thread] = most;
  __syncthreads();
  for (int t = 0; t < block_threads; ++t) most = highest[t] > most ? highest[t] : most;
  for (int e = n_occ + thread; e < n_states; e += block_threads) good = good && eigenvalues[e] > most;
  if (!good) *wrong = 1;
}

template <class P> using ProductTiles = MatrixTiles<P::fast_a, P::fast_b, 64, 32, 1>;

template <class P> __global__ void __launch_bounds__(block_threads) form_product(P product, int rows, int columns, int depth) {
  using T = ProductTiles<P>;
  static_assert(T::threads == block_threads);
  __shared__ typename T::Shared shared;
  const int i0 = static_cast<int>(blockIdx.x) * T::rows, j0 = static_cast<int>(blockIdx.y) * T::columns, d = static_cast<int>(blockIdx.z);
  T tiles;
  tiles.multiply(
      shared, depth, [&](int i, int k) { return i0 + i < rows ? product.a(d, i0 + i, k) : 0.0; },
      [&](int k, int j, double(&x)[1]) {
        if (j0 + j < columns) x[0] = product.b(d, k, j0 + j);
      });
  tiles.each([&](int, int row, int column, const double(&x)[1]) {
    if (i0 + row < rows && j0 + column < columns) product.store(d, i0 + row, j0 + column, x[0]);
  });
}

class ResponseGpu {
public:
  ResponseGpu(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue),
        T_(queue_, "H1 C"),
        U_(queue_, "the coefficients in the empty states"),
        C1_(queue_, "the first-order orbitals"),
        no_gap_(queue_, "whether there is a gap") {}

  void execute(const suite_array* a) {
    queue_.select();
    const Response c(a);
    const ResponseCall call = check_response(c);
    eigenvalues_ = c.eigenvalues.array();
    n_occ_ = call.n_occ;
    queue_.set_zero(no_gap_.at_least(1), sizeof(int));
    SUITE_GPU_LAUNCH(find_no_gap, 1, block_threads, 0, queue_.stream(), c.eigenvalues.data(), static_cast<int>(call.n_occ),
                     static_cast<int>(call.n_states), no_gap_.data());
    const int64_t n = call.n_basis, of_all = n * call.n_occ * call.n_dir, n_empty = call.n_states - call.n_occ;
    const States states{c.C.data(), c.eigenvalues.data(), n, static_cast<int>(call.n_occ), static_cast<int>(n_empty)};
    const double* T = c.HC1.data();
    if (call.matrices) {
      double* const to = T_.at_least(of_all);
      form(Perturb{states, c.H1.data(), to}, n, call.n_occ, n, call.n_dir);
      T = to;
    }
    double* const U = U_.at_least(std::max<int64_t>(1, n_empty * call.n_occ * call.n_dir));
    if (n_empty > 0) form(Project{states, T, U}, n_empty, call.n_occ, n, call.n_dir);
    double* const C1 = c.C1 ? c.C1.data() : C1_.at_least(of_all);
    form(Expand{states, U, C1}, n, call.n_occ, n_empty, call.n_dir);
    if (c.density_matrix) form(Density{states, C1, c.density_matrix.data()}, n, n, 2 * call.n_occ, call.n_dir);
  }

  void finish() {
    queue_.select();
    int no_gap = 0;
    no_gap_.download(&no_gap, 1);
    queue_.wait();
    if (no_gap) check_gap(gpu::on_host<double>(queue_, eigenvalues_).data(), n_occ_, eigenvalues_.extent[0]);
  }

private:
  template <class P> void form(const P& product, int64_t rows, int64_t columns, int64_t depth, int64_t n_dir) {
    using T = ProductTiles<P>;
    const gpu::Dim3 grid(blocks_for(rows, T::rows), blocks_for(columns, T::columns), static_cast<unsigned>(n_dir));
    SUITE_GPU_LAUNCH(form_product<P>, grid, block_threads, 0, queue_.stream(), product, static_cast<int>(rows), static_cast<int>(columns),
                     static_cast<int>(depth));
  }

  suite_array eigenvalues_{};  // what finish() asks about
  int64_t n_occ_ = 0;
  gpu::Queue queue_;
  gpu::Buffer<double> T_, U_, C1_;
  gpu::Buffer<int> no_gap_;
};

}  // namespace

const suite_kernel_table* response_table() { return gpu_table<Response, ResponseGpu>(); }

}  // namespace suite::dfpt
