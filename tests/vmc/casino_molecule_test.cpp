// SPDX-License-Identifier: BSD-3-Clause
// CASINO's files of molecules: chi of correlation.data, and gwfn.data.
#include <cmath>
#include <random>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <vmc/casino_correlation.hpp>
#include <vmc/molecule/gwfn.hpp>
#include <vmc/molecule/molecule.hpp>

#include <base/input.hpp>

#include "replaced.hpp"

using namespace suite::vmc;

namespace {

// Water without orbitals: what correlation.data needs to know.
System water() {
  Molecule m;
  m.label = {"O", "H", "H"};
  m.charge = {8, 1, 1};
  m.rion = {0, 0, 0.2, 0, 1.4, -0.9, 0, -1.4, -0.9};
  return make_system(std::move(m), {5, 5});
}

const char* const of_water = R"( START JASTROW
 Title
 water
 Truncation order C
   3
 START U TERM
 Number of sets
   1
 START SET 1
 Spherical harmonic l,m
   0 0
 Expansion order N_u
   2
 Spin dep (0->uu=dd=ud; 1->uu=dd/=ud; 2->uu/=dd/=ud)
   0
 Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)
   0.0               0
 Parameter values  ;  Optimizable (0=NO; 1=YES)
   0.1   1       ! alpha_0,1
   0.2   1       ! alpha_2,1
 END SET 1
 END U TERM
 START CHI TERM
 Number of sets ; labelling (1->atom in s. cell; 2->atom in p. cell; 3->species)
   2 1
 START SET 1
 Spherical harmonic l,m
   0 0
 Number of atoms in set
   2
 Labels of the atoms in this set
   3 2
 Impose electron-nucleus cusp (0=NO; 1=YES)
   1
 Expansion order N_chi
   2
 Spin dep (0->u=d; 1->u/=d)
   1
 Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)
   3.5               1
 Parameter values  ;  Optimizable (0=NO; 1=YES)
   0.3   1       ! beta_0,1,1
   0.4   0       ! beta_2,1,1
   0.5   1       ! beta_0,2,1
   0.6   1       ! beta_2,2,1
 END SET 1
 START SET 2
 Spherical harmonic l,m
   0 0
 Number of atoms in set
   1
 Label of the atom in this set
   1
 Impose electron-nucleus cusp (0=NO; 1=YES)
   0
 Expansion order N_chi
   3
 Spin dep (0->u=d; 1->u/=d)
   1
 Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)
   4.5               0
 Parameter values  ;  Optimizable (0=NO; 1=YES)
 END SET 2
 END CHI TERM
 END JASTROW
)";

std::string message_of_water(const std::string& text) {
  try {
    parse_correlation_data("correlation.data", text, water());
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(chi_of_a_molecule_is_read_and_written_to_the_last_bit) {
  auto data = parse_correlation_data("correlation.data", of_water, water());
  Jastrow& j = data.jastrow;
  BOOST_TEST(j.L_u == usual_cutoff_of_u);
  BOOST_TEST(j.nset_chi == 2);
  BOOST_TEST(j.nspin_chi == 2);
  BOOST_TEST(j.nbeta == 4);
  BOOST_TEST((j.set_of_ion == std::vector<int32_t>{2, 1, 1}));
  BOOST_TEST((j.L_chi == std::vector<double>{3.5, 4.5}));
  BOOST_TEST((j.slope_chi == std::vector<double>{-1, 0}));
  // beta_1 = -Z/(-L)^C + C beta_0/L
  for (size_t spin = 0; spin < 2; ++spin)
    BOOST_TEST(std::abs(j.beta[4 * spin + 1] - (1 / std::pow(3.5, 3) + 3 * (spin ? 0.5 : 0.3) / 3.5)) < 1e-15);
  BOOST_TEST(j.beta[2] == 0.4);
  BOOST_TEST(j.beta[3] == 0);
  BOOST_TEST(j.beta[6] == 0.6);
  BOOST_TEST((data.free_cutoffs == std::vector<bool>{false, true, false}));
  // The first set has no beta_3: it stays 0.
  BOOST_TEST((data.free_beta == std::vector<bool>{true, false, false, true, true, false, true, true, true, true, true, true}));
  Free free;
  free.u = false;
  free.each_chi = data.free_beta;
  const auto names = parameter_names(j, free);
  BOOST_TEST(names.size() == 9u);
  BOOST_TEST(names[1] == "beta_0 kind 1 down");
  BOOST_TEST(names[3] == "beta_0 kind 2 up");
  std::mt19937_64 random(7);
  std::normal_distribution<double> gauss;
  for (auto& x : j.beta) x = gauss(random) * 1e-2;
  apply_cusp(water(), j);
  const std::string text = correlation_data_text(data);
  const auto back = parse_correlation_data("again", text, water());
  BOOST_TEST(back.jastrow.beta == j.beta);
  BOOST_TEST(back.jastrow.L_chi == j.L_chi);
  BOOST_TEST((back.jastrow.set_of_ion == j.set_of_ion));
  BOOST_TEST((back.free_beta == data.free_beta));
  BOOST_TEST(correlation_data_text(parse_correlation_data("again", text, water())) == text);
}

BOOST_AUTO_TEST_CASE(mistakes_in_chi_have_their_place) {
  const auto wrong = [](const char* what, const char* with, const char* part) {
    const std::string got = message_of_water(replaced(of_water, what, with));
    BOOST_TEST(got.find(part) != std::string::npos, got);
  };
  wrong("   3 2\n", "   3 4\n", "correlation.data:32:6: error: the number of an atom must be 1..3; got '4'");
  wrong("   3 2\n", "   3 3\n", "32:6: error: atom 3 is in two sets");
  wrong("   3 2\n", "   3 2 1\n", "32:8: error: there are more than the 2 labels of the set");
  wrong("   3 2\n", "   1 2\n", "atom 1 is in two sets");
  wrong("   2 1\n", "   2 3\n", "the number of a species must be 1..2");
  wrong("Spin dep (0->u=d; 1->u/=d)\n   1", "Spin dep (0->u=d; 1->u/=d)\n   0", "more than the 2 parameters of the set of the CHI TERM");
  wrong("   0.4   0       ! beta_2,1,1\n", "", "there are 3 of the 4 parameters");
  wrong("   3.5  ", "  -3.5  ", "the cutoff must not be negative");
  wrong(" END SET 2\n", "", "parameter 1 of the set of the CHI TERM must be a number; got 'END'");
  wrong(" END CHI TERM\n", " END CHI TERM\n START CHI TERM\n", "there is a second CHI TERM");
  wrong(" END CHI TERM\n", " END CHI TERM\n START P TERM\n", "term P TERM is not supported");
  wrong(" END CHI TERM\n", " END CHI TERM\n START Q TERM\n", "term Q TERM is not supported");
}

namespace {

// Two s functions and a p function at helium; the norms are (2 g/pi)^(3/4) and (128 g^5/pi^3)^(1/4).
const char* const helium = R"(helium
BASIC_INFO
----------
Generated by:
 a test
Periodicity:
 0
Spin unrestricted:
 .false.
nuclear-nuclear repulsion energy (au/atom):
 0.0000000000000E+00
Number of electrons per primitive cell:
 2

GEOMETRY
--------
Number of atoms:
 1
Atomic positions (au):
 0.0000000000000E+00-1.0000000000000E+00 0.0000000000000E+00
Atomic numbers for each atom:
 2
Valence charges for each atom:
 2.0000000000000E+00

BASIS SET
---------
Number of Gaussian centres
 1
Number of shells per primitive cell
 1
Number of basis functions ('AO') per primitive cell
 4
Number of Gaussian primitives per primitive cell
 1
Highest shell angular momentum (s/p/d/f... 1/2/3/4...)
 2
Code for shell types (s/sp/p/d/f... 1/2/3/4/5...)
 2
Number of primitive Gaussians in each shell
 1
Sequence number of first shell on each centre
 1 2
Exponents of Gaussian primitives
 2.0000000000000E+00
Normalized contraction coefficients
 1.1986229503065E+00
2nd contraction coefficients (p coefficients, for sp shells)
 3.3902176649901E+00
Position of each shell (au)
 0.0000000000000E+00-1.0000000000000E+00 0.0000000000000E+00

MULTIDETERMINANT INFORMATION
----------------------------
GS

ORBITAL COEFFICIENTS
------------------------
 0.0000000000000E+00-6.0000000000000E-01 8.0000000000000E-01 0.0000000000000E+00
)";

}  // namespace

BOOST_AUTO_TEST_CASE(wave_functions_are_read) {
  const Molecule m = parse_gwfn("gwfn.data", helium, {1, 1});
  BOOST_TEST(m.label.front() == "He");
  BOOST_TEST(m.rion[1] == -1);
  BOOST_TEST((m.shell_l == std::vector<int32_t>{0, 1}));
  BOOST_TEST(m.nao() == 4);
  // s, then p as z, x, y.
  BOOST_TEST((m.mo[0] == std::vector<double>{0, 0, -0.6, 0.8}));
  BOOST_TEST((m.mo[1] == m.mo[0]));
}

// Each function of d, f and g has the norm that its formula in the manual has.
BOOST_AUTO_TEST_CASE(functions_of_a_wave_function_have_the_norms_of_their_formulas) {
  constexpr double pi = 3.14159265358979323846;
  const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
  for (int l = 2; l <= 4; ++l) {
    // c r^l P_l exp(-g r^2) is normalised: c^2 4 pi/(2l+1) int r^(2l+2) exp(-2 g r^2) dr = 1.
    const double g = 0.8, radial = 0.5 * std::tgamma(l + 1.5) / std::pow(2 * g, l + 1.5), c = std::sqrt((2 * l + 1) / (4 * pi * radial));
    for (int k = 0; k < 2 * l + 1; ++k) {
      const int m = (k + 1) / 2;
      // Square of the function over that of r^l P_l; those of d lack 1/2, 3, 3, 3, 6.
      double square = m == 0 ? 1 : factorial(l + m) / (2 * factorial(l - m));
      constexpr double missing[] = {0.5, 3, 3, 3, 6};
      if (l == 2) square /= missing[k] * missing[k];
      std::string text = helium, orbital;
      const auto put = [&](const std::string& what, const std::string& with) { text = replaced(text, what, with); };
      put("primitive cell\n 4\n", "primitive cell\n " + std::to_string(2 * l + 1) + "\n");
      put("1/2/3/4/5...)\n 2\n", "1/2/3/4/5...)\n " + std::to_string(l + 2) + "\n");
      put(" 2.0000000000000E+00\nNorm", " 0.8\nNorm");
      put(" 1.1986229503065E+00", " " + std::to_string(c));
      put("2nd contraction coefficients (p coefficients, for sp shells)\n 3.3902176649901E+00\n", "");
      for (int i = 0; i < 2 * l + 1; ++i) orbital += i == k ? " " + std::to_string(1 / std::sqrt(square)) : " 0.0";
      put(" 0.0000000000000E+00-6.0000000000000E-01 8.0000000000000E-01 0.0000000000000E+00", orbital);
      const Molecule molecule = parse_gwfn("gwfn.data", text, {1, 1});  // it refuses orbitals with other norms
      for (int i = 0; i < 2 * l + 1; ++i) BOOST_TEST((molecule.mo[0][static_cast<size_t>(i)] != 0) == (i == k));
    }
  }
}

BOOST_AUTO_TEST_CASE(damaged_wave_functions_and_chi_are_read_or_refused) {
  std::mt19937_64 random(22);
  int refused = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text = i % 2 ? helium : of_water;
    for (int k = static_cast<int>(random() % 4); k >= 0; --k) {
      if (text.empty()) break;
      const size_t at = random() % text.size();
      if (random() % 2) text[at] = static_cast<char>(random());
      else if (random() % 2) text.erase(at, random() % 40);
      else text.insert(at, text.substr(random() % text.size(), random() % 40));
    }
    try {
      if (i % 2) parse_gwfn("gwfn.data", text, {1, 1});
      else parse_correlation_data("correlation.data", text, water());
    } catch (const suite::Failure&) { ++refused; }
  }
  BOOST_TEST(refused > 2500);
}
