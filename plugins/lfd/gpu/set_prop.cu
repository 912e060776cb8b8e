// SPDX-License-Identifier: BSD-3-Clause
// lfd.set_prop on a GPU: each point by a thread.
#include "call.hpp"

namespace suite::lfd {
namespace {

template <class T> __global__ void set_phases(const T* v, double factor, int64_t points, Number<T>* u) {
  const int64_t p = thread_index();
  if (p >= points) return;
  const Number<double> z = unit(factor * static_cast<double>(v[p]));
  u[p] = {static_cast<T>(z.re), static_cast<T>(z.im)};
}

class SetPropGpu : public OnGpu<SetProp> {
public:
  using OnGpu::OnGpu;
  void execute(const suite_array* a) {
    const SetProp c = begin(a);
    check_precision("v", c.v, "u", c.u);
    const Grid g = field_grid(c.v);
    const double factor = -0.5 * c.dt;
    by_precision(c.v.array(), [&](auto type) {
      using T = decltype(type);
      SUITE_GPU_LAUNCH(set_phases<T>, blocks_for(g.points(), point_threads), point_threads, 0, queue_.stream(), device_data<T>(c.v), factor,
                       g.points(), device_data<Number<T>>(c.u));
    });
  }
};

}  // namespace

const suite_kernel_table* set_prop_table() { return gpu_table<SetProp, SetPropGpu>(); }

}  // namespace suite::lfd
