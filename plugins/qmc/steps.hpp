// SPDX-License-Identifier: BSD-3-Clause
// The steps of the source document ("Accelerating CASINO using GPUs", Thorpe, Drummond, PAX-HPC meeting,
// April 2024) and what goes beyond them, as the parameter `variant` of the kernels that keep them: their
// order, and what to expect of each for the end of its line in the parameter's meaning
// (docs/add-a-kernel.md). The document has ratios of whole runs on a V100, not seconds: Ewald 1.10 to 1.12
// times as fast with its loops broken; the p term first about 6 times slower than the host, then, with
// shared tables, 1.45 to 1.89 times as fast.
#pragma once

namespace suite::qmc {

// qmc.ewald and qmc.jastrow_p.
enum class SumStep { pair, split_loops, structure_factor, best };
inline constexpr const char* sum_variants[] = {"pair", "split_loops", "structure_factor", "best", nullptr};

// qmc.closest_images.
enum class ImageStep { search, relevant, best };
inline constexpr const char* image_variants[] = {"search", "relevant", "best", nullptr};

// qmc.slater_update.
enum class UpdateStep { sherman_morrison, delayed, best };
inline constexpr const char* update_variants[] = {"sherman_morrison", "delayed", "best", nullptr};

}  // namespace suite::qmc

// Macros, because a line is one literal; an implementation writes what it does in between if it differs.
#define SUITE_QMC_EWALD_VARIANTS                                                                             \
  "pair: one loop over the pairs, each with its sums over images and over G\n"                               \
  "split_loops: the sums broken into loops of their own, tables shared; published as 1.10 to 1.12 times as " \
  "fast on a V100 [faster]\n"                                                                                \
  "structure_factor: the sum over G by rho_G, O(N) per G [faster]\n"                                         \
  "best: structure_factor with the fastest range of the screening charge and short-range sums [faster]"
#define SUITE_QMC_JASTROW_P_VARIANTS                                                                       \
  "pair: one loop over the others, with private tables of powers of three exponentials; about 6 times "    \
  "slower than the host in its first version on a V100\n"                                                  \
  "split_loops: tables of all electrons, the loop broken; published as 1.45 to 1.89 times as fast as the " \
  "host on a V100 [faster]\n"                                                                              \
  "structure_factor: by rho_G, O(1) per G instead of O(N) [faster]\n"                                      \
  "best: structure_factor with shared tables [faster]"
#define SUITE_QMC_CLOSEST_IMAGES_VARIANTS                             \
  "search: into the cell, then the shortest of 27 images\n"           \
  "relevant: the vectors that bound the Wigner-Seitz cell [faster]\n" \
  "best: without branches by the rules of sc, bcc and fcc (Conway, Sloane), relevant otherwise [faster]"
#define SUITE_QMC_SLATER_UPDATE_VARIANTS                                                  \
  "sherman_morrison: the whole inverse after every move\n"                                \
  "delayed: several moves at once, as a product of matrices (McDaniel et al.) [faster]\n" \
  "best: delayed with the fastest number of moves [same]"
