// SPDX-License-Identifier: BSD-3-Clause
// lfd.set_prop: u = exp(-i v dt/2), the potential's share of half a step.
#include "kernels.hpp"

namespace suite::lfd::reference {

std::vector<Complex> set_prop(const Field& v, double dt) {
  std::vector<Complex> u(v.size());
  for (size_t i = 0; i < v.size(); ++i) u[i] = std::polar(1.0, -0.5 * v[i] * dt);
  return u;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const SetProp c(arguments);
    check_precision("v", c.v, "u", c.u);
    field_grid(c.v);
    write(set_prop(read_field(c.v), c.dt), c.u);
  }
};

}  // namespace

extern const suite_kernel_table set_prop_table;
constexpr suite_kernel_table set_prop_table = kernel_table<SetProp, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
