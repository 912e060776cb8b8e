// SPDX-License-Identifier: BSD-3-Clause
// Angular grids, partition functions, points and batches.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <dfpt/cut_planes.hpp>
#include <dfpt/integration_setup.hpp>
#include <dfpt/lebedev.hpp>
#include <dfpt/partition.hpp>
#include <dfpt/shells.hpp>

#include "molecules.hpp"

using namespace suite::all_electron;
using namespace dfpt_app_test;

namespace {

std::string refusal(const Molecule& molecule, const Choices& choices) {
  try {
    prepare(molecule, choices);
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "it was taken";
}

}  // namespace

// Sums of P_l(q.x) are all the harmonics of that l for directions q without symmetry; P_0 tells the weights'
// sum.
BOOST_AUTO_TEST_CASE(angular_grids_are_exact_to_their_degree) {
  const double directions[][3] = {{0.36, 0.48, 0.8}, {-0.152, 0.864, -0.48}, {2. / 3, -1. / 3, 2. / 3}};
  for (const int size : angular_grid_sizes()) {
    const AngularGrid& grid = angular_grid(size);
    BOOST_TEST(grid.directions.size() == static_cast<size_t>(size));
    BOOST_TEST((*std::min_element(grid.weights.begin(), grid.weights.end()) > 0));
    for (const auto& raw : directions) {
      const double norm = std::sqrt(raw[0] * raw[0] + raw[1] * raw[1] + raw[2] * raw[2]);
      std::vector<double> sums(static_cast<size_t>(grid.degree) + 2, 0.0);
      for (size_t i = 0; i < grid.directions.size(); ++i) {
        const auto& x = grid.directions[i];
        const double t = (x[0] * raw[0] + x[1] * raw[1] + x[2] * raw[2]) / norm;
        double before = 0, here = 1;
        for (size_t l = 0; l < sums.size(); ++l) {
          sums[l] += grid.weights[i] * here;
          const auto n = static_cast<double>(l);
          const double next = ((2 * n + 1) * t * here - n * before) / (n + 1);
          before = here, here = next;
        }
      }
      for (int l = 0; l <= grid.degree; ++l)
        check_below(std::to_string(size) + " points, l = " + std::to_string(l), std::abs(sums[static_cast<size_t>(l)] - (l == 0)), 1e-14);
    }
  }
}

BOOST_AUTO_TEST_CASE(angular_grids_that_are_not_there_are_refused) {
  BOOST_CHECK_EXCEPTION(angular_grid(303), suite::Failure,
                        [](const auto& failure) { return std::string(failure.what()).find("has 303 points") != std::string::npos; });
}

// int exp(-r) r^2 dr = 2 and int exp(-3 r^2) r^4 dr; a multiplier keeps the old shells among the new ones.
BOOST_AUTO_TEST_CASE(shells_integrate) {
  const Shells once = make_shells(36, 7 * bohr_per_angstrom, 1), twice = make_shells(36, 7 * bohr_per_angstrom, 2);
  BOOST_TEST(once.r.size() == 36u);
  BOOST_TEST(twice.r.size() == 73u);
  for (size_t s = 0; s < once.r.size(); ++s) {
    check_below("shell " + std::to_string(s), std::abs(once.r[s] / twice.r[2 * s + 1] - 1), 1e-14);
    check_below("its number", std::abs(once.number(once.r[s]) - static_cast<double>(s + 1)), 1e-12);
  }
  check_below("the last shell", std::abs(once.r.back() / (7 * bohr_per_angstrom) - 1), 1e-14);
  double slow = 0, fast = 0;
  for (size_t s = 0; s < twice.r.size(); ++s) {
    slow += twice.weights[s] * std::exp(-2 * twice.r[s]);
    fast += twice.weights[s] * twice.r[s] * twice.r[s] * std::exp(-3 * twice.r[s] * twice.r[s]);
  }
  check_below("int exp(-2 r) r^2 dr", std::abs(slow - 0.25), 1e-8);
  check_below("int exp(-3 r^2) r^4 dr", std::abs(fast - 3 * std::sqrt(std::numbers::pi) / (8 * std::pow(3, 2.5))), 1e-12);
}

// At any point the functions of all atoms whose radius it is in sum to 1.
BOOST_AUTO_TEST_CASE(partition_functions_sum_to_1) {
  const std::vector<double> atoms{0, 0, 0, 2, 0.1, 0, 0.2, 2.5, 0.3, 9, 0, 1, 14, 1, 1};
  for (const double reach : {6.0, 9.0, 1e300}) {
    const Partition partition(atoms, std::vector<double>(5, reach));
    int shared = 0;
    for (const int sample : {26, 110, 302})
      for (const double sphere : {0.3, 1.1, 2.9, 5.2}) {
        for (const auto& x : angular_grid(sample).directions) {
          const double point[] = {1 + sphere * x[0], 0.5 + sphere * x[1], 0.2 + sphere * x[2]};
          double sum = 0;
          int parts = 0;
          for (size_t a = 0; a < 5; ++a) {
            std::array<double, 3> from{};
            double r = 0;
            for (size_t d = 0; d < 3; ++d) {
              from[d] = point[d] - atoms[3 * a + d];
              r += from[d] * from[d];
            }
            r = std::sqrt(r);
            for (double& component : from) component /= r;
            const double p = partition.on_sphere(a, r, {from})[0];
            sum += p;
            parts += p > 0;
          }
          shared += parts > 1;
          check_below("sum of partition functions", std::abs(sum - 1), 1e-14);
        }
      }
    BOOST_TEST(shared > 300);
  }
}

// Two atoms 2 bohr apart, points of the axis: g(0) = 0, g(1/2) = 3518/4096, g(1) = 1, exact in binary
// fractions.
BOOST_AUTO_TEST_CASE(partition_functions_of_two_atoms_are_the_published_polynomial) {
  const Partition partition({0, 0, 0, 2, 0, 0}, {1e300, 1e300});
  const auto p = [&](double x) { return partition.on_sphere(0, x, {{1, 0, 0}})[0]; };
  check_below("the middle", std::abs(p(1) - 0.5), 1e-15);
  check_below("q = 1/2", std::abs(p(1.32) - 0.5 * (1 - 3518.0 / 4096)), 1e-14);
  check_below("q = -1/2", std::abs(p(0.68) - 0.5 * (1 + 3518.0 / 4096)), 1e-14);
  BOOST_TEST((p(1.65) == 0 && p(0.35) == 1));
}

// FHI-aims' own count for this molecule and level (its published output: "Net number of integration points:
// 28900").
BOOST_AUTO_TEST_CASE(hydrogen_has_the_published_number_of_points) {
  Choices choices;
  choices.level = Level::tight;
  choices.xc = Xc::pz81;
  const Setup setup = prepare(hydrogen, choices);
  BOOST_TEST(setup.grid.raw_points == 28900u);
  BOOST_TEST(setup.basis.n_basis == 10);
  BOOST_TEST(setup.l_hartree == 6);
  BOOST_TEST(setup.electrons == 2);
}

// Published sizes of the bases: 14 functions of first row atoms in tier 1, 39 in tier 2; hydrogen 5 and 15.
BOOST_AUTO_TEST_CASE(bases_have_their_sizes) {
  for (const auto& [tier, size] : {std::pair(0, 7), {1, 24}, {2, 69}}) {
    Choices choices;
    choices.tier = tier;
    BOOST_TEST(prepare(water, choices).basis.n_basis == size);
  }
}

// Batches hold every point once, none more than the target, most nearly as many; their lists hold every
// function that is not 0 there.
BOOST_AUTO_TEST_CASE(batches_are_compact_and_complete) {
  Choices choices;
  const Setup setup = prepare(water, choices);
  const Grid& grid = setup.grid;
  BOOST_TEST(grid.n_points() < grid.raw_points);
  BOOST_REQUIRE(grid.batch_points.back() == static_cast<int32_t>(grid.n_points()) + 1);
  BOOST_REQUIRE(grid.batch_basis.back() == static_cast<int32_t>(grid.i_basis.size()) + 1);
  size_t listed = 0;
  for (size_t b = 0; b < grid.n_batches(); ++b) {
    const int points = grid.batch_points[b + 1] - grid.batch_points[b];
    BOOST_TEST((points >= 100 && points <= choices.batch_target));
    const auto from = grid.i_basis.begin() + grid.batch_basis[b] - 1, to = grid.i_basis.begin() + grid.batch_basis[b + 1] - 1;
    BOOST_TEST(std::is_sorted(from, to, std::less_equal<>()));
    for (int32_t i = 1; i <= setup.basis.n_basis; ++i) {
      const auto f = static_cast<size_t>(i - 1);
      const auto a = static_cast<size_t>(setup.basis.basis_atom[f] - 1);
      const double end = setup.tables.outer_radius[static_cast<size_t>(setup.basis.basis_fn[f] - 1)];
      bool inside = false;
      for (int32_t p = grid.batch_points[b] - 1; p < grid.batch_points[b + 1] - 1; ++p) {
        double r = 0;
        for (size_t d = 0; d < 3; ++d) r += std::pow(grid.coords[3 * static_cast<size_t>(p) + d] - setup.atom_coords[3 * a + d], 2);
        inside = inside || std::sqrt(r) < end;
      }
      const bool found = std::binary_search(from, to, i);
      listed += found;
      if (found != inside) BOOST_TEST(false, "function " << i << " and batch " << b << ": " << found << " is not " << inside);
    }
  }
  BOOST_TEST(listed == grid.i_basis.size());
}

BOOST_AUTO_TEST_CASE(parts_of_a_grid_are_its_batches) {
  const Grid grid = prepare(hydrogen, {}).grid;
  const size_t half = grid.n_batches() / 2;
  const Grid one = part(grid, 0, half), two = part(grid, half, grid.n_batches());
  BOOST_TEST(one.n_points() + two.n_points() == grid.n_points());
  BOOST_TEST(one.n_wave() + two.n_wave() == grid.n_wave());
  BOOST_TEST((two.batch_points.front() == 1 && two.batch_basis.front() == 1));
  BOOST_TEST((two.partition_tab.back() == grid.partition_tab.back() && two.coords.back() == grid.coords.back()));
  BOOST_TEST((two.partition_tab.front() == grid.partition_tab[one.n_points()]));
  BOOST_TEST(two.i_basis.size() == static_cast<size_t>(two.batch_basis.back() - 1));
}

BOOST_AUTO_TEST_CASE(molecules_that_cannot_be_are_refused) {
  Molecule close = water;
  close.atoms[2].position = {-1.43, 0, 1.2};
  BOOST_TEST(refusal(close, {}).find("atoms 2 (H) and 3 (H) are 0.0491 angstrom apart") == 0u);
  BOOST_TEST(refusal({}, {}).find("no atoms") != std::string::npos);
  Molecule neon{{{10, {0, 0, 0}}}, 0};
  BOOST_TEST(refusal(neon, {}).find("no numeric basis for Ne") != std::string::npos);
}
