// SPDX-License-Identifier: BSD-3-Clause
// The executable specification of the family: each kernel once as a function on double precision numbers, in
// plain loops, in the file of its name. lfd.propagate calls them one after the other. Whatever the precision
// of a call, the numbers are computed in double and rounded at the end.
#pragma once

#include <functional>
#include <vector>

#include "../call.hpp"
#include "../fourier.hpp"
#include "../functional.hpp"
#include "../lfd.hpp"
#include "../nonlocal.hpp"
#include "../parameters.hpp"
#include "../spectrum.hpp"
#include "../splitting.hpp"
#include "numbers.hpp"

namespace suite::lfd::reference {

// Index of point (x,y,z) in the order of v(Nz,Ny,Nx), and of its neighbour in direction d, across the cell's
// border.
inline int64_t point(const Grid& g, int64_t x, int64_t y, int64_t z) { return z + g.n[2] * (y + g.n[1] * x); }
inline int64_t neighbour(const Grid& g, const int64_t (&at)[3], int d, int64_t step) {
  int64_t to[3] = {at[0], at[1], at[2]};
  to[d] = (to[d] + step + g.n[d]) % g.n[d];
  return point(g, to[0], to[1], to[2]);
}
inline double position(const Grid& g, int d, int64_t i) { return static_cast<double>(i - g.n[d] / 2) * g.h[d]; }

template <class F> void for_each_point(const Grid& g, F&& f) {
  for (int64_t x = 0; x < g.n[0]; ++x)
    for (int64_t y = 0; y < g.n[1]; ++y)
      for (int64_t z = 0; z < g.n[2]; ++z) f({x, y, z}, point(g, x, y, z));
}

// A + k of each orbital; either may be unset.
struct Momenta {
  Three A;
  const double* k = nullptr;  // (3,Norb)
  double operator()(int d, int64_t n) const { return A.x[d] + (k ? k[3 * n + d] : 0); }
};

// The nonlocal pseudopotential as the arguments describe it.
struct Nonlocal {
  const int32_t* nlpoint;  // (nsphere,natom)
  const double* nldisp;    // (3,nsphere,natom)
  const double* beta;      // (nsphere,nproj,natom)
  const double* dnl;       // (nproj,nproj,natom)
  int64_t nsphere, nproj, natom;
  std::vector<int64_t> count;    // points before the padding
  std::vector<double> overlaps;  // (nproj,nproj,natom)
};
Nonlocal read_nonlocal(const Grid& g, const line::Nonlocal& arguments);
// B of point i and projector j of an atom, for orbital n.
Complex projector(const Nonlocal& V, const Momenta& momenta, int64_t n, int64_t i, int64_t j, int64_t atom);
// <B_j|psi_n>, and with direction 0, 1, 2 instead of -1: <B_j|(r - R)_d|psi_n>.
std::vector<Complex> projections(const Grid& g, const Nonlocal& V, const Momenta& momenta, const Orbitals& psi, int64_t n, int64_t atom,
                                 int direction = -1);

// The kernels.
void kin_prop(Orbitals& psi, const Grid& g, int d, Part part, double theta, const Momenta& momenta);
// kinetic = fourier: exp(-i dt T) of one direction.
void fourier_prop(Orbitals& psi, const Grid& g, int d, double dt, const Momenta& momenta);
// Of each orbital sum_q |psi_q|^2 weight(wave along d, A + k), where sum_q |psi_q|^2 is <psi|psi>.
std::vector<double> fourier_sums(const Orbitals& psi, const Grid& g, int d, const Momenta& momenta,
                                 const std::function<double(const LineWave&, double)>& weight);
void pot_prop(Orbitals& psi, const Grid& g, const std::vector<Complex>& u);
std::vector<Complex> set_prop(const Field& v, double dt);
Field compute_rho(const Orbitals& psi, const Grid& g, const double* f);
void compute_vxc(const Field& rho, Functional functional, Field& vxc, Field& exc);
Field compute_v(const Grid& g, const Field& vloc, const double* vH, const double* vxc, const Three& E);
void field_prop(const Grid& g, const FieldConstants& constants, const Field& rho, double* v, double* w);
Field spectral_field_solve(const Field& rho, const Grid& g, Laplacian laplacian);
void nlp_prop(Orbitals& psi, const Grid& g, const Nonlocal& V, const Momenta& momenta, double dt, bool descending);
std::vector<double> kinetic_energies(const Orbitals& psi, const Grid& g, const Momenta& momenta);
std::vector<double> kinetic_energies_of_waves(const Orbitals& psi, const Grid& g, const Momenta& momenta);
std::vector<double> nonlocal_energies(const Orbitals& psi, const Grid& g, const Nonlocal& V, const Momenta& momenta);

}  // namespace suite::lfd::reference
