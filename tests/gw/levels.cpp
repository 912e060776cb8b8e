// SPDX-License-Identifier: BSD-3-Clause
// Corrected energies and partly filled bands, in the spin-polarised crystal of polarised_wavefunctions.py: columns and heads of BerkeleyGW's runs in
// tests/gw/levels. The Fermi level of the metal, 7.55 eV, lies within bands 3 and 4 of the first spin.
#include <boost/test/unit_test.hpp>

#include <fstream>

#include <suite/plugin.hpp>

#include "datasets.hpp"
#include "eqp_file.hpp"
#include "plan.hpp"
#include "solved.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;

namespace {

fs::path log(const std::string& name) { return fs::path(SUITE_SOURCE_DIR) / "tests/gw/levels" / name; }

void check_heads(const std::vector<ScreeningAtQ>& found, const std::vector<double>& heads) {
  for (size_t i = 0; i < heads.size(); ++i)
    if (heads[i] > 0) BOOST_TEST(!!(std::abs(found.at(i).head - heads[i]) <= 1e-11 * heads[i]), found.at(i).head << " and " << heads[i]);
}

// eqp1.dat of the scissors operator, of the first `bands` bands.
void write_eqp(const fs::path& wavefunctions, const fs::path& to, int bands) {
  const Wavefunctions w(wavefunctions, KGrid::grid, with_scissors());
  std::ofstream out(to);
  for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
    const Vector3& at = w.kpoints()[static_cast<size_t>(k)];
    out << fmt::format("{:13.9f}{:13.9f}{:13.9f}{:8}\n", -at[0], -at[1], 1 - at[2], bands * w.spins());
    for (int spin = 0; spin < w.spins(); ++spin)
      for (int band = 0; band < bands; ++band)
        out << fmt::format("{:8}{:8}{:20.14f}{:20.14f}\n", spin + 1, band + 1, w.mean_field(k, band, spin) * rydberg_eV,
                           w.energy(k, band, spin) * rydberg_eV);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_scissors_operator_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Solved ours(corrected(), folder / "");
  check_columns(ours, log("scissors.log"), 2e-9);
  check_heads(ours.outcome.result.dielectric, {7.583912769348744, 2.294023820991453, 2.156871987868119});
}

BOOST_AUTO_TEST_CASE(energies_of_an_earlier_run_are_taken) {
  const Scratch folder;
  Settings s = polarised();
  write_eqp(s.wavefunctions, folder / "eqp.dat", s.nbands);
  write_eqp(s.epsilon.wavefunctions, folder / "eqp_epsilon.dat", s.nbands);
  write_eqp(s.epsilon.wavefunctions_q0, folder / "eqp_q0.dat", 4);
  s.levels.eqp = folder / "eqp.dat";
  s.epsilon.levels.eqp = folder / "eqp_epsilon.dat";
  s.epsilon.eqp_q0 = folder / "eqp_q0.dat";
  s.coulomb = CoulombMode::none;
  Settings scissors = corrected();
  scissors.coulomb = CoulombMode::none;
  BOOST_TEST(difference(run(s, "cpu", folder / "").result, run(scissors, "cpu", folder / "").result) <= 1e-9);
  // Of another crystal, or too few bands.
  s.levels.eqp = s.epsilon.levels.eqp;
  BOOST_TEST(complaint([&] { Plan{s}; }) == s.levels.eqp.string() + " has no k point (0 0 0) of " + s.wavefunctions.string());
  write_eqp(s.wavefunctions, folder / "eqp.dat", 10);
  s.levels.eqp = folder / "eqp.dat";
  BOOST_TEST(complaint([&] { Plan{s}; }) ==
             s.levels.eqp.string() + " has no band 11 of spin 1 at k = (0 0 0); all bands that are summed over must be there");
  std::ofstream(folder / "eqp.dat") << "0 0 0 1\n1 1 -4.1 -4.0\n";
  BOOST_TEST(complaint([&] { Plan{s}; }) == "the mean-field energy of band 1 at k = (0 0 0) is -4.100000 eV in " + s.levels.eqp.string() +
                                                " and -4.180032 eV in " + s.wavefunctions.string());
  std::ofstream(folder / "eqp.dat") << "0 0 0 2\n1 1 -4.1 nan\n";
  BOOST_TEST(complaint([&] { EqpFile(folder / "eqp.dat"); }).find("eqp.dat:2: expected 'spin band Emf Eqp'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_metal_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Solved ours(metal(ScreeningKind::metal), folder / "");
  check_columns(ours, log("metal.log"), 2e-9);
  check_heads(ours.outcome.result.dielectric, {3.335169217693578, 3.335169217693576, 3.009099492571008});
  BOOST_TEST((ours.outcome.result.fermi_eV && std::abs(*ours.outcome.result.fermi_eV - 7.55) <= 1e-12));
  BOOST_TEST(!find_gap(ours.states, &Quasiparticle::eqp1, ours.outcome.result));
}

BOOST_AUTO_TEST_CASE(graphene_screening_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  check_columns(Solved(metal(ScreeningKind::graphene), folder / ""), log("graphene.log"), 2e-9);
}

BOOST_AUTO_TEST_CASE(broadened_occupations_have_the_heads_of_berkeleygw) {
  const Scratch folder;
  Settings s = metal(ScreeningKind::metal);
  s.epsilon.levels.broadening_Ry = 0.4 / rydberg_eV;
  check_heads(make_epsilon(s, folder / "").q, {0, 3.394438156970956, 3.058387916540048});
}

// The average by symmetry or over all q; one or several ranks; in turns or together.
BOOST_AUTO_TEST_CASE(partly_filled_bands_are_shared_as_full_ones) {
  const Scratch folder;
  Settings s = metal(ScreeningKind::metal);
  s.coulomb = CoulombMode::cell;
  s.wings = Wings::symmetric;
  const DielectricResult made = make_epsilon(s, folder / "");
  s.eps0 = made.eps0;
  s.eps = made.eps;
  const Result one = run(s).result;
  s.symmetry = false;
  BOOST_TEST(difference(one, run(s).result) <= 1e-8);
  s.gprime_slices = 2;
  BOOST_TEST(difference(one, run_on_ranks(s, 4).result) <= 1e-8);
}

BOOST_AUTO_TEST_CASE(a_level_at_the_fermi_level_is_half_occupied) {
  LevelSettings at;
  const fs::path file = polarised().wavefunctions;
  const Wavefunctions plain(file);
  at.fermi_level_eV = plain.energy(0, 2) * rydberg_eV;
  at.fermi_level_absolute = true;
  const Levels levels = Wavefunctions(file, KGrid::grid, at).levels();
  for (int band = 0; band < 6; ++band) BOOST_TEST(levels.occupation(0, band, 0) == (band < 1 ? 1 : band < 4 ? 0.5 : 0));
  BOOST_TEST(levels.occupied_at(0, 0) == 4);
  BOOST_TEST(levels.full(0) == 1);
  BOOST_TEST(plain.electrons() == 5, boost::test_tools::tolerance(1e-12));
}

// The highest occupied bands by spin, then k.
BOOST_AUTO_TEST_CASE(occupied_bands_of_a_file_decide) {
  const Scratch folder;
  Settings s = polarised();
  const fs::path file = folder / "WFN_inner.h5";
  fs::copy_file(s.wavefunctions, file);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  s.wavefunctions = file;
  const auto with = [&](const std::vector<int>& highest) {
    replace_dataset(file, "mf_header/kpoints/ifmax", {2, 3}, highest);
    return complaint([&] { Plan{s}; });
  };
  BOOST_TEST(with({1, 4, 4, 1, 1, 1}) ==
             "screening: bands 2 to 4 of " + file.string() + " are partly filled: a metal, or graphene, not a semiconductor");
  // A level for each spin.
  BOOST_TEST(with({1, 1, 1, 1, 1, 1}) ==
             s.density.string() + " holds 5.000000 electrons, but 1 and 1 bands of " + file.string() + " are filled");
  BOOST_TEST(with({4, 4, 4, 0, 0, 0}) ==
             s.density.string() + " holds 5.000000 electrons, but 4 and 0 bands of " + file.string() + " are filled");
  BOOST_TEST(with({4, 4, 5, 1, 1, 1}) ==
             file.string() +
                 ": band 5 at k = (0, 0.5, 0.5) of spin 1 is occupied at 10.6498 eV, above band 5 at k = (0, 0, 0) of spin 1, which "
                 "is empty at 9.4304 eV: no Fermi level separates them");
  BOOST_TEST(with({4, 4, 13, 1, 1, 1}) == file.string() +
                                              ": dataset mf_header/kpoints/ifmax: bands 1 to 13 of spin 1 are occupied at k "
                                              "point 3, where 1 to at most 12 are expected");
}

BOOST_AUTO_TEST_CASE(what_does_not_go_with_the_screening_is_refused) {
  Settings s = metal(ScreeningKind::metal);
  s.epsilon.q0.reset();
  BOOST_TEST(complaint([&] { DielectricPlan{s}; }) ==
             "q0 is needed where the screening is not that of a semiconductor: a step of the (2, 2, 2) grid of " +
                 s.epsilon.wavefunctions_q0.string() + " ('epsilon.q0')");
  s.epsilon.q0 = Vector3{0, 0, 0.25};
  BOOST_TEST(complaint([&] { DielectricPlan{s}; }).find("is not among the k points of") != std::string::npos);
  s.epsilon.q0 = Vector3{0, 0, 0};
  BOOST_TEST(complaint([&] { DielectricPlan{s}; }).find("q0 = (0, 0, 0) is no small vector") == 0);
}
