// SPDX-License-Identifier: BSD-3-Clause
// qmc.sweep: a walker's whole state is in one thread's near memory (walk.hpp); threads take walkers.
#include "../parameters.hpp"
#include "walk.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::form, parameter::move,
      knob("delay", 32, 1, 1024, "moves", "number of accepted moves of a spin delayed before its inverse is updated"), threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p)
      : form_(static_cast<Form>(p[0])), move_(static_cast<Move>(p[1])), delay_(p[2]), threads_(p[3]) {}

  void prepare(const suite_array* arguments) {
    const Sweep c(arguments);
    trial_.set(c, form_);
  }

  void execute(const suite_array* arguments) {
    const Sweep c(arguments);
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    check_dbar(electrons, c);
    const Walk walk = walk_of(move_, c);
    const int64_t nwalker = electrons.nwalker, nup = electrons.count(0), ndn = electrons.count(1);
    const int team = useful_threads(
        threads_, nwalker, real(walk.nsweep * electrons.netot) * (200 + 2 * real(electrons.netot) + 0.02 * real(nup * nup + ndn * ndn)));
    scratch_.reserve(team, OneWalker::size(trial_, electrons, delay_));
    outcomes_.resize(static_cast<size_t>(nwalker));
    each(team, nwalker, [&](int64_t w, int thread) {
      OneWalker walker(trial_, electrons, delay_, scratch_.of(thread), c.rele.data() + 3 * electrons.netot * w,
                       nup ? c.dbar_up.data() + nup * nup * w : nullptr, ndn ? c.dbar_dn.data() + ndn * ndn * w : nullptr);
      outcomes_[static_cast<size_t>(w)] = walker.go(walk, c.stream(w));
    });
    for (int64_t w = 0; w < nwalker; ++w) {
      const Outcome& o = outcomes_[static_cast<size_t>(w)];
      if (o.refused >= 0) check_ratio(o.refused_ratio, w, o.refused);
      c.accepted(w) = o.accepted;
      if (double* const diffusion = c.diffusion.data()) {
        diffusion[2 * w] = o.diffused_accepted;
        diffusion[2 * w + 1] = o.diffused;
      }
      if (double* const logpsi = c.logpsi.data()) logpsi[w] += o.logpsi;
    }
  }

private:
  Form form_;
  Move move_;
  int64_t delay_, threads_;
  Trial trial_;
  Scratch scratch_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

extern const suite_kernel_table sweep_table;
constexpr suite_kernel_table sweep_table = kernel_table<Sweep, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
