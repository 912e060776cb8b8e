# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the cpu kernels of dfpt: name, file, text that occurs exactly once, what replaces it, the kernel that has to refuse it."""

MUTANTS = [
    ("pairs off the diagonal counted once", "cpu/rho_best.cpp", "row[to + i] = 2 * column[from + i];", "row[to + i] = column[from + i];", "dfpt.rho"),
    ("first-order orbitals of the first direction for all", "cpu/rho_best.cpp", "arrays_.C1 + matrix * d, first", "arrays_.C1, first", "dfpt.rho"),
    ("a segment's last batch is left out", "segments.cpp", "segment.last_batch = last;", "segment.last_batch = std::max(first + 1, last - 1);", "dfpt.rho"),
    ("kinetic energy without its half", "cpu/h_best.cpp", "arrays_.wave_right ? 0.5 : 1.0", "1.0", "dfpt.h"),
    ("only one triangle of H", "cpu/h_best.cpp", "H[n * (j + k) + i] += from[column + k];", ";", "dfpt.h"),
    ("control_flow: lower triangle from nothing", "cpu/h_ladder.cpp", "step == Step::control_flow && j < i", "false", "dfpt.h variant=control_flow"),
    ("functions do not end", "cpu/basis.cpp", "r_[p] < outer ? value : 0", "value", "dfpt.basis"),
    ("a shell's points beyond whole vectors", "cpu/multipoles.cpp", "if (i + lane < end)", "if (i + lanes <= end)", "dfpt.multipoles"),
    ("outer integral summed from the wrong end", "cpu/poisson.cpp", "for (int64_t i = n_grid - 2; i >= 0; --i) {", "for (int64_t i = 0; i < n_grid - 1; ++i) {", "dfpt.poisson"),
    ("tail behind the shells of the wrong power", "cpu/poisson.cpp", "behind ? power(r, -(l + 1))", "behind ? power(r, -l)", "dfpt.poisson"),
    ("odd orders of an expansion with the wrong sign", "cpu/expansions.cpp", "j % 2 ? -sum : sum", "sum", "dfpt.sum_up far=tree"),
    ("expansions not moved to smaller cells", "cpu/far_tree.cpp", "add_moved(by, from + offset_", "if (false) add_moved(by, from + offset_", "dfpt.sum_up far=tree"),
    ("naive: far pairs within the radius", "cpu/sum_up_ladder.cpp", "if (r < arrays_.radius_of(atom)) continue;", "", "dfpt.sum_up variant=naive"),
    ("points at the edge of the near field in both", "cpu/far_field.cpp", "over = far ? over : Vector{};", "", "dfpt.sum_up"),
    ("far fields without 1/r", "cpu/far_field.cpp", "(sums[0][q] + sums[1][q]) * root", "(sums[0][q] + sums[1][q])", "dfpt.sum_up"),
    ("lower powers of z forgotten", "cpu/powers_of_z.hpp", "for (int j = 1; l + 2 * j <= l_max; ++j) add(v, j, l, l);", ";", "dfpt.sum_up"),
    ("powers of the first knot for all", "cpu/near_powers.cpp", "4 * n * knots_[at(i)]", "4 * n * knots_[0]", "dfpt.sum_up"),
    ("polynomials behind knots where there is none", "cpu/fractions.cpp", "negligible = 3e-13", "negligible = 1", "dfpt.sum_up"),
    ("places without a point taken for the first", "cpu/near_lists.cpp", "static_cast<uint16_t>(chunk.count()));", "0);", "dfpt.sum_up"),
    ("energies of the first empty state for all", "cpu/response.cpp", "e[i] - e[n_occ + s]", "e[i] - e[n_occ + first]", "dfpt.response"),
    ("P1 with the first term only", "cpu/response.cpp", "Product(n, n, 2 * n_occ, true)", "Product(n, n, n_occ, true)", "dfpt.response"),
]
