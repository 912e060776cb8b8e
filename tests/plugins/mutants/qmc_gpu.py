# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the GPU source of qmc, compiled for the emulation: name, file, text that occurs exactly once, what replaces
it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "qmc", "gpu", ["-DSUITE_GPU_EMULATED", "-x", "c++"], ["-lboost_context"]
MUTANTS = [
    ("a negative power is not conjugated", "gpu/device.cuh", "return {z.re, n < 0 ? -z.im : z.im};", "return {z.re, z.im};"),
    ("every walker looks at the first one's positions", "gpu/closest_images.cu", "rto + 3 * (walker * nto + (pair - row * nto))", "rto + 3 * (pair - row * nto)"),
    ("an electron meets itself", "gpu/jastrow_u.cu", "    if (j == i) continue;\n", ""),
    ("parallel spins counted as antiparallel", "gpu/jastrow_p.hpp", "p.coefficient(w, spin, 1 - spin) * opposite", "p.coefficient(w, spin, spin) * opposite"),
    ("self-interaction of where the electron was, not taken out", "gpu/jastrow_p.cu", "was = old ? wave_at(p.powers, tables + some * width, w) : e;", "was = e;"),
    ("a mixed second derivative counted once", "gpu/orbitals_blip.cu", "2 * (second[3] * dot(0, 1)", "(second[3] * dot(0, 1)"),
    ("images left out too early", "gpu/ewald.hpp", "R[3] > e.r_cut + distance", "R[3] > e.r_cut"),
    ("the background of a charge with itself", "gpu/local_energy.cu", "(n - 1) * ewald.background", "n * ewald.background"),
    ("an electron that waits is not told apart", "gpu/window.cuh", "t[l * flush_columns + i] = sum - (w.electron[1 + l] == i0 + i + 1 ? 1 : 0);", "t[l * flush_columns + i] = sum;"),
    ("Binv is not bordered", "gpu/window.cuh", "x += work.g[l] * work.d[m] * inverse;", "x += 0;"),
    ("missing barrier: the numbers of a column are read too early", "gpu/window.cuh", "    work.d[m] = sum;\n  }\n  __syncthreads();\n", "    work.d[m] = sum;\n  }\n"),
    ("exchanged rows are not put back", "gpu/slater_invert.cu", "if (pivot == k) continue;", "continue;"),
    ("the sign of an exchange is lost", "gpu/slater_invert.cu", "      sign = -sign;\n    }\n    if (thread() == 0)", "    }\n    if (thread() == 0)"),
    ("rho stays when an electron goes", "gpu/sweep.cu", "rho[g] = rho[g] + (wave_at", "rho[g] = rho[g] + 0 * (wave_at"),
    ("fixed nodes are crossed", "gpu/sweep.cu", "(!langevin || to.ratio > 0) && u", "u"),
    ("a window that is not emptied at the end", "gpu/sweep.cu", "waiting == k.window.kmax || (place + 1 == n && waiting > 0)", "waiting == k.window.kmax"),
    ("barrier that only some threads reach", "gpu/device.cuh", "    value[n] = sum;\n  }\n  __syncthreads();\n", "    value[n] = sum;\n  }\n  if (thread() < 64) __syncthreads();\n"),
    ("one walker's slot from its neighbour", "gpu/branch.cu", "source = from[to] - 1;", "source = from[to] > 1 ? from[to] - 2 : 0;"),
]
