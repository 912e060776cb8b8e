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

struct EdgesResult {
  double gap = 0;  // not a number where a side of it was not computed
  std::optional<double> gap_at_gamma, valence_top, conduction_bottom;
};

struct InvalidPoles {
  double share_of_pairs = 0, share_of_weight = 0;
};

struct GwResults {
  EdgesResult quasiparticle, mean_field;
  std::optional<Vector3> k_valence_top, k_conduction_bottom;
  int occupied_bands = 0;
  std::optional<int> occupied_bands_spin_2;
  std::optional<InvalidPoles> invalid_poles;
  std::vector<LevelResult> levels;
  std::optional<std::vector<ElementResult>> off_diagonal;
  std::optional<std::vector<ScreeningAtQ>> dielectric;
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
    Field{&gw::LevelResult::sx,     "sx_minus_x_eV", "eV", "screened exchange without it"},
    Field{&gw::LevelResult::ch,     "ch_eV",         "eV", "Coulomb hole"},
    Field{&gw::LevelResult::sigma,  "sigma_eV",      "eV", "their sum"},
    Field{&gw::LevelResult::vxc,    "vxc_eV",        "eV", "exchange and correlation of the mean field"},
    Field{&gw::LevelResult::z,      "z",             "1", "1/(1 - dSigma/dE)"},
    Field{&gw::LevelResult::eqp0,   "eqp0_eV",       "eV", "quasiparticle energy with Sigma at the mean-field energy"},
    Field{&gw::LevelResult::eqp1,   "eqp1_eV",       "eV", "the same, linear in the energy"},
    Field{&gw::LevelResult::static_remainder, "static_remainder_eV", "eV", "part of ch_eV"},
    Field{&gw::LevelResult::spin,             "spin",                "", "1 or 2, of a spin-polarised calculation", {.low = 1}},
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
template <> inline constexpr auto fields<gw::ScreeningAtQ> = std::tuple{
    Field{&gw::ScreeningAtQ::q,            "q",            "b1 b2 b3", ""},
    Field{&gw::ScreeningAtQ::g,            "g_vectors",    "", "size of the matrix", {.low = 1}},
    Field{&gw::ScreeningAtQ::head,         "eps_00",       "1", "dielectric matrix at G = G' = 0"},
    Field{&gw::ScreeningAtQ::inverse_head, "inverse_00",   "1", "the same of its inverse"},
};
template <> inline constexpr auto fields<gw::GwResults> = std::tuple{
    Flat{&gw::GwResults::quasiparticle},
    flat_as<gw::OfMeanField>(&gw::GwResults::mean_field),
    Field{&gw::GwResults::k_valence_top,       "k_valence_top",       "b1 b2 b3", ""},
    Field{&gw::GwResults::k_conduction_bottom, "k_conduction_bottom", "b1 b2 b3", ""},
    Field{&gw::GwResults::occupied_bands,      "occupied_bands",      "", "of the first spin, if there are two", {.low = 0}},
    Field{&gw::GwResults::occupied_bands_spin_2, "occupied_bands_spin_2", "", "", {.low = 0}},
    Field{&gw::GwResults::invalid_poles,       "invalid_poles",       "", "pairs (G,G') whose plasmon pole has w^2 < 0"},
    Field{&gw::GwResults::levels,              "quasiparticle",       "", "one for each k and band"},
    Field{&gw::GwResults::off_diagonal,        "off_diagonal",        "", "elements between two bands, one for each of sigma.offdiag, k and energy"},
    Field{&gw::GwResults::dielectric,          "dielectric",          "", "static dielectric matrices that the run computed, one for each q"},
    Field{&gw::GwResults::files,               "files",               "", "in the run's folder", {.items_not_empty = true}},
};
// clang-format on

}  // namespace suite::app
