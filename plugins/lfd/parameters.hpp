// SPDX-License-Identifier: BSD-3-Clause
// The named choices of the family as every implementation offers them: same names, same order, same default.
// They say what is computed, so that a comparison sets them in both implementations alike; how it is computed
// is a parameter `variant` or a knob of one implementation.
#pragma once

#include "lfd.hpp"

namespace suite::lfd::parameter {

inline constexpr suite_parameter d{
    "d",        0,
    0,          2,
    directions, "x: along the slowest index of the grid\ny: along the middle one\nz: along the fastest one"};
inline constexpr suite_parameter p{
    "p", 0,     0,
    1,   parts, "half: pairs (0,1), (2,3), .. for dt/2\nfull: pairs (1,2), (3,4), .. (N-1,0) for dt"};
inline constexpr suite_parameter mass_correction{
    "mass_correction",
    0,
    0,
    1,
    switches,
    "off: theta = dt/(2 h^2)\non: theta = arctan(dt/(2 h^2)), so that slow waves have their mass"};
inline constexpr suite_parameter order{
    "order", 0,      0,
    1,       orders, "ascending: from the first atom to the last\ndescending: from the last to the first"};
// compute_vxc has pw92 and pz81 only.
inline constexpr suite_parameter functional_of_density{
    "functional", 0, 0, 1, functionals + 1, "pw92: Perdew and Wang 1992\npz81: Perdew and Zunger 1981"};
inline constexpr suite_parameter functional{
    "functional",
    1,
    0,
    2,
    functionals,
    "none: neither exchange nor correlation\npw92: Perdew and Wang 1992\npz81: Perdew and Zunger 1981"};
inline constexpr suite_parameter gauge{
    "gauge", 0, 0, 1, gauges, "length: drive is E, v has E.r\nvelocity: drive is A, a phase on the bonds"};
inline constexpr suite_parameter laplacian{"laplacian",
                                           0,
                                           0,
                                           2,
                                           laplacians,
                                           "differences: of the 7-point Laplacian, at rest under "
                                           "lfd.field_prop\ncontinuum: q^2\nisolated: no images "
                                           "of the charge"};
inline constexpr suite_parameter field{
    "field",
    3,
    0,
    5,
    fields,
    "frozen: vH stays\nloop: field_steps steps of the wave equation, ghost cells and two loops each\nfused: "
    "the "
    "same, one loop each\nclosed: the same, all at once by a transform\nspectral: vH of the density, by "
    "lfd.spectral_field_solve with differences\nisolated: vH of the density without images"};

}  // namespace suite::lfd::parameter
