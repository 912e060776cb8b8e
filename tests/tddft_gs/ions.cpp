// SPDX-License-Identifier: BSD-3-Clause
// Ions on the grid: energies against Madelung constants, potentials against sums in real space, cells and k
// points.
#include "bench.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "gth.hpp"
#include "ion_energy.hpp"

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;
using std::numbers::pi;

namespace {

double sum(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

std::vector<PointCharge> crystal(const std::vector<Vec3>& positions, const std::vector<double>& charges) {
  std::vector<PointCharge> out;
  for (size_t i = 0; i < positions.size(); ++i) out.push_back({charges[i], positions[i]});
  return out;
}

// Of a unit charge at the origin with its images and its background, at r; from energies alone.
double lattice_potential(const Vec3& lengths, const Vec3& r) {
  return ewald_energy(lengths, {{1, {}}, {1, r}}) - 2 * ewald_energy(lengths, {{1, {}}});
}

}  // namespace

// Constants with all digits: Borwein, Glasser et al., "Lattice Sums Then and Now" (rock salt, caesium
// chloride); Coldwell-Horsfall and Maradudin, J. Math. Phys. 1, 395 (1960) (Wigner lattices).
BOOST_AUTO_TEST_CASE(ewald_energies_are_the_known_madelung_constants) {
  const std::vector<Vec3> salt = {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<double> charges = {1, 1, 1, 1, -1, -1, -1, -1};
  close(ewald_energy({2, 2, 2}, crystal(salt, charges)), 4 * -1.747564594633182, 1e-11, "rock salt");
  close(ewald_energy({1, 1, 1}, crystal({{0, 0, 0}, {.5, .5, .5}}, {1, -1})), -1.762674773070988 / (std::sqrt(3.0) / 2), 1e-11,
        "caesium chloride");
  close(ewald_energy({1, 1, 1}, crystal({{0, 0, 0}}, {1})), -2.837297479480620 / 2, 1e-11, "simple cubic Wigner");
  const double rs = std::cbrt(3 / (4 * pi) / 2);
  close(ewald_energy({1, 1, 1}, crystal({{0, 0, 0}, {.5, .5, .5}}, {1, 1})), 2 * -0.895929255682 / rs, 1e-10, "body-centred Wigner");
}

BOOST_AUTO_TEST_CASE(ewald_energies_do_not_depend_on_how_the_crystal_is_cut) {
  // The same rock salt in a cell of 2 x 1 x 3 cubes, moved.
  std::vector<PointCharge> charges;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 6; ++z) charges.push_back({(x + y + z) % 2 ? -1.0 : 1.0, {x + 0.3, y - 5.1, z + 0.77}});
  close(ewald_energy({4, 2, 6}, charges) / 48, -1.747564594633182 / 2, 1e-11, "rock salt");
}

// v_loc by Fourier series = -Z times the potential of a lattice of points + the short-range rest in real
// space. Sodium at 0.35 bohr: the series is cut where it has fallen to exp(-(pi r_loc/h)^2/2) = 2e-14 of 4 pi
// Z/(V q^2).
BOOST_AUTO_TEST_CASE(periodic_local_potential_is_the_sum_over_all_images) {
  System system = cube(24, 0.35, Boundary::periodic);
  system.grid.points = {24, 20, 30};
  system.atoms = {{"Na", {0.11, -0.4, 8.0}}};
  const auto v = local_potential(system);
  const Vec3 lengths{system.grid.length(0), system.grid.length(1), system.grid.length(2)};
  const Gth& na = *built_in("Na");
  for (const auto& [ix, iy, iz] : {std::array{12, 9, 15}, std::array{0, 0, 0}, std::array{5, 19, 28}}) {
    Vec3 r{system.grid.coordinate(0, ix), system.grid.coordinate(1, iy), system.grid.coordinate(2, iz)};
    for (int d = 0; d < 3; ++d) r[d] -= system.atoms[0].position[d];
    double expected = -lattice_potential(lengths, r);
    for (int x = -2; x <= 2; ++x)
      for (int y = -2; y <= 2; ++y)
        for (int z = -2; z <= 2; ++z) {
          const double distance = std::hypot(r[0] + x * lengths[0], r[1] + y * lengths[1], r[2] + z * lengths[2]);
          expected += na.local(distance) + 1 / distance;
        }
    // The mean of the short-range part, which the lattice of points does not have.
    close(v[system.grid.index(ix, iy, iz)], expected, 1e-10, "v_loc");
  }
  close(sum(v) / static_cast<double>(v.size()), na.local_of_q2(0) / system.grid.volume(), 1e-14, "mean of v_loc");
}

BOOST_AUTO_TEST_CASE(isolated_local_potential_is_the_formula) {
  const System system = isolated_atom("C", 20, 0.3, 4);
  const auto v = local_potential(system);
  const Gth& c = *built_in("C");
  for (int i : {0, 7, 10, 11}) {
    const double r = std::abs(system.grid.coordinate(1, i)), x = r / c.r_local;
    const double coulomb = r > 0 ? std::erf(x / std::sqrt(2.0)) / r : std::sqrt(2 / pi) / c.r_local;
    const double expected = -4 * coulomb + std::exp(-x * x / 2) * (-8.51377110 + 1.22843203 * x * x);
    close(v[system.grid.index(10, i, 10)], expected, 1e-12, "v_loc of C");
  }
  // The series about 0 meets the formula.
  close(c.local(1.01e-4 * c.r_local), c.local(0.99e-4 * c.r_local), 1e-7, "v_loc near 0");
}

BOOST_AUTO_TEST_CASE(projectors_are_normalised) {
  for (std::string_view element : built_in_elements()) {
    const Gth& p = *built_in(element);
    for (size_t channel = 0; channel < p.channels.size(); ++channel) {
      double norm[2] = {0, 0}, cross = 0;
      const double step = p.radii[channel] / 200;
      for (int n = 0; n < 4000; ++n) {
        const double r = (n + 0.5) * step, a = p.projector(channel, 0, r), b = p.projector(channel, 1, r);
        norm[0] += r * r * a * a * step;
        norm[1] += r * r * b * b * step;
        cross += r * r * a * b * step;
      }
      close(norm[0], 1, 1e-6, "first projector");
      close(norm[1], 1, 1e-6, "second projector");
      if (p.channels[channel].l == 0) close(cross, std::sqrt(0.6), 1e-6, "overlap of the s projectors");
    }
  }
}

BOOST_AUTO_TEST_CASE(nonlocal_arrays_are_what_the_kernels_take) {
  System system = cube(24, 0.42, Boundary::periodic);
  system.atoms = {{"Si", {0.1, -0.2, 4.9}}, {"H", {2, 2, 2}}, {"N", {-3, 1, 0}}};
  const Nonlocal nonlocal = nonlocal_potential(system);
  BOOST_TEST(nonlocal.natom == 2);  // H has none
  BOOST_TEST(nonlocal.nproj == 5);
  for (int64_t a = 0; a < 2; ++a) {
    const int32_t* points = nonlocal.nlpoint.data() + nonlocal.nsphere * a;
    bool padding = false;
    for (int64_t s = 0; s < nonlocal.nsphere; ++s) {
      if (points[s] == 0) padding = true;
      BOOST_TEST(padding == (points[s] == 0));
      if (s > 0 && points[s] > 0) BOOST_TEST(points[s] > points[s - 1]);
    }
  }
  BOOST_TEST(nonlocal.nlpoint[nonlocal.nsphere - 1] > 0);       // silicon has the larger sphere
  BOOST_TEST(nonlocal.nlpoint[2 * nonlocal.nsphere - 1] == 0);  // nitrogen is padded
  for (int j = 0; j < 5; ++j) {
    const double* beta = nonlocal.beta.data() + nonlocal.nsphere * j;
    double norm = 0, nitrogen = 0;
    for (int64_t s = 0; s < nonlocal.nsphere; ++s) {
      norm += beta[s] * beta[s] * system.grid.point_volume();
      nitrogen += std::abs(beta[nonlocal.nsphere * nonlocal.nproj + s]);
    }
    close(norm, 1, 2e-3,
          "norm on the grid");  // sampled at 0.42 bohr: exp(-(pi r_l/h)^2) = 5e-5 times a polynomial
    BOOST_TEST((nitrogen > 0) == (j == 0));
  }
  const auto d = [&](int i, int j, int a) { return nonlocal.dnl[i + 5 * (j + 5 * a)]; };
  BOOST_TEST(d(0, 0, 0) == 5.90692831);
  BOOST_TEST(d(0, 1, 0) == -1.26189397);
  BOOST_TEST(d(1, 0, 0) == -1.26189397);
  BOOST_TEST(d(1, 1, 0) == 3.25819622);
  for (int m = 2; m < 5; ++m) BOOST_TEST(d(m, m, 0) == 2.72701346);
  BOOST_TEST(d(2, 3, 0) == 0);
  BOOST_TEST(d(0, 0, 1) == 13.55224272);
  BOOST_TEST(d(1, 1, 1) == 0);
  // The p projectors point along x, y and z.
  for (int64_t s = 0; s < nonlocal.nsphere; ++s) {
    const double* r = nonlocal.nldisp.data() + 3 * s;
    const auto beta = [&](int j) { return nonlocal.beta[s + nonlocal.nsphere * j]; };
    BOOST_TEST(std::abs(beta(2) * r[1] - beta(3) * r[0]) <= 1e-14);
    BOOST_TEST(std::abs(beta(3) * r[2] - beta(4) * r[1]) <= 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(jellium_spheres_interact_as_extended_charges) {
  System system = cube(40, 0.5, Boundary::isolated);
  system.sphere = JelliumSphere{10, 2};
  close(ion_energy(system), 0.6 * 100 / (2 * std::cbrt(10.0)), 1e-12, "self-energy");
  const auto v = local_potential(system);
  close(v[system.grid.index(20, 20, 20)], -15 / system.sphere->radius(), 1e-12, "potential in the middle");
  close(v[system.grid.index(0, 20, 20)], -1.0, 1e-12, "potential outside");
  // Periodic: 1/2 sum_G 4 pi |n_G|^2/(V G^2) directly, what lies beyond the cut is at most 6e-6.
  system.boundary = Boundary::periodic;
  const double radius = system.sphere->radius(), length = system.grid.length(0);
  double direct = 0;
  const int largest = 90;
  for (int x = -largest; x <= largest; ++x)
    for (int y = -largest; y <= largest; ++y)
      for (int z = -largest; z <= largest; ++z) {
        const double g = 2 * pi / length * std::sqrt(double(x * x + y * y + z * z)), u = g * radius;
        if (u == 0) continue;
        const double n = 30 * (std::sin(u) - u * std::cos(u)) / (u * u * u);
        direct += 2 * pi * n * n / (g * g * system.grid.volume());
      }
  close(ion_energy(system), direct, 1e-5, "periodic self-energy");
}

BOOST_AUTO_TEST_CASE(k_points_add_up_and_are_joined_by_time_reversal) {
  Grid grid{{8, 8, 8}, {1, 1, 1.5}};
  const auto two = monkhorst_pack(grid, {2, 2, 2});
  BOOST_TEST(two.size() == 4u);
  for (const KPoint& point : two) {
    BOOST_TEST(point.weight == 0.25);
    close(std::abs(point.k[0]), pi / 16, 1e-15, "kx");
    close(std::abs(point.k[2]), pi / 24, 1e-15, "kz");
  }
  const auto odd = monkhorst_pack(grid, {3, 2, 1});
  BOOST_TEST(odd.size() == 3u);
  double weights = 0;
  for (const KPoint& point : odd) weights += point.weight;
  close(weights, 1, 1e-15, "weights");
  const auto gamma = monkhorst_pack(grid, {1, 1, 1});
  BOOST_TEST(gamma.size() == 1u);
  BOOST_TEST((gamma[0].k == Vec3{}));
}

BOOST_AUTO_TEST_CASE(joined_k_points_come_apart_again) {
  System system;
  system.boundary = Boundary::periodic;
  system.grid = {{8, 8, 8}, {1, 1, 1.5}};
  system.k_points = monkhorst_pack(system.grid, {3, 2, 1});
  const auto all = all_k_points(system);
  BOOST_TEST(all.size() == 6u);
  Vec3 sum{};
  for (const KPoint& point : all) {
    close(point.weight, 1.0 / 6, 1e-15, "weight");
    BOOST_TEST(!point.with_minus);
    for (int d = 0; d < 3; ++d) sum[d] += point.k[d];
    BOOST_TEST(std::count_if(all.begin(), all.end(), [&](const KPoint& other) { return other.k == point.k; }) == 1);
  }
  for (int d = 0; d < 3; ++d) close(sum[d], 0, 1e-15, "k and -k");
  // One of these is its own negative.
  system.k_points = monkhorst_pack(system.grid, {3, 1, 1});
  BOOST_TEST(all_k_points(system).size() == 3u);
}

BOOST_AUTO_TEST_CASE(grids_are_even_and_fine_enough) {
  const Grid grid = make_grid({10, 10.263, 7.1}, 0.5);
  BOOST_TEST((grid.points == std::array{20, 24, 16}));
  for (int d = 0; d < 3; ++d) BOOST_TEST(grid.h[d] <= 0.5);
  close(grid.length(1), 10.263, 1e-13, "length");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused_with_a_sentence) {
  System good = isolated_atom("H", 20, 0.5, 1);
  check(good);
  const auto refused = [&](auto&& change, const std::string& part) {
    System system = good;
    change(system);
    BOOST_CHECK_EXCEPTION(check(system), Failure, says(part));
  };
  refused([](System& s) { s.grid.points[1] = 7; }, "the grid has 7 points along y, but they must be even, or 1");
  refused([](System& s) { s.grid.h[2] = 0; }, "the grid spacing along z is 0 bohr");
  refused([](System& s) { s.atoms[0].element = "Xx"; }, "no pseudopotential of element \"Xx\"; there are H, He, C, N, O, Na, Si");
  refused([](System& s) { s.atoms[0].position[0] = 5.5; }, "lies outside the cell, which goes from -5 to 5 along x");
  refused([](System& s) { s.atoms.push_back(s.atoms[0]); }, "atoms 1 (H) and 2 (H) are 0 bohr apart");
  refused([](System& s) { s.electrons = -1; }, "the system has -1 electrons");
  refused([](System& s) { s.occupations = {2.5}; }, "an occupation is 2.5, but must be 0 to 2");
  refused([](System& s) { s.occupations = {2, 1}; }, "the occupations add up to 3, but the system has 1 electrons");
  refused([](System& s) { s.k_points = {{{0.1, 0, 0}, 1}}; }, "an isolated system has only the k point 0");
  refused([](System& s) { s.k_points[0].weight = 0.5; }, "the weights of the k points add up to 0.5, not 1");
  refused([](System& s) { s.sphere = JelliumSphere{1, 2}; }, "a cell cannot contain both a jellium sphere and atoms");
  System narrow = cube(10, 0.5, Boundary::periodic);
  narrow.atoms = {{"Na", {}}};
  BOOST_CHECK_EXCEPTION(nonlocal_potential(narrow), Failure, says("the cell must be at least"));
}
