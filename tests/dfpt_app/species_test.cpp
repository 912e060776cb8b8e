// SPDX-License-Identifier: BSD-3-Clause
// Species files: built-in ones, those made by the rule, and what they may contain.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

#include <suite/plugin.hpp>

#include <dfpt/elements.hpp>
#include <dfpt/orbitals.hpp>
#include <dfpt/radial_tables.hpp>
#include <dfpt/species_definition.hpp>
#include <dfpt/species_start.hpp>
#include "molecules.hpp"

using namespace dfpt_app_test;
using namespace suite::all_electron;

namespace {

std::string said(auto&& call) {
  try {
    call();
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "nothing";
}

// Magnesium by the rule, with one line replaced.
SpeciesDefinition magnesium(const std::string& line, const std::string& instead) {
  static const std::string by_rule = species_by_rule(12);
  std::string text = by_rule;
  const size_t at = text.find("\n" + line) + 1;
  BOOST_REQUIRE(at != 0);
  text.replace(at, text.find('\n', at) - at, instead);
  return parse_species("Mg.yaml", text);
}

std::vector<Orbital> orbitals_of(const SpeciesDefinition& species, int tier, Level level = Level::tight) {
  const LogGrid grid = solver_grid(species.Z, 1350);
  const SphericalAtom free = solve_atom(grid, species.Z, species.shells, Xc::pw92, species.at(level).confinement);
  return numeric_orbitals(grid, species, level, tier, free, Xc::pw92);
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_have_species_files) {
  for (const int Z : {1, 2, 18, 36}) {
    const SpeciesDefinition species = parse_species(element_symbol(Z), species_by_rule(Z));
    BOOST_TEST(species.Z == Z);
    const auto shells = ground_state_shells(Z);
    BOOST_REQUIRE(species.shells.size() == shells.size());
    for (size_t s = 0; s < shells.size(); ++s) BOOST_TEST(species.shells[s].occupation == shells[s].occupation);
    BOOST_TEST(species.tiers.size() == 3u);
  }
}

// None is lost as a combination of earlier ones, and all are bound.
BOOST_AUTO_TEST_CASE(functions_by_the_rule_are_independent) {
  for (const int Z : {11, 16, 20, 29, 35}) {
    const SpeciesDefinition species = parse_species(element_symbol(Z), species_by_rule(Z));
    for (const Level level : {Level::light, Level::tight})
      BOOST_TEST(orbitals_of(species, 3, level).size() == species.shells.size() + tier_functions(species, level, 3).size(),
                 element_symbol(Z));
  }
}

// Configurations that Madelung's rule does not have, beside one that it has.
BOOST_AUTO_TEST_CASE(shells_are_those_of_the_ground_states) {
  const auto text = [](int Z) {
    std::string all;
    for (const Shell& s : ground_state_shells(Z))
      if (s.n > 3 || s.l == 2) all += std::to_string(s.n) + shell_letters[s.l] + std::to_string(static_cast<int>(s.occupation)) + " ";
    return all;
  };
  BOOST_TEST(text(19) == "4s1 ");
  BOOST_TEST(text(24) == "3d5 4s1 ");
  BOOST_TEST(text(25) == "3d5 4s2 ");
  BOOST_TEST(text(29) == "3d10 4s1 ");
  BOOST_TEST(text(36) == "3d10 4s2 4p6 ");
}

// 'basis.onset' is the onset of a file that says the same, with shells as dense near the nucleus.
BOOST_AUTO_TEST_CASE(one_onset_for_all_elements_is_that_of_their_files) {
  Choices chosen, own;
  chosen.level = own.level = Level::tight;
  chosen.onset = 6 * bohr_per_angstrom;
  SpeciesDefinition wide = *built_in_species(1);
  wide.tight.confinement.onset = *chosen.onset;
  wide.tight.outermost = 9 * bohr_per_angstrom;
  wide.tight.base_shells = 28;  // 24 sqrt(9/7), rounded up
  own.own_species.emplace(1, wide);
  const SpeciesSet one = make_species({1}, chosen), other = make_species({1}, own);
  BOOST_TEST(one.tables.basis_wave_spl == other.tables.basis_wave_spl, boost::test_tools::per_element());
  BOOST_TEST(one.shells[0].r.size() == other.shells[0].r.size());
  check_below("outermost shell", std::abs(one.shells[0].r.back() - other.shells[0].r.back()), 1e-12);
  BOOST_TEST(one.partition_radius[0] > make_species({1}, Choices{}).partition_radius[0] + 4);
}

// The file of a built-in element is its definition, so that reading it again gives the same tables to the last bit.
BOOST_AUTO_TEST_CASE(built_in_species_are_their_files) {
  for (const char* symbol : {"H", "Si"}) {
    const int Z = atomic_number(symbol);
    Choices built_in, own;
    built_in.tier = own.tier = 2;
    own.own_species.emplace(Z, parse_species("own.yaml", species_file_of(symbol)));
    const SpeciesSet one = make_species({Z}, built_in), other = make_species({Z}, own);
    BOOST_TEST(one.tables.basis_wave_spl == other.tables.basis_wave_spl, boost::test_tools::per_element());
    BOOST_TEST(one.tables.r_radial == other.tables.r_radial, boost::test_tools::per_element());
    BOOST_TEST(one.shells[0].points == other.shells[0].points, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(all_kinds_of_functions_are_orthonormal) {
  const SpeciesDefinition species = magnesium("tier_1:", "tier_1: [ionic 3p, hydro 3d 3, confined 4s 5, gaussian p 0.3, gaussian f 0.5]");
  const auto orbitals = orbitals_of(species, 1);
  BOOST_TEST(orbitals.size() == 4u + 5u);
  BOOST_TEST(orbitals.back().origin == "gaussian f 0.5");
  const LogGrid grid = solver_grid(12, 1350);
  for (const Orbital& a : orbitals)
    for (const Orbital& b : orbitals)
      if (a.l == b.l) {
        check_below(a.origin + ", " + b.origin, std::abs(integrate(grid, a.u, b.u) - (&a == &b)), 1e-12);
        const double there = integrate(grid, a.u, b.kinetic), back = integrate(grid, b.u, a.kinetic);
        check_below(a.origin + ", " + b.origin + ", kinetic", std::abs(there - back), 1e-6 * std::max(1.0, std::abs(there)));
      }
}

BOOST_AUTO_TEST_CASE(functions_that_do_not_fit_are_refused) {
  const auto made = [](const std::string& functions) {
    return said([&] { orbitals_of(magnesium("tier_1:", "tier_1: [" + functions + "]"), 1); });
  };
  BOOST_TEST(made("hydro 4f 0.1").find("'hydro 4f 0.1' is not bound: its energy within the confinement is +") != std::string::npos);
  BOOST_TEST(made("gaussian p 0.01").find("reaches") != std::string::npos);
  BOOST_TEST(made("confined 3p 30").find("beyond the onset") != std::string::npos);
  BOOST_TEST(said([] { orbitals_of(magnesium("  onset:", "  onset: 0.5 angstrom"), 1); }) == "nothing");  // of the level light
  BOOST_TEST(said([] {
               SpeciesDefinition species = magnesium("species:", "species: Mg");
               species.tight.confinement.onset = 2, species.tight.confinement.width = 1;
               orbitals_of(species, 0);
             }).find("'atomic 3s' is not bound") != std::string::npos);
}
