// SPDX-License-Identifier: BSD-3-Clause
// Units of inputs and results. The Rydberg has the value of the Fortran codes that results are compared with; lengths are CODATA 2010.
#pragma once

namespace suite::app {

inline constexpr double rydberg_eV = 13.60569253;
inline constexpr double hartree_eV = 2 * rydberg_eV;
inline constexpr double bohr_angstrom = 0.52917721092;
inline constexpr double atomic_time_fs = 0.02418884326502;     // hbar/Ha
inline constexpr double atomic_intensity_W_cm2 = 3.509445e16;  // at a field amplitude of 1 Ha/bohr

}  // namespace suite::app
