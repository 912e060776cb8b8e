// SPDX-License-Identifier: BSD-3-Clause
// The variants of lfd.propagate before best: the steps of the source document, on arrays with a layer of
// ghost points, one sweep for each part of each direction (../steps.hpp).
//
// They take the same arguments as best. Bloch vectors and the vector potential go into chi = e^{i(A+k).r}
// psi, so that only the copies of the ghost points carry a phase and the sweeps are the source's own.
#pragma once

#include "../steps.hpp"
#include "propagate.hpp"

namespace suite::lfd {

// Where (n,i,j,k) lies, ghosts included: i = 0..Nx+1. In complex numbers.
struct Ghosted {
  int n[3], norb;
  int64_t stride[3], orbital;
  __device__ __forceinline__ int64_t at(int64_t orb, int i, int j, int k) const {
    return orb * orbital + i * stride[0] + j * stride[1] + k * stride[2];
  }
};

template <class T> class Ladder {
public:
  explicit Ladder(const gpu::Queue& queue);
  void run(Step variant, const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal);

private:
  void start(Step variant, const PropagateCall<T>& call);
  void set_coefficients(const PropagateCall<T>& call);
  void turn(const PropagateCall<T>& call, Surroundings<T>& around, const Phase& phase);
  void kinetic(const PropagateCall<T>& call, const Momenta& momenta);
  void ghosts(const PropagateCall<T>& call, const Momenta& momenta, int d);
  void kin_prop(const PropagateCall<T>& call, int d, Part part);
  void density(const PropagateCall<T>& call, Surroundings<T>& around, int64_t step);
  Strides strides() const;
  bool orbital_first() const { return variant_ <= Step::specialised; }

  const gpu::Queue& queue_;
  Step variant_ = Step::original;
  Ghosted grid_{};
  Number<T> al_[3][2]{};
  int64_t lower_[3][2]{}, upper_[3][2]{};  // where bl and bu lie
  gpu::Buffer<Number<T>> coefficients_, psi_, work_, u_;
};

extern template class Ladder<float>;
extern template class Ladder<double>;

}  // namespace suite::lfd
