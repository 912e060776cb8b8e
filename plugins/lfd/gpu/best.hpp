// SPDX-License-Identifier: BSD-3-Clause
// The variant best of lfd.propagate: three passes over psi for each step, or two while v stands still
// (cells.cuh).
#pragma once

#include "cells.cuh"
#include "propagate.hpp"

namespace suite::lfd {

template <class T> class Best {
public:
  explicit Best(const gpu::Queue& queue);
  void run(const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal);

private:
  void start(const PropagateCall<T>& call, Surroundings<T>& around);
  Phase beginning_of(const PropagateCall<T>& call, int64_t step) const;
  Phase end_of(const PropagateCall<T>& call, int64_t step) const;
  Phase last_of(const PropagateCall<T>& call) const;
  void set_border(const PropagateCall<T>& call, int64_t step);
  template <bool Before, bool Density, bool Turn, bool After> void even() const;
  void odd() const;
  unsigned blocks() const;

  const gpu::Queue& queue_;
  CellStep<T> step_{};
  TangentStep kinetic_;
  bool bloch_ = false;  // orbitals have phases on their bonds
  gpu::Buffer<Number<T>> u_, border_;
};

extern template class Best<float>;
extern template class Best<double>;

}  // namespace suite::lfd
