// SPDX-License-Identifier: BSD-3-Clause
// Known energies of atoms, molecules and a crystal, reached by extrapolation to a grid without spacing;
// minutes of work.
#include "bench.hpp"

#include <vector>

#include <suite/suite.hpp>

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;

namespace {

// The plain reference takes minutes for the fields of these grids.
std::string fast_implementation() {
  try {
    Kernel("lfd.spectral_field_solve", "cpu");
    return "cpu";
  } catch (const Failure&) { return "reference"; }
}

GroundStateSettings lda_in(const std::string& functional = "pw92") {
  GroundStateSettings settings;
  settings.functional = functional;
  settings.implementation = fast_implementation();
  return settings;
}

struct Limit {
  std::vector<double> h, total;
  std::vector<std::vector<double>> eigenvalues;  // [orbital][h]
  double total_limit() const { return extrapolated(h, total); }
  double eigenvalue_limit(size_t n) const { return extrapolated(h, eigenvalues[n]); }
};

template <class MakeSystem>
Limit limit_of(std::initializer_list<int> points, const GroundStateSettings& settings, MakeSystem&& make_system) {
  Limit limit;
  for (int n : points) {
    System system = make_system(n);
    system.kinetic = Kinetic::differences;
    const GroundState state = solve_ground_state(system, settings);
    BOOST_TEST(state.converged);
    limit.h.push_back(system.grid.h[0]);
    limit.total.push_back(state.energies.total());
    limit.eigenvalues.resize(state.eigenvalues_Ha.size());
    for (size_t i = 0; i < state.eigenvalues_Ha.size(); ++i) limit.eigenvalues[i].push_back(state.eigenvalues_Ha[i]);
  }
  return limit;
}

Limit atom(const std::string& element, double electrons, double length, std::initializer_list<int> points,
           const GroundStateSettings& settings) {
  return limit_of(points, settings, [&](int n) { return isolated_atom(element, n, length / n, electrons); });
}

}  // namespace

// References of the atoms: a radial solver of high order for the same pseudopotentials, all digits converged.
BOOST_AUTO_TEST_CASE(one_electron_hydrogen_is_reached_with_second_order) {
  const double exact = -0.4999425693;
  const Limit limit = atom("H", 1, 16, {100, 120, 150}, independent());
  const double last = std::log((limit.total[1] - exact) / (limit.total[2] - exact)) / std::log(150.0 / 120);
  close(last, 2, 0.05, "order");
  close(limit.total_limit(), exact, 2e-5, "energy");
}

BOOST_AUTO_TEST_CASE(one_electron_helium_is_reached) {
  const Limit limit = atom("He", 1, 9.6, {96, 120, 144}, independent());
  close(limit.total_limit(), -1.9982199629, 1e-5, "energy");
}

BOOST_AUTO_TEST_CASE(hydrogen_in_the_local_density_approximation) {
  for (const auto& [functional, total, eigenvalue] :
       {std::tuple{"pw92", -0.44559897, -0.23339958}, std::tuple{"pz81", -0.44582593, -0.23360509}}) {
    const Limit limit = atom("H", 1, 20, {100, 120, 160}, lda_in(functional));
    close(limit.total_limit(), total, 1e-4, std::string("total energy, ") + functional);
    close(limit.eigenvalue_limit(0), eigenvalue, 1e-4, std::string("eigenvalue, ") + functional);
  }
}

// ABINIT 9.6.2, the same pseudopotentials as its HGH files, ixc 7, tolvrs 1e-12. Its eigenvalues, printed
// with five digits, leave out the mean of the local potential, psp_core per electron, which stands here in
// the second term.
BOOST_AUTO_TEST_CASE(nitrogen_molecule_is_the_one_of_plane_waves) {
  // acell 12, ecut 110
  const Limit limit = limit_of({60, 80, 100}, lda_in(), [](int n) { return periodic_dimer("N", 2.074, 10, 12, n); });
  const double mean = -0.000166453510377804 / 10;
  close(limit.total_limit(), -19.8926504143207, 3e-3, "total energy");
  const double eigenvalues[] = {-1.01367, -0.46467, -0.40814, -0.40814, -0.35459};
  for (size_t n = 0; n < 5; ++n) close(limit.eigenvalue_limit(n), eigenvalues[n] + mean, 1e-4, "eigenvalue");
}

BOOST_AUTO_TEST_CASE(silicon_is_the_one_of_plane_waves) {
  // acell 10.263, ecut 45, ngkpt 2 2 2, shiftk 0.5 0.5 0.5
  const Limit limit = limit_of({30, 36, 48}, lda_in(), [](int n) { return silicon8(n, {2, 2, 2}); });
  const double mean = -1.17853695655436 / 32;
  close(limit.total_limit(), -31.7146694235014, 2e-3, "total energy");
  const double eigenvalues[] = {-0.15093, -0.08033, -0.08033, -0.08033, 0.02437, 0.02437, 0.02437, 0.11435,
                                0.12867,  0.12867,  0.12867,  0.17839,  0.17839, 0.17839, 0.23156, 0.23156};
  for (size_t n = 0; n < 16; ++n) close(limit.eigenvalue_limit(n), eigenvalues[n] + mean, 5e-5, "eigenvalue");
}
