// SPDX-License-Identifier: BSD-3-Clause
// The f term: two electrons at an ion.
#include "support.hpp"

using namespace qmc_test;

namespace {

// A molecule or a crystal with an f term; an empty cell is open space.
struct F {
  Numbers cell, rion, rele, gamma, L;
  Indices set_of_ion;
  int64_t nup = 1, ndn = 1, nwalker = 1, nen = 1, nee = 1, sets = 1;
  int32_t C = 3;
  int64_t netot() const { return nup + ndn; }
  int64_t nset() const { return std::ssize(L); }
};

struct FSums {
  Numbers value, gradient, laplacian, dvalue, dgradient, dlaplacian;
};
// One electron at positions rnew (from 1) or all.
FSums term(Call& call, const F& x, bool derivatives = false, int32_t ie = 0, const Numbers& rnew = {}, int64_t of_gamma = -1) {
  const int64_t W = x.nwalker, npos = ie ? std::ssize(rnew) / (3 * W) : x.netot(), nion = std::ssize(x.set_of_ion);
  const int64_t all = of_gamma >= 0 ? of_gamma : std::ssize(x.gamma);
  call.forget();
  if (!x.cell.empty()) call.numbers("cell", x.cell, {3, 3});
  call.numbers("rion", x.rion, {3, nion});
  call.indices("set_of_ion", x.set_of_ion, {nion});
  call.indices("nele", {static_cast<int32_t>(x.nup), static_cast<int32_t>(x.ndn)}, {2});
  call.numbers("gamma", x.gamma, {x.nen, x.nen, x.nee, x.sets, x.nset()});
  call.numbers("L_f", x.L, {x.nset()});
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
    ask("dvalue", {all, npos, W});
    ask("dgradient", {3, all, npos, W});
    ask("dlaplacian", {all, npos, W});
  }
  call.run();
  FSums t{call.get_numbers("value"), call.get_numbers("gradient"), call.get_numbers("laplacian"), {}, {}, {}};
  if (derivatives) {
    t.dvalue = call.get_numbers("dvalue");
    t.dgradient = call.get_numbers("dgradient");
    t.dlaplacian = call.get_numbers("dlaplacian");
  }
  return t;
}

// gamma of random size, symmetric, so that each product of powers within the cutoffs is of order 1.
void fill_gamma(F& x, unsigned seed) {
  const int64_t block = x.nen * x.nen, count = block * x.nee * x.sets * x.nset();
  const Numbers c = random_numbers(count, seed, -1, 1);
  x.gamma.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t l = i % x.nen, m = i / x.nen % x.nen, k = i / block, n = k % x.nee;
    const double L = x.L[static_cast<size_t>(k / (x.nee * x.sets))];
    x.gamma[static_cast<size_t>(i)] = c[static_cast<size_t>(std::min(l, m) + x.nen * std::max(l, m) + block * k)] *
                                      std::pow(L, -static_cast<double>(2 * x.C + l + m + n));
  }
}

// Seven ions of two sets, one of them without f, and five up, three down; in the cell or in open space.
F some_f(const Numbers& cell, bool open, int64_t sets, int32_t C) {
  F x;
  if (!open) x.cell = cell;
  x.rion = positions(cell, 7, 61);
  x.rele = positions(cell, 16, 62);
  x.set_of_ion = {1, 2, 1, 0, 2, 2, 1};
  x.nup = 5;
  x.ndn = 3;
  x.nwalker = 2;
  x.nen = 4;
  x.nee = 3;
  x.sets = sets;
  x.C = C;
  const double radius = suite::qmc::lattice_of(cell.data()).inscribed_radius * (open ? 1.5 : 0.5);
  x.L = {0.95 * radius, 0.8 * radius};
  fill_gamma(x, 63);
  return x;
}

double power_or_0(double x, int n) { return n < 0 ? 0 : std::pow(x, n); }

}  // namespace

BOOST_AUTO_TEST_SUITE(f_term)

// Each monomial by the product rule, with pow; up and down at one ion, and a third electron beyond the cutoff of one of them.
BOOST_AUTO_TEST_CASE(a_pair_at_an_ion) {
  const double L = 2.5;
  for (const int C : {2, 3})
    for (const double b : {0.4, 1.7, 2.5, 2.6}) {
      F x;
      x.rion = {0.1, 0.2, 0.3};
      x.set_of_ion = {1};
      x.rele = {0.1 + 0.9 * 2 / 3, 0.2 - 0.3, 0.3 + 0.6, 0.1, 0.2 + b, 0.3};
      x.L = {L};
      x.C = C;
      x.nen = 3;
      x.nee = 4;
      fill_gamma(x, 64);
      const double a = 0.9, e[] = {2.0 / 3, -1.0 / 3, 2.0 / 3}, d[] = {0.6, -0.3 - b, 0.6};
      const double c = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      double cosine = 0, value = 0, f_a = 0, f_aa = 0, f_c = 0, f_cc = 0, f_ac = 0;
      for (int k = 0; k < 3; ++k) cosine += e[k] * d[k] / c;
      for (int i = 0; i < 36 && b < L; ++i) {
        const int l = i % 3, m = i / 3 % 3, n = i / 9;
        const double g = x.gamma[static_cast<size_t>(i)] * std::pow(b - L, C) * std::pow(b, m);
        const double A = std::pow(a - L, C) * std::pow(a, l),
                     A1 = C * std::pow(a - L, C - 1) * std::pow(a, l) + l * std::pow(a - L, C) * power_or_0(a, l - 1);
        const double A2 = C * (C - 1) * std::pow(a - L, C - 2) * std::pow(a, l) +
                          2 * C * l * std::pow(a - L, C - 1) * power_or_0(a, l - 1) +
                          l * (l - 1) * std::pow(a - L, C) * power_or_0(a, l - 2);
        value += g * A * std::pow(c, n);
        f_a += g * A1 * std::pow(c, n);
        f_aa += g * A2 * std::pow(c, n);
        f_c += g * A * n * power_or_0(c, n - 1);
        f_cc += g * A * n * (n - 1) * power_or_0(c, n - 2);
        f_ac += g * A1 * n * power_or_0(c, n - 1);
      }
      each("qmc.jastrow_f", [&](Call& call) {
        const FSums t = term(call, x);
        check_below(call, "f off by", std::abs(t.value[0] - value), 1e-13);
        check_below(call, "f of the other differs by", std::abs(t.value[1] - value), 1e-13);
        check_below(call, "lap f off by", std::abs(t.laplacian[0] - (f_aa + 2 * f_a / a + f_cc + 2 * f_c / c + 2 * f_ac * cosine)), 1e-12);
        for (int k = 0; k < 3; ++k) check_below(call, "grad f off by", std::abs(t.gradient[k] - (f_a * e[k] + f_c * d[k] / c)), 1e-13);
      });
    }
}

// Differences of order 4 with h = 1e-3 of all electrons' values, as for chi; also one electron where it is.
BOOST_AUTO_TEST_CASE(derivatives_by_position) {
  const double h = 1e-3;
  for (const Numbers& shape : {fcc, triclinic})
    for (const bool open : {true, false}) {
      const F x = some_f(scaled(shape, 6), open, open ? 3 : 2, 3);
      each("qmc.jastrow_f", [&](Call& call) {
        const FSums all = term(call, x);
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

// A pair counts in both of its electrons: the change of one electron's value is that of half the sum of all.
BOOST_AUTO_TEST_CASE(a_move_changes_half_the_sum) {
  for (const int64_t sets : {1, 2, 3}) {
    const F x = some_f(scaled(bcc, 6), false, sets, 2);
    each("qmc.jastrow_f", [&](Call& call) {
      const Numbers before = term(call, x).value;
      Numbers rnew = positions(x.cell, 2, 65);
      const Numbers there = term(call, x, false, 3, rnew).value;
      F moved = x;
      for (int64_t w = 0; w < 2; ++w) std::copy_n(rnew.begin() + 3 * w, 3, moved.rele.begin() + 3 * (2 + 8 * w));
      const Numbers after = term(call, moved).value;
      for (int64_t w = 0; w < 2; ++w) {
        double sum = 0;
        for (int64_t i = 8 * w; i < 8 * w + 8; ++i) sum += 0.5 * (after[i] - before[i]);
        check_below(call, "change of J differs by", std::abs(there[w] - before[2 + 8 * w] - sum), 1e-13);
      }
    });
  }
}

// f is linear in its parameters: each derivative times its coefficient, summed up, is f; and each is that of gamma alone.
BOOST_AUTO_TEST_CASE(derivatives_by_the_parameters) {
  for (const int64_t sets : {1, 2, 3}) {
    const F x = some_f(scaled(triclinic, 6), sets == 2, sets, 3);
    const auto all = x.gamma.size();
    each("qmc.jastrow_f", [&](Call& call) {
      const FSums t = term(call, x, true);
      Numbers value(16), laplacian(16), gradient(48);
      for (size_t i = 0; i < 16; ++i)
        for (size_t p = 0; p < all; ++p) {
          value[i] += x.gamma[p] * t.dvalue[p + all * i];
          laplacian[i] += x.gamma[p] * t.dlaplacian[p + all * i];
          for (size_t d = 0; d < 3; ++d) gradient[3 * i + d] += x.gamma[p] * t.dgradient[d + 3 * (p + all * i)];
        }
      check_below(call, "value differs by", relative_distance(value, t.value), 1e-12);
      check_below(call, "gradient differs by", relative_distance(gradient, t.gradient), 1e-12);
      check_below(call, "Laplacian differs by", relative_distance(laplacian, t.laplacian), 1e-12);
      // One gamma and its twin, of powers (3,1,2), of the last set of pairs and the second set of ions.
      F one = x;
      std::fill(one.gamma.begin(), one.gamma.end(), 0);
      const auto block = static_cast<size_t>(48 * (sets - 1 + sets)), a = block + 3 + 4 * 1 + 16 * 2, b = block + 1 + 4 * 3 + 16 * 2;
      one.gamma[a] = one.gamma[b] = 0.01;
      const FSums alone = term(call, one);
      for (size_t i = 0; i < 16; ++i) {
        value[i] = 0.01 * (t.dvalue[a + all * i] + t.dvalue[b + all * i]);
        laplacian[i] = 0.01 * (t.dlaplacian[a + all * i] + t.dlaplacian[b + all * i]);
      }
      check_below(call, "value of one differs by", relative_distance(value, alone.value), 1e-12);
      check_below(call, "Laplacian of one differs by", relative_distance(laplacian, alone.laplacian), 1e-12);
    });
  }
}

// The limits that qmc.hpp states, of a monomial at a time: an electron on the ion, both there, and one on top of the other.
BOOST_AUTO_TEST_CASE(electrons_that_coincide) {
  for (const Numbers& cell : {Numbers{}, scaled(bcc, 12)}) {
    F x;
    x.cell = cell;
    x.rion = {0.3, -0.4, 0.5};
    x.set_of_ion = {1};
    x.L = {2};
    x.nen = 2;
    x.nee = 3;
    each("qmc.jastrow_f", [&](Call& call) {
      const auto monomial = [&](int l, int m, int n) {
        x.gamma.assign(12, 0);
        x.gamma[static_cast<size_t>(l + 2 * m + 4 * n)] = x.gamma[static_cast<size_t>(m + 2 * l + 4 * n)] = 1;
      };
      const auto expect = [&](double value, double laplacian, const Numbers& gradient) {
        const FSums t = term(call, x, true);
        check_below(call, "value off by", std::abs(t.value[0] - value), 1e-12);
        check_below(call, "Laplacian off by", std::abs(t.laplacian[0] - laplacian), 1e-11);
        for (int d = 0; d < 3; ++d) check_below(call, "gradient off by", std::abs(t.gradient[d] - gradient[d]), 1e-12);
        for (const auto* list : {&t.dvalue, &t.dgradient, &t.dlaplacian})
          for (const double y : *list) BOOST_CHECK(std::isfinite(y));
      };
      // The first on the ion, the second 1 away along x: (a - 2)^3 = -8, its slope 12, its curvature -12; of the other -1.
      x.rele = {0.3, -0.4, 0.5, 1.3, -0.4, 0.5};
      monomial(0, 0, 0);
      expect(8, 3 * 12, {0, 0, 0});
      monomial(0, 0, 2);  // c^2: the slope along the pair is 2, towards -x, the Laplacian 6; there is no direction of the ion for f_ac
      expect(8, 36 + 8 * 6, {-16, 0, 0});
      monomial(0, 0, 1);  // c: slope 1, Laplacian 2/c
      expect(8, 36 + 8 * 2, {-8, 0, 0});
      // One on top of the other at 1 from the ion: -1, slope 3, curvature -6.
      x.rele = {1.3, -0.4, 0.5, 1.3, -0.4, 0.5};
      monomial(0, 0, 0);
      expect(1, -(-6 + 2 * 3), {-3, 0, 0});
      monomial(0, 0, 1);  // 0, and no slope
      expect(0, 0, {0, 0, 0});
      monomial(0, 0, 2);
      expect(0, 6, {0, 0, 0});
      // Both on the ion.
      x.rele = {0.3, -0.4, 0.5, 0.3, -0.4, 0.5};
      monomial(0, 0, 0);
      expect(64, -8 * 3 * -12, {0, 0, 0});
      // At the cutoff itself the term is 0.
      x.rion = {0, 0, 0};
      x.rele = {2, 0, 0, 1, 0, 0};
      expect(0, 0, {0, 0, 0});
      x.rele = {1, 0, 0, 2, 0, 0};
      expect(0, 0, {0, 0, 0});
      x.rion = {0.3, -0.4, 0.5};
    });
  }
}

BOOST_AUTO_TEST_CASE(terms_that_are_refused) {
  standard("qmc.jastrow_f", [](Call& call) {
    const F good = some_f(scaled(fcc, 6), false, 2, 3);
    const auto run = [&](auto&& change) {
      F x = good;
      change(x);
      term(call, x);
    };
    run([](F&) {});
    refused(call, {"L_f(2) is 1.6", "half the inscribed radius"}, [&] { run([](F& x) { x.L[1] = 1.6; }); });
    run([](F& x) { x.L[1] = 1.6, x.cell.clear(); });
    refused(call, {"L_f(1) is -1", "positive"}, [&] { run([](F& x) { x.L[0] = -1; }); });
    refused(call, {"set_of_ion(3) is 3", "1 to 2", "0 is none"}, [&] { run([](F& x) { x.set_of_ion[2] = 3; }); });
    refused(call, {"truncation is 4", "one of 2, 3"}, [&] { run([](F& x) { x.C = 4; }); });
    refused(call, {"gamma(2,1,1,1,2) is 3", "gamma(1,2,1,1,2)", "symmetric"}, [&] { run([](F& x) { x.gamma[97] = 3; }); });
    refused(call, {"nf_en is 17", "at most 16"}, [&] {
      run([](F& x) {
        x.nen = 17, x.nee = 1;
        fill_gamma(x, 1);
      });
    });
    refused(call, {"nset_f is 4", "one of 1, 2"}, [&] {
      run([](F& x) {
        x.sets = 4;
        fill_gamma(x, 1);
      });
    });
    refused(call, {"nf_all is 190", "gamma has 192"}, [&] { term(call, good, true, 0, {}, 190); });
    refused(call, {"ie is 9", "1 to 8"}, [&] { term(call, good, false, 9, Numbers(6)); });
  });
}

BOOST_AUTO_TEST_SUITE_END()
