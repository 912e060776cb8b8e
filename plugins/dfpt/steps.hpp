// SPDX-License-Identifier: BSD-3-Clause
// The published steps as the parameter `variant` of dfpt.rho, dfpt.sum_up and dfpt.h, for every
// implementation that keeps them: their order, and what was published of each, for the end of its line in the
// parameter's meaning (docs/add-a-kernel.md).
//   "An OpenCL implementation of all-electron density-functional perturbation theory in FHI-aims", Front.
//   Chem. 11, 1156891 (2023), Fig. 11: sum_up of the polypeptide (312 atoms) with 8 cores, 16.61 s, and with
//   one Hygon GPU beside them; RBD (3006 atoms) 276.55 s with 32 cores, then 105.33, 93.70, 38.62 and 19.56 s
//   with four GPUs. Of rho and h only the whole is published: 1.7 and 2.7 times as fast as 8 cores.
#pragma once

namespace suite::dfpt {

enum class Step { naive, parallelism, memory, control_flow, best };
inline constexpr const char* variants[] = {"naive", "parallelism", "memory", "control_flow", "best", nullptr};

// dfpt.sum_up, where an implementation has it.
enum class Far { direct, tree };
inline constexpr const char* far_fields[] = {"direct", "tree", nullptr};

}  // namespace suite::dfpt

// Macros, because a line is one literal; an implementation writes what it does before them.
#define SUITE_DFPT_SUM_UP_NAIVE_PUBLISHED " [Hygon 4.89 s]\n"
#define SUITE_DFPT_SUM_UP_PARALLELISM_PUBLISHED " [Hygon 4.09 s]\n"
#define SUITE_DFPT_SUM_UP_MEMORY_PUBLISHED " [Hygon 1.69 s]\n"
#define SUITE_DFPT_SUM_UP_CONTROL_FLOW_PUBLISHED " [Hygon 1.05 s]\n"
#define SUITE_DFPT_BEST_EXPECTED " [faster]"
