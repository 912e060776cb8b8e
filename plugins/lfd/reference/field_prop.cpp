// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop: steps of the field's wave equation,
//   u = kappa (lap v + 4 pi (rho - mean rho)) - gamma w;   w += u;   v += w.
// There is no force on the mean of v, so that a mean of the source, even one of rounding, would grow with the
// square of the steps: it is taken away twice.
#include "kernels.hpp"

namespace suite::lfd::reference {

void field_prop(const Grid& g, const FieldConstants& constants, const Field& rho, double* v, double* w) {
  Field source = rho;
  for (int pass = 0; pass < 2; ++pass) {
    long double sum = 0;
    for (const double s : source) sum += s;
    for (double& s : source) s -= static_cast<double>(sum / static_cast<long double>(source.size()));
  }
  Field change(rho.size());
  for (int64_t step = 0; step < constants.steps; ++step) {
    for_each_point(g, [&](const int64_t(&at)[3], int64_t i) {
      double laplacian = 0;
      for (int d = 0; d < 3; ++d)
        if (g.n[d] > 1) laplacian += (v[neighbour(g, at, d, 1)] - 2 * v[i] + v[neighbour(g, at, d, -1)]) / (g.h[d] * g.h[d]);
      change[i] = constants.kappa * (laplacian + 4 * std::numbers::pi * source[i]) - constants.gamma * w[i];
    });
    for (size_t i = 0; i < rho.size(); ++i) {
      w[i] += change[i];
      v[i] += w[i];
    }
  }
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const FieldProp c(arguments);
    const Grid g = field_grid(c.rho, c.h.data());
    const FieldConstants constants = field_constants(g, c.wave);
    Field vH = read_field(c.vH);
    field_prop(g, constants, read_field(c.rho), vH.data(), vH.data() + g.points());
    write(vH, c.vH);
  }
};

}  // namespace

extern const suite_kernel_table field_prop_table;
constexpr suite_kernel_table field_prop_table = kernel_table<FieldProp, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
