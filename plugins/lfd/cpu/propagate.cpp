// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate on the processor: which of the variants serves a call.
#include "propagate.hpp"

#include "../parameters.hpp"
#include "best.hpp"
#include "kernels.hpp"

namespace suite::lfd {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,
      parameter::functional,
      parameter::gauge,
      parameter::mass_correction,
      threads_parameter,
  };

  Cpu(const suite_backend*, suite_queue*, const int64_t* parameters)
      : choices_{static_cast<Field>(parameters[0]), static_cast<Functional>(parameters[1]), parameters[2] != 0,
                 parameters[3] != 0},
        threads_(parameters[4]) {}

  void execute(const suite_array* arguments) {
    if (is_single(arguments[Propagate::psi]))
      run<float>(arguments, best_single_, potential_single_);
    else
      run<double>(arguments, best_double_, potential_double_);
  }

private:
  template <class T> void run(const suite_array* arguments, Best<T>& best, LocalPotential<T>& potential) {
    const PropagateCall<T> call(choices_, arguments);
    best.run(call, potential, team_size(threads_));
  }

  Choices choices_;
  int64_t threads_;
  Best<float> best_single_;
  Best<double> best_double_;
  LocalPotential<float> potential_single_;
  LocalPotential<double> potential_double_;
};

}  // namespace

extern const suite_kernel_table propagate_table;
constexpr suite_kernel_table propagate_table = kernel_table<Propagate, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
