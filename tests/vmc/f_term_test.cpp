// SPDX-License-Identifier: BSD-3-Clause
// The f term of the app: what its constraints leave, what they forbid, correlation.data, derivatives by coefficients and cutoffs.
#include <algorithm>
#include <cmath>
#include <random>

#include <boost/test/unit_test.hpp>

#include <vmc/casino_correlation.hpp>
#include <vmc/derivatives.hpp>
#include <vmc/kernel_arguments.hpp>
#include <vmc/molecule/molecule.hpp>

using namespace suite::vmc;

namespace {

// A nucleus with one s and one p function, four electrons; and hydrogen beside it.
System hydride() {
  Molecule m;
  m.label = {"Li", "H"};
  m.charge = {3, 1};
  m.rion = {0.1, -0.2, 0.3, 0.1, 1.1, 0.3};
  m.shell_ion = {1, 1, 2};
  m.shell_l = {0, 1, 0};
  m.shell_first = {1, 2, 3, 4};
  m.exponent = {1.3, 0.6, 0.5};
  m.coefficient = {1, 1, 1};
  m.mo = {std::vector<double>{1, 0.1, 0, 0.2, 0.3, 0.2, 0, 0.7, 0, 0.9}, std::vector<double>{1, 0, 0.2, 0, 0.1, 0.1, 0.8, 0, 0.3, 0.5}};
  return make_system(std::move(m), {2, 2});
}

Jastrow with_f(const System& system, const FShape& shape, int npair, double L, int truncation) {
  Jastrow j;
  j.truncation = truncation;
  add_f(system, j, {std::max(shape.nen, shape.nee), npair, L});
  j.nf_en = shape.nen + 1;
  j.nf_ee = shape.nee + 1;
  j.shape_f.assign(j.shape_f.size(), shape);
  j.gamma.assign(static_cast<size_t>(j.nf_en * j.nf_en * j.nf_ee * npair * j.nset_f), 0);
  auto values = parameters(j, Free::only_f());
  std::mt19937_64 random(5);
  std::normal_distribution<double> gauss;
  for (double& x : values) x = 0.02 * gauss(random);
  set_parameters(system, j, values, Free::only_f());
  return j;
}

// The polynomial of the first set of pairs and ions at distances a and b from the ion and c apart, and its slopes in a and c.
struct Slopes3 {
  double value, in_a, in_c;
};
Slopes3 polynomial(const Jastrow& j, double a, double b, double c) {
  const double L = j.L_f[0], C = j.truncation, cut = std::pow(a - L, C) * std::pow(b - L, C);
  double p = 0, p_a = 0, p_c = 0;
  for (int n = 0; n < j.nf_ee; ++n)
    for (int m = 0; m < j.nf_en; ++m)
      for (int l = 0; l < j.nf_en; ++l) {
        const double g = j.gamma[static_cast<size_t>(l + j.nf_en * (m + j.nf_en * n))], of_b = std::pow(b, m);
        p += g * std::pow(a, l) * of_b * std::pow(c, n);
        if (l > 0) p_a += g * l * std::pow(a, l - 1) * of_b * std::pow(c, n);
        if (n > 0) p_c += g * std::pow(a, l) * of_b * n * std::pow(c, n - 1);
      }
  return {cut * p, cut * (C / (a - L) * p + p_a), cut * p_c};
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

// What public files of CASINO hold, for every combination of flags.
BOOST_AUTO_TEST_CASE(constraints_of_f_leave_the_coefficients_that_files_have) {
  const auto count = [](int nen, int nee, bool u, bool chi) { return FConstraints({nen, nee, u, chi}, 3, 4.3).free().size(); };
  BOOST_TEST(count(3, 3, false, false) == 26u);
  BOOST_TEST(count(3, 3, true, false) == 23u);
  BOOST_TEST(count(3, 3, false, true) == 23u);
  BOOST_TEST(count(3, 3, true, true) == 21u);
  std::string names;
  const FConstraints constraints({3, 3, false, false}, 3, 5.73);
  for (const auto& [l, m, n] : constraints.free()) names += std::to_string(100 * l + 10 * m + n) + " ";
  BOOST_TEST(names == "110 210 310 220 320 330 111 221 2 102 202 112 212 312 222 322 332 3 103 203 113 213 313 223 323 333 ");
}

// The conditions themselves, in f and not in its coefficients: no slope in r_ij where electrons meet, none in r_i at the ion, where r_j is
// r_ij; f without the functions of u vanishes where both are at the ion, and so on.
BOOST_AUTO_TEST_CASE(f_has_no_cusps) {
  const System system = hydride();
  for (const int C : {2, 3})
    for (const FShape& shape : {FShape{3, 3, false, false}, FShape{2, 4, true, false}, FShape{4, 2, false, true}, FShape{3, 2, true, true},
                                FShape{1, 1, false, false}, FShape{6, 6, true, true}}) {
      const Jastrow j = with_f(system, shape, 2, 3.7, C);
      const double scale = 1e-12 * (1 + largest(j.gamma)) * std::pow(3.7, 2 * C + shape.nen + shape.nee);
      for (const double r : {0.0, 0.4, 1.9, 3.1}) {
        BOOST_TEST(std::abs(polynomial(j, r, r, 0).in_c) <= scale);
        BOOST_TEST(std::abs(polynomial(j, 0, r, r).in_a) <= scale);
        BOOST_TEST(std::abs(polynomial(j, r, 0.7, 1.1).value - polynomial(j, 0.7, r, 1.1).value) <= scale);  // symmetric
      }
      for (int n = 0; n < j.nf_ee && shape.without_u; ++n) BOOST_TEST(j.gamma[static_cast<size_t>(j.nf_en * j.nf_en * n)] == 0);
      for (int l = 0; l < j.nf_en && shape.without_chi; ++l) BOOST_TEST(j.gamma[static_cast<size_t>(l)] == 0);
    }
}

namespace {

const char* const of_hydride = R"( START JASTROW
 Title
 a molecule
 Truncation order C
   3
 START F TERM
 Number of sets ; labelling (1->atom in s. cell; 2->atom in p. cell; 3->species)
   2 1
 START SET 1
 Number of atoms in set
   1
 Label of the atom in this set
   2
 Prevent duplication of u term (0=NO; 1=YES)
   1
 Prevent duplication of chi term (0=NO; 1=YES)
   1
 Electron-nucleus expansion order N_f_eN
   2
 Electron-electron expansion order N_f_ee
   2
 Spin dep (0->uu=dd=ud; 1->uu=dd/=ud; 2->uu/=dd/=ud)
   1
 Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)
   3.5               1
 Parameter values  ;  Optimizable (0=NO; 1=YES)
   @
 END SET 1
 START SET 2
 Number of atoms in set
   1
 Label of the atom in this set
   1
 Prevent duplication of u term (0=NO; 1=YES)
   0
 Prevent duplication of chi term (0=NO; 1=YES)
   0
 Electron-nucleus expansion order N_f_eN
   3
 Electron-electron expansion order N_f_ee
   2
 Spin dep (0->uu=dd=ud; 1->uu=dd/=ud; 2->uu/=dd/=ud)
   1
 Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)
   0.0               0
 Parameter values  ;  Optimizable (0=NO; 1=YES)
 END SET 2
 END F TERM
 END JASTROW
)";

// The file with this many parameters in its first set.
std::string with_parameters(size_t count) {
  std::string text = of_hydride, rows;
  for (size_t i = 0; i < count; ++i) rows += "   " + std::to_string(0.1 + 0.01 * static_cast<double>(i)) + (i % 3 ? "  1\n" : "  0\n");
  text.replace(text.find("   @\n"), 5, rows);
  return text;
}

std::string message_of(const std::string& text, const System& system) {
  try {
    parse_correlation_data("correlation.data", text, system);
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(f_of_a_molecule_is_read_and_written_to_the_last_bit) {
  const System system = hydride();
  const size_t each = FConstraints({2, 2, true, true}, 3, 3.5).free().size();
  auto data = parse_correlation_data("correlation.data", with_parameters(2 * each), system);
  Jastrow& j = data.jastrow;
  BOOST_TEST((j.f_of_ion == std::vector<int32_t>{2, 1}));
  BOOST_TEST((j.L_f == std::vector<double>{3.5, usual_cutoff_of_f}));
  BOOST_TEST(j.nf_en == 4);
  BOOST_TEST(j.nf_ee == 3);
  BOOST_TEST(j.npair_f == 2);
  BOOST_TEST((data.free_cutoffs == std::vector<bool>{true, false}));
  Free free;
  free.each_f = data.free_gamma;
  const size_t of_second = FConstraints({3, 2, false, false}, 3, usual_cutoff_of_f).free().size();
  BOOST_TEST(data.free_gamma.size() == 2 * (each + of_second));
  BOOST_TEST(parameters(j, Free::only_f()).size() == 2 * (each + of_second));
  BOOST_TEST(parameters(j, Free::only_f())[1] == 0.11);
  BOOST_TEST(parameters(j, free).size() < 2 * (each + of_second));
  auto values = parameters(j, Free::only_f());
  std::mt19937_64 random(7);
  std::normal_distribution<double> gauss;
  for (double& x : values) x = 1e-3 * gauss(random);
  set_parameters(system, j, values, Free::only_f());
  const std::string text = correlation_data_text(data);
  const auto back = parse_correlation_data("again", text, system);
  BOOST_TEST(back.jastrow.gamma == j.gamma);
  BOOST_TEST(back.jastrow.L_f == j.L_f);
  BOOST_TEST((back.jastrow.shape_f == j.shape_f));
  BOOST_TEST((back.free_gamma == data.free_gamma));
  BOOST_TEST((back.free_cutoffs == data.free_cutoffs));
  BOOST_TEST(correlation_data_text(back) == text);
}

BOOST_AUTO_TEST_CASE(files_with_a_wrong_f_are_refused) {
  const System system = hydride();
  const size_t each = FConstraints({2, 2, true, true}, 3, 3.5).free().size();
  const std::string good = with_parameters(2 * each), all = std::to_string(2 * each);
  const auto wrong = [&](std::string what, const std::string& instead, const std::string& part) {
    std::string text = good;
    const size_t at = text.find(what);
    BOOST_REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), instead);
    const std::string got = message_of(text, system);
    BOOST_TEST(got.find(part) != std::string::npos, got);
  };
  BOOST_TEST(message_of(good, system) == "");
  const std::string few = message_of(with_parameters(2 * each - 1), system), many = message_of(with_parameters(2 * each + 1), system);
  BOOST_TEST(few.find("there are " + std::to_string(2 * each - 1) + " of the " + all + " parameters of the set of the F TERM") !=
                 std::string::npos,
             few);
  BOOST_TEST(many.find("there are more than the " + all + " parameters of the set of the F TERM") != std::string::npos, many);
  wrong("   1\n Prevent duplication of u term (0=NO; 1=YES)\n   0", "   2\n Prevent duplication of u term (0=NO; 1=YES)\n   0",
        "atom 2 is in two sets");
  wrong("   3.5  ", "  -3.5  ", "the cutoff must not be negative");
  wrong("N_f_eN\n   2\n", "N_f_eN\n   16\n", "N_f_eN must be 1..15");
  wrong("term (0=NO; 1=YES)\n   1\n", "term (0=NO; 1=YES)\n   2\n", "must be 0..1");
  wrong("N_f_ee\n   2\n", "N_f_ee\n   3\n", "parameters of the set of the F TERM");
  wrong("/=ud)\n   1\n Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)\n   0.0",
        "/=ud)\n   2\n Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)\n   0.0", "must all have the same Spin dep");
  wrong(" END F TERM\n", " END F TERM\n START F TERM\n", "there is a second F TERM");
  const std::string gas = message_of(good, make_system(5, Lattice::sc, {}, 7, 7));
  BOOST_TEST(gas.find("term F TERM is not supported") != std::string::npos, gas);
}

// E_L of changed coefficients is the stored parabola; of a changed cutoff it and J have the stored slopes, by differences of order 2.
BOOST_AUTO_TEST_CASE(derivatives_by_the_coefficients_and_cutoffs_of_a_molecule) {
  const System system = hydride();
  const Implementation how{"reference", "", {}};
  Jastrow before = start_of_molecule(system, {3, 4, 3.9, 3.3, 2, false});
  add_f(system, before, {3, 2, 3.6});
  Free free;
  free.cutoffs = true;
  auto values = parameters(before, free);
  const auto names = parameter_names(before, free);
  BOOST_REQUIRE(names.back() == "cutoff of f kind 2");
  const size_t cutoffs = 5, linear = values.size() - cutoffs;
  std::mt19937_64 random(3);
  std::normal_distribution<double> gauss;
  for (size_t k = 0; k < linear; ++k) values[k] += 2e-4 * gauss(random);
  set_parameters(system, before, values, free);
  constexpr int64_t n = 3;
  const auto walkers = make_walkers(system, before, how, 5, n);
  const std::vector<int64_t> streams{0, 1, 2};
  walkers->scatter(streams);
  walkers->sweep({Move::metropolis, 0.05, 0.5, 5, 0});
  Derivatives derivatives(system, before, free, how, walkers->device());
  LocalEnergies energies(derivatives.parameters());
  derivatives.collect(*walkers, energies);
  BOOST_REQUIRE(static_cast<size_t>(derivatives.parameters()) == values.size());
  const auto rele = walkers->positions();

  const auto jastrow_at = [&](const Jastrow& j) {
    std::vector<double> total(n, 0.0), value(static_cast<size_t>(system.netot() * n));
    const auto add = [&](const char* name, SetTerm set, double counted) {
      suite::Kernel kernel(name, "reference");
      set(kernel, system, j);
      kernel.set("rele", rele.data(), {3, system.netot(), n});
      kernel.set("value", value.data(), {system.netot(), n});
      kernel.run();
      for (size_t i = 0; i < value.size(); ++i) total[i / static_cast<size_t>(system.netot())] += value[i] / counted;
    };
    add("qmc.jastrow_u", set_u_term, 2);
    add("qmc.jastrow_chi", set_chi_term, 1);
    add("qmc.jastrow_f", set_f_term, 2);
    return total;
  };
  const auto energies_at = [&](const Jastrow& j) {
    walkers->set_jastrow(j);
    const auto& all = walkers->energies();
    std::vector<double> total;
    for (size_t w = 0; w < n; ++w) total.push_back(all[w * part::count + part::total]);
    return total;
  };

  Eigen::VectorXd change = Eigen::VectorXd::Zero(derivatives.parameters());
  auto moved = values;
  for (size_t k = 0; k < linear; ++k) moved[k] += change(static_cast<Eigen::Index>(k)) = 1e-4 * gauss(random);
  Jastrow after = before;
  set_parameters(system, after, moved, free);
  const auto changed = energies_at(after), j0 = jastrow_at(before), j1 = jastrow_at(after);
  for (size_t w = 0; w < n; ++w) {
    BOOST_TEST(std::abs(energies.energy(w, change) - changed[w]) <= 1e-9 * (1 + std::abs(changed[w])));
    BOOST_TEST(std::abs(energies.energy(w) - changed[w]) > 1e-4);
    BOOST_TEST(std::abs(energies.score(w).dot(change) - (j1[w] - j0[w])) <= 1e-10);
  }

  for (size_t k = linear; k < values.size(); ++k) {
    const double h = 3e-4;
    std::vector<double> energy[2], J[2];
    for (int side = 0; side < 2; ++side) {
      moved = values;
      moved[k] += side == 0 ? h : -h;
      set_parameters(system, after, moved, free);
      energy[side] = energies_at(after), J[side] = jastrow_at(after);
    }
    double most = 0;
    for (size_t w = 0; w < n; ++w) {
      const auto column = static_cast<Eigen::Index>(k);
      const double slope = (energy[0][w] - energy[1][w]) / (2 * h), score = (J[0][w] - J[1][w]) / (2 * h);
      most = std::max(most, std::abs(slope));
      BOOST_TEST_INFO(names[k] << " of walker " << w << ": " << energies.slope(w)(column) << " and " << slope);
      BOOST_TEST(std::abs(energies.slope(w)(column) - slope) <= 1e-5 * (1 + std::abs(slope)));
      BOOST_TEST(std::abs(energies.score(w)(column) - score) <= 1e-5 * (1 + std::abs(score)));
    }
    BOOST_TEST(most > 1e-5);  // the cutoff matters
  }
}
