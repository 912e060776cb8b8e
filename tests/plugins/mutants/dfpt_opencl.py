# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the OpenCL kernels of dfpt: name, file, text that occurs exactly once, what replaces it, the kernel that
refuses it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "dfpt", "opencl", [], ["-lOpenCL"]
SMALLER = [("opencl/h.cpp", "int64_t{1} << 25", "int64_t{1} << 12")]
MUTANTS = [
    ("functions do not end", "opencl/basis.cl", "r < (vd)outer_radius[f[1]] ? radial * Y[f[2]] : (vd)0", "radial * Y[f[2]]", "dfpt.basis"),
    ("components of -m for m", "opencl/basis.cpp", "l * l + l + m, l}", "l * l + l - m, l}", "dfpt.basis"),
    ("harmonics of sine and cosine exchanged", "opencl/engine.cpp", 'component(l, m) + "q * c; " + component(l, -m) + "q * s;', 'component(l, m) + "q * s; " + component(l, -m) + "q * c;', "dfpt.basis"),
    ("chi of every batch from the first one's place", "opencl/segment_lists.cpp", "wave.push_back(static_cast<cl_ulong>(b.wave));", "wave.push_back(0);", "dfpt.rho"),
    ("lanes beyond a shell's end count", "opencl/multipoles.cl", "i + l < first[s + 1] ? weight[p] * rho[(size_t)n_points * d + p] : 0", "weight[p] * rho[(size_t)n_points * d + p]", "dfpt.multipoles"),
    ("numbers of shells and of atoms exchanged", "opencl/multipoles.cpp", "static_cast<cl_int>(c.n_radial()), static_cast<cl_int>(c.n_atoms())", "static_cast<cl_int>(c.n_atoms()), static_cast<cl_int>(c.n_radial())", "dfpt.multipoles"),
    ("outer integral of the wrong power", "opencl/poisson.cpp", "std::pow(r, 2 - l)", "std::pow(r, 1 - l)", "dfpt.poisson"),
    ("shells of the first species' grid for all", "opencl/poisson.cl", "grid_place + (size_t)n_grid * s, grid_fraction", "grid_place, grid_fraction", "dfpt.poisson"),
    ("l of the first vector's components for all", "opencl/poisson.cl", "LOAD(of_l + padded + first) * sum", "LOAD(of_l + padded) * sum", "dfpt.poisson"),
    ("l of each component one too small", "opencl/poisson.cpp", "1.0 / (l_of(lm) + 3)", "1.0 / (l_of(lm) + 2)", "dfpt.poisson"),
    ("a density that nobody wants", "opencl/poisson.cpp", "cl_int(bool(c.density_spl))", "cl_int(1)", "dfpt.poisson"),
    ("energies of occupied states for empty ones", "opencl/response.cl", "load_first(energies + n_occ + i, rows - i)", "load_first(energies + i, rows - i)", "dfpt.response"),
    ("first-order orbitals of occupied states", "opencl/response.cpp", "product({C, 0, n * n_occ}, {U", "product({C, 0, 0}, {U", "dfpt.response"),
    ("every direction with the first one's matrix", "opencl/response.cl", "B + b_size * d, b_step", "B, b_step", "dfpt.response"),
    ("diagonal of P1 left as it is", "opencl/response.cl", "for (int m = ITEM; m <= n; m += LOCAL)", "for (int m = ITEM; m < n; m += LOCAL)", "dfpt.response"),
    ("diagonal of P counted twice", "opencl/tiles.cl", "row[m] = column[function[m]];", "row[m] = 2 * column[function[m]];", "dfpt.rho"),
    ("first-order density without its conjugate", "opencl/tiles.cl", "(first ? 4 : 2) * sum_of(LOAD(sums + ", "2 * sum_of(LOAD(sums + ", "dfpt.rho"),
    ("only the last tile of orbitals", "opencl/tiles.cl", "vd total = i0 ? LOAD(sums + (size_t)(p + r) * VW) : (vd)0;", "vd total = 0;", "dfpt.rho"),
    ("both triangles' tiles counted once", "opencl/ladder.cl", "const double factor = m0 == n0 ? 1 : 2;", "const double factor = 1;", "dfpt.rho variant=control_flow"),
    ("a second set of functions counted twice", "opencl/tiles.cl", "potential, has_v, 0.5, scaled + scaled_size", "potential, has_v, 1.0, scaled + scaled_size", "dfpt.h"),
    ("weights taken for an unset potential", "opencl/h.cpp", "cl_int(sides), memory_of(c.partition_tab), potential(c),\n                   cl_int(bool(c.v))", "cl_int(sides), memory_of(c.partition_tab), potential(c),\n                   cl_int(1)", "dfpt.h"),
    ("tiles of orbitals on top of each other", "opencl/tiles.cl", "(size_t)place[b.first + m] * ldo + i0;", "(size_t)place[b.first + m] * ldo;", "dfpt.h"),
    ("second round of segments from the first one's place", "opencl/h.cpp", "static_cast<cl_int>(first), static_cast<cl_int>(count),\n                   static_cast<cl_int>(call_.batches.n_points)", "cl_int(0), static_cast<cl_int>(count),\n                   static_cast<cl_int>(call_.batches.n_points)", "dfpt.h"),
    ("second round of products added where the first was", "opencl/h.cpp", "memory_of(c.HC), static_cast<cl_int>(first)", "memory_of(c.HC), cl_int(0)", "dfpt.h"),
    ("other triangle of the first direction alone", "opencl/tiles.cl", "matrix = H + (size_t)n_basis * n_basis * (t / n_basis);", "matrix = H;", "dfpt.h"),
    ("candidates' slack the wrong way", "opencl/near_pairs.cpp", "atoms.radius[a] * (1 + 1e-12)", "atoms.radius[a] * (1 - 1e-2)", "dfpt.sum_up"),
    ("far fields without 1/r", "opencl/sum_up.cl", "total[d] += front * sums[d];", "total[d] += sums[d];", "dfpt.sum_up"),
    ("value at the nucleus of the first direction for all", "opencl/sum_up.cl", "spline[row + next * (d + i)]", "spline[row]", "dfpt.sum_up"),
    ("polynomials of the first species for all", "opencl/sum_up.cl", "(size_t)(species[a] - 1) * n_knots + knot", "(size_t)knot", "dfpt.sum_up"),
    ("moments and their number exchanged with the tables'", "opencl/sum_up.cpp", "powers, scaled, rows, moments);", "powers, scaled, moments, rows);", "dfpt.sum_up"),
    ("points near nuclei twice", "opencl/sum_up.cpp", 'call_.n_points - n_near_, far_list_,', 'call_.n_points - n_near_, near_list_,', "dfpt.sum_up variant=control_flow"),
]
