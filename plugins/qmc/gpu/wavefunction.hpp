// SPDX-License-Identifier: BSD-3-Clause
// The trial wavefunction of qmc.sweep and qmc.local_energy on the device.
#pragma once

#include "jastrow_p.hpp"

namespace suite::qmc {

struct Psi {
  Reciprocal cell;
  ImageRule rule;
  int netot, nup;
  DeviceU u;
  DeviceP p;
  const Wave* kvec;
  Powers powers;  // of a table that serves p and the orbitals
  __device__ __forceinline__ int spin(int i) const { return i >= nup; }
  __device__ __forceinline__ int count(int spin) const { return spin ? netot - nup : nup; }
  __device__ __forceinline__ int place(int i) const { return i >= nup ? i - nup : i; }
};

// Sums over the orbitals of column(a) phi_a, gradient and Laplacian, by the threads from `first` in steps of
// `step`; `table` is that of the position. Where n is even the last cosine has no sine.
__device__ __forceinline__ void add_orbitals(const Psi& psi, int n, const Complex* table, const double* column, int first, int step,
                                             Local& sum) {
  if (first == 0) sum.value += column[0];
  for (int k = first; k < n / 2; k += step) {
    const Wave w = psi.kvec[k];
    const Complex e = wave_at(psi.powers, table, w);
    const double c = column[2 * k + 1], s = 2 * k + 2 < n ? column[2 * k + 2] : 0;
    const double value = c * e.re + s * e.im, slope = s * e.re - c * e.im;
    double G[3];
    wave_vector(psi.cell, w, G);
    sum.value += value;
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d) sum.gradient[d] += G[d] * slope;
    sum.laplacian -= (G[0] * G[0] + G[1] * G[1] + G[2] * G[2]) * value;
  }
}

// What is made of the constant arguments of both kernels.
class WavefunctionTables {
public:
  explicit WavefunctionTables(const gpu::Queue& queue) : queue_(queue), kvec_(queue, "the list of kvec"), p_(queue) {}

  // True where the cell changed.
  template <class Call> bool prepare(const Call& c, Form form) {
    const bool changed = cell_.prepare(queue_, c.cell);
    nele_ = on_host<int32_t>(queue_, c.nele);
    electrons_ = electrons_of(c.rele, nele_.data());
    std::vector<int32_t> n = on_host<int32_t>(queue_, c.kvec);
    const int64_t most = std::max(electrons_.count(0), electrons_.count(1));
    check_orbitals(most, c.nkvec(), n.data());
    n.resize(static_cast<size_t>(3 * (most / 2)));
    kvec_.set(queue_, n);
    check_dbar(electrons_, c);
    u_ = {};
    if (has_u(c)) u_ = u_term(form, c, cell_.lattice());
    has_p_ = has_p(c);
    if (has_p_) p_.prepare(queue_, c);
    return changed;
  }

  template <class Call> Psi psi(const Call& c) const {
    Psi psi{};
    psi.cell = cell_.reciprocal();
    psi.rule = cell_.lattice().images;
    psi.netot = static_cast<int>(electrons_.netot);
    psi.nup = static_cast<int>(electrons_.nup);
    if (u_.there()) psi.u = device_u(u_, c.alpha.data());
    if (has_p_) psi.p = p_.device(c.a.data());
    psi.kvec = kvec_.data();
    psi.powers = has_p_ ? larger(kvec_.powers(), psi.p.powers) : kvec_.powers();
    return psi;
  }
  const Cell& cell() const { return cell_; }
  const Electrons& electrons() const { return electrons_; }

private:
  const gpu::Queue& queue_;
  Cell cell_;
  WaveList kvec_;
  PList p_;
  std::vector<int32_t> nele_;
  Electrons electrons_;
  UTerm u_;
  bool has_p_ = false;
};

}  // namespace suite::qmc
