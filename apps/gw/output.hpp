// SPDX-License-Identifier: BSD-3-Clause
// What a run leaves behind, as text: BerkeleyGW's eqp0.dat, eqp1.dat and sigma_hp.log, so that its other
// programs and people's scripts read them; a table for the terminal; the results of result.json; a plot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gw.hpp"
#include "quasiparticle.hpp"

namespace suite::gw {

struct BandStructure;

// A result after the energies of all states are known.
struct Solution {
  const Settings& settings;
  const Result& result;
  const std::vector<Quasiparticle>& states;
};

// "k1 k2 k3 n" and n lines "spin band Emf Eqp" for every k; level: &Quasiparticle::eqp0 or eqp1.
std::string eqp_file(const Solution& solution, double Quasiparticle::*level);
// Settings and the table of every k. With a static remainder the primed columns (without it) are there too.
std::string sigma_log(const Solution& solution);
// Highest valence and lowest conduction set of every k, all sets at Gamma, and the gaps.
std::string table(const Solution& solution);
// results.quasiparticle, results.gap_eV and companions; bands may be null.
nlohmann::ordered_json results(const Solution& solution, const BandStructure* bands = nullptr);
// Of a run that ends with the dielectric matrix.
nlohmann::ordered_json results_of_epsilon(const Result& result);
nlohmann::ordered_json results_schema();
// Corrections against mean-field energies, and the levels of every k before and after.
std::string plot(const Solution& solution);

// A sigma_hp.log of ours or BerkeleyGW's. Columns that the file does not have are equal to their unprimed
// ones.
struct SigmaLog {
  std::vector<Vector3> kpoints;
  std::vector<Quasiparticle> states;
  std::vector<OffDiagonal> off_diagonal;  // their e_l is not in the file
};
SigmaLog read_sigma_log(const std::filesystem::path& file);

}  // namespace suite::gw
