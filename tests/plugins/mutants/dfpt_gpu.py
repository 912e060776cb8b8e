# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the GPU source of dfpt, compiled for the emulation: name, file, text that occurs exactly once, what replaces
it, the kernel that refuses it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "dfpt", "gpu", ["-DSUITE_GPU_EMULATED", "-x", "c++"], ["-lboost_context"]
SMALLER = [("gpu/poisson.cu", "int64_t{1} << 26", "int64_t{1} << 10")]
MUTANTS = [
    ("missing barrier: a tile is read while it is loaded", "gpu/matrix_product.cuh", "      __syncthreads();\n      add(", "      add(", "dfpt.response"),
    ("an element above the diagonal counted once", "gpu/rho.cu", "(k < j ? 2 : 1)", "1", "dfpt.rho"),
    ("one triangle from the other's place", "gpu/h_sums.cu", "x < y ? y + n_basis * x : x + n_basis * y", "x + n_basis * y", "dfpt.h"),
    ("a second set of functions counted twice", "gpu/h_integrals.cu", "(twice ? 0.5 : 1.0)", "1.0", "dfpt.h"),
    ("near pairs of every direction from the first", "gpu/sum_up_atoms.cu", "near.values[slot * Dirs + d]", "near.values[slot * Dirs]", "dfpt.sum_up"),
    ("near atoms of a group of points forgotten", "near_pairs.cpp", "may_be_near(squared, radius_squared[a])", "may_be_near(squared, 0.3 * radius_squared[a])", "dfpt.sum_up"),
    ("tree: odd orders of an expansion with the wrong sign", "gpu/far_tree.cu", "const double sign = j % 2 ? -1.0 : 1.0;", "const double sign = 1.0;", "dfpt.sum_up far=tree"),
    ("tree: what came from far lost when more comes from above", "gpu/far_tree.cu", "to = to + sum[d];", "to = sum[d];", "dfpt.sum_up far=tree"),
    ("tree: missing barrier before harmonics are read", "gpu/far_tree.cu", "    __syncthreads();\n    if (thread() < half_count(take.order))", "    if (thread() < half_count(take.order))", "dfpt.sum_up far=tree"),
    ("tree: terms of -m as those of m", "gpu/far_tree.cu", "row[below ? m - k : k - m]", "row[k + m]", "dfpt.sum_up far=tree"),
    ("tree: only the first sixteen atoms directly", "gpu/far_points.cu", "a0 < leaf.last_direct; a0 +=", "a0 == leaf.first_direct; a0 +=", "dfpt.sum_up far=tree"),
    ("tree: near values instead of far ones", "gpu/far_points.cu", "(first + d)] += sum[d]", "(first + d)] = sum[d]", "dfpt.sum_up far=tree"),
    ("tree: cells of atoms without those below", "device/far_field.cpp", "needed[c] |= needed[at(cells[c].parent)]", "needed[c] |= 0", "dfpt.sum_up far=tree"),
    ("missing barrier: harmonics read before they are there", "gpu/multipoles.cu", "shared + thread() * width);\n    __syncthreads();\n", "shared + thread() * width);\n", "dfpt.multipoles"),
    ("the last equation of a spline without its end", "gpu/poisson.cu", "    if (k == n - 3) right -= at_end;\n", "", "dfpt.poisson"),
    ("a function beyond its end", "gpu/basis.cu", "spot.r >= function.outer_radius ? 0.0", "spot.r < 0 ? 0.0", "dfpt.basis"),
    ("the last points of a batch in no tile", "gpu/batch_list.hpp", "p < batches.batch[static_cast<size_t>(b)].points; p += points", "p == 0 || p + points <= batches.batch[static_cast<size_t>(b)].points; p += points", "dfpt.rho"),
    ("directions after the first three forgotten", "gpu/call.hpp", "for (; first < n_dir; ++first)", "for (; first < n_dir && first < 3; ++first)", "dfpt.rho"),
    ("later directions' matrices over the first ones", "gpu/h.cu", "to + arrays.first * width * call_.n_basis", "to", "dfpt.h"),
    ("later batches with the rows of the first ones", "gpu/h.cu", "static_cast<int64_t>(c) * (call_.n_basis + 1)", "0 * (call_.n_basis + 1)", "dfpt.h scratch=1"),
    ("later components in the first ones' place", "gpu/poisson.cu", "first, some, static_cast<int>(rows)", "int64_t{0}, some, static_cast<int>(rows)", "dfpt.poisson"),
    ("numbers of shells and of grid points exchanged", "gpu/poisson.cu", "static_cast<int>(call.n_radial),\n                        static_cast<int>(call.n_grid)", "static_cast<int>(call.n_grid),\n                        static_cast<int>(call.n_radial)", "dfpt.poisson"),
    ("later points with the pairs of the first ones", "gpu/sum_up.cu", "pairs_.data() + chunk.first_pair", "pairs_.data()", "dfpt.sum_up scratch=1"),
    ("depth of P1 with the first term only", "gpu/response.cu", "n, n, 2 * call.n_occ, call.n_dir", "n, n, call.n_occ, call.n_dir", "dfpt.response"),
    ("shells of the first atom for all", "device/multipoles.cpp", "host.n_radial() * (host.point_atom(p) - 1)", "0 * (host.point_atom(p) - 1)", "dfpt.multipoles"),
    ("the parabola at the nucleus through other radii", "device/poisson.cpp", "return shell[i];", "return shell[i + 1];", "dfpt.poisson"),
    ("l of a power one too large", "gpu/poisson.cu", "columns.l.push_back(l)", "columns.l.push_back(l + 1)", "dfpt.poisson"),
]
