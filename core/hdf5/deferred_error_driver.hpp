// SPDX-License-Identifier: BSD-3-Clause
// How HDF5 writes: through a file driver that keeps failures (a full disk) from it. HDF5 1.10 ends in a
// segmentation fault when a write fails while it closes a file. This driver remembers the first failure,
// writes nothing more and lets HDF5 come to its end; who writes asks afterwards.
#pragma once

#include <hdf5.h>

namespace suite::hdf5 {

// The file that a driver writes to. It must outlive HDF5's handle of the file; close() is up to its owner.
struct DeferredErrorFile {
  int descriptor = -1;
  int error = 0;  // errno of the first failure
};

// Access properties become those of this file. Negative when HDF5 does not take the driver.
herr_t set_deferred_error_driver(hid_t access, DeferredErrorFile* file);

}  // namespace suite::hdf5
