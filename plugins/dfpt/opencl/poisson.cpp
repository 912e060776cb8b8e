// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson: the tables in the order in which poisson.cl reads them, vectors of components.
#include "../device/poisson.hpp"

#include <numbers>

#include "engine.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

int l_of(int64_t lm) {
  int l = 0;
  while ((l + 1) * (l + 1) <= lm) ++l;
  return l;
}

using Components =
    device::Kernel<const int32_t*, const int32_t*, const double*, const double*, const int32_t*, const double*, const int32_t*,
                   const double*, const double*, const double*, const double*, const double*, const double*, double*, double*, double*,
                   int32_t, double*, uint64_t, device::Count, device::Count, device::Count, device::Count, device::Count, device::Count>;

class PoissonSolverCL : public PoissonSolver {
public:
  explicit PoissonSolverCL(device::Queue& queue) : queue_(queue) {}

  // A column for each component, to whole vectors.
  PowerColumns columns(const PoissonCall& call) const override {
    PowerColumns columns{{}, call.n_lm, true};
    for (int64_t lm = 0; lm < queue_.padded(call.n_lm); ++lm) columns.l.push_back(l_of(lm));
    return columns;
  }

  void set(const PoissonTables& tables) override {
    std::vector<double> fraction, weight, of_l;
    std::vector<int32_t> grid_place, knot_place;
    for (const PoissonTables::Place& place : tables.place) {
      grid_place.push_back(place.knot);
      fraction.push_back(place.fraction);
    }
    for (const PoissonTables::KnotRule& rule : tables.rule) {
      using Source = PoissonTables::Source;
      knot_place.push_back(rule.source == Source::moment ? -2 : rule.source == Source::first_point ? -1 : rule.first);
      weight.insert(weight.end(), rule.weight, rule.weight + 6);
    }
    const auto padded = static_cast<int64_t>(tables.knot_power.size() / tables.rule.size());
    for (const bool prefactor : {false, true})
      for (int64_t lm = 0; lm < padded; ++lm) of_l.push_back(prefactor ? 4 * std::numbers::pi / (2 * l_of(lm) + 1) : 1.0 / (l_of(lm) + 3));
    steps_.set(tables.step);
    at_nucleus_.set(tables.at_nucleus);
    grid_place_.set(grid_place);
    grid_fraction_.set(fraction);
    knot_place_.set(knot_place);
    knot_weight_.set(weight);
    powers_.set(tables.power);
    knot_power_.set(tables.knot_power);
    of_l_.set(of_l);
    pivot_.set(tables.pivot);
  }

  void run(const Poisson& c, const PoissonCall& call) override {
    const Components components{"components", text::poisson};
    const int64_t pieces = queue_.vectors(call.n_lm) * call.n_atoms * call.n_dir,
                  workspace = (2 * longest_spline(call) + 3 * call.n_grid) * queue_.lanes();
    queue_.check_count(pieces, "vectors of components");
    device::launch(queue_, components, pieces, c.species, c.radial_points, steps_, at_nucleus_, grid_place_, grid_fraction_, knot_place_,
                   knot_weight_, powers_, knot_power_, of_l_, pivot_, c.rho_multipole, c.potential_spl, c.moments,
                   device::or_null(c.density_spl), bool(c.density_spl), workspace_.at_least(queue_.in_flight(pieces, pieces) * workspace),
                   workspace, call.n_radial, call.n_grid, call.n_knots, call.n_atoms, call.n_dir, call.n_lm);
  }

private:
  template <class T> device::Buffer<T> buffer(const char* what = "the tables of species") const { return device::Buffer<T>(queue_, what); }

  device::Queue& queue_;
  device::Buffer<double> steps_ = buffer<double>(), at_nucleus_ = buffer<double>(), grid_fraction_ = buffer<double>(),
                         knot_weight_ = buffer<double>(), powers_ = buffer<double>(), knot_power_ = buffer<double>(),
                         of_l_ = buffer<double>(), pivot_ = buffer<double>(), workspace_ = buffer<double>("the work-items' temporaries");
  device::Buffer<int32_t> grid_place_ = buffer<int32_t>(), knot_place_ = buffer<int32_t>();
};

}  // namespace
}  // namespace suite::dfpt::cl

std::unique_ptr<suite::dfpt::PoissonSolver> suite::dfpt::poisson_solver(device::Queue& queue) {
  return std::make_unique<cl::PoissonSolverCL>(queue);
}
