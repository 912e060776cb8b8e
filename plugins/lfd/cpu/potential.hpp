// SPDX-License-Identifier: BSD-3-Clause
// What the density does to the orbitals: v = vloc + vH + vxc from step to step, without the drive.
#pragma once

#include "propagate.hpp"

namespace suite::lfd {

template <class T> class LocalPotential {
public:
  // Called by one thread, before a team uses it. Without a functional v is made at once.
  void start(const PropagateCall<T>& call) {
    v_ = storage_.at_least(call.grid.points());
  }
  // By all threads of a team: v of the density in call.rho and of vH as it is.
  void set(const PropagateCall<T>& call) {
#pragma omp for schedule(static)
    for (int64_t p = 0; p < call.grid.points(); ++p) v_[p] = call.vloc[p] + call.vH[p];
  }
  // By all threads of a team: the field goes on by one step of the electrons, then set().
  void advance(const PropagateCall<T>& call) { set(call); }

  const T* v() const { return v_; }

private:
  Buffer<T> storage_;
  T* v_ = nullptr;
};

}  // namespace suite::lfd
