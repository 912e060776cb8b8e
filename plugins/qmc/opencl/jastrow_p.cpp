// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_p, by the steps of the ladder (p_term.hpp).
#include "p_term.hpp"

namespace suite::qmc::cl {
namespace {

class JastrowPCL : public opencl::WithEngine<Engine, JastrowP, parameter::jastrow_p_variant> {
public:
  JastrowPCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), step_(static_cast<SumStep>(p[0])), cell_(engine), p_(engine, cell_) {}

  void prepare(const suite_array* arguments) {
    const JastrowP c(arguments);
    cell_.set(c.cell);
    nele_ = engine.fetch<int32_t>(c.nele, "nele");
    p_.set(c);
  }
  void execute(const suite_array* arguments) {
    const JastrowP c(arguments);
    const Seats seats = seats_of(c, nele_.data());
    const cl_mem value = memory_of(c.value);
    const Outputs out = outputs_of(c.value, c.gradient, c.laplacian, value),
                  derivatives = outputs_of(c.dvalue, c.dgradient, c.dlaplacian, value);
    const bool by_rho = step_ >= SumStep::structure_factor;
    cl_mem rho = nullptr;
    if (by_rho || derivatives.has) rho = c.rhok ? memory_of(c.rhok) : p_.sums().rho(seats);
    if (by_rho) p_.sums().by_rho(seats, rho, out);
    if (step_ == SumStep::pair) p_.sums().by_pairs(seats, out, nullptr);
    if (step_ == SumStep::split_loops) p_.sums().by_tables(seats, out);
    if (derivatives.has) p_.derivatives(seats, rho, derivatives);
  }

private:
  SumStep step_;
  Cell cell_;
  POnDevice p_;
  std::vector<int32_t> nele_;
};

}  // namespace

extern const suite_kernel_table jastrow_p_table;
constexpr suite_kernel_table jastrow_p_table = kernel_table<JastrowP, JastrowPCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
