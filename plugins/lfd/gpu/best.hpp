// SPDX-License-Identifier: BSD-3-Clause
// The variant best of lfd.propagate: three passes over psi for each step, or two while v stands still
// (cells.cuh). And kinetic = fourier, with a pass for the phase and the density and one for each direction.
#pragma once

#include <optional>

#include "cells.cuh"
#include "propagate.hpp"

namespace suite::lfd {

// The step that the device is at, in its memory: the launches of a graph have the same arguments in each step.
struct StepNow {
  double before[3], now[3];          // the drive of the step before and of this one
  int64_t step;                      // from 0
  int64_t moments_before, moments;  // rows of the moments of both
};

template <class T> class Best {
public:
  explicit Best(const gpu::Queue& queue);
  // After prepare(): what the graph was recorded with may have changed.
  void forget() { graph_.clear(); }
  void run(const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal);

private:
  void start(const PropagateCall<T>& call, Surroundings<T>& around);
  void next_step(const PropagateCall<T>& call);
  // One step. first and last: of the call; with `merged_` the others end and begin in one pass.
  void make_step(const PropagateCall<T>& call, Surroundings<T>& around, Nonlocal& nonlocal, bool first, bool last);
  const double* A(const PropagateCall<T>& call) const;
  Phase beginning_of(const PropagateCall<T>& call, bool first) const;
  Phase end_of(const PropagateCall<T>& call) const;
  Phase last_of(const PropagateCall<T>& call) const;
  void set_border(const PropagateCall<T>& call, bool first);
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
  // The end of one step and the beginning of the next are one pass where nothing has to happen in between.
  bool merged_ = false;
  gpu::Buffer<Number<T>> u_, border_;
  gpu::Buffer<StepNow> now_;
  gpu::Graph graph_;  // a step that is neither the first nor, if merged, the last
  std::optional<PropagateCall<T>> recorded_;
};

extern template class Best<float>;
extern template class Best<double>;

}  // namespace suite::lfd
