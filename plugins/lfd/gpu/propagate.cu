// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate on a GPU: which of the variants serves a call.
#include "../steps.hpp"
#include "best.hpp"
#include "ladder.hpp"

namespace suite::lfd {

template <class T>
PropagateCall<T>::PropagateCall(const Choices& chosen, const Propagate& c, const double* h)
    : choices(chosen),
      grid(orbital_grid(c.psi, h)),
      psi(device_data<Number<T>>(c.psi)),
      f(c.f.data()),
      k(c.k.data()),
      drive(c.drive.data()),
      vloc(device_data<T>(c.vloc)),
      vH(device_data<T>(c.vH)),
      rho(device_data<T>(c.rho)),
      dt(c.dt),
      nsteps(c.nsteps()),
      field(field_constants(grid, c.wave)),
      dipole(c.dipole.data()),
      current(c.current.data()) {
  check_size(grid);
  check_precision("psi", c.psi, "vloc", c.vloc);
  check_time_step(dt, grid.h, grid.n, choices.mass_correction, choices.kinetic);
}

namespace {

// clang-format off
constexpr auto steps = with_meaning(propagate_steps, {
    {"original", "one thread per point and orbital, orbitals outermost, a work array, each direction by its stride; field=loop by one "
                 "block of threads (up to offloaded)"},
    {"specialised", "the same with one kernel per direction"},
    {"reordered", "orbitals innermost, psi[i][j][k][n], so that neighbouring threads have neighbouring orbitals"},
    {"scratch_free", "no work array: a thread takes one orbital along a line with psi_old in a register, a block one plane of lines"},
    {"complex_1d", "complex numbers loaded and stored as one word"},
    {"offloaded", "all lines of kin_prop at once, collapsed with the orbitals"},
    {"field_sync", "each loop of each field step (field=loop) as one kernel over the whole grid, followed by a wait of the host"},
    {"field_async", "the same without waiting"},
    {"best", "cells of 2 x 2 x 2 in tangent form, three passes over memory per step (two while v is constant), phases and constants merged, "
             "density in the last pass"},
});
// clang-format on

class PropagateGpu : public OnGpu<Propagate> {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,           parameter::functional, parameter::gauge,
      parameter::mass_correction, parameter::kinetic,    variant("variant", static_cast<int>(Step::best), steps, propagate_variant),
  };
  PropagateGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : OnGpu(backend, queue, p),
        choices_(p),
        variant_(static_cast<Step>(p[Choices::count])),
        nonlocal_(queue_),
        single_(queue_),
        double_(queue_) {}

  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Propagate::cost_with(a, Choices(p).kinetic, cost); }

  // Looks at h and the nonlocal pseudopotential. Waits for the device.
  void prepare(const suite_array* a) {
    OnGpu::prepare(a);
    const Propagate c(a);
    nonlocal_.prepare(orbital_grid(c.psi, h_.data()), c.nonlocal);
    single_.best.forget();
    double_.best.forget();
  }

  void execute(const suite_array* a) {
    const Propagate c = begin(a);
    if (is_single(c.psi.array())) run(c, single_);
    else run(c, double_);
  }

private:
  template <class T> struct State {
    explicit State(const gpu::Queue& queue) : around(queue), best(queue), ladder(queue) {}
    Surroundings<T> around;
    Best<T> best;
    Ladder<T> ladder;
  };

  template <class T> void run(const Propagate& c, State<T>& state) {
    const PropagateCall<T> call(choices_, c, h_.data());
    nonlocal_.set_time(call.dt / 2);
    if (variant_ == Step::best || choices_.fourier()) {
      nonlocal_.set_layout(row_strides(call.grid), true);
      state.best.run(call, state.around, nonlocal_);
    } else {
      state.ladder.run(variant_, call, state.around, nonlocal_);
    }
  }

  Choices choices_;
  Step variant_;
  Nonlocal nonlocal_;
  State<float> single_;
  State<double> double_;
};

}  // namespace

const suite_kernel_table* propagate_table() { return gpu_table<Propagate, PropagateGpu>(); }

}  // namespace suite::lfd
