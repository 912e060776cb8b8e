// SPDX-License-Identifier: BSD-3-Clause
// The p term on the device.
#pragma once

#include "waves.hpp"

namespace suite::qmc::cl {

class POnDevice {
public:
  POnDevice(Engine& engine, Cell& cell);
  template <class Call> void set(const Call& c) {
    const auto gvec = engine_.fetch<int32_t>(c.gvec, "gvec"), star = engine_.fetch<int32_t>(c.star, "star");
    set(p_term(c, gvec.data(), star.data()), gvec, star, engine_.fetch<double>(c.a, "a"));
  }
  void leave_out() { term_ = {}; }
  bool there() const { return term_.there(); }
  int sets() const { return term_.nset; }
  WaveSums& sums() { return sums_; }
  void derivatives(const Seats& seats, cl_mem rho, const Outputs& out);

private:
  void set(const PTerm& term, const std::vector<int32_t>& gvec, const std::vector<int32_t>& star, const std::vector<double>& a);
  Engine& engine_;
  Cell& cell_;
  PTerm term_;
  WaveSums sums_;
  opencl::Scratch by_star_, begin_;
};

}  // namespace suite::qmc::cl
