// SPDX-License-Identifier: BSD-3-Clause
// gw - quasiparticle energies of a crystal in the GW approximation with a plasmon-pole model, from BerkeleyGW's files.
// What goes in (Settings), what comes out (State per k and band), and the two steps between them.
#pragma once

#include <array>
#include <complex>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/units.hpp"

namespace suite::app {
struct Context;
}

namespace suite::gw {

using Vector3 = std::array<double, 3>;    // crystal coordinates unless said otherwise
using Miller = std::array<int, 3>;        // components of a G vector
using Matrix3 = std::array<Vector3, 3>;

using app::bohr_angstrom, app::rydberg_eV;             // BerkeleyGW's values
inline constexpr double tol_energy_Ry = 1e-6;          // degenerate bands, occupation at the Fermi level

enum class Model { gpp, godby_needs, cohsex, contour_deformation, multipole };
// How the integral over imaginary frequencies goes between them: by a spline, or by pieces as in BerkeleyGW.
enum class ContourRule { spline, constant, quadratic };
enum class CoulombMode { cell, none, file, berkeleygw };
enum class Truncation { none, slab, wire, box };  // of v: the system is periodic along 1 and 2, along 3, or not at all
enum class Wings { symmetric, berkeleygw };  // how the wings of eps^-1 follow the averages of v
enum class DensitySymmetry { symmetrise, as_is };  // what becomes of a density that breaks the symmetry operations

// What screens at q -> 0: pairs across a gap; those within a band, so that W stays finite; or those of two bands that touch in points.
enum class ScreeningKind { semiconductor, metal, graphene };

// E + es + edel (E - e0) of occupied (v) and empty (c) levels, as in BerkeleyGW.
struct Scissors {
  double evs_Ry = 0, ev0_Ry = 0, evdel = 0, ecs_Ry = 0, ec0_Ry = 0, ecdel = 0;
  bool moves() const { return evs_Ry != 0 || evdel != 0 || ecs_Ry != 0 || ecdel != 0; }
};

// How the energies of the mean field are corrected, and which levels are then occupied.
struct LevelSettings {
  Scissors scissors;
  std::filesystem::path eqp;             // eqp1.dat of another run; empty: none
  std::optional<double> fermi_level_eV;  // none: in the middle between occupied and empty levels
  bool fermi_level_absolute = false;     // not relative to that middle
  double broadening_Ry = 0;              // of occupations at the Fermi level; 0: a step
  bool partial = false;                  // eqp need not have all levels; occupations are those of the mean field
  bool correct() const { return scissors.moves() || !eqp.empty(); }
};

// An element <n|Sigma(E)|m> that is wanted, at the mean-field energy of band l. Bands from 1.
struct Element {
  int n = 0, m = 0, l = 0;
  bool operator==(const Element&) const = default;
};

// The dielectric matrix from wavefunctions.
struct EpsilonSettings {
  std::filesystem::path wavefunctions;     // WFN; empty: those of the self-energy
  std::filesystem::path wavefunctions_q0;  // WFNq; empty: eps^-1 is read from files
  double cutoff_Ry = 0;                    // of |q+G|^2
  int nbands = 0;                          // 0: all of the file
  Miller q_grid{};                         // zeros: the k grid of the wavefunctions
  std::optional<Vector3> q0;               // none: by how much the grid of wavefunctions_q0 is shifted more
  double imaginary_frequency_Ry = 2;       // beside the static one, for Godby-Needs; the scale of imaginary_points
  // Beside these: w + i broadening of the first, i w of the second.
  std::vector<double> real_frequencies_eV, imaginary_frequencies_eV;
  double broadening_eV = 0.1;
  // What contour deformation takes where these are empty: so many imaginary ones, and real ones up to where it needs them.
  int imaginary_points = 15;
  double real_step_eV = 0.2;
  // What several poles are fitted to, beside zero and one on the imaginary axis; made by complete_frequencies().
  std::vector<std::complex<double>> complex_frequencies_eV;
  double sampling_range_eV = 0;  // of these; 0: from the density of electrons
  bool only = false;                       // the run ends with eps0mat.h5 and epsmat.h5
  LevelSettings levels;                    // of `wavefunctions`, ...
  std::filesystem::path eqp_q0;            // ... with this for eqp those of `wavefunctions_q0`
};

// A k point with a name, "Gamma" or "X".
struct LabelledPoint {
  std::string label;
  Vector3 k{};
};

// Bands along a path and the density of states, interpolated from the k points of the run.
struct BandsSettings {
  std::vector<std::string> path;         // labels, "U|K" for a jump; "auto" alone: that of the lattice; empty: no bands
  std::vector<LabelledPoint> labels;     // the user's own
  std::filesystem::path wavefunctions;   // further k points of the mean field
  int points = 200;                      // along the path
  double dos_width_eV = 0.1;             // standard deviation of the Gaussians
  Miller dos_grid{};                     // zeros: made from the k grid
};

struct Settings {
  std::filesystem::path wavefunctions, density, vxc, eps0, eps, vcoul;
  std::filesystem::path wavefunctions_outer;  // of the external states; empty: those of `wavefunctions`
  EpsilonSettings epsilon;
  ScreeningKind screening = ScreeningKind::semiconductor;
  LevelSettings levels;               // of the self-energy
  LevelSettings levels_outer;         // of wavefunctions_outer
  int nbands = 0;                     // number_bands: internal bands n'
  int band_min = 1, band_max = 0;     // external bands, from 1
  std::vector<Vector3> kpoints;       // external k; empty: all of the file
  Model model = Model::gpp;
  ContourRule contour_rule = ContourRule::spline;
  int poles = 6;  // of each (G,G'), multipole
  bool exact_static_ch = true;        // static remainder (gpp); cohsex: only the exact CH, not also the sum over bands
  int invalid_gpp_mode = 3;           // 0 ... 3
  double gpp_broadening_eV = 0.5, gpp_sexcutoff = 4.0;
  int finite_difference_form = 2;     // -3 ... 2
  double finite_difference_spacing_eV = 1.0;
  double frequency_grid_min_eV = 0, frequency_grid_max_eV = 0;  // finite_difference_form -3: the grid of E - E_lk ...
  int frequency_grid_points = 0;                                // ... and its points
  DensitySymmetry density_symmetry = DensitySymmetry::symmetrise;
  CoulombMode coulomb = CoulombMode::cell;
  Wings wings = Wings::symmetric;
  Truncation truncation = Truncation::none;
  double coulomb_head = 0;            // v at q+G = 0, Ry bohr^3, to repeat another code's; 0: our own average
  bool symmetry = true;               // sum over the q of the irreducible wedge of each k's little group, with weights
  std::vector<Element> offdiag;       // elements between two bands
  std::array<int, 2> sigma_matrix{};  // the l and t from which they were made; l = 0: they were listed
  int gprime_slices = 1;              // ranks that share one (k,q)
  BandsSettings bands;
  int64_t checkpoint_interval = 0;    // matrices eps^-1, or pairs (k,q) of a process; 0: when interrupted
  std::filesystem::path restart;      // checkpoint.h5 of an earlier run

  // eps^-1 is to be computed and was not yet.
  bool makes_epsilon() const { return !epsilon.wavefunctions_q0.empty() && eps0.empty(); }
  const std::filesystem::path& external_wavefunctions() const { return wavefunctions_outer.empty() ? wavefunctions : wavefunctions_outer; }
  const std::filesystem::path& epsilon_wavefunctions() const {
    return epsilon.wavefunctions.empty() ? wavefunctions : epsilon.wavefunctions;
  }
  // Where eps^-1 comes from, for messages.
  std::string eps0_name() const { return makes_epsilon() ? "'epsilon'" : eps0.string(); }

  // The q of a star contribute alike to the average over a degenerate set, but not to an element between two bands.
  bool wedge() const { return symmetry && offdiag.empty(); }
  // CH in closed form is wanted, and its sum over bands in the static limit beside the one of the poles.
  bool exact_ch() const { return exact_static_ch || model == Model::cohsex; }
  bool static_bands() const { return exact_static_ch && model != Model::cohsex; }
  // CH has two values, with and without a remainder (the primed columns).
  bool has_remainder() const { return exact_static_ch == (model != Model::cohsex); }
  bool has_poles() const { return model == Model::gpp || model == Model::godby_needs; }
  bool contour() const { return model == Model::contour_deformation; }
  bool multipole() const { return model == Model::multipole; }
  bool full_frequency() const { return contour() || multipole(); }
};

// Sigma of one external state before averaging over degenerate sets. Energies in eV.
struct State {
  int k = 0, band = 0;                // k: index into Result::kpoints; band from 1
  int spin = 1;                       // 1 or 2
  double emf = 0;                     // mean-field energy
  double correction = 0;              // of it, see LevelSettings
  double vxc = 0;
  double x = 0;                       // bare exchange
  std::vector<double> energies;       // at which sx and ch are given; eo() + dE (iw - 2) of finite_difference_form
  // SX - X and CH' (without remainder) at those energies; their imaginary parts, which averages of v may leave, count in dSigma/dE
  // alone. Contour deformation: the residues and the integral; of it and of several poles real, ...
  std::vector<std::complex<double>> sx, ch;
  std::vector<double> imaginary;      // ... and the imaginary part of both; otherwise empty
  double remainder = 0;               // CH = CH' + remainder: the static remainder, already halved; cohsex: exact CH - CH'
  double eo() const { return emf + correction; }
};

// One element between two bands of one k, as State; not averaged over degenerate sets. E of number iw, from 1, is E_l + dE (iw - 2).
struct OffDiagonal {
  int k = 0;
  int spin = 1;
  Element element;
  double e_l = 0;                            // energy of band l, as State::eo()
  std::complex<double> x, remainder;         // of CH = CH' + remainder
  std::vector<int> iw;
  std::vector<std::complex<double>> sx,
      ch;  // SX - X and CH' at those energies; Hermitian in n and m at one energy, but for what wings of BerkeleyGW leave
  std::optional<std::complex<double>> vxc;   // none: not in the file
};

// How many of the pairs (G,G') with screening have w^2 < 0, and their share of the static interaction, sum of |I v(G')|
// over the pairs.
struct PoleCount {
  double pairs = 0, invalid = 0, weight = 0, invalid_weight = 0;
  PoleCount& operator+=(const PoleCount& other) {
    pairs += other.pairs, invalid += other.invalid;
    weight += other.weight, invalid_weight += other.invalid_weight;
    return *this;
  }
};

// (eps^-1)_00 at one frequency: real and imaginary parts.
struct InverseHead {
  std::array<double, 2> frequency_eV{}, value{};
};

// Of one dielectric matrix that was computed.
struct ScreeningAtQ {
  Vector3 q{};
  int g = 0;                // size of the matrix
  double head = 0;          // eps_00 in the static limit
  double inverse_head = 0;  // (eps^-1)_00
  double excess = 0;        // by how much the largest eigenvalue of eps^-1 in its Hermitian form exceeds 1
  std::optional<std::vector<InverseHead>> inverse_heads;  // of all frequencies, if there are several
};

struct Result {
  std::vector<Vector3> kpoints;
  std::vector<double> kweights;       // of the file, for the density of k in plots and gaps
  int spins = 1;
  std::array<int, 2> occupied{};      // bands that hold electrons (ifmax), by spin
  std::optional<double> fermi_eV;     // of a crystal whose bands are partly filled
  bool is_occupied(int spin, int band, double eo) const {  // both from 1
    return fermi_eV ? eo < *fermi_eV : band <= occupied[static_cast<size_t>(spin - 1)];
  }
  std::string spin_text(int spin) const { return spins == 2 ? fmt::format(", spin {}", spin) : ""; }
  std::string system;                 // "2 atoms, 8 electrons"
  std::vector<State> states;          // k slowest, then spin, then band
  std::vector<OffDiagonal> off_diagonal;  // k slowest, then spin, then in the order of Settings::offdiag
  PoleCount poles;                    // over all q
  std::vector<ScreeningAtQ> dielectric;  // empty: eps^-1 was read
  int triples_nw = 0;
  double iterations = 0;              // (n',G',G,E) summed over all calls of gpp.sigma
};

// All that the results of a run depend on, but for the machine: a JSON object.
std::string fingerprint(const Settings& settings);

class Checkpoint;

// The self-energy of every external state. Collective over context.world; the same on every rank. Throws Stopped.
Result self_energy(const Settings& settings, app::Context& context, Checkpoint& checkpoint);

}  // namespace suite::gw
