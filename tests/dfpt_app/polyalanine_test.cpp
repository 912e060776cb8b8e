// SPDX-License-Identifier: BSD-3-Clause
// Polyalanine: composition, bonds, torsions, handedness, hydrogen bonds; no two atoms too close.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <base/structure/formats.hpp>
#include <dfpt/polyalanine.hpp>

using namespace suite::all_electron;

namespace {

using Vector = std::array<double, 3>;

Vector from(const suite::app::StructureAtom& a, const suite::app::StructureAtom& b) {
  return {b.position[0] - a.position[0], b.position[1] - a.position[1], b.position[2] - a.position[2]};
}
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
double distance(const suite::app::StructureAtom& a, const suite::app::StructureAtom& b) { return length(from(a, b)); }

// Degrees; positive where the far bond is turned clockwise (IUPAC).
double torsion(const suite::app::StructureAtom& a, const suite::app::StructureAtom& b, const suite::app::StructureAtom& c,
               const suite::app::StructureAtom& d) {
  const Vector axis = from(b, c), first = cross(from(a, b), axis), second = cross(axis, from(c, d));
  return std::atan2(dot(cross(first, second), axis) / length(axis), dot(first, second)) * 180 / std::numbers::pi;
}

// Atoms of residue i by their places in it: N, H (two in the first), CA, HA, CB, 3 H, C, O.
struct Residue {
  const suite::app::StructureAtom &N, &H, &CA, &CB, &C, &O;
};
Residue residue(const suite::app::Structure& xyz, size_t i) {
  const size_t n = i == 0 ? 0 : 10 * i + 1, k = i == 0 ? 1 : 0;
  const auto& a = xyz.atoms;
  return {a[n], a[n + 1], a[n + 2 + k], a[n + 4 + k], a[n + 8 + k], a[n + 9 + k]};
}

double bond(const suite::app::StructureAtom& a, const suite::app::StructureAtom& b) {
  const std::map<std::string, double> radius{{"H", 0.31}, {"C", 0.76}, {"N", 0.71}, {"O", 0.66}};
  return radius.at(a.element) + radius.at(b.element);
}

}  // namespace

BOOST_AUTO_TEST_CASE(atoms_are_as_near_to_the_wanted_number_as_residues_allow) {
  for (const long residues : {1L, 2L, 3L, 4L, 31L}) {
    std::map<std::string, long> count;
    for (const auto& atom : polyalanine(residues, Conformation::strand).atoms) ++count[atom.element];
    BOOST_TEST(count["C"] == 3 * residues);
    BOOST_TEST(count["N"] == residues);
    BOOST_TEST(count["O"] == residues + 1);
    BOOST_TEST(count["H"] == 5 * residues + 2);
  }
  for (long atoms = least_polyalanine; atoms <= most_polyalanine; ++atoms) {
    const long n = alanine_residues(atoms), apart = std::abs(10 * n + 3 - atoms);
    BOOST_REQUIRE(n >= 1);
    BOOST_REQUIRE(apart <= (n == 1 ? 5 : std::min(std::abs(10 * n - 7 - atoms), std::abs(10 * n + 13 - atoms))));
  }
  BOOST_TEST(alanine_residues(10) == 1);
  BOOST_TEST(alanine_residues(312) == 31);
  BOOST_TEST(alanine_residues(3000) == 300);
}

BOOST_AUTO_TEST_CASE(sizes_that_cannot_be_are_refused) {
  for (const long atoms : {9L, 3001L, -1L})
    BOOST_CHECK_EXCEPTION(alanine_residues(atoms), suite::Failure, [&](const suite::Failure& failure) {
      return failure.what() == "polyalanine has 10 to 3000 atoms; got " + std::to_string(atoms);
    });
}

BOOST_AUTO_TEST_CASE(the_chain_has_its_torsions_and_l_residues) {
  constexpr auto exact = 1e-9;
  const auto tolerance = boost::test_tools::tolerance(exact);
  // Rise of a residue along the axis, z: Pauling's helix 1.5 angstrom, a strand 3.4.
  for (const auto& [conformation, phi, psi, rise] :
       {std::tuple{Conformation::helix, -57.0, -47.0, 1.5}, {Conformation::strand, -139.0, 135.0, 3.4}}) {
    const suite::app::Structure xyz = polyalanine(12, conformation);
    for (size_t i = 0; i < 12; ++i) {
      const Residue r = residue(xyz, i);
      BOOST_TEST(dot(cross(from(r.CA, r.N), from(r.CA, r.C)), from(r.CA, r.CB)) > 0);  // L
      if (i == 0) continue;
      const Residue before = residue(xyz, i - 1);
      BOOST_TEST(torsion(before.C, r.N, r.CA, r.C) == phi, tolerance);
      BOOST_TEST(torsion(before.N, before.CA, before.C, r.N) == psi, tolerance);
      BOOST_TEST(std::abs(torsion(before.CA, before.C, r.N, r.CA)) == 180, tolerance);
      BOOST_TEST(std::abs(std::abs(r.CA.position[2] - before.CA.position[2]) - rise) < 0.15);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_helix_has_hydrogen_bonds) {
  const suite::app::Structure xyz = polyalanine(12, Conformation::helix);
  for (size_t i = 4; i < 12; ++i) {
    const double length = distance(residue(xyz, i - 4).O, residue(xyz, i).H);
    BOOST_TEST(length > 1.8);
    BOOST_TEST(length < 2.3);
  }
}

BOOST_AUTO_TEST_CASE(bonds_have_their_lengths_and_nothing_else_is_near) {
  for (const auto& [residues, conformation] : {std::pair{1L, Conformation::helix},
                                               {2L, Conformation::helix},
                                               {40L, Conformation::helix},
                                               {1L, Conformation::strand},
                                               {2L, Conformation::strand},
                                               {40L, Conformation::strand}}) {
    const suite::app::Structure xyz = polyalanine(residues, conformation);
    size_t bonds = 0;
    double closest = 100;
    for (size_t i = 0; i < xyz.atoms.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const double d = distance(xyz.atoms[i], xyz.atoms[j]);
        const double usual = bond(xyz.atoms[i], xyz.atoms[j]);
        closest = std::min(closest, d);
        if (d < 1.15 * usual) {
          ++bonds;
          BOOST_TEST(d > 0.8 * usual);
        } else {
          BOOST_TEST(d > 1.5);
        }
      }
    BOOST_TEST(bonds == xyz.atoms.size() - 1);  // a molecule without rings
    BOOST_TEST(closest > 0.9);
  }
}

BOOST_AUTO_TEST_CASE(the_middle_is_the_origin) {
  const suite::app::Structure xyz = polyalanine(9, Conformation::helix);
  Vector sum{};
  for (const auto& atom : xyz.atoms)
    for (size_t d = 0; d < 3; ++d) sum[d] += atom.position[d];
  BOOST_TEST(length(sum) < 1e-9);
  BOOST_TEST(suite::app::parse_xyz("m.xyz", suite::app::xyz_text(xyz)).atoms.size() == 93);
}

BOOST_AUTO_TEST_CASE(the_input_names_the_file_of_the_geometry) {
  const auto start = polyalanine_input(100, Conformation::strand);
  BOOST_REQUIRE(start.files.size() == 1);
  BOOST_TEST(suite::app::parse_xyz("m.xyz", start.files[0].text).atoms.size() == 103);
  BOOST_TEST(start.values[0].first == "molecule.structure");
  BOOST_TEST(start.values[0].second == start.files[0].name);
  BOOST_TEST(start.title == "polyalanine strand of 103 atoms");
}
