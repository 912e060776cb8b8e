// SPDX-License-Identifier: BSD-3-Clause
// XYZ files: what is read, what is refused and where.
#include <random>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <base/structure/formats.hpp>

using namespace suite::app;

namespace {

const std::string water_xyz =
    "3\n"
    "water, 1 2 3 4\n"
    "O   0.0  0.0   0.117\n"
    "h   0.0  7.57d-1 -0.467  0.25 a_column_more\n"
    "H   0 -.757 -0.467\n"
    "\n";

// The first line of what the reader says.
std::string refusal(const std::string& text) {
  try {
    parse_xyz("m.xyz", text);
  } catch (const suite::Failure& failure) {
    const std::string said = failure.what();
    return said.substr(0, said.find('\n'));
  }
  return "it was read";
}

}  // namespace

BOOST_AUTO_TEST_CASE(geometries_are_read) {
  const Structure xyz = parse_xyz("m.xyz", water_xyz);
  BOOST_TEST(xyz.title == "water, 1 2 3 4");
  BOOST_REQUIRE(xyz.atoms.size() == 3);
  BOOST_TEST(xyz.atoms[0].element == "O");
  BOOST_TEST(xyz.atoms[1].element == "H");
  BOOST_TEST(xyz.atoms[0].position[2] == 0.117);
  BOOST_TEST(xyz.atoms[1].position[1] == 0.757);
  BOOST_TEST(xyz.atoms[2].position[1] == -0.757);
  BOOST_TEST(xyz.atoms[2].position[2] == -0.467);
  const Structure dos = parse_xyz("m.xyz", "1\r\n\r\nSI 1 2 3\r\n");
  BOOST_TEST(dos.title == "");
  BOOST_TEST(dos.atoms[0].element == "Si");
  BOOST_TEST(dos.atoms[0].position[2] == 3.0);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  const Structure xyz = parse_xyz("m.xyz", water_xyz), again = parse_xyz("m.xyz", xyz_text(xyz));
  BOOST_TEST(again.title == xyz.title);
  BOOST_REQUIRE(again.atoms.size() == xyz.atoms.size());
  for (size_t i = 0; i < 3; ++i) {
    BOOST_TEST(again.atoms[i].element == xyz.atoms[i].element);
    BOOST_TEST(again.atoms[i].position == xyz.atoms[i].position);
  }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_with_line_and_column) {
  BOOST_TEST(refusal("") == "m.xyz:1:1: error: the number of atoms in the first line is missing at the end of the file");
  BOOST_TEST(refusal("\n\nH 0 0 0\n") == "m.xyz:3:1: error: the number of atoms in the first line is missing");
  BOOST_TEST(refusal("water\n\nH 0 0 0\n") ==
             "m.xyz:1:1: error: the number of atoms in the first line must be a whole number; got 'water'");
  BOOST_TEST(refusal("0\n\n") == "m.xyz:1:1: error: the number of atoms in the first line must be 1..100000; got '0'");
  BOOST_TEST(refusal("2\n\nH 0 0 0\n") == "m.xyz:4:1: error: the first line announces 2 atoms, but the file has 1");
  BOOST_TEST(refusal("2") == "m.xyz:2:1: error: the first line announces 2 atoms, but the file has 0");
  BOOST_TEST(refusal("1\n\nH 0 0 0\n  O 1 1 1\n") == "m.xyz:4:3: error: the first line announces 1 atom, but there are more lines");
  BOOST_TEST(refusal("1\n\nH 0 0\n") == "m.xyz:3:1: error: coordinate z is missing");
  BOOST_TEST(refusal("1\n\nH 0 zero 0\n") == "m.xyz:3:5: error: coordinate y must be a number; got 'zero'");
  BOOST_TEST(refusal("1\n\nH 0 0 nan\n") == "m.xyz:3:7: error: coordinate z must be a number; got 'nan'");
  BOOST_TEST(refusal("1\n\n C1 0 0 0\n") ==
             "m.xyz:3:2: error: an atom must begin with the symbol of its element, such as H or Si; got 'C1'");
  BOOST_TEST(refusal("1\n\n6 0 0 0\n") == "m.xyz:3:1: error: an atom must begin with the symbol of its element, such as H or Si; got '6'");
}

BOOST_AUTO_TEST_CASE(damaged_files_are_read_or_refused) {
  std::mt19937 random(7);
  size_t refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = water_xyz.substr(0, random() % water_xyz.size());
    if (!text.empty()) text[random() % text.size()] = static_cast<char>(random());
    refused += refusal(text) != "it was read";
  }
  BOOST_TEST(refused > 1000);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_named) {
  BOOST_CHECK_EXCEPTION(read_structure("no_such_file.xyz"), suite::Failure, [](const suite::Failure& failure) {
    return std::string(failure.what()).find("no_such_file.xyz") != std::string::npos;
  });
}
