// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_vxc on a GPU: each point by a thread; the formulas are in ../functional.hpp.
#include "call.hpp"

namespace suite::lfd {
namespace {

template <class T, Functional functional> __global__ void set_exchange_correlation(const T* rho, int64_t points, T* vxc, T* exc) {
  const int64_t p = thread_index();
  if (p >= points) return;
  const ExchangeCorrelation<T> xc = exchange_correlation<functional, T>(rho[p]);
  vxc[p] = xc.vxc;
  if (exc) exc[p] = xc.exc;
}

class ComputeVxcGpu : public OnGpu<ComputeVxc, parameter::functional_of_density> {
public:
  ComputeVxcGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p) : OnGpu(backend, queue, p), pw92_(p[0] == 0) {}
  void execute(const suite_array* a) {
    const ComputeVxc c = begin(a);
    const Grid g = field_grid(c.rho);
    by_precision(c.rho.array(), [&](auto type) {
      using T = decltype(type);
      const auto kernel = pw92_ ? set_exchange_correlation<T, Functional::pw92> : set_exchange_correlation<T, Functional::pz81>;
      SUITE_GPU_LAUNCH(kernel, blocks_for(g.points(), point_threads), point_threads, 0, queue_.stream(), device_data<T>(c.rho), g.points(),
                       device_data<T>(c.vxc), device_data<T>(c.exc));
    });
  }

private:
  bool pw92_;
};

}  // namespace

const suite_kernel_table* compute_vxc_table() { return gpu_table<ComputeVxc, ComputeVxcGpu>(); }

}  // namespace suite::lfd
