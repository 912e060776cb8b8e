// SPDX-License-Identifier: BSD-3-Clause
// "results" of result.json.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "measure/fields.hpp"
#include "gw.hpp"

namespace suite::gw {

struct LevelResult {
  Vector3 k{};
  int band = 1;
  double emf = 0, x = 0, sx = 0, ch = 0, sigma = 0, vxc = 0, z = 0, eqp0 = 0, eqp1 = 0;
  std::optional<double> static_remainder;
  std::optional<int> spin;
  std::optional<double> eo;
  std::optional<double> imaginary;
};

// An element between two bands; complex numbers are pairs.
struct ElementResult {
  Vector3 k{};
  int n = 1, m = 1, l = 1;
  double energy = 0;
  std::array<double, 2> x{}, sx{}, ch{}, sigma{};
  std::optional<std::array<double, 2>> vxc, static_remainder;
  std::optional<int> spin;
};

// Eigenvalues of the Hamiltonian between the bands of sigma_matrix.
struct MixedLevelsResult {
  Vector3 k{};
  double shift = 0;
  std::vector<double> energies;
  std::vector<int> bands;
  std::vector<double> shares;
  std::optional<int> spin;
};

struct EdgesResult {
  double gap = 0;  // not a number where a side of it was not computed
  std::optional<double> gap_at_gamma, valence_top, conduction_bottom;
};

struct InvalidPoles {
  double share_of_pairs = 0, share_of_weight = 0;
};

// A k point of the path; energies by band.
struct PathPointResult {
  std::string label;
  Vector3 k{};
  double distance = 0;
  std::vector<double> mean_field, quasiparticle;
  std::optional<std::vector<double>> mean_field_2, quasiparticle_2;
};

struct EdgeResult {
  double energy = 0;
  Vector3 k{};
  std::string place;
  std::optional<int> spin;
};

// Of the interpolated bands, in one of the two descriptions.
struct BandEdgesResult {
  double gap = 0, direct_gap = 0;
  EdgeResult valence_top, conduction_bottom, direct;
};

struct HeldOutResult {
  std::string of;
  int points = 1;
  double mean_field_rms = 0, mean_field_worst = 0;
  std::optional<double> quasiparticle_rms, quasiparticle_worst;
};

struct DosResult {
  std::array<int, 3> grid{};
  double width = 0, complete_below = 0;
  std::vector<double> energy, mean_field, quasiparticle;
  std::optional<std::vector<double>> mean_field_2, quasiparticle_2;
};

struct BandsResult {
  std::string path, lattice;
  int first_band = 1, k_points_known = 1;
  std::optional<BandEdgesResult> mean_field, quasiparticle;
  std::optional<double> fermi_mean_field, fermi_quasiparticle;
  std::vector<HeldOutResult> held_out;
  std::vector<PathPointResult> points;
  DosResult dos;
};

struct GwResults {
  EdgesResult quasiparticle, mean_field;
  std::optional<Vector3> k_valence_top, k_conduction_bottom;
  int occupied_bands = 0;
  std::optional<int> occupied_bands_spin_2;
  std::optional<double> fermi;
  std::optional<InvalidPoles> invalid_poles;
  std::vector<LevelResult> levels;
  std::optional<std::vector<ElementResult>> off_diagonal;
  std::optional<std::vector<MixedLevelsResult>> mixed;
  std::optional<std::vector<ScreeningAtQ>> dielectric;
  std::optional<BandsResult> bands;
  std::vector<std::string> files;  // in the run's folder
};

struct OfMeanField;

}  // namespace suite::gw

namespace suite::app {

// clang-format off
template <> inline constexpr auto fields<gw::LevelResult> = std::tuple{
    Field{&gw::LevelResult::k,      "k",             "b1 b2 b3", ""},
    Field{&gw::LevelResult::band,   "band",          "", "", {.low = 1}},
    Field{&gw::LevelResult::emf,    "emf_eV",        "eV", "of the mean field"},
    Field{&gw::LevelResult::x,      "x_eV",          "eV", "bare exchange"},
    Field{&gw::LevelResult::sx,     "sx_minus_x_eV", "eV", "screened exchange without it; contour deformation: the residues"},
    Field{&gw::LevelResult::ch,     "ch_eV",         "eV", "Coulomb hole; contour deformation: the integral over imaginary frequencies"},
    Field{&gw::LevelResult::sigma,  "sigma_eV",      "eV", "their sum"},
    Field{&gw::LevelResult::vxc,    "vxc_eV",        "eV", "exchange and correlation of the mean field"},
    Field{&gw::LevelResult::z,      "z",             "1", "1/(1 - dSigma/dE)"},
    Field{&gw::LevelResult::eqp0,   "eqp0_eV",       "eV", "quasiparticle energy with Sigma at the mean-field energy"},
    Field{&gw::LevelResult::eqp1,   "eqp1_eV",       "eV", "the same, linear in the energy"},
    Field{&gw::LevelResult::static_remainder, "static_remainder_eV", "eV", "part of ch_eV"},
    Field{&gw::LevelResult::spin,             "spin",                "", "1 or 2, of a spin-polarised calculation", {.low = 1}},
    Field{&gw::LevelResult::eo,               "eo_eV",               "eV", "where it was corrected, the energy at which Sigma is given"},
    Field{&gw::LevelResult::imaginary,        "im_sigma_eV",         "eV", "imaginary part of sigma (full frequency)"},
};
template <> inline constexpr auto fields<gw::ElementResult> = std::tuple{
    Field{&gw::ElementResult::k,      "k",             "b1 b2 b3", ""},
    Field{&gw::ElementResult::n,      "n",             "", "band of the bra", {.low = 1}},
    Field{&gw::ElementResult::m,      "m",             "", "band of the ket", {.low = 1}},
    Field{&gw::ElementResult::l,      "l",             "", "band around whose mean-field energy", {.low = 1}},
    Field{&gw::ElementResult::energy, "energy_eV",     "eV", "at which Sigma is given"},
    Field{&gw::ElementResult::x,      "x_eV",          "eV", "bare exchange: real and imaginary part, as of all below"},
    Field{&gw::ElementResult::sx,     "sx_minus_x_eV", "eV", "screened exchange without it"},
    Field{&gw::ElementResult::ch,     "ch_eV",         "eV", "Coulomb hole"},
    Field{&gw::ElementResult::sigma,  "sigma_eV",      "eV", "their sum"},
    Field{&gw::ElementResult::vxc,    "vxc_eV",        "eV", "exchange and correlation of the mean field, where the file has it"},
    Field{&gw::ElementResult::static_remainder, "static_remainder_eV", "eV", "part of ch_eV"},
    Field{&gw::ElementResult::spin,             "spin",                "", "1 or 2, of a spin-polarised calculation", {.low = 1}},
};
template <> inline constexpr auto fields<gw::MixedLevelsResult> = std::tuple{
    Field{&gw::MixedLevelsResult::k,        "k",           "b1 b2 b3", ""},
    Field{&gw::MixedLevelsResult::shift,    "shift_eV",    "eV", "of the energies at which Sigma is given, from those of sigma_matrix"},
    Field{&gw::MixedLevelsResult::energies, "energies_eV", "eV", "eigenvalues of the Hermitian part"},
    Field{&gw::MixedLevelsResult::bands,    "bands",       "", "of each the band that it has most of"},
    Field{&gw::MixedLevelsResult::shares,   "shares",      "1", "how much of it"},
    Field{&gw::MixedLevelsResult::spin,     "spin",        "", "1 or 2, of a spin-polarised calculation", {.low = 1}},
};
template <> inline constexpr auto fields<gw::EdgesResult> = std::tuple{
    Field{&gw::EdgesResult::gap,               "gap_eV",               "eV", "null where a side of it was not computed", {.or_null = true}},
    Field{&gw::EdgesResult::gap_at_gamma,      "gap_gamma_eV",         "eV", ""},
    Field{&gw::EdgesResult::valence_top,       "valence_top_eV",       "eV", ""},
    Field{&gw::EdgesResult::conduction_bottom, "conduction_bottom_eV", "eV", ""},
};
template <> inline constexpr auto fields<gw::EdgesResult, gw::OfMeanField> = std::tuple{
    Field{&gw::EdgesResult::gap,               "gap_mean_field_eV",               "eV", "", {.or_null = true}},
    Field{&gw::EdgesResult::gap_at_gamma,      "gap_gamma_mean_field_eV",         "eV", ""},
    Field{&gw::EdgesResult::valence_top,       "valence_top_mean_field_eV",       "eV", ""},
    Field{&gw::EdgesResult::conduction_bottom, "conduction_bottom_mean_field_eV", "eV", ""},
};
template <> inline constexpr auto fields<gw::InvalidPoles> = std::tuple{
    Field{&gw::InvalidPoles::share_of_pairs,  "share_of_pairs",  "1", "their number", {.low = 0, .high = 1}},
    Field{&gw::InvalidPoles::share_of_weight, "share_of_weight", "1", "their part of the sum of |I v|", {.low = 0, .high = 1}},
};
template <> inline constexpr auto fields<gw::InverseHead> = std::tuple{
    Field{&gw::InverseHead::frequency_eV, "frequency_eV", "eV", "real and imaginary part"},
    Field{&gw::InverseHead::value,        "inverse_00",   "1", "the same of the inverse matrix at G = G' = 0"},
};
template <> inline constexpr auto fields<gw::ScreeningAtQ> = std::tuple{
    Field{&gw::ScreeningAtQ::q,            "q",            "b1 b2 b3", ""},
    Field{&gw::ScreeningAtQ::g,            "g_vectors",    "", "size of the matrix", {.low = 1}},
    Field{&gw::ScreeningAtQ::head,         "eps_00",       "1", "dielectric matrix at G = G' = 0"},
    Field{&gw::ScreeningAtQ::inverse_head, "inverse_00",   "1", "the same of its inverse"},
    Field{&gw::ScreeningAtQ::inverse_heads, "frequencies", "", "the inverse at each of them, if there are several"},
};
template <> inline constexpr auto fields<gw::PathPointResult> = std::tuple{
    Field{&gw::PathPointResult::label,         "label",            "", "empty between labelled points"},
    Field{&gw::PathPointResult::k,             "k",                "b1 b2 b3", ""},
    Field{&gw::PathPointResult::distance,      "distance_per_bohr", "1/bohr", "along the path"},
    Field{&gw::PathPointResult::mean_field,    "mean_field_eV",    "eV", "by band"},
    Field{&gw::PathPointResult::quasiparticle, "quasiparticle_eV", "eV", "by band"},
    Field{&gw::PathPointResult::mean_field_2,  "mean_field_spin_2_eV",    "eV", "by band, where the two spins differ"},
    Field{&gw::PathPointResult::quasiparticle_2, "quasiparticle_spin_2_eV", "eV", "by band"},
};
template <> inline constexpr auto fields<gw::EdgeResult> = std::tuple{
    Field{&gw::EdgeResult::energy, "energy_eV", "eV", ""},
    Field{&gw::EdgeResult::k,      "k",         "b1 b2 b3", ""},
    Field{&gw::EdgeResult::place,  "place",     "", "on the path; empty beside it"},
    Field{&gw::EdgeResult::spin,   "spin",      "", "1 or 2, of a spin-polarised calculation", {.low = 1}},
};
template <> inline constexpr auto fields<gw::BandEdgesResult> = std::tuple{
    Field{&gw::BandEdgesResult::gap,               "gap_eV",            "eV", "from the highest valence to the lowest conduction energy"},
    Field{&gw::BandEdgesResult::direct_gap,        "direct_gap_eV",     "eV", "smallest at one k"},
    Field{&gw::BandEdgesResult::valence_top,       "valence_top",       "", ""},
    Field{&gw::BandEdgesResult::conduction_bottom, "conduction_bottom", "", ""},
    Field{&gw::BandEdgesResult::direct,            "direct",            "", "where the direct gap is smallest"},
};
template <> inline constexpr auto fields<gw::HeldOutResult> = std::tuple{
    Field{&gw::HeldOutResult::of,                  "of",                     "", "run: each k point of the run from the others; otherwise a file, from the run's"},
    Field{&gw::HeldOutResult::points,              "points",                 "", "", {.low = 1}},
    Field{&gw::HeldOutResult::mean_field_rms,      "mean_field_rms_eV",      "eV", "root mean square error within 5 eV of the gap", {.low = 0}},
    Field{&gw::HeldOutResult::mean_field_worst,    "mean_field_worst_eV",    "eV", "largest error", {.low = 0}},
    Field{&gw::HeldOutResult::quasiparticle_rms,   "quasiparticle_rms_eV",   "eV", "", {.low = 0}},
    Field{&gw::HeldOutResult::quasiparticle_worst, "quasiparticle_worst_eV", "eV", "", {.low = 0}},
};
template <> inline constexpr auto fields<gw::DosResult> = std::tuple{
    Field{&gw::DosResult::grid,           "grid",                 "", "k grid", {.low = 1}},
    Field{&gw::DosResult::width,          "width_eV",             "eV", "standard deviation of the Gaussians", {.low = 0, .above_low = true}},
    Field{&gw::DosResult::complete_below, "complete_below_eV",    "eV", "higher up bands that were not computed contribute"},
    Field{&gw::DosResult::energy,         "energy_eV",            "eV", ""},
    Field{&gw::DosResult::mean_field,     "mean_field_per_eV",    "1/eV", "states of a cell, of both spins or, where they differ, the first", {.low = 0}},
    Field{&gw::DosResult::quasiparticle,  "quasiparticle_per_eV", "1/eV", "the same", {.low = 0}},
    Field{&gw::DosResult::mean_field_2,   "mean_field_spin_2_per_eV",    "1/eV", "of the second spin", {.low = 0}},
    Field{&gw::DosResult::quasiparticle_2, "quasiparticle_spin_2_per_eV", "1/eV", "the same", {.low = 0}},
};
template <> inline constexpr auto fields<gw::BandsResult> = std::tuple{
    Field{&gw::BandsResult::path,           "path",           "", "its labels"},
    Field{&gw::BandsResult::lattice,        "lattice",        "", "whose labels these are; empty: the user's"},
    Field{&gw::BandsResult::first_band,     "first_band",     "", "of the energies of a point", {.low = 1}},
    Field{&gw::BandsResult::k_points_known, "k_points_known", "", "with energies of the mean field", {.low = 1}},
    Field{&gw::BandsResult::mean_field,     "mean_field",     "", "band edges between the k points"},
    Field{&gw::BandsResult::quasiparticle,  "quasiparticle",  "", "the same with corrections"},
    Field{&gw::BandsResult::fermi_mean_field,    "mean_field_fermi_level_eV",    "eV", "where bands are partly filled, by the density of states"},
    Field{&gw::BandsResult::fermi_quasiparticle, "quasiparticle_fermi_level_eV", "eV", "of the same number of electrons"},
    Field{&gw::BandsResult::held_out,       "held_out",       "", "errors at known k points when they are not used"},
    Field{&gw::BandsResult::points,         "points",         "", "along the path"},
    Field{&gw::BandsResult::dos,            "dos",            "", "density of states"},
};
template <> inline constexpr auto fields<gw::GwResults> = std::tuple{
    Flat{&gw::GwResults::quasiparticle},
    flat_as<gw::OfMeanField>(&gw::GwResults::mean_field),
    Field{&gw::GwResults::k_valence_top,       "k_valence_top",       "b1 b2 b3", ""},
    Field{&gw::GwResults::k_conduction_bottom, "k_conduction_bottom", "b1 b2 b3", ""},
    Field{&gw::GwResults::occupied_bands,      "occupied_bands",      "", "of the first spin, if there are two", {.low = 0}},
    Field{&gw::GwResults::occupied_bands_spin_2, "occupied_bands_spin_2", "", "", {.low = 0}},
    Field{&gw::GwResults::fermi,               "fermi_level_eV",      "eV", "of the mean field, where bands are partly filled"},
    Field{&gw::GwResults::invalid_poles,       "invalid_poles",       "", "pairs (G,G') whose plasmon pole has w^2 < 0"},
    Field{&gw::GwResults::levels,              "quasiparticle",       "", "one for each k and band"},
    Field{&gw::GwResults::off_diagonal,        "off_diagonal",        "", "elements between two bands, one for each of sigma.offdiag, k and energy"},
    Field{&gw::GwResults::mixed,               "off_diagonal_levels", "", "quasiparticle energies with the mixing of bands, of sigma.sigma_matrix"},
    Field{&gw::GwResults::dielectric,          "dielectric",          "", "dielectric matrices that the run computed, one for each q"},
    Field{&gw::GwResults::bands,               "bands",               "", "along a path, and the density of states"},
    Field{&gw::GwResults::files,               "files",               "", "in the run's folder", {.items_not_empty = true}},
};
// clang-format on

}  // namespace suite::app
