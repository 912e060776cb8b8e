// SPDX-License-Identifier: BSD-3-Clause
// Molecular orbitals of Slater shells against numbers of another program, closed forms and differences.
#include "shell_orbitals.hpp"

using namespace qmc_test;

namespace {

struct SlaterPrimitive {
  int32_t power;
  double exponent, coefficient;
};
struct SlaterShell {
  int32_t ion, l;  // ion from 1
  std::vector<SlaterPrimitive> primitives;
};

struct SlaterBasis {
  Numbers rion, exponent, coefficient;
  Indices shell_ion, shell_l, shell_first{1}, power;
  int64_t nao = 0;

  SlaterBasis(const Numbers& ions, const std::vector<SlaterShell>& shells) : rion(ions) {
    for (const SlaterShell& s : shells) {
      for (const SlaterPrimitive& p : s.primitives) {
        power.push_back(p.power);
        exponent.push_back(p.exponent);
        coefficient.push_back(p.coefficient);
      }
      shell_ion.push_back(s.ion);
      shell_l.push_back(s.l);
      shell_first.push_back(static_cast<int32_t>(exponent.size() + 1));
      nao += 2 * s.l + 1;
    }
  }
  void set(Call& call) const {
    call.forget();
    const auto nshell = static_cast<int64_t>(shell_l.size()), nprim = static_cast<int64_t>(exponent.size());
    call.numbers("rion", rion, {3, static_cast<int64_t>(rion.size()) / 3});
    call.indices("shell_ion", shell_ion, {nshell});
    call.indices("shell_l", shell_l, {nshell});
    call.indices("shell_first", shell_first, {nshell + 1});
    call.indices("power", power, {nprim});
    call.numbers("exponent", exponent, {nprim});
    call.numbers("coefficient", coefficient, {nprim});
  }
};

// Three ions with s to g, powers 0 to 3, alone and mixed.
const SlaterBasis ch2_of_slaters({0, 0, 0, 1.2, 1.2, 1.2, 1.2, -1.2, -1.2}, {{1, 0, {{0, 5.7, 2.1}, {1, 4.9, -1.3}, {1, 1.8, 0.9}}},
                                                                             {1, 0, {{0, 0.9, 0.4}}},
                                                                             {1, 1, {{0, 2.6, 1.7}, {1, 1.4, 0.6}}},
                                                                             {1, 2, {{0, 1.9, 1.1}}},
                                                                             {1, 3, {{2, 2.2, 0.8}}},
                                                                             {1, 4, {{0, 2.5, 0.7}, {3, 3.1, 0.5}}},
                                                                             {2, 0, {{0, 1.2, 1.0}, {2, 1.6, 0.3}}},
                                                                             {2, 1, {{1, 1.3, 0.9}}},
                                                                             {2, 2, {{1, 1.7, 0.8}}},
                                                                             {3, 0, {{0, 1.2, 1.0}, {3, 2.4, 0.3}}},
                                                                             {3, 1, {{0, 1.3, 0.9}}},
                                                                             {3, 3, {{0, 1.5, 0.6}}}});

Numbers identity(int64_t n) {
  Numbers unit(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i) unit[static_cast<size_t>(i * (n + 1))] = 1;
  return unit;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slaters)

// mpmath with 50 digits: its spherical harmonics times the radial parts, derivatives by differences of 1e-12. The functions are in the
// order m = 0, 1, -1, .. and summed with cos(1.3 i + 0.7 a^2), i and a from 1.
BOOST_AUTO_TEST_CASE(values_of_another_program) {
  const Numbers r{0.3, -0.4, 0.5, 1.1, 0.9, -0.2, -1.5, 0.7, 2.0};
  constexpr double expected[3][2][5] = {
      {{-0.5884921425965685, 0.3048422902139703, -0.02177085827309176, 0.1179085058403269, 1.989295631794534},
       {1.02712567300994, 0.3450910430801367, 0.2429605855801367, -0.4255425411026532, -2.74229537122194}},
      {{-0.1943025147741481, 0.1157403969248475, 0.09488190886582592, 0.3603471455385975, -0.5088779173227697},
       {0.1563295760085822, -0.1141493482594668, -0.2722098036873279, 0.4086189859094598, -0.1698535467252546}},
      {{0.1803472084147936, -0.2251056336222985, 0.08161455009875027, -0.1762542558435859, -0.6247804267569927},
       {-0.0320086523287786, 0.116491277610617, 0.2762747610011097, -0.05536522867707304, 0.72360638263166}}};
  BOOST_REQUIRE_EQUAL(ch2_of_slaters.nao, 46);
  Numbers mo;
  for (int a = 1; a <= 2; ++a)
    for (int i = 1; i <= 46; ++i) mo.push_back(std::cos(1.3 * i + 0.7 * a * a));
  each("qmc.orbitals_slater", [&](Call& call) {
    const ShellOrbitals e = evaluate(call, ch2_of_slaters, mo, r);
    double worst = 0;
    for (int p = 0; p < 3; ++p)
      for (int a = 0; a < 2; ++a) {
        const double(&x)[5] = expected[p][a];
        worst = std::max({worst, std::abs(e.phi[a + 2 * p] - x[0]), std::abs(e.d2phi[a + 2 * p] - x[4])});
        for (int d = 0; d < 3; ++d) worst = std::max(worst, std::abs(e.dphi[a + 2 * (d + 3 * p)] - x[1 + d]));
      }
    check_below(call, "orbitals differ by", worst, 2e-13);
  });
}

// The functions of one primitive of each l and power, with the forms written out: S for l = 1 and 2, else its sum of squares, which is r^(2l).
BOOST_AUTO_TEST_CASE(forms_of_each_power) {
  const Numbers r{0.4, -0.7, 0.3, -0.2, 0.5, 0.9};
  const double g = 1.7, c = 0.6;
  for (int l = 0; l <= 4; ++l)
    for (int n = 0; n <= 8; ++n) {
      const SlaterBasis basis({0.1, 0.2, -0.3}, {{1, l, {{n, g, c}}}});
      each("qmc.orbitals_slater", [&](Call& call) {
        const ShellOrbitals e = evaluate(call, basis, identity(basis.nao), r);
        for (int p = 0; p < 2; ++p) {
          const double x = r[3 * p] - 0.1, y = r[3 * p + 1] - 0.2, z = r[3 * p + 2] + 0.3, d = std::sqrt(x * x + y * y + z * z);
          const double R = c * std::pow(d, n) * std::exp(-g * d), t = std::sqrt(3.0);
          const double bracket = g * g - 2 * g * (n + l + 1) / d + n * (n + 2 * l + 1) / (d * d);
          double sum = 0;
          for (int k = 0; k < 2 * l + 1; ++k) {
            const double value = e.phi[k + basis.nao * p];
            sum += value * value;
            check_below(call, "Laplacian off by", std::abs(e.d2phi[k + basis.nao * p] - bracket * value), 2e-14);
            // r.grad (R S) = (n + l - g r) R S
            const double along =
                x * e.dphi[k + basis.nao * (3 * p)] + y * e.dphi[k + basis.nao * (1 + 3 * p)] + z * e.dphi[k + basis.nao * (2 + 3 * p)];
            check_below(call, "radial slope off by", std::abs(along - (n + l - g * d) * value), 1e-14);
          }
          check_below(call, "sum of squares off by", std::abs(sum - R * R * std::pow(d, 2 * l)), 1e-15);
          const Numbers forms[] = {{1}, {z, x, y}, {z * z - (x * x + y * y) / 2, t * x * z, t * y * z, t / 2 * (x * x - y * y), t * x * y}};
          for (int k = 0; l <= 2 && k < 2 * l + 1; ++k)
            check_below(call, "function differs by", std::abs(e.phi[k + basis.nao * p] - R * forms[l][k]), 1e-15);
        }
      });
    }
}

// Differences of order 4 with h = 1e-3: rounding 1e-15/h and 1e-15/h^2, truncation h^4 times a derivative of order 5 or 6 of exponents up
// to 5.7. The positions are not near an ion, where the functions have cusps.
BOOST_AUTO_TEST_CASE(gradients_and_laplacians_are_derivatives) {
  const Numbers centres{0.5, -0.7, 0.4, 1.9, 0.6, 1.1, 0.7, -0.6, -1.8};
  check_derivatives("qmc.orbitals_slater", ch2_of_slaters, identity(ch2_of_slaters.nao), centres, 1e-9, 1e-8);
}

// The states of an ion of charge Z with n = l + 1 are one Slater function each, and those with n = l + 2 a contraction of powers 0 and 1:
// -1/2 lap psi/psi - Z/d = -Z^2/(2 n^2) everywhere, next to the nucleus too, where both terms are large.
BOOST_AUTO_TEST_CASE(states_of_one_electron) {
  const double Z = 3;
  const Numbers nucleus{0.1, 0.2, -0.3};
  Numbers r;
  Numbers distances;
  for (const double d : {1e-9, 1e-6, 1e-3, 0.05, 0.4, 1.3, 4.3}) {
    const Numbers direction{0.36, -0.48, 0.8};
    for (int k = 0; k < 3; ++k) r.push_back(nucleus[k] + d * direction[k]);
    distances.push_back(std::hypot(r[r.size() - 3] - nucleus[0], r[r.size() - 2] - nucleus[1], r[r.size() - 1] - nucleus[2]));
  }
  for (int l = 0; l <= 4; ++l)
    for (int more = 1; more <= 2; ++more) {
      const int n = l + more;
      std::vector<SlaterPrimitive> primitives{{0, Z / n, 1.0}};
      if (more == 2) primitives.push_back({1, Z / n, -Z / (n * (l + 1.0))});
      const SlaterBasis basis(nucleus, {{1, l, primitives}});
      each("qmc.orbitals_slater", [&](Call& call) {
        const ShellOrbitals e = evaluate(call, basis, identity(basis.nao), r);
        for (size_t p = 0; p < distances.size(); ++p) {
          const double d = distances[p];
          double largest = 0;
          for (int k = 0; k < 2 * l + 1; ++k) largest = std::max(largest, std::abs(e.phi[k + basis.nao * p]));
          for (int k = 0; k < 2 * l + 1; ++k) {
            const double error = -0.5 * e.d2phi[k + basis.nao * p] - (Z / d - Z * Z / (2 * n * n)) * e.phi[k + basis.nao * p];
            check_below(call, "local energy off by", std::abs(error), 3e-14 * (1 + 1 / d) * largest);  // rounding of terms in 1/d
          }
        }
      });
    }
}

// At the ion itself: negative powers of the distance are left out, gradients are means over directions.
BOOST_AUTO_TEST_CASE(limits_at_an_ion) {
  const double g = 1.3, c = 0.8;
  for (int l = 0; l <= 4; ++l)
    for (int n = 0; n <= 3; ++n) {
      const SlaterBasis basis({0.1, 0.2, -0.3}, {{1, l, {{n, g, c}}}});
      const double laplacian = l > 0 ? 0 : n == 0 ? g * g : n == 1 ? -4 * g : n == 2 ? 6 : 0;
      each("qmc.orbitals_slater", [&](Call& call) {
        const ShellOrbitals e = evaluate(call, basis, identity(basis.nao), {0.1, 0.2, -0.3});
        for (int k = 0; k < 2 * l + 1; ++k) {
          check_below(call, "value off by", std::abs(e.phi[k] - (l + n == 0 ? c : 0)), 1e-15);
          check_below(call, "Laplacian off by", std::abs(e.d2phi[k] - c * laplacian), 1e-14);
          for (int d = 0; d < 3; ++d)
            check_below(call, "slope off by", std::abs(e.dphi[k + basis.nao * d] - (l == 1 && n == 0 && d == (k + 2) % 3 ? c : 0)), 1e-15);
        }
      });
    }
}

// Without a cutoff what is left out is below rounding, however far; with one a shell is whole inside and nothing outside.
BOOST_AUTO_TEST_CASE(cutoffs_of_shells) {
  const SlaterBasis basis({0, 0, 0}, {{1, 0, {{0, 20, 3}, {2, 0.7, 0.2}}}, {1, 2, {{1, 0.7, 0.3}}}});
  Numbers r;
  for (int i = 0; i < 140; ++i) r.insert(r.end(), {0.5 * i, 0.3 * i, -0.2 * i});
  each("qmc.orbitals_slater", [&](Call& call) {
    const ShellOrbitals e = evaluate(call, basis, identity(6), r), cut = evaluate(call, basis, identity(6), r, 4.0);
    for (int i = 0; i < 140; ++i) {
      const double d = std::sqrt(0.38) * i, s = 3 * std::exp(-20 * d) + 0.2 * d * d * std::exp(-0.7 * d);
      check_below(call, "s function off by", std::abs(e.phi[6 * i] - s), 1e-15);
      const bool inside = d < 4.0;
      for (int a = 0; a < 6; ++a) {
        check_below(call, "cut value off by", std::abs(cut.phi[a + 6 * i] - (inside ? e.phi[a + 6 * i] : 0)), 0);
        check_below(call, "cut Laplacian off by", std::abs(cut.d2phi[a + 6 * i] - (inside ? e.d2phi[a + 6 * i] : 0)), 0);
      }
    }
  });
}

// What is computed at a position does not depend on how many come before it.
BOOST_AUTO_TEST_CASE(the_same_bits_at_any_place) {
  check_bits_at_any_place("qmc.orbitals_slater", ch2_of_slaters, identity(ch2_of_slaters.nao));
}

BOOST_AUTO_TEST_CASE(bases_that_are_refused) {
  const SlaterBasis basis({0, 0, 0, 1, 1, 1}, {{1, 0, {{0, 1.0, 1}, {1, 0.5, 1}}}, {2, 1, {{0, 0.7, 1}}}});
  standard("qmc.orbitals_slater", [&](Call& call) {
    const auto run = [&](auto&& change) {
      SlaterBasis b = basis;
      change(b);
      evaluate(call, b, Numbers(static_cast<size_t>(b.nao), 0.5), {0.1, 0.2, 0.3});
    };
    run([](SlaterBasis&) {});
    refused(call, {"power(2) is -1", "0 to 8"}, [&] { run([](SlaterBasis& b) { b.power[1] = -1; }); });
    refused(call, {"power(3) is 9", "0 to 8"}, [&] { run([](SlaterBasis& b) { b.power[2] = 9; }); });
    refused(call, {"shell_l(2) is 5", "0 to 4"}, [&] { run([](SlaterBasis& b) { b.shell_l[1] = 5; }); });
    refused(call, {"exponent(3) is 0", "positive"}, [&] { run([](SlaterBasis& b) { b.exponent[2] = 0; }); });
    refused(call, {"nao is 5 in mo", "4 functions"}, [&] { run([](SlaterBasis& b) { b.nao = 5; }); });
  });
}

BOOST_AUTO_TEST_SUITE_END()
