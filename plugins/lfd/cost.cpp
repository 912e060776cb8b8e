// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost: the operations of the best way known to do what the kernel does, and
// the least traffic; tests/lfd/costs.cpp counts them. Compiled into every implementation. Per point and
// orbital:
//   a pair of the kinetic propagator 4 multiply-adds in tangent form, 4 flop per point, and the constant ep 6
//   a phase 6;   f |psi|^2 into the density 5;   <T> by bonds 6 per direction
//   with A or k a product more at each bond; not in lfd.propagate, which takes the phases off first
//   (cpu/cells.hpp)
//   a transform of a line to its waves 4 1/4 log2 N, by butterflies of four points; |psi_q|^2 times a number 5
// A root, a division, an exponential, a logarithm or a sine with its cosine counts as 20.
#include <algorithm>
#include <cmath>

#include "lfd.hpp"

namespace suite::lfd {
namespace {

double number(int64_t n) { return static_cast<double>(n); }

// Sizes of psi(Norb,Nz,Ny,Nx).
struct OrbitalArray {
  double norb, points, bytes;
  int directions = 0;
  double levels = 0;  // of all directions, log2 N
  template <bool changes>
  explicit OrbitalArray(const Argument<any_complex, 4, changes>& psi)
      : norb(number(psi.extent(0))),
        points(number(psi.extent(1)) * number(psi.extent(2)) * number(psi.extent(3))),
        bytes(norb * points * (is_single(psi.array()) ? 8 : 16)) {
    for (int d = 1; d <= 3; ++d) {
      directions += psi.extent(d) > 1;
      levels += std::log2(number(psi.extent(d)));
    }
  }
  double all() const { return norb * points; }
  double transforms() const { return all() * 4.25 * levels; }
};

struct FieldArray {
  double points, bytes;
  int directions = 0;
  template <bool changes>
  explicit FieldArray(const Argument<any_real, 3, changes>& v)
      : points(number(v.extent(0)) * number(v.extent(1)) * number(v.extent(2))), bytes(points * (is_single(v.array()) ? 4 : 8)) {
    for (int d = 0; d < 3; ++d) directions += v.extent(d) > 1;
  }
};

// Real transforms of the field: 5/2 N log2 N each.
double transform(double points) { return 2.5 * points * std::log2(std::max(2.0, points)); }

// Two roots, three divisions and a logarithm, and what joins them; pw92 has 156, pz81 137.
constexpr double vxc_flops = 150, cos_sin_flops = 20;

// Neighbours and the point itself, 4 pi kappa rho and two sums are 13 flop, damping one more, and rho without
// its mean is made once. All steps at once take three transforms there (v, w, rho) and two back, and some
// multiply-adds per wave and component.
double field_flops(const FieldArray& field, const line::WaveEquation& wave) {
  const double steps = wave.field_steps;
  if (steps == 0) return 0;
  const double of_step = 3 * field.directions + 4 + wave.gamma.is_set();
  return std::min(field.points * (of_step * steps + 3), 5 * transform(field.points) + 12 * field.points);
}

// The nonlocal pseudopotential of all atoms on all orbitals, with a real B. Phases: of A alone they are the
// same for all orbitals, of k they are a row's times those along z.
class NonlocalCost {
public:
  NonlocalCost(const line::Nonlocal& V, double norb) {
    if (!V.beta.is_set()) return;
    all_ = norb * number(V.natom());
    nproj_ = number(V.nproj());
    nsphere_ = number(V.nsphere());
  }
  NonlocalCost(const line::Nonlocal& V, double norb, bool has_A, bool has_k) : NonlocalCost(V, norb) {
    phase_ = has_k ? 12 : has_A ? 6 : 0;
    phase_back_ = phase_ > 0 ? 6 : 0;
  }
  // B^H psi, K C and B (K C).
  double propagator() const { return all_ * ((8 * nproj_ + phase_ + phase_back_) * nsphere_ + 8 * nproj_ * nproj_); }
  // B^H psi and C^H D C.
  double energy() const { return all_ * ((4 * nproj_ + phase_) * nsphere_ + form()); }
  // B^H psi, D C and B (D C) of real or complex orbitals.
  double product(double parts) const {
    return all_ * ((4 * parts * nproj_ + phase_ + phase_back_) * nsphere_ + 2 * parts * nproj_ * nproj_);
  }
  // Besides, B^H r psi along three axes.
  double current() const { return all_ * (16 * nproj_ * nsphere_ + 3 * form()); }

private:
  double form() const { return 4 * nproj_ * nproj_ + 4 * nproj_; }
  double all_ = 0, nproj_ = 0, nsphere_ = 0, phase_ = 0, phase_back_ = 0;
};

double nonlocal_bytes(const line::Nonlocal& V) {
  if (!V.beta.is_set()) return 0;
  return number(V.nsphere()) * number(V.natom()) * (8 * number(V.nproj()) + 4 + 24);
}

int set(suite_cost* cost, double flops, double bytes) {
  cost->flops = flops;
  cost->bytes = bytes;
  return SUITE_OK;
}

}  // namespace

int KinProp::cost(const suite_array* a, suite_cost* cost) {
  const KinProp c(a);
  const OrbitalArray o(c.psi);
  const bool phases = c.A.is_set() || c.k.is_set();
  return set(cost, o.all() * (phases ? 14 : 10), 2 * o.bytes);
}

int PotProp::cost(const suite_array* a, suite_cost* cost) {
  const PotProp c(a);
  const OrbitalArray o(c.psi);
  return set(cost, o.all() * 6, 2 * o.bytes + o.bytes / o.norb);
}

int SetProp::cost(const suite_array* a, suite_cost* cost) {
  const SetProp c(a);
  const FieldArray in(c.v);
  return set(cost, in.points * (cos_sin_flops + 1), 3 * in.bytes);
}

int PeriodicBc::cost(const suite_array* a, suite_cost* cost) {
  const PeriodicBc c(a);
  const double nz = number(c.psi.extent(1) - 2), ny = number(c.psi.extent(2) - 2), nx = number(c.psi.extent(3) - 2);
  const double faces = 2 * (nz * ny + ny * nx + nx * nz) * number(c.psi.extent(0));
  return set(cost, 0, 2 * faces * (is_single(c.psi.array()) ? 8 : 16));
}

int ComputeRho::cost(const suite_array* a, suite_cost* cost) {
  const ComputeRho c(a);
  const OrbitalArray o(c.psi);
  return set(cost, o.all() * 5, o.bytes + FieldArray(c.rho).bytes);
}

int ComputeVxc::cost(const suite_array* a, suite_cost* cost) {
  const ComputeVxc c(a);
  const FieldArray r(c.rho);
  return set(cost, r.points * vxc_flops, r.bytes * (c.exc.is_set() ? 3 : 2));
}

// E.r is that of a row and that along z.
int ComputeV::cost(const suite_array* a, suite_cost* cost) {
  const ComputeV c(a);
  const FieldArray out(c.vloc);
  const int terms = 1 + c.vxc.is_set() + 2 * c.E.is_set();
  return set(cost, out.points * terms, out.bytes * (c.vxc.is_set() ? 4 : 3));
}

int FieldProp::cost(const suite_array* a, suite_cost* cost) {
  const FieldProp c(a);
  const FieldArray r(c.rho);
  return set(cost, field_flops(r, c.wave), 5 * r.bytes);
}

int SpectralFieldSolve::cost(const suite_array* a, suite_cost* cost) {
  const SpectralFieldSolve c(a);
  const FieldArray r(c.rho);
  return set(cost, 2 * transform(r.points) + r.points, 3 * r.bytes);
}

int NlpProp::cost(const suite_array* a, suite_cost* cost) {
  const NlpProp c(a);
  const OrbitalArray o(c.psi);
  const line::Nonlocal& V = c.nonlocal;
  const double touched = V.beta.is_set() ? std::min(o.points, number(V.nsphere()) * number(V.natom())) / o.points : 0;
  return set(cost, NonlocalCost(V, o.norb, c.A.is_set(), c.k.is_set()).propagator(), 2 * o.bytes * touched + nonlocal_bytes(V));
}

int CalcEnergy::cost(const suite_array* a, suite_cost* cost) { return cost_with(a, Kinetic::differences, cost); }
int CalcEnergy::cost_with(const suite_array* a, Kinetic kinetic, suite_cost* cost) {
  const CalcEnergy c(a);
  const OrbitalArray o(c.psi);
  const FieldArray v(c.vloc);
  const bool phases = c.A.is_set() || c.k.is_set();
  const double waves = o.transforms() + 5 * o.all() * o.directions, bonds = o.all() * (phases ? 12 : 6) * o.directions;
  return set(cost,
             (kinetic == Kinetic::fourier ? waves : bonds) + NonlocalCost(c.nonlocal, o.norb, c.A.is_set(), c.k.is_set()).energy() +
                 v.points * (vxc_flops + 6),
             o.bytes + 3 * v.bytes + nonlocal_bytes(c.nonlocal));
}

// Each step: nine parts of the kinetic propagator (fewer where a direction is missing), V_nl twice, the
// field's steps, the dipole. Between steps, and before the first and behind the last: the density, the
// functional, v, and one phase, which also takes the constants. A current is made of bonds, 4 flop each, of
// psi whose phase at the end of the step is then apart. With plane waves a step has
// two transforms of each line and the phase of its waves, a current one more of each. psi is read and written once in a
// step, since the density ties all orbitals of one step together.
int Propagate::cost(const suite_array* a, suite_cost* cost) { return cost_with(a, Kinetic::differences, cost); }
int Propagate::cost_with(const suite_array* a, Kinetic kinetic, suite_cost* cost) {
  const Propagate c(a);
  const OrbitalArray o(c.psi);
  const FieldArray v(c.vloc);
  const NonlocalCost nonlocal(c.nonlocal, o.norb);
  const double steps = number(c.nsteps());
  const bool fourier = kinetic == Kinetic::fourier;
  double step = (fourier ? 2 * o.transforms() + 6 * o.all() * o.directions : o.all() * 12 * o.directions) + 2 * nonlocal.propagator() +
                field_flops(v, c.wave) + 3 * v.points;
  if (c.current.is_set())
    step += (fourier ? o.transforms() + o.all() * (5 * o.directions + 6) : o.all() * (4 * o.directions + 6)) + nonlocal.current();
  const double between = o.all() * (6 + 5) + v.points * (vxc_flops + 4 + cos_sin_flops + 1);
  return set(cost, steps * step + (steps + 1) * between, steps * (2 * o.bytes + 6 * v.bytes));
}

// Each pair of neighbours: their sum, weighted and added, and with A or k their difference as well; then the point itself with v.
int Hpsi::cost(const suite_array* a, suite_cost* cost) { return cost_with(a, 4, cost); }
int Hpsi::cost_with(const suite_array* a, int radius, suite_cost* cost) {
  const Hpsi c(a);
  const int32_t type = c.psi.array().type;
  const bool phases = c.A.is_set() || c.k.is_set();
  const double parts = type == SUITE_COMPLEX64 || type == SUITE_COMPLEX128 ? 2 : 1, bytes = is_single(c.psi.array()) ? 4 : 8;
  const double norb = number(c.norb()), points = number(c.v.extent(0)) * number(c.v.extent(1)) * number(c.v.extent(2));
  int axes = 0;
  for (int i = 0; i < 3; ++i) axes += c.v.extent(i) > 1;
  const double pairs = 3 * parts * axes * radius * (phases ? 2 : 1), point = 1 + parts + (phases ? parts : 0);
  return set(cost, norb * points * (pairs + point) + NonlocalCost(c.nonlocal, norb, c.A.is_set(), c.k.is_set()).product(parts),
             points * bytes * (2 * parts * norb + number(c.v.extent(3))) + nonlocal_bytes(c.nonlocal));
}

}  // namespace suite::lfd
