// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate on the processor: which of the variants serves a call.
#include "propagate.hpp"

#include "../parameters.hpp"
#include "best.hpp"
#include "kernels.hpp"
#include "ladder.hpp"

namespace suite::lfd {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,
      parameter::functional,
      parameter::gauge,
      parameter::mass_correction,
      {"variant", static_cast<int>(Step::best), 0, static_cast<int>(Step::best), propagate_variants,
       "original: orbitals outermost, a work array, any direction by its stride" SUITE_LFD_ORIGINAL_PUBLISHED
       "specialised: the same with one loop nest for each direction, in "
       "vectors" SUITE_LFD_SPECIALISED_EXPECTED "reordered: orbitals innermost, psi[i][j][k][n]; the work "
                                                "array is a line" SUITE_LFD_REORDERED_PUBLISHED
       "scratch_free: no work array, one row psi_old for the value that was "
       "overwritten" SUITE_LFD_SCRATCH_FREE_PUBLISHED "complex_1d: psi and psi_old as one-dimensional arrays "
                                                      "of complex numbers" SUITE_LFD_COMPLEX_1D_PUBLISHED
       "offloaded: the lines of kin_prop in parallel, the field by one thread" SUITE_LFD_OFFLOADED_PUBLISHED
       "field_sync: each loop of each field step (field=loop) in parallel, with a join after "
       "it" SUITE_LFD_FIELD_SYNC_PUBLISHED
       "field_async: all field steps in one parallel region, without joins" SUITE_LFD_FIELD_ASYNC_PUBLISHED
       "best: cells of 2 x 2 x 2 in tangent form, one pass of memory a step, phases and constants merged, "
       "density "
       "in the last pass" SUITE_LFD_BEST_EXPECTED},
      threads_parameter,
  };

  Cpu(const suite_backend*, suite_queue*, const int64_t* parameters)
      : choices_{static_cast<Field>(parameters[0]), static_cast<Functional>(parameters[1]),
                 parameters[2] != 0, parameters[3] != 0},
        variant_(static_cast<Step>(parameters[4])),
        threads_(parameters[5]) {}

  void execute(const suite_array* arguments) {
    if (is_single(arguments[Propagate::psi]))
      run(arguments, single_);
    else
      run(arguments, double_);
  }

private:
  template <class T>
  struct State {
    Best<T> best;
    Ladder<T> ladder;
    LocalPotential<T> potential;
  };

  template <class T>
  void run(const suite_array* arguments, State<T>& state) {
    const PropagateCall<T> call(choices_, arguments);
    const int threads = team_size(threads_);
    if (variant_ == Step::best)
      state.best.run(call, state.potential, threads);
    else
      state.ladder.run(variant_, call, state.potential, threads);
  }

  Choices choices_;
  Step variant_;
  int64_t threads_;
  State<float> single_;
  State<double> double_;
};

}  // namespace

extern const suite_kernel_table propagate_table;
constexpr suite_kernel_table propagate_table = kernel_table<Propagate, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
