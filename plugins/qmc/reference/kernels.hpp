// SPDX-License-Identifier: BSD-3-Clause
// The executable specification of the family: plain loops over electrons, pairs and vectors, each quantity
// anew where it is wanted. qmc.sweep and qmc.local_energy use the functions of the kernels they consist of.
#pragma once

#include <vector>

#include "../call.hpp"
#include "../dense.hpp"
#include "../ewald.hpp"
#include "../parameters.hpp"
#include "../philox.hpp"

namespace suite::qmc::reference {

inline const double* numbers(const suite_array& array) { return static_cast<const double*>(array.data); }
inline const int32_t* integers(const suite_array& array) { return static_cast<const int32_t*>(array.data); }

struct Vector {
  double x[3] = {0, 0, 0};
};
inline Vector vector_at(const double* r) { return {{r[0], r[1], r[2]}}; }
inline Vector difference(const double* to, const double* from) {
  return {{to[0] - from[0], to[1] - from[1], to[2] - from[2]}};
}
inline double dot(const Vector& a, const Vector& b) {
  return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

// A function of one electron's position.
struct Local {
  double value = 0, laplacian = 0;
  Vector gradient;
};

// Where they go: arrays of positions and walkers, each of which may be unset.
struct LocalArrays {
  View<double, 2> value;
  View<double, 3> gradient;
  View<double, 2> laplacian;
  void put(int64_t m, int64_t w, const Local& local) const {
    if (value) value(m, w) = local.value;
    if (laplacian) laplacian(m, w) = local.laplacian;
    for (int d = 0; d < 3 && gradient; ++d) gradient(d, m, w) = local.gradient.x[d];
  }
};
// The same for derivatives by parameter l of set s.
struct DerivativeArrays {
  View<double, 4> value;
  View<double, 5> gradient;
  View<double, 4> laplacian;
  bool wanted() const { return value || gradient || laplacian; }
  void put(int64_t l, int64_t s, int64_t m, int64_t w, const Local& local) const {
    if (value) value(l, s, m, w) = local.value;
    if (laplacian) laplacian(l, s, m, w) = local.laplacian;
    for (int d = 0; d < 3 && gradient; ++d) gradient(d, l, s, m, w) = local.gradient.x[d];
  }
};
template <class K>
LocalArrays local_arrays(const suite_array* a) {
  return {View<double, 2>(a[K::value]), View<double, 3>(a[K::gradient]), View<double, 2>(a[K::laplacian])};
}
template <class K>
DerivativeArrays derivative_arrays(const suite_array* a) {
  return {View<double, 4>(a[K::dvalue]), View<double, 5>(a[K::dgradient]), View<double, 4>(a[K::dlaplacian])};
}

// Electron i of one walker at `at`, the others at rele(3,netot).
struct Place {
  const double* rele;
  int64_t i;
  const double* at;
};
// Position `position` of walker w in a call that moves one electron or none.
Place place_of(const Moved& moved, const suite_array& rele, const suite_array& rnew, int64_t position,
               int64_t w);

// closest_images.cpp: by trying every image around.
Vector closest_image_by_search(const Lattice& lattice, const Vector& r);

// jastrow_u.cpp. f(j, set, distance, unit vector from j to i) for the others within the cutoff.
template <class F>
void for_each_pair(const Lattice& lattice, const Electrons& electrons, int nset, double cutoff,
                   const Place& p, F&& f) {
  for (int64_t j = 0; j < electrons.netot; ++j) {
    if (j == p.i) continue;
    Vector r = difference(p.at, p.rele + 3 * j);
    closest_image(lattice.images, r.x[0], r.x[1], r.x[2]);
    const double distance = std::sqrt(dot(r, r));
    if (!(distance < cutoff)) continue;
    for (double& x : r.x) x /= distance;
    f(j, set_of_pair(nset, electrons.spin(p.i), electrons.spin(j)), distance, r);
  }
}
Local jastrow_u(const Lattice& lattice, const Electrons& electrons, const UTerm& u, const double* alpha,
                const Place& place);

// jastrow_p.cpp.
struct PlaneWaves {
  PTerm term;
  std::vector<Vector> G;
  std::vector<int64_t> star;  // from 0
  const double* a = nullptr;
};
PlaneWaves plane_waves(const Lattice& lattice, const suite_array& gvec, const suite_array& star,
                       const suite_array& a);
Local jastrow_p(const Electrons& electrons, const PlaneWaves& p, const Place& place);

// ewald.cpp: v_E(r) and, where wanted, -grad v_E.
double ewald_potential(const Lattice& lattice, const EwaldSums& sums, const Vector& r, Vector* field);
EwaldSums sums_of(const Lattice& lattice, const suite_array& ewald_alpha, const suite_array& ewald_tolerance);
double ewald_total(const Lattice& lattice, const EwaldSums& sums, int64_t n, const double* charge,
                   const double* rele);

// orbitals_free.cpp: norb orbitals at r, each with its derivatives.
std::vector<Local> orbitals_free(const Lattice& lattice, const int32_t* kvec, int64_t norb, const double* r);

// slater_ratio.cpp: sum_a column(a) phi_a: the ratio, and the sums of gradients and Laplacians.
Local slater_sum(const std::vector<Local>& phi, const double* column);

// slater_update.cpp: electron i gets the column phi; returns the ratio, which must not be 0.
double sherman_morrison(double* dbar, int64_t n, int64_t i, const double* phi, int64_t walker, int64_t move);

// The trial wavefunction of qmc.sweep and qmc.local_energy (wavefunction.cpp).
struct Wavefunction {
  Lattice lattice;
  Electrons electrons;
  const int32_t* kvec = nullptr;
  UTerm u;
  const double* alpha = nullptr;
  PlaneWaves p;

  // ln of the Jastrow factor as it depends on one electron.
  Local jastrow(const Place& place) const;
  std::vector<Local> orbitals(int spin, const double* r) const {
    return orbitals_free(lattice, kvec, electrons.count(spin), r);
  }
};
template <class K>
Wavefunction wavefunction_of(const suite_array* arguments, Form form) {
  Wavefunction psi;
  psi.lattice = lattice_of(numbers(arguments[K::cell]));
  psi.electrons = electrons_of(arguments[K::rele], integers(arguments[K::nele]));
  psi.kvec = integers(arguments[K::kvec]);
  const suite_array& kvec = arguments[K::kvec];
  check_orbitals(std::max(psi.electrons.count(0), psi.electrons.count(1)), kvec.extent[1], psi.kvec);
  check_dbar(psi.electrons, arguments[K::dbar_up], arguments[K::dbar_dn]);
  if (has_u(arguments[K::alpha], arguments[K::L_u], arguments[K::truncation])) {
    psi.u = u_term(form, arguments[K::alpha], arguments[K::L_u], arguments[K::truncation], psi.lattice);
    psi.alpha = numbers(arguments[K::alpha]);
  }
  if (has_p(arguments[K::gvec], arguments[K::star], arguments[K::a]))
    psi.p = plane_waves(psi.lattice, arguments[K::gvec], arguments[K::star], arguments[K::a]);
  return psi;
}

}  // namespace suite::qmc::reference
