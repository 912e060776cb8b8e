// SPDX-License-Identifier: BSD-3-Clause
// Molecular orbitals of Gaussian shells against numbers of another program, closed forms and differences.
#include "shell_orbitals.hpp"

using namespace qmc_test;

namespace {

struct TestShell {
  int32_t ion, l;  // ion from 1
  Numbers exponent, contraction;
};

// The arguments of a basis, whose contraction coefficients are those of normalised primitives, and normalised as a whole.
struct Basis {
  Numbers rion, exponent, coefficient;
  Indices shell_ion, shell_l, shell_first{1};
  int64_t nao = 0;

  Basis(const Numbers& ions, const std::vector<TestShell>& shells) : rion(ions) {
    for (const TestShell& s : shells) {
      const double h = s.l + 1.5;
      const size_t n = s.exponent.size();
      double square = 0;
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
          square += s.contraction[i] * s.contraction[j] * norm(s.l, s.exponent[i]) * norm(s.l, s.exponent[j]) * std::tgamma(h) / 2 /
                    std::pow(s.exponent[i] + s.exponent[j], h);
      for (size_t i = 0; i < n; ++i) {
        exponent.push_back(s.exponent[i]);
        coefficient.push_back(s.contraction[i] / std::sqrt(square) * norm(s.l, s.exponent[i]) * std::sqrt((2 * s.l + 1) / (4 * pi)));
      }
      shell_ion.push_back(s.ion);
      shell_l.push_back(s.l);
      shell_first.push_back(static_cast<int32_t>(exponent.size() + 1));
      nao += 2 * s.l + 1;
    }
  }
  // Of r^l exp(-g r^2).
  static double norm(int l, double g) { return std::sqrt(2 * std::pow(2 * g, l + 1.5) / std::tgamma(l + 1.5)); }
  void set(Call& call) const {
    call.forget();
    const auto nshell = static_cast<int64_t>(shell_l.size()), nprim = static_cast<int64_t>(exponent.size());
    call.numbers("rion", rion, {3, static_cast<int64_t>(rion.size()) / 3});
    call.indices("shell_ion", shell_ion, {nshell});
    call.indices("shell_l", shell_l, {nshell});
    call.indices("shell_first", shell_first, {nshell + 1});
    call.numbers("exponent", exponent, {nprim});
    call.numbers("coefficient", coefficient, {nprim});
  }
};

// Carbon with s to g and two hydrogens with s to d.
const Basis ch2({0, 0, 0, 1.2, 1.2, 1.2, 1.2, -1.2, -1.2}, {{1, 0, {9.0, 2.5, 0.7}, {0.2, 0.5, 0.4}},
                                                            {1, 0, {0.3}, {1}},
                                                            {1, 1, {3.1, 0.8}, {0.3, 0.8}},
                                                            {1, 2, {0.9}, {1}},
                                                            {1, 3, {0.8}, {1}},
                                                            {1, 4, {1.1}, {1}},
                                                            {2, 0, {3.0, 0.5}, {0.4, 0.7}},
                                                            {2, 1, {0.9}, {1}},
                                                            {2, 2, {1.0}, {1}},
                                                            {3, 0, {3.0, 0.5}, {0.4, 0.7}},
                                                            {3, 1, {0.9}, {1}},
                                                            {3, 2, {1.0}, {1}}});

Numbers unit_matrix(int64_t n) {
  Numbers unit(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i) unit[static_cast<size_t>(i * (n + 1))] = 1;
  return unit;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gaussians)

// PySCF 2.14, eval_gto("GTOval_sph_deriv2") of the same geometry and basis, its functions in the order m = 0, 1, -1, .. and summed with
// cos(1.3 i + 0.7 a^2), i and a from 1.
BOOST_AUTO_TEST_CASE(values_of_another_program) {
  const Numbers r{0.3, -0.4, 0.5, 1.1, 0.9, -0.2, -1.5, 0.7, 2.0};
  constexpr double expected[3][2][5] = {{{-1.00380666182401, 0.72373669114423, 0.87424771900305, -0.47963205492800, 6.98014263948912},
                                         {0.97341561483735, 0.98583576841872, 0.09487094333375, -0.96398952171797, -6.16195374818195}},
                                        {{0.16474527959989, -1.46469482029669, 0.01629752114904, 0.24649768017683, -4.16867382996715},
                                         {0.14581915989697, 0.56423765472992, -0.06945257668333, 0.39446422937934, -1.65432541324508}},
                                        {{0.02111043209712, 0.00955548535886, -0.02009995551544, -0.13381231207930, 0.14930457913999},
                                         {-0.00966192583607, -0.04395170957540, 0.10672436348150, 0.07613070240932, -0.32885352440115}}};
  BOOST_REQUIRE_EQUAL(ch2.nao, 44);
  Numbers mo;
  for (int a = 1; a <= 2; ++a)
    for (int i = 1; i <= 44; ++i) mo.push_back(std::cos(1.3 * i + 0.7 * a * a));
  each("qmc.orbitals_gaussian", [&](Call& call) {
    const ShellOrbitals e = evaluate(call, ch2, mo, r);
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

// One function of each kind by its textbook form, in the order of TREXIO.
BOOST_AUTO_TEST_CASE(forms_of_s_to_f) {
  const Numbers r{0.4, -0.7, 0.3, -0.2, 0.5, 0.9};
  for (int l = 0; l <= 3; ++l) {
    const Basis basis({0.1, 0.2, -0.3}, {{1, l, {0.7}, {1}}});
    each("qmc.orbitals_gaussian", [&](Call& call) {
      const ShellOrbitals e = evaluate(call, basis, unit_matrix(basis.nao), r);
      for (int p = 0; p < 2; ++p) {
        const double x = r[3 * p] - 0.1, y = r[3 * p + 1] - 0.2, z = r[3 * p + 2] + 0.3, r2 = x * x + y * y + z * z;
        const double radial = Basis::norm(l, 0.7) * std::exp(-0.7 * r2) * std::sqrt((2 * l + 1) / (4 * pi)), t = std::sqrt(3.0);
        const Numbers forms[] = {
            {1},
            {z, x, y},
            {(3 * z * z - r2) / 2, t * x * z, t * y * z, t / 2 * (x * x - y * y), t * x * y},
            {z * (5 * z * z - 3 * r2) / 2, std::sqrt(3. / 8) * x * (5 * z * z - r2), std::sqrt(3. / 8) * y * (5 * z * z - r2),
             std::sqrt(15.) / 2 * z * (x * x - y * y), std::sqrt(15.) * x * y * z, std::sqrt(5. / 8) * x * (x * x - 3 * y * y),
             std::sqrt(5. / 8) * y * (3 * x * x - y * y)}};
        for (int k = 0; k < 2 * l + 1; ++k)
          check_below(call, "function differs by", std::abs(e.phi[k + basis.nao * p] - radial * forms[l][k]), 1e-14);
      }
    });
  }
}

// Sum over m of S_lm^2 is r^(2l) for every l (Unsold), g included.
BOOST_AUTO_TEST_CASE(squares_of_a_shell_are_round) {
  const Numbers r = positions(scaled(sc, 3), 9, 31);
  for (int l = 0; l <= 4; ++l) {
    const Basis basis({0.1, 0.2, -0.3}, {{1, l, {0.4}, {1}}});
    each("qmc.orbitals_gaussian", [&](Call& call) {
      const ShellOrbitals e = evaluate(call, basis, unit_matrix(basis.nao), r);
      for (int p = 0; p < 9; ++p) {
        const double r2 = std::pow(r[3 * p] - 0.1, 2) + std::pow(r[3 * p + 1] - 0.2, 2) + std::pow(r[3 * p + 2] + 0.3, 2);
        const double radial = basis.coefficient[0] * std::exp(-0.4 * r2), expected = radial * radial * std::pow(r2, l);
        double sum = 0;
        for (int k = 0; k < 2 * l + 1; ++k) sum += std::pow(e.phi[k + basis.nao * p], 2);
        check_below(call, "sum of squares off by", std::abs(sum - expected), 1e-13 * std::max(1.0, expected));
      }
    });
  }
}

// Differences of order 4 with h = 1e-3: rounding 1e-15/h and 1e-15/h^2, truncation h^4 times a derivative of order 5 or 6 of
// exponents up to 9.
BOOST_AUTO_TEST_CASE(gradients_and_laplacians_are_derivatives) {
  check_derivatives("qmc.orbitals_gaussian", ch2, unit_matrix(ch2.nao), positions(scaled(sc, 2), 3, 33), 1e-8, 1e-7);
}

// At the ion: an s function has its largest value, no slope and -6 g c; a p function has a slope alone; the others nothing.
BOOST_AUTO_TEST_CASE(limits_at_an_ion) {
  const double g = 0.8;
  for (int l = 0; l <= 4; ++l) {
    const Basis basis({0.1, 0.2, -0.3}, {{1, l, {g}, {1}}});
    const double c = basis.coefficient[0];
    each("qmc.orbitals_gaussian", [&](Call& call) {
      const ShellOrbitals e = evaluate(call, basis, unit_matrix(basis.nao), {0.1, 0.2, -0.3});
      for (int k = 0; k < 2 * l + 1; ++k) {
        check_below(call, "value off by", std::abs(e.phi[k] - (l == 0 ? c : 0)), 1e-15);
        check_below(call, "Laplacian off by", std::abs(e.d2phi[k] - (l == 0 ? -6 * g * c : 0)), 1e-14);
        for (int d = 0; d < 3; ++d)
          check_below(call, "slope off by", std::abs(e.dphi[k + basis.nao * d] - (l == 1 && d == (k + 2) % 3 ? c : 0)), 1e-15);
      }
    });
  }
}

// Without a cutoff what is left out is below rounding, however far; with one a shell is whole inside and nothing outside.
BOOST_AUTO_TEST_CASE(cutoffs_of_shells) {
  const Basis basis({0, 0, 0}, {{1, 0, {50, 0.05}, {1, 0.3}}, {1, 2, {0.05}, {1}}});
  Numbers r;
  for (int i = 0; i < 40; ++i) r.insert(r.end(), {0.5 * i, 0.3 * i, -0.2 * i});
  each("qmc.orbitals_gaussian", [&](Call& call) {
    const ShellOrbitals e = evaluate(call, basis, unit_matrix(6), r), cut = evaluate(call, basis, unit_matrix(6), r, 4.0);
    for (int i = 0; i < 40; ++i) {
      const double d2 = 0.38 * i * i;
      double s = 0;
      for (int k = 0; k < 2; ++k) s += basis.coefficient[k] * std::exp(-basis.exponent[k] * d2);
      check_below(call, "s function off by", std::abs(e.phi[6 * i] - s), 1e-15 * std::abs(basis.coefficient[0]));
      const bool inside = std::sqrt(d2) < 4.0;
      for (int a = 0; a < 6; ++a) {
        check_below(call, "cut value off by", std::abs(cut.phi[a + 6 * i] - (inside ? e.phi[a + 6 * i] : 0)), 0);
        check_below(call, "cut Laplacian off by", std::abs(cut.d2phi[a + 6 * i] - (inside ? e.d2phi[a + 6 * i] : 0)), 0);
      }
    }
  });
}

// What is computed at a position does not depend on how many come before it.
BOOST_AUTO_TEST_CASE(the_same_bits_at_any_place) { check_bits_at_any_place("qmc.orbitals_gaussian", ch2, unit_matrix(ch2.nao)); }

BOOST_AUTO_TEST_CASE(bases_that_are_refused) {
  const Basis basis({0, 0, 0, 1, 1, 1}, {{1, 0, {1.0, 0.5}, {1, 1}}, {2, 1, {0.7}, {1}}});
  standard("qmc.orbitals_gaussian", [&](Call& call) {
    const Numbers r{0.1, 0.2, 0.3}, mo(4, 0.5);
    const auto run = [&](auto&& change) {
      Basis b = basis;
      change(b);
      evaluate(call, b, Numbers(static_cast<size_t>(b.nao), 0.5), r);
    };
    run([](Basis&) {});
    refused(call, {"shell_l(2) is 5", "0 to 4"}, [&] { run([](Basis& b) { b.shell_l[1] = 5; }); });
    refused(call, {"shell_ion(2) is 3", "1 to 2"}, [&] { run([](Basis& b) { b.shell_ion[1] = 3; }); });
    refused(call, {"exponent(3) is -0.7", "positive"}, [&] { run([](Basis& b) { b.exponent[2] = -0.7; }); });
    refused(call, {"shell_first(1) is 2"}, [&] { run([](Basis& b) { b.shell_first[0] = 2; }); });
    refused(call, {"shell_first(2) is 1 after 1"}, [&] { run([](Basis& b) { b.shell_first[1] = 1; }); });
    refused(call, {"shell_first(3) is 5", "nprim is 3"}, [&] { run([](Basis& b) { b.shell_first[2] = 5; }); });
    refused(call, {"nao is 5 in mo", "4 functions"}, [&] { run([](Basis& b) { b.nao = 5; }); });
    refused(call, {"shell_cutoff(1) is -1"}, [&] {
      basis.set(call);
      call.numbers("mo", mo, {4, 1});
      call.numbers("shell_cutoff", {-1, 2}, {2});
      call.numbers("r", r, {3, 1, 1});
      call.numbers("phi", {0}, {1, 1, 1});
      call.run();
    });
  });
}

BOOST_AUTO_TEST_SUITE_END()
