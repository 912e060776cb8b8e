// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop: the forms of field.hpp.
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd {
namespace {

constexpr suite_parameter form{"variant",
                               2,
                               0,
                               2,
                               field_forms,
                               "loop: ghost cells, the change of all points, then its addition\n"
                               "fused: one loop for each field step [faster]\n"
                               "closed: all steps at once, wave by wave [faster]"};

class Cpu : public cpu::WithThreads<form> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithThreads(b, q, p), form_(static_cast<int>(p[0])) {}

  void execute(const suite_array* a) {
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
    const Grid g = field_grid(a[K::rho], numbers<double>(a[K::h]));
    solver.set(g, field_constants(g, a[K::kappa], a[K::gamma], a[K::field_steps]),
               form_ == 2 ? Form::at_once : Form::stepwise);
    T* const vH = results<T>(a[K::vH]);
    const T* const rho = numbers<T>(a[K::rho]);
    const int64_t least = form_ == 2 ? 16384 : FieldSolver<T>::points_for_a_team / 2;
    const int64_t useful = std::clamp<int64_t>(g.points() / least, 1, team_size(threads_));
    solver.make_room(static_cast<int>(useful));
#pragma omp parallel num_threads(static_cast <int>(useful))
    {
      const Team team = Team::all();
      if (form_ == 0) solver.loop(team, vH, rho);
      if (form_ == 1) solver.fused(team, vH, rho);
      if (form_ == 2) solver.closed(team, vH, rho);
    }
  }

  int form_;
  FieldSolver<float> single_;
  FieldSolver<double> double_;
};

}  // namespace

extern const suite_kernel_table field_prop_table;
constexpr suite_kernel_table field_prop_table = kernel_table<FieldProp, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
