// SPDX-License-Identifier: BSD-3-Clause
// gw.screening on a device: what its host side, screening.cpp, asks of gpu/screening.cu or
// opencl/screening.cl.
#pragma once

#include <suite/device.hpp>

namespace suite::gw {

// Numbers of a call for device code, the rows: of each G vector 6 (factor v(q+G) bdot (q+G), q+G), behind those of all the squares of the
// plasma and of the imaginary frequency. An item for each G vector: g, vcoul, q, bdot, rows, wrong (1: bdot belongs to no lattice); ncouls,
// factor, the plasma's square times the volume, the imaginary frequency's square.
using SetRows =
    device::Kernel<const int32_t*, const double*, const double*, const double*, double*, int32_t*, device::Count, double, double, double>;
SetRows set_rows();
// An item for each pair: rows, wrong (1: nothing is written), g, rho's box, columns (G' of each from 0, -1: padding), epsinv,
// epsinv_imaginary, I, w; ncouls, pairs, reach of the box along x, y, z, model, mode, parts.
using PairPoles = device::Kernel<const double*, const int32_t*, const int32_t*, const double*, const int32_t*, const double*, const double*,
                                 double*, double*, device::Count, device::Count, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t>;
PairPoles pair_poles();

}  // namespace suite::gw
