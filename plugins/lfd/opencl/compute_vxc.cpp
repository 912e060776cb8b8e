// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_vxc in OpenCL: the formulas of ../functional.hpp, as vectors.
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class ComputeVxcCL : public Plain<ComputeVxc, parameter::functional_of_density> {
public:
  ComputeVxcCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p), functional_(static_cast<Functional>(p[0] + 1)) {}
  void execute(const suite_array* a) {
    const ComputeVxc c(a);
    const Counts n(field_grid(c.rho));
    engine.set_single(is_single(c.rho.array()));
    engine.run(fields_cl, "compute_vxc", field_options(engine, functional_), engine.shares(ceil_div(n.points, engine.vector()), 32),
               memory_of(c.rho), memory_of(c.vxc), memory_or(c.exc.array(), memory_of(c.vxc)), n.points, cl_int(bool(c.exc)));
  }

private:
  Functional functional_;
};

}  // namespace

extern const suite_kernel_table compute_vxc_table;
constexpr suite_kernel_table compute_vxc_table = kernel_table<ComputeVxc, ComputeVxcCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
