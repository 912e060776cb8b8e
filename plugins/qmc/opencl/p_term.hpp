// SPDX-License-Identifier: BSD-3-Clause
// The p term on the device.
#pragma once

#include "waves.hpp"

namespace suite::qmc::cl {

class POnDevice {
public:
  POnDevice(Engine& engine, Cell& cell);
  void set(const suite_array& gvec, const suite_array& star, const suite_array& a);
  void leave_out() { term_ = {}; }
  bool there() const { return term_.there(); }
  int sets() const { return term_.nset; }
  WaveSums& sums() { return sums_; }
  void derivatives(const Seats& seats, cl_mem rho, const Outputs& out);

private:
  Engine& engine_;
  Cell& cell_;
  PTerm term_;
  WaveSums sums_;
  opencl::Scratch by_star_, begin_;
};

}  // namespace suite::qmc::cl
