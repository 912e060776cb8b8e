// SPDX-License-Identifier: BSD-3-Clause
// What the density does to the orbitals: v = vloc + vH + vxc from step to step, without the drive.
#pragma once

#include "field.hpp"
#include "propagate.hpp"
#include "vxc.hpp"

namespace suite::lfd {

template <class T> class LocalPotential {
public:
  // By one thread, before a team of at most so many threads uses it.
  void start(const PropagateCall<T>& call, int threads);

  // By a team, once before the first step: v of vH as it is, and of the density in call.rho where there is a
  // functional.
  void first(const PropagateCall<T>& call, const Team& team);
  // By a team, after each step: the field goes on, and v with it.
  void advance(const PropagateCall<T>& call, const Team& team);
  // By a team, after the last step.
  void finish(const PropagateCall<T>& call, const Team& team);

  // advance() for the field's form `loop`, by one thread that makes the teams: one for each loop, or one for
  // all steps.
  void loop_joined(const PropagateCall<T>& call, int threads);
  void loop_together(const PropagateCall<T>& call, int threads);

  const T* v() const { return v_.data(); }

private:
  void set(const PropagateCall<T>& call, const Team& team);
  void field(const PropagateCall<T>& call, const Team& team);

  Buffer<T> v_;
  FieldSolver<T> solver_;
};

extern template class LocalPotential<float>;
extern template class LocalPotential<double>;

}  // namespace suite::lfd
