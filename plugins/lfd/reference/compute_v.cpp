// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_v: v = vloc + vH + vxc + E.r, r measured from the point (Nx/2, Ny/2, Nz/2).
#include "kernels.hpp"

namespace suite::lfd::reference {

Field compute_v(const Grid& g, const Field& vloc, const double* vH, const double* vxc, const Three& E) {
  Field v(vloc.size());
  for_each_point(g, [&](const int64_t(&at)[3], int64_t i) {
    v[i] = vloc[i] + vH[i] + (vxc ? vxc[i] : 0);
    for (int d = 0; d < 3; ++d) v[i] += E.x[d] * position(g, d, at[d]);
  });
  return v;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const ComputeV c(arguments);
    const Grid g = field_grid(c.vloc, c.h.data());
    const Field vH = read_field(c.vH);
    const Field vxc = c.vxc ? read_field(c.vxc) : Field();
    write(compute_v(g, read_field(c.vloc), vH.data(), vxc.empty() ? nullptr : vxc.data(), three_or_zero(c.E)), c.v);
  }
};

}  // namespace

extern const suite_kernel_table compute_v_table;
constexpr suite_kernel_table compute_v_table = kernel_table<ComputeV, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
