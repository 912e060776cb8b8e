# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the OpenCL kernels of gpp: name, file, text that occurs exactly once, what replaces it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "gpp", "opencl", [], ["-lOpenCL"]
MUTANTS = [
    ("branch B for A in CH", "opencl/best.cl", "const vd ch_factor = SEL(A[i], r[i] * S[i], (vd)(0.0));", "const vd ch_factor = r[i] * S[i];"),
    ("occupation ignored", "opencl/best.cl", "sx_factor *= f[k];", ""),
    ("outer energies of three exchanged", "opencl/best.cl", "ch[j][2][p] = U2 - dE * U1;", "ch[j][2][p] = U2 + dE * U1;"),
    ("complex w: an imaginary part with the wrong sign", "opencl/general.cl", "(w_im * d_re + w_re * w_im) * r", "(w_im * d_re - w_re * w_im) * r"),
    ("factor 1/2 lost", "opencl/sums.cl", "total *= s & 2 ? -1.0 : 0.5;", "total *= s & 2 ? -1.0 : 1.0;"),
    ("band-resolved CH without the energy", "opencl/sums.cl", "* nw + iw0 + s / 4) + (s & 1)] = 0.5 * one;", "* nw + iw0) + (s & 1)] = 0.5 * one;"),
]
