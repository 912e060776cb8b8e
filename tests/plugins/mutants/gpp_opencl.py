# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the OpenCL kernels of gpp: name, file, text that occurs exactly once, what replaces it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "gpp", "opencl", [], ["-lOpenCL"]
SMALLER = [("opencl/fast.cpp", "int64_t(256) << 20", "int64_t(64) << 10"), ("opencl/general.cpp", "int64_t(64) << 20", "int64_t(4) << 10"),
           ("opencl/bands.cpp", "int64_t(64) << 20", "int64_t(48) << 10"), ("opencl/sigma_offdiag.cpp", "? 8 : 32} << 20", "? 8 : 32} << 10")]
MUTANTS = [
    ("branch B for A in CH", "opencl/best.cl", "const vd ch_factor = SEL(A[i], r[i] * S[i], (vd)(0.0));", "const vd ch_factor = r[i] * S[i];"),
    ("occupation ignored", "opencl/best.cl", "sx_factor *= f[k];", ""),
    ("outer energies of three exchanged", "opencl/best.cl", "ch[j][2][p] = U2 - dE * U1;", "ch[j][2][p] = U2 + dE * U1;"),
    ("complex w: an imaginary part with the wrong sign", "opencl/general.cl", "(w_im * d_re + w_re * w_im) * r", "(w_im * d_re - w_re * w_im) * r"),
    ("by bands: branch B with the sign of A", "opencl/bands.cl", "(vd)(-2.0)", "(vd)(2.0)", "gpp.sigma"),
    ("by bands: CH of occupied bands without x R", "opencl/bands.cl", "SEL(squared, x[i] * ch[i][p] + sx[i][p], ch[i][p])", "SEL(squared, sx[i][p], ch[i][p])", "gpp.sigma"),
    ("by bands: infinite modes skipped", "opencl/bands.cl", "k < INFINITE * BLOCK_ROWS + count[INFINITE]", "k < INFINITE * BLOCK_ROWS", "gpp.sigma"),
    ("by bands: each list with the rows of the first block", "opencl/bands.cl", "row_of_mode[k] = (row0 + g)", "row_of_mode[k] = g", "gpp.sigma"),
    ("by bands: columns of later panels from the first on", "opencl/bands.cl", "row_of_column[first_column + j]", "row_of_column[j]", "gpp.sigma"),
    ("by bands: sums of earlier panels lost", "opencl/bands.cpp", "numbers, cl_int(first > 0));", "numbers, cl_int(0));", "gpp.sigma"),
    ("by bands: factors of infinite modes of the first energies", "opencl/bands.cl", "((long)vector * nw + iw0) * VW", "((long)vector * nw) * VW", "gpp.sigma"),
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
