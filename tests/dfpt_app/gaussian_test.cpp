// SPDX-License-Identifier: BSD-3-Clause
// Gaussian basis files, and the whole way from one to points and tables: integrals on the grid against those
// of Gauss and Hermite's quadrature, which is exact for gaussians times polynomials.
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <dfpt/gaussian.hpp>
#include <dfpt/integration_setup.hpp>

#include "../../plugins/dfpt/grid.hpp"
#include "../../plugins/dfpt/harmonics.hpp"
#include "molecules.hpp"

using namespace suite::all_electron;
using namespace dfpt_app_test;

namespace {

using Vector = std::array<double, 3>;
const std::filesystem::path folder = std::filesystem::path(SUITE_SOURCE_DIR) / "inputs/data/basis";

// The first line of what the reader says.
std::string refusal_of_basis(const std::string& text) {
  try {
    parse_gaussian_basis("b.nw", text);
  } catch (const suite::Failure& failure) {
    const std::string said = failure.what();
    return said.substr(0, said.find('\n'));
  }
  return "it was read";
}

// r^l Y_lm of a vector.
double solid_harmonic(int l, int m, const Vector& r) {
  const double length = std::hypot(r[0], r[1], r[2]), over = length > 0 ? 1 / length : 0;
  double Y[suite::dfpt::components(4)];
  suite::dfpt::spherical_harmonics<4>(over * r[0], over * r[1], over * r[2], Y);
  return std::pow(length, l) * Y[l * l + l + m];
}

// A function of the molecule as gaussians.
struct Contraction {
  Vector centre;
  int l, m;
  GaussianShell shell;
  double scale;
};

double primitive_norm(int l, double a) { return std::sqrt(2 * std::pow(2 * a, l + 1.5) / std::tgamma(l + 1.5)); }

// <a|b>, or <a|-lap/2|b>: the radial factor of -lap/2 is [a(2l+3) - 2 a^2 r^2].
double integral(const Contraction& one, const Contraction& other, bool kinetic) {
  constexpr double root6 = 2.449489742783178;
  const double far = std::sqrt((3 + root6) / 2), near = std::sqrt((3 - root6) / 2);
  const double nodes[] = {-far, -near, near, far};
  const double root_pi = std::sqrt(std::numbers::pi);
  const double outer = root_pi / (4 * (3 + root6)), inner = root_pi / (4 * (3 - root6));
  const double weights[] = {outer, inner, inner, outer};
  double sum = 0;
  for (size_t i = 0; i < one.shell.exponents.size(); ++i)
    for (size_t j = 0; j < other.shell.exponents.size(); ++j) {
      const double a = one.shell.exponents[i], b = other.shell.exponents[j], p = a + b;
      Vector centre;
      double apart2 = 0;
      for (size_t d = 0; d < 3; ++d) {
        centre[d] = (a * one.centre[d] + b * other.centre[d]) / p;
        apart2 += std::pow(one.centre[d] - other.centre[d], 2);
      }
      double part = 0;
      for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y)
          for (int z = 0; z < 4; ++z) {
            const int at[] = {x, y, z};
            Vector from_one, from_other;
            double r2 = 0;
            for (size_t d = 0; d < 3; ++d) {
              const double point = centre[d] + nodes[at[d]] / std::sqrt(p);
              from_one[d] = point - one.centre[d];
              from_other[d] = point - other.centre[d];
              r2 += from_other[d] * from_other[d];
            }
            part += weights[x] * weights[y] * weights[z] * solid_harmonic(one.l, one.m, from_one) *
                    solid_harmonic(other.l, other.m, from_other) * (kinetic ? b * (2 * other.l + 3) - 2 * b * b * r2 : 1);
          }
      sum += one.shell.coefficients[i] * other.shell.coefficients[j] * primitive_norm(one.l, a) * primitive_norm(other.l, b) *
             std::exp(-a * b / p * apart2) * std::pow(p, -1.5) * part;
    }
  return one.scale * other.scale * sum;
}

std::vector<Contraction> contractions(const Molecule& molecule, const std::filesystem::path& file) {
  std::vector<Contraction> all;
  const auto basis = read_gaussian_basis(file);
  for (const Atom& atom : molecule.atoms)
    for (const GaussianShell& shell : basis.at(atom.Z))
      for (int m = -shell.l; m <= shell.l; ++m) {
        all.push_back({atom.position, shell.l, m, shell, 1});
        all.back().scale = 1 / std::sqrt(integral(all.back(), all.back(), false));
      }
  return all;
}

// A table's value at a radius, as the kernels take it.
double look_up(const Tables& tables, size_t species, const std::vector<double>& table, size_t function, double r) {
  const suite::dfpt::RadialGrid grid = suite::dfpt::logarithmic_grid(tables.r_grid_min[species], tables.r_grid_inc[species], tables.n_grid);
  const suite::dfpt::Knot knot = grid.position(r);
  return suite::dfpt::cubic(&table[4 * (function * static_cast<size_t>(tables.n_grid) + static_cast<size_t>(knot.number))], 1,
                            knot.fraction);
}

Vector from_atom(const Setup& setup, size_t point, size_t atom) {
  Vector r;
  for (size_t d = 0; d < 3; ++d) r[d] = setup.grid.coords[3 * point + d] - setup.atom_coords[3 * atom + d];
  return r;
}

// All functions at a point.
std::vector<double> functions(const Setup& setup, const std::vector<double>& table, size_t point) {
  std::vector<double> chi;
  for (size_t i = 0; i < setup.basis.basis_atom.size(); ++i) {
    const auto a = static_cast<size_t>(setup.basis.basis_atom[i] - 1);
    const auto f = static_cast<size_t>(setup.basis.basis_fn[i] - 1);
    const auto s = static_cast<size_t>(setup.atom_species[a] - 1);
    Vector x = from_atom(setup, point, a);
    const double r = std::hypot(x[0], x[1], x[2]);
    for (double& component : x) component /= r;
    const bool inside = r < setup.tables.outer_radius[f];
    chi.push_back(inside ? look_up(setup.tables, s, table, f, r) * solid_harmonic(setup.basis.basis_l[i], setup.basis.basis_m[i], x) : 0);
  }
  return chi;
}

double electrons_of_free_atoms(const Setup& setup) {
  double sum = 0;
  for (size_t p = 0; p < setup.grid.n_points(); ++p)
    for (size_t a = 0; a < setup.atom_species.size(); ++a) {
      const Vector x = from_atom(setup, p, a);
      const double r = std::hypot(x[0], x[1], x[2]);
      const auto s = static_cast<size_t>(setup.atom_species[a] - 1);
      if (r < setup.tables.free_radius[s])
        sum +=
            setup.grid.partition_tab[p] * look_up(setup.tables, s, setup.tables.free_density_spl, s, r) / std::sqrt(4 * std::numbers::pi);
    }
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_are_read) {
  const auto basis = parse_gaussian_basis("b.nw",
                                          "# a comment\n"
                                          "BASIS \"ao basis\" SPHERICAL PRINT\n"
                                          "h  S\n  3.0D+00 0.1\n  1.0 0.9 # why not\n"
                                          "Xe D\n 2. 1.\n"
                                          "O SP\n 5.0 0.4 0.6\n 0.5 0.7 -.3\n"
                                          "O S\n 9 1 0\n 8 0.5 0.25\n"
                                          "END\nbasis \"more\"\nH P\n 0.7 1\nend\n");
  BOOST_TEST(basis.size() == 2u);
  BOOST_REQUIRE(basis.at(1).size() == 2u);
  BOOST_TEST((basis.at(1)[0].l == 0 && basis.at(1)[0].exponents == std::vector<double>{3, 1} &&
              basis.at(1)[0].coefficients == std::vector<double>{0.1, 0.9}));
  BOOST_TEST(basis.at(1)[1].l == 1);
  BOOST_REQUIRE(basis.at(8).size() == 4u);
  BOOST_TEST((basis.at(8)[1].l == 1 && basis.at(8)[1].coefficients == std::vector<double>{0.6, -0.3}));
  BOOST_TEST((basis.at(8)[3].exponents == std::vector<double>{8} && basis.at(8)[2].exponents.size() == 2));
}

BOOST_AUTO_TEST_CASE(wrong_files_are_refused_with_the_place) {
  const std::string head = "basis \"x\" spherical\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "b.nw:1:1: error: expected 'basis', found the end of the file"},
      {"H S\n", "b.nw:1:1: error: expected 'basis', found 'H S'"},
      {"basis cartesian\nend\n", "b.nw:1:7: error: only spherical functions are supported, not cartesian ones"},
      {head + "end\n", "b.nw:3:1: error: the file has no shell of an element up to Kr"},
      {head + "H S\n1 1\n", "b.nw:4:1: error: expected 'end', found the end of the file"},
      {head + "H\n", "b.nw:2:1: error: the letter of the shell (S, P, D ... or SP) is missing"},
      {head + "H Q\n1 1\nend\n", "b.nw:2:3: error: a shell must be S, P, D, F, G, H, I, K or SP; got 'Q'"},
      {head + "1.0 2.0\nend\n", "b.nw:2:1: error: a shell must begin with the symbol of its element, such as H or Si; got '1.0'"},
      {head + "H S\nend\n", "b.nw:3:1: error: the shell has no exponents"},
      {head + "H S 3.0\nend\n", "b.nw:2:5: error: an exponent must begin a new line"},
      {head + "H S\n 1.0\nend\n", "b.nw:3:2: error: the contraction coefficient is missing"},
      {head + "H S\n 1.0x 1\nend\n", "b.nw:3:2: error: the exponent must be a number; got '1.0x'"},
      {head + "H S\n -1.0 1\nend\n", "b.nw:3:2: error: the exponent must be above 0; got '-1.0'"},
      {head + "H S\n 1.0 one\nend\n", "b.nw:3:6: error: the contraction coefficient must be a number; got 'one'"},
      {head + "H S\n 1.0 1 2\n 1 1\nend\n", "b.nw:4:2: error: the line has 1 coefficients, but the first line of the shell has 2"},
      {head + "O SP\n 1.0 1\nend\n", "b.nw:3:2: error: a shell SP needs an exponent and two coefficients per line"},
      {head + "O S\n 1.0 0\nend\n", "b.nw:2:3: error: all coefficients of a contraction of the shell are 0"},
  };
  for (const auto& [text, message] : cases) BOOST_TEST(refusal_of_basis(text) == message);
}

BOOST_AUTO_TEST_CASE(elements_that_the_file_lacks_are_refused) {
  Choices choices;
  choices.gaussian_file = folder / "aug-pc-4.nw";
  BOOST_CHECK_EXCEPTION(prepare(water, choices), suite::Failure, [](const auto& failure) {
    return std::string(failure.what()).find("aug-pc-4.nw has no functions for O") != std::string::npos;
  });
}

// Published sizes: 13, 22 and 72 functions for molecules of these files.
BOOST_AUTO_TEST_CASE(files_of_the_project_have_their_functions) {
  const auto count = [](const char* file, int Z) {
    const auto all = read_gaussian_basis(folder / file);
    int sum = 0;
    for (const GaussianShell& shell : all.at(Z)) sum += 2 * shell.l + 1;
    return sum;
  };
  for (const int Z : {6, 7, 8, 10}) {
    BOOST_TEST(count("cc-pvdz.nw", Z) == 14);
    BOOST_TEST(count("aug-cc-pvdz.nw", Z) == 23);
  }
  for (const int Z : {1, 2}) {
    BOOST_TEST(count("cc-pvdz.nw", Z) == 5);
    BOOST_TEST(count("aug-cc-pvdz.nw", Z) == 9);
    BOOST_TEST(count("d-aug-cc-pvqz.nw", Z) == 62);
  }
  BOOST_TEST(count("d-aug-cc-pvqz.nw", 10) == 105);
}

// Measured: 4e-7 in the overlap and 3e-6 in the kinetic energy of the oxygen's d functions, which is the
// angular grids' and goes with their points.
BOOST_AUTO_TEST_CASE(integrals_on_the_grid_are_exact) {
  Choices choices;
  choices.gaussian_file = folder / "cc-pvdz.nw";
  const Setup setup = prepare(water, choices);
  const auto exact = contractions(water, choices.gaussian_file);
  const size_t n = exact.size();
  BOOST_REQUIRE(n == static_cast<size_t>(setup.basis.n_basis));
  std::vector<double> S(n * n), T(n * n);
  for (size_t p = 0; p < setup.grid.n_points(); ++p) {
    const auto chi = functions(setup, setup.tables.basis_wave_spl, p);
    const auto kin = functions(setup, setup.tables.basis_kin_spl, p);
    for (size_t i = 0; i < n; ++i) {
      const double left = setup.grid.partition_tab[p] * chi[i];
      if (left == 0) continue;
      for (size_t j = 0; j < n; ++j) {
        S[i * n + j] += left * chi[j];
        T[i * n + j] += left * kin[j];
      }
    }
  }
  double overlap = 0, kinetic = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      overlap = std::max(overlap, std::abs(S[i * n + j] - integral(exact[i], exact[j], false)));
      const double mean = 0.5 * (T[i * n + j] + T[j * n + i]);
      kinetic = std::max(kinetic, std::abs(mean - integral(exact[i], exact[j], true)) / std::max(1.0, std::abs(mean)));
    }
  check_below("overlap", overlap, 1e-6);
  check_below("kinetic energy", kinetic, 4e-6);
  check_below("electrons", std::abs(electrons_of_free_atoms(setup) - 10), 1e-5);
}

// FHI-aims prints 1.9999994202 as the initial charge of this molecule and level.
BOOST_AUTO_TEST_CASE(hydrogen_has_two_electrons) {
  Choices choices;
  choices.level = Level::tight;
  choices.xc = Xc::pz81;
  const Setup setup = prepare(hydrogen, choices);
  const double electrons = electrons_of_free_atoms(setup);
  BOOST_TEST_MESSAGE("electrons " << electrons);
  check_below("electrons", std::abs(electrons - 2), 1e-6);
}

// Of two atoms each nucleus has its own electrons' potential and the other's whole one, which is 0 behind its
// radius.
BOOST_AUTO_TEST_CASE(free_atoms_give_their_potential_at_nuclei) {
  Choices choices;
  Molecule apart = hydrogen;
  apart.atoms[1].position[2] = 40;
  const auto far = free_potential_at_nuclei(prepare(apart, choices));
  const Setup setup = prepare(hydrogen, choices);
  const auto near = free_potential_at_nuclei(setup);
  BOOST_TEST((far[0] == far[1] && far[0] == setup.species[0].free.hartree_at_nucleus));
  BOOST_TEST((near[0] == near[1]));
  const double r = 0.74 * suite::all_electron::bohr_per_angstrom;
  check_below(
      "the other's potential",
      std::abs(near[0] - far[0] - look_up(setup.tables, 0, setup.tables.free_potential_spl, 0, r) / std::sqrt(4 * std::numbers::pi)),
      1e-15);
  // Hydrogen's neutral atom: less than the exact one's exp(-2r)(1 + 1/r) by what the local density differs.
  check_below("against the exact hydrogen atom", std::abs((near[0] - far[0]) / (-std::exp(-2 * r) * (1 + 1 / r)) - 1), 0.3);
}
