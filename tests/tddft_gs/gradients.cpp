// SPDX-License-Identifier: BSD-3-Clause
// Functionals of the gradient and of two spins on the grid: potentials as derivatives of energies, limits that other functionals have, forces
// as slopes, and atoms with unpaired electrons.
#include "bench.hpp"

#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "fields.hpp"
#include "grid_xc.hpp"
#include "line_gradient.hpp"

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;
using std::numbers::pi;

namespace {

// No two directions alike; one of an odd number of pairs.
const Grid skew_grid{{8, 10, 6}, {0.5, 0.6, 0.7}};

double at_point(const Grid& grid, size_t p, int d) {
  const auto ny = static_cast<size_t>(grid.points[1]), nz = static_cast<size_t>(grid.points[2]);
  const size_t i[] = {p / nz / ny, p / nz % ny, p % nz};
  return grid.coordinate(d, static_cast<int>(i[d]));
}

// Smooth, between 0.05 and 0.4 bohr^-3, with more of spin up; parts of the cell are nearly empty.
std::vector<double> sample_densities(const Grid& grid, int spins) {
  std::vector<double> n(grid.size() * static_cast<size_t>(spins));
  for (size_t p = 0; p < grid.size(); ++p) {
    double wave[3];
    for (int d = 0; d < 3; ++d) wave[d] = 2 * pi * at_point(grid, p, d) / grid.length(d);
    const double density = std::exp(-1.5 + 0.5 * std::cos(wave[0] + 0.3) + 0.4 * std::sin(wave[1] - wave[2]));
    const double part = spins == 1 ? 1 : 0.6 + 0.2 * std::sin(wave[0] + wave[2]);
    const bool empty = p % 7 == 0 && at_point(grid, p, 0) < -1;
    // Some points are empty, and some have too little for a gradient.
    const double factor = empty ? 0 : p % 5 == 0 ? 1e-6 : 1;
    n[p] = factor * density * part;
    if (spins == 2) n[p + grid.size()] = empty ? 1e-11 : (p % 11 == 0 ? 1e-6 : factor) * density * (1 - part);
  }
  return n;
}

double energy_of(GridXc& xc, const std::vector<double>& densities) {
  xc.update(densities);
  return xc.energy();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_gradient_of_a_wave_is_exact) {
  const Grid grid{{8, 10, 1}, {0.5, 0.6, 0.7}};
  const LineGradient gradient(grid);
  for (int d = 0; d < 3; ++d)
    for (const int m : {1, 3}) {
      const double q = 2 * pi * m / grid.length(d);
      std::vector<double> f(grid.size()), slope(grid.size(), 1.0);
      for (size_t p = 0; p < f.size(); ++p) f[p] = std::sin(q * at_point(grid, p, d) + 0.4) + at_point(grid, p, (d + 1) % 3);
      gradient.add(d, 2, f.data(), slope.data());
      double error = 0;
      for (size_t p = 0; p < f.size(); ++p)
        error = std::max(error, std::abs(slope[p] - 1 - (grid.points[d] == 1 ? 0 : 2 * q * std::cos(q * at_point(grid, p, d) + 0.4))));
      close(error, 0, 1e-12 * q, "slope of a wave");
    }
}

BOOST_AUTO_TEST_CASE(the_highest_wave_has_no_slope) {
  const Grid grid{{8, 1, 1}, {0.5, 1, 1}};
  std::vector<double> f(8), slope(8, 0.0);
  for (size_t p = 0; p < 8; ++p) f[p] = p % 2 == 0 ? 1 : -1;
  LineGradient(grid).add(0, 1, f.data(), slope.data());
  for (const double x : slope) close(x, 0, 1e-14, "slope");
}

// Mixing may leave a little less than no electrons of one spin beside many of the other, where LYP's own formula is 0/0.
BOOST_AUTO_TEST_CASE(lyp_of_a_spin_without_electrons_is_that_of_few) {
  std::vector<double> few(2 * skew_grid.size(), 1e-9);
  for (size_t p = 0; p < skew_grid.size(); ++p)
    few[p] = std::exp(-1.5 + 0.5 * std::cos(2 * pi * at_point(skew_grid, p, 0) / skew_grid.length(0)) +
                      0.4 * std::sin(2 * pi * at_point(skew_grid, p, 2) / skew_grid.length(2)));
  std::vector<double> none = few;
  for (size_t p = 0; p < skew_grid.size(); ++p) none[skew_grid.size() + p] = p % 2 == 0 ? -1e-9 : 0;
  GridXc of_few(skew_grid, app::Xc::blyp, 2), of_none(skew_grid, app::Xc::blyp, 2);
  close(energy_of(of_none, none), energy_of(of_few, few), 1e-6, "energy, Ha");
  double difference = 0;
  for (size_t i = 0; i < few.size(); ++i) difference = std::max(difference, std::abs(of_none.potential()[i] - of_few.potential()[i]));
  close(difference, 0, 2e-3, "potentials, Ha");
}

// Fourth-order differences; what is left is rounding, 1e-16 of an energy of 10 Ha over a step of 1e-4 bohr^-3.
BOOST_AUTO_TEST_CASE(potentials_are_derivatives_of_the_energy_on_the_grid) {
  if (without_libxc()) return;
  const double volume = skew_grid.point_volume();
  for (const auto& [name, functional] : app::named_functionals())
    for (const int spins : {1, 2}) {
      GridXc xc(skew_grid, functional, spins);
      const std::vector<double> n = sample_densities(skew_grid, spins);
      xc.update(n);
      const std::vector<double> v = xc.potential();
      for (const size_t p : {size_t{6}, size_t{201}, n.size() - 3}) {
        BOOST_REQUIRE(n[p] > 1e-3);
        const auto at = [&, p = p](double moved) {
          auto other = n;
          other[p] += moved;
          return energy_of(xc, other);
        };
        const double h = 2e-3 * n[p];
        const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
        close(v[p] * volume, slope, 1e-9, std::string(name) + (spins == 1 ? "" : " of two spins"));
      }
    }
}

// A uniform density has no gradient, and PBE is then the functional of PW92, which the kernel has too.
BOOST_AUTO_TEST_CASE(a_uniform_density_is_local) {
  if (without_libxc()) return;
  const std::vector<double> n(skew_grid.size(), 0.03);
  GridXc pbe(skew_grid, app::Xc::pbe, 1);
  pbe.update(n);
  Fields kernel(skew_grid, "differences", "pw92", "reference");
  kernel.update(n);
  // libxc's PBE correlation has a gamma of (1 - ln 2)/pi^2 and PW92's parameters with more digits.
  close(pbe.energy(), kernel.xc_energy(), 1e-6 * std::abs(kernel.xc_energy()), "energy");
  for (size_t p = 0; p < n.size(); ++p) close(pbe.potential()[p], kernel.vxc()[p], 1e-6, "potential");
}

// Two spins with the same density are one; the kernel's PW92 and libxc's are the same.
BOOST_AUTO_TEST_CASE(equal_spins_are_one) {
  if (without_libxc()) return;
  const std::vector<double> n = sample_densities(skew_grid, 1);
  std::vector<double> half = n;
  half.insert(half.end(), n.begin(), n.end());
  for (double& x : half) x /= 2;
  for (const auto& [name, functional] : app::named_functionals()) {
    GridXc one(skew_grid, functional, 1), two(skew_grid, functional, 2);
    one.update(n), two.update(half);
    // vwn5 without spin is our own where libxc is absent, and libxc's where it is there.
    close(two.energy(), one.energy(), 1e-9 * std::abs(one.energy()), name);
    for (size_t p = 0; p < half.size(); ++p) close(two.potential()[p], one.potential()[p % n.size()], 1e-8, name);
  }
  GridXc two(skew_grid, app::Xc::pw92, 2);
  two.update(half);
  Fields kernel(skew_grid, "differences", "pw92", "reference");
  kernel.update(n);
  close(two.energy(), kernel.xc_energy(), 1e-9 * std::abs(kernel.xc_energy()), "pw92");
}

BOOST_AUTO_TEST_CASE(spins_are_exchanged_alike) {
  if (without_libxc()) return;
  const std::vector<double> n = sample_densities(skew_grid, 2);
  std::vector<double> other(n.begin() + static_cast<int64_t>(skew_grid.size()), n.end());
  other.insert(other.end(), n.begin(), n.begin() + static_cast<int64_t>(skew_grid.size()));
  GridXc one(skew_grid, app::Xc::pbe, 2), two(skew_grid, app::Xc::pbe, 2);
  one.update(n), two.update(other);
  close(two.energy(), one.energy(), 1e-12 * std::abs(one.energy()), "energy");
  for (size_t p = 0; p < n.size(); ++p) close(two.potential()[p], one.potential()[(p + skew_grid.size()) % n.size()], 1e-11, "potential");
}

BOOST_AUTO_TEST_CASE(totals_and_spins_are_each_other) {
  const std::vector<double> n = sample_densities(skew_grid, 2), total = total_of_spins(n, 2), back = of_spins(total, 2);
  for (size_t p = 0; p < n.size(); ++p) close(back[p], n[p], 1e-16, "density");
  BOOST_TEST((of_spins(n, 1) == n));
}

// Three electrons of spin up and one of spin down.
BOOST_AUTO_TEST_CASE(each_spin_has_its_own_occupations) {
  System system = isolated_atom("C", 8, 1, 4);
  system.unpaired = 2;
  BOOST_TEST((occupations(system) == std::vector<double>{1, 1, 1}));
  BOOST_TEST((occupations(system, 1) == std::vector<double>{1, 0, 0}));
  system.occupations_down = {0, 1};
  BOOST_TEST((occupations(system, 1) == std::vector<double>{0, 1, 0}));
  check(system);
  system.occupations_down = {1, 1};
  BOOST_CHECK_EXCEPTION(check(system), Failure, says("the occupations of spin down add up to 2, but of 4 electrons 1 have that spin"));
  system.occupations_down = {};
  system.occupations = {2, 1};
  BOOST_CHECK_EXCEPTION(check(system), Failure, says("an occupation is 2, but must be 0 to 1"));
  system.occupations = {};
  system.unpaired = 3;
  BOOST_CHECK_EXCEPTION(check(system), Failure, says("of 4 electrons 3 cannot be unpaired"));
}

// One electron in LSDA: its exchange is that of a density of one spin, which is 2^(1/3) times that of both.
BOOST_AUTO_TEST_CASE(one_electron_of_one_spin_has_its_own_exchange) {
  if (without_libxc()) return;
  System system = isolated_atom("Na", 20, 0.9, 1);
  system.unpaired = 1;
  system.kinetic = Kinetic::fourier;
  GroundStateSettings settings;
  settings.implementation = "reference";
  const GroundState g = solve_ground_state(system, settings);
  BOOST_TEST(g.converged);
  BOOST_TEST(g.spins == 2);
  BOOST_TEST(g.orbitals == 2);
  BOOST_TEST(g.f[0] == 1);
  BOOST_TEST(g.f[1] == 0);
  double exchange = 0, moment = 0, electrons = 0;
  for (const double n : g.rho) exchange += -0.75 * std::cbrt(6 / pi * n) * n, electrons += n;
  for (const double m : g.magnetisation) moment += m;
  exchange *= system.grid.point_volume();
  close(moment, electrons, 1e-10, "magnetisation");
  // The correlation of one spin is a small part of that.
  BOOST_TEST(g.energies.xc < exchange);
  BOOST_TEST(g.energies.xc > 1.25 * exchange);
  double sum = 0;
  for (size_t n = 0; n < g.f.size(); ++n) sum += g.f[n] * g.eigenvalues_Ha[n];
  double of_vxc = 0;
  for (size_t p = 0; p < g.rho.size(); ++p) of_vxc += g.vxc[p] * g.rho[p];
  close(sum - g.energies.hartree - of_vxc * system.grid.point_volume() + g.energies.xc + g.energies.ions, g.energies.total(), 1e-6,
        "sum of eigenvalues without what is counted twice");
}
