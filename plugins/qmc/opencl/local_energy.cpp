// SPDX-License-Identifier: BSD-3-Clause
// qmc.local_energy out of the sums of other kernels.
#include "ewald.hpp"
#include "texts.hpp"
#include "trial.hpp"

namespace suite::qmc::cl {
namespace {

class LocalEnergyCL : public opencl::WithEngine<Engine, LocalEnergy, parameter::form> {
public:
  LocalEnergyCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p),
        trial_(engine, static_cast<Form>(p[0])),
        ewald_(engine, trial_.cell, SumStep::best),
        slater_(b, q, "derivatives of determinants"),
        u_(b, q, "the u term of each electron"),
        p_(b, q, "the p term of each electron"),
        total_(b, q, "Ewald energies") {}

  void prepare(const suite_array* arguments) {
    const LocalEnergy c(arguments);
    trial_.set(c);
    ewald_.set(c.ewald_alpha, c.ewald_tolerance, true);
    ewald_.set_charges(std::vector<double>(static_cast<size_t>(c.netot()), -1.0));
  }

  void execute(const suite_array* arguments) {
    const LocalEnergy c(arguments);
    const Electrons electrons = trial_.electrons(c);
    const Seats seats = seats_of_all(c.rele, trial_.nele.data());
    const int items = engine.local();
    const cl_mem slater = slater_.at_least(static_cast<size_t>(4 * seats.rows()) * sizeof(double)),
                 ewald = total_.at_least(static_cast<size_t>(seats.nwalker) * sizeof(double));
    engine.start(text::energy, "slater_at_electrons", define("KIND", 0), seats.rows(),
                 engine.lanes(std::max<int64_t>(std::max(electrons.count(0), electrons.count(1)) / 2, 1)), items, seats.rele,
                 trial_.cell.numbers(), trial_.kvec.memory(), trial_.kvec.size(), memory_or(c.dbar_up, slater),
                 memory_or(c.dbar_dn, slater), slater, as_int(seats.netot), as_int(seats.first), as_int(seats.rows()));
    const Parts u(u_, trial_.u.there(), seats.rows()), p(p_, trial_.p.there(), seats.rows());
    if (trial_.u.there()) trial_.u.sums(seats, u.outputs());
    if (trial_.p.there()) trial_.p.sums().by_rho(seats, trial_.p.sums().rho(seats), p.outputs());
    ewald_.compute(seats, {nullptr, nullptr, ewald});
    engine.start(text::energy, "sum_up_energies", define("KIND", 0), seats.nwalker, 1, items, slater, u.value, u.gradient, u.laplacian,
                 cl_int(trial_.u.there()), p.value, p.gradient, p.laplacian, cl_int(trial_.p.there()), ewald, memory_of(c.energy),
                 memory_or(c.velocity, slater), cl_int(c.velocity ? 1 : 0), memory_or(c.jastrow, slater), cl_int(c.jastrow ? 1 : 0),
                 as_int(seats.netot), as_int(seats.nwalker));
  }

private:
  // Value, gradient and Laplacian of a term for each electron.
  struct Memory {
    Memory(const suite_backend* b, suite_queue* q, const char* what) : value(b, q, what), gradient(b, q, what), laplacian(b, q, what) {}
    opencl::Scratch value, gradient, laplacian;
  };
  struct Parts {
    Parts(Memory& memory, bool there, int64_t rows) {
      const size_t bytes = there ? static_cast<size_t>(rows) * sizeof(double) : 0;
      value = memory.value.at_least(bytes);
      gradient = memory.gradient.at_least(3 * bytes);
      laplacian = memory.laplacian.at_least(bytes);
    }
    Outputs outputs() const { return {value, gradient, laplacian, 7}; }
    cl_mem value, gradient, laplacian;
  };

  Trial trial_;
  EwaldOnDevice ewald_;
  opencl::Scratch slater_;
  Memory u_, p_;
  opencl::Scratch total_;
};

}  // namespace

extern const suite_kernel_table local_energy_table;
constexpr suite_kernel_table local_energy_table = kernel_table<LocalEnergy, LocalEnergyCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
