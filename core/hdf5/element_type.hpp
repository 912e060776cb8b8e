// SPDX-License-Identifier: BSD-3-Clause
// The HDF5 type of a suite_type: numbers as the CPU stores them, complex ones as a compound of r and i.
#pragma once

#include <suite/abi.h>

#include "handles.hpp"

namespace suite::hdf5 {

inline hid_t complex_type(hid_t part) {
  const size_t size = H5Tget_size(part);
  const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size);
  H5Tinsert(type, "r", 0, part);
  H5Tinsert(type, "i", size, part);
  return type;
}

// Negative for an unknown type.
class ElementType : public Handle {
public:
  explicit ElementType(int32_t type) : Handle(make(type), H5Tclose) {}

private:
  static hid_t make(int32_t type) {
    switch (type) {
      case SUITE_INT32: return H5Tcopy(H5T_NATIVE_INT32);
      case SUITE_INT64: return H5Tcopy(H5T_NATIVE_INT64);
      case SUITE_REAL32: return H5Tcopy(H5T_NATIVE_FLOAT);
      case SUITE_REAL64: return H5Tcopy(H5T_NATIVE_DOUBLE);
      case SUITE_COMPLEX64: return complex_type(H5T_NATIVE_FLOAT);
      case SUITE_COMPLEX128: return complex_type(H5T_NATIVE_DOUBLE);
    }
    return -1;
  }
};

}  // namespace suite::hdf5
