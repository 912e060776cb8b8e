// SPDX-License-Identifier: BSD-3-Clause
// Independent electrons: the eigensolver against dense diagonalisation and against exact levels, and what
// must not change an answer.
#include "bench.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include <omp.h>

#include "../../apps/base/dense/eigenpairs.hpp"

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;
using Complex = std::complex<double>;
using std::numbers::pi;

namespace {

// H of one k as a matrix, straight from the formulas of the kernels: Peierls phases on the bonds, and
// projectors exp(-ik.(r-R)) beta.
Eigen::MatrixXcd matrix(const Grid& grid, const Vec3& k, const std::vector<double>& v, const Nonlocal& nonlocal) {
  const auto size = static_cast<Eigen::Index>(grid.size());
  Eigen::MatrixXcd h = Eigen::MatrixXcd::Zero(size, size);
  for (int ix = 0; ix < grid.points[0]; ++ix)
    for (int iy = 0; iy < grid.points[1]; ++iy)
      for (int iz = 0; iz < grid.points[2]; ++iz) {
        const size_t row = grid.index(ix, iy, iz);
        h(row, row) += v[row];
        for (int d = 0; d < 3; ++d) {
          if (grid.points[d] == 1) continue;
          const double a = 1 / (2 * grid.h[d] * grid.h[d]);
          h(row, row) += 2 * a;
          for (int step : {-1, 1}) {
            std::array<int, 3> to{ix, iy, iz};
            to[d] = (to[d] + step + grid.points[d]) % grid.points[d];
            h(row, grid.index(to[0], to[1], to[2])) -= a * std::polar(1.0, step * k[d] * grid.h[d]);
          }
        }
      }
  for (int64_t atom = 0; atom < nonlocal.natom; ++atom) {
    Eigen::MatrixXcd b = Eigen::MatrixXcd::Zero(size, nonlocal.nproj);
    for (int64_t s = 0; s < nonlocal.nsphere; ++s) {
      const int32_t point = nonlocal.nlpoint[s + nonlocal.nsphere * atom];
      if (point == 0) continue;
      const double* r = nonlocal.nldisp.data() + 3 * (s + nonlocal.nsphere * atom);
      for (int64_t j = 0; j < nonlocal.nproj; ++j)
        b(point - 1, j) =
            nonlocal.beta[s + nonlocal.nsphere * (j + nonlocal.nproj * atom)] * std::polar(1.0, -(k[0] * r[0] + k[1] * r[1] + k[2] * r[2]));
    }
    const Eigen::Map<const Eigen::MatrixXd> d(nonlocal.dnl.data() + nonlocal.nproj * nonlocal.nproj * atom, nonlocal.nproj, nonlocal.nproj);
    h += b * d * b.adjoint() * grid.point_volume();
  }
  return h;
}

Eigen::VectorXcd orbital(const GroundState& state, int64_t n) {
  const auto size = static_cast<Eigen::Index>(state.psi.size() / state.orbitals);
  Eigen::VectorXcd out(size);
  for (Eigen::Index i = 0; i < size; ++i) out[i] = state.psi[n + state.orbitals * i];
  return out;
}

// Two atoms in a small cell without any symmetry, coarse and unphysical, and a well on top.
System small_crystal() {
  System system;
  system.grid = {{8, 6, 10}, {0.8, 1.05, 0.65}};
  system.kinetic = Kinetic::differences;
  system.boundary = Boundary::periodic;
  system.atoms = {{"Si", {0.2, -0.1, 0.3}}, {"Si", {-2.9, 1.0, 2.0}}};
  system.well = HarmonicWell{{0.1, 0.2, 0.3}, {0.3, 0, 0}};
  system.electrons = 8;
  system.k_points = {{{0.11, -0.2, 0.3}, 0.25}, {{0, 0, 0}, 0.5}, {{pi / 6.4, 0, 0.1}, 0.25}};
  return system;
}

bool identical(const GroundState& a, const GroundState& b) {
  return a.psi == b.psi && a.eigenvalues_Ha == b.eigenvalues_Ha && a.rho == b.rho && a.energies.total() == b.energies.total();
}

}  // namespace

BOOST_AUTO_TEST_CASE(eigenvalues_and_orbitals_are_those_of_dense_diagonalisation) {
  const System system = small_crystal();
  const GroundState state = solve_ground_state(system, independent());
  BOOST_TEST(state.converged);
  BOOST_TEST(state.bands == 4);
  BOOST_TEST(state.orbitals == 12);
  for (size_t p = 0; p < 3; ++p) {
    const Vec3& k = system.k_points[p].k;
    const Eigen::MatrixXcd h = matrix(system.grid, k, state.vloc, state.nonlocal);
    BOOST_TEST((h - h.adjoint()).norm() < 1e-12);
    const auto dense = app::eigenpairs_of(h);
    for (int band = 0; band < 4; ++band) {
      const int64_t n = band + 4 * static_cast<int64_t>(p);
      // Wrong by the square of the residual over the gap.
      close(state.eigenvalues_Ha[n], dense.values[band], 1e-9, "eigenvalue");
      for (int d = 0; d < 3; ++d) BOOST_TEST(state.k[d + 3 * n] == k[d]);
      BOOST_TEST(state.f[n] == 2 * system.k_points[p].weight);
      const Eigen::VectorXcd psi = orbital(state, n);
      const double residual = (h * psi - state.eigenvalues_Ha[n] * psi).norm() / psi.norm();
      BOOST_TEST(residual <= 2e-6);  // what is asked for, and rounding
      for (int other = 0; other < 4; ++other)
        close(std::abs(psi.dot(orbital(state, other + 4 * static_cast<int64_t>(p)))) * system.grid.point_volume(), other == band ? 1 : 0,
              1e-11, "overlap");
    }
  }
}

BOOST_AUTO_TEST_CASE(energies_of_independent_electrons_add_up) {
  const System system = small_crystal();
  const GroundState state = solve_ground_state(system, independent());
  double sum = 0, electrons = 0;
  for (size_t n = 0; n < state.f.size(); ++n) sum += state.f[n] * state.eigenvalues_Ha[n];
  for (double rho : state.rho) electrons += rho * system.grid.point_volume();
  close(electrons, 8, 1e-11, "electrons");
  close(state.energies.total(), sum + state.energies.ions, 1e-10, "sum of eigenvalues");
  BOOST_TEST(state.energies.hartree == 0);
  BOOST_TEST(state.energies.xc == 0);
  BOOST_TEST(std::all_of(state.vH.begin(), state.vH.end(), [](double v) { return v == 0; }));
}

// Levels (n + 3/2) omega; second-order differences lower them by h^2/24 <p^4> = omega^2 h^2/32 in each
// direction for n = 0.
BOOST_AUTO_TEST_CASE(harmonic_levels_converge_with_the_square_of_the_spacing) {
  const double omega = 0.5;
  std::vector<double> errors;
  for (int points : {24, 36, 48}) {
    System system = cube(points, 14.4 / points, Boundary::isolated);
    system.kinetic = Kinetic::differences;
    system.well = HarmonicWell{{omega, omega, omega}, {}};
    system.electrons = 8;
    const GroundState state = solve_ground_state(system, independent());
    BOOST_TEST(state.converged);
    const double h = system.grid.h[0];
    errors.push_back(state.eigenvalues_Ha[0] - 1.5 * omega);
    close(errors.back(), -3 * omega * omega * h * h / 32, 0.02 * h * h * h * h, "error of the lowest level");
    for (int n = 1; n < 4; ++n) close(state.eigenvalues_Ha[n], state.eigenvalues_Ha[1], 1e-9, "threefold level");
  }
  close(std::log(errors[0] / errors[1]) / std::log(1.5), 2, 0.03, "order");
  close(std::log(errors[1] / errors[2]) / std::log(4.0 / 3), 2, 0.02, "order");
}

BOOST_AUTO_TEST_CASE(free_electrons_have_the_levels_of_the_lattice) {
  System system;
  system.kinetic = Kinetic::differences;
  system.grid = {{12, 8, 1}, {0.5, 0.7, 1}};
  system.boundary = Boundary::periodic;
  system.electrons = 6;
  system.k_points = {{{0.2, 0.1, 0}, 1}};
  const GroundState state = solve_ground_state(system, independent());
  std::vector<double> levels;
  for (int x = 0; x < 12; ++x)
    for (int y = 0; y < 8; ++y)
      levels.push_back((1 - std::cos(0.2 * 0.5 + 2 * pi * x / 12)) / 0.25 + (1 - std::cos(0.1 * 0.7 + 2 * pi * y / 8)) / 0.49);
  std::sort(levels.begin(), levels.end());
  for (int n = 0; n < 3; ++n) close(state.eigenvalues_Ha[n], levels[n], 1e-10, "level");
}

// GTH helium with one electron: -1.9982199629 Ha from a radial solver of high order. E(h) = E + c h^2 + d
// h^4.
BOOST_AUTO_TEST_CASE(one_electron_helium_converges_with_the_square_of_the_spacing) {
  const double exact = -1.9982199629;
  std::vector<double> h, energy;
  for (int points : {60, 80, 96}) {
    System system = isolated_atom("He", points, 9.6 / points, 1);
    system.kinetic = Kinetic::differences;
    const GroundState state = solve_ground_state(system, independent());
    BOOST_TEST(state.converged);
    h.push_back(system.grid.h[0]);
    energy.push_back(state.energies.total());
  }
  close(std::log((energy[1] - exact) / (energy[2] - exact)) / std::log(1.2), 2, 0.1, "order");
  close(extrapolated(h, energy), exact, 1e-4,
        "energy without spacing");  // 0.01 of the error at the finest grid
}

BOOST_AUTO_TEST_CASE(threads_and_repetition_do_not_change_a_bit) {
  const System system = small_crystal();
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const GroundState one = solve_ground_state(system, independent());
  omp_set_num_threads(3);
  const GroundState three = solve_ground_state(system, independent());
  omp_set_num_threads(threads);
  BOOST_TEST(identical(one, three));
  BOOST_TEST(identical(one, solve_ground_state(system, independent())));
}

BOOST_AUTO_TEST_CASE(guesses_and_more_orbitals_do_not_change_the_answer) {
  const System system = small_crystal();
  const GroundState state = solve_ground_state(system, independent());
  auto settings = independent();
  settings.seed = 77;
  settings.extra_orbitals = 7;
  const GroundState other = solve_ground_state(system, settings);
  for (size_t n = 0; n < state.f.size(); ++n) close(other.eigenvalues_Ha[n], state.eigenvalues_Ha[n], 1e-9, "eigenvalue");
}

BOOST_AUTO_TEST_CASE(a_grid_point_of_shift_changes_nothing) {
  System system = small_crystal();
  const GroundState here = solve_ground_state(system, independent());
  for (Atom& atom : system.atoms) {
    atom.position[0] += 3 * system.grid.h[0];
    atom.position[2] -= 7 * system.grid.h[2];
  }
  system.well->centre[0] += 3 * system.grid.h[0];
  system.well->centre[2] -= 7 * system.grid.h[2];
  const GroundState there = solve_ground_state(system, independent());
  for (size_t n = 0; n < here.f.size(); ++n) close(there.eigenvalues_Ha[n], here.eigenvalues_Ha[n], 1e-9, "eigenvalue");
  close(there.energies.total(), here.energies.total(), 1e-9, "total energy");
}

BOOST_AUTO_TEST_CASE(occupations_are_filled_from_below_or_given) {
  System system;
  system.electrons = 5;
  BOOST_TEST((occupations(system) == std::vector<double>{2, 2, 1}));
  system.occupations = {2, 1, 1, 1, 0};
  BOOST_TEST((occupations(system) == std::vector<double>{2, 1, 1, 1}));
}
