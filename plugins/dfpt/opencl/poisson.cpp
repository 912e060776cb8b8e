// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson
#include <cmath>
#include <numbers>

#include "engine.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<int32_t>;

int l_of(int64_t lm) {
  int l = 0;
  while ((l + 1) * (l + 1) <= lm) ++l;
  return l;
}

// What depends on the species alone, in the order in which poisson.cl reads it.
struct SpeciesTables {
  Numbers steps, at_nucleus, grid_fraction, knot_weight, powers, knot_power, of_l, pivot;
  Integers grid_place, knot_place;
};

// The weights of the parabola through the first three shells at r = 0.
void add_nucleus(SpeciesTables& to, const double* r) {
  for (int i = 0; i < 3; ++i) {
    double weight = 1;
    for (int j = 0; j < 3; ++j)
      if (j != i) weight *= r[j] / (r[j] - r[i]);
    to.at_nucleus.push_back(weight);
  }
}

void add_grid(SpeciesTables& to, const PoissonCall& call, const RadialGrid& grid, const double* shell,
              int32_t n, int64_t padded) {
  for (int64_t i = 0; i < call.n_grid; ++i) {
    const bool inside = shell[i] <= n;
    const auto place = inside ? static_cast<int32_t>(shell[i]) : -1;
    to.grid_place.push_back(place);
    to.grid_fraction.push_back(inside ? shell[i] - place : 0);
    const double r = grid.radius(static_cast<double>(i));
    for (int which = 0; which < 4; ++which)
      for (int64_t lm = 0; lm < padded; ++lm) {
        const int l = l_of(lm);
        const double prefactor = 4 * std::numbers::pi / (2 * l + 1);
        const double power = which == 0   ? std::pow(r, l + 3)
                             : which == 1 ? std::pow(r, 2 - l)
                             : which == 2 ? prefactor * std::pow(r, -(l + 1))
                                          : prefactor * std::pow(r, l);
        to.powers.push_back(lm < call.n_lm ? power : 0);
      }
  }
}

void add_knots(SpeciesTables& to, const PoissonCall& call, const RadialGrid& grid, const double* knots,
               double last_shell, int64_t padded) {
  const double r_first = grid.radius(0);
  for (int64_t k = 0; k < call.n_knots; ++k) {
    const double r = knots[k], x = r < r_first ? 0 : grid.coordinate(r);
    const int64_t first = std::clamp<int64_t>(static_cast<int64_t>(x) - 2, 0, call.n_grid - 6);
    const bool outside = r > last_shell, below = !outside && r < r_first;
    to.knot_place.push_back(outside ? -2 : below ? -1 : static_cast<int32_t>(first));
    for (int i = 0; i < 6; ++i) {
      double weight = 1;
      for (int j = 0; j < 6; ++j)
        if (j != i) weight *= (x - static_cast<double>(first + j)) / (i - j);
      to.knot_weight.push_back(weight);
    }
    for (int64_t lm = 0; lm < padded; ++lm) {
      const int l = l_of(lm);
      to.knot_power.push_back(outside          ? std::pow(r, -(l + 1))
                              : below && l > 0 ? std::pow(r / r_first, l)
                                               : 1);
    }
  }
}

class PoissonCL : public opencl::WithEngine<Engine, Poisson> {
public:
  using WithEngine::WithEngine;

  void prepare(const suite_array* a) {
    const HostCopies<Poisson> host(
        engine, a, {"species", "r_radial", "radial_points", "r_grid_min", "r_grid_inc", "grid_shell", "knots"});
    call_ = check_poisson(*host);
    const int64_t padded = engine.padded(call_.n_lm);
    SpeciesTables tables;
    for (int64_t s = 0; s < host->r_radial.extent(1); ++s) {
      const RadialGrid& grid = call_.grids[at(s)];
      const int32_t n = host->radial_points(s);
      const double* const r = &host->r_radial(0, s);
      tables.steps.push_back(1 / grid.factor);
      add_nucleus(tables, r);
      add_grid(tables, call_, grid, &host->grid_shell(0, s), n, padded);
      add_knots(tables, call_, grid, &host->knots(0, s), r[n - 1], padded);
    }
    for (const bool prefactor : {false, true})
      for (int64_t lm = 0; lm < padded; ++lm)
        tables.of_l.push_back(prefactor ? 4 * std::numbers::pi / (2 * l_of(lm) + 1) : 1.0 / (l_of(lm) + 3));
    for (int64_t k = 0; k < longest(); ++k) tables.pivot.push_back(k <= 2 ? 4 : 4 - 1 / tables.pivot.back());
    upload(tables);
  }

  void execute(const suite_array* a) {
    const Poisson c(a);
    const int lanes = engine.vector(), items = engine.local();
    const int64_t pieces = engine.vectors(call_.n_lm) * call_.n_atoms * call_.n_dir,
                  count = ceil_div(pieces, items);
    as_int(pieces, "vectors of components");
    const int64_t room = (2 * longest() + 3 * call_.n_grid) * lanes;
    const cl_mem moments = memory_of(c.moments);
    engine.start(text::poisson, "components", "", count, lanes, items, memory_of(c.species),
                 memory_of(c.radial_points), steps_.at_least(0), at_nucleus_.at_least(0),
                 grid_place_.at_least(0), grid_fraction_.at_least(0), knot_place_.at_least(0),
                 knot_weight_.at_least(0), powers_.at_least(0), knot_power_.at_least(0), of_l_.at_least(0),
                 pivot_.at_least(0), memory_of(c.rho_multipole), memory_of(c.potential_spl), moments,
                 memory_or(c.density_spl, moments), cl_int(bool(c.density_spl)),
                 room_.at_least(at(engine.groups(count, items) * items * room) * sizeof(double)),
                 static_cast<cl_ulong>(room), static_cast<cl_int>(call_.n_radial),
                 static_cast<cl_int>(call_.n_grid), static_cast<cl_int>(call_.n_knots),
                 static_cast<cl_int>(call_.n_atoms), static_cast<cl_int>(call_.n_dir),
                 static_cast<cl_int>(call_.n_lm));
  }

private:
  // Knots of the longest spline.
  int64_t longest() const { return std::max(call_.n_radial + 2, call_.n_knots); }

  void upload(const SpeciesTables& tables) {
    steps_.upload(tables.steps);
    at_nucleus_.upload(tables.at_nucleus);
    grid_place_.upload(tables.grid_place);
    grid_fraction_.upload(tables.grid_fraction);
    knot_place_.upload(tables.knot_place);
    knot_weight_.upload(tables.knot_weight);
    powers_.upload(tables.powers);
    knot_power_.upload(tables.knot_power);
    of_l_.upload(tables.of_l);
    pivot_.upload(tables.pivot);
  }
  Scratch scratch(const char* what) { return Scratch(engine.backend, engine.queue, what); }

  PoissonCall call_;
  Scratch steps_ = scratch("the tables of species"), at_nucleus_ = scratch("the tables of species"),
          grid_place_ = scratch("the tables of species"), grid_fraction_ = scratch("the tables of species"),
          knot_place_ = scratch("the tables of species"), knot_weight_ = scratch("the tables of species"),
          powers_ = scratch("the tables of species"), knot_power_ = scratch("the tables of species"),
          of_l_ = scratch("the tables of species"), pivot_ = scratch("the tables of species"),
          room_ = scratch("the work-items' temporaries");
};

}  // namespace

extern const suite_kernel_table poisson_table;
constexpr suite_kernel_table poisson_table = kernel_table<Poisson, PoissonCL>("opencl", "opencl");

}  // namespace suite::dfpt::cl
