// SPDX-License-Identifier: BSD-3-Clause
// The host side of `best` for real w (best.cu).
#pragma once

#include "call.hpp"
#include "tiles.cuh"

namespace suite::gpp {

struct Order;

class Best {
public:
  // group: columns G' of a thread, 2, 4 or 8; scratch: bytes this may take, 0: 70 % of what is free
  Best(const gpu::Queue& queue, const suite_backend* backend, suite_queue* suite_queue, int group, int64_t scratch);
  // Looks at w. Waits for the device.
  void prepare(const Sigma& call, const Columns& columns);
  // Whether every w is real and far enough from branch C of the model.
  bool serves(const Sigma& call) const { return real_ && lowest_w_ > 1e-6 * call.gamma; }
  // asx and ach if `rational`, and achstemp if the call asks for it. Does not wait.
  void run(const Sigma& call, const Columns& columns, bool rational, bool mixed);

private:
  struct Plan;
  Plan plan(const Sigma& call, const Columns& columns, bool rational, bool mixed);
  Order sort(const Sigma& call, Tiles& t);
  void pass(const Sigma& call, const Plan& plan, const Order& order, Tiles& t, bool first);

  const gpu::Queue& queue_;
  const suite_backend* backend_;
  suite_queue* suite_queue_;
  int group_;
  int64_t scratch_;
  bool real_ = false;
  double lowest_w_ = 0;
  gpu::Buffer<double> low_, order_, slots_, totals_;
  gpu::Buffer<int> bands_;
  gpu::Buffer<Range> ranges_;
  gpu::Buffer<char> packed_;
  gpu::Buffer<float> single_;
};

// smooth_*.cu: CH of the bands without tests, for one to three energies.
void sum_smooth_double(gpu::Stream stream, const Tiles& t, bool real, int energies, unsigned blocks);
void sum_smooth_mixed(gpu::Stream stream, const Tiles& t, bool real, int energies, unsigned blocks);

// occupied.cu: CH and SX of the occupied bands that need no test but that for branch A.
void sum_occupied(gpu::Stream stream, const Tiles& t, bool real, int energies, unsigned blocks);

// masked.cu: CH and SX of the bands that need all tests; static CH.
void sum_masked(gpu::Stream stream, const Tiles& t, bool real, int energies, unsigned blocks);
void sum_bilinear(gpu::Stream stream, const Tiles& t, bool real, unsigned blocks);

}  // namespace suite::gpp
