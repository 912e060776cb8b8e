// SPDX-License-Identifier: BSD-3-Clause
// lfd.kin_prop: the pairs of one part of one direction (lfd.hpp), each turned by its own 2 x 2 matrix.
#include "kernels.hpp"

namespace suite::lfd::reference {

void kin_prop(Orbitals& psi, const Grid& g, int d, Part part, double theta, const Momenta& momenta) {
  if (g.n[d] == 1) return;
  const Rotation r = rotation(theta, part);
  std::vector<Complex> bond;  // e^{i(A+k)h}
  for (int64_t n = 0; n < g.norb; ++n) bond.push_back(std::polar(1.0, momenta(d, n) * g.h[d]));
  for_each_point(g, [&](const int64_t(&at)[3], int64_t first) {
    const bool even = at[d] % 2 == 0;
    if (even != (part == Part::half)) return;  // a pair is met at its first point
    const int64_t second = neighbour(g, at, d, 1);
    for (int64_t n = 0; n < g.norb; ++n) {
      Complex &a = psi[n + g.norb * first], &b = psi[n + g.norb * second];
      const Complex old_a = a, old_b = b;
      a = r.ep * old_a + r.em * bond[n] * old_b;
      b = r.ep * old_b + r.em * std::conj(bond[n]) * old_a;
    }
  });
}

namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::d, parameter::p, parameter::mass_correction};
  Reference(const suite_backend*, suite_queue*, const int64_t* p)
      : d_(static_cast<int>(p[0])), part_(static_cast<Part>(p[1])), mass_correction_(p[2] != 0) {}

  void execute(const suite_array* arguments) {
    const KinProp c(arguments);
    const Grid g = orbital_grid(c.psi, c.h.data());
    check_time_step(c.dt, g.h, g.n, mass_correction_);
    Orbitals psi = read_orbitals(c.psi);
    const Momenta momenta{three_or_zero(c.A), c.k.data()};
    kin_prop(psi, g, d_, part_, splitting_angle(c.dt, g.h[d_], mass_correction_), momenta);
    write(psi, c.psi);
  }

private:
  int d_;
  Part part_;
  bool mass_correction_;
};

}  // namespace

extern const suite_kernel_table kin_prop_table;
constexpr suite_kernel_table kin_prop_table = kernel_table<KinProp, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
