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
    ("a window that is not emptied at the end", "gpu/sweep.cu", "waiting == c.kmax || (place + 1 == n && waiting > 0)", "waiting == c.kmax"),
    ("an odd point of the fcc lattice is taken for one", "gpu/distances.cuh", " + odd * (1 - 2 * largest)", ""),
    ("the centres of a bcc lattice are forgotten", "gpu/distances.cuh", "return ::fmin(square_simple_cubic(x, y, z), square_simple_cubic(x - 0.5, y - 0.5, z - 0.5));", "return square_simple_cubic(x, y, z);"),
    ("pairs of other spin have the parameters of equal spins", "gpu/sweep.cu", "set_of_pair(psi.u.nset, psi.spin(i), spin)", "set_of_pair(psi.u.nset, psi.spin(i), psi.spin(i))"),
    ("u does not end where it ends", "gpu/sweep.cu", "(y < 0 ? Q : 0.0)", "Q"),
    ("an accepted electron moves along x alone", "gpu/sweep.cu", "for (int d = 0; d < 3; ++d) k.positions[d * psi.netot + i] = to.x[d];", "k.positions[i] = to.x[0];"),
    ("barrier that only some threads reach", "gpu/device.cuh", "    value[n] = sum;\n  }\n  __syncthreads();\n", "    value[n] = sum;\n  }\n  if (thread() < 64) __syncthreads();\n"),
    ("one walker's slot from its neighbour", "gpu/branch.cu", "source = from[to] - 1;", "source = from[to] > 1 ? from[to] - 2 : 0;"),
]
