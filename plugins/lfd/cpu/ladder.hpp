// SPDX-License-Identifier: BSD-3-Clause
// The variants of lfd.propagate before best: the steps of the source document, on arrays with a layer of
// ghost points, one sweep for each part of each direction.
//
// They take the same arguments as best. Bloch vectors and the vector potential go into chi = e^{i(A+k).r} psi
// (cells.hpp), so that only the copies of periodic_bc carry a phase and the sweeps are the source's own.
#pragma once

#include "../steps.hpp"
#include "block_rows.hpp"
#include "potential.hpp"

namespace suite::lfd {

// Where (n,i,j,k) lies, ghosts included: i = 0..Nx+1. In complex numbers.
struct OrbitalFirst {
  static constexpr bool orbital_first = true;
  int64_t n, x, y, z;
  OrbitalFirst(const Grid& g) : n((g.n[0] + 2) * (g.n[1] + 2) * (g.n[2] + 2)), x((g.n[1] + 2) * (g.n[2] + 2)), y(g.n[2] + 2), z(1) {}
  int64_t at(int64_t orbital, int64_t i, int64_t j, int64_t k) const { return orbital * n + i * x + j * y + k; }
  int64_t stride(int d) const { return d == 0 ? x : d == 1 ? y : 1; }
};
struct OrbitalLast {
  static constexpr bool orbital_first = false;
  int64_t norb, x, y;
  OrbitalLast(const Grid& g) : norb(g.norb), x((g.n[1] + 2) * (g.n[2] + 2) * g.norb), y((g.n[2] + 2) * g.norb) {}
  int64_t at(int64_t orbital, int64_t i, int64_t j, int64_t k) const { return i * x + j * y + k * norb + orbital; }
  int64_t stride(int d) const { return d == 0 ? x : d == 1 ? y : norb; }
};

// al, and bl, bu of every point of a line, from 0 to N+1: re, im.
template <class T> struct LineCoefficients {
  T al[2];
  std::vector<T> bl, bu;
};

// One part of one direction, in the variant's form (ladder_kin.cpp).
template <class T>
void kin_prop(Step variant, int threads, T* psi, T* wrk, const OrbitalFirst& at, const Grid& g, int d, const LineCoefficients<T>& c);
template <class T>
void kin_prop(Step variant, int threads, T* psi, T* wrk, const OrbitalLast& at, const Grid& g, int d, const LineCoefficients<T>& c);

template <class T> class Ladder {
public:
  void run(Step variant, const PropagateCall<T>& call, LocalPotential<T>& potential, int threads);

private:
  void start(Step variant, const PropagateCall<T>& call, int threads);
  template <class Layout> void go(const Layout& at, const PropagateCall<T>& call, LocalPotential<T>& potential);
  template <class Layout> void convert(const Layout& at, const PropagateCall<T>& call, bool back);
  template <class Layout> void turn(const Layout& at, const Grid& g, const T* u);
  template <class Layout> void periodic_bc(const Layout& at, const Grid& g, int d);
  template <class Layout> void density(const Layout& at, const PropagateCall<T>& call);
  template <class Layout> void nonlocal(const Layout& at, const PropagateCall<T>& call, int64_t step, bool descending);
  template <class Layout> void current(const Layout& at, const PropagateCall<T>& call, int64_t step);
  template <class F> void each_sphere_point(const PropagateCall<T>& call, const Sphere& sphere, int64_t n, int64_t step, F&& f) const;
  void dipole(const PropagateCall<T>& call, int64_t step) const;
  void advance(const PropagateCall<T>& call, LocalPotential<T>& potential);
  void set_borders(const PropagateCall<T>& call, int64_t step);
  double wave(const PropagateCall<T>& call, int64_t step, int64_t n, int d) const;

  Step variant_ = Step::original;
  int threads_ = 1;  // of everything but the field
  int field_threads_ = 1;
  bool bloch_ = false;
  LineCoefficients<T> coefficients_[3][2];
  std::vector<T> border_;  // e^{i(A+k)_d h N_d}: [d][n][re,im]
  std::vector<T> u_;
  std::vector<double> rho_;
  Buffer<T> psi_, wrk_;
};

extern template class Ladder<float>;
extern template class Ladder<double>;

}  // namespace suite::lfd
