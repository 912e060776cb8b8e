// SPDX-License-Identifier: BSD-3-Clause
// The options of the family as every implementation offers them: same names, same order, same default. They
// say what is computed, so that a comparison sets them in both implementations alike; how it is computed is a
// parameter `variant` or a knob of one implementation.
#pragma once

#include <span>

#include "lfd.hpp"

namespace suite::lfd::parameter {

inline constexpr suite_choice directions[] = {
    choice("x", "along the slowest index of the grid"),
    choice("y", "along the middle index"),
    choice("z", "along the fastest index"),
};
inline constexpr suite_parameter d = option("d", 0, directions, "direction of the point pairs");

inline constexpr suite_choice parts[] = {
    choice("half", "pairs (0,1), (2,3), .. for dt/2"),
    choice("full", "pairs (1,2), (3,4), .. (N-1,0) for dt"),
};
inline constexpr suite_parameter p = option("p", 0, parts, "set of point pairs and propagation time");

inline constexpr suite_choice mass_corrections[] = {
    choice("off", "theta = dt/(2 h^2)"),
    choice("on", "theta = arctan(dt/(2 h^2)), which gives slow waves the correct mass"),
};
inline constexpr suite_parameter mass_correction = option("mass_correction", 0, mass_corrections, "angle theta of the kinetic propagator");

inline constexpr suite_choice kinetics[] = {
    choice("differences", "second-order differences, in pairs of points"),
    choice("fourier", "plane waves, exact in space and time; mass_correction and variant have nothing to choose there"),
};
inline constexpr suite_parameter kinetic = option("kinetic", 0, kinetics, "operator of the kinetic energy");
inline constexpr suite_choice energy_kinetics[] = {
    choice("differences", "second-order differences, bond by bond"),
    choice("fourier", "plane waves"),
};
// Of lfd.calc_energy.
inline constexpr suite_parameter kinetic_of_energy = option("kinetic", 0, energy_kinetics, "operator of the kinetic energy");

inline constexpr suite_choice orders[] = {
    choice("ascending", "from the first atom to the last"),
    choice("descending", "from the last to the first"),
};
inline constexpr suite_parameter order = option("order", 0, orders, "order of the atoms");

inline constexpr suite_choice functionals[] = {
    choice("none", "no exchange or correlation"),
    choice("pw92", "Perdew and Wang 1992"),
    choice("pz81", "Perdew and Zunger 1981"),
};
inline constexpr suite_parameter functional = option("functional", 1, functionals, "exchange-correlation functional");
// compute_vxc has pw92 and pz81 only.
inline constexpr suite_parameter functional_of_density =
    option("functional", 0, std::span(functionals).subspan(1), "exchange-correlation functional");

inline constexpr suite_choice gauges[] = {
    choice("length", "drive is the electric field E; v includes E.r"),
    choice("velocity", "drive is the vector potential A, a phase on the bonds"),
};
inline constexpr suite_parameter gauge = option("gauge", 0, gauges, "gauge of the driving field");

inline constexpr suite_choice laplacians[] = {
    choice("differences", "7-point Laplacian; the solution is stationary under lfd.field_prop"),
    choice("continuum", "exact eigenvalues q^2"),
    choice("isolated", "isolated charge without periodic images"),
};
inline constexpr suite_parameter laplacian = option("laplacian", 0, laplacians, "eigenvalues used for -lap");

inline constexpr suite_choice fields[] = {
    choice("frozen", "vH does not change"),
    choice("loop", "field_steps steps of the wave equation, each with ghost cells and two loops"),
    choice("fused", "the same steps, one loop each"),
    choice("closed", "the same steps, all at once by Fourier transform"),
    choice("spectral", "vH of the density by lfd.spectral_field_solve (laplacian=differences)"),
    choice("isolated", "vH of the density without periodic images"),
    choice("continuum", "vH of the density by lfd.spectral_field_solve (laplacian=continuum)"),
};
inline constexpr suite_parameter field = option("field", 3, fields, "how vH follows the density");

// Of lfd.hpsi.
inline constexpr suite_choice difference_orders[] = {
    choice("second", "two neighbours along each axis"),
    choice("fourth", "four neighbours along each axis"),
    choice("sixth", "six neighbours along each axis"),
    choice("eighth", "eight neighbours along each axis"),
};
inline constexpr suite_parameter differences = option("differences", 3, difference_orders, "order of the differences");
inline constexpr suite_choice axis_orders[] = {
    choice("zyx", "z is the grid's fastest index, as in psi(Norb,Nz,Ny,Nx)"),
    choice("xyz", "x is the grid's fastest index, as in psi(1,Nx,Ny,Nz,Norb)"),
};
inline constexpr suite_parameter axes = option("axes", 0, axis_orders, "directions of the grid's indices");
inline constexpr suite_choice vector_potentials[] = {
    choice("gradient", "1/2 q^2 - 1/2 lap - i q.grad, q = A + k"),
    choice("bonds", "phases on the bonds"),
};
inline constexpr suite_parameter vector_potential = option("vector_potential", 0, vector_potentials, "how A and k enter");

}  // namespace suite::lfd::parameter

namespace suite::lfd {

// The options of lfd.propagate, whose parameters begin with them: field, functional, gauge, mass_correction, kinetic.
struct Choices {
  static constexpr int count = 5;
  explicit Choices(const int64_t* p)
      : field(static_cast<Field>(p[0])),
        functional(static_cast<Functional>(p[1])),
        velocity(p[2] != 0),
        mass_correction(p[3] != 0),
        kinetic(static_cast<Kinetic>(p[4])) {}
  Field field;
  Functional functional;
  bool velocity, mass_correction;
  Kinetic kinetic;
  bool fourier() const { return kinetic == Kinetic::fourier; }
  // v changes from step to step by itself, not only through the drive.
  bool potential_moves() const { return field != Field::frozen || functional != Functional::none; }
};

}  // namespace suite::lfd
