// SPDX-License-Identifier: BSD-3-Clause
// The scalar products of reciprocal lattice vectors, bdot, column after column: whether they belong to a lattice, and its cell. For the host
// and for devices.
#pragma once

#include <cmath>

#include <suite/gpu/host_device.hpp>

namespace suite::gw {

SUITE_HOST_DEVICE double determinant(const double* m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[3] * (m[1] * m[8] - m[2] * m[7]) + m[6] * (m[1] * m[5] - m[2] * m[4]);
}
// Of rows i and j, to rounding.
SUITE_HOST_DEVICE bool is_symmetric(const double* bdot, int i, int j) {
  const double difference = bdot[i + 3 * j] - bdot[j + 3 * i], size = bdot[i + 3 * i];
  return (difference < 0 ? -difference : difference) <= 1e-9 * (size < 0 ? -size : size);
}
SUITE_HOST_DEVICE bool is_positive_definite(const double* bdot) {
  return determinant(bdot) > 0 && bdot[0] > 0 && bdot[0] * bdot[4] - bdot[1] * bdot[3] > 0;
}
SUITE_HOST_DEVICE bool is_of_a_lattice(const double* bdot) {
  return is_symmetric(bdot, 1, 0) && is_symmetric(bdot, 2, 0) && is_symmetric(bdot, 2, 1) && is_positive_definite(bdot);
}
// The volume of the cell: (2 pi)^3/sqrt(det bdot).
SUITE_HOST_DEVICE double volume_of(const double* bdot) {
  const double pi = 3.14159265358979323846;
  return 8 * pi * pi * pi / ::sqrt(determinant(bdot));
}

}  // namespace suite::gw
