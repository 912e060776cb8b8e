// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_v in OpenCL: the sum at each point.
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

class ComputeVCL : public Plain<ComputeV> {
public:
  using Plain::Plain;
  void execute(const suite_array* a) {
    const ComputeV c(a);
    const Grid g = field_grid(c.vloc, h.x);
    const Counts n(g);
    engine.set_single(is_single(c.vloc.array()));
    const Three E = three(c.E, "E");
    engine.run(fields_cl, "compute_v", field_options(engine), engine.shares(n.points, 1024), memory_of(c.vloc), memory_of(c.vH),
               memory_or(c.vxc.array(), memory_of(c.vloc)), memory_of(c.v), n.nx, n.ny, n.nz, cl_int(bool(c.vxc)), E.x[0] * g.h[0],
               E.x[1] * g.h[1], E.x[2] * g.h[2]);
  }
};

}  // namespace

extern const suite_kernel_table compute_v_table;
constexpr suite_kernel_table compute_v_table = kernel_table<ComputeV, ComputeVCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
