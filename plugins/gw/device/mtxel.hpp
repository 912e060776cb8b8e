// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel on a device: what its host side, mtxel.cpp, asks of gpu/mtxel.cu or opencl/mtxel.cl.
//
// A pass transforms lines of one direction, for panels of as many bands as an item has lanes (one on a GPU).
// Points of a panel are complex numbers of its lanes: re of all lanes, im of all lanes. Line l of a pass is
// outer o = l / inner, i = l % inner; what it reads and where it writes is listed for each o, `at` + i
// `stride` being the place in a panel, `position` that on the line. Places of a line that are not listed are
// 0.
#pragma once

#include <suite/device.hpp>

namespace suite::gw {

// Words of a pass: what device code reads from there.
namespace word {
inline constexpr int n = 0, outer = 1, inner = 2, in_stride = 3, out_stride = 4, stages = 5, radix = 6,
                     most_stages = 14;
inline constexpr int most_in = 20, most_out = 21;  // elements of a line
inline constexpr int first_in = 22, position_in = 23, at_in = 24, first_out = 25, position_out = 26,
                     at_out = 27;  // where lists begin
inline constexpr int count = 28;
}  // namespace word

using Words = const int32_t*;
using Roots = const double*;  // exp(2 pi i k/n)

// All: words, roots; then n, lines of a panel, panels; a panel has in_size and out_size points. Panel p is
// read at in_first + p in_step panels and written at out_first + p out_step. scratch: of each item, 4 n lanes
// numbers.
//
// coefficients of a sphere: of npw plane waves and nbands bands, of spinor component s; parts: numbers of
// one; per_lane: bands in a lane. To panels 0, 1, .., lane 0 of panel 0 being of band `first`.
using FromSphere =
    device::Kernel<Words, Roots, const double*, double*, double*, int32_t, device::Count, device::Count,
                   device::Count, device::Count, device::Count, device::Count, int32_t, int32_t, int32_t>;
FromSphere from_sphere();
// words, roots, in, out, scratch, n, lines, panels, in_size, out_size, out_first, out_step
using Between = device::Kernel<Words, Roots, const double*, double*, double*, int32_t, device::Count,
                               device::Count, device::Count, device::Count, device::Count, device::Count>;
Between between();
// The same to functions of one band each, pairs of re and im: lane l of panel p is function (p lanes + l)
// out_step + out_first, of nbands.
using ToFunctions =
    device::Kernel<Words, Roots, const double*, double*, double*, int32_t, device::Count, device::Count,
                   device::Count, device::Count, device::Count, device::Count, device::Count>;
ToFunctions to_functions();
// words, roots, functions, panels on the grid, out, scratch, n, lines, panels, points, out_size, first
// function (of nspinor), first panel, nspinor: conj(function) times panel, summed over the components
using ProductLines =
    device::Kernel<Words, Roots, const double*, const double*, double*, double*, int32_t, device::Count,
                   device::Count, device::Count, device::Count, device::Count, device::Count, int32_t>;
ProductLines product_lines();
// words, roots, in, phase (or any), aqs, scratch, n, lines, panels, in_size, ncouls, ntband, external band,
// first internal band, has_phase, conjugate, real, factor
using ToElements = device::Kernel<Words, Roots, const double*, const double*, double*, double*, int32_t,
                                  device::Count, device::Count, device::Count, device::Count, device::Count,
                                  device::Count, device::Count, int32_t, int32_t, int32_t, double>;
ToElements to_elements();

}  // namespace suite::gw
