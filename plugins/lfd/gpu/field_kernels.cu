// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop and lfd.spectral_field_solve on a GPU.
#include "../steps.hpp"
#include "field.hpp"

namespace suite::lfd {
namespace {

constexpr auto forms = with_meaning(field_forms, {
    {"loop", "ghost cells, the change of all points, then its addition: three kernels for each field step"},
    {"fused", "one kernel for each field step"},
    {"closed", "all steps at once, wave by wave: six small matrix products"},
});

class FieldPropGpu {
public:
  static constexpr suite_parameter parameters[] = {variant("variant", 2, forms, field_variant)};
  FieldPropGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : form_(static_cast<int>(p[0])), queue_(backend, queue), single_(queue_), double_(queue_) {}
  void prepare(const suite_array* a) {
    queue_.select();
    h_ = on_host<double>(queue_, FieldProp(a).h.array());
  }
  void execute(const suite_array* a) {
    const FieldProp c(a);
    queue_.select();
    if (is_single(c.rho.array()))
      run(c, single_);
    else
      run(c, double_);
  }

private:
  template <class T>
  void run(const FieldProp& c, FieldSolver<T>& solver) {
    using Form = typename FieldSolver<T>::Form;
    const Grid g = field_grid(c.rho, h_.data());
    solver.set(g, field_constants(g, c.wave),
               form_ == 2 ? Form::at_once : Form::stepwise);
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
  gpu::Queue queue_;
  std::vector<double> h_;
  FieldSolver<float> single_;
  FieldSolver<double> double_;
};

class SpectralFieldSolveGpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::laplacian};
  SpectralFieldSolveGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : laplacian_(static_cast<Laplacian>(p[0])), queue_(backend, queue), single_(queue_), double_(queue_) {}
  void prepare(const suite_array* a) {
    queue_.select();
    h_ = on_host<double>(queue_, SpectralFieldSolve(a).h.array());
  }
  void execute(const suite_array* a) {
    const SpectralFieldSolve c(a);
    queue_.select();
    if (is_single(c.rho.array()))
      run(c, single_);
    else
      run(c, double_);
  }

private:
  template <class T>
  void run(const SpectralFieldSolve& c, FieldSolver<T>& solver) {
    const Grid g = field_grid(c.rho, h_.data());
    solver.set(g, {}, FieldSolver<T>::Form::solution, laplacian_);
    T* const vH = device_data<T>(c.vH);
    solver.solve(vH, device_data<T>(c.rho));
    queue_.set_zero(vH + g.points(), static_cast<size_t>(g.points()) * sizeof(T));
  }

  Laplacian laplacian_;
  gpu::Queue queue_;
  std::vector<double> h_;
  FieldSolver<float> single_;
  FieldSolver<double> double_;
};

}  // namespace

const suite_kernel_table* field_prop_table() {
  static constexpr suite_kernel_table table =
      kernel_table<FieldProp, FieldPropGpu>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
  return &table;
}
const suite_kernel_table* spectral_field_solve_table() {
  static constexpr suite_kernel_table table =
      kernel_table<SpectralFieldSolve, SpectralFieldSolveGpu>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
  return &table;
}

}  // namespace suite::lfd
