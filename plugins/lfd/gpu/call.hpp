// SPDX-License-Identifier: BSD-3-Clause
// What the host code of this plugin's parts has in common.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "../call.hpp"
#include "../parameters.hpp"
#include "../splitting.hpp"
#include "tables.hpp"

#include "device.cuh"

namespace suite::lfd {

using gpu::device_data, gpu::blocks_for, gpu::on_host, gpu::check_addresses;

template <class T, class E, int rank, bool changes> T* device_data(const Argument<E, rank, changes>& argument) {
  return device_data<T>(argument.array());
}

// Threads of a block where each has one point.
inline constexpr unsigned point_threads = 128;

// Kernels count the points of a grid, cells filled up, in 32 bits.
inline void check_size(const Grid& g) {
  if (g.points() > int64_t{1} << 27)
    throw Failure(SUITE_UNSUPPORTED, concat("the grid has ", g.points(), " points; this implementation supports up to ", int64_t{1} << 27));
}

// The base of most kernel classes: the named choices as parameters, a queue, and the grid's spacings where
// there are some.
template <class K, const suite_parameter&... choices> class OnGpu {
public:
  static constexpr std::array<suite_parameter, sizeof...(choices)> parameters{choices...};
  OnGpu(const suite_backend* backend, suite_queue* queue, const int64_t*) : queue_(backend, queue) {}
  void prepare(const suite_array* a) {
    queue_.select();
    if constexpr (requires { K::h; }) h_ = on_host<double>(queue_, K(a).h.array());
  }

protected:
  // First in execute().
  K begin(const suite_array* a) const {
    queue_.select();
    check_addresses<K>(a);
    return K(a);
  }
  gpu::Queue queue_;
  std::vector<double> h_;
};

}  // namespace suite::lfd
