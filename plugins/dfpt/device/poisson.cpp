// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson on a device: what depends on the species alone, places among the shells, powers of the radii
// and weights of polynomials, is made beforehand.
#include "poisson.hpp"

#include <numbers>

#include "tables.hpp"

namespace suite::dfpt {
namespace {

class TableBuilder {
public:
  TableBuilder(const PoissonCall& call, const Poisson& host, const PowerColumns& columns) : columns_(columns) {
    for (int64_t s = 0; s < std::ssize(call.grids); ++s) {
      const RadialGrid& grid = call.grids[static_cast<size_t>(s)];
      const double* const shell = &host.r_radial(0, s);
      const int32_t n = host.radial_points(s);
      add_species(grid, shell, n);
      for (int64_t i = 0; i < call.n_grid; ++i) add_point(grid.radius(static_cast<double>(i)), host.grid_shell(i, s), n);
      for (int64_t k = 0; k < call.n_knots; ++k) add_knot(grid, host.knots(k, s), shell[n - 1]);
    }
    for (int64_t k = 0; k < longest_spline(call); ++k) tables.pivot.push_back(k <= 2 ? 4 : 4 - 1 / tables.pivot.back());
  }
  PoissonTables tables;

private:
  using T = PoissonTables;

  // Of the polynomial through `count` points at(i), for its value at x.
  template <class At> static void set_weights(double* weight, int count, double x, const At& at) {
    for (int i = 0; i < count; ++i) {
      weight[i] = 1;
      for (int j = 0; j < count; ++j)
        if (j != i) weight[i] *= (x - at(j)) / (at(i) - at(j));
    }
  }
  void add_species(const RadialGrid& grid, const double* shell, int32_t n) {
    double at_nucleus[3];
    set_weights(at_nucleus, 3, 0, [&](int i) { return shell[i]; });
    tables.n_shells.push_back(n);
    tables.at_nucleus.insert(tables.at_nucleus.end(), at_nucleus, at_nucleus + 3);
    tables.step.push_back(1 / grid.factor);
  }
  void add_point(double r, double shell, int32_t n) {
    const auto knot = shell > n ? -1 : static_cast<int32_t>(shell);
    tables.place.push_back({knot, knot < 0 ? 0.0 : shell - knot});
    for (int kind = 0; kind < T::power_kinds; ++kind)
      for (int64_t column = 0; column < std::ssize(columns_.l); ++column)
        tables.power.push_back(column < columns_.used ? power(r, kind, columns_.l[static_cast<size_t>(column)]) : 0);
  }
  double power(double r, int kind, int l) const {
    const int exponent[] = {l + 3, 2 - l, -(l + 1), l};
    const bool scaled = columns_.with_prefactor && (kind == T::inner_potential || kind == T::outer_potential);
    return (scaled ? 4 * std::numbers::pi / (2 * l + 1) : 1.0) * std::pow(r, exponent[kind]);
  }
  void add_knot(const RadialGrid& grid, double r, double last_shell) {
    const double first_radius = grid.radius(0);
    T::KnotRule rule{r > last_shell ? T::Source::moment : r < first_radius ? T::Source::first_point : T::Source::six_points, 0, {}};
    if (rule.source == T::Source::six_points) {
      const double x = grid.coordinate(r);
      rule.first = std::clamp<int32_t>(static_cast<int32_t>(x) - 2, 0, grid.n_knots - 6);
      set_weights(rule.weight, 6, x, [&](int i) { return static_cast<double>(rule.first + i); });
    }
    tables.rule.push_back(rule);
    for (const int l : columns_.l)
      tables.knot_power.push_back(rule.source == T::Source::moment                 ? std::pow(r, -(l + 1))
                                  : rule.source == T::Source::first_point && l > 0 ? std::pow(r / first_radius, l)
                                                                                   : 1.0);
  }

  const PowerColumns& columns_;
};

class PoissonOnDevice {
public:
  static constexpr auto parameters = device::parameters();

  PoissonOnDevice(const suite_backend* backend, suite_queue* queue, const int64_t* knobs)
      : queue_(backend, queue, knobs, Poisson::name), solver_(poisson_solver(queue_)) {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Poisson> host(queue_, a, {"species", "r_radial", "radial_points", "r_grid_min", "r_grid_inc", "grid_shell", "knots"});
    call_ = check_poisson(*host);
    const PowerColumns columns = solver_->columns(call_);
    solver_->set(TableBuilder(call_, *host, columns).tables);
  }

  void execute(const suite_array* a) {
    queue_.select();
    solver_->run(Poisson(a), call_);
  }

private:
  device::Queue queue_;
  std::unique_ptr<PoissonSolver> solver_;
  PoissonCall call_;
};

}  // namespace

const suite_kernel_table* poisson_table() {
  static constexpr suite_kernel_table table = kernel_table<Poisson, PoissonOnDevice>(SUITE_DEVICE_BACKEND, SUITE_DEVICE_BACKEND);
  return &table;
}

}  // namespace suite::dfpt
