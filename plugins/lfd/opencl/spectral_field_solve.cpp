// SPDX-License-Identifier: BSD-3-Clause
// lfd.spectral_field_solve in OpenCL: FieldSolver::solve() of field.hpp.
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class SpectralFieldSolveCL : public Plain<SpectralFieldSolve, parameter::laplacian> {
public:
  SpectralFieldSolveCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : Plain(b, q, p), laplacian_(static_cast<Laplacian>(p[0])), solver_(engine) {}
  void execute(const suite_array* a) {
    const SpectralFieldSolve c(a);
    engine.set_single(is_single(c.rho.array()));
    solver_.set_solution(field_grid(c.rho, h.x), laplacian_);
    solver_.solve(memory_of(c.rho));
    solver_.clear_w();
    solver_.give(memory_of(c.vH));
  }

private:
  Laplacian laplacian_;
  FieldSolver solver_;
};

}  // namespace

extern const suite_kernel_table spectral_field_solve_table;
constexpr suite_kernel_table spectral_field_solve_table = kernel_table<SpectralFieldSolve, SpectralFieldSolveCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
