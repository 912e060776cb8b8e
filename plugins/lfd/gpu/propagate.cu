// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate on a GPU: which of the variants serves a call.
#include "../steps.hpp"
#include "best.hpp"
#include "ladder.hpp"

namespace suite::lfd {

template <class T>
PropagateCall<T>::PropagateCall(const Choices& chosen, const suite_array* a, const double* h)
    : choices(chosen),
      grid(orbital_grid(a[Propagate::psi], h)),
      psi(device_data<Number<T>>(a[Propagate::psi])),
      f(device_data<double>(a[Propagate::f])),
      k(device_data<double>(a[Propagate::k])),
      drive(device_data<double>(a[Propagate::drive])),
      vloc(device_data<T>(a[Propagate::vloc])),
      vH(device_data<T>(a[Propagate::vH])),
      rho(device_data<T>(a[Propagate::rho])),
      dt(*static_cast<const double*>(a[Propagate::dt].data)),
      nsteps(a[Propagate::drive].extent[1]),
      field(field_constants(grid, a[Propagate::kappa], a[Propagate::gamma], a[Propagate::field_steps])),
      dipole(device_data<double>(a[Propagate::dipole])),
      current(device_data<double>(a[Propagate::current])) {
  check_addresses<Propagate>(a);
  check_size(grid);
  check_precision("psi", a[Propagate::psi], "vloc", a[Propagate::vloc]);
  check_time_step(dt, grid.h, grid.n, choices.mass_correction);
}

namespace {

class PropagateGpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,
      parameter::functional,
      parameter::gauge,
      parameter::mass_correction,
      {"variant", static_cast<int>(Step::best), 0, static_cast<int>(Step::best), propagate_variants,
       "original: a thread for each point of each orbital, orbitals outermost, a work array, any direction "
       "by its "
       "stride; field=loop by one block of threads, as up to offloaded" SUITE_LFD_ORIGINAL_PUBLISHED
       "specialised: the same with one kernel for each direction" SUITE_LFD_SPECIALISED_EXPECTED
       "reordered: orbitals innermost, psi[i][j][k][n], so that neighbouring threads have neighbouring "
       "orbitals" SUITE_LFD_REORDERED_PUBLISHED "scratch_free: no work array: a thread takes one orbital "
                                                "along a line with psi_old in a register, a block "
       "one plane of lines" SUITE_LFD_SCRATCH_FREE_PUBLISHED
       "complex_1d: complex numbers loaded and stored in one piece" SUITE_LFD_COMPLEX_1D_PUBLISHED
       "offloaded: all lines of kin_prop at a time, collapsed with the orbitals" SUITE_LFD_OFFLOADED_PUBLISHED
       "field_sync: each loop of each field step (field=loop) as a kernel of the whole grid, for which the "
       "host "
       "waits" SUITE_LFD_FIELD_SYNC_PUBLISHED
       "field_async: the same without waiting" SUITE_LFD_FIELD_ASYNC_PUBLISHED
       "best: cells of 2 x 2 x 2 in tangent form, three passes of memory a step, two while v stands still, "
       "phases "
       "and constants merged, density in the last pass" SUITE_LFD_BEST_EXPECTED},
  };

  PropagateGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : choices_{static_cast<Field>(p[0]), static_cast<Functional>(p[1]), p[2] != 0, p[3] != 0},
        variant_(static_cast<Step>(p[4])),
        queue_(backend, queue),
        nonlocal_(queue_),
        single_(queue_),
        double_(queue_) {}

  // Looks at h and the nonlocal pseudopotential. Waits for the device.
  void prepare(const suite_array* a) {
    using K = Propagate;
    queue_.select();
    h_ = on_host<double>(queue_, a[K::h]);
    nonlocal_.prepare(orbital_grid(a[K::psi], h_.data()), a[K::nlpoint], a[K::nldisp], a[K::beta], a[K::dnl]);
  }

  void execute(const suite_array* a) {
    queue_.select();
    if (is_single(a[Propagate::psi]))
      run(a, single_);
    else
      run(a, double_);
  }

private:
  template <class T>
  struct State {
    explicit State(const gpu::Queue& queue) : around(queue), best(queue), ladder(queue) {}
    Surroundings<T> around;
    Best<T> best;
    Ladder<T> ladder;
  };

  template <class T>
  void run(const suite_array* a, State<T>& state) {
    const PropagateCall<T> call(choices_, a, h_.data());
    nonlocal_.set_time(call.dt / 2);
    if (variant_ == Step::best) {
      nonlocal_.set_layout(row_strides(call.grid), true);
      state.best.run(call, state.around, nonlocal_);
    } else {
      state.ladder.run(variant_, call, state.around, nonlocal_);
    }
  }

  Choices choices_;
  Step variant_;
  gpu::Queue queue_;
  std::vector<double> h_;
  Nonlocal nonlocal_;
  State<float> single_;
  State<double> double_;
};

}  // namespace

const suite_kernel_table* propagate_table() {
  static constexpr suite_kernel_table table =
      kernel_table<Propagate, PropagateGpu>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
  return &table;
}

}  // namespace suite::lfd
