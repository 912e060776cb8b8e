# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the OpenCL kernels of gpp: name, file, text that occurs exactly once, what replaces it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "gpp", "opencl", [], ["-lOpenCL"]
SMALLER = [("opencl/fast.cpp", "int64_t(256) << 20", "int64_t(64) << 10"), ("opencl/general.cpp", "int64_t(64) << 20", "int64_t(16) << 10"),
           ("opencl/sigma_offdiag.cpp", "? 8 : 32} << 20", "? 8 : 32} << 10")]
MUTANTS = [
    ("branch B for A in CH", "opencl/best.cl", "const vd ch_factor = SEL(A[i], r[i] * S[i], (vd)(0.0));", "const vd ch_factor = r[i] * S[i];"),
    ("occupation ignored", "opencl/best.cl", "sx_factor *= f[k];", ""),
    ("outer energies of three exchanged", "opencl/best.cl", "ch[j][2][p] = U2 - dE * U1;", "ch[j][2][p] = U2 + dE * U1;"),
    ("complex w: an imaginary part with the wrong sign", "opencl/general.cl", "(w_im * d_re + w_re * w_im) * r", "(w_im * d_re - w_re * w_im) * r"),
    ("factor 1/2 lost", "opencl/sums.cl", "total *= s & 2 ? -1.0 : 0.5;", "total *= s & 2 ? -1.0 : 1.0;"),
    ("band-resolved CH without the energy", "opencl/sums.cl", "* nw + iw0 + s / 4) + (s & 1)] = 0.5 * one;", "* nw + iw0) + (s & 1)] = 0.5 * one;"),
    ("CH of the bands at an energy of the group", "opencl/sums.cl", "if (iw0 + s / 4 == iw_n1)", "if (s / 4 == iw_n1)", "gpp.sigma"),
    ("an unset gamma ten times too small", "gpp.hpp", "when_unset(\"0.5\")", "when_unset(\"0.05\")", "gpp.sigma"),
    ("every panel with the rows of the first", "opencl/fast.cpp", "tiles_per_block, first_group, e0,", "tiles_per_block, 0, e0,", "gpp.sigma"),
    ("sums of earlier panels lost", "opencl/fast.cpp", "call.achstemp && iw == 0, first_group > 0);", "call.achstemp && iw == 0, false);", "gpp.sigma"),
    ("external bands of a batch from the first on", "opencl/fast.cpp", "tables_.at_least(0), row_of_column, columns, call.ncouls, call.ntband, engine_.ncolumns,\n                     tiles, e0,", "tables_.at_least(0), row_of_column, columns, call.ncouls, call.ntband, engine_.ncolumns,\n                     tiles, 0,", "gpp.sigma"),
    ("earlier pairs lost band by band", "opencl/general.cpp", "cl_int(sums), cl_int(first > 0)", "cl_int(sums), cl_int(0)", "gpp.sigma"),
    ("wx_array transposed with the bands' order of one energy", "opencl/ladder.cpp", "for (int64_t iw = 0; iw < call.nw; ++iw)\n        for (int64_t n1 = 0; n1 < call.ntband; ++n1)", "for (int64_t n1 = 0; n1 < call.ntband; ++n1)\n        for (int64_t iw = 0; iw < call.nw; ++iw)", "gpp.sigma variant=v9"),
    ("columns not conjugated", "opencl/sigma_offdiag.cl", "to[(long)p * columns] = p ? -z : z;", "to[(long)p * columns] = z;", "gpp.sigma_offdiag"),
    ("broadening and cutoff exchanged", "opencl/sigma_offdiag.cpp", "double{call.gamma}, double{call.sexcut});", "double{call.sexcut}, double{call.gamma});", "gpp.sigma_offdiag"),
    ("sums of earlier n' lost", "opencl/sigma_offdiag.cpp", "cl_int(first > 0));", "cl_int(0));", "gpp.sigma_offdiag"),
    ("every pass writes the first energies", "opencl/sigma_offdiag.cpp", "static_cast<cl_int>(shape.panels), iw);", "static_cast<cl_int>(shape.panels), 0);", "gpp.sigma_offdiag"),
    ("n and m exchanged", "opencl/sigma_offdiag.cl", "(first_energy + iw) * nex + m) * nex + n)", "(first_energy + iw) * nex + n) * nex + m)", "gpp.sigma_offdiag"),
]
