// SPDX-License-Identifier: BSD-3-Clause
// lfd.spectral_field_solve: FieldSolver::solve() of field.hpp.
#include "../parameters.hpp"
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd {
namespace {

class Cpu : public cpu::WithThreads<parameter::laplacian> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p) : WithThreads(b, q, p), laplacian_(static_cast<Laplacian>(p[0])) {}

  void execute(const suite_array* a) {
    const SpectralFieldSolve c(a);
    if (is_single(c.rho.array())) run(c, single_);
    else run(c, double_);
  }

private:
  template <class T> void run(const SpectralFieldSolve& c, FieldSolver<T>& solver) {
    const Grid g = field_grid(c.rho, c.h.data());
    solver.set(g, FieldConstants{}, FieldSolver<T>::Form::solution);
    solver.set_solution(laplacian_);
    T* const vH = c.vH.as<real_of<T>>().data();
    const int64_t useful = std::clamp<int64_t>(g.points() / 8192, 1, team_size(threads_));
    solver.make_room(static_cast<int>(useful));
#pragma omp parallel num_threads(static_cast<int>(useful))
    {
      const Team team = Team::all();
      solver.solve(team, vH, c.rho.as<real_of<T>>().data());
      std::fill(vH + g.points() + team.begin(g.points()), vH + g.points() + team.end(g.points()), T(0));
    }
  }

  Laplacian laplacian_;
  FieldSolver<float> single_;
  FieldSolver<double> double_;
};

}  // namespace

extern const suite_kernel_table spectral_field_solve_table;
constexpr suite_kernel_table spectral_field_solve_table = kernel_table<SpectralFieldSolve, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
