// SPDX-License-Identifier: BSD-3-Clause
// The executable specification of the family: plain loops over electrons, pairs and vectors, each quantity computed
// again where it is wanted. qmc.sweep and qmc.local_energy use the functions of the kernels they consist of.
#pragma once

#include <vector>

#include "../call.hpp"
#include "../dense.hpp"
#include "../ewald.hpp"
#include "../parameters.hpp"
#include "../philox.hpp"

namespace suite::qmc::reference {

struct Vector {
  double x[3] = {0, 0, 0};
};
inline Vector vector_at(const double* r) { return {{r[0], r[1], r[2]}}; }
inline Vector difference(const double* to, const double* from) { return {{to[0] - from[0], to[1] - from[1], to[2] - from[2]}}; }
inline double dot(const Vector& a, const Vector& b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }

// A function of one electron's position.
struct Local {
  double value = 0, laplacian = 0;
  Vector gradient;
  Local& operator+=(const Local& term) {
    value += term.value;
    laplacian += term.laplacian;
    for (int d = 0; d < 3; ++d) gradient.x[d] += term.gradient.x[d];
    return *this;
  }
};

// Where they go, for qmc.jastrow_u and qmc.jastrow_p: position m of walker w.
template <class Call> void put(const Call& c, int64_t m, int64_t w, const Local& local) {
  c.value(m, w) = local.value;
  if (c.laplacian) c.laplacian(m, w) = local.laplacian;
  for (int d = 0; d < 3 && c.gradient; ++d) c.gradient(d, m, w) = local.gradient.x[d];
}
// The same for derivatives by parameter l of set s.
template <class Call> bool has_derivatives(const Call& c) { return c.dvalue || c.dgradient || c.dlaplacian; }
template <class Call> void put_derivatives(const Call& c, int64_t l, int64_t s, int64_t m, int64_t w, const Local& local) {
  if (c.dvalue) c.dvalue(l, s, m, w) = local.value;
  if (c.dlaplacian) c.dlaplacian(l, s, m, w) = local.laplacian;
  for (int d = 0; d < 3 && c.dgradient; ++d) c.dgradient(d, l, s, m, w) = local.gradient.x[d];
}

// Orbital a at position m of walker w.
template <class Call> void put(const Call& c, int64_t a, int64_t m, int64_t w, const Local& orbital) {
  c.phi(a, m, w) = orbital.value;
  if (c.d2phi) c.d2phi(a, m, w) = orbital.laplacian;
  for (int d = 0; d < 3 && c.dphi; ++d) c.dphi(a, d, m, w) = orbital.gradient.x[d];
}

// Electron i of one walker at `at`, the others at rele(3,netot).
struct Place {
  const double* rele;
  int64_t i;
  const double* at;
};
// Position `position` of walker w in a call that moves one electron or none.
template <class Call> Place place_of(const Moved& moved, const Call& c, int64_t position, int64_t w) {
  const int64_t i = moved.electron(position);
  return {&c.rele(0, 0, w), i, moved.one ? &c.rnew(0, position, w) : &c.rele(0, i, w)};
}

// closest_images.cpp: by trying every image around.
Vector closest_image_by_search(const Lattice& lattice, const Vector& r);

// jastrow_u.cpp. f(j, set, distance, unit vector from j to i) for the others within the cutoff.
template <class F> void for_each_pair(const Lattice& lattice, const Electrons& electrons, int nset, double cutoff, const Place& p, F&& f) {
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
Local jastrow_u(const Lattice& lattice, const Electrons& electrons, const UTerm& u, const double* alpha, const Place& place);

// jastrow_p.cpp.
struct PlaneWaves {
  PTerm term;
  std::vector<Vector> G;
  std::vector<int64_t> star;  // from 0
  const double* a = nullptr;
};
template <class Call> PlaneWaves plane_waves(const Lattice& lattice, const Call& c) {
  PlaneWaves p;
  p.term = p_term(c, c.gvec.data(), c.star.data());
  p.a = c.a.data();
  for (int64_t g = 0; g < p.term.ngvec; ++g) {
    p.star.push_back(c.star(g) - 1);
    reciprocal_vector(lattice, &c.gvec(0, g), p.G.emplace_back().x);
  }
  return p;
}
Local jastrow_p(const Electrons& electrons, const PlaneWaves& p, const Place& place);

// ewald.cpp: v_E(r) and, where wanted, -grad v_E.
double ewald_potential(const Lattice& lattice, const EwaldSums& sums, const Vector& r, Vector* field);
EwaldSums sums_of(const Lattice& lattice, const EwaldAlpha& ewald_alpha, double ewald_tolerance);
double ewald_total(const Lattice& lattice, const EwaldSums& sums, int64_t n, const double* charge, const double* rele);

// orbitals_free.cpp: norb orbitals at r, each with its derivatives.
std::vector<Local> orbitals_free(const Lattice& lattice, const int32_t* kvec, int64_t norb, const double* r);

// slater_ratio.cpp: sum_a column(a) phi_a: the ratio, and the sums of gradients and Laplacians.
Local slater_sum(const std::vector<Local>& phi, const double* column);

// slater_update.cpp: electron i gets the column phi; returns the ratio, which must not be 0.
double sherman_morrison(double* dbar, int64_t n, int64_t i, const double* phi, int64_t walker, int64_t move);

// The trial wavefunction of qmc.sweep and qmc.local_energy.
struct Wavefunction {
  Lattice lattice;
  Electrons electrons;
  const int32_t* kvec = nullptr;
  UTerm u;
  const double* alpha = nullptr;
  PlaneWaves p;

  // ln of the Jastrow factor as it depends on one electron.
  Local jastrow(const Place& place) const {
    Local sum;
    if (u.there()) sum += jastrow_u(lattice, electrons, u, alpha, place);
    if (p.term.there()) sum += jastrow_p(electrons, p, place);
    return sum;
  }
  std::vector<Local> orbitals(int spin, const double* r) const { return orbitals_free(lattice, kvec, electrons.count(spin), r); }
};
template <class Call> Wavefunction wavefunction_of(const Call& c, Form form) {
  Wavefunction psi;
  psi.lattice = lattice_of(c.cell.data());
  psi.electrons = electrons_of(c.rele, c.nele.data());
  psi.kvec = c.kvec.data();
  check_orbitals(std::max(psi.electrons.count(0), psi.electrons.count(1)), c.nkvec(), psi.kvec);
  check_dbar(psi.electrons, c);
  if (has_u(c)) {
    psi.u = u_term(form, c, psi.lattice);
    psi.alpha = c.alpha.data();
  }
  if (has_p(c)) psi.p = plane_waves(psi.lattice, c);
  return psi;
}

}  // namespace suite::qmc::reference
