# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the cpu kernels of lfd: name, file, text that occurs exactly once, what replaces it."""

MUTANTS = [
    ("full part joins the pairs of the half part", "cpu/kin_prop.cpp", "part_ == Part::half ? 0 : 1", "0"),
    ("bond's phase the same on both ways", "cpu/kin_prop.cpp", "d_, -g.h[d_], r.em)", "d_, g.h[d_], r.em)"),
    ("ring cut open: the last point joined to a wrong one", "cpu/kin_prop.cpp", "(start + (at + 1) % g.n[d_])", "(start + (at + 1) % (g.n[d_] - 1))"),
    ("wrong sign of the imaginary part of ep", "cpu/kin_prop.cpp", "new_b = epr * y + ei * jy + emr * x + mi * jx;", "new_b = epr * y - ei * jy + emr * x + mi * jx;"),
    ("bond across the border not unitary", "cpu/cells.hpp", "const V br = re[b] + s * re[a] - c * im[a], bi = im[b] + c * re[a] + s * im[a];", "const V br = re[b] - s * re[a] - c * im[a], bi = im[b] + c * re[a] + s * im[a];"),
    ("dipole without one point of each cell", "cpu/cells.hpp", "for (int q = 0; q < 8; ++q) {", "for (int q = 0; q < 7; ++q) {"),
    ("first step begins with a whole phase", "cpu/best.cpp", "phase.factor = step > 0 ? -call.dt : -0.5 * call.dt;", "phase.factor = -call.dt;"),
    ("constant phase of the kinetic part", "cpu/best.cpp", "k.angle -= 2 * theta;", "k.angle -= theta;"),
    ("drive of the step before forgotten", "cpu/best.cpp", "phase.slope[d] = -0.5 * call.dt * (before + now[d]);", "phase.slope[d] = -call.dt * now[d];"),
    ("cross term of the current", "cpu/currents.hpp", "sum[d] += c * im + s * re;", "sum[d] += c * im;"),
    ("mean of rho not taken out", "cpu/field.cpp", "((static_cast<double>(rho[p]) - mean) - correction)", "static_cast<double>(rho[p])"),
    ("field's rest position with the wrong sign", "cpu/field.cpp", "powers_.wr.push_back(static_cast<T>(-m.wd * of_rho));", "powers_.wr.push_back(static_cast<T>(m.wd * of_rho));"),
    ("damping ignored by one form", "cpu/field.cpp", "+ f[p] - damping * w[p];", "+ f[p];"),
    ("waves of an isolated charge with their neighbour's factor", "cpu/field.cpp", "spectrum[row + wave_number(c, nz)]", "spectrum[row + c / 2]"),
    ("last orbital left out of the density", "cpu/compute_rho.cpp", "weighted_squares(psi + (p + q) * row, f.data(), row);", "weighted_squares(psi + (p + q) * row, f.data(), row - 2);"),
    ("Hartree energy counted twice", "cpu/calc_energy.cpp", "energy[3] = 0.5 * integral(vH);", "energy[3] = integral(vH);"),
    ("bond across the border missing in the energy", "cpu/calc_energy.cpp", "point((i + 1) % g.n[0], j, k)", "point(std::min(i + 1, g.n[0] - 1), j, k)"),
    ("order of atoms ignored", "cpu/nlp_prop.cpp", "spheres.atoms[descending_ ? atoms - 1 - i : i]", "spheres.atoms[i]"),
    ("last point of each sphere skipped", "cpu/spheres.cpp", "p < count[atom]; ++p) {\n      s.point", "p + 1 < count[atom]; ++p) {\n      s.point"),
    ("wrong doubling of the exponential", "nonlocal.cpp", "2.0 * K[i] + KSK[i]", "2.0 * K[i] - KSK[i]"),
    ("E.r from the corner of the cell", "cpu/compute_v.cpp", "static_cast<double>(i - g.n[d] / 2) * g.h[d]", "static_cast<double>(i) * g.h[d]"),
    ("functionals exchanged", "cpu/compute_vxc.cpp", "p[0] == 0 ? Functional::pw92 : Functional::pz81", "p[0] == 0 ? Functional::pz81 : Functional::pw92"),
    ("a whole step's phase", "cpu/set_prop.cpp", "-0.5 * c.dt", "-1.0 * c.dt"),
    ("ghosts of one face from the wrong side", "cpu/periodic_bc.cpp", "copy(at(x, 0, 1), at(x, ny, 1), nz);", "copy(at(x, 0, 1), at(x, 1, 1), nz);"),
]
