// SPDX-License-Identifier: BSD-3-Clause
// The Jastrow factor: the formulas of qmc.hpp written out once more, and differences.
#include "support.hpp"

#include <jastrow.hpp>

using namespace qmc_test;

namespace {

struct Term {
  Numbers value, gradient, laplacian, dvalue, dgradient, dlaplacian;
};

// The u or the p term of a gas, one electron at positions rnew (from 1) or all.
Term term(Call& call, const Gas& g, bool derivatives = false, int32_t ie = 0, const Numbers& rnew = {}) {
  const bool is_u = std::string(call.kernel().table().kernel) == "qmc.jastrow_u";
  const int64_t W = g.nwalker, npos = ie ? static_cast<int64_t>(rnew.size()) / (3 * W) : g.netot();
  const int64_t l = is_u ? g.nalpha() : g.nstar(), sets = is_u ? g.nset_u : g.nset_p;
  call.forget();
  if (is_u) call.choose("form", g.form);
  g.set_electrons(call);
  if (is_u) g.set_u(call);
  else g.set_p(call);
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
    ask("dvalue", {l, sets, npos, W});
    ask("dgradient", {3, l, sets, npos, W});
    ask("dlaplacian", {l, sets, npos, W});
  }
  call.run();
  Term t{call.get_numbers("value"), call.get_numbers("gradient"), call.get_numbers("laplacian"), {}, {}, {}};
  if (derivatives) {
    t.dvalue = call.get_numbers("dvalue");
    t.dgradient = call.get_numbers("dgradient");
    t.dlaplacian = call.get_numbers("dlaplacian");
  }
  return t;
}

// Two electrons of these spins at a distance in a large cell, with one set of coefficients.
Gas pair_at(double r, const Numbers& alpha, double L, const char* form) {
  Gas g;
  g.cell = scaled(sc, 4 * L);
  g.nup = g.ndn = 1;
  g.rele = {0.1, 0.2, 0.3, 0.1 + r * 2 / 3, 0.2 - r / 3, 0.3 + r * 2 / 3};
  g.alpha = alpha;
  g.L_u = L;
  g.form = form;
  return g;
}

// Of one electron at the place of a call with all.
struct Differences {
  double gradient[3], laplacian;
};
// Central differences of order 4 of a term by one electron's position.
Differences differences(Call& call, const Gas& g, int32_t ie, double h) {
  Numbers rnew(&g.rele[3 * (ie - 1)], &g.rele[3 * ie]);
  for (int d = 0; d < 3; ++d)
    for (const double step : {-2 * h, -h, h, 2 * h}) {
      rnew.insert(rnew.end(), &g.rele[3 * (ie - 1)], &g.rele[3 * ie]);
      rnew[rnew.size() - 3 + d] += step;
    }
  const Numbers f = term(call, g, false, ie, rnew).value;
  Differences result{};
  for (int d = 0; d < 3; ++d) {
    const double* const p = &f[1 + 4 * d];
    result.gradient[d] = (p[0] - 8 * p[1] + 8 * p[2] - p[3]) / (12 * h);
    result.laplacian += (-p[0] + 16 * p[1] - 30 * f[0] + 16 * p[2] - p[3]) / (12 * h * h);
  }
  return result;
}

const std::vector<std::pair<const char*, const char*>> terms{
    {"qmc.jastrow_u", "polynomial"}, {"qmc.jastrow_u", "bspline"}, {"qmc.jastrow_p", "polynomial"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(jastrow)

// (r - L)^C (alpha_0 + alpha_1 r + ..) and its derivatives by the product rule, term by term with pow.
BOOST_AUTO_TEST_CASE(polynomial_of_a_pair) {
  const Numbers alpha{0.3, -0.2, 0.1, 0.05, -0.01};
  const double L = 2.5;
  for (const int C : {2, 3})
    for (const double r : {0.01, 0.7, 1.9, 2.4999, 2.6}) {
      double u = 0, first = 0, second = 0;
      for (int l = 0; l < 5 && r < L; ++l) {
        const double c = alpha[l];
        u += c * std::pow(r - L, C) * std::pow(r, l);
        first += c * (C * std::pow(r - L, C - 1) * std::pow(r, l) + l * std::pow(r - L, C) * std::pow(r, l - 1));
        second += c * (C * (C - 1) * std::pow(r - L, C - 2) * std::pow(r, l) + 2 * C * l * std::pow(r - L, C - 1) * std::pow(r, l - 1) +
                       l * (l - 1) * std::pow(r - L, C) * std::pow(r, l - 2));
      }
      each("qmc.jastrow_u", [&](Call& call) {
        const Gas g = pair_at(r, alpha, L, "polynomial");
        call.forget();
        g.set_electrons(call);
        g.set_u(call);
        call.choose("form", "polynomial");
        call.count("truncation", C);
        call.numbers("value", {0, 0}, {2, 1});
        call.numbers("gradient", Numbers(6), {3, 2, 1});
        call.numbers("laplacian", {0, 0}, {2, 1});
        call.run();
        const Numbers value = call.get_numbers("value"), gradient = call.get_numbers("gradient"), laplacian = call.get_numbers("laplacian");
        constexpr double to_first[] = {-2.0 / 3, 1.0 / 3, -2.0 / 3};
        for (int i = 0; i < 2; ++i) {
          check_below(call, "u off by", std::abs(value[i] - u), 1e-13 * 5);
          check_below(call, "lap u off by", std::abs(laplacian[i] - second - 2 * first / r), 1e-13 * (5 + 10 / r));
          for (int d = 0; d < 3; ++d)
            check_below(call, "grad u off by", std::abs(gradient[3 * i + d] - (i ? -1 : 1) * first * to_first[d]), 1e-12);
        }
      });
    }
}

// At a knot a cubic B-spline is (c_i + 4 c_i+1 + c_i+2)/6, its slope (c_i+2 - c_i)/2h, its curvature the
// second difference; the published form has c_-1 = c_1 - 2 h u'(0) in front.
BOOST_AUTO_TEST_CASE(bsplines_at_their_knots) {
  const Numbers c{0.9, 0.6, 0.5, 0.2, 0.1, -0.05, 0.02};
  const double L = 2, h = L / 4;
  each("qmc.jastrow_u", [&](Call& call) {
    for (int i = 0; i < 4; ++i) {
      const double r = std::max(i * h, 1e-9);
      const Term t = term(call, pair_at(r, c, L, "bspline"));
      check_below(call, "u off by", std::abs(t.value[0] - (c[i] + 4 * c[i + 1] + c[i + 2]) / 6), 1e-9);
      const double slope = (c[i + 2] - c[i]) / (2 * h), curvature = (c[i] - 2 * c[i + 1] + c[i + 2]) / (h * h);
      const double norm = std::hypot(t.gradient[0], t.gradient[1], t.gradient[2]);
      check_below(call, "slope off by", std::abs(norm - std::abs(slope)), 1e-7);
      if (i > 0) check_below(call, "lap off by", std::abs(t.laplacian[0] - curvature - 2 * slope / r), 1e-12);
    }
    check_below(call, "u beyond L_u", std::abs(term(call, pair_at(2.01, c, L, "bspline")).value[0]), 0);
  });
}

// What the cusp rule makes of coefficients has the slope 1/4 or 1/2 at r = 0.
BOOST_AUTO_TEST_CASE(cusps) {
  using suite::qmc::Form;
  for (const bool parallel : {false, true})
    for (const int C : {2, 3})
      for (const Form form : {Form::polynomial, Form::bspline}) {
        Numbers alpha{-0.3, 5, 0.1, 0.05, -0.02};
        suite::qmc::apply_cusp(form, alpha.data(), 5, 2.5, C, parallel);
        const suite::qmc::Radial u = suite::qmc::u_of_pair(form, alpha.data(), 5, 2.5, C, 0.0);
        BOOST_CHECK(std::abs(u.first - (parallel ? 0.25 : 0.5)) <= 1e-13);
      }
}

// Value, gradient and Laplacian of a whole gas, sets by spin included. Differences of order 4 with h = 1e-3:
// truncation about h^4 times a derivative of order 5 or 6, rounding 1e-15/h and 1e-15/h^2.
BOOST_AUTO_TEST_CASE(gradients_and_laplacians_are_derivatives) {
  for (const auto& [kernel, form] : terms)
    for (const Numbers& shape : {sc, fcc, triclinic}) {
      Gas g = gas_of(shape, 4, 3, 2, 1, 11, 9, 3);
      g.form = form;
      each(kernel, [&](Call& call) {
        const Term all = term(call, g);
        for (const int32_t ie : {1, 4, 5, 7}) {
          const Differences d = differences(call, g, ie, 1e-3);
          for (int c = 0; c < 3; ++c)
            check_below(call, "gradient differs by", std::abs(d.gradient[c] - all.gradient[3 * (ie - 1) + c]), 1e-9);
          check_below(call, "Laplacian differs by", std::abs(d.laplacian - all.laplacian[ie - 1]), 1e-6);
        }
      });
    }
}

// One set for all pairs; parallel and antiparallel; up-up, up-down and down-down. Each pair of electrons in
// turn has the first coefficient of its set and nothing else.
BOOST_AUTO_TEST_CASE(sets_of_spins) {
  struct Pair {
    int64_t nup, set_of_two, set_of_three;
  };
  for (const Pair& pair : {Pair{2, 0, 0}, Pair{1, 1, 1}, Pair{0, 0, 2}})
    for (const int64_t nset : {1, 2, 3})
      for (const char* kernel : {"qmc.jastrow_u", "qmc.jastrow_p"}) {
        Gas g = gas_of(sc, 1, 1, 1, 1, 18, 3, 1);
        g.nup = pair.nup;
        g.ndn = 2 - pair.nup;
        g.rele = {0, 0, 0, 0.4, 0.3, 0.2};
        g.nset_u = g.nset_p = nset;
        g.alpha.clear();
        g.a.clear();
        for (const double set : {1.0, 10.0, 100.0})
          if (static_cast<int64_t>(g.a.size()) < nset) {
            g.alpha.push_back(set);
            g.a.push_back(set);
          }
        each(kernel, [&](Call& call) {
          Gas alone = g;
          alone.nset_u = alone.nset_p = 1;
          alone.alpha = alone.a = {1};
          const double value = term(call, g).value[1], one = term(call, alone).value[1];
          const int64_t set = nset == 3 ? pair.set_of_three : nset == 2 ? pair.set_of_two : 0;
          check_below(call, "set differs by", std::abs(value / one - std::pow(10, set)), 1e-11);
        });
      }
}

// Both terms are linear in their parameters: the derivative by one is the term with that one alone.
BOOST_AUTO_TEST_CASE(derivatives_by_the_parameters) {
  for (const auto& [kernel, form] : terms) {
    const bool is_u = std::string(kernel) == "qmc.jastrow_u";
    Gas g = gas_of(fcc, 5, 3, 2, 2, 12, 13, 3);
    g.form = form;
    each(kernel, [&](Call& call) {
      const Term with = term(call, g, true);
      const int64_t count = is_u ? g.nalpha() * 3 : g.nstar() * 3, npos = g.netot() * g.nwalker;
      for (int64_t i = 0; i < count; ++i) {
        Gas one = g;
        Numbers& parameters = is_u ? one.alpha : one.a;
        std::fill(parameters.begin(), parameters.end(), 0.0);
        parameters[static_cast<size_t>(i)] = 1;
        const Term t = term(call, one);
        Numbers dvalue, dgradient, dlaplacian;
        for (int64_t m = 0; m < npos; ++m) {
          dvalue.push_back(with.dvalue[i + count * m]);
          dlaplacian.push_back(with.dlaplacian[i + count * m]);
          for (int d = 0; d < 3; ++d) dgradient.push_back(with.dgradient[d + 3 * (i + count * m)]);
        }
        check_below(call, "dvalue differs by", relative_distance(dvalue, t.value), 1e-12);
        check_below(call, "dgradient differs by", relative_distance(dgradient, t.gradient), 1e-12);
        check_below(call, "dlaplacian differs by", relative_distance(dlaplacian, t.laplacian), 1e-12);
      }
    });
  }
}

// 1/2 sum_i value_i = 1/2 sum_G a (|rho_G|^2 - N), one set.
BOOST_AUTO_TEST_CASE(p_is_a_function_of_the_structure_factor) {
  const Gas g = gas_of(bcc, 6, 5, 3, 1, 13, 21, 1);
  double expected = 0;
  const Lattice lattice = g.lattice();
  for (size_t i = 0; i < g.star.size(); ++i) {
    double G[3];
    suite::qmc::reciprocal_vector(lattice, &g.gvec[3 * i], G);
    Complex rho = 0;
    for (int64_t j = 0; j < 11; ++j) rho += std::polar(1.0, G[0] * g.rele[3 * j] + G[1] * g.rele[3 * j + 1] + G[2] * g.rele[3 * j + 2]);
    expected += 0.5 * g.a[g.star[i] - 1] * (std::norm(rho) - 11);
  }
  each("qmc.jastrow_p", [&](Call& call) {
    double sum = 0;
    for (const double value : term(call, g).value) sum += value / 2;
    check_below(call, "J differs by", std::abs(sum - expected), 1e-12);
  });
}

// sum_j exp(i G.r_j) by spin, computed from scratch and after moves; given to jastrow_p it changes nothing.
BOOST_AUTO_TEST_CASE(structure_factors) {
  const Gas g = gas_of(triclinic, 5, 4, 2, 3, 14, 13, 2);
  const int64_t ngvec = 13;
  const auto rhok_of = [&](const Gas& gas) {
    Complexes rho(static_cast<size_t>(2 * ngvec * gas.nwalker));
    for (int64_t w = 0; w < gas.nwalker; ++w)
      for (int64_t i = 0; i < ngvec; ++i)
        for (int64_t j = 0; j < 9; ++j) {
          double G[3], phase = 0;
          suite::qmc::reciprocal_vector(gas.lattice(), &gas.gvec[3 * i], G);
          for (int d = 0; d < 3; ++d) phase += G[d] * gas.rele[3 * (j + 9 * w) + d];
          rho[i + ngvec * ((j >= 5) + 2 * w)] += std::polar(1.0, phase);
        }
    return rho;
  };
  const Complexes rho = rhok_of(g);
  each("qmc.structure_factor", [&](Call& call) {
    const auto set = [&] {
      call.forget();
      g.set_electrons(call);
      call.indices("gvec", g.gvec, {3, ngvec});
    };
    set();
    call.complexes("rhok", Complexes(rho.size()), {ngvec, 2, 3});
    call.run();
    check_below(call, "rho differs by", relative_distance(call.get_complexes("rhok"), rho), 1e-13);
    for (const int32_t ie : {2, 7}) {
      const Numbers rnew = positions(g.cell, 3, 15);
      Gas moved = g;
      for (const int64_t w : {0, 2}) std::copy_n(&rnew[3 * w], 3, &moved.rele[3 * (ie - 1 + 9 * w)]);
      set();
      call.count("ie", ie);
      call.numbers("rnew", rnew, {3, 1, 3});
      call.indices("accept", {1, 0, 5}, {3});
      call.complexes("rhok", rho, {ngvec, 2, 3});
      call.run();
      check_below(call, "rho after a move differs by", relative_distance(call.get_complexes("rhok"), rhok_of(moved)), 1e-13);
    }
  });
  each("qmc.jastrow_p", [&](Call& call) {
    const Term without = term(call, g);
    call.forget();
    g.set_electrons(call);
    g.set_p(call);
    call.complexes("rhok", rho, {ngvec, 2, 3});
    call.numbers("value", Numbers(27), {9, 3});
    call.run();
    check_below(call, "value with rhok differs by", relative_distance(call.get_numbers("value"), without.value), 1e-12);
  });
}

// value(rnew) - value(rele) of one electron is the change of J; the sets of parameters go with the spins.
BOOST_AUTO_TEST_CASE(a_move_changes_the_sum_over_pairs) {
  for (const auto& [kernel, form] : terms) {
    Gas g = gas_of(sc, 4, 4, 2, 2, 16, 9, 2);
    g.form = form;
    for (const int32_t ie : {3, 6}) {
      const Numbers rnew = positions(g.cell, 2, 17);
      Gas moved = g;
      for (int64_t w = 0; w < 2; ++w) std::copy_n(&rnew[3 * w], 3, &moved.rele[3 * (ie - 1 + 8 * w)]);
      each(kernel, [&](Call& call) {
        const Term before = term(call, g), after = term(call, moved), there = term(call, g, false, ie, rnew);
        for (int64_t w = 0; w < 2; ++w) {
          double change = 0;
          for (int64_t i = 8 * w; i < 8 * w + 8; ++i) change += (after.value[i] - before.value[i]) / 2;
          check_below(call, "change differs by", std::abs(there.value[w] - before.value[ie - 1 + 8 * w] - change), 1e-12);
        }
      });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
