// SPDX-License-Identifier: BSD-3-Clause
// Spinors: gallium arsenide with spin-orbit coupling against BerkeleyGW (files by spinor_wavefunctions.py), and without it against the same crystal in
// scalar wavefunctions.
#include <boost/test/unit_test.hpp>

#include <functional>
#include <random>

#include <suite/plugin.hpp>

#include "datasets.hpp"
#include "plan.hpp"
#include "solved.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;
using Complex = std::complex<double>;

namespace {

// Each scalar band c as two spinors (a c, b c) and (-b* c, a* c), with a and b at random.
void double_bands(const fs::path& from, const fs::path& to) {
  const Wavefunctions w(from);
  const size_t bands = static_cast<size_t>(w.nbands()), nk = w.kpoints().size();
  fs::copy_file(from, to);
  fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
  std::vector<double> energies, occupations, coefficients;
  size_t all = 0, first = 0;
  for (size_t k = 0; k < nk; ++k) all += static_cast<size_t>(w.plane_waves(static_cast<int>(k)));
  coefficients.resize(2 * bands * 2 * all * 2);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> angle(0, 6);
  for (size_t k = 0; k < nk; ++k) {
    const auto sphere = w.read(static_cast<int>(k), w.nbands());
    const size_t n = sphere.g.size();
    for (size_t band = 0; band < bands; ++band) {
      const double t = angle(random);
      const Complex a = std::polar(std::cos(t), angle(random)), b = std::polar(std::sin(t), angle(random));
      const std::array<Complex, 4> mixed{a, b, -std::conj(b), std::conj(a)};
      for (size_t twin = 0; twin < 2; ++twin) {
        energies.push_back(w.energy(static_cast<int>(k), static_cast<int>(band)));
        occupations.push_back(static_cast<int>(band) < w.occupied());
        for (size_t s = 0; s < 2; ++s)
          for (size_t i = 0; i < n; ++i) {
            const Complex z = mixed[2 * twin + s] * sphere.c[band * n + i];
            const size_t at = 2 * (((2 * band + twin) * 2 + s) * all + first + i);
            coefficients[at] = z.real(), coefficients[at + 1] = z.imag();
          }
      }
    }
    first += n;
  }
  replace_dataset<int>(to, "mf_header/kpoints/nspinor", {}, {2});
  replace_dataset<int>(to, "mf_header/kpoints/mnband", {}, {2 * w.nbands()});
  replace_dataset<int>(to, "mf_header/kpoints/ifmax", {1, nk}, std::vector<int>(nk, 2 * w.occupied()));
  replace_dataset(to, "mf_header/kpoints/el", {1, nk, 2 * bands}, energies);
  replace_dataset(to, "mf_header/kpoints/occ", {1, nk, 2 * bands}, occupations);
  replace_dataset(to, "wfns/coeffs", {2 * bands, 2, all, 2}, coefficients);
}

}  // namespace

BOOST_AUTO_TEST_CASE(spin_orbit_coupling_has_the_columns_of_berkeleygw) {
  const Scratch folder;
  const Solved ours(spin_orbit(), folder / "");
  BOOST_REQUIRE_EQUAL(ours.states.size(), 36u);
  check_columns(ours, spin_orbit().wavefunctions.parent_path() / "sigma_hp.log", 2e-9);
  const double heads[] = {13.78629380709544, 2.409895603710769, 2.308239964115869};
  for (size_t i = 0; i < 3; ++i) BOOST_TEST(!!(std::abs(ours.outcome.result.dielectric.at(i).head - heads[i]) <= 2e-11 * heads[i]));
  for (const auto& check : ours.outcome.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
}

// By symmetry the images of wavefunctions, whose spins turn, give what all q give.
BOOST_AUTO_TEST_CASE(spins_turn_with_the_operations) {
  const Scratch folder;
  Settings s = spin_orbit();
  s.coulomb = CoulombMode::cell;
  s.wings = Wings::symmetric;
  const DielectricResult made = make_epsilon(s, folder / "");
  s.eps0 = made.eps0;
  s.eps = made.eps;
  const Result one = run(s).result;
  s.symmetry = false;
  BOOST_TEST(difference(one, run(s).result) <= 1e-8);
}

BOOST_AUTO_TEST_CASE(without_spin_orbit_coupling_spinors_give_the_scalar_result) {
  const Scratch folder;
  Settings s = gallium_arsenide_from_wavefunctions();
  s.epsilon.cutoff_Ry = 3;
  const Result scalar = run(s, "cpu", folder / "").result;
  Settings t = s;
  int number = 0;
  for (fs::path* file : {&t.wavefunctions, &t.epsilon.wavefunctions, &t.epsilon.wavefunctions_q0}) {
    const fs::path doubled = folder / fmt::format("{}.h5", ++number);
    double_bands(*file, doubled);
    *file = doubled;
  }
  t.nbands *= 2, t.epsilon.nbands *= 2, t.band_max *= 2;
  const Result spinor = run(t, "cpu", folder / "").result;
  BOOST_REQUIRE_EQUAL(spinor.states.size(), 2 * scalar.states.size());
  for (size_t i = 0; i < scalar.dielectric.size(); ++i)
    BOOST_TEST(!!(std::abs(spinor.dielectric[i].head / scalar.dielectric[i].head - 1) <= 1e-11));
  double worst = 0;
  for (size_t i = 0; i < spinor.states.size(); ++i) {
    const State &a = spinor.states[i], &b = scalar.states[i / 2];
    worst = std::max({worst, std::abs(a.x - b.x), std::abs(a.sx[0] - b.sx[0]), std::abs(a.sx[1] - b.sx[1]), std::abs(a.ch[0] - b.ch[0]),
                      std::abs(a.remainder - b.remainder)});
  }
  BOOST_TEST(worst <= 1e-9);
}
