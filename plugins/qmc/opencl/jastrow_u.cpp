// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_u (u_term.hpp).
#include "u_term.hpp"

namespace suite::qmc::cl {
namespace {

class JastrowUCL : public opencl::WithEngine<Engine, JastrowU, parameter::form> {
public:
  JastrowUCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), cell_(engine), u_(engine, cell_, static_cast<Form>(p[0])) {}

  void prepare(const suite_array* arguments) {
    const JastrowU c(arguments);
    cell_.set(c.cell);
    nele_ = engine.fetch<int32_t>(c.nele, "nele");
    u_.set(c);
  }
  void execute(const suite_array* arguments) {
    const JastrowU c(arguments);
    const Seats seats = seats_of(c, nele_.data());
    const cl_mem value = memory_of(c.value);
    const Outputs derivatives = outputs_of(c.dvalue, c.dgradient, c.dlaplacian, value);
    u_.sums(seats, outputs_of(c.value, c.gradient, c.laplacian, value));
    if (derivatives.has) u_.derivatives(seats, derivatives);
  }

private:
  Cell cell_;
  UOnDevice u_;
  std::vector<int32_t> nele_;
};

}  // namespace

extern const suite_kernel_table jastrow_u_table;
constexpr suite_kernel_table jastrow_u_table = kernel_table<JastrowU, JastrowUCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
