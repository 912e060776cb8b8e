// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_vxc: the local density approximation point by point; the formulas are in ../functional.hpp.
#include "kernels.hpp"

namespace suite::lfd::reference {

void compute_vxc(const Field& rho, Functional functional, Field& vxc, Field& exc) {
  vxc.assign(rho.size(), 0);
  exc.assign(rho.size(), 0);
  if (functional == Functional::none) return;
  for (size_t i = 0; i < rho.size(); ++i) {
    const auto xc = functional == Functional::pw92 ? exchange_correlation<Functional::pw92, double>(rho[i])
                                                   : exchange_correlation<Functional::pz81, double>(rho[i]);
    vxc[i] = xc.vxc;
    exc[i] = xc.exc;
  }
}

namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::functional_of_density};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : functional_(p[0] == 0 ? Functional::pw92 : Functional::pz81) {}
  void execute(const suite_array* arguments) {
    const ComputeVxc c(arguments);
    field_grid(c.rho);
    Field vxc, exc;
    compute_vxc(read_field(c.rho), functional_, vxc, exc);
    write(vxc, c.vxc);
    if (c.exc) write(exc, c.exc);
  }

private:
  Functional functional_;
};

}  // namespace

extern const suite_kernel_table compute_vxc_table;
constexpr suite_kernel_table compute_vxc_table = kernel_table<ComputeVxc, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
