// SPDX-License-Identifier: BSD-3-Clause
// The arguments of one call, named, and what the host code of this plugin's parts ask of each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "../gpp.hpp"

#include "device.cuh"

namespace suite::gpp {

struct Call {
  explicit Call(const suite_array* arguments);
  const Z* wtilde;  // all pointers are the device's, all numbers the host's
  const void *I, *aqsn, *aqsm;
  const double *vcoul, *wx, *occ;
  Z *asx, *ach, *ach_n1, *ach_static;
  double gamma, sexcut;
  int64_t ncouls, ngpown, ntband, nw, nex;
  bool real;
  int parts() const { return real ? 1 : 2; }
};

// A thread reads and writes a complex number in one piece.
template <class Kernel>
void check_addresses(const suite_array* a) {
  for (size_t i = 0; i < std::size(Kernel::arguments); ++i)
    if (a[i].type == SUITE_COMPLEX128 && reinterpret_cast<uintptr_t>(a[i].data) % sizeof(Z) != 0)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    std::string(Kernel::arguments[i].name) + " lies at an address that is not a multiple of 16 bytes");
}

inline unsigned blocks_for(int64_t threads, int64_t per_block) {
  return static_cast<unsigned>((threads + per_block - 1) / per_block);
}

// The owned columns that count, padded to whole groups by -1; made by ColumnList (columns.hpp).
struct Columns {
  int64_t count = 0;  // without padding
  int64_t padded = 0;
  const int *igp = nullptr, *g = nullptr;  // column of wtilde and I, row of aqsm; both from 0, on the device
};

}  // namespace suite::gpp
