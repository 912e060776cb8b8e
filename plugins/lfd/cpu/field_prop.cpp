// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop: the forms of field.hpp.
#include "../steps.hpp"
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd {
namespace {

constexpr suite_parameter form = variant("variant", 2, field_forms, field_variant);

class Cpu : public cpu::WithThreads<form> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p) : WithThreads(b, q, p), form_(static_cast<int>(p[0])) {}

  void execute(const suite_array* a) {
    const FieldProp c(a);
    if (is_single(c.rho.array())) run(c, single_);
    else run(c, double_);
  }

private:
  template <class T> void run(const FieldProp& c, FieldSolver<T>& solver) {
    using Form = typename FieldSolver<T>::Form;
    const Grid g = field_grid(c.rho, c.h.data());
    solver.set(g, field_constants(g, c.wave), form_ == 2 ? Form::at_once : Form::stepwise);
    T* const vH = c.vH.as<real_of<T>>().data();
    const T* const rho = c.rho.as<real_of<T>>().data();
    const int64_t least = form_ == 2 ? 16384 : FieldSolver<T>::points_for_a_team / 2;
    const int64_t useful = std::clamp<int64_t>(g.points() / least, 1, team_size(threads_));
    solver.make_room(static_cast<int>(useful));
#pragma omp parallel num_threads(static_cast<int>(useful))
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
