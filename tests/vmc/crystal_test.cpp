// SPDX-License-Identifier: BSD-3-Clause
// Splines of a crystal beside the plane waves they stand for, and damaged pseudopotentials.
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>
#include <suite/suite.hpp>

#include <base/input.hpp>
#include <vmc/crystal/complex_determinant.hpp>
#include <vmc/crystal/crystal.hpp>
#include <vmc/crystal/potential_xml.hpp>

#include "each_implementation.hpp"
#include "measure/timed_kernel.hpp"
#include "molecule/molecule.hpp"
#include "system.hpp"

using namespace suite::vmc;

namespace {

using Complex = std::complex<double>;

constexpr double edges[9] = {4.1, 0.3, -0.2, 0.9, 4.6, 0.4, -0.5, 0.7, 5.2};

// Orthonormal functions without symmetry; at a k with 2k = G they are those of a level that has as many real ones.
BlochFunctions functions_at(const std::array<double, 3>& k, bool paired, size_t count) {
  BlochFunctions f;
  f.k = k, f.paired = paired;
  const auto twice = [&](size_t d) { return static_cast<int>(std::lround(2 * k[d])); };
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int l = -3; l <= 3; ++l)
        if (std::abs(-i - twice(0)) <= 3 && std::abs(-j - twice(1)) <= 3 && std::abs(-l - twice(2)) <= 3)
          f.gvec.insert(f.gvec.end(), {i, j, l});
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const size_t n = f.gvec.size() / 3;
  for (size_t s = 0; s < count; ++s) {
    PlaneWaves c(n);
    for (size_t g = 0; g < n; ++g) {
      const double size = std::abs(f.gvec[3 * g]) + std::abs(f.gvec[3 * g + 1]) + std::abs(f.gvec[3 * g + 2]);
      c[g] = std::exp(-size) * Complex(normal(random), normal(random));
    }
    if (!paired)
      for (size_t g = 0; g < n; ++g)
        for (size_t h = 0; h <= g; ++h) {
          bool partner = true;
          for (size_t d = 0; d < 3; ++d) partner = partner && f.gvec[3 * h + d] == -f.gvec[3 * g + d] - twice(d);
          if (partner) c[h] = std::conj(c[g]);
          if (partner && g == h) c[g] = c[g].real();
        }
    for (const PlaneWaves& before : f.states) {
      Complex overlap = 0;
      for (size_t g = 0; g < n; ++g) overlap += std::conj(before[g]) * c[g];
      for (size_t g = 0; g < n; ++g) c[g] -= overlap * before[g];
    }
    double norm = 0;
    for (const Complex& x : c) norm += std::norm(x);
    for (Complex& x : c) x /= std::sqrt(norm);
    f.states.push_back(c);
  }
  return f;
}

// Values of a table's orbitals at r(3,n), (norb,n).
std::vector<double> values(const SplineTable& table, const std::array<int64_t, 3>& mesh, const std::vector<double>& r) {
  const auto n = static_cast<int64_t>(r.size() / 3);
  std::vector<double> phi(static_cast<size_t>(table.nspline * n)), out;
  suite::Kernel kernel("qmc.orbitals_blip", "cpu");
  kernel.set("cell", edges, {3, 3});
  kernel.set("c", table.c.data(), {table.nspline, mesh[2], mesh[1], mesh[0]});
  kernel.set("r", r.data(), {3, n, 1});
  kernel.set("phi", phi.data(), {table.nspline, n, 1});
  kernel.run();
  kernel.get("phi", phi.data(), {table.nspline, n, 1});
  for (int64_t p = 0; p < n; ++p)
    for (const SplineOrbital& orbital : table.orbital) {
      const double* const at = &phi[static_cast<size_t>(table.nspline * p)];
      const double *const x = &r[static_cast<size_t>(3 * p)], angle = orbital.k[0] * x[0] + orbital.k[1] * x[1] + orbital.k[2] * x[2];
      const Complex value = std::polar(1.0, angle) * Complex(at[orbital.real], orbital.imaginary < 0 ? 0 : at[orbital.imaginary]);
      out.push_back(orbital.sine ? value.imag() : value.real());
    }
  return out;
}

std::vector<double> random_places(size_t n) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-6, 6);
  std::vector<double> r(3 * n);
  for (double& x : r) x = uniform(random);
  return r;
}

Complex plane_waves(const BlochFunctions& f, const PlaneWaves& c, const double* r) {
  const auto cell = suite::qmc::lattice_of(edges);
  Complex sum = 0;
  for (size_t g = 0; g < c.size(); ++g) {
    double angle = 0;
    for (size_t d = 0; d < 3; ++d)
      for (size_t e = 0; e < 3; ++e) angle += (f.gvec[3 * g + e] + f.k[e]) * cell.b[e][d] * r[d];
    sum += c[g] * std::polar(1.0, angle);
  }
  return sum;
}

}  // namespace

// The error over many places is the one that the table tells, and falls with the fourth power of the distances on the mesh.
BOOST_AUTO_TEST_CASE(splines_of_crystals_err_as_they_say) {
  const auto r = random_places(400);
  const auto cell = suite::qmc::lattice_of(edges);
  for (const auto& f : {functions_at({0, 0, 0}, false, 1), functions_at({1.0 / 3, -0.25, 0.1}, true, 1)}) {
    double before = 0;
    for (const double factor : {1.0, 2.0, 4.0}) {
      const auto mesh = spline_mesh({f}, factor);
      const auto table = spline_table({f}, cell, mesh);
      const auto found = values(*table, mesh, r);
      const size_t norb = table->orbital.size();
      BOOST_TEST(norb == (f.paired ? 2u : 1u));
      double squares = 0, error = 0;
      Complex phase = 0;  // of the real function in the given one
      if (!f.paired)
        for (size_t p = 0; p < 400; ++p) phase += std::conj(plane_waves(f, f.states[0], &r[3 * p])) * found[p];
      for (size_t p = 0; p < 400; ++p) {
        Complex exact = plane_waves(f, f.states[0], &r[3 * p]);
        if (!f.paired) exact *= phase / std::abs(phase);
        squares += std::norm(exact);
        error += std::pow(found[norb * p] - exact.real(), 2);
        if (f.paired) error += std::pow(found[norb * p + 1] - exact.imag(), 2);
      }
      error = std::sqrt(error / squares);
      BOOST_TEST(std::abs(error / table->error - 1) < 0.2);  // 400 places
      if (before > 0) BOOST_TEST(std::abs(std::log2(before / error) - 4) < 0.8);
      before = error;
    }
  }
}

// A level of two real functions as programs leave it, mixed with complex numbers.
BOOST_AUTO_TEST_CASE(real_orbitals_of_crystals_are_found_in_mixed_levels) {
  const auto r = random_places(2);
  const auto cell = suite::qmc::lattice_of(edges);
  for (const std::array<double, 3>& k : {std::array<double, 3>{0, 0, 0}, std::array<double, 3>{0.5, 0, -0.5}}) {
    BlochFunctions f = functions_at(k, false, 2);
    const auto exact = f.states;
    for (size_t g = 0; g < exact[0].size(); ++g) {
      f.states[0][g] = (exact[0][g] + Complex(0, 1) * exact[1][g]) / std::sqrt(2) * std::polar(1.0, 0.4);
      f.states[1][g] = (exact[0][g] - Complex(0, 1) * exact[1][g]) / std::sqrt(2) * std::polar(1.0, 1.9);
    }
    const auto mesh = spline_mesh({f}, 4);
    const auto table = spline_table({f}, cell, mesh);
    BOOST_TEST_REQUIRE(table->orbital.size() == 2u);
    BOOST_TEST(table->plain() == (k[0] == 0));
    const auto found = values(*table, mesh, r);
    const double determinant = found[0] * found[3] - found[1] * found[2];
    const Complex a = plane_waves(f, exact[0], &r[0]), b = plane_waves(f, exact[1], &r[0]), c = plane_waves(f, exact[0], &r[3]),
                  d = plane_waves(f, exact[1], &r[3]);
    BOOST_TEST(std::abs(std::abs(determinant / (a * d - b * c)) - 1) < 1e-3);
  }
}

// exp(i k.r) alone: a move along k by a quarter of the wave has the ratio i, by an eighth its root. Afterwards phases are relative to where the electron is.
BOOST_AUTO_TEST_CASE(complex_determinants_take_moves_with_imaginary_ratios) {
  auto crystal = std::make_shared<Crystal>();
  std::copy(std::begin(edges), std::end(edges), crystal->cell.begin());
  crystal->spline_cell = crystal->cell;
  crystal->lattice = suite::qmc::lattice_of(edges);
  crystal->mesh = {4, 4, 4};
  crystal->complex = true;
  BlochFunctions wave;
  wave.k = {0.1, 0, 0}, wave.gvec = {0, 0, 0}, wave.states = {{1}};
  crystal->spin[0] = spline_table({wave}, crystal->lattice, crystal->mesh, true);
  Molecule molecule;
  molecule.label = {"H"}, molecule.charge = {1}, molecule.rion = {0, 0, 0};
  molecule.crystal = crystal;
  const System system = make_system(std::move(molecule), {1, 0});
  for_each_implementation("qmc.orbitals_blip", [&](const Implementation& how) {
    const auto device = suite::app::device_of("qmc.orbitals_blip", how.name);
    const auto part = make_complex_determinant(system, how, device, 0, 1);
    part->resize(1);
    std::vector<double> rele{0.3, -0.4, 0.5};
    const auto moved = [&](double turns) {  // turns of the phase
      std::vector<double> to = rele;
      for (size_t d = 0; d < 3; ++d) to[d] += 10 * turns * edges[d];
      return to;
    };
    part->evaluate(rele, false);
    for (const double turns : {0.25, 0.125, 0.11}) {
      Tried one;
      one.from = rele, one.to = moved(turns), one.logarithm = {0}, one.sign = {1};
      part->ratio(rele, one);
      BOOST_TEST(std::abs(one.logarithm[0]) < 1e-13);
      BOOST_TEST(one.sign[0] == 1);
      part->accept(0, std::vector<int32_t>{1});
      rele = one.to;
    }
    Tried several;
    several.npos = 2, several.from = rele, several.to = moved(0.05), several.logarithm = {0, 0}, several.sign = {1, 1};
    const auto other = moved(0.3);
    several.to.insert(several.to.end(), other.begin(), other.end());
    part->ratio(rele, several);
    for (size_t k = 0; k < 2; ++k) {
      BOOST_TEST(std::abs(several.logarithm[k]) < 1e-12);
      BOOST_TEST(std::abs(several.sign[k] - std::cos(2 * std::numbers::pi * (k == 0 ? 0.05 : 0.3))) < 1e-12);
    }
    BOOST_TEST(part->evaluate(rele, true) < 1e-13);
  });
}

BOOST_AUTO_TEST_CASE(orbitals_of_crystals_at_another_k_are_refused) {
  BlochFunctions f = functions_at({0.5, 0, 0}, false, 1);
  f.k[0] = -0.5;
  BOOST_CHECK_EXCEPTION(spline_table({f}, suite::qmc::lattice_of(edges), {12, 12, 12}), suite::Failure, [](const suite::Failure& failure) {
    return std::string(failure.what()).find("the plane waves of -k") != std::string::npos;
  });
}

// Whatever happens to a file, there is a sentence or a potential.
BOOST_AUTO_TEST_CASE(damaged_potentials_have_a_sentence) {
  std::string good =
      "<?xml version=\"1.0\"?><!-- x --><pseudo><header symbol='H' atomic-number=\"1\" zval=\"1\"/>"
      "<semilocal units=\"hartree\" format=\"r*V\" l-local=\"1\">";
  for (const char* l : {"s", "p"}) {
    good += std::string("<vps l=\"") + l + "\"><radfunc><grid type=\"linear\" ri=\"0\" rf=\"3\" npts=\"7\"/><data>";
    for (int i = 0; i < 7; ++i) good += std::to_string(-0.2 * i * (l[0] == 's' && i < 3 ? 2 : 1)) + " ";
    good += "</data></radfunc></vps>";
  }
  good += "</semilocal></pseudo>\n";
  const NamedPotential whole = parse_potential_xml("H.xml", good);
  BOOST_TEST(whole.element == "H");
  BOOST_TEST(whole.potential.terms.size() == 2u);
  std::mt19937 random(11);
  size_t refused = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    std::string text = good;
    for (unsigned n = 1 + random() % 3; n > 0; --n) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = static_cast<char>(random() % 256); break;
        case 1: text.erase(at, 1 + random() % 20); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 30)); break;
        default: text[at] = "<>/=\"' 0-e."[random() % 11];
      }
    }
    try {
      parse_potential_xml("H.xml", text);
    } catch (const suite::Failure& failure) {
      ++refused;
      BOOST_REQUIRE(std::string(failure.what()).rfind("H.xml:", 0) == 0);
    }
  }
  BOOST_TEST(refused > 30000u);
}
