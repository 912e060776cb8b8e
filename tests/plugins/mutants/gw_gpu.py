# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the GPU source of gw, compiled for the emulation: name, file, text that occurs exactly once, what replaces it, the kernel that
refuses it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "gw", "gpu", ["-DSUITE_GPU_EMULATED", "-x", "c++"], ["-lboost_context"]
SMALLER = [("device/mtxel.cpp", "int64_t{256} << 20", "int64_t{1} << 18")]
MUTANTS = [
    ("missing barrier: a stage reads what another thread has not written", "gpu/lines.cuh", "    __syncthreads();\n    const int radix", "    const int radix", "gw.mtxel"),
    ("missing barrier: results read before the last stage is done", "gpu/lines.cuh", "  __syncthreads();\n  return from;", "  return from;", "gw.mtxel"),
    ("twiddle factors of the first row for all", "gpu/lines.cuh", "f.roots[2 * (q * k * turn)], f.roots[2 * (q * k * turn) + 1]", "f.roots[2 * (q * turn)], f.roots[2 * (q * turn) + 1]", "gw.mtxel"),
    ("radix 3 rotated the wrong way", "gpu/lines.cuh", "if constexpr (radix == 3) return 0.86602540378443864676;", "if constexpr (radix == 3) return -0.86602540378443864676;", "gw.mtxel"),
    ("lines of the next panel taken for this one's", "gpu/lines.cuh", "o = l % f.lines / inner", "o = l % (f.lines + 1) / inner", "gw.mtxel"),
    ("bra not conjugate", "gpu/mtxel.cu", "conjugate(points_of(functions)[(function + s) * points + at])", "points_of(functions)[(function + s) * points + at]", "gw.mtxel"),
    ("second band of a panel lost in the real flavour", "gpu/mtxel.cu", "if (band + 1 < r.ntband) r.aqs[at + r.ncouls] = phase * z.im;", "", "gw.mtxel"),
    ("first coefficients for every band", "gpu/mtxel.cu", "c.first + panel * c.per_lane", "panel * c.per_lane", "gw.mtxel"),
    ("later panels from the first ones' place", "device/mtxel.cpp", "kept_ ? first : 0", "0 * first", "gw.mtxel"),
    ("later panels into the first ones' place", "device/mtxel.cpp", "to * nspinor + s, nspinor", "s, nspinor", "gw.mtxel"),
    ("elements that vanish are not written", "device/mtxel.cpp", "out.back().push_back({0, ig})", "(void)ig", "gw.mtxel"),
    ("components of the bra exchanged", "device/mtxel.cpp", "band * nspinor + s, nspinor", "band * nspinor + nspinor - 1 - s, nspinor", "gw.mtxel"),
    ("diagonal of delta left out", "gpu/screening.cu", "const double delta = ig == column ? 1 : 0;", "const double delta = 0;", "gw.screening"),
    ("the row of q+G = 0 has poles", "gpu/screening.cu", "ig == column ? f.rows[6 * f.ncouls] : 0.0", "f.rows[6 * f.ncouls]", "gw.screening"),
    ("padding taken for the first column", "device/screening.cpp", "indigp_[static_cast<size_t>(igp)]) - 1", "std::max(1, indigp_[static_cast<size_t>(igp)])) - 1", "gw.screening"),
    ("imaginary frequency not squared", "device/screening.cpp", "rows.push_back(s.w_imaginary2);", "rows.push_back(std::sqrt(s.w_imaginary2));", "gw.screening model=godby_needs"),
]
