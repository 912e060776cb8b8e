// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate on the processor: which of the variants serves a call.
#include "propagate.hpp"

#include <omp.h>

#include "../parameters.hpp"
#include "best.hpp"

namespace suite::lfd {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,
      parameter::functional,
      parameter::gauge,
      parameter::mass_correction,
      {"threads", 0, 0, 4096, nullptr, "threads of the one parallel region; 0: as OpenMP has it (OMP_NUM_THREADS)"},
  };

  Cpu(const suite_backend*, suite_queue*, const int64_t* parameters)
      : choices_{static_cast<Field>(parameters[0]), static_cast<Functional>(parameters[1]), parameters[2] != 0,
                 parameters[3] != 0},
        threads_(static_cast<int>(parameters[4])) {}

  void execute(const suite_array* arguments) {
    if (is_single(arguments[Propagate::psi]))
      run<float>(arguments, best_single_, potential_single_);
    else
      run<double>(arguments, best_double_, potential_double_);
  }

private:
  template <class T> void run(const suite_array* arguments, Best<T>& best, LocalPotential<T>& potential) {
    const PropagateCall<T> call(choices_, arguments);
    best.run(call, potential, threads_ > 0 ? threads_ : omp_get_max_threads());
  }

  Choices choices_;
  int threads_;
  Best<float> best_single_;
  Best<double> best_double_;
  LocalPotential<float> potential_single_;
  LocalPotential<double> potential_double_;
};

constexpr suite_kernel_table table = kernel_table<Propagate, Cpu>("cpu", "cpu");

}  // namespace
}  // namespace suite::lfd

SUITE_PLUGIN("lfd", "cpu", &suite::lfd::table)
