// SPDX-License-Identifier: BSD-3-Clause
// Several complex poles for each (G,G'): their fit, the sum over them beside gpp.sigma, and quasiparticle energies beside contour deformation.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include <suite/plugin.hpp>

#include "bench.hpp"
#include "frequencies.hpp"
#include "matrix_elements.hpp"
#include "multipole.hpp"
#include "multipole_fit.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
using Complex = std::complex<double>;

namespace {

// 2 sum W R/(z^2 - W^2)
Complex of_poles(const std::vector<Complex>& poles, const std::vector<Complex>& residues, Complex z) {
  Complex sum = 0;
  for (size_t p = 0; p < poles.size(); ++p) sum += 2.0 * poles[p] * residues[p] / (z * z - poles[p] * poles[p]);
  return sum;
}

Settings with_poles(Settings s, int poles) {
  s.model = Model::multipole;
  s.poles = poles;
  s.coulomb = CoulombMode::cell;
  s.coulomb_head = 0;
  s.finite_difference_form = -2;
  return s;
}

// Sigma at the first energy.
Complex sigma(const State& state) { return {(state.x + state.sx.at(0) + state.ch.at(0) + state.remainder).real(), state.imaginary.at(0)}; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_sum_of_poles_is_found_again) {
  const std::vector<Complex> poles{{16.5, -1}, {9, -0.3}, {25, -3}, {4, -0.1}}, residues{{-8, 0.1}, {-0.3, 0}, {2, -0.1}, {0.1, 0.1}};
  for (int n = 1; n <= most_poles; ++n) {
    std::vector<Complex> z{0.0};
    for (const Complex& each : sampling_frequencies(n, 34)) z.push_back(each);
    BOOST_REQUIRE_EQUAL(z.size(), 2u * static_cast<size_t>(n));
    const PoleFit fit(z);
    // As many poles as are fitted, and fewer.
    for (size_t some = 1; some <= std::min<size_t>(poles.size(), static_cast<size_t>(n)); ++some) {
      const std::vector<Complex> w(poles.begin(), poles.begin() + static_cast<ptrdiff_t>(some)),
          r(residues.begin(), residues.begin() + static_cast<ptrdiff_t>(some));
      std::vector<Complex> x, found(static_cast<size_t>(n)), strength(found.size());
      for (const Complex& each : z) x.push_back(of_poles(w, r, each));
      BOOST_TEST(fit.fit(x.data(), found.data(), strength.data()) <= 1e-9);
      for (const Complex& at : {Complex(0, 0), Complex(3, 0.2), Complex(14, 0.5), Complex(0, 60)})
        BOOST_TEST(!!(std::abs(of_poles(found, strength, at) - of_poles(w, r, at)) <= 1e-8),
                   n << " poles, " << some << " of them, at " << at);
      for (const Complex& pole : found) BOOST_TEST((pole.real() > 0 && pole.imag() <= 0));
    }
  }
}

// Nothing, and what no poles of the right quadrant give: they are mirrored, and the samples met as well as they can be.
BOOST_AUTO_TEST_CASE(what_has_no_poles_is_missed) {
  const std::vector<Complex> z{{0, 0}, {0, 27}, {17, 27}, {17, 2.7}};
  const PoleFit fit(z);
  std::vector<Complex> found(2), strength(2);
  const std::vector<Complex> zeros(4), wild{{1, 0}, {-2, 0}, {0, 3}, {5, -1}};
  BOOST_TEST(fit.fit(zeros.data(), found.data(), strength.data()) == 0);
  BOOST_TEST((strength[0] == 0.0 && strength[1] == 0.0));
  const double misfit = fit.fit(wild.data(), found.data(), strength.data());
  double worst = 0;
  for (size_t j = 0; j < 4; ++j) worst = std::max(worst, std::abs(of_poles(found, strength, z[j]) - wild[j]));
  BOOST_TEST(misfit == worst / std::abs(wild[3]), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(misfit > tolerated_misfit);
  for (size_t p = 0; p < 2; ++p)
    BOOST_TEST((found[p].real() > 0 && found[p].imag() <= 0 && std::isfinite(std::abs(strength[p]))), found[p] << strength[p]);
}

// Where Godby and Needs find a pole, one pole at their two frequencies is the same, and its sum that of gpp.sigma far from the pole, where that kernel
// has no other form.
BOOST_AUTO_TEST_CASE(one_pole_is_that_of_godby_and_needs) {
  Settings s = silicon_empirical_from_wavefunctions();
  s.model = Model::godby_needs;
  s.epsilon.imaginary_frequency_Ry = 2;  // where one pole is sampled
  s.kpoints = {{0, 0, 0}};
  s.gpp_sexcutoff = 1e9;
  s.finite_difference_form = -3;
  s.frequency_grid_min_eV = s.frequency_grid_max_eV = 300;
  s.frequency_grid_points = 1;
  const Scratch folder;
  const DielectricResult made = make_epsilon(s, folder / "");
  s.eps0 = made.eps0;
  s.eps = made.eps;
  const Plan godby_needs(s);
  s.model = Model::multipole;
  s.poles = 1;
  const Plan multipole(s);
  KernelSource source("cpu");
  Screenings screenings(godby_needs, source), with_one_pole(multipole, source);
  double strongest = 0;
  for (size_t i = 0; i < godby_needs.items.size(); ++i) {
    const Plan::Item& item = godby_needs.items[i];
    SigmaArguments a;
    a.screening = screenings.make(godby_needs.screening_of(item));
    Screening poles = with_one_pole.make(multipole.screening_of(multipole.items[i]));
    const auto n = static_cast<size_t>(a.screening.ncouls);
    BOOST_REQUIRE_EQUAL(poles.multipoles.size(), 4 * n * n);
    size_t valid = 0;
    for (size_t at = 0; at < n * n; ++at) {
      double* const pole = poles.multipoles.data() + at / n * 4 * n + at % n;
      const Complex w = a.screening.wtilde[at], strength = a.screening.I_eps[at];
      const bool has_pole = w.imag() == 0 && w.real() < 1e11 && w.real() > 1e-3 && w.real() < 270;  // ten times the frequency
      if (has_pole && std::abs(strength) > 1e-9) {
        ++valid;
        // Of a tiny strength the noise of its two samples counts.
        const double tolerance = 1e-9 + 1e-13 / std::abs(strength);
        BOOST_TEST(!!(std::abs(Complex(pole[0], pole[n]) - w) <= tolerance * w.real()), Complex(pole[0], pole[n]) << " and " << w);
        BOOST_TEST(!!(std::abs(Complex(pole[2 * n], pole[3 * n]) + 0.5 * w * strength) <= tolerance * w.real()));
      } else {
        a.screening.I_eps.set(at, 0);
        pole[2 * n] = pole[3 * n] = 0;
      }
    }
    BOOST_TEST(valid > n * n / 2);
    a.take_item(godby_needs, item);
    MatrixElements(godby_needs, i, i + 1, source).compute(item, a.screening, a.m);
    SigmaKernel kernel(source, false);
    kernel.constants(a);
    kernel.run(a);
    const auto sx = a.asx, ch = a.ach;
    a.screening = std::move(poles);
    MultipoleSelfEnergy(multipole).run(multipole.items[i], a, {});
    for (size_t j = 0; j < sx.size(); ++j) {
      strongest = std::max(strongest, std::abs(sx[j]));
      BOOST_TEST(!!(std::abs(a.asx[j] - sx[j]) <= 1e-8 * std::abs(sx[j])), a.asx[j] << " and " << sx[j]);
      BOOST_TEST(!!(std::abs(a.ach[j] - ch[j]) <= 1e-8 * std::abs(ch[j])), a.ach[j] << " and " << ch[j]);
    }
  }
  BOOST_TEST(strongest > 1e-5);
}

BOOST_AUTO_TEST_CASE(several_poles_are_close_to_contour_deformation) {
  Settings s = with_poles(gallium_arsenide_from_wavefunctions(), 0);
  s.kpoints = {{0, 0, 0}};
  s.band_min = 4;  // the gap; deep bands lie among the plasmons
  s.band_max = 5;
  const Scratch folder;
  const auto solve = [&](int poles) {
    Settings own = s;
    own.poles = poles;
    if (poles == 0) own.model = Model::contour_deformation;
    own.epsilon.real_step_eV = 0.1;
    complete_frequencies(own);
    return run(own, "cpu", folder / "");
  };
  const Outcome exact = solve(0), six = solve(6), two = solve(2);
  BOOST_REQUIRE_EQUAL(exact.result.states.size(), 2u);
  double worst = 0, worst_of_two = 0;
  for (size_t i = 0; i < 2; ++i) {
    const Complex wanted = sigma(exact.result.states[i]), found = sigma(six.result.states[i]);
    BOOST_TEST(!!(std::abs(found.real() - wanted.real()) <= 5e-3 && std::abs(found - wanted) <= 1e-2),
               "band " << i + 4 << ": " << found << " and " << wanted);
    worst = std::max(worst, std::abs(found.real() - wanted.real()));
    worst_of_two = std::max(worst_of_two, std::abs(sigma(two.result.states[i]).real() - wanted.real()));
  }
  BOOST_TEST(worst < worst_of_two);
  for (const auto& check : six.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
}

BOOST_AUTO_TEST_CASE(neither_symmetry_nor_ranks_change_several_poles) {
  const Scratch folder;
  Settings s = with_poles(gallium_arsenide_from_wavefunctions(), 3);
  s.kpoints = {{0, 0, 0.5}};
  complete_frequencies(s);
  const DielectricResult made = make_epsilon(s, folder / "");
  s.eps0 = made.eps0;
  s.eps = made.eps;
  const Result wedge = run(s).result;
  s.gprime_slices = 2;
  BOOST_TEST(difference(wedge, run_on_ranks(s, 2).result) <= 1e-9);
  s.gprime_slices = 1;
  s.symmetry = false;
  s.offdiag = {{2, 2, 2}, {5, 5, 5}};
  const Result whole = run(s).result;
  // Elements that vanish by symmetry are noise, and so are their poles.
  BOOST_TEST(difference(wedge, whole) <= 1e-6);
  BOOST_REQUIRE_EQUAL(whole.off_diagonal.size(), 2u);
  for (const OffDiagonal& o : whole.off_diagonal)
    for (const State& state : whole.states)
      if (state.band == o.element.n) BOOST_TEST(std::abs(o.x + o.sx.at(0) + o.ch.at(0) + o.remainder - sigma(state)) <= 1e-6);
  s.poles = 4;
  BOOST_TEST(complaint([&] { Plan{s}; }) == "4 poles need eps^-1 at 8 frequencies; " + s.eps0.string() + " has 6");
}
