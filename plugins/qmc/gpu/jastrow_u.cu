// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_u on a GPU: a warp has a position, its lanes the other electrons. Derivatives by the parameters
// by a block for each position: the pairs of some electrons at a time in shared memory, a warp for each
// parameter.
#include "call.hpp"

namespace suite::qmc {
namespace {

template <LatticeKind kind>
__global__ void __launch_bounds__(block_threads) sum_pairs(ImageRule rule, Positions p, DeviceU u, int64_t count, LocalOut out) {
  SUITE_GPU_DYNAMIC_SHARED(double, alpha);
  for (int i = thread(); i < u.numbers(); i += block_threads) alpha[i] = u.alpha[i];
  __syncthreads();
  const int64_t position = static_cast<int64_t>(blockIdx.x) * warps_of_block() + warp_number();
  const bool there = position < count;  // all warps go to the shuffles
  const int64_t walker = there ? position / p.npos : 0;
  const int m = there ? static_cast<int>(position - walker * p.npos) : 0, i = p.electron(m);
  const double *const r = p.of_walker(walker), *const x = p.position(m, walker);
  Local sum{};
  for (int j = gpu::lane(); there && j < p.netot; j += warpSize) {
    if (j == i) continue;
    double d[3];
    const double distance = closest_vector<kind>(rule, x, r + 3 * j, d);
    if (!(distance < u.L)) continue;
    add_radial(u_at(u, alpha, set_of_pair(u.nset, i >= p.nup, j >= p.nup), distance), distance, d, sum);
  }
  warp_sums(sum);
  if (there && gpu::lane() == 0) out.put(position, sum);
}

constexpr int pairs_at_a_time = 256;

template <LatticeKind kind>
__global__ void __launch_bounds__(block_threads) sum_derivatives(ImageRule rule, Positions p, DeviceU u, LocalOut out) {
  __shared__ double vector[3][pairs_at_a_time], length[pairs_at_a_time];
  __shared__ int set[pairs_at_a_time];
  SUITE_GPU_DYNAMIC_SHARED(Local, sums);
  const int64_t position = blockIdx.x, walker = position / p.npos;
  const int m = static_cast<int>(position - walker * p.npos), i = p.electron(m);
  const double *const r = p.of_walker(walker), *const x = p.position(m, walker);
  for (int q = thread(); q < u.numbers(); q += block_threads) sums[q] = Local{};
  for (int j0 = 0; j0 < p.netot; j0 += pairs_at_a_time) {
    const int some = p.netot - j0 < pairs_at_a_time ? p.netot - j0 : pairs_at_a_time;
    for (int k = thread(); k < some; k += block_threads) {
      const int j = j0 + k;
      double d[3];
      length[k] = closest_vector<kind>(rule, x, r + 3 * j, d);
      for (int c = 0; c < 3; ++c) vector[c][k] = d[c];
      set[k] = j == i || !(length[k] < u.L) ? -1 : set_of_pair(u.nset, i >= p.nup, j >= p.nup);
    }
    __syncthreads();
    for (int q = warp_number(); q < u.numbers(); q += warps_of_block()) {
      Local sum{};
      for (int k = gpu::lane(); k < some; k += warpSize) {
        if (set[k] != q / u.nalpha) continue;
        const double d[3] = {vector[0][k], vector[1][k], vector[2][k]};
        add_radial(u_basis(u.form, q % u.nalpha, u.nalpha, u.L, u.C, length[k]), length[k], d, sum);
      }
      warp_sums(sum);
      if (gpu::lane() == 0) {
        sums[q].value += sum.value;
        for (int c = 0; c < 3; ++c) sums[q].gradient[c] += sum.gradient[c];
        sums[q].laplacian += sum.laplacian;
      }
    }
    __syncthreads();
  }
  for (int q = thread(); q < u.numbers(); q += block_threads) out.put(position * u.numbers() + q, sums[q]);
}

class JastrowUGpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::form};
  JastrowUGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : form_(static_cast<Form>(p[0])), queue_(backend, queue) {}

  void prepare(const suite_array* arguments) {
    const JastrowU c(arguments);
    queue_.select();
    cell_.prepare(queue_, c.cell);
    nele_ = on_host<int32_t>(queue_, c.nele);
  }

  void execute(const suite_array* arguments) {
    const JastrowU c(arguments);
    queue_.select();
    const DeviceU u = device_u(u_term(form_, c, cell_.lattice()), c.alpha.data());
    const Positions p = positions_of(c, nele_);
    const ImageRule& rule = cell_.lattice().images;
    const int64_t count = p.npos * p.nwalker, numbers = int64_t{u.nalpha} * u.nset;
    const unsigned warps = static_cast<unsigned>(block_threads / queue_.properties().warp);
    by_kind(rule.kind, [&](auto k) {
      constexpr LatticeKind kind = decltype(k)::value;
      SUITE_GPU_LAUNCH(sum_pairs<kind>, grid_of((count + warps - 1) / warps), block_threads, static_cast<size_t>(numbers) * sizeof(double),
                       queue_.stream(), rule, p, u, count, LocalOut{c.value.data(), c.gradient.data(), c.laplacian.data()});
      if (!c.dvalue && !c.dgradient && !c.dlaplacian) return;
      SUITE_GPU_LAUNCH(sum_derivatives<kind>, grid_of(count), block_threads, static_cast<size_t>(numbers) * sizeof(Local), queue_.stream(),
                       rule, p, u, LocalOut{c.dvalue.data(), c.dgradient.data(), c.dlaplacian.data()});
    });
  }

private:
  Form form_;
  gpu::Queue queue_;
  Cell cell_;
  std::vector<int32_t> nele_;
};

}  // namespace

const suite_kernel_table* jastrow_u_table() { return gpu_table<JastrowU, JastrowUGpu>(); }

}  // namespace suite::qmc
