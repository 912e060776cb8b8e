// SPDX-License-Identifier: BSD-3-Clause
// Plasmon poles of gw.screening on data of BerkeleyGW, and of a single pair where the answer is known.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>

#include <hdf5.h>

#include "bench.hpp"
#include "density.hpp"
#include "epsilon.hpp"
#include "hdf5/hdf5.hpp"

using namespace suite::gw;
using namespace suite::gw::test;
using Complex = std::complex<double>;
using std::numbers::pi;

namespace {

const char* const implementations[] = {"reference", "cpu"};

void set_lists(suite::Kernel& kernel, const std::vector<Miller>& g, const std::vector<Miller>& g_rho) {
  const auto set = [&](const char* name, const std::vector<Miller>& list) {
    kernel.set(name, reinterpret_cast<const int32_t*>(list.data()), {3, static_cast<int64_t>(list.size())});
  };
  set("g", g);
  set("g_rho", g_rho);
}

// One G vector at q = (0.25 0 0) of a cubic cell of 100 bohr^3 with 8 electrons.
struct Single {
  static constexpr double volume = 100, w_imaginary = 27.2;
  const std::vector<Miller> g{{0, 0, 0}};
  const double b2 = std::pow(2 * pi / std::cbrt(volume), 2), vcoul = 8 * pi / (0.0625 * b2) / volume, q[3]{0.25, 0, 0};
  const Matrix3 bdot{{{b2, 0, 0}, {0, b2, 0}, {0, 0, b2}}};
  Complex I, w;
  double plasma2() const { return rydberg_eV * rydberg_eV * 16 * pi * 8 / volume; }

  // electrons: of the density, to make Omega^2 small.
  template <class T>
  void solve(const std::string& implementation, const char* model, T epsinv, T imaginary = 0, int mode = 3, double electrons = 8) {
    suite::Kernel kernel("gw.screening", implementation);
    const T rho = electrons;
    T strength = 0;
    kernel.choose("model", model);
    set_lists(kernel, g, g);
    kernel.set("rho", &rho, {1});
    kernel.set("epsinv", &epsinv, {1, 1});
    kernel.set("epsinv_imaginary", &imaginary, {1, 1});
    kernel.set("w_imaginary", w_imaginary);
    kernel.set("vcoul", &vcoul, {1});
    kernel.set("q", q, {3});
    kernel.set("bdot", bdot[0].data(), {3, 3});
    kernel.set("nq", int32_t{1});
    kernel.set("invalid_gpp_mode", int32_t{mode});
    kernel.set("I_eps_array", &strength, {1, 1});
    kernel.set("wtilde_array", &w, {1, 1});
    kernel.run();
    I = strength;
  }
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
  const auto folder = std::filesystem::path(SUITE_SOURCE_DIR) / "tests/data";
  const InverseDielectric eps(folder / "si_epm/eps0mat.h5", folder / "si_epm/epsmat.h5");
  const DensityFile density = read_density(folder / "si_epm/RHO");
  const Density& rho = density.rho;
  for (auto [fixture, iq] : {std::pair{"si_small_0001.h5", 0}, {"si_small_0009.h5", 1}}) {
    const suite::hdf5::File file(folder / "gpp_fixtures" / fixture);
    const auto& g = eps.gvectors(iq);
    const int n = static_cast<int>(g.size());
    const size_t size = static_cast<size_t>(n) * n;
    const auto igp = file.read<int>("igp", {n});
    const auto I = read_pairs(file.path(), "I_eps_array", size), w = read_pairs(file.path(), "wtilde_array", size);
    const auto vcoul = file.read<double>("vcoul", {n});
    auto epsinv = I;
    for (int column = 0; column < n; ++column)
      for (int ig = 0; ig < n; ++ig) {
        Complex& e = epsinv[static_cast<size_t>(column) * n + ig];
        e = (ig == igp[column] - 1 ? 1.0 : 0.0) - e;
      }
    for (const char* implementation : implementations) {
      suite::Kernel kernel("gw.screening", implementation);
      std::vector<Complex> I_eps(size), wtilde(size);
      kernel.choose("model", "hybertsen_louie");
      set_lists(kernel, g, rho.gvectors());
      kernel.set("rho", rho.values().data(), {static_cast<int64_t>(rho.values().size())});
      kernel.set("indigp", igp.data(), {n});
      kernel.set("epsinv", epsinv.data(), {n, n});
      kernel.set("vcoul", vcoul.data(), {n});
      kernel.set("q", eps.qpoints()[iq].data(), {3});
      kernel.set("bdot", eps.crystal().bdot[0].data(), {3, 3});
      kernel.set("nq", int32_t{8});
      kernel.set("I_eps_array", I_eps.data(), {n, n});
      kernel.set("wtilde_array", wtilde.data(), {n, n});
      kernel.run();
      double worst_I = 0, worst_w = 0;
      int infinite = 0, zero = 0;
      for (size_t i = 0; i < size; ++i) {
        worst_I = std::max(worst_I, std::abs(I_eps[i] - I[i]));
        worst_w = std::max(worst_w, std::abs(wtilde[i] - w[i]) / std::max(1.0, std::abs(w[i])));
        infinite += w[i] == 1e12;
        zero += w[i] == 0.0;
      }
      BOOST_TEST_MESSAGE(implementation << ", " << fixture << ": " << size << " pairs, " << infinite << " static, " << zero
                                        << " without pole; I " << worst_I << ", w " << worst_w);
      BOOST_TEST(infinite > n * n / 10);
      BOOST_TEST(worst_I < 1e-15);
      BOOST_TEST(worst_w < 1e-13);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_single_pole_has_its_sum_rule) {
  Single one;
  for (const char* implementation : implementations) {
    one.solve<Complex>(implementation, "hybertsen_louie", 0.4);
    BOOST_TEST(close(one.I, 0.6, 1e-15));
    BOOST_TEST(close(one.w, std::sqrt(one.plasma2() / 0.6), 1e-13));
    one.solve<Complex>(implementation, "hybertsen_louie", {0.4, 0.2});  // w^2 = |z|/cos(arg z), z = Omega^2/I
    const Complex z = one.plasma2() / Complex(0.6, -0.2);
    BOOST_TEST(close(one.w, std::sqrt(std::abs(z) / std::cos(std::arg(z))), 1e-13));
    one.solve<double>(implementation, "hybertsen_louie", 0.4);
    BOOST_TEST(close(one.w, std::sqrt(one.plasma2() / 0.6), 1e-13));
  }
}

BOOST_AUTO_TEST_CASE(invalid_modes_do_what_they_say) {
  Single one;
  const Complex expected[] = {0, {0, std::sqrt(one.plasma2() / 0.5)}, 27.21138506, 1e12};
  for (const char* implementation : implementations)
    for (bool real : {false, true})
      for (int mode = 0; mode < 4; ++mode) {
        if (real) one.solve<double>(implementation, "hybertsen_louie", 1.5, 0, mode);
        else one.solve<Complex>(implementation, "hybertsen_louie", 1.5, 0, mode);
        BOOST_TEST(close(one.I, -0.5, 1e-15));
        BOOST_TEST(std::abs(one.w - expected[mode]) <= 1e-13 * std::abs(expected[mode]));
      }
}

BOOST_AUTO_TEST_CASE(small_numbers_have_no_pole) {
  Single one;
  for (const char* implementation : implementations) {
    const auto solve = [&](Complex epsinv, double electrons = 8) {
      one.solve<Complex>(implementation, "hybertsen_louie", epsinv, 0, 3, electrons);
    };
    solve(1.0 - 0.9e-6);
    BOOST_TEST(one.I == 0.0);
    BOOST_TEST(one.w == 0.0);
    solve(1.0 - 1.1e-6);
    BOOST_TEST(one.I != 0.0);
    BOOST_TEST(one.w != 0.0);
    solve({1, 0.5});  // cos(arg z) = 0
    BOOST_TEST(one.I != 0.0);
    BOOST_TEST(one.w == 0.0);
    solve(0.4, 1e-9);  // Omega^2 below 1e-6 eV^2
    BOOST_TEST(one.I != 0.0);
    BOOST_TEST(one.w == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(two_frequencies_find_the_pole_that_made_them) {
  Single one;
  const double w = 17.3, p = one.w_imaginary, I = 0.6;
  for (const char* implementation : implementations) {
    const auto solve = [&](Complex epsinv, Complex imaginary, int mode = 3) {
      one.solve<Complex>(implementation, "godby_needs", epsinv, imaginary, mode);
    };
    for (Complex phase : {Complex(1), Complex(0.8, 0.6)}) {
      // for a complex strength the complex form keeps w, too: both frequencies share its phase
      const Complex I1 = I * phase, I2 = I1 * (w * w / (w * w + p * p));
      solve(1.0 - I1, 1.0 - I2);
      BOOST_TEST(close(one.I, I1, 1e-15));
      BOOST_TEST(close(one.w, w, 1e-13));
    }
    // Of strengths with different phases w^2 is complex, and its real part counts, not the rule of the sum
    // rule.
    const Complex I1(0.6, 0.2), I2(0.3, -0.1), w2 = p * p * I2 / (I1 - I2);
    solve(1.0 - I1, 1.0 - I2);
    BOOST_TEST(std::abs(w2.imag()) > 0.1 * w2.real());
    BOOST_TEST(close(one.w, std::sqrt(w2.real()), 1e-13));
    const Complex grown = 1.0 - Complex(0.9, 0.1);  // Re w^2 < 0
    const Complex w2_grown = p * p * Complex(0.9, 0.1) / (I1 - Complex(0.9, 0.1));
    const Complex expected[] = {0, std::sqrt(w2_grown), 27.21138506, 1e12};
    for (int mode = 0; mode < 4; ++mode) {
      solve(1.0 - I1, grown, mode);
      BOOST_TEST(std::abs(one.w - expected[mode]) <= 1e-13 * std::abs(expected[mode]));
    }
    // small at rest, not small at the second frequency: still a pole
    solve(1.0 - 0.5e-6, 1.0 - I2);
    BOOST_TEST(one.I != 0.0);
    solve(0.4, 0.4);  // no decay: the static limit
    BOOST_TEST(one.w == 1e12);
  }
}

BOOST_AUTO_TEST_CASE(a_density_without_values_is_refused) {
  BOOST_CHECK_EXCEPTION((Density{std::vector<Miller>{{0, 0, 0}}, std::vector<Complex>{}}), suite::Failure,
                        [](const suite::Failure& f) { return std::string(f.what()) == "the density has 0 values for 1 G vectors"; });
  const Density empty;
  BOOST_TEST(empty.at({0, 0, 0}) == 0.0);
}
