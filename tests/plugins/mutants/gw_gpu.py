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
    ("columns not conjugate", "gpu/chi.cu", "return {re * m.re + factor[1] * m.im, factor[1] * m.re - re * m.im};", "return {re * m.re - factor[1] * m.im, factor[1] * m.re + re * m.im};", "gw.chi"),
    ("real factors: columns not conjugate", "gpu/chi.cu", "return {re * m.re, -re * m.im};", "return {re * m.re, re * m.im};", "gw.chi"),
    ("complex factors read as real ones", "gpu/chi.cu", "p.factor + (p.real_factor ? at : 2 * at)", "p.factor + at", "gw.chi"),
    ("missing barrier: a step is read while it is made", "gpu/chi.cu", "      __syncthreads();\n      tile.add(other);", "      tile.add(other);", "gw.chi"),
    ("last step of a slice not cut", "gpu/chi.cu", "const bool there = at < end;", "const bool there = at < p.npair;", "gw.chi"),
    ("a slice added twice, another lost", "gpu/chi.cu", "add_to(&sum, from[slice * matrix]);", "add_to(&sum, from[slice / 2 * matrix]);", "gw.chi"),
    ("slices into the first one's place", "gpu/chi.cu", "static_cast<N*>(p.slices) + slice * p.ncouls * p.ngpown", "static_cast<N*>(p.slices) + 0 * slice", "gw.chi"),
    ("tiles at the diagonal left out", "gpu/chi.cu", "row0 + Tile::rows <= column0) return;", "row0 <= column0) return;", "gw.chi"),
    ("mirrored elements not conjugate", "gpu/chi.cu", "add_to(chi + ig * p.ncouls + igp, adjoint(sum));", "add_to(chi + ig * p.ncouls + igp, sum);", "gw.chi"),
    ("diagonal added twice", "gpu/chi.cu", "if (ig > igp) add_to(", "if (ig >= igp) add_to(", "gw.chi"),
    ("padding gets the first column", "gpu/chi.cu", "if (there && g[j] >= 0) b[j] = scaled_conjugate(M[g[j]],", "if (there) b[j] = scaled_conjugate(M[g[j] < 0 ? 0 : g[j]],", "gw.chi"),
    ("columns of a slice taken for those of the matrix", "gpu/chi.cu", "g[j] = igp < p.ngpown ? p.columns[igp] : -1;", "g[j] = igp < p.ngpown ? igp : -1;", "gw.chi"),
    ("later frequencies with the factors of the first", "gpu/chi.cu", "p.factor += product.factor.size();", "", "gw.chi"),
    ("every frequency into the first matrix", "gpu/chi.cu", "static_cast<N*>(to.data) + product.frequency * matrix", "static_cast<N*>(to.data)", "gw.chi"),
    ("rows of the next tile from the first", "gpu/chi.cu", "block % row_tiles * Tile::rows", "0 * row_tiles", "gw.chi"),
]
