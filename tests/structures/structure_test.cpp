// SPDX-License-Identifier: BSD-3-Clause
// Structures from files: the same atoms and cells as ASE reads (expected.json, made by with_ase.py), and clear refusals.
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <suite/plugin.hpp>

#include <base/structure/formats.hpp>

using namespace suite::app;

namespace {

const std::filesystem::path files = STRUCTURES "/files";

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The first line of what the reader says.
std::string refusal(const std::string& name, const std::string& text) {
  try {
    parse_structure(name, text);
  } catch (const suite::Failure& failure) {
    const std::string said = failure.what();
    return said.substr(0, said.find('\n'));
  }
  return "it was read";
}

// A text with one part of it replaced.
std::string with(std::string text, const std::string& part, const std::string& instead) {
  const size_t at = text.find(part);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), instead);
}

Vector fractions(const Cell& cell, const Vector& r) {
  const double v = volume(cell);
  Vector f{};
  for (size_t i = 0; i < 3; ++i) {
    Cell changed = cell;
    changed[i] = r;
    f[i] = volume(changed) / v;
  }
  return f;
}

// Distance to the nearest image.
double apart(const Structure& structure, const Vector& a, const Vector& b) {
  Vector r{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  if (structure.cell) {
    Vector f = fractions(*structure.cell, r);
    for (double& x : f) x -= std::round(x);
    r = position_in(*structure.cell, f);
  }
  return std::hypot(r[0], r[1], r[2]);
}

const std::string silicon_fcc =
    "&system\n  ibrav=2, celldm(1) = 10.0d0, nat= 2, ntyp =1 ! two atoms\n/\n"
    "ATOMIC_POSITIONS (alat)\n Si1 0 0 0\n si_a 0.25 0.25 0.25\nK_POINTS gamma\n";

}  // namespace

BOOST_AUTO_TEST_CASE(files_are_read_as_ase_reads_them) {
  const auto expected = nlohmann::json::parse(text_of(STRUCTURES "/expected.json")).at("structures");
  size_t seen = 0;
  for (const auto& [name, stored] : expected.items()) {
    BOOST_TEST_CONTEXT(name) {
      const Structure ours = read_structure(files / name);
      const auto elements = stored.at("elements").get<std::vector<std::string>>();
      const auto positions = stored.at("positions").get<std::vector<Vector>>();
      BOOST_REQUIRE(ours.atoms.size() == elements.size());
      BOOST_REQUIRE(ours.cell.has_value() == !stored.at("cell").is_null());
      // Lengths of the codes' bohr differ in the tenth digit.
      constexpr double tolerance = 1e-6;
      if (ours.cell)
        for (size_t i = 0; i < 9; ++i)
          BOOST_TEST(std::abs((*ours.cell)[i / 3][i % 3] - stored["cell"][i / 3][i % 3].get<double>()) <= tolerance);
      std::vector<bool> taken(elements.size(), false);
      for (const auto& atom : ours.atoms) {
        size_t same = elements.size();
        for (size_t i = 0; i < elements.size(); ++i)
          if (!taken[i] && elements[i] == atom.element && apart(ours, atom.position, positions[i]) <= tolerance) same = i;
        BOOST_TEST_REQUIRE(same < elements.size(), atom.element);
        taken[same] = true;
      }
      ++seen;
    }
  }
  BOOST_TEST(seen == static_cast<size_t>(std::distance(std::filesystem::directory_iterator(files), {})));
}

// ASE reads ibrav = 0 only. The vectors are those of pw.x's description of its input.
BOOST_AUTO_TEST_CASE(lattices_of_pw_are_built) {
  constexpr double bohr = 0.52917721092;
  const Structure fcc = parse_structure("si.in", silicon_fcc);
  BOOST_REQUIRE(fcc.atoms.size() == 2);
  BOOST_TEST(fcc.atoms[1].element == "Si");
  BOOST_TEST(fcc.atoms[1].position[2] == 2.5 * bohr, boost::test_tools::tolerance(1e-12));
  BOOST_TEST((*fcc.cell)[0][0] == -5 * bohr, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(volume(*fcc.cell) == 250 * bohr * bohr * bohr, boost::test_tools::tolerance(1e-12));
  const auto volume_of = [](const std::string& lattice) {
    return volume(*parse_structure("a.in", "&system\n" + lattice + " nat=1\n/\nATOMIC_POSITIONS crystal\nH 0 0 0\n").cell);
  };
  BOOST_TEST(volume_of("ibrav=1 A=3.0") == 27.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(volume_of("ibrav=3 A=3.0") == 13.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(volume_of("ibrav=4 A=2.0, C=3.0") == 6 * std::sqrt(3.0), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(volume_of("ibrav=6, A=2.0, C=3.0") == 12.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(volume_of("ibrav=7, A=2.0, C=3.0") == 6.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(volume_of("ibrav=8, A=2.0, B=2.5, C=3.0") == 15.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(edges_are_those_of_orthorhombic_cells_only) {
  const auto box = orthorhombic_edges(read_structure(files / "POSCAR"));
  BOOST_REQUIRE(box.has_value());
  BOOST_TEST((*box)[1] == 13.0);
  BOOST_TEST(!orthorhombic_edges(read_structure(files / "triclinic.cif")).has_value());
  BOOST_TEST(!orthorhombic_edges(read_structure(files / "CONTCAR_volume")).has_value());
  BOOST_TEST(!orthorhombic_edges(read_structure(files / "water.xyz")).has_value());
}

BOOST_AUTO_TEST_CASE(mistakes_in_cif_are_told_with_line_and_column) {
  const std::string good = text_of(files / "triclinic.cif");
  const auto said = [&](const std::string& part, const std::string& instead) { return refusal("t.cif", with(good, part, instead)); };
  BOOST_TEST(said("N2 0.5 0.5 0.5", "N2 0.5 0.5 zero") == "t.cif:19:12: error: fract_z must be a number; got 'zero'");
  BOOST_TEST(said("N2 0.5 0.5 0.5", "N2 0.5 ? 0.5") == "t.cif:19:8: error: fract_y is unknown ('?')");
  BOOST_TEST(said("N2 0.5 0.5 0.5", "N2 0.5 nan 0.5") == "t.cif:19:8: error: fract_y must be a number; got 'nan'");
  BOOST_TEST(said("N2 0.5 0.5 0.5", "N2 0.5 0.5") == "t.cif:14:1: error: the loop has 7 values, which do not fill its 4 columns");
  BOOST_TEST(said("N2 ", "Qq ") == "t.cif:19:1: error: there is no element 'Qq'");
  BOOST_TEST(said("'-x, -y, -z'", "'-x, -y, -q'") ==
             "t.cif:12:1: error: must be a symmetry operation such as -x,y+1/2,-z; got '-x, -y, -q'");
  BOOST_TEST(said("'-x, -y, -z'", "'-x, -x, -z'") ==
             "t.cif:12:1: error: must be a symmetry operation such as -x,y+1/2,-z; got '-x, -x, -z'");
  BOOST_TEST(said("'-x, -y, -z'", "'-x, -y, -z") == "t.cif:12:1: error: the quote that opens here is not closed on its line");
  BOOST_TEST(said("_cell_length_a 4.1", "_cell_length_a -4.1") == "t.cif:2:16: error: _cell_length_a must be above 0; got '-4.1'");
  BOOST_TEST(said("_cell_length_a 4.1", "_cell_length_a") == "t.cif:2:1: error: _cell_length_a has no value");
  BOOST_TEST(said("_cell_length_a 4.1\n", "") == "t.cif:18:12: error: _cell_length_a is missing");
  BOOST_TEST(said("gamma 103", "gamma 179") == "t.cif:5:19: error: angles of 81.5, 97.25 and 179 degrees do not form a cell");
  BOOST_TEST(said("data_triclinic\n", "") == "t.cif:1:1: error: a CIF begins with data_NAME; got '_cell_length_a'");
  const std::string quartz = text_of(files / "quartz.cif");
  BOOST_TEST(refusal("q.cif", with(quartz, "_atom_site_U_iso_or_equiv\nSi1 0.4697 0.0000 0.0000 0.008",
                                   "_atom_site_occupancy\nSi1 0.4697 0.0000 0.0000 0.5")) ==
             "q.cif:28:26: error: site 'Si1' is occupied to 0.5; only fully occupied sites can be computed");
  const size_t loop = quartz.find("loop_"), atoms = quartz.find("loop_", loop + 1);
  BOOST_TEST(refusal("q.cif", quartz.substr(0, loop) + quartz.substr(atoms)) ==
             "q.cif:12:27: error: space group 'P 32 2 1' without its operations; a file with _symmetry_equiv_pos_as_xyz has them");
  BOOST_TEST(refusal("q.cif", with(quartz, "\n;\n_cell", "\n_cell")) ==
             "q.cif:3:1: error: the text that opens here is not closed by a line that begins with ';'");
}

BOOST_AUTO_TEST_CASE(mistakes_in_poscar_are_told_with_line_and_column) {
  const std::string good = text_of(files / "gallium_arsenide.vasp");
  const auto said = [&](const std::string& part, const std::string& instead) { return refusal("POSCAR", with(good, part, instead)); };
  BOOST_TEST(said("Ga As\n", "") ==
             "POSCAR:6:1: error: the elements are missing before the numbers of atoms (VASP 5 and later write them)");
  BOOST_TEST(said("4 4\n", "4 -4\n") == "POSCAR:7:3: error: the number of atoms of As must be 1..100000; got '-4'");
  BOOST_TEST(said("4 4\n", "4 5\n") == "POSCAR:17:1: error: the file announces 9 atoms, but has 8");
  BOOST_TEST(said("Ga As", "Ga Xx") == "POSCAR:6:4: error: there is no element 'Xx'");
  BOOST_TEST(said(" 0 0 1\n", " 0 1 0\n") == "POSCAR:3:2: error: the cell has no volume");
  BOOST_TEST(said("5.6533", "0") == "POSCAR:2:1: error: the scale must not be 0");
  BOOST_TEST(said(" 0.75 0.75 0.25", " 0.75 inf 0.25") == "POSCAR:16:7: error: coordinate y must be a number; got 'inf'");
  BOOST_TEST(said("cartesian", "polar") == "POSCAR:8:1: error: must be 'Direct' or 'Cartesian'; got 'polar'");
}

BOOST_AUTO_TEST_CASE(mistakes_in_pw_inputs_are_told_with_line_and_column) {
  const auto said = [&](const std::string& part, const std::string& instead) { return refusal("pw.in", with(silicon_fcc, part, instead)); };
  BOOST_TEST(said("ibrav=2", "ibrav=14") == "pw.in:2:9: error: ibrav 14 is not read here (known: 0, 1, 2, 3, 4, 6, 7, 8)");
  BOOST_TEST(said("ibrav=2", "ibrav=0") == "pw.in:8:1: error: ibrav is 0, but there is no card CELL_PARAMETERS");
  BOOST_TEST(said("nat= 2", "nat= -2") == "pw.in:2:37: error: nat must be 1..100000; got '-2'");
  BOOST_TEST(said("nat= 2", "nat= 3") == "pw.in:7:10: error: coordinate x must be a number; got 'gamma'");
  BOOST_TEST(said("10.0d0", "ten") == "pw.in:2:24: error: celldm(1) must be a number; got 'ten'");
  BOOST_TEST(said("(alat)", "(furlong)") ==
             "pw.in:4:18: error: ATOMIC_POSITIONS must be in alat, bohr, angstrom or crystal; got 'furlong'");
  BOOST_TEST(said("\n/\n", "\n") == "pw.in:7:1: error: a namelist is not closed by '/'");
  BOOST_TEST(refusal("pw.in", "") == "pw.in:1:1: error: there is no namelist &system");
}

BOOST_AUTO_TEST_CASE(mistakes_in_extended_xyz_are_told_with_line_and_column) {
  const std::string good = text_of(files / "columns.extxyz");
  const auto said = [&](const std::string& part, const std::string& instead) { return refusal("a.xyz", with(good, part, instead)); };
  BOOST_TEST(said("0.5 0.0 5.0\"", "0.5 0.0\"") == "a.xyz:2:22: error: Lattice has 8 numbers; it needs 9");
  BOOST_TEST(said("0.5 0.0 5.0\"", "0.5 0.0 five\"") == "a.xyz:2:54: error: a component of Lattice must be a number; got 'five'");
  BOOST_TEST(said("pos:R:3", "pos:R") ==
             "a.xyz:2:70: error: Properties must be name:type:columns groups such as species:S:1:pos:R:3; got "
             "'id:I:1:species:S:1:forces:R:3:pos:R'");
  BOOST_TEST(said("species", "mass").find("Properties must contain species:S:1 and pos:R:3") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(unknown_names_are_refused) {
  BOOST_TEST(refusal("atoms.pdb", "x") ==
             "atoms.pdb: error: unknown format of a structure; known names: *.cif, POSCAR, CONTCAR, *.vasp, *.xyz, "
             "*.extxyz, *.in (pw.x)");
}

BOOST_AUTO_TEST_CASE(damaged_structures_are_read_or_refused) {
  std::mt19937 random(11);
  size_t refused = 0, tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(files)) {
    const std::string name = entry.path().filename().string(), good = text_of(entry.path());
    for (int i = 0; i < 150; ++i, ++tried) {
      std::string text = i % 3 ? good : good.substr(0, random() % good.size());
      for (unsigned k = random() % 4; k > 0 && !text.empty(); --k) text[random() % text.size()] = static_cast<char>(random());
      try {
        for (const auto& atom : parse_structure(name, text).atoms)
          for (const double x : atom.position) BOOST_TEST_REQUIRE(std::isfinite(x));
      } catch (const suite::Failure&) { ++refused; }
    }
  }
  BOOST_TEST(refused > tried / 3);
}
