// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate on the CPU: which of the variants serves a call.
#include "propagate.hpp"

#include "best.hpp"
#include "kernels.hpp"
#include "ladder.hpp"

namespace suite::lfd {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,   parameter::functional,
      parameter::gauge,   parameter::mass_correction,
      parameter::kinetic, variant("variant", static_cast<int>(Step::best), propagate_steps, propagate_variant),
      threads_parameter,
  };

  Cpu(const suite_backend*, suite_queue*, const int64_t* parameters)
      : choices_(parameters), variant_(static_cast<Step>(parameters[Choices::count])), threads_(parameters[Choices::count + 1]) {}

  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Propagate::cost_with(a, Choices(p).kinetic, cost); }

  void execute(const suite_array* arguments) {
    const Propagate c(arguments);
    if (is_single(c.psi.array())) run(c, single_);
    else run(c, double_);
  }

private:
  template <class T> struct State {
    Best<T> best;
    Ladder<T> ladder;
    LocalPotential<T> potential;
  };

  template <class T> void run(const Propagate& c, State<T>& state) {
    const PropagateCall<T> call(choices_, c);
    const int threads = team_size(threads_);
    if (variant_ == Step::best || choices_.fourier()) state.best.run(call, state.potential, threads);
    else state.ladder.run(variant_, call, state.potential, threads);
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
