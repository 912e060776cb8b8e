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
    using K = ComputeV;
    const Grid g = field_grid(arguments[K::vloc], numbers(arguments[K::h]));
    const Field vH = read_field(arguments[K::vH]);
    const Field vxc = arguments[K::vxc].data ? read_field(arguments[K::vxc]) : Field();
    write_field(compute_v(g, read_field(arguments[K::vloc]), vH.data(), vxc.empty() ? nullptr : vxc.data(),
                          three_or_zero(arguments[K::E])),
                arguments[K::v]);
  }
};

}  // namespace

extern const suite_kernel_table compute_v_table;
constexpr suite_kernel_table compute_v_table = kernel_table<ComputeV, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
