// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost: the operations of the best way known to do what the kernel does, and
// the least traffic. Compiled into every implementation. Per point and orbital:
//   a pair of the kinetic propagator 4 multiply-adds in tangent form, 4 flop per point, and the constant ep 6
//   a phase 6;   |psi|^2 into the density 2 multiply-adds;   <T> by bonds 6 per direction
// Peierls phases are not counted: they cost nothing where A and k are 0.
#include <algorithm>
#include <cmath>

#include "lfd.hpp"

namespace suite::lfd {
namespace {

double number(int64_t n) { return static_cast<double>(n); }

// Sizes of psi(Norb,Nz,Ny,Nx).
struct Orbitals {
  double norb, points, bytes;
  int directions = 0;
  explicit Orbitals(const suite_array& psi)
      : norb(number(psi.extent[0])),
        points(number(psi.extent[1]) * number(psi.extent[2]) * number(psi.extent[3])),
        bytes(norb * points * (psi.type == SUITE_COMPLEX64 ? 8 : 16)) {
    for (int d = 1; d <= 3; ++d) directions += psi.extent[d] > 1;
  }
  double all() const { return norb * points; }
};

struct FieldArray {
  double points, bytes;
  explicit FieldArray(const suite_array& v)
      : points(number(v.extent[0]) * number(v.extent[1]) * number(v.extent[2])),
        bytes(points * (v.type == SUITE_REAL32 ? 4 : 8)) {}
};

// Real transforms of the field: 5/2 N log2 N each.
double transform(double points) { return 2.5 * points * std::log2(std::max(2.0, points)); }

// Functionals: roots, logarithm and division as about 60 operations.
constexpr double vxc_flops = 60;

// 7 points, 4 pi kappa rho, damping and two sums are 13 flop; all steps at once take three transforms there
// (v, w, rho) and two back, and two multiply-adds per wave and component.
double field_flops(double points, double steps) {
  return std::min(13 * points * steps, 5 * transform(points) + 20 * points);
}

double steps_of(const suite_array& field_steps) { return number(scalar_or<int32_t>(field_steps, 1)); }

// Per orbital: B^H psi and B (K C) with a real B, and K C.
double nonlocal_flops(const suite_array& beta, double norb) {
  if (!is_set(beta)) return 0;
  const double nsphere = number(beta.extent[0]), nproj = number(beta.extent[1]),
               natom = number(beta.extent[2]);
  return norb * natom * (8 * nproj * nsphere + 8 * nproj * nproj);
}

double nonlocal_bytes(const suite_array& beta) {
  if (!is_set(beta)) return 0;
  const double sphere = number(beta.extent[0]) * number(beta.extent[2]);
  return sphere * (8 * number(beta.extent[1]) + 4 + 24);
}

int set(suite_cost* cost, double flops, double bytes) {
  cost->flops = flops;
  cost->bytes = bytes;
  return SUITE_OK;
}

}  // namespace

int KinProp::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  return set(cost, o.all() * 10, 2 * o.bytes);
}

int PotProp::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  return set(cost, o.all() * 6, 2 * o.bytes + o.bytes / o.norb);
}

// Sine and cosine as about 20 operations.
int SetProp::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray in(a[v]);
  return set(cost, in.points * 21, 3 * in.bytes);
}

int PeriodicBc::cost(const suite_array* a, suite_cost* cost) {
  const suite_array& p = a[psi];
  const double nz = number(p.extent[1] - 2), ny = number(p.extent[2] - 2), nx = number(p.extent[3] - 2);
  const double faces = 2 * (nz * ny + ny * nx + nx * nz) * number(p.extent[0]);
  return set(cost, 0, 2 * faces * (p.type == SUITE_COMPLEX64 ? 8 : 16));
}

int ComputeRho::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  return set(cost, o.all() * 4, o.bytes + FieldArray(a[rho]).bytes);
}

int ComputeVxc::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray r(a[rho]);
  return set(cost, r.points * vxc_flops, r.bytes * (is_set(a[exc]) ? 3 : 2));
}

int ComputeV::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray out(a[vloc]);
  const int terms = 1 + is_set(a[vxc]) + is_set(a[E]);
  return set(cost, out.points * terms, out.bytes * (is_set(a[vxc]) ? 4 : 3));
}

int FieldProp::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray r(a[rho]);
  return set(cost, field_flops(r.points, steps_of(a[field_steps])), 5 * r.bytes);
}

int SpectralFieldSolve::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray r(a[rho]);
  return set(cost, 2 * transform(r.points) + r.points, 3 * r.bytes);
}

int NlpProp::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  const suite_array& b = a[beta];
  const double touched =
      is_set(b) ? std::min(o.points, number(b.extent[0]) * number(b.extent[2])) / o.points : 0;
  return set(cost, nonlocal_flops(b, o.norb), 2 * o.bytes * touched + nonlocal_bytes(b));
}

int CalcEnergy::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  const FieldArray v(a[vloc]);
  return set(cost,
             o.all() * 6 * o.directions + nonlocal_flops(a[beta], o.norb) / 2 + v.points * (vxc_flops + 6),
             o.bytes + 3 * v.bytes + nonlocal_bytes(a[beta]));
}

// Each step: nine parts of the kinetic propagator (fewer where a direction is missing), the phase of the
// potential twice, which also takes the constants, the density, V_nl twice; the field's steps, the
// functional, v and its phase. psi is read and written once in a step, since the density ties all orbitals of
// one step together.
int Propagate::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  const FieldArray v(a[vloc]);
  const double steps = number(a[drive].extent[1]);
  const double electrons = o.all() * (12 * o.directions + 12 + 4) + 2 * nonlocal_flops(a[beta], o.norb);
  const double field = field_flops(v.points, steps_of(a[field_steps])) + v.points * (vxc_flops + 3 + 21);
  return set(cost, steps * (electrons + field), steps * (2 * o.bytes + 6 * v.bytes));
}

}  // namespace suite::lfd
