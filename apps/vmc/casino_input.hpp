// SPDX-License-Identifier: BSD-3-Clause
// The electron-gas part of CASINO's `input` file: keyword lines "neu : 27 #*! comment" and the block
// free_particles.
//
// The block's layout (r_s, dimensionality, cell_geometry with the lattice vectors in the lines below it, one
// line "particle 1 det 1 : 27 orbitals free" for each spin, 1 up and 2 down) is inferred from descriptions;
// no public input file of an electron gas was found.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace suite::vmc {

struct CasinoInput {
  double rs = 0;                       // bohr
  std::array<double, 9> shape{};       // lattice vectors one after the other, of any length
  std::array<int32_t, 2> nele{};       // spin up, down
  std::string runtype = "vmc";         // vmc, vmc_dmc, vmc_opt, opt_vmc ...
  bool use_jastrow = true;             // T/F, true/false
  std::optional<double> dtvmc, dtdmc;  // hbar/Ha
  std::optional<int64_t> vmc_nstep, vmc_equil_nstep, vmc_decorr_period;
  std::optional<int64_t> dmc_equil_nstep, dmc_stats_nstep;
  std::optional<double> dmc_target_weight, alimit;
  std::vector<std::string> ignored;  // other keywords, in their order
};

// What would change the physics and is not supported (other basis types, backflow, twists, other blocks) is
// refused by name, everything wrong with file, line and column (app::InputErrors).
CasinoInput parse_casino_input(const std::string& name, const std::string& text);
CasinoInput read_casino_input(const std::filesystem::path& file);

}  // namespace suite::vmc
