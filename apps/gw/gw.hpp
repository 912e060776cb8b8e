// SPDX-License-Identifier: BSD-3-Clause
// gw - quasiparticle energies of a crystal in the GW approximation with a plasmon-pole model, from BerkeleyGW's files.
// What goes in (Settings), what comes out (State per k and band), and the two steps between them.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "../common/units.hpp"

namespace suite::app {
struct Context;
}

namespace suite::gw {

using Vector3 = std::array<double, 3>;    // crystal coordinates unless said otherwise
using Miller = std::array<int, 3>;        // components of a G vector
using Matrix3 = std::array<Vector3, 3>;

using app::bohr_angstrom, app::rydberg_eV;             // BerkeleyGW's values
inline constexpr double tol_energy_Ry = 1e-6;          // degenerate bands, occupation at the Fermi level

enum class Model { gpp, godby_needs, cohsex };
enum class CoulombMode { cell, none, file };

struct Settings {
  std::filesystem::path wavefunctions, density, vxc, eps0, eps, vcoul;
  int nbands = 0;                     // number_bands: internal bands n'
  int band_min = 1, band_max = 0;     // external bands, from 1
  std::vector<Vector3> kpoints;       // external k; empty: all of the file
  Model model = Model::gpp;
  bool exact_static_ch = true;        // static remainder (gpp), exact CH (cohsex)
  int invalid_gpp_mode = 3;           // 0 ... 3
  double gpp_broadening_eV = 0.5, gpp_sexcutoff = 4.0;
  int finite_difference_form = 2;     // -3 ... 2
  double finite_difference_spacing_eV = 1.0;
  double frequency_grid_min_eV = 0, frequency_grid_max_eV = 0;  // finite_difference_form -3: the grid of E - E_lk ...
  int frequency_grid_points = 0;                                // ... and its points
  CoulombMode coulomb = CoulombMode::cell;
  double coulomb_head = 0;            // v at q+G = 0, Ry bohr^3, to repeat another code's; 0: our own average
  bool symmetry = true;               // sum over the q of the irreducible wedge of each k's little group, with weights
  int gprime_slices = 1;              // ranks that share one (k,q)
};

// Sigma of one external state before averaging over degenerate sets. Energies in eV.
struct State {
  int k = 0, band = 0;                // k: index into Result::kpoints; band from 1
  double emf = 0;                     // mean-field energy
  double vxc = 0;
  double x = 0;                       // bare exchange
  std::vector<double> energies;       // at which sx and ch are given; emf + dE (iw - 2) of finite_difference_form
  std::vector<double> sx, ch;         // SX - X and CH' (without remainder) at those energies
  double remainder = 0;               // static remainder, already halved: CH = CH' + remainder
};

struct Result {
  std::vector<Vector3> kpoints;
  std::vector<double> kweights;       // of the file, for the density of k in plots and gaps
  int occupied = 0;                   // valence bands (ifmax)
  std::string system;                 // "2 atoms, 8 electrons"
  std::vector<State> states;          // k slowest, then band
  int triples_nw = 0;
  double iterations = 0;              // (n',G',G,E) summed over all calls of gpp.sigma
};

// The self-energy of every external state. Collective over context.world; the same on every rank.
Result self_energy(const Settings& settings, app::Context& context);

}  // namespace suite::gw
