// SPDX-License-Identifier: BSD-3-Clause
// The variant best of lfd.propagate: three passes over psi for each step, or two while v stands still
// (cells.cuh). And kinetic = fourier, with a pass for the phase and the density and one for each direction.
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
  // As even(); with kinetic = fourier nothing is joined.
  template <bool Before, bool Density, bool Turn, bool After> void pass() const;
  void middle();
  unsigned blocks() const;

  const gpu::Queue& queue_;
  CellStep<T> step_{};
  TangentStep kinetic_;
  FourierLines<T> lines_;
  bool fourier_ = false;
  bool bloch_ = false;  // orbitals have phases on their bonds
  gpu::Buffer<Number<T>> u_, border_;
};

extern template class Best<float>;
extern template class Best<double>;

}  // namespace suite::lfd
