// SPDX-License-Identifier: BSD-3-Clause
// lfd.compute_vxc against published numbers, its own derivative, and libxc where that is installed.
#include "support.hpp"

#ifdef SUITE_HAVE_LIBXC
#include <xc.h>
#endif

using namespace lfd_test;

namespace {

double density(double rs) { return 3 / (4 * pi * rs * rs * rs); }

struct Result {
  Numbers exc, vxc;
};

// Densities as a row of points, of which there must be an even number.
Result run(Call& call, Numbers rho, const char* functional) {
  if (rho.size() % 2) rho.push_back(1);
  call.forget();
  call.choose("functional", functional);
  const auto n = static_cast<int64_t>(rho.size());
  call.reals("rho", rho, {1, 1, n});
  call.reals("vxc", Numbers(rho.size(), 1e30), {1, 1, n});
  call.reals("exc", Numbers(rho.size(), 1e30), {1, 1, n});
  call.run();
  return {call.get_reals("exc"), call.get_reals("vxc")};
}

double exchange(double rs) { return -0.75 * std::pow(2.25 / (pi * pi), 1.0 / 3) / rs; }

}  // namespace

BOOST_AUTO_TEST_SUITE(functional)

// Correlation energies of the unpolarised electron gas by quantum Monte Carlo (Ceperley and Alder, Phys. Rev.
// Lett. 45, 566 (1980), as tabulated by Perdew and Zunger), which both functionals were fitted to: pz81 to
// 0.1 mHa, pw92 to 0.5 mHa.
BOOST_AUTO_TEST_CASE(correlation_of_the_electron_gas) {
  const std::map<double, double> published{{1, -0.0598}, {2, -0.0451}, {5, -0.0281}, {10, -0.0186}, {20, -0.0115}, {50, -0.0057}};
  for_each("lfd.compute_vxc", Variants::all, [&](Call& call) {
    Numbers rho;
    for (const auto& [rs, ec] : published) rho.push_back(density(rs));
    for (const char* functional : {"pw92", "pz81"}) {
      const Result xc = run(call, rho, functional);
      size_t i = 0;
      for (const auto& [rs, ec] : published) {
        check_below(call, std::string(functional) + " at rs = " + std::to_string(rs) + " off by", std::abs(xc.exc[i++] - exchange(rs) - ec),
                    5e-4);
      }
    }
  });
}

// Numbers of the formulas themselves, worked out with 30 digits: exc and vxc at rs = 0.5, 2 and 20.
BOOST_AUTO_TEST_CASE(values_of_the_formulas) {
  struct Row {
    const char* functional;
    double rs, exc, vxc;
  };
  const Row rows[] = {
      {"pw92", 0.5, -0.9929493224353858353, -1.3068826114129404962}, {"pz81", 0.5, -0.9923806110622600313, -1.3063597575241686452},
      {"pw92", 2, -0.2738421439859868649, -0.3569363439277536018},   {"pz81", 2, -0.2741738602754197991, -0.3572564707786246874},
      {"pw92", 20, -0.0344382520537847643, -0.0448661008505310176},  {"pz81", 20, -0.0344056640226574522, -0.0448355376001227144},
  };
  for_each("lfd.compute_vxc", Variants::all, [&](Call& call) {
    for (const Row& row : rows) {
      const Result xc = run(call, {density(row.rs), 1.0}, row.functional);
      const std::string what = std::string(row.functional) + " at rs = " + std::to_string(row.rs);
      check_below(call, what + ": exc off by", std::abs(xc.exc[0] / row.exc - 1), call.allow(1e-14, 1e-6));
      check_below(call, what + ": vxc off by", std::abs(xc.vxc[0] / row.vxc - 1), call.allow(1e-14, 1e-6));
    }
  });
}

// vxc = d(rho exc)/d rho, by a difference of fourth order.
BOOST_AUTO_TEST_CASE(potential_is_the_derivative_of_the_energy) {
  for_each("lfd.compute_vxc", Variants::standard, [](Call& call) {
    if (call.single()) return;  // differences of single precision numbers say nothing
    for (const char* functional : {"pw92", "pz81"})
      for (const double rs : {0.1, 0.7, 1.5, 4.0, 30.0}) {
        const double n = density(rs), step = 2e-3 * n;
        const Result xc = run(call, {n - 2 * step, n - step, n, n + step, n + 2 * step}, functional);
        const auto energy = [&](int i) { return (n + (i - 2) * step) * xc.exc[i]; };
        const double derivative = (energy(0) - 8 * energy(1) + 8 * energy(3) - energy(4)) / (12 * step);
        check_below(call, std::string(functional) + " at rs = " + std::to_string(rs) + " off by", std::abs(derivative / xc.vxc[2] - 1),
                    1e-10);
      }
  });
}

BOOST_AUTO_TEST_CASE(no_density_gives_nothing) {
  for_each("lfd.compute_vxc", Variants::all, [](Call& call) {
    for (const char* functional : {"pw92", "pz81"}) {
      const Result xc = run(call, {0.0, 1e-21, -1e-3, 1.01e-20, 1e3}, functional);
      for (const int i : {0, 1, 2}) {
        BOOST_CHECK_EQUAL(xc.exc[i], 0);
        BOOST_CHECK_EQUAL(xc.vxc[i], 0);
      }
      for (const int i : {3, 4}) BOOST_CHECK(xc.exc[i] < 0 && xc.vxc[i] < 0 && std::isfinite(xc.vxc[i]));
    }
  });
}

// pz81 is made of two pieces that do not quite meet at rs = 1.
BOOST_AUTO_TEST_CASE(pieces_of_pz81_meet) {
  for_each("lfd.compute_vxc", Variants::standard, [](Call& call) {
    const Result xc = run(call, {density(0.9999), density(1.0001)}, "pz81");
    check_below(call, "step of exc", std::abs(xc.exc[0] - xc.exc[1]), 2e-4);
    check_below(call, "step of vxc", std::abs(xc.vxc[0] - xc.vxc[1]), 3e-4);
  });
}

BOOST_AUTO_TEST_CASE(agrees_with_libxc) {
#ifdef SUITE_HAVE_LIBXC
  Numbers rho;
  for (double rs = 0.05; rs < 60; rs *= 1.07) rho.push_back(density(rs));
  for_each("lfd.compute_vxc", Variants::all, [&](Call& call) {
    for (const auto& [functional, id] : {std::pair("pw92", XC_LDA_C_PW_MOD), std::pair("pz81", XC_LDA_C_PZ)}) {
      Numbers energy(rho.size()), potential(rho.size());
      for (const int part : {XC_LDA_X, id}) {
        xc_func_type f;
        BOOST_REQUIRE_EQUAL(xc_func_init(&f, part, XC_UNPOLARIZED), 0);
        Numbers e(rho.size()), v(rho.size());
        xc_lda_exc_vxc(&f, rho.size(), rho.data(), e.data(), v.data());
        xc_func_end(&f);
        for (size_t i = 0; i < rho.size(); ++i) {
          energy[i] += e[i];
          potential[i] += v[i];
        }
      }
      const Result xc = run(call, rho, functional);
      double worst = 0;
      for (size_t i = 0; i < rho.size(); ++i) {
        worst = std::max(worst, std::abs(xc.exc[i] / energy[i] - 1));
        worst = std::max(worst, std::abs(xc.vxc[i] / potential[i] - 1));
      }
      // libxc writes some constants of pw92 with more digits than its authors.
      check_below(call, std::string(functional) + " relative", worst, call.allow(2e-7, 2e-6));
    }
  });
#else
  BOOST_TEST_MESSAGE("SKIPPED: libxc (libxc-dev) was not found");
#endif
}

BOOST_AUTO_TEST_SUITE_END()
