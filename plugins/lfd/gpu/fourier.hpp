// SPDX-License-Identifier: BSD-3-Clause
// kinetic = fourier (../fourier.hpp) on a GPU: a block of threads takes a line of some orbitals to its waves and back in
// shared memory (lines.cuh).
#pragma once

#include "../fourier.hpp"
#include "cell_order.hpp"
#include "nonlocal.hpp"

namespace suite::lfd {

// A stage, for kernels: q and N/length of ../fourier.hpp, and 2^32/q from above, which takes the place of a division: there are
// less than 2^16 parts.
struct DeviceStage {
  int radix = 1, q = 1, each = 1;
  uint64_t by_q = uint64_t{1} << 32;

  SUITE_HOST_DEVICE int piece_of(int part) const { return static_cast<int>((static_cast<uint64_t>(part) * by_q) >> 32); }
};
// No extent has more factors.
struct LineStages {
  static constexpr int most = 16;
  int n = 1, count = 0;
  DeviceStage stage[most];

  SUITE_HOST_DEVICE bool sums() const { return stage[count - 1].radix > 5; }  // the last stage is no butterfly
};

// Where the lines of a direction lie in psi(Norb,Nz,Ny,Nx), in points.
struct LinePlaces {
  int64_t apart;                    // of the points of a line
  int lines, inner;                 // how many there are, and in a row of them
  int64_t outer_apart, inner_apart;  // of rows, and of the lines of a row
};

template <class T> class FourierLines {
public:
  explicit FourierLines(const gpu::Queue& queue);
  void set(const Grid& g);
  // exp(-i dt T) for A + k. turns: psi is held as chi = e^{i(A+k).r} psi.
  void set_step(double dt, const Momenta& momenta, bool turns);
  void propagate(Number<T>* psi);
  // result(Norb) = <psi|T|psi> hx hy hz of psi itself.
  void energies(const Number<T>* psi, const Momenta& momenta, double* result);
  // result(Norb,3) += <psi|q + A + k|psi> hx hy hz, of what set_step() says, times u.
  void add_velocities(const Number<T>* psi, const Number<T>* u, const Momenta& momenta, double* result);

private:
  template <bool velocity> int sum(const Number<T>* psi, const Number<T>* u, const Momenta& momenta, int d, double* slots);
  LinePlaces places(int d) const;
  size_t shared_bytes(int d, int shift) const;
  int shift(int d) const;
  int64_t before(int d) const { return (d > 0 ? g_.n[0] : 0) + (d > 1 ? g_.n[1] : 0); }

  const gpu::Queue& queue_;
  Grid g_;
  bool set_ = false, turns_ = false;
  LineStages stages_[3];
  gpu::Buffer<Number<T>> roots_, phases_, turn_;  // W^i of each direction; [direction][place or point][orbital]
  gpu::Buffer<LineWave> waves_;
  gpu::Buffer<double> slots_;
};

extern template class FourierLines<float>;
extern template class FourierLines<double>;

}  // namespace suite::lfd
