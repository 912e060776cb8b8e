// SPDX-License-Identifier: BSD-3-Clause
// Elements of Sigma between two bands: against the diagonal, and what must not change them.
#include <boost/test/unit_test.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"
#include "plan.hpp"

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

// At the energy of a third band <n|Sigma|m> is neither that of n nor that of m; Hermitian is only what has no energy, X.
BOOST_AUTO_TEST_CASE(exchange_is_hermitian_and_the_rest_is_not) {
  auto s = silicon_78bands();
  s.nbands = 14;
  s.kpoints = {{0, 0, 0.25}};
  s.band_max = 5;
  s.offdiag = matrix(1, 5, 2);
  const auto result = run(s).result;
  double x = 0, sx = 0;
  for (const auto& a : result.off_diagonal)
    for (const auto& b : result.off_diagonal) {
      if (a.element.n != b.element.m || a.element.m != b.element.n) continue;
      x = std::max(x, std::abs(a.x - std::conj(b.x)));
      sx = std::max(sx, std::abs(a.sx[0] - std::conj(b.sx[0])));
    }
  BOOST_TEST(x <= 1e-12);
  BOOST_TEST(sx > 1e-8);
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
