# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the GPU source of dfpt, compiled for the emulation: name, file, text that occurs exactly once, what replaces
it, the kernel that refuses it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "dfpt", "gpu", ["-DSUITE_GPU_EMULATED", "-x", "c++"], ["-lboost_context"]
MUTANTS = [
    ("missing barrier: a tile is read while it is loaded", "gpu/product.cuh", "    __syncthreads();\n    // Four at a time", "    // Four at a time", "dfpt.response"),
    ("an element above the diagonal counted once", "gpu/rho.cu", "(k < j ? 2 : 1)", "1", "dfpt.rho"),
    ("one triangle from the other's place", "gpu/h_sums.cu", "x < y ? y + n_basis * x : x + n_basis * y", "x + n_basis * y", "dfpt.h"),
    ("a second set of functions counted twice", "gpu/h_integrals.cu", "(twice ? 0.5 : 1.0)", "1.0", "dfpt.h"),
    ("near pairs of every direction from the first", "gpu/sum_up_atoms.cu", "near.values[slot * Dirs + d]", "near.values[slot * Dirs]", "dfpt.sum_up"),
    ("near atoms of a group of points forgotten", "gpu/near_pairs.cpp", "radius_squared * (1 + 1e-9)", "radius_squared * 0.3", "dfpt.sum_up"),
    ("missing barrier: harmonics read before they are there", "gpu/multipoles.cu", "shared + thread() * width);\n    __syncthreads();\n", "shared + thread() * width);\n", "dfpt.multipoles"),
    ("the last equation of a spline without its end", "gpu/poisson.cu", "    if (k == n - 3) right -= at_end;\n", "", "dfpt.poisson"),
    ("a function beyond its end", "gpu/basis.cu", "spot.r >= function.outer_radius ? 0.0", "spot.r < 0 ? 0.0", "dfpt.basis"),
]
