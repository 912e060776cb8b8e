// SPDX-License-Identifier: BSD-3-Clause
// Elements of Sigma between two bands: against the diagonal, and what must not change them.
#include <boost/test/unit_test.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "plan.hpp"
#include "qp_hamiltonian.hpp"

using namespace suite::gw;
using namespace suite::gw::test;
using Complex = std::complex<double>;
namespace fs = std::filesystem;

namespace {

// The largest distance of any column, eV; -1 where they are not the same elements.
double difference(const std::vector<OffDiagonal>& a, const std::vector<OffDiagonal>& b) {
  if (a.size() != b.size() || a.empty()) return -1;
  double worst = 0;
  const auto widen = [&](const Complex& x, const Complex& y) {
    if (!(std::abs(x - y) <= worst)) worst = std::abs(x - y);
  };
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].k != b[i].k || !(a[i].element == b[i].element) || a[i].iw != b[i].iw) return -1;
    widen(a[i].x, b[i].x);
    widen(a[i].remainder, b[i].remainder);
    for (size_t iw = 0; iw < a[i].sx.size(); ++iw) widen(a[i].sx[iw], b[i].sx[iw]), widen(a[i].ch[iw], b[i].ch[iw]);
  }
  return worst;
}

std::vector<Element> matrix(int first, int last, int l) {
  std::vector<Element> all;
  for (int n = first; n <= last; ++n)
    for (int m = first; m <= last; ++m) all.push_back({n, m, l == -1 ? n : l});
  return all;
}

// Without inversion symmetry, so that elements are complex whatever the phases of the wavefunctions.
Settings arsenide() {
  auto s = gallium_arsenide();
  s.kpoints = {{0, 0, 0.5}};
  s.coulomb = CoulombMode::cell;
  s.coulomb_head = 0;
  s.band_min = 2;
  s.band_max = 6;
  s.finite_difference_form = 0;
  s.offdiag = matrix(2, 6, -1);
  return s;
}

double largest_imaginary(const std::vector<OffDiagonal>& all) {
  double largest = 0;
  for (const auto& o : all) largest = std::max(largest, std::abs((o.sx[0] + o.ch[0]).imag()));
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_of_one_band_are_those_of_the_diagonal) {
  for (Model model : {Model::gpp, Model::godby_needs, Model::cohsex}) {
    auto s = arsenide();
    s.model = model;
    const auto result = run(s).result;
    BOOST_TEST(largest_imaginary(result.off_diagonal) > 1e-3);
    double worst = 0;
    int compared = 0;
    for (const auto& o : result.off_diagonal) {
      if (o.element.n != o.element.m) continue;
      const State& state = result.states[o.element.n - s.band_min];
      BOOST_TEST_REQUIRE(state.band == o.element.n);
      BOOST_TEST_REQUIRE(o.sx.size() == (model == Model::cohsex ? 1u : 3u));
      BOOST_TEST(o.e_l == state.emf);
      ++compared;
      std::vector<Complex> differences{o.x - state.x, o.remainder.real() - state.remainder};
      for (size_t iw = 0; iw < o.sx.size(); ++iw) {
        differences.push_back(o.sx[iw] - state.sx[iw]);
        differences.push_back(model == Model::cohsex ? o.ch[iw].real() - state.ch[iw] : o.ch[iw] - state.ch[iw]);
      }
      for (const auto& d : differences)
        if (!(std::abs(d) <= worst)) worst = std::abs(d);
    }
    BOOST_TEST(compared == 5);
    BOOST_CHECK_MESSAGE(worst <= 1e-9, "model " << int(model) << ": " << worst << " eV");
  }
}

// At the energy of a third band <n|Sigma|m> is neither that of n nor that of m. All of it is nearly Hermitian at one energy, and X, which has none, also where the
// energy is that of the bra.
BOOST_AUTO_TEST_CASE(exchange_is_hermitian_and_the_rest_at_one_energy) {
  auto s = silicon_78bands();
  s.nbands = 14;
  s.kpoints = {{0, 0, 0.25}};
  s.band_max = 5;
  // Without averages it is that of one q0. What is left is of eps^-1 at a small q0 beside v at q = 0.
  s.coulomb = CoulombMode::cell;
  s.coulomb_head = 0;
  for (const int l : {2, -1}) {
    s.offdiag = matrix(1, 5, l);
    const auto result = run(s).result;
    double x = 0, sx = 0;
    for (const auto& a : result.off_diagonal)
      for (const auto& b : result.off_diagonal) {
        if (a.element.n != b.element.m || a.element.m != b.element.n) continue;
        x = std::max(x, std::abs(a.x - std::conj(b.x)));
        sx = std::max(sx, std::abs(a.sx[0] - std::conj(b.sx[0])));
      }
    BOOST_TEST(x <= 1e-12);
    BOOST_TEST((l == 2 ? sx <= 1e-4 : sx > 1e-4), "l = " << l << ": " << sx);
  }
}

BOOST_AUTO_TEST_CASE(ranks_and_slices_do_not_change_elements) {
  auto s = arsenide();
  const auto one = run(s).result.off_diagonal;
  BOOST_TEST(difference(one, run_on_ranks(s, 3).result.off_diagonal) == 0.0);
  s.gprime_slices = 2;
  const double worst = difference(one, run_on_ranks(s, 4).result.off_diagonal);
  BOOST_CHECK_MESSAGE(worst >= 0 && worst <= 1e-11, worst);
}

// Half of the operations of silicon, those without inversion, fill its grid together with time reversal: other images of q and k, of
// which some are conjugates.
BOOST_AUTO_TEST_CASE(time_reversal_instead_of_inversion_does_not_change_elements) {
  auto s = silicon_78bands();
  s.nbands = 14;
  s.kpoints = {{0, 0.25, 0.25}};
  s.band_max = 5;
  s.offdiag = matrix(1, 5, -1);
  const auto with_inversion = run(s).result.off_diagonal;
  const auto has_reversed = [](const Settings& settings) {
    const Plan plan(settings);
    return std::any_of(plan.q_full.points().begin(), plan.q_full.points().end(), [](const auto& point) { return point.reversed; });
  };
  BOOST_TEST(!has_reversed(s));

  const Scratch folder;
  const fs::path file = folder / "WFN_inner.h5";
  fs::copy_file(s.wavefunctions, file);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  int rotations[48][9];
  double translations[48][3];
  const auto access = [&](const char* name, hid_t type, void* values, bool write) {
    const hid_t set = H5Dopen2(id, name, H5P_DEFAULT);
    if (write) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    else H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
  };
  access("mf_header/symmetry/mtrx", H5T_NATIVE_INT, rotations, false);
  access("mf_header/symmetry/tnp", H5T_NATIVE_DOUBLE, translations, false);
  // A subgroup that does not have the inversion, of half the size: the tetrahedron's, rotations about axes and mirrors without
  // translation. In silicon every operation with determinant and translation either is in it or is one of it times the inversion.
  int kept = 0;
  for (int i = 0; i < 48; ++i) {
    const bool symmorphic = std::abs(translations[i][0]) + std::abs(translations[i][1]) + std::abs(translations[i][2]) < 1e-6;
    if (!symmorphic) continue;
    std::copy_n(rotations[i], 9, rotations[kept]);
    std::copy_n(translations[i], 3, translations[kept]);
    ++kept;
  }
  BOOST_TEST_REQUIRE(kept == 24);
  access("mf_header/symmetry/mtrx", H5T_NATIVE_INT, rotations, true);
  access("mf_header/symmetry/tnp", H5T_NATIVE_DOUBLE, translations, true);
  access("mf_header/symmetry/ntran", H5T_NATIVE_INT, &kept, true);
  H5Fclose(id);
  s.wavefunctions = file;
  BOOST_TEST(has_reversed(s));
  // The images of q0, a small vector in one direction, are other ones: 1e-4 eV.
  const double worst = difference(with_inversion, run(s).result.off_diagonal);
  BOOST_TEST_MESSAGE(worst << " eV");
  BOOST_CHECK_MESSAGE(worst >= 0 && worst <= 5e-4, worst << " eV");
}

namespace {

// Levels of bands 3 to 2 + n with Sigma - Vxc as given, column-major.
std::vector<MixedLevels> mix(const std::vector<double>& emf, const std::vector<Complex>& sigma, int t) {
  const int n = static_cast<int>(emf.size());
  Settings s;
  s.band_min = 3, s.band_max = 2 + n;
  s.sigma_matrix = {-1, t};
  Result result;
  result.kpoints = {{0, 0, 0}};
  for (int i = 0; i < n; ++i) {
    State& state = result.states.emplace_back();
    state.k = 0, state.spin = 1, state.band = 3 + i, state.emf = emf[static_cast<size_t>(i)];
  }
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      if (t * (column - row) < 0) continue;
      s.offdiag.push_back({3 + row, 3 + column, 3 + row});
      OffDiagonal& o = result.off_diagonal.emplace_back();
      o.element = s.offdiag.back();
      o.iw = {2};
      // Its parts.
      const Complex all = sigma[static_cast<size_t>(column * n + row)];
      o.x = all + 5.0, o.sx = {1.0}, o.ch = {-2.0}, o.remainder = 0.5, o.vxc = 4.5;
    }
  return mixed_levels(s, result);
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_mixed_levels_repel_each_other) {
  if (!mixes_levels()) {
    BOOST_TEST_MESSAGE("this build has no Eigen");
    return;
  }
  const double a = -1.5, b = 2.25;
  const Complex c(0.7, -0.4), skew(0.1, 0.2);  // the second breaks that H is Hermitian
  const double mean = (a + b) / 2, half = std::hypot((a - b) / 2, std::abs(c));
  for (const int t : {0, 1, -1}) {
    const Complex broken = t == 0 ? skew : 0.0;
    const auto levels = mix({-1, 2}, {-0.5, std::conj(c) - std::conj(broken), c + broken, 0.25}, t);
    BOOST_REQUIRE_EQUAL(levels.size(), 1u);
    BOOST_TEST(std::abs(levels[0].energies.at(0) - (mean - half)) <= 1e-14);
    BOOST_TEST(std::abs(levels[0].energies.at(1) - (mean + half)) <= 1e-14);
    BOOST_TEST(levels[0].bands == (std::vector<int>{3, 4}), boost::test_tools::per_element());
    const double share = 0.5 * (1 + (b - a) / 2 / half);
    for (const double found : levels[0].shares) BOOST_TEST(std::abs(found - share) <= 1e-14);
  }
  // Without elements between bands: Emf + Sigma - Vxc of each.
  const auto apart = mix({1, -3, 2}, {0.5, 0, 0, 0, 0.25, 0, 0, 0, -1}, 0);
  const std::vector<double> energies{-2.75, 1, 1.5};
  for (size_t i = 0; i < 3; ++i) {
    BOOST_TEST(apart.at(0).energies.at(i) == energies[i]);
    BOOST_TEST(apart.at(0).shares.at(i) == 1);
  }
  BOOST_TEST(apart[0].bands == (std::vector<int>{4, 5, 3}), boost::test_tools::per_element());
}

// A degenerate set may be mixed by any unitary matrix.
BOOST_AUTO_TEST_CASE(mixing_a_degenerate_set_does_not_change_mixed_levels) {
  if (!mixes_levels()) {
    BOOST_TEST_MESSAGE("this build has no Eigen");
    return;
  }
  const Complex i(0, 1);
  const Complex sigma[3][3] = {{-1.0, 0.2 + 0.1 * i, 0.3 * i}, {0.2 - 0.1 * i, -0.8, 0.4}, {-0.3 * i, 0.4, 0.5}};
  const double c = 0.8, s = 0.6;
  const Complex u[3][3] = {{c, -s * i, 0}, {-s * i, c, 0}, {0, 0, 1}};
  std::vector<Complex> before(9), after(9);
  for (size_t n = 0; n < 3; ++n)
    for (size_t m = 0; m < 3; ++m) {
      before[m * 3 + n] = sigma[n][m];
      for (size_t p = 0; p < 3; ++p)
        for (size_t q = 0; q < 3; ++q) after[m * 3 + n] += std::conj(u[p][n]) * sigma[p][q] * u[q][m];
    }
  const auto a = mix({-2, -2, 1}, before, 0), b = mix({-2, -2, 1}, after, 0);
  BOOST_TEST(std::abs(after[1] - before[1]) > 0.01);
  for (size_t j = 0; j < 3; ++j) BOOST_TEST(std::abs(a.at(0).energies.at(j) - b.at(0).energies.at(j)) <= 1e-14);
}

// The first and the last of five that BerkeleyGW's regression case Si prints; Vxc is 0 in it.
BOOST_AUTO_TEST_CASE(mixed_levels_are_those_of_berkeleygw) {
  if (!mixes_levels()) {
    BOOST_TEST_MESSAGE("this build has no Eigen");
    return;
  }
  Settings s = silicon_empirical();
  s.model = Model::cohsex;
  s.nbands = 8;
  s.band_max = 5;
  s.kpoints = {{0, 0, 0.5}};
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  s.sigma_matrix = {3, 1};
  for (int n = 1; n <= 5; ++n)
    for (int m = n; m <= 5; ++m) s.offdiag.push_back({n, m, 3});
  const Outcome outcome = run(s);
  const auto levels = mixed_levels(s, outcome.result);
  BOOST_REQUIRE_EQUAL(levels.size(), 1u);
  BOOST_REQUIRE_EQUAL(levels[0].energies.size(), 5u);
  constexpr double tolerance = 3e-6;  // six digits, and elements that vanish by symmetry, which that code sets to 0
  BOOST_TEST(std::abs(levels[0].energies[0] + 13.862077) <= tolerance, levels[0].energies[0] + 13.862077);
  BOOST_TEST(std::abs(levels[0].energies[4] - 1.653623) <= tolerance, levels[0].energies[4] - 1.653623);
  const std::string file = offdiag_file(s, outcome.result, levels);
  BOOST_TEST(file.find("\n       1       1  -13.86207") != std::string::npos, file);
}
