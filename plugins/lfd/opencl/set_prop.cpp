// SPDX-License-Identifier: BSD-3-Clause
// lfd.set_prop in OpenCL: the phases of the points.
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class SetPropCL : public Plain<SetProp> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const SetProp c(a);
    check_precision("v", c.v, "u", c.u);
    const Counts n(field_grid(c.v));
    engine.set_single(is_single(c.v.array()));
    engine.run(fields_cl, "phases", field_options(engine), engine.shares(ceil_div(n.points, engine.vector()), 32), memory_of(c.v),
               memory_of(c.u), cl_int(0), n.nx, n.ny, n.nz, -0.5 * c.dt, 0.0, 0.0, 0.0, 0.0, 1.0);
  }
};

}  // namespace

extern const suite_kernel_table set_prop_table;
constexpr suite_kernel_table set_prop_table = kernel_table<SetProp, SetPropCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
