// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost: the operations of the best way known to do what the kernel does, and
// the least traffic; tests/lfd/costs.cpp counts them. Compiled into every implementation. Per point and
// orbital:
//   a pair of the kinetic propagator 4 multiply-adds in tangent form, 4 flop per point, and the constant ep 6
//   a phase 6;   f |psi|^2 into the density 5;   <T> by bonds 6 per direction
//   with A or k a product more at each bond; not in lfd.propagate, which takes the phases off first
//   (cpu/cells.hpp)
// A root, a division, an exponential, a logarithm or a sine with its cosine counts as 20.
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
  int directions = 0;
  explicit FieldArray(const suite_array& v)
      : points(number(v.extent[0]) * number(v.extent[1]) * number(v.extent[2])),
        bytes(points * (v.type == SUITE_REAL32 ? 4 : 8)) {
    for (int d = 0; d < 3; ++d) directions += v.extent[d] > 1;
  }
};

// Real transforms of the field: 5/2 N log2 N each.
double transform(double points) { return 2.5 * points * std::log2(std::max(2.0, points)); }

// Two roots, three divisions and a logarithm, and what joins them; pw92 has 156, pz81 137.
constexpr double vxc_flops = 150, cos_sin_flops = 20;

// Neighbours and the point itself, 4 pi kappa rho and two sums are 13 flop, damping one more, and rho without
// its mean is made once. All steps at once take three transforms there (v, w, rho) and two back, and some
// multiply-adds per wave and component.
double field_flops(const FieldArray& field, double steps, const suite_array& gamma) {
  if (steps == 0) return 0;
  const double of_step = 3 * field.directions + 4 + is_set(gamma);
  return std::min(field.points * (of_step * steps + 3), 5 * transform(field.points) + 12 * field.points);
}

double steps_of(const suite_array& field_steps) { return number(scalar_or<int32_t>(field_steps, 1)); }

// The nonlocal pseudopotential of all atoms on all orbitals, with a real B. Phases: of A alone they are the
// same for all orbitals, of k they are a row's times those along z.
class NonlocalCost {
public:
  NonlocalCost(const suite_array& beta, double norb) {
    if (!is_set(beta)) return;
    all_ = norb * number(beta.extent[2]);
    nproj_ = number(beta.extent[1]);
    nsphere_ = number(beta.extent[0]);
  }
  NonlocalCost(const suite_array& beta, double norb, const suite_array& A, const suite_array& k)
      : NonlocalCost(beta, norb) {
    phase_ = is_set(k) ? 12 : is_set(A) ? 6 : 0;
    phase_back_ = phase_ > 0 ? 6 : 0;
  }
  // B^H psi, K C and B (K C).
  double propagator() const {
    return all_ * ((8 * nproj_ + phase_ + phase_back_) * nsphere_ + 8 * nproj_ * nproj_);
  }
  // B^H psi and C^H D C.
  double energy() const { return all_ * ((4 * nproj_ + phase_) * nsphere_ + form()); }
  // Besides, B^H r psi along three axes.
  double current() const { return all_ * (16 * nproj_ * nsphere_ + 3 * form()); }

private:
  double form() const { return 4 * nproj_ * nproj_ + 4 * nproj_; }
  double all_ = 0, nproj_ = 0, nsphere_ = 0, phase_ = 0, phase_back_ = 0;
};

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
  const bool phases = is_set(a[A]) || is_set(a[k]);
  return set(cost, o.all() * (phases ? 14 : 10), 2 * o.bytes);
}

int PotProp::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  return set(cost, o.all() * 6, 2 * o.bytes + o.bytes / o.norb);
}

int SetProp::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray in(a[v]);
  return set(cost, in.points * (cos_sin_flops + 1), 3 * in.bytes);
}

int PeriodicBc::cost(const suite_array* a, suite_cost* cost) {
  const suite_array& p = a[psi];
  const double nz = number(p.extent[1] - 2), ny = number(p.extent[2] - 2), nx = number(p.extent[3] - 2);
  const double faces = 2 * (nz * ny + ny * nx + nx * nz) * number(p.extent[0]);
  return set(cost, 0, 2 * faces * (p.type == SUITE_COMPLEX64 ? 8 : 16));
}

int ComputeRho::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  return set(cost, o.all() * 5, o.bytes + FieldArray(a[rho]).bytes);
}

int ComputeVxc::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray r(a[rho]);
  return set(cost, r.points * vxc_flops, r.bytes * (is_set(a[exc]) ? 3 : 2));
}

// E.r is that of a row and that along z.
int ComputeV::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray out(a[vloc]);
  const int terms = 1 + is_set(a[vxc]) + 2 * is_set(a[E]);
  return set(cost, out.points * terms, out.bytes * (is_set(a[vxc]) ? 4 : 3));
}

int FieldProp::cost(const suite_array* a, suite_cost* cost) {
  const FieldArray r(a[rho]);
  return set(cost, field_flops(r, steps_of(a[field_steps]), a[gamma]), 5 * r.bytes);
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
  return set(cost, NonlocalCost(b, o.norb, a[A], a[k]).propagator(),
             2 * o.bytes * touched + nonlocal_bytes(b));
}

int CalcEnergy::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  const FieldArray v(a[vloc]);
  const bool phases = is_set(a[A]) || is_set(a[k]);
  return set(cost,
             o.all() * (phases ? 12 : 6) * o.directions + NonlocalCost(a[beta], o.norb, a[A], a[k]).energy() +
                 v.points * (vxc_flops + 6),
             o.bytes + 3 * v.bytes + nonlocal_bytes(a[beta]));
}

// Each step: nine parts of the kinetic propagator (fewer where a direction is missing), V_nl twice, the
// field's steps, the dipole. Between steps, and before the first and behind the last: the density, the
// functional, v, and one phase, which also takes the constants. A current is made of bonds, 4 flop each, of
// psi whose phase at the end of the step is then apart. psi is read and written once in a step, since the
// density ties all orbitals of one step together.
int Propagate::cost(const suite_array* a, suite_cost* cost) {
  const Orbitals o(a[psi]);
  const FieldArray v(a[vloc]);
  const NonlocalCost nonlocal(a[beta], o.norb);
  const double steps = number(a[drive].extent[1]);
  double step = o.all() * 12 * o.directions + 2 * nonlocal.propagator() +
                field_flops(v, steps_of(a[field_steps]), a[gamma]) + 3 * v.points;
  if (is_set(a[current])) step += o.all() * (4 * o.directions + 6) + nonlocal.current();
  const double between = o.all() * (6 + 5) + v.points * (vxc_flops + 4 + cos_sin_flops + 1);
  return set(cost, steps * step + (steps + 1) * between, steps * (2 * o.bytes + 6 * v.bytes));
}

}  // namespace suite::lfd
