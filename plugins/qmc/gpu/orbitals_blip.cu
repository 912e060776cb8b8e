// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_blip on a GPU: a block has a position, its threads the orbitals, which lie side by side in the
// table; weights of the 64 blips by direction in shared memory.
#include "call.hpp"

namespace suite::qmc {
namespace {

// One direction at one position: four grid points, and each blip with its derivatives by s.
struct Direction {
  int at[4];
  double weight[4], first[4], second[4];
};

__device__ __forceinline__ void set_blip(Direction& four, int i, double s, int n) {
  const double t = s * n, low = ::floor(t), point = low + (i - 1), x = ::fabs(t - point), y = 2 - x;
  const double sign = t < point ? -1 : 1;
  const double wrapped = point - n * ::floor(point / n);
  four.at[i] = static_cast<int>(wrapped) % n;
  const bool near = x <= 1;
  four.weight[i] = near ? 1 - x * x * (1.5 - 0.75 * x) : 0.25 * y * y * y;
  four.first[i] = sign * n * (near ? x * (2.25 * x - 3) : -0.75 * y * y);
  four.second[i] = static_cast<double>(n) * n * (near ? 4.5 * x - 3 : 1.5 * y);
}

struct Grid {
  int n[3];
};
struct BlipOrbitals {
  double *phi, *dphi, *d2phi;  // the last two may be null
};

// Derivatives: also of first and second order.
template <class T, bool derivatives>
__global__ void __launch_bounds__(block_threads)
    sum_blips(Reciprocal cell, Grid grid, const T* c, int norb, const double* r, BlipOrbitals out) {
  __shared__ Direction four[3];
  const int64_t position = blockIdx.x;
  if (thread() < 12) {
    const int mine = thread() / 4;
    // Constant indices: an index of its own would make each thread copy the arguments into its local memory.
    double s = 0;
    int n = 1;
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d)
      if (d == mine) {
        s = cell.fraction(d, r + 3 * position);
        n = grid.n[d];
      }
    set_blip(four[mine], thread() % 4, s, n);
  }
  __syncthreads();
  const Direction &X = four[0], &Y = four[1], &Z = four[2];
  for (int a = thread(); a < norb; a += block_threads) {
    double value = 0, first[3] = {0, 0, 0}, second[6] = {0, 0, 0, 0, 0, 0};  // xx, yy, zz, xy, xz, yz
    SUITE_GPU_NO_UNROLL  // 16 lines at a time take more registers than there are
        for (int i = 0; i < 4; ++i) {
      SUITE_GPU_NO_UNROLL
      for (int j = 0; j < 4; ++j) {
        const T* const line = c + (static_cast<int64_t>(X.at[i]) * grid.n[1] + Y.at[j]) * grid.n[2] * static_cast<int64_t>(norb) + a;
        double s = 0, s1 = 0, s2 = 0;
        SUITE_GPU_UNROLL
        for (int k = 0; k < 4; ++k) {
          const double x = static_cast<double>(line[static_cast<int64_t>(Z.at[k]) * norb]);
          s += x * Z.weight[k];
          if constexpr (derivatives) {
            s1 += x * Z.first[k];
            s2 += x * Z.second[k];
          }
        }
        const double xy = X.weight[i] * Y.weight[j];
        value += xy * s;
        if constexpr (derivatives) {
          const double x1 = X.first[i] * Y.weight[j], y1 = X.weight[i] * Y.first[j];
          first[0] += x1 * s;
          first[1] += y1 * s;
          first[2] += xy * s1;
          second[0] += X.second[i] * Y.weight[j] * s;
          second[1] += X.weight[i] * Y.second[j] * s;
          second[2] += xy * s2;
          second[3] += X.first[i] * Y.first[j] * s;
          second[4] += x1 * s1;
          second[5] += y1 * s1;
        }
      }
    }
    out.phi[position * norb + a] = value;
    if constexpr (!derivatives) continue;
    const double(&b)[3][3] = cell.b;
    for (int e = 0; e < 3 && out.dphi; ++e)
      out.dphi[(3 * position + e) * norb + a] = first[0] * b[0][e] + first[1] * b[1][e] + first[2] * b[2][e];
    if (!out.d2phi) continue;
    const auto dot = [&](int d, int e) { return b[d][0] * b[e][0] + b[d][1] * b[e][1] + b[d][2] * b[e][2]; };
    out.d2phi[position * norb + a] = second[0] * dot(0, 0) + second[1] * dot(1, 1) + second[2] * dot(2, 2) +
                                     2 * (second[3] * dot(0, 1) + second[4] * dot(0, 2) + second[5] * dot(1, 2));
  }
}

class OrbitalsBlipGpu {
public:
  OrbitalsBlipGpu(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}

  void prepare(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    queue_.select();
    cell_.prepare(queue_, call.cell);
  }

  void execute(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    queue_.select();
    check_blips(call);
    if (call.c.is<single>()) run<single>(call);
    else run<real>(call);
  }

private:
  template <class Element> void run(const OrbitalsBlip& call) {
    using T = typename Element::type;
    const auto c = call.c.as<Element>();
    const Grid grid{{static_cast<int>(c.extent(3)), static_cast<int>(c.extent(2)), static_cast<int>(c.extent(1))}};
    const auto kernel = call.dphi || call.d2phi ? sum_blips<T, true> : sum_blips<T, false>;
    SUITE_GPU_LAUNCH(kernel, grid_of(call.positions()), block_threads, 0, queue_.stream(), cell_.reciprocal(), grid, c.data(), c.extent(0),
                     call.r.data(), BlipOrbitals{call.phi.data(), call.dphi.data(), call.d2phi.data()});
  }

  gpu::Queue queue_;
  Cell cell_;
};

}  // namespace

const suite_kernel_table* orbitals_blip_table() { return gpu_table<OrbitalsBlip, OrbitalsBlipGpu>(); }

}  // namespace suite::qmc
