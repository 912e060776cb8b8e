// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_u. With r the distance from j to i and e its direction:  grad_i u = u' e,  lap_i u = u'' + 2
// u'/r.
#include "kernels.hpp"

namespace suite::qmc::reference {

Place place_of(const Moved& moved, const suite_array& rele, const suite_array& rnew, int64_t position,
               int64_t w) {
  const double* const here = numbers(rele) + 3 * rele.extent[1] * w;
  const int64_t i = moved.electron(position);
  return {here, i, moved.one ? numbers(rnew) + 3 * (position + moved.npos * w) : here + 3 * i};
}

namespace {

void add_radial(const Radial& f, double r, const Vector& e, Local& sum) {
  sum.value += f.value;
  sum.laplacian += f.second + 2 * f.first / r;
  for (int d = 0; d < 3; ++d) sum.gradient.x[d] += f.first * e.x[d];
}

}  // namespace

Local jastrow_u(const Lattice& lattice, const Electrons& electrons, const UTerm& u, const double* alpha,
                const Place& place) {
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
    using K = JastrowU;
    const Lattice lattice = lattice_of(numbers(arguments[K::cell]));
    const Electrons electrons = electrons_of(arguments[K::rele], integers(arguments[K::nele]));
    const UTerm u = u_term(form_, arguments[K::alpha], arguments[K::L_u], arguments[K::truncation], lattice);
    const Moved moved =
        moved_of(arguments[K::ie], arguments[K::rnew], electrons.netot, arguments[K::value].extent[0]);
    const double* const alpha = numbers(arguments[K::alpha]);
    const LocalArrays arrays = local_arrays<K>(arguments);
    const DerivativeArrays derivatives = derivative_arrays<K>(arguments);
    for (int64_t w = 0; w < electrons.nwalker; ++w)
      for (int64_t m = 0; m < moved.npos; ++m) {
        const Place place = place_of(moved, arguments[K::rele], arguments[K::rnew], m, w);
        arrays.put(m, w, jastrow_u(lattice, electrons, u, alpha, place));
        for (int64_t l = 0; l < u.nalpha && derivatives.wanted(); ++l)
          for (int set = 0; set < u.nset; ++set)
            derivatives.put(l, set, m, w, by_alpha(lattice, electrons, u, l, set, place));
      }
  }

private:
  static Local by_alpha(const Lattice& lattice, const Electrons& electrons, const UTerm& u, int64_t l,
                        int wanted, const Place& place) {
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
