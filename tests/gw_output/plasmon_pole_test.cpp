// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include <hdf5.h>

#include "files.hpp"
#include "gw/density.hpp"
#include "gw/epsilon.hpp"
#include "hdf5/hdf5.hpp"
#include "gw/plasmon_pole.hpp"

using namespace suite::gw;
using Complex = std::complex<double>;
using std::numbers::pi;

namespace {

// One G vector at q = (0.25 0 0) of a cubic cell, with everything else at hand to change.
struct Single {
  Miller G{0, 0, 0};
  double vcoul = 8 * pi / 0.0625, volume = 100;
  Density rho{std::vector<Miller>{{0, 0, 0}}, std::vector<Complex>{8.0}};
  PlasmonPoleInput input;
  Complex I, w;

  double plasma2() const { return rydberg_eV * rydberg_eV * 16 * pi * 8 / volume; }
  void solve(Complex eps_inverse) {
    fill(eps_inverse);
    hybertsen_louie(input, &I, &w);
  }
  void fill(const Complex& eps_inverse) {
    input.eps_inverse = &eps_inverse_;
    eps_inverse_ = eps_inverse;
    input.ncouls = 1;
    input.G = &G;
    input.q = {0.25, 0, 0};
    input.bdot = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    input.vcoul = &vcoul;
    input.rho = &rho;
    input.volume = volume;
  }

private:
  Complex eps_inverse_;
};

// A dataset of pairs (r, i), C order.
std::vector<Complex> read_pairs(const std::filesystem::path& file, const char* dataset, size_t count) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(f, dataset, H5P_DEFAULT), space = H5Dget_space(d);
  BOOST_REQUIRE(H5Sget_simple_extent_npoints(space) == static_cast<hssize_t>(count));
  const hid_t pair = H5Tcreate(H5T_COMPOUND, sizeof(Complex));
  H5Tinsert(pair, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "i", sizeof(double), H5T_NATIVE_DOUBLE);
  std::vector<Complex> out(count);
  BOOST_REQUIRE(H5Dread(d, pair, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) >= 0);
  H5Tclose(pair), H5Sclose(space), H5Dclose(d), H5Fclose(f);
  return out;
}

bool close(Complex a, Complex b, double relative) { return std::abs(a - b) <= relative * std::abs(b); }

}  // namespace

// The arrays that BerkeleyGW's kernel was called with, from the files that it read: data of
// tests/data/si_epm.
BOOST_AUTO_TEST_CASE(poles_of_the_reference_code_are_reproduced) {
  const auto data = test::source / "tests/data";
  const InverseDielectric eps(data / "si_epm/eps0mat.h5", data / "si_epm/epsmat.h5");
  const DensityFile density = read_density(data / "si_epm/RHO");
  for (auto [fixture, iq] : {std::pair{"si_small_0001.h5", 0}, {"si_small_0009.h5", 1}}) {
    const suite::hdf5::File file(data / "gpp_fixtures" / fixture);
    const auto& G = eps.gvectors(iq);
    const int n = static_cast<int>(G.size());
    const auto igp = file.read<int>("igp", {n});
    const auto read = [&](const char* name) {
      const auto raw = read_pairs(file.path(), name, static_cast<size_t>(n) * n);  // its columns: back into the order of G
      std::vector<Complex> sorted(raw.size());
      for (int column = 0; column < n; ++column)
        for (int ig = 0; ig < n; ++ig) sorted[ig + static_cast<size_t>(igp[column] - 1) * n] = raw[ig + static_cast<size_t>(column) * n];
      return sorted;
    };
    const auto I = read("I_eps_array"), w = read("wtilde_array");
    auto vcoul = file.read<double>("vcoul", {n});
    for (auto& v : vcoul) v *= 8 * eps.crystal().volume;  // 8 q points
    auto eps_inverse = I;
    for (size_t i = 0; i < eps_inverse.size(); ++i) eps_inverse[i] = (i % (n + 1) == 0 ? 1.0 : 0.0) - I[i];
    PlasmonPoleInput input;
    input.eps_inverse = eps_inverse.data();
    input.ncouls = n;
    input.G = G.data();
    input.q = eps.qpoints()[iq];
    input.q_is_zero = iq == 0;
    input.bdot = eps.crystal().bdot;
    input.vcoul = vcoul.data();
    input.rho = &density.rho;
    input.volume = eps.crystal().volume;
    std::vector<Complex> I_eps(I.size()), wtilde(I.size());
    hybertsen_louie(input, I_eps.data(), wtilde.data());
    double worst_I = 0, worst_w = 0;
    int infinite = 0, zero = 0;
    for (size_t i = 0; i < I.size(); ++i) {
      worst_I = std::max(worst_I, std::abs(I_eps[i] - I[i]));
      worst_w = std::max(worst_w, std::abs(wtilde[i] - w[i]) / std::max(1.0, std::abs(w[i])));
      infinite += w[i] == 1e12;
      zero += w[i] == 0.0;
    }
    BOOST_TEST_MESSAGE(fixture << ": " << n * n << " pairs, " << infinite << " static, " << zero << " without pole; I " << worst_I << ", w "
                               << worst_w);
    BOOST_TEST(infinite > n * n / 10);
    BOOST_TEST(worst_I < 1e-15);
    BOOST_TEST(worst_w < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(a_single_pole_has_its_sum_rule) {
  Single one;
  one.solve(0.4);
  BOOST_TEST(close(one.I, 0.6, 1e-15));
  BOOST_TEST(close(one.w, std::sqrt(one.plasma2() / 0.6), 1e-14));
  one.solve(Complex(0.4, 0.2));  // w^2 = |z|/cos(arg z), z = Omega^2/I
  const Complex z = one.plasma2() / Complex(0.6, -0.2);
  BOOST_TEST(close(one.w, std::sqrt(std::abs(z) / std::cos(std::arg(z))), 1e-14));
  one.input.real_flavour = true;
  one.solve(0.4);
  BOOST_TEST(close(one.w, std::sqrt(one.plasma2() / 0.6), 1e-14));
}

BOOST_AUTO_TEST_CASE(invalid_modes_do_what_they_are_told) {
  Single one;
  for (bool real : {false, true}) {
    one.input.real_flavour = real;
    const Complex expected[] = {0, Complex(0, std::sqrt(one.plasma2() / 0.5)), 27.21138506, 1e12};
    for (int mode = 0; mode < 4; ++mode) {
      one.input.invalid_gpp_mode = mode;
      one.solve(1.5);
      BOOST_TEST(close(one.I, -0.5, 1e-15));
      BOOST_TEST(std::abs(one.w - expected[mode]) <= 1e-14 * std::abs(expected[mode]));
    }
  }
  one.input.invalid_gpp_mode = 4;
  BOOST_TEST(test::failure([&] { one.solve(1.5); }) == "invalid_gpp_mode is 4; it can be 0, 1, 2 or 3");
}

BOOST_AUTO_TEST_CASE(small_numbers_have_no_pole) {
  Single one;
  one.solve(1.0 - 0.9e-6);
  BOOST_TEST(one.I == 0.0);
  BOOST_TEST(one.w == 0.0);
  one.solve(1.0 - 1.1e-6);
  BOOST_TEST(one.I != 0.0);
  BOOST_TEST(one.w != 0.0);
  one.solve(Complex(1, 0.5));  // cos(arg z) = 0
  BOOST_TEST(one.I != 0.0);
  BOOST_TEST(one.w == 0.0);
  one.volume = 1e13;  // Omega^2 below 1e-6 eV^2
  one.solve(0.4);
  BOOST_TEST(one.I != 0.0);
  BOOST_TEST(one.w == 0.0);
}

BOOST_AUTO_TEST_CASE(at_q_zero_the_head_takes_the_plasma_frequency_and_its_row_nothing) {
  const Miller G[] = {{0, 0, 0}, {1, 0, 0}};
  const double vcoul[] = {1e30, 8 * pi};
  const Complex eps_inverse[] = {0.1, 0.2, 0.2, 0.5};  // wings present, to see that their poles are not
  const Density rho(std::vector<Miller>{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, std::vector<Complex>{2.0, 8.0, 2.0});
  PlasmonPoleInput input;
  input.eps_inverse = eps_inverse;
  input.ncouls = 2;
  input.G = G;
  input.q = {0, 0, 0.001};
  input.q_is_zero = true;
  input.bdot = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  input.vcoul = vcoul;
  input.rho = &rho;
  input.volume = 100;
  Complex I[4], w[4];
  hybertsen_louie(input, I, w);
  const double plasma2 = rydberg_eV * rydberg_eV * 16 * pi * 8 / 100;
  BOOST_TEST(close(w[0], std::sqrt(plasma2 / 0.9), 1e-14));
  BOOST_TEST(w[1] == 0.0);
  BOOST_TEST(w[2] == 0.0);
  BOOST_TEST(close(w[3], std::sqrt(plasma2 / 0.5), 1e-14));
}

BOOST_AUTO_TEST_CASE(two_frequencies_find_the_pole_that_made_them) {
  Single one;
  const double w = 17.3, p = 27.2, I = 0.6;
  for (Complex phase : {Complex(1), Complex(0.8, 0.6)}) {
    // for a complex strength the complex form keeps w, too: both frequencies share its phase
    const Complex I1 = I * phase, I2 = I1 * (w * w / (w * w + p * p)), second = 1.0 - I2;
    one.fill(1.0 - I1);
    godby_needs(one.input, &second, p, &one.I, &one.w);
    BOOST_TEST(close(one.I, I1, 1e-15));
    BOOST_TEST(close(one.w, w, 1e-13));
  }
  // Of strengths with different phases w^2 is complex, and its real part counts, not the rule of the sum
  // rule.
  const Complex I1(0.6, 0.2), I2(0.3, -0.1), w2 = p * p * I2 / (I1 - I2), second = 1.0 - I2;
  one.fill(1.0 - I1);
  godby_needs(one.input, &second, p, &one.I, &one.w);
  BOOST_TEST(std::abs(w2.imag()) > 0.1 * w2.real());
  BOOST_TEST(close(one.w, std::sqrt(w2.real()), 1e-14));
  const Complex grown = 1.0 - Complex(0.9, 0.1);  // Re w^2 < 0
  const Complex w2_grown = p * p * Complex(0.9, 0.1) / (I1 - Complex(0.9, 0.1));
  const Complex expected[] = {0, std::sqrt(w2_grown), 27.21138506, 1e12};
  for (int mode = 0; mode < 4; ++mode) {
    one.input.invalid_gpp_mode = mode;
    const PoleCount count = godby_needs(one.input, &grown, p, &one.I, &one.w);
    BOOST_TEST(std::abs(one.w - expected[mode]) <= 1e-14 * std::abs(expected[mode]));
    BOOST_TEST(count.invalid == 1.0);
  }
  // small at rest, not small at the second frequency: still a pole
  const Complex nothing = 1.0 - 0.5e-6;
  one.fill(nothing);
  godby_needs(one.input, &second, p, &one.I, &one.w);
  BOOST_TEST(one.I != 0.0);
  const Complex same = 0.4;  // no decay: the static limit
  one.fill(same);
  godby_needs(one.input, &same, p, &one.I, &one.w);
  BOOST_TEST(one.w == 1e12);
}

BOOST_AUTO_TEST_CASE(nonsense_is_refused) {
  Single one;
  one.volume = 0;
  BOOST_TEST(test::failure([&] { one.solve(0.4); }) ==
             "the plasmon-pole model needs a positive density and volume; they are 8.000000 electrons in "
             "0.000000 bohr^3");
  BOOST_TEST(test::failure([] {
               Density(std::vector<Miller>{{0, 0, 0}}, std::vector<Complex>{});
             }) == "the density has 0 values for 1 G vectors");
  const Density empty;
  BOOST_TEST(empty.at({0, 0, 0}) == 0.0);
}
