// SPDX-License-Identifier: BSD-3-Clause
// Derivatives by the parameters of the Jastrow factor: E_L of a changed factor is the stored parabola, J its
// stored line, both exactly.
#include <cmath>
#include <numeric>

#include <boost/test/unit_test.hpp>

#include <vmc/derivatives.hpp>

using namespace suite::vmc;

namespace {

const Implementation reference{"reference", "", {}};

// sum over the pairs of u and p, of each walker.
std::vector<double> jastrow_of(const System& s, const Jastrow& j, const std::vector<double>& rele, int64_t n) {
  std::vector<double> total(static_cast<size_t>(n), 0.0), value(static_cast<size_t>(s.netot() * n));
  const auto add = [&](suite::Kernel& kernel) {
    kernel.set("cell", s.cell.data(), {3, 3});
    kernel.set("nele", s.nele.data(), {2});
    kernel.set("rele", rele.data(), {3, s.netot(), n});
    kernel.set("value", value.data(), {s.netot(), n});
    kernel.run();
    for (size_t i = 0; i < value.size(); ++i) total[i / static_cast<size_t>(s.netot())] += value[i] / 2;
  };
  suite::Kernel u("qmc.jastrow_u", "reference"), p("qmc.jastrow_p", "reference");
  u.choose("form", suite::qmc::forms[static_cast<size_t>(j.form)].name);
  u.set("alpha", j.alpha.data(), {j.nalpha, j.nset_u});
  u.set("L_u", j.L_u);
  u.set("truncation", static_cast<int32_t>(j.truncation));
  add(u);
  p.set("gvec", j.gvec.data(), {3, j.ngvec()});
  p.set("star", j.star.data(), {j.ngvec()});
  p.set("a", j.a.data(), {j.nstar, j.nset_p});
  add(p);
  return total;
}

void compare(const System& system, const JastrowShape& shape, Free free) {
  constexpr int64_t n = 3;
  const Jastrow before = rpa_jastrow(system, shape);
  const auto walkers = make_walkers(system, before, reference, 5, n);
  const std::vector<int64_t> streams{0, 1, 2};
  walkers->scatter(streams);
  walkers->sweep({Move::metropolis, 0.1 * system.rs * system.rs, 0.5, 5, 0});
  Derivatives derivatives(system, before, free, reference, walkers->device());
  LocalEnergies energies(derivatives.parameters());
  derivatives.collect(*walkers, energies);

  auto values = parameters(before, free);
  BOOST_REQUIRE(static_cast<size_t>(derivatives.parameters()) == values.size());
  Eigen::VectorXd change(derivatives.parameters());
  for (size_t k = 0; k < values.size(); ++k) {
    change(static_cast<Eigen::Index>(k)) = 0.3 * (k % 2 ? -1.0 : 1.0) * (values[k] == 0 ? 1e-3 : values[k]);
    values[k] += change(static_cast<Eigen::Index>(k));
  }
  Jastrow after = before;
  set_parameters(system, after, values, free);
  const auto rele = walkers->positions();
  const auto j0 = jastrow_of(system, before, rele, n), j1 = jastrow_of(system, after, rele, n);
  walkers->set_jastrow(after);
  const auto& changed = walkers->energies();
  for (size_t w = 0; w < static_cast<size_t>(n); ++w) {
    const double expected = changed[w * part::count + part::total];
    BOOST_TEST_INFO("walker " << w << ": " << energies.energy(w, change) << " and " << expected);
    BOOST_TEST(std::abs(energies.energy(w, change) - expected) <= 1e-9 * (1 + std::abs(expected)));
    BOOST_TEST(std::abs(energies.energy(w) - expected) > 1e-4);  // the change is one
    BOOST_TEST(std::abs(energies.score(w).dot(change) - (j1[w] - j0[w])) <= 1e-10);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(polynomial_of_two_sets) { compare(make_system(5, Lattice::sc, {}, 7, 7), {Form::polynomial, 3, 6, 9, 2, 3, 1}, {}); }
BOOST_AUTO_TEST_CASE(bspline_of_three_sets_in_a_polarised_gas) {
  const System system = make_system(2, Lattice::bcc, {}, 13, 1);
  compare(system, {Form::bspline, 3, 6, system.inscribed_radius(), 3, 2, 2}, {});
}
BOOST_AUTO_TEST_CASE(only_some_of_them) {
  const System system = make_system(1, Lattice::fcc, {}, 9, 1);
  compare(system, {Form::polynomial, 2, 4, system.inscribed_radius(), 1, 2, 1}, {true, false});
  compare(system, {Form::polynomial, 2, 4, system.inscribed_radius(), 1, 2, 1}, {false, true});
}
