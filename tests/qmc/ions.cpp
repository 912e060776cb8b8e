// SPDX-License-Identifier: BSD-3-Clause
// Electrons and ions, in open space and in a cell.
#include "support.hpp"

using namespace qmc_test;

namespace {

// All pairs of 5 ions and 7 electrons; an empty cell is open space.
Numbers distances(Call& call, const Numbers& cell, const Numbers& rion, const Numbers& r) {
  const int64_t nion = static_cast<int64_t>(rion.size()) / 3, npos = static_cast<int64_t>(r.size()) / 3;
  call.forget();
  if (!cell.empty()) call.numbers("cell", cell, {3, 3});
  call.numbers("rion", rion, {3, nion});
  call.numbers("r", r, {3, npos, 1});
  call.numbers("eivecs", Numbers(static_cast<size_t>(4 * nion * npos), 1e30), {4, nion, npos, 1});
  call.run();
  return call.get_numbers("eivecs");
}

// A molecule or a crystal with a chi term; an empty cell is open space.
struct Chi {
  Numbers cell, rion, rele, beta, L, slope;
  Indices set_of_ion;
  int64_t nup = 1, ndn = 0, nwalker = 1, nspin = 1;
  int32_t C = 3;
  int64_t netot() const { return nup + ndn; }
  int64_t nset() const { return static_cast<int64_t>(L.size()); }
  int64_t nbeta() const { return static_cast<int64_t>(beta.size()) / (nspin * nset()); }
};

struct ChiSums {
  Numbers value, gradient, laplacian, dvalue, dgradient, dlaplacian;
};
// One electron at positions rnew (from 1) or all.
ChiSums term(Call& call, const Chi& x, bool derivatives = false, int32_t ie = 0, const Numbers& rnew = {}) {
  const int64_t W = x.nwalker, npos = ie ? static_cast<int64_t>(rnew.size()) / (3 * W) : x.netot(), nion = std::ssize(x.set_of_ion);
  call.forget();
  if (!x.cell.empty()) call.numbers("cell", x.cell, {3, 3});
  call.numbers("rion", x.rion, {3, nion});
  call.indices("set_of_ion", x.set_of_ion, {nion});
  call.indices("nele", {static_cast<int32_t>(x.nup), static_cast<int32_t>(x.ndn)}, {2});
  call.numbers("beta", x.beta, {x.nbeta(), x.nspin, x.nset()});
  call.numbers("L_chi", x.L, {x.nset()});
  if (!x.slope.empty()) call.numbers("slope", x.slope, {x.nset()});
  call.count("truncation", x.C);
  call.numbers("rele", x.rele, {3, x.netot(), W});
  if (ie) {
    call.count("ie", ie);
    call.numbers("rnew", rnew, {3, npos, W});
  }
  const auto ask = [&](const char* name, std::vector<int64_t> extents) {
    int64_t count = 1;
    for (const int64_t e : extents) count *= e;
    call.numbers(name, Numbers(static_cast<size_t>(count), 1e30), extents);
  };
  ask("value", {npos, W});
  ask("gradient", {3, npos, W});
  ask("laplacian", {npos, W});
  if (derivatives) {
    ask("dvalue", {x.nbeta(), x.nspin, x.nset(), npos, W});
    ask("dgradient", {3, x.nbeta(), x.nspin, x.nset(), npos, W});
    ask("dlaplacian", {x.nbeta(), x.nspin, x.nset(), npos, W});
  }
  call.run();
  ChiSums t{call.get_numbers("value"), call.get_numbers("gradient"), call.get_numbers("laplacian"), {}, {}, {}};
  if (derivatives) {
    t.dvalue = call.get_numbers("dvalue");
    t.dgradient = call.get_numbers("dgradient");
    t.dlaplacian = call.get_numbers("dlaplacian");
  }
  return t;
}

// Seven ions of two sets, one of them without chi, and five up, three down; in the cell or in open space.
Chi some_chi(const Numbers& cell, bool open) {
  Chi x;
  if (!open) x.cell = cell;
  x.rion = positions(cell, 7, 51);
  x.rele = positions(cell, 16, 52);
  x.set_of_ion = {1, 2, 1, 0, 2, 2, 1};
  x.nup = 5;
  x.ndn = 3;
  x.nwalker = 2;
  x.nspin = 2;
  const double radius = suite::qmc::lattice_of(cell.data()).inscribed_radius;
  x.L = {0.95 * radius, 0.8 * radius};
  const Numbers c = random_numbers(5 * 4, 53, -0.5, 0.5);
  for (int i = 0; i < 20; ++i) {
    const double L = x.L[static_cast<size_t>(i / 10)];
    x.beta.push_back(c[static_cast<size_t>(i)] / std::pow(-L, 3 + i % 5));
  }
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ions)

BOOST_AUTO_TEST_CASE(vectors_in_open_space) {
  const Numbers rion = positions(scaled(sc, 4), 5, 41), r = positions(scaled(sc, 4), 7, 42);
  each("qmc.ion_distances", [&](Call& call) {
    const Numbers eivecs = distances(call, {}, rion, r);
    for (int i = 0; i < 7; ++i)
      for (int ion = 0; ion < 5; ++ion) {
        const double* const v = &eivecs[4 * (ion + 5 * i)];
        double square = 0;
        for (int d = 0; d < 3; ++d) {
          const double x = r[3 * i + d] - rion[3 * ion + d];
          square += x * x;
          check_below(call, "vector off by", std::abs(v[d] - x), 1e-15);
        }
        check_below(call, "length off by", std::abs(v[3] - std::sqrt(square)), 2e-15);
      }
  });
}

// The vectors of qmc.closest_images, which has tests of its own, in all kinds of cells; and open space again after a cell.
BOOST_AUTO_TEST_CASE(closest_images_of_ions) {
  for (const Numbers& shape : {sc, fcc, bcc, triclinic}) {
    const Numbers cell = scaled(shape, 3.7), rion = positions(cell, 11, 43, -1.2, 1.9), r = positions(cell, 6, 44, -1.3, 2.2);
    each("qmc.ion_distances", [&](Call& call) {
      Call images = next_to(call, "qmc.closest_images");
      images.numbers("cell", cell, {3, 3});
      images.numbers("rfrom", rion, {3, 11, 1});
      images.numbers("rto", r, {3, 6, 1});
      images.numbers("eevecs", Numbers(4 * 66), {4, 6, 11, 1});
      images.run();
      const Numbers eevecs = images.get_numbers("eevecs"), eivecs = distances(call, cell, rion, r);
      double worst = 0;
      for (int ion = 0; ion < 11; ++ion)
        for (int i = 0; i < 6; ++i)
          for (int d = 0; d < 4; ++d) worst = std::max(worst, std::abs(eivecs[d + 4 * (ion + 11 * i)] - eevecs[d + 4 * (i + 6 * ion)]));
      check_below(call, "vectors differ by", worst, 1e-13);
      const Numbers open = distances(call, {}, rion, r);
      check_below(call, "open space after a cell off by", std::abs(open[0] - (r[0] - rion[0])), 1e-15);
    });
  }
}

BOOST_AUTO_TEST_CASE(an_electron_on_an_ion) {
  each("qmc.ion_distances", [&](Call& call) {
    for (const Numbers& cell : {Numbers{}, scaled(fcc, 3)}) {
      const Numbers eivecs = distances(call, cell, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3});
      for (const double x : eivecs) check_below(call, "not 0 by", std::abs(x), 0);
    }
  });
}

// (r - L)^C (beta_0 + beta_1 r + ..) of each spin by the product rule, term by term with pow.
BOOST_AUTO_TEST_CASE(chi_of_one_ion) {
  const Numbers beta{0.3, -0.2, 0.1, 0.05, -0.4, 0.3, 0.02, 0.01};
  const double L = 2.5;
  for (const int C : {2, 3})
    for (const double r : {0.01, 0.7, 1.9, 2.4999, 2.6}) {
      Chi x;
      x.rion = {0.1, 0.2, 0.3};
      x.set_of_ion = {1};
      x.nup = x.ndn = 1;
      x.rele = {0.1 + r * 2 / 3, 0.2 - r / 3, 0.3 + r * 2 / 3, 0.1 + r * 2 / 3, 0.2 - r / 3, 0.3 + r * 2 / 3};
      x.beta = beta;
      x.nspin = 2;
      x.L = {L};
      x.C = C;
      each("qmc.jastrow_chi", [&](Call& call) {
        const ChiSums t = term(call, x);
        for (int spin = 0; spin < 2; ++spin) {
          double value = 0, first = 0, second = 0;
          for (int l = 0; l < 4 && r < L; ++l) {
            const double c = beta[static_cast<size_t>(l + 4 * spin)];
            value += c * std::pow(r - L, C) * std::pow(r, l);
            first += c * (C * std::pow(r - L, C - 1) * std::pow(r, l) + l * std::pow(r - L, C) * std::pow(r, l - 1));
            second += c * (C * (C - 1) * std::pow(r - L, C - 2) * std::pow(r, l) + 2 * C * l * std::pow(r - L, C - 1) * std::pow(r, l - 1) +
                           l * (l - 1) * std::pow(r - L, C) * std::pow(r, l - 2));
          }
          constexpr double e[] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
          check_below(call, "chi off by", std::abs(t.value[spin] - value), 1e-13 * 5);
          check_below(call, "lap chi off by", std::abs(t.laplacian[spin] - second - 2 * first / r), 1e-13 * (5 + 20 / r));
          for (int d = 0; d < 3; ++d) check_below(call, "grad chi off by", std::abs(t.gradient[3 * spin + d] - first * e[d]), 1e-12);
        }
      });
    }
}

// With a slope, beta_1 is what gives it, and is not looked at; close to the ion the gradient has that length.
BOOST_AUTO_TEST_CASE(slopes_at_the_ion) {
  for (const double slope : {-4.0, 0.0})
    for (const int C : {2, 3}) {
      Chi x;
      x.rion = {0, 0, 0};
      x.set_of_ion = {1};
      x.nup = x.ndn = 1;
      x.nspin = 2;
      x.rele = {1e-7, 0, 0, 0.5, -0.2, 0.3};
      x.beta = {0.3, 1e10, 0.1, 0, -0.2, 1e10, 0, 0.1};
      x.L = {2.5};
      x.slope = {slope};
      x.C = C;
      Chi given = x;
      given.slope.clear();
      for (size_t spin = 0; spin < 2; ++spin) given.beta[1 + 4 * spin] = slope / std::pow(-2.5, C) + C * x.beta[4 * spin] / 2.5;
      each("qmc.jastrow_chi", [&](Call& call) {
        const ChiSums t = term(call, x), by_hand = term(call, given);
        check_below(call, "slope off by", std::abs(t.gradient[0] - slope), 1e-5);
        check_below(call, "differs from beta_1 by hand by", relative_distance(t.gradient, by_hand.gradient), 1e-14);
        check_below(call, "differs from beta_1 by hand by", std::abs(t.laplacian[1] - by_hand.laplacian[1]), 1e-13);
      });
    }
}

// Differences of order 4 with h = 1e-3 of all electrons' values, as for u (jastrow.cpp); also one electron where it is.
BOOST_AUTO_TEST_CASE(derivatives_of_chi_by_position) {
  const double h = 1e-3;
  for (const Numbers& shape : {fcc, triclinic})
    for (const bool open : {true, false}) {
      const Chi x = some_chi(scaled(shape, 5), open);
      each("qmc.jastrow_chi", [&](Call& call) {
        const ChiSums all = term(call, x);
        double slopes = 0, laplacians = 0, one = 0;
        for (const int32_t ie : {1, 5, 6, 8}) {
          Numbers rnew;
          for (int64_t w = 0; w < 2; ++w) {
            const auto at = x.rele.begin() + 3 * (ie - 1 + 8 * w);
            rnew.insert(rnew.end(), at, at + 3);
            for (int d = 0; d < 3; ++d)
              for (const double step : {-2 * h, -h, h, 2 * h}) {
                rnew.insert(rnew.end(), at, at + 3);
                rnew[rnew.size() - 3 + static_cast<size_t>(d)] += step;
              }
          }
          const Numbers f = term(call, x, false, ie, rnew).value;
          for (int64_t w = 0; w < 2; ++w) {
            const int64_t i = ie - 1 + 8 * w;
            double laplacian = 0;
            one = std::max(one, std::abs(f[13 * w] - all.value[i]));
            for (int d = 0; d < 3; ++d) {
              const double* const p = &f[13 * w + 1 + 4 * d];
              slopes = std::max(slopes, std::abs((p[0] - 8 * p[1] + 8 * p[2] - p[3]) / (12 * h) - all.gradient[3 * i + d]));
              laplacian += (-p[0] + 16 * p[1] - 30 * f[13 * w] + 16 * p[2] - p[3]) / (12 * h * h);
            }
            laplacians = std::max(laplacians, std::abs(laplacian - all.laplacian[i]));
          }
        }
        check_below(call, "one electron where it is differs by", one, 1e-13);
        check_below(call, "gradient differs by", slopes, 1e-8);
        check_below(call, "Laplacian differs by", laplacians, 1e-5);
      });
    }
}

// chi is linear in its parameters: each derivative times its coefficient, summed up, is chi.
BOOST_AUTO_TEST_CASE(derivatives_of_chi_by_the_parameters) {
  for (const bool open : {true, false}) {
    const Chi x = some_chi(scaled(triclinic, 5), open);
    each("qmc.jastrow_chi", [&](Call& call) {
      const ChiSums t = term(call, x, true);
      Numbers value(16), laplacian(16), gradient(48);
      double of_other_spin = 0;
      for (size_t i = 0; i < 16; ++i)
        for (size_t p = 0; p < 20; ++p) {
          value[i] += x.beta[p] * t.dvalue[p + 20 * i];
          laplacian[i] += x.beta[p] * t.dlaplacian[p + 20 * i];
          for (size_t d = 0; d < 3; ++d) gradient[3 * i + d] += x.beta[p] * t.dgradient[d + 3 * (p + 20 * i)];
          if ((p / 5 % 2 == 1) != (i % 8 >= 5)) of_other_spin = std::max(of_other_spin, std::abs(t.dvalue[p + 20 * i]));
        }
      check_below(call, "value differs by", relative_distance(value, t.value), 1e-12);
      check_below(call, "gradient differs by", relative_distance(gradient, t.gradient), 1e-12);
      check_below(call, "Laplacian differs by", relative_distance(laplacian, t.laplacian), 1e-12);
      check_below(call, "coefficients of the other spin count", of_other_spin, 0);
    });
  }
}

// The limits that qmc.hpp states: no gradient, three times the second derivative.
BOOST_AUTO_TEST_CASE(chi_of_an_electron_on_its_ion) {
  for (const Numbers& cell : {Numbers{}, scaled(bcc, 9)})
    for (const double slope : {0.0, -3.0}) {
      Chi x;
      x.cell = cell;
      x.rion = {0.3, -0.4, 0.5};
      x.rele = {0.3, -0.4, 0.5, 0.3, -0.4, 0.5};
      x.set_of_ion = {1};
      x.nup = x.ndn = 1;
      x.nspin = 2;
      x.beta = {0.2, 0, -0.05, 0, 0.2, 0, -0.05, 0};
      x.L = {2};
      x.slope = {slope};
      const double L = 2, b1 = slope / std::pow(-L, 3) + 3 * 0.2 / L;
      const double second = 3 * 2 * -L * 0.2 + 2 * 3 * L * L * b1 + 2 * std::pow(-L, 3) * -0.05;
      each("qmc.jastrow_chi", [&](Call& call) {
        const ChiSums t = term(call, x, true);
        for (int i = 0; i < 2; ++i) {
          check_below(call, "value off by", std::abs(t.value[i] - 0.2 * std::pow(-L, 3)), 1e-14);
          check_below(call, "Laplacian off by", std::abs(t.laplacian[i] - 3 * second), 1e-12);
        }
        for (const double g : t.gradient) check_below(call, "gradient off by", std::abs(g), 0);
        for (const double d : t.dlaplacian) BOOST_CHECK(std::isfinite(d));
      });
    }
}

BOOST_AUTO_TEST_CASE(chi_terms_that_are_refused) {
  standard("qmc.jastrow_chi", [](Call& call) {
    const Chi good = some_chi(scaled(fcc, 5), false);
    const auto run = [&](auto&& change) {
      Chi x = good;
      change(x);
      term(call, x);
    };
    run([](Chi&) {});
    refused(call, {"L_chi(2) is 2.6", "inscribed radius"}, [&] { run([](Chi& x) { x.L[1] = 2.6; }); });
    refused(call, {"L_chi(1) is -1", "positive"}, [&] { run([](Chi& x) { x.L[0] = -1; }); });
    run([](Chi& x) { x.L[1] = 2.6, x.cell.clear(); });
    refused(call, {"set_of_ion(3) is 3", "1 to 2", "0 is none"}, [&] { run([](Chi& x) { x.set_of_ion[2] = 3; }); });
    refused(call, {"truncation is 4", "one of 2, 3"}, [&] { run([](Chi& x) { x.C = 4; }); });
    refused(call, {"nspin is 3", "one of 1, 2"}, [&] {
      run([](Chi& x) {
        x.nspin = 3;
        x.beta.resize(30);
      });
    });
    refused(call, {"slope is set but nbeta is 1"}, [&] {
      run([](Chi& x) {
        x.beta.resize(4);
        x.slope = {0, 0};
      });
    });
    refused(call, {"ie is 9", "1 to 8"}, [&] { term(call, good, false, 9, Numbers(6)); });
  });
}

BOOST_AUTO_TEST_SUITE_END()
