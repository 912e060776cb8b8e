// SPDX-License-Identifier: BSD-3-Clause
// The steps of the source document and what goes beyond them, as the parameter `variant` of the kernels that keep them: their order,
// what was published of each and what to expect of it (docs/add-a-kernel.md). The document has ratios of whole runs, not seconds.
#pragma once

#include <suite/plugin.hpp>

namespace suite::qmc {

inline constexpr const char *published_case = "whole runs, 678 electrons in an fcc cell, 84 G",
                            *published_source = "Thorpe, Drummond, Accelerating CASINO using GPUs, PAX-HPC meeting, April 2024";

// qmc.ewald and qmc.jastrow_p.
enum class SumStep { pair, split_loops, structure_factor, best };

inline constexpr suite_published ewald_split_published[] = {
    {"V100", 1.10, 1.12, "times as fast as pair", published_case, published_source}};
inline constexpr suite_choice ewald_steps[] = {
    choice("pair", "one loop over the pairs, each with its sums over images and over G"),
    step("split_loops", "the sums split into separate loops, tables shared", ewald_split_published, nullptr, SUITE_FASTER),
    choice("structure_factor", "the sum over G from rho_G, O(N) per G", SUITE_FASTER),
    choice("best", "structure_factor with the fastest screening parameter and short-range sums", SUITE_FASTER),
};

inline constexpr suite_published p_pair_published[] = {
    {"V100", 6, 6, "times slower than the host", "its first version, 678 electrons in an fcc cell, 84 G", published_source},
};
inline constexpr suite_published p_split_published[] = {
    {"V100", 1.45, 1.89, "times as fast as the host", published_case, published_source}};
inline constexpr suite_choice jastrow_p_steps[] = {
    step("pair", "one loop over the other electrons, with private tables of powers of three exponentials", p_pair_published),
    step("split_loops", "tables of all electrons, the loop split", p_split_published, nullptr, SUITE_FASTER),
    choice("structure_factor", "from rho_G, O(1) per G instead of O(N)", SUITE_FASTER),
    choice("best", "structure_factor with shared tables", SUITE_FASTER),
};

// qmc.closest_images.
enum class ImageStep { search, relevant, best };

inline constexpr suite_choice image_steps[] = {
    choice("search", "vectors wrapped into the cell, then the shortest of 27 images"),
    choice("relevant", "reduction by the vectors that bound the Wigner-Seitz cell", SUITE_FASTER),
    choice("best", "branch-free rules for sc, bcc and fcc (Conway, Sloane), relevant otherwise", SUITE_FASTER),
};

// qmc.slater_update.
enum class UpdateStep { sherman_morrison, delayed, best };

inline constexpr suite_choice update_steps[] = {
    choice("sherman_morrison", "update of the whole inverse after every move"),
    choice("delayed", "several moves at once, as a product of matrices (McDaniel et al.)", SUITE_FASTER),
    choice("best", "delayed with the fastest number of moves", SUITE_SAME),
};

}  // namespace suite::qmc
