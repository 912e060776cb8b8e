// SPDX-License-Identifier: BSD-3-Clause
// Reads CASINO's `input` file of an electron gas or a molecule: keyword lines "neu : 27 #*! comment", and for a gas the block
// free_particles.
//
// The layout of the block (r_s, dimensionality, cell_geometry followed by the lattice vectors, one line "particle 1 det 1 : 27 orbitals
// free" for each spin, 1 up and 2 down) is inferred from descriptions; no public input file of an electron gas was found. The meaning of
// the keywords is taken from CASINO's public manual and the documentation of programs that read the same file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace suite::vmc {

struct CasinoInput {
  bool molecule = false;               // atom_basis_type gaussian or slater-type, with neu and ned; else the gas
  bool slater = false;                 // slater-type
  const char* orbitals_file() const { return slater ? "stowfn.data" : "gwfn.data"; }
  double rs = 0;                       // bohr
  std::array<double, 9> shape{};       // lattice vectors one after the other, in any unit
  std::array<int32_t, 2> nele{};       // spin up, down
  std::optional<std::string> runtype;  // vmc, vmc_dmc, vmc_opt
  std::optional<bool> use_jastrow;     // T/F, true/false
  std::optional<bool> cusp_correction, use_tmove;  // of a molecule
  std::optional<int64_t> non_local_grid;   // of a molecule
  std::optional<double> dtvmc, dtdmc;  // hbar/Ha
  std::optional<int64_t> opt_dtvmc;    // 0: keep dtvmc; 1: tune to an acceptance of one half
  std::optional<int64_t> vmc_nstep;    // energies of all walkers of all processes
  std::optional<int64_t> vmc_equil_nstep, vmc_decorr_period;  // sweeps per walker
  std::optional<int64_t> dmc_equil_nstep, dmc_stats_nstep, dmc_target_weight;
  std::optional<double> alimit, alphalimit;
  std::optional<std::string> opt_method;  // varmin, varmin_linjas, emin, madmin
  std::optional<int64_t> opt_cycles, vmc_nconfig_write;
  std::vector<std::string> settable;  // which of the keywords above the file has, in file order
  std::vector<std::string> ignored;   // keywords without a meaning here, in file order
};

// Throws app::InputErrors with file, line and column for all errors, including unsupported features that would change the physics or the
// kind of run (other basis types, backflow, twists, other run types, other blocks).
CasinoInput parse_casino_input(const std::string& name, const std::string& text);
CasinoInput read_casino_input(const std::filesystem::path& file);

}  // namespace suite::vmc
