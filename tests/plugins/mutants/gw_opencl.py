# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the OpenCL kernels of gw: name, file, text that occurs exactly once, what replaces it, the kernel that refuses it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "gw", "opencl", [], ["-lOpenCL"]
MUTANTS = [
    ("a line not cleared before it is loaded", "opencl/mtxel.cl", "  clear(line, n);\n", "", "gw.mtxel"),
    ("twiddle factors of the first row for all", "opencl/mtxel.cl", "roots[2 * (q * k * turn)], roots[2 * (q * k * turn) + 1]", "roots[2 * (q * turn)], roots[2 * (q * turn) + 1]", "gw.mtxel"),
    ("radix 5 with a cosine of another angle", "opencl/mtxel.cl", "{0.30901699437494742410, -0.80901699437494742410}", "{0.30901699437494742410, 0.80901699437494742410}", "gw.mtxel"),
    ("odd radices: a sine of the wrong sign", "opencl/mtxel.cl", "sine[folded - 1] : -sine[folded - 1]", "sine[folded - 1] : sine[folded - 1]", "gw.mtxel"),
    ("bra not conjugate", "opencl/mtxel.cl", "f[2 * at], -f[2 * at + 1]", "f[2 * at], f[2 * at + 1]", "gw.mtxel"),
    ("second component replaces the first", "opencl/mtxel.cl", "s == 0 ? z : plus(get(to), z)", "z", "gw.mtxel"),
    ("external bands all in the first lane's place", "opencl/mtxel.cl", "(out_first + (panel * VW + lane) * out_step) * out_size * 2", "(out_first + panel * VW * out_step) * out_size * 2", "gw.mtxel"),
    ("phase without effect on the imaginary part", "opencl/mtxel.cl", "x * phase[2 * ig + 1] + y * phase[2 * ig] : y", "y * phase[2 * ig] : y", "gw.mtxel"),
    ("real flavour: second band of a lane lost", "opencl/mtxel.cl", "if (band + 1 < ntband) to[ncouls] = f * im[lane];", "", "gw.mtxel"),
    ("padding keeps its column", "opencl/screening.cl", "if (column >= 0) {", "if (column >= -1) {", "gw.screening"),
    ("the row of q+G = 0 has poles", "opencl/screening.cl", "omega.re = delta * plasma2;", "omega.re = plasma2;", "gw.screening"),
    ("complex form: the real part alone", "opencl/screening.cl", "const double w2 = norm_omega / overlap;", "const double w2 = overlap / norm_I;", "gw.screening"),
    ("two frequencies: the root's other branch", "opencl/screening.cl", "im2 < 0 ? -im : im", "im2 < 0 ? im : -im", "gw.screening model=godby_needs"),
    ("density's axes exchanged", "opencl/screening.cl", "(x + reach_x) * (2 * reach_y + 1) + (y + reach_y)", "(y + reach_y) * (2 * reach_x + 1) + (x + reach_x)", "gw.screening"),
    ("columns not conjugate", "opencl/chi.cl", "element[1] = f_im * re - f_re * im;", "element[1] = f_im * re + f_re * im;", "gw.chi"),
    ("imaginary part of the factor lost in the real part", "opencl/chi.cl", "element[0] = f_re * re + f_im * im;", "element[0] = f_re * re;", "gw.chi"),
    ("later slabs with the factors of the first", "opencl/chi.cl", "first_factor + (size_t)first * (real_factor ? 1 : 2)", "first_factor", "gw.chi"),
    ("later slabs with the rows of the first", "opencl/chi.cl", "aqs + (size_t)pairs[first + k] * ncouls * P;\n    ", "aqs + (size_t)pairs[k] * ncouls * P;\n    ", "gw.chi"),
    ("padding gets the first column", "opencl/chi.cl", "const double re = g < 0 ? 0.0 : m[0];", "const double re = m[0];", "gw.chi"),
    ("columns of a slice taken for those of the matrix", "opencl/chi.cl", "igp < ngpown ? columns[igp] : -1", "igp < ngpown ? igp : -1", "gw.chi"),
    ("tiles at the diagonal left out", "opencl/chi.cl", "(row + 1) * WIDTH <= column * CT", "row * WIDTH <= column * CT", "gw.chi"),
    ("mirrored elements not conjugate", "opencl/chi.cl", "if (hermitian) mirrored[1] -= im;", "if (hermitian) mirrored[1] += im;", "gw.chi"),
    ("diagonal added twice", "opencl/chi.cl", "if (hermitian && ig > igp) mirrored[0] += re;", "if (hermitian) mirrored[0] += re;", "gw.chi"),
    ("imaginary parts multiplied with the wrong sign", "opencl/chi.cl", "fma(-a_im[v], b_im, sum[c][0][v])", "fma(a_im[v], b_im, sum[c][0][v])", "gw.chi"),
    ("later frequencies with the factors of the first", "opencl/chi.cpp", "first_factor += static_cast<cl_long>(product.factor.size());", "", "gw.chi"),
    ("every frequency into the first matrix", "opencl/chi.cpp", "cl_long{product.frequency * c.ncouls() * c.ngpown() * s.parts}", "cl_long{0}", "gw.chi"),
]
