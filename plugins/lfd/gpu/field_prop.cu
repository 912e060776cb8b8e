// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop on a GPU: the forms of field.hpp.
#include "../steps.hpp"
#include "field.hpp"

namespace suite::lfd {
namespace {

constexpr auto forms =
    with_meaning(field_forms, {
                                  {"loop", "ghost cells, a kernel for the change, a kernel that adds it: three kernels per field step"},
                                  {"fused", "one kernel per field step"},
                                  {"closed", "all steps at once for each Fourier component: six small matrix products"},
                              });

class FieldPropGpu : public OnGpu<FieldProp> {
public:
  static constexpr suite_parameter parameters[] = {variant("variant", 2, forms, field_variant)};
  FieldPropGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : OnGpu(backend, queue, p), form_(static_cast<int>(p[0])), single_(queue_), double_(queue_) {}
  void execute(const suite_array* a) {
    const FieldProp c = begin(a);
    if (is_single(c.rho.array())) run(c, single_);
    else run(c, double_);
  }

private:
  template <class T> void run(const FieldProp& c, FieldSolver<T>& solver) {
    using Form = typename FieldSolver<T>::Form;
    const Grid g = field_grid(c.rho, h_.data());
    solver.set(g, field_constants(g, c.wave), form_ == 2 ? Form::at_once : Form::stepwise);
    T* const vH = device_data<T>(c.vH);
    const T* const rho = device_data<T>(c.rho);
    if (form_ == 0) solver.loop(vH, rho, LoopRun::queued);
    if (form_ == 1) solver.fused(vH, rho);
    if (form_ != 2) return;
    solver.load_waves(vH);
    solver.closed_waves(vH, rho);
    solver.finish_waves(vH + g.points());
  }

  int form_;
  FieldSolver<float> single_;
  FieldSolver<double> double_;
};

}  // namespace

const suite_kernel_table* field_prop_table() { return gpu_table<FieldProp, FieldPropGpu>(); }

}  // namespace suite::lfd
