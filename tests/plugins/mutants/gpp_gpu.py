# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the GPU source of gpp, compiled for the emulation: name, file, text that occurs exactly once, what replaces
it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "gpp", "gpu", ["-DSUITE_GPU_EMULATED", "-x", "c++"], ["-lboost_context"]
SMALLER = [("gpu/sigma.cu", "parameters[3] << 10", "16 << 10"), ("gpu/sigma_offdiag.cu", "parameters[1] << 10", "4 << 10")]
MUTANTS = [
    ("occupation ignored", "gpu/masked.cu", "add(sx[i], P, f * factor);", "add(sx[i], P, factor);"),
    ("sexcut ignored", "gpu/masked.cu", "if (!(ssx * ssx <= sexcut2)) factor = 0;", ""),
    ("branch B with the sign of A", "gpu/masked.cu", "(A ? w : -0.5) * q", "(A ? w : 0.5) * q"),
    ("static CH of the first column alone", "gpu/masked.cu", "if (c < t.columns) add_product(weight,", "if (c < 1) add_product(weight,"),
    ("no test for branch A", "gpu/order.cuh", "const double safe = reach - 1e-12 * fabs(reach);", "const double safe = 1e30 + 0 * reach;"),
    ("bands out of order: one place taken twice", "gpu/order.cuh", "highest[j] == highest[n1] && j < n1", "highest[j] == highest[n1] && j <= n1"),
    ("factor 1/2 lost", "gpu/order.cuh", "ach[i] = {0.5 * (smooth[0]", "ach[i] = {1.0 * (smooth[0]"),
    ("missing barrier: what other threads found is read too early", "gpu/order.cuh", "  all[thread] = lowest;\n  __syncthreads();\n", "  all[thread] = lowest;\n"),
    ("barrier that only some threads reach", "gpu/order.cuh", "  even[thread] = own;\n  __syncthreads();\n", "  even[thread] = own;\n  if (own) __syncthreads();\n"),
    ("outer energies of three exchanged", "gpu/smooth.cuh", "add(z[Energies - 1], s_sum, -apart);", "add(z[Energies - 1], s_sum, apart);"),
    ("occupied: no test for branch A", "gpu/occupied.cu", "exceeds(D[i], limit[c]) ? D[i] : nowhere", "exceeds(D[i], -1.0) ? D[i] : nowhere"),
    ("occupied near poles: SX with the sign of 1/S", "gpu/occupied.cu", "add(sx[i], T, -0.5);", "add(sx[i], T, 0.5);"),
    ("occupied, even energies: 1/S of the other energy", "gpu/occupied.cu", "add(T, sum[2], i == 0 ? spacing : -spacing);", "add(T, sum[2], i == 0 ? -spacing : spacing);"),
    ("occupied far from poles: CH without w R", "gpu/occupied.cu", "add(ch[i], R, w);", ""),
    ("occupied, even energies: x^2 without w^2", "gpu/occupied.cu", "add(xR, sum[0], -2 * d * (w * w - spacing * spacing));", ""),
    ("occupied: x < 0 beyond sexcut without tests", "gpu/order.cuh", "root < 1 / 1.1 ? root : 1 / 1.1", "true ? 1 / 1.1 : root"),
    ("occupied: later columns with the M of the first", "gpu/occupied.cu", "* t.columns + column;", "* t.columns;"),
    ("partly occupied bands among the full ones", "gpu/order.cuh", "o.occ[j] == 1 ? 0 :", "o.occ[j] > 0 ? 0 :"),
    ("mixed: no step after the estimate of 1/d", "gpu/device.cuh", "return fused(y, fused(-d, y, 1.0f), y);", "return y * 1.001f;", "gpp.sigma precision=mixed"),
    ("complex w: an imaginary part with the wrong sign", "gpu/factors.cuh", "(w.im * d_re + w.re * w.im) * r", "(w.im * d_re - w.re * w.im) * r"),
    ("band-resolved CH of the wrong component", "gpu/general.cu", "to[i] = {factor * total[4 * i * stride], factor * total[4 * i * stride + 1]};", "to[i] = {factor * total[4 * i * stride], factor * total[4 * i * stride + 2]};"),
    ("static CH of the bands with their poles", "gpu/general.cu", "sum(call, columns, {0, 1, true}, false, e);", "sum(call, columns, {0, 1, false}, false, e);"),
    ("wrong external band", "gpu/general.cu", "work.wx = call.wx_array.data() + e * call.ntband() * call.nw() + range.first;", "work.wx = call.wx_array.data() + range.first;"),
    ("every pass with the first external bands", "gpu/best.cu", "t.first_external = static_cast<int>(external);", "t.first_external = 0;", "gpp.sigma"),
    ("sums of earlier groups of columns lost", "gpu/best.cu", "pass(call, p, order, t, group == 0);", "pass(call, p, order, t, true);", "gpp.sigma"),
    ("G' of padding for those of columns", "gpu/columns.hpp", "list_.data() + columns_.padded", "list_.data() + columns_.count", "gpp.sigma"),
    ("occupation ignored in SX of pairs of bands", "gpu/sigma_offdiag.cu", "exchange ? -f : 0.5", "exchange ? -1.0 : 0.5", "gpp.sigma_offdiag"),
    ("columns not conjugated", "gpu/sigma_offdiag.cu", "z = conjugate(element<Tile::is_real, RealM>(p, p.g[c0 + k], n1, m0 + m));", "z = element<Tile::is_real, RealM>(p, p.g[c0 + k], n1, m0 + m);", "gpp.sigma_offdiag"),
    ("later columns with the G' of the first", "gpu/sigma_offdiag.cu", "p.g = owned.g + column;", "p.g = owned.g;", "gpp.sigma_offdiag"),
    ("sums of earlier columns lost", "gpu/sigma_offdiag.cu", "column == 0 && p.first_band == 0, asx", "p.first_band == 0, asx", "gpp.sigma_offdiag"),
    ("later energies over the first", "gpu/sigma_offdiag.cu", "[(p.first_energy + of / 2) * matrix", "[(of / 2) * matrix", "gpp.sigma_offdiag"),
]
