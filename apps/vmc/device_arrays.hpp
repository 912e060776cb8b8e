// SPDX-License-Identifier: BSD-3-Clause
// Arrays on a device whose last index is the walker, allocated for more walkers than there are.
#pragma once

#include <vector>

#include <suite/suite.hpp>

namespace suite::vmc {

template <class T> suite_array first_walkers(const Array<T>& array, int64_t walkers) {
  suite_array first = array.array();
  first.extent[first.rank - 1] = walkers;
  return first;
}

enum class Direction { to_device, to_host };
inline void copy(const Device& device, const suite_array& there, const double* host, Direction direction) {
  suite_array here = there;
  here.data = const_cast<double*>(host);
  here.place = SUITE_HOST;
  suite_error error{};
  require(direction == Direction::to_device ? suite_upload(device.handle(), &there, &here, &error)
                                            : suite_download(device.handle(), &here, &there, &error),
          error);
}

// Initialises walkers that have not been filled.
inline void clear(Array<double>& array) { array.upload(std::vector<double>(static_cast<size_t>(count_of(array.array())), 0.0)); }

}  // namespace suite::vmc
