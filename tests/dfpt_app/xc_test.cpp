// SPDX-License-Identifier: BSD-3-Clause
// Exchange and correlation against the electron gas, their own derivatives, and the app's, which are libxc's where it is there.
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <base/xc/xc.hpp>

using namespace suite::app;

namespace {

constexpr Xc all[] = {Xc::pw92, Xc::pz81, Xc::vwn5};
double density(double rs) { return 3 / (4 * std::numbers::pi * rs * rs * rs); }

void check_below(const char* what, Xc xc, double rs, double error, double tolerance) {
  BOOST_TEST((error <= tolerance),
             name_of(xc) << " at rs = " << rs << ": " << what << " is off by " << error << ", more than " << tolerance);
}

}  // namespace

// Quantum Monte Carlo (Ceperley and Alder, Phys. Rev. Lett. 45, 566 (1980), as tabulated by Perdew and
// Zunger), which all three were fitted to within 0.5 mHa.
BOOST_AUTO_TEST_CASE(correlation_is_that_of_the_electron_gas) {
  const std::map<double, double> published{{1, -0.0598}, {2, -0.0451}, {5, -0.0281}, {10, -0.0186}, {20, -0.0115}, {50, -0.0057}};
  for (const Xc xc : all)
    for (const auto& [rs, ec] : published) {
      const double exchange = -0.75 * std::pow(2.25 / (std::numbers::pi * std::numbers::pi), 1.0 / 3) / rs;
      check_below("correlation", xc, rs, std::abs(own_exchange_correlation(xc, density(rs)).e - exchange - ec), 6e-4);
    }
}

// Central differences of fourth order with a step of 1e-3 are good to 1e-10; rounding adds 1e-12.
BOOST_AUTO_TEST_CASE(potentials_are_derivatives) {
  for (const Xc xc : all)
    for (const double rs : {0.01, 0.3, 0.97, 1.1, 3.0, 20.0, 300.0}) {
      const double n = density(rs), h = 1e-3 * n;
      const auto derivative = [&](auto&& f) { return (8 * (f(n + h) - f(n - h)) - (f(n + 2 * h) - f(n - 2 * h))) / (12 * h); };
      const XcValues here = own_exchange_correlation(xc, n);
      const double v = derivative([&](double at) { return at * own_exchange_correlation(xc, at).e; });
      const double f = derivative([&](double at) { return own_exchange_correlation(xc, at).v; });
      check_below("v/(d(n e)/dn) - 1", xc, rs, std::abs(here.v / v - 1), 1e-9);
      check_below("f/(dv/dn) - 1", xc, rs, std::abs(here.f / f - 1), 1e-9);
    }
}

BOOST_AUTO_TEST_CASE(empty_space_has_nothing) {
  for (const Xc xc : all)
    for (const double n : {0.0, 1e-30, -1e-10}) {
      const XcValues here = own_exchange_correlation(xc, n);
      BOOST_TEST((here.e == 0 && here.v == 0 && here.f == 0));
    }
}

// The app's functionals, libxc's where it is there, beside our own. libxc's VWN has A = (1 - ln 2)/pi^2 where ours has 0.0310907.
BOOST_AUTO_TEST_CASE(libxc_agrees) {
  const std::vector<double> rs{0.01, 0.3, 0.97, 1.1, 3.0, 20.0};
  std::vector<double> n;
  for (const double r : rs) n.push_back(density(r));
  n.insert(n.end(), {0.0, 1e-30, -1e-10});
  for (const Xc xc : all) {
    const std::vector<XcValues> here = exchange_correlation(xc, n);
    BOOST_REQUIRE_EQUAL(here.size(), n.size());
    const double tolerance = xc == Xc::vwn5 ? 1e-6 : 1e-11;
    for (size_t i = 0; i < n.size(); ++i) {
      const XcValues own = own_exchange_correlation(xc, n[i]);
      if (i >= rs.size()) {
        BOOST_TEST((here[i].e == 0 && here[i].v == 0 && here[i].f == 0));
        continue;
      }
      check_below("e", xc, rs[i], std::abs(here[i].e / own.e - 1), tolerance);
      check_below("v", xc, rs[i], std::abs(here[i].v / own.v - 1), tolerance);
      check_below("f", xc, rs[i], std::abs(here[i].f / own.f - 1), 10 * tolerance);
    }
  }
}

// More points than libxc is given at a time, and densities that are not sorted.
BOOST_AUTO_TEST_CASE(every_point_gets_its_own_values) {
  std::vector<double> n(2500);
  for (size_t i = 0; i < n.size(); ++i) n[i] = i % 3 == 0 ? 0 : density(0.5 + static_cast<double>(i * 37 % 101));
  for (const Xc xc : all) {
    const std::vector<XcValues> here = exchange_correlation(xc, n);
    for (size_t i = 0; i < n.size(); ++i) {
      const XcValues own = own_exchange_correlation(xc, n[i]);
      BOOST_REQUIRE((std::abs(here[i].v - own.v) <= 1e-6 * std::abs(own.v)));
    }
  }
}
