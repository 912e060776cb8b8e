// SPDX-License-Identifier: BSD-3-Clause
// One call of lfd.propagate on a GPU, and what its variants share: the phases of the local potential, the
// density with its moments, the field, the current. Everything stays on the device and in one queue.
#pragma once

#include "cell_order.hpp"
#include "field.hpp"
#include "fourier.hpp"
#include "nonlocal.hpp"

namespace suite::lfd {

template <class T> struct PropagateCall {
  // h: the spacings, which lie on the device, as prepare() has fetched them.
  PropagateCall(const Choices& choices, const Propagate& arguments, const double* h);

  Choices choices;
  Grid grid;
  Number<T>* psi;
  const double *f, *k, *drive;  // k(3,Norb) or null; drive(3,nsteps)
  const T* vloc;
  T *vH, *rho;
  double dt;
  int64_t nsteps;
  FieldConstants field;
  double *dipole, *current;

  // Of this step; null in the length gauge.
  const double* A(int64_t step) const { return choices.velocity ? drive + 3 * step : nullptr; }
  double angle(int d) const { return grid.n[d] > 1 ? splitting_angle(dt, grid.h[d], choices.mass_correction) : 0; }
};

// The phase size e^{i (constant + factor v + slope . r)}, slope = before_weight before + now_weight now,
// vectors of the drive in memory of the device.
struct Phase {
  double size = 1, constant = 0, factor = 0;
  const double *before = nullptr, *now = nullptr;
  double before_weight = 0, now_weight = 0;
};

// Which row of several results a launch writes: one that the host knows, plus one that is counted on the device.
struct Row {
  int64_t first = 0;
  const int64_t* counted = nullptr;
  __device__ __forceinline__ int64_t number() const { return first + (counted ? *counted : 0); }
};

template <class T> class Surroundings {
public:
  static constexpr int64_t steps_at_once = 1024;  // whose moments wait for their last sum
  explicit Surroundings(const gpu::Queue& queue);
  void start(const PropagateCall<T>& call);
  // u in the order of cells, of the potential as it is.
  void phases(const PropagateCall<T>& call, const Phase& phase, Number<T>* u) const;
  // Room for the density of each group of orbitals, [group][place].
  double* densities(int64_t groups) { return densities_.at_least(groups * order_.size()); }
  // rho from all groups, and its moments for the dipole of this step. make_room(step) comes before it.
  void collect(const PropagateCall<T>& call, int64_t groups, int64_t step) {
    make_room(call, step);
    collect(call, groups, Row{step % steps_at_once, nullptr});
  }
  void collect(const PropagateCall<T>& call, int64_t groups, const Row& moments);
  void make_room(const PropagateCall<T>& call, int64_t step);
  void advance_field(const PropagateCall<T>& call, LoopRun how);
  // Of psi as chi (nonlocal.hpp) at A(3), times u where it is given; of bonds, or of waves where there are `lines`. row: of call.current.
  void current(const PropagateCall<T>& call, Nonlocal& nonlocal, const Number<T>* psi, const Strides& strides, const Number<T>* u,
               const double* A, const Row& row, FourierLines<T>* lines = nullptr);
  void finish(const PropagateCall<T>& call);
  const CellOrder& order() const { return order_; }

private:
  void write_dipoles(const PropagateCall<T>& call, int64_t end);

  const gpu::Queue& queue_;
  FieldSolver<T> solver_;
  CellOrder order_;
  int64_t written_ = 0;  // steps whose dipole has been written
  gpu::Buffer<double> densities_, moments_, bonds_;
};

extern template class Surroundings<float>;
extern template class Surroundings<double>;

// chi = e^{i(A+k).r} psi in place, or back. A row for each point; A or k may be null.
template <class T>
void turn_to_bloch(gpu::Stream stream, const Grid& g, const Momenta& momenta, bool back, const Number<T>* from, const Strides& from_strides,
                   Number<T>* to, const Strides& to_strides);

}  // namespace suite::lfd
