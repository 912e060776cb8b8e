// SPDX-License-Identifier: BSD-3-Clause
// BerkeleyGW's epsilon.inp and sigma.inp, as values of this app's keys (docs/from-berkeleygw.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lattice.hpp"

namespace suite::gw {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// Keywords that say how the other code works, not what it computes, are left out. Throws Failure, beginning with "file:line: ", for one that
// has no counterpart, and for values that are no good.
KeyValues values_of_epsilon_inp(const std::filesystem::path& file);
// outer: whether there is a WFN_outer, without which keywords about it have no effect.
KeyValues values_of_sigma_inp(const std::filesystem::path& file, bool outer);

// Whether the small q has flag 2: k + q0 is among the points of WFN.
bool takes_q0_of_wfn(const std::filesystem::path& epsilon_inp);
// The first of the grids whose points, but for symmetry, are the block 'qpoints' of epsilon.inp; nothing where it has no such block. Fails, naming the
// first grid and `wavefunctions`, whose it is, where that block is no grid's.
std::optional<Miller> listed_q_grid(const std::filesystem::path& epsilon_inp, const std::vector<Miller>& grids,
                                    const std::vector<Operation>& operations, const std::string& wavefunctions);
// Fails where spin_index_min and spin_index_max of sigma.inp choose one of two spins, or one that the file does not have.
void require_all_spins(const std::filesystem::path& sigma_inp, int spins, const std::string& wavefunctions);

}  // namespace suite::gw
