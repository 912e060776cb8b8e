// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop and lfd.spectral_field_solve on a GPU.
#include "field.hpp"

namespace suite::lfd {
namespace {

class FieldPropGpu {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", 2, 0, 2, field_forms,
       "loop: ghost cells, the change of all points, then its addition: three kernels for each field step\n"
       "fused: one kernel for each field step [faster]\n"
       "closed: all steps at once, wave by wave: six small matrix products [faster]"}};
  FieldPropGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : form_(static_cast<int>(p[0])), queue_(backend, queue), single_(queue_), double_(queue_) {}
  void prepare(const suite_array* a) {
    queue_.select();
    h_ = on_host<double>(queue_, a[FieldProp::h]);
  }
  void execute(const suite_array* a) {
    queue_.select();
    if (is_single(a[FieldProp::rho]))
      run(a, single_);
    else
      run(a, double_);
  }

private:
  template <class T>
  void run(const suite_array* a, FieldSolver<T>& solver) {
    using K = FieldProp;
    using Form = typename FieldSolver<T>::Form;
    const Grid g = field_grid(a[K::rho], h_.data());
    solver.set(g, field_constants(g, a[K::kappa], a[K::gamma], a[K::field_steps]),
               form_ == 2 ? Form::at_once : Form::stepwise);
    T* const vH = device_data<T>(a[K::vH]);
    const T* const rho = device_data<T>(a[K::rho]);
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
    h_ = on_host<double>(queue_, a[SpectralFieldSolve::h]);
  }
  void execute(const suite_array* a) {
    queue_.select();
    if (is_single(a[SpectralFieldSolve::rho]))
      run(a, single_);
    else
      run(a, double_);
  }

private:
  template <class T>
  void run(const suite_array* a, FieldSolver<T>& solver) {
    using K = SpectralFieldSolve;
    const Grid g = field_grid(a[K::rho], h_.data());
    solver.set(g, {}, FieldSolver<T>::Form::solution, laplacian_);
    T* const vH = device_data<T>(a[K::vH]);
    solver.solve(vH, device_data<T>(a[K::rho]));
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
