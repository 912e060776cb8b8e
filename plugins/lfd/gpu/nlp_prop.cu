// SPDX-License-Identifier: BSD-3-Clause
// lfd.nlp_prop on a GPU: Nonlocal::propagate() of nonlocal.hpp.
#include "nonlocal.hpp"

namespace suite::lfd {
namespace {

class NlpPropGpu : public OnGpu<NlpProp, parameter::order> {
public:
  NlpPropGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : OnGpu(backend, queue, p), descending_(p[0] != 0), nonlocal_(queue_) {}

  void prepare(const suite_array* a) {
    OnGpu::prepare(a);
    const NlpProp c(a);
    nonlocal_.prepare(orbital_grid(c.psi, h_.data()), c.nonlocal);
  }

  void execute(const suite_array* a) {
    const NlpProp c = begin(a);
    const Grid g = orbital_grid(c.psi, h_.data());
    nonlocal_.set_layout(row_strides(g), false);
    nonlocal_.set_time(c.dt);
    const Momenta momenta{c.A.data(), c.k.data()};
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      nonlocal_.propagate<T>(device_data<Number<T>>(c.psi), momenta, descending_, nullptr, 1);
    });
  }

private:
  bool descending_;
  Nonlocal nonlocal_;
};

}  // namespace

const suite_kernel_table* nlp_prop_table() { return gpu_table<NlpProp, NlpPropGpu>(); }

}  // namespace suite::lfd
