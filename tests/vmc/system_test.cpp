// SPDX-License-Identifier: BSD-3-Clause
// Cells, closed shells, stars, and the parameters of the Jastrow factor.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include "../../plugins/qmc/jastrow.hpp"
#include "jastrow.hpp"
#include "system.hpp"

using namespace suite::vmc;

namespace {

System gas(Lattice lattice, int32_t up, int32_t down, double rs = 5) { return make_system(rs, lattice, {}, up, down); }

double u(const Jastrow& j, int set, double r) {
  return suite::qmc::u_of_pair(j.form, &j.alpha[static_cast<size_t>(set * j.nalpha)], j.nalpha, j.L_u, j.truncation, r).value;
}

std::string refusal(Lattice lattice, int32_t up, int32_t down) {
  try {
    gas(lattice, up, down);
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(closed_shells_of_the_cubic_cells) {
  const std::vector<int32_t> sc{1, 7, 19, 27, 33, 57, 81, 93, 123, 147, 171, 179, 203, 251, 257, 305, 341, 365, 389};
  const std::vector<int32_t> fcc{1, 9, 15, 27, 51, 59, 65, 89, 113, 137, 169, 181, 229, 259, 283, 307, 331, 339, 387};
  const std::vector<int32_t> bcc{1, 13, 19, 43, 55, 79, 87, 135, 141, 177, 201, 225, 249, 321, 369};
  BOOST_TEST(closed_shells(gas(Lattice::sc, 7, 7).cell, 389) == sc, boost::test_tools::per_element());
  BOOST_TEST(closed_shells(gas(Lattice::fcc, 9, 9).cell, 387) == fcc, boost::test_tools::per_element());
  BOOST_TEST(closed_shells(gas(Lattice::bcc, 13, 13).cell, 369) == bcc, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(density_sets_the_volume) {
  const System some[] = {gas(Lattice::sc, 27, 27), gas(Lattice::fcc, 27, 9), gas(Lattice::bcc, 19, 0)};
  for (const System& s : some)
    BOOST_TEST(s.volume() == 4 * std::numbers::pi / 3 * 125 * static_cast<double>(s.netot()), boost::test_tools::tolerance(1e-13));
  const double edge = std::cbrt(gas(Lattice::sc, 7, 7).volume());
  BOOST_TEST(gas(Lattice::sc, 7, 7).inscribed_radius() == edge / 2, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(edge / 2 == 9.7128248447,
             boost::test_tools::tolerance(1e-10));  // QMCPACK's r_cut of heg_14_gamma
  const double fcc = std::cbrt(4 * gas(Lattice::fcc, 27, 27).volume());
  BOOST_TEST(gas(Lattice::fcc, 27, 27).inscribed_radius() == fcc / std::sqrt(8.0), boost::test_tools::tolerance(1e-13));
  // A given cell keeps its shape, not its size.
  const System given = make_system(5, Lattice::given, {2, 0, 0, 0, 2, 0, 0, 0, 2}, 7, 7);
  BOOST_TEST(given.cell[0] == edge, boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(open_shells_are_refused_with_the_nearest_closed_ones) {
  BOOST_TEST(refusal(Lattice::sc, 7, 8) ==
             "8 electrons with spin down leave a shell of plane waves open; the nearest closed shells have 7 and 19");
  BOOST_TEST(refusal(Lattice::fcc, 338, 338) ==
             "676 electrons leave a shell of plane waves open; the nearest closed shells have 662 and 678");
  BOOST_TEST(refusal(Lattice::fcc, 339, 339) == "");
  BOOST_TEST(refusal(Lattice::sc, 1, 0) == "");
  BOOST_TEST(refusal(Lattice::sc, 2, 3).find("2 electrons with spin up") == 0U);
}

BOOST_AUTO_TEST_CASE(plane_waves_fill_the_shells) {
  const System s = gas(Lattice::sc, 27, 7);
  BOOST_TEST(s.nkvec() == 13);
  int32_t longest = 0;
  for (size_t i = 0; i < s.kvec.size(); i += 3)
    longest = std::max(longest, s.kvec[i] * s.kvec[i] + s.kvec[i + 1] * s.kvec[i + 1] + s.kvec[i + 2] * s.kvec[i + 2]);
  BOOST_TEST(longest == 3);
}

BOOST_AUTO_TEST_CASE(stars_of_the_cubic_cells) {
  const std::pair<Lattice, std::vector<size_t>> known[] = {{Lattice::sc, {3, 9, 13, 16, 28, 40, 46, 61, 73, 85}},
                                                           {Lattice::fcc, {4, 7, 13, 25, 29, 32, 44, 56, 68, 84}},
                                                           {Lattice::bcc, {6, 9, 21, 27, 39, 43, 67, 70, 88, 100}}};
  for (const auto& [lattice, ends] : known)
    for (size_t count = 1; count <= ends.size(); ++count) {
      const Stars found = stars(gas(lattice, 1, 1).cell, static_cast<int>(count));
      BOOST_TEST(found.star.size() == ends[count - 1]);
      BOOST_TEST(found.gvec.size() == 3 * ends[count - 1]);
      BOOST_TEST(found.length.size() == count);
      BOOST_TEST(found.star.back() == static_cast<int32_t>(count));
    }
}

BOOST_AUTO_TEST_CASE(cusps_are_kept_by_every_set_of_parameters) {
  const System s = gas(Lattice::sc, 7, 7);
  for (const Form form : {Form::polynomial, Form::bspline})
    for (const int nset : {1, 2, 3}) {
      JastrowShape shape;
      shape.form = form, shape.L_u = s.inscribed_radius(), shape.nset_u = nset;
      Jastrow j = rpa_jastrow(s, shape);
      auto values = parameters(j);
      BOOST_TEST(values.size() == static_cast<size_t>(8 * nset));
      for (size_t i = 0; i < values.size(); ++i) values[i] *= 1 + 0.1 * static_cast<double>(i);
      set_parameters(s, j, values);
      BOOST_TEST(parameters(j) == values, boost::test_tools::per_element());
      BOOST_TEST(parameter_names(j).size() == values.size());
      for (int set = 0; set < nset; ++set) {
        const double h = 1e-5, slope = (4 * u(j, set, h) - 3 * u(j, set, 0) - u(j, set, 2 * h)) / (2 * h);
        BOOST_TEST(slope == (nset > 1 && set != 1 ? 0.25 : 0.5), boost::test_tools::tolerance(1e-6));
        BOOST_TEST(u(j, set, j.L_u) == 0);
      }
    }
  const System polarised = gas(Lattice::sc, 7, 0);
  BOOST_TEST(cusp_slope(polarised, 1, 0) == 0.25);
}

// Where u is short against the cell, u'' + 2 u'/r is that of -A/r (1 - exp(-r/F)), which is A exp(-r/F)/(F^2
// r).
BOOST_AUTO_TEST_CASE(the_fit_follows_the_random_phase_approximation) {
  const System s = gas(Lattice::sc, 257, 257, 1);
  JastrowShape shape;
  shape.L_u = s.inscribed_radius(), shape.stars = 5;
  const Jastrow j = rpa_jastrow(s, shape);
  const double A = std::sqrt(1 / 3.0);
  for (int set = 0; set < 2; ++set) {
    const double F = std::sqrt(A / (set == 0 ? 0.5 : 1.0));
    for (const double r : {0.1, 0.3, 0.6}) {
      const auto u = suite::qmc::u_of_pair(j.form, &j.alpha[static_cast<size_t>(set * j.nalpha)], j.nalpha, j.L_u, j.truncation, r);
      BOOST_TEST(u.second + 2 * u.first / r == A * std::exp(-r / F) / (F * F * r), boost::test_tools::tolerance(0.1));
    }
  }
  BOOST_TEST(j.a.size() == 5U);
  for (size_t star = 1; star < 5; ++star) BOOST_TEST(std::abs(j.a[star]) < std::abs(j.a[star - 1]));
  BOOST_TEST(j.a[0] < 0);
}

BOOST_AUTO_TEST_CASE(cutoffs_beyond_the_inscribed_sphere_are_refused) {
  const System s = gas(Lattice::sc, 7, 7);
  JastrowShape shape;
  shape.L_u = 9.8;
  BOOST_CHECK_EXCEPTION(check(s, rpa_jastrow(s, shape)), suite::Failure, [](const suite::Failure& f) {
    return std::string(f.what()).find("the cutoff of u is 9.8 bohr; it may be at most 9.71282") == 0;
  });
}
