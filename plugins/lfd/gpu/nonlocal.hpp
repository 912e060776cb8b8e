// SPDX-License-Identifier: BSD-3-Clause
// The nonlocal pseudopotential on a GPU. The exponentials of the atoms follow one another,
//   psi_i = psi_{i-1} + B_i K_i c_i,   c_i = B_i^H psi_{i-1} = B_i^H psi_0 + sum_{j before i} (B_i^H B_j) K_j c_j,
// so that all projections of psi_0 can be made at once, in pieces of spheres; the c of one orbital follow from them
// and from the small matrices B_i^H B_j of the spheres that touch; and what all atoms add to psi is again one pass.
// Three launches, whatever the number of atoms and their order.
//
// A wavefunction is held as psi itself, or as chi = e^{i(A+k).r} psi, for which the phases of the projectors
// cancel but for one factor at points beyond the border of the cell. Besides, it may still wait for a phase u
// of its point, whose size the projectors take out again.
#pragma once

#include <complex>

#include "../nonlocal.hpp"
#include "call.hpp"
#include "sphere_tables.hpp"

namespace suite::lfd {

// Where orbital n of a point lies: (start of the point) + n stride, in elements.
struct Strides {
  int64_t x, y, z, orbital, first;
  bool operator==(const Strides&) const = default;
};
inline Strides row_strides(const Grid& g) { return {g.n[1] * g.n[2] * g.norb, g.n[2] * g.norb, g.norb, 1, 0}; }

// The spheres in memory of the device. The names of sphere_tables.hpp, and:
struct Spheres {
  const int* count;           // points of each atom
  const int64_t* start;       // (nsphere,natom): where their orbitals begin
  const int* place;           // (nsphere,natom): where their phase u lies
  const double *vectors, *r;  // (3,nsphere,natom): of the projectors' phase; r - R
  const double* beta;         // (nsphere,nproj,natom)
  const float* beta_single;   // the same
  const Number<double>* K;    // (nproj,nproj,natom), times hx hy hz
  const double* D;            // (nproj,nproj,natom)
  const int *level_first, *level_atoms, *link_first;
  const Link* links;
  const double* products;
  const int64_t* covered_start;  // as start and place
  const int *covered_place, *member_first;
  const Member* members;
  int64_t orbital_stride;
  int nsphere, nproj, natom, levels, covered;
  double volume;
};

class Nonlocal {
public:
  explicit Nonlocal(const gpu::Queue& queue);
  // From the arrays of a call, on the device. Waits for the device.
  void prepare(const Grid& g, const line::Nonlocal& V);
  bool empty() const { return V_.empty(); }
  // How wavefunctions lie and what they are; copies to the device what has changed.
  void set_layout(const Strides& strides, bool chi);
  // K for this time step, and the copy to the device.
  void set_time(double tau);

  // psi += B K B^H psi dr. u: phases that psi still waits for, |u|^2 = 1/scale, or null.
  template <class T> void propagate(Number<T>* psi, const Momenta& momenta, bool descending, const Number<T>* u, double scale);
  // hpsi += V_nl psi, of real or complex orbitals.
  template <class E> void apply(const E* psi, E* hpsi, const Momenta& momenta);
  // <psi|V_nl|psi> of each orbital, or along = 1: the three parts of i[V_nl,r], (Norb) each.
  template <class T> void expect(const Number<T>* psi, const Momenta& momenta, const Number<T>* u, bool current, double* result);

private:
  template <class Sum, class E> void project(const E* psi, const Momenta& momenta, const Number<RealOf<E>>* u, int axes, Number<Sum>* sums);
  template <class E> void add(E* psi, const Momenta& momenta, const Number<RealOf<E>>* u, const Number<RealOf<E>>* projections);
  int64_t rows() const { return V_.nproj * V_.natom; }

  const gpu::Queue& queue_;
  Grid grid_;
  Pseudopotential V_;
  Spheres spheres_{};
  bool layout_set_ = false, chi_ = false, time_set_ = false;
  Strides strides_{};
  double tau_ = 0;
  int groups_ = 0, pieces_ = 0;  // of orbitals, and of each sphere
  gpu::Buffer<int> integers_, counts_;
  gpu::Buffer<int64_t> starts_;
  gpu::Buffer<double> shifts_, displacements_there_, projectors_there_, coefficients_there_, products_;
  gpu::Buffer<float> projectors_single_;
  gpu::Buffer<Link> links_;
  gpu::Buffer<Member> members_;
  gpu::Buffer<Number<double>> K_, sums_;
};

}  // namespace suite::lfd
