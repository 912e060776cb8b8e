// SPDX-License-Identifier: BSD-3-Clause
// Bands along a path, band edges and the density of states, in the mean field and with quasiparticle corrections, between the k points of a run.
#pragma once

#include "density_of_states.hpp"
#include "k_path.hpp"
#include "measure/outcome.hpp"
#include "output.hpp"

namespace suite::gw {

struct BandEdge {
  double energy = 0;  // eV
  Vector3 k{};
  std::string place;  // "Gamma", "0.85 Gamma-X"; empty beside the path
  int spin = 1;
};
struct BandEdges {
  BandEdge valence_top, conduction_bottom;
  BandEdge direct;  // the smallest gap at one k, whatever the spins, and where
  double gap() const { return conduction_bottom.energy - valence_top.energy; }
};

// How far energies at known points are from what the other points predict; states within 5 eV of the gap.
struct HeldOut {
  std::string of;  // "run" or a file
  int points = 0;
  double mean_field_rms = 0, mean_field_worst = 0;  // eV
  std::optional<double> quasiparticle_rms, quasiparticle_worst;
};

struct BandStructure {
  std::string path, lattice;
  int first_band = 1;  // from 1
  std::vector<KPath::Point> points;
  std::vector<LevelsOfSpins> levels;  // of each point
  std::vector<bool> computed;  // whether a point is one of the run's, or an image
  int known = 0;  // k points with mean-field energies
  std::optional<BandEdges> mean_field, quasiparticle;  // nothing where a side of the gap was not computed, or there is none
  std::optional<double> fermi_mean_field, fermi_quasiparticle;  // eV, where bands are partly filled: of the same number of electrons
  std::vector<HeldOut> held_out;
  DensityOfStates dos;
};

// What can be wrong with the settings: a Failure of each.
KPath path_of(const BandsSettings& settings, const Wavefunctions& wavefunctions);
void require_dos_grid(const BandsSettings& settings, const Wavefunctions& wavefunctions);
void require_all_kpoints(const Settings& settings, const Wavefunctions& wavefunctions);
void require_further_file(const Settings& settings, const Wavefunctions& wavefunctions, const Wavefunctions& further);
// Files with further k points of the mean field.
std::vector<std::filesystem::path> further_files(const Settings& settings);

BandStructure band_structure(const Solution& solution, app::Outcome& outcome);

}  // namespace suite::gw
