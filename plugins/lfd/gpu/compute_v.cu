// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_v on a GPU: each point by a thread.
#include "call.hpp"

namespace suite::lfd {
namespace {

template <class T> struct Potentials {
  const T *vloc, *vH, *vxc;
  const double* E;
  double h[3];
  int n[3];
  T* v;
};

template <class T> __global__ void add_potentials(Potentials<T> in, int64_t points) {
  const int64_t p = thread_index();
  if (p >= points) return;
  double v = static_cast<double>(in.vloc[p]) + static_cast<double>(in.vH[p]);
  if (in.vxc) v += static_cast<double>(in.vxc[p]);
  if (in.E) {
    const int i = static_cast<int>(p), z = i % in.n[2], y = i / in.n[2] % in.n[1], x = i / in.n[2] / in.n[1];
    v += in.E[0] * ((x - in.n[0] / 2) * in.h[0]) + in.E[1] * ((y - in.n[1] / 2) * in.h[1]) + in.E[2] * ((z - in.n[2] / 2) * in.h[2]);
  }
  in.v[p] = static_cast<T>(v);
}

class ComputeVGpu : public OnGpu<ComputeV> {
public:
  using OnGpu::OnGpu;
  void execute(const suite_array* a) {
    const ComputeV c = begin(a);
    const Grid g = field_grid(c.vloc, h_.data());
    check_size(g);
    by_precision(c.vloc.array(), [&](auto type) {
      using T = decltype(type);
      Potentials<T> in{device_data<T>(c.vloc), device_data<T>(c.vH), device_data<T>(c.vxc), c.E.data(), {}, {}, device_data<T>(c.v)};
      for (int d = 0; d < 3; ++d) {
        in.h[d] = g.h[d];
        in.n[d] = static_cast<int>(g.n[d]);
      }
      SUITE_GPU_LAUNCH(add_potentials<T>, blocks_for(g.points(), point_threads), point_threads, 0, queue_.stream(), in, g.points());
    });
  }
};

}  // namespace

const suite_kernel_table* compute_v_table() { return gpu_table<ComputeV, ComputeVGpu>(); }

}  // namespace suite::lfd
