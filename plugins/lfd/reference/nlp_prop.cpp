// SPDX-License-Identifier: BSD-3-Clause
// lfd.nlp_prop: psi += B K B^H psi dr, atom after atom (../nonlocal.hpp).
#include "kernels.hpp"

namespace suite::lfd::reference {

Nonlocal read_nonlocal(const Grid& g, const line::Nonlocal& arguments) {
  if (!has_nonlocal(arguments)) return {};
  Nonlocal V{arguments.nlpoint.data(),
             arguments.nldisp.data(),
             arguments.beta.data(),
             arguments.dnl.data(),
             arguments.nsphere(),
             arguments.nproj(),
             arguments.natom(),
             {},
             {}};
  check_spheres(V.nlpoint, V.nsphere, V.natom, g.points());
  V.count = sphere_points(V.nlpoint, V.nsphere, V.natom);
  V.overlaps = projector_overlaps(V.beta, V.nlpoint, V.nsphere, V.nproj, V.natom, g.volume_element());
  return V;
}

Complex projector(const Nonlocal& V, const Momenta& momenta, int64_t n, int64_t i, int64_t j, int64_t atom) {
  const double* const r = V.nldisp + 3 * (i + V.nsphere * atom);
  const double angle = momenta(0, n) * r[0] + momenta(1, n) * r[1] + momenta(2, n) * r[2];
  return std::polar(1.0, -angle) * V.beta[i + V.nsphere * (j + V.nproj * atom)];
}

std::vector<Complex> projections(const Grid& g, const Nonlocal& V, const Momenta& momenta, const Orbitals& psi, int64_t n, int64_t atom,
                                 int direction) {
  std::vector<Complex> c(static_cast<size_t>(V.nproj));
  for (int64_t j = 0; j < V.nproj; ++j)
    for (int64_t i = 0; i < V.count[atom]; ++i) {
      const int64_t at = V.nlpoint[i + V.nsphere * atom] - 1;
      const double r = direction < 0 ? 1 : V.nldisp[direction + 3 * (i + V.nsphere * atom)];
      c[j] += std::conj(projector(V, momenta, n, i, j, atom)) * r * psi[n + g.norb * at] * g.volume_element();
    }
  return c;
}

void nlp_prop(Orbitals& psi, const Grid& g, const Nonlocal& V, const Momenta& momenta, double dt, bool descending) {
  const std::vector<Complex> K = projector_exponentials(V.overlaps.data(), V.dnl, V.nproj, V.natom, dt);
  for (int64_t step = 0; step < V.natom; ++step) {
    const int64_t atom = descending ? V.natom - 1 - step : step;
    for (int64_t n = 0; n < g.norb; ++n) {
      const std::vector<Complex> c = projections(g, V, momenta, psi, n, atom);
      for (int64_t j = 0; j < V.nproj; ++j) {
        Complex factor = 0;
        for (int64_t l = 0; l < V.nproj; ++l) factor += K[j + V.nproj * (l + V.nproj * atom)] * c[l];
        for (int64_t i = 0; i < V.count[atom]; ++i) {
          const int64_t at = V.nlpoint[i + V.nsphere * atom] - 1;
          psi[n + g.norb * at] += projector(V, momenta, n, i, j, atom) * factor;
        }
      }
    }
  }
}

namespace {

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::order};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : descending_(p[0] != 0) {}
  void execute(const suite_array* arguments) {
    const NlpProp c(arguments);
    const Grid g = orbital_grid(c.psi, c.h.data());
    const Nonlocal V = read_nonlocal(g, c.nonlocal);
    Orbitals psi = read_orbitals(c.psi);
    const Momenta momenta{three_or_zero(c.A), c.k.data()};
    nlp_prop(psi, g, V, momenta, c.dt, descending_);
    write(psi, c.psi);
  }

private:
  bool descending_;
};

}  // namespace

extern const suite_kernel_table nlp_prop_table;
constexpr suite_kernel_table nlp_prop_table = kernel_table<NlpProp, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
