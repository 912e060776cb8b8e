// SPDX-License-Identifier: BSD-3-Clause
// The host side of `energies=interpolated` for real w (interpolated.cu).
#pragma once

#include "../pole_bins.hpp"
#include "call.hpp"

namespace suite::gpp {

// Lists that modes are sorted into: bins of finite w, and one of infinite ones, whose w is one.
inline constexpr int finite_bins = 31, lists = finite_bins + 1;

class Interpolated {
public:
  explicit Interpolated(const gpu::Queue& queue);
  // Looks at w for the bins. Waits for the device.
  void prepare(const Sigma& call, const Columns& columns);
  // asx and ach. Does not wait.
  void run(const Sigma& call, const Columns& columns);

private:
  template <bool Real> void launch(const Sigma& call, const Columns& columns);

  const gpu::Queue& queue_;
  PoleBins<finite_bins> bins_;
  int teams_[lists] = {};  // the lists in the order that teams of threads take them in, two by two
  bool sorted_ = false;
  gpu::Buffer<double> look_, slots_, moments_, near_slots_, near_;
  gpu::Buffer<char> modes_;
  gpu::Buffer<int> starts_;
};

}  // namespace suite::gpp
