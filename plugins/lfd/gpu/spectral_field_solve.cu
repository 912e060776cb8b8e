// SPDX-License-Identifier: BSD-3-Clause
// lfd.spectral_field_solve on a GPU: FieldSolver::solve() of field.hpp.
#include "field.hpp"

namespace suite::lfd {
namespace {

class SpectralFieldSolveGpu : public OnGpu<SpectralFieldSolve, parameter::laplacian> {
public:
  SpectralFieldSolveGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : OnGpu(backend, queue, p), laplacian_(static_cast<Laplacian>(p[0])), single_(queue_), double_(queue_) {}
  void execute(const suite_array* a) {
    const SpectralFieldSolve c = begin(a);
    if (is_single(c.rho.array())) run(c, single_);
    else run(c, double_);
  }

private:
  template <class T> void run(const SpectralFieldSolve& c, FieldSolver<T>& solver) {
    const Grid g = field_grid(c.rho, h_.data());
    solver.set(g, {}, FieldSolver<T>::Form::solution, laplacian_);
    T* const vH = device_data<T>(c.vH);
    solver.solve(vH, device_data<T>(c.rho));
    queue_.set_zero(vH + g.points(), static_cast<size_t>(g.points()) * sizeof(T));
  }

  Laplacian laplacian_;
  FieldSolver<float> single_;
  FieldSolver<double> double_;
};

}  // namespace

const suite_kernel_table* spectral_field_solve_table() { return gpu_table<SpectralFieldSolve, SpectralFieldSolveGpu>(); }

}  // namespace suite::lfd
