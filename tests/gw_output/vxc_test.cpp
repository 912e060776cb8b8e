// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include "files.hpp"
#include "gw/vxc.hpp"

using namespace suite::gw;

BOOST_AUTO_TEST_CASE(the_silicon_file_is_read) {
  const ExchangeCorrelation vxc(test::source / "inputs/data/silicon/vxc.dat");
  BOOST_TEST(vxc.kpoints().size() == 10u);
  BOOST_TEST(vxc.at({0, 0, 0}, 1) == -10.446722719);
  BOOST_TEST(vxc.at({0, 0, 1}, 2) == -11.250185590);  // the same k in another cell
  BOOST_TEST(vxc.at({0, 0.2000004, 0.4}, 14) == vxc.at({0, 0.2, 0.4}, 14));
}

BOOST_AUTO_TEST_CASE(vxc_between_two_bands) {
  const test::TemporaryFile file("vxc.dat", "0 0 0 1 2\n 1 1 -5.0 0\n 1 1 1 -5.0 0\n 1 1 2 0.1 0.2\n0 0 0.5 1 0\n 1 1 -6.0 0\n");
  const ExchangeCorrelation vxc(file.path());
  BOOST_TEST(vxc.at({0, 0, 0.5}, 1) == -6.0);
  using Complex = std::complex<double>;
  BOOST_TEST((vxc.between({0, 0, 1}, 1, 2) == Complex(0.1, 0.2)));
  BOOST_TEST((vxc.between({0, 0, 0}, 2, 1) == Complex(0.1, -0.2)));
  BOOST_TEST((vxc.between({0, 0, 0}, 1, 1) == Complex(-5)));
  BOOST_TEST((vxc.between({0, 0, 0.5}, 1, 1) == Complex(-6)));  // from the diagonal
  BOOST_TEST(!vxc.between({0, 0, 0.5}, 1, 2).has_value());
  BOOST_TEST((vxc.between({0, 0, 0}, 1, 2, 2) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_file_is_said_with_its_line) {
  const auto message = [](const std::string& text) {
    const test::TemporaryFile file("vxc.dat", text);
    const std::string said = test::failure([&] { ExchangeCorrelation{file.path()}; }), prefix = file.path().string();
    return said.substr(0, prefix.size()) == prefix ? said.substr(prefix.size()) : said;
  };
  BOOST_TEST(message("") == ": no k points in the file");
  BOOST_TEST(message("hello\n") == ":1: expected a k-point line 'k1 k2 k3 ndiag noffdiag', got 'hello'");
  BOOST_TEST(message("0 0 0 2 0\n1 1 -5 0\n") == ":3: the file ends after 1 of 2 elements of k = (0 0 0)");
  BOOST_TEST(message("0 0 0 1 0\n\n1 1 -5\n") == ":3: expected 'spin band re im', got '1 1 -5'");
  BOOST_TEST(message("0 0 0 1 0\n1 1 -5 0 0\n") == ":2: expected 'spin band re im', got '1 1 -5 0 0'");
  BOOST_TEST(message("0 0 0 1 0\n1 one -5 0\n") == ":2: expected 'spin band re im', got '1 one -5 0'");
  BOOST_TEST(message("0 0 0 1 0\n3 1 -5 0\n") == ":2: spin is 3; it can be 1 or 2");
  BOOST_TEST(message("0 0 0 1 0\n1 0 -5 0\n") == ":2: band is 0; bands count from 1");
  BOOST_TEST(message("0 0 0 2 0\n1 1 -5 0\n1 1 -5 0\n") == ":3: band 1 of spin 1 is given twice for k = (0 0 0)");
  BOOST_TEST(message("0 0 0 -1 0\n") == ":1: counts of -1 diagonal and 0 other elements make no sense");
  BOOST_TEST(message("0 0 0 0 1\n1 1 -5 0\n") == ":2: expected 'spin band band re im', got '1 1 -5 0'");
  BOOST_TEST(message("0 0 0 0 1\n1 1 0 -5 0\n") == ":2: band is 0; bands count from 1");
  BOOST_TEST(message("0 0 0 0 2\n1 1 2 -5 0\n1 1 2 -5 0\n") == ":3: bands 1 and 2 of spin 1 are given twice for k = (0 0 0)");
  BOOST_TEST(test::failure([] { ExchangeCorrelation{"/no/such/vxc.dat"}; }) == "cannot open /no/such/vxc.dat");
}

BOOST_AUTO_TEST_CASE(what_a_file_does_not_have_is_said) {
  const test::TemporaryFile file("vxc.dat", "0 0 0 1 0\n 1 1 -5.0 0\n");
  const ExchangeCorrelation vxc(file.path());
  BOOST_TEST(test::failure([&] { vxc.at({0, 0, 0.25}, 1); }) == file.path().string() + " has no k point (0 0 0.25) among its 1");
  BOOST_TEST(test::failure([&] {
               vxc.at({0, 0, 0}, 2);
             }) == file.path().string() + " has no band 2 of spin 1 at k = (0 0 0), only 1 other elements");
}
