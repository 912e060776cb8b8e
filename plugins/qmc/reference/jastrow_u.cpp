// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_u. With r the distance from j to i and e its direction:  grad_i u = u' e,  lap_i u = u'' + 2
// u'/r.
#include "kernels.hpp"

namespace suite::qmc::reference {

namespace {

void add_radial(const Radial& f, double r, const Vector& e, Local& sum) {
  sum.value += f.value;
  sum.laplacian += f.second + 2 * f.first / r;
  for (int d = 0; d < 3; ++d) sum.gradient.x[d] += f.first * e.x[d];
}

}  // namespace

Local jastrow_u(const Lattice& lattice, const Electrons& electrons, const UTerm& u, const double* alpha, const Place& place) {
  Local sum;
  for_each_pair(lattice, electrons, u.nset, u.L, place, [&](int64_t, int set, double r, const Vector& e) {
    add_radial(u_of_pair(u.form, alpha + u.nalpha * set, u.nalpha, u.L, u.C, r), r, e, sum);
  });
  return sum;
}

namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::form};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : form_(static_cast<Form>(p[0])) {}

  void execute(const suite_array* arguments) {
    const JastrowU c(arguments);
    const Lattice lattice = lattice_of(c.cell.data());
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    const UTerm u = u_term(form_, c, lattice);
    const Moved moved = moved_of(c, c.npos());
    for (int64_t w = 0; w < electrons.nwalker; ++w)
      for (int64_t m = 0; m < moved.npos; ++m) {
        const Place place = place_of(moved, c, m, w);
        put(c, m, w, jastrow_u(lattice, electrons, u, c.alpha.data(), place));
        for (int64_t l = 0; l < u.nalpha && has_derivatives(c); ++l)
          for (int set = 0; set < u.nset; ++set) put_derivatives(c, l, set, m, w, by_alpha(lattice, electrons, u, l, set, place));
      }
  }

private:
  static Local by_alpha(const Lattice& lattice, const Electrons& electrons, const UTerm& u, int64_t l, int wanted, const Place& place) {
    Local sum;
    for_each_pair(lattice, electrons, u.nset, u.L, place, [&](int64_t, int set, double r, const Vector& e) {
      if (set == wanted) add_radial(u_basis(u.form, l, u.nalpha, u.L, u.C, r), r, e, sum);
    });
    return sum;
  }
  Form form_;
};

}  // namespace

extern const suite_kernel_table jastrow_u_table;
constexpr suite_kernel_table jastrow_u_table = kernel_table<JastrowU, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
