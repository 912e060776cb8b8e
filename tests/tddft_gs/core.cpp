// SPDX-License-Identifier: BSD-3-Clause
// The nonlinear core correction: the density of the cores on the grid, exchange and correlation with it, and forces against differences of the
// energy of ions that were moved.
#include "bench.hpp"

#include <algorithm>
#include <numbers>

#include "core_density.hpp"
#include "fields.hpp"
#include "grid_xc.hpp"
#include "gth.hpp"
#include "pseudopotential_texts.hpp"
#include "slopes.hpp"
#include "tabulated.hpp"

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;
using std::numbers::pi;

namespace {

std::shared_ptr<const Pseudopotential> shared(Gth p) { return std::make_shared<Gth>(std::move(p)); }

// int of the density of with_a_core(): int y^2i exp(-y^2/2) = (2 pi)^(3/2) r^3 times 1, 3.
double charge_of_a_core() {
  const auto moment = [](double r) { return std::pow(2 * pi, 1.5) * r * r * r / (4 * pi); };
  return moment(0.7) * 4.1 + moment(0.55) * (0.6 + 3 * 0.9);
}

// Neither symmetric nor on points of the grid; the second ion is at the faces of a crystal's cell, with the sphere of its core around them.
System skew_pair(Boundary boundary) {
  System system = cube(16, 0.68, boundary);
  system.grid.points = {16, 18, 20};
  system.atoms = {{"Na", {0.13, -0.21, 1.6}}, {"H", {-0.55, 0.4, -1.85}}};
  if (boundary == Boundary::periodic) system.atoms[1].position = {-4.9, 5.6, -1.85};
  system.electrons = 2;
  system.pseudopotentials = {{"Na", shared(with_a_core("Na"))}, {"H", shared(with_a_core("H"))}};
  return system;
}

void filter(System& system) {
  for (auto& [element, p] : system.pseudopotentials)
    p = std::make_shared<Tabulated>(tables_of(dynamic_cast<const Gth&>(*p)), system.grid, system.boundary);
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_hold_the_density_of_the_core_they_were_made_from) {
  const Gth own = with_a_core("Si");
  const Grid fine{{60, 60, 60}, {0.2, 0.2, 0.2}};
  const auto of_gth = parse_gth("x", gth_text(own), "Si", "");
  close(of_gth->core_charge, charge_of_a_core(), 1e-12, "charge");
  for (const int version : {0, 1, 2}) {
    const auto table = version == 0 ? std::make_unique<Tabulated>(tables_of(*of_gth), fine, Boundary::isolated)
                                    : std::make_unique<Tabulated>(parse_upf("x", upf_text(own, version)), fine, Boundary::isolated);
    // What a spline through 440 points of a logarithmic mesh leaves, of 0.37 bohr^-3, and the mask cuts.
    close(table->core_charge, charge_of_a_core(), 1e-4, "charge");
    for (double r = 0; r < 5; r += 0.0371) {
      close(of_gth->core(r).value, own.core(r).value, 1e-14, "density of GTH");
      close(table->core(r).value, own.core(r).value, 1e-4, "density");
      close(table->core(r).slope * r, own.core(r).slope * r, 5e-4, "its slope");
    }
    close(own.core(0.61).slope * 0.61, (own.core(0.61001).value - own.core(0.60999).value) / 2e-5, 1e-9, "slope of GTH");
  }
}

// The integral over the grid is that of the file, whatever faces of a crystal's cell the cores reach over, also those of a cell that is smaller
// than a core's sphere. Of an isolated cell they cut it.
BOOST_AUTO_TEST_CASE(the_cores_on_the_grid_have_their_charge) {
  System system = skew_pair(Boundary::periodic);
  const auto on_grid = [](const System& of) {
    double sum = 0;
    for (const double x : core_density(of)) sum += x;
    return sum * of.grid.point_volume();
  };
  close(core_charge(system), 0, 1e-15, "built from a table without its charge");
  // Waves of the Gaussians beyond 2 pi/0.68 bohr: exp(-(9.24 0.55)^2/2) = 2.5e-6 of the charge, six times.
  close(on_grid(system), 2 * charge_of_a_core(), 1e-4, "crystal");
  filter(system);
  // The filter takes what is beyond pi/0.68 bohr.
  close(core_charge(system), 2 * charge_of_a_core(), 1e-4, "of the files");
  close(on_grid(system), 2 * charge_of_a_core(), 2e-3, "crystal, filtered");
  System small = cube(8, 0.5, Boundary::periodic);
  small.grid.points = {8, 10, 1};
  small.grid.h[2] = 4;
  small.atoms = {{"H", {1.1, -2.2, 0}}};
  small.pseudopotentials = {{"H", shared(with_a_core("H"))}};
  std::vector<double> rho = core_density(small);
  double images = 0;
  for (int x = -3; x <= 3; ++x)
    for (int y = -3; y <= 3; ++y)
      images +=
          with_a_core("H").core(std::hypot(small.grid.coordinate(0, 3) - 1.1 + 4 * x, small.grid.coordinate(1, 7) + 2.2 + 5 * y)).value;
  close(rho[small.grid.index(3, 7, 0)], images, 1e-12, "sum over the images");
  System cut = skew_pair(Boundary::isolated);
  cut.atoms = {{"H", {cut.grid.length(0) / 2 - cut.grid.h[0] / 2, 0.1, 0.2}}};
  close(on_grid(cut), charge_of_a_core() / 2, 0.02, "half of it beyond a face");
  BOOST_TEST(core_density(cube(8, 0.5, Boundary::periodic)).empty());
}

// A uniform core and uniform electrons: the energy of their sum, where n d(exc)/dn of the kernel gives the potential.
BOOST_AUTO_TEST_CASE(exchange_and_correlation_are_those_of_electrons_and_cores) {
  const Grid grid{{8, 10, 6}, {0.5, 0.6, 0.7}};
  const std::vector<double> both(grid.size(), 0.05), electrons(grid.size(), 0.03), core(grid.size(), 0.02);
  for (const std::string functional : {"pw92", "pz81"}) {
    Fields together(grid, "differences", functional, "reference"), apart(grid, "differences", functional, "reference", 1, true);
    together.update(both);
    apart.set_core(core);
    apart.update(electrons);
    close(apart.xc_energy(), together.xc_energy(), 1e-10 * std::abs(together.xc_energy()), "energy");
    close(apart.vxc()[17], together.vxc()[17], 1e-10, "potential");
    close(apart.vxc_energy(), 0.6 * together.vxc_energy(), 1e-10, "the electrons in it");
    apart.set_core({});
    apart.update(both);
    close(apart.xc_energy(), together.xc_energy(), 1e-10 * std::abs(together.xc_energy()), "without a core");
  }
}

// Of unequal spins, with gradients, and where the core has what the electrons lack: the potential is the derivative of the energy by the
// electrons' density. Either spin sees half of the core.
BOOST_AUTO_TEST_CASE(potentials_with_cores_are_derivatives_of_the_energy) {
  if (without_libxc()) return;
  const System system = skew_pair(Boundary::periodic);
  const size_t points = system.grid.size();
  const std::vector<double> core = core_density(system);
  for (const app::Xc functional : {app::Xc::pw92, app::Xc::pbe})
    for (const int spins : {1, 2}) {
      std::vector<double> n(points * static_cast<size_t>(spins));
      for (size_t p = 0; p < n.size(); ++p)
        n[p] = 0.02 + 0.01 * std::sin(0.3 * static_cast<double>(p % 20)) +
               (p < points ? 0.004 : 0) * std::cos(0.7 * static_cast<double>(p % 7));
      GridXc xc(system.grid, functional, spins);
      xc.set_core(core);
      xc.update(n);
      const std::vector<double> v = xc.potential();
      const auto dense = static_cast<size_t>(std::max_element(core.begin(), core.end()) - core.begin());
      for (const size_t p : {dense, dense + 3, n.size() - 5}) {
        const auto at = [&](double moved) {
          auto other = n;
          other[p] += moved;
          xc.update(other);
          return xc.energy();
        };
        const double h = 1e-4;
        close(v[p] * system.grid.point_volume(), (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h), 1e-8, "potential");
      }
      if (spins == 1) continue;
      GridXc sum(system.grid, functional, 2);
      std::vector<double> with = n;
      for (size_t p = 0; p < n.size(); ++p) with[p] += core[p % points] / 2;
      sum.update(with);
      xc.update(n);
      close(xc.energy(), sum.energy(), 1e-12 * std::abs(sum.energy()), "half of the core of either spin");
    }
}

BOOST_AUTO_TEST_CASE(forces_with_cores_on_a_molecule_are_slopes_of_its_energy) {
  agrees(skew_pair(Boundary::isolated), {{0, 0}, {1, 1}, {1, 2}});
  if (without_libxc()) return;
  agrees(skew_pair(Boundary::isolated), {{0, 1}}, "pbe");
  System filtered = skew_pair(Boundary::isolated);
  filter(filtered);
  agrees(filtered, {{0, 1}}, "pw92");
  // A core too narrow for the grid waves around its ion when it is filtered, and points pass the densities below which there is no gradient.
  agrees(filtered, {{0, 1}}, "pbe", 5e-6);
}

BOOST_AUTO_TEST_CASE(forces_with_cores_in_a_crystal_are_slopes_of_its_energy) {
  System system = skew_pair(Boundary::periodic);
  system.k_points = monkhorst_pack(system.grid, {1, 2, 1});
  agrees(system, {{1, 0}, {0, 2}});
  if (without_libxc()) return;
  filter(system);
  agrees(system, {{1, 1}}, "pbe");
}

BOOST_AUTO_TEST_CASE(forces_with_cores_on_unpaired_electrons_are_slopes_of_the_energy) {
  if (without_libxc()) return;
  System system = skew_pair(Boundary::isolated);
  system.electrons = 3;
  system.unpaired = 1;
  agrees(system, {{0, 2}}, "pw92");
  filter(system);
  agrees(system, {{1, 0}}, "pbe");
}

// Without unpaired electrons both spins are alike.
BOOST_AUTO_TEST_CASE(equal_spins_around_cores_are_one) {
  if (without_libxc()) return;
  System system = skew_pair(Boundary::isolated);
  const GroundState one = solve_ground_state(system, tight());
  system.polarised = true;
  const GroundState two = solve_ground_state(system, tight());
  close(two.energies.total(), one.energies.total(), 1e-8, "energy");
  for (size_t d = 0; d < 3; ++d) close(two.forces[0][d], one.forces[0][d], 1e-6, "force");
  System bare = skew_pair(Boundary::isolated);
  bare.pseudopotentials.clear();
  BOOST_TEST(std::abs(solve_ground_state(bare, tight()).energies.total() - one.energies.total()) > 1e-2);
}
