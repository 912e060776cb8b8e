// SPDX-License-Identifier: BSD-3-Clause
// qmc.sweep: one group for each walker (sweep.cl).
#include "texts.hpp"
#include "trial.hpp"

namespace suite::qmc::cl {
namespace {

constexpr suite_parameter sweep_delay =
    knob("delay", 0, 0, 128, "moves", "number of accepted moves delayed before dbar is updated; 0: 32 on a CPU, 16 on a GPU");

const char* sweep_text() {
  static const std::string text = std::string(text::windows) + text::philox + text::sweep;
  return text.c_str();
}

class SweepCL : public opencl::WithEngine<Engine, Sweep, parameter::form, parameter::move, sweep_delay> {
public:
  SweepCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p),
        move_(static_cast<Move>(p[1])),
        delay_(p[2] > 0                     ? p[2]
               : engine.device.is_processor ? 32
                                            : 16),
        trial_(engine, static_cast<Form>(p[0])),
        windows_(b, q, "the delayed moves"),
        who_(b, q, "the electrons of delayed moves"),
        work_(b, q, "the small arrays of a walker") {}

  void prepare(const suite_array* arguments) {
    const Sweep c(arguments);
    trial_.set(c);
  }

  void execute(const suite_array* arguments) {
    const Sweep c(arguments);
    const Electrons electrons = trial_.electrons(c);
    const Walk walk = walk_of(move_, c);
    const Sizes z(*this, electrons);
    const size_t groups = static_cast<size_t>(engine.groups(electrons.nwalker, z.items));
    const cl_mem rele = memory_of(c.rele), accepted = memory_of(c.accepted);
    const cl_mem windows = windows_.at_least(groups * static_cast<size_t>(z.window) * sizeof(double)),
                 who = who_.at_least(groups * static_cast<size_t>(delay_ + 1) * sizeof(cl_int)),
                 work = work_.at_least((z.in_local ? 1 : groups) * static_cast<size_t>(z.work) * sizeof(double));
    UOnDevice& u = trial_.u;
    WaveSums& p = trial_.p.sums();
    engine.start(sweep_text(), "sweep", options(z), electrons.nwalker, z.lanes, z.items, rele, trial_.cell.numbers(), trial_.kvec.memory(),
                 trial_.kvec.size(), u.coefficients(), u.cutoff(), u.sets(), p.list().memory(), p.list().count(), as_int(z.waves),
                 p.coefficients(), cl_int(trial_.p.sets()), memory_or(c.dbar_up, rele), memory_or(c.dbar_dn, rele), walk.tau, walk.alimit,
                 as_int(walk.nsweep), cl_long{walk.first_sweep}, cl_long{walk.seed}, memory_of(c.stream), accepted,
                 memory_or(c.diffusion, rele), cl_int(c.diffusion ? 1 : 0), memory_or(c.logpsi, rele), cl_int(c.logpsi ? 1 : 0), windows,
                 static_cast<cl_ulong>(z.window), who, work, static_cast<cl_ulong>(z.work), as_int(delay_), as_int(electrons.netot),
                 as_int(electrons.nup), as_int(z.layout.begin(1)), as_int(z.layout.size()), as_int(electrons.nwalker));
  }

private:
  // How large everything is, in numbers, as sweep.cl lays it out.
  struct Sizes {
    Sizes(SweepCL& k, const Electrons& e) {
      const int64_t most = std::max(e.count(0), e.count(1)), least = std::min(e.count(0), e.count(1));
      lanes = k.engine.lanes(least > 0 ? least : most);
      items = k.engine.local_of_moves();
      layout = {lanes, e.netot, e.nup};
      waves = k.trial_.p.there() ? k.trial_.p.sums().list().size() : 0;
      const int64_t step = lanes > 1 ? 4 * lanes : 1, padded = ceil_div(most, lanes) * lanes;
      capacity = ceil_div(k.delay_, step) * step;
      window = (3 * most * capacity + (2 * padded + capacity + k.delay_) * k.delay_ + 7) / 8 * 8;
      work = 3 * layout.size() + 2 * (padded + 2 * lanes) + 4 * capacity + std::max<int64_t>(items * lanes, capacity) + 8 * waves;
      work = (work + 7) / 8 * 8;
      const int64_t shared = (k.move_ == Move::langevin ? 11 : 2) * items;
      in_local = !k.engine.device.is_processor && static_cast<uint64_t>(work + shared) * sizeof(double) <= k.engine.device.local_bytes;
    }
    int lanes = 1, items = 1;
    Layout layout;
    int64_t waves = 0, capacity = 0, window = 0, work = 0;
    bool in_local = false;
  };
  std::string options(const Sizes& z) const {
    return trial_.cell.kind() + trial_.u.options() + define("MOVE", static_cast<int>(move_)) + define("HAS_U", trial_.u.there()) +
           define("HAS_P", trial_.p.there()) + define("CAPACITY", z.capacity) +
           (z.in_local ? define("IN_LOCAL", 1) + define("WORK_SIZE", z.work) + " -DWORK=__local"
                       : define("IN_LOCAL", 0) + " -DWORK=__global");
  }

  Move move_;
  int64_t delay_;
  Trial trial_;
  opencl::Scratch windows_, who_, work_;
};

}  // namespace

extern const suite_kernel_table sweep_table;
constexpr suite_kernel_table sweep_table = kernel_table<Sweep, SweepCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
