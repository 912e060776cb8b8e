// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson on a GPU: a thread for each component of each atom and direction. What depends on the species
// alone, powers of the radii and weights of polynomials, is made beforehand.
#include "../device/poisson.hpp"
#include "call.hpp"

namespace suite::dfpt {
namespace {

using Place = PoissonTables::Place;
using Source = PoissonTables::Source;
using KnotRule = PoissonTables::KnotRule;
using enum PoissonTables::Power;
using Power = PoissonTables::Power;

struct SpeciesTable {
  int32_t n_shells;
  double first_radius_rule[3];  // the parabola at the nucleus
  double step;
};

struct Tables {
  const int32_t* species;
  const SpeciesTable* species_table;
  const Place* place;        // (n_grid,n_species)
  const double* power;       // (n_l,power_kinds,n_grid,n_species)
  const double* start;       // (n_l,n_species): the integral from 0 to the first point, over f there
  const KnotRule* rule;      // (n_knots,n_species)
  const double* knot_power;  // (n_l,n_knots,n_species)
  const double* inverse_pivot;
  const double* shells;  // (n_lm,n_radial,n_atoms,n_dir)
  int n_lm, n_l, n_radial, n_grid, n_knots, n_atoms;
};

// The work arrays of one thread; neighbouring threads lie side by side.
struct WorkColumn {
  double* data;
  int64_t stride;
  __device__ __forceinline__ double& operator()(int i) const { return data[i * stride]; }
};

// M of the not-a-knot spline through value(k), k < n (../spline.hpp).
template <class Value>
__device__ __forceinline__ void second_derivatives(const Value& value, int n, const double* inverse_pivot, const WorkColumn& M) {
  const auto second_difference = [&](int k) { return value(k - 1) - 2 * value(k) + value(k + 1); };
  if (n < 3) {
    for (int k = 0; k < n; ++k) M(k) = 0;
    return;
  }
  const double at_start = second_difference(1), at_end = second_difference(n - 2);
  double before = at_start;
  for (int k = 2; k < n - 2; ++k) {
    double right = 6 * second_difference(k) - before;
    if (k == n - 3) right -= at_end;
    M(k) = right;
    before = right * inverse_pivot[k];
  }
  double above = 0;
  for (int k = n - 3; k >= 2; --k) above = M(k) = (M(k) - above) * inverse_pivot[k];
  M(1) = at_start;
  M(n - 2) = at_end;
  M(0) = n == 3 ? at_start : 2 * M(1) - M(2);
  M(n - 1) = n == 3 ? at_start : 2 * M(n - 2) - M(n - 3);
}

struct Cubic {
  double a, b, c, e;
  __device__ __forceinline__ Cubic(double here, double next, double M, double M_next)
      : a(here), b(next - here - (2 * M + M_next) / 6), c(M / 2), e((M_next - M) / 6) {}
  __device__ __forceinline__ double at(double d) const { return a + d * (b + d * (c + d * e)); }
};

// Step 1 of dfpt.hpp.
template <class Value>
__device__ __forceinline__ void onto_grid(const Tables& t, int s, const Value& value, const WorkColumn& M, const WorkColumn& f) {
  second_derivatives(value, t.species_table[s].n_shells + 2, t.inverse_pivot, M);
  for (int i = 0; i < t.n_grid; ++i) {
    const Place place = t.place[i + int64_t{t.n_grid} * s];
    const int k = place.knot;
    f(i) = k < 0 ? 0.0 : Cubic(value(k), value(k + 1), M(k), M(k + 1)).at(place.fraction);
  }
}

// The integral over the interval in the middle of four points; at the ends of the grid the others.
__device__ __forceinline__ double middle(double a, double b, double c, double d) { return -a + 13 * b + 13 * c - d; }
__device__ __forceinline__ double end(double a, double b, double c, double d) { return 9 * a + 19 * b - 5 * c + d; }

// Step 2: v, and the moment.
__device__ __forceinline__ double integrate(const Tables& t, int s, int l, const WorkColumn& f, const WorkColumn& v) {
  const double four_pi = 12.566370614359172954;
  const double prefactor = four_pi / (2 * l + 1), h = t.species_table[s].step / 24;
  const auto power = [&](Power kind, int i) { return t.power[l + t.n_l * (kind + power_kinds * (i + int64_t{t.n_grid} * s))]; };
  const int n = t.n_grid;
  const auto g = [&](int i) { return power(inner, i) * f(i); };
  double sum = f(0) * t.start[l + t.n_l * s];
  double a = g(0), b = g(1), c = g(2), d = g(3);
  v(0) = prefactor * power(inner_potential, 0) * sum;
  sum += h * end(a, b, c, d);
  v(1) = prefactor * power(inner_potential, 1) * sum;
  for (int i = 2; i < n - 1; ++i) {  // a to d are the points from i - 2 on
    sum += h * middle(a, b, c, d);
    v(i) = prefactor * power(inner_potential, i) * sum;
    if (i == n - 2) break;
    a = b, b = c, c = d, d = g(i + 2);
  }
  sum += h * end(d, c, b, a);
  v(n - 1) = prefactor * power(inner_potential, n - 1) * sum;
  const double moment = prefactor * sum;

  const auto q = [&](int i) { return power(outer, i) * f(i); };
  a = q(n - 4), b = q(n - 3), c = q(n - 2), d = q(n - 1);
  sum = h * end(d, c, b, a);
  v(n - 2) += prefactor * power(outer_potential, n - 2) * sum;
  for (int i = n - 3; i >= 1; --i) {  // a to d are the points from i - 1 on
    sum += h * middle(a, b, c, d);
    v(i) += prefactor * power(outer_potential, i) * sum;
    if (i == 1) break;
    d = c, c = b, b = a, a = q(i - 2);
  }
  sum += h * end(a, b, c, d);
  v(0) += prefactor * power(outer_potential, 0) * sum;
  return moment;
}

// Step 3, into a table with coefficients n_lm apart.
__device__ __forceinline__ void put_table(const Tables& t, int s, int l, const WorkColumn& g, double moment, const WorkColumn& values,
                                          const WorkColumn& M, double* table) {
  for (int k = 0; k < t.n_knots; ++k) {
    const KnotRule& rule = t.rule[k + int64_t{t.n_knots} * s];
    if (rule.source == Source::six_points) {
      double sum = 0;
      for (int i = 0; i < 6; ++i) sum += rule.weight[i] * g(rule.first + i);
      values(k) = sum;
    } else {
      const double power = t.knot_power[l + t.n_l * (k + int64_t{t.n_knots} * s)];
      values(k) = (rule.source == Source::moment ? moment : g(0)) * power;
    }
  }
  second_derivatives([&](int k) { return values(k); }, t.n_knots, t.inverse_pivot, M);
  for (int k = 0; k < t.n_knots; ++k) {
    double* const to = table + int64_t{4} * t.n_lm * k;
    if (k + 1 < t.n_knots) {
      const Cubic cubic(values(k), values(k + 1), M(k), M(k + 1));
      to[0] = cubic.a;
      to[t.n_lm] = cubic.b;
      to[2 * t.n_lm] = cubic.c;
      to[3 * t.n_lm] = cubic.e;
    } else {
      to[0] = values(k);
      to[t.n_lm] = to[2 * t.n_lm] = to[3 * t.n_lm] = 0;
    }
  }
}

struct Outputs {
  double *potential, *moments, *density;
};

__global__ void __launch_bounds__(block_threads)
    solve(Tables t, int64_t first_column, int64_t n_columns, int work_rows, double* work, Outputs out) {
  const int64_t mine = int64_t{blockIdx.x} * block_threads + thread();
  if (mine >= n_columns) return;
  const int64_t column = first_column + mine;  // lm + n_lm (atom + n_atoms direction)
  const int lm = static_cast<int>(column % t.n_lm);
  const int64_t of_atom = column / t.n_lm;
  const int s = t.species[of_atom % t.n_atoms] - 1, l = l_of(lm);
  const auto rows = [&](int64_t first) { return WorkColumn{work + first * n_columns + mine, n_columns}; };
  const WorkColumn f = rows(0), v = rows(t.n_grid), values = rows(int64_t{2} * t.n_grid), M = rows(int64_t{2} * t.n_grid + work_rows);
  const double* const shells = t.shells + lm + t.n_lm * (t.n_radial * of_atom);
  const SpeciesTable& at = t.species_table[s];
  // Shell s is knot s + 1 of the spline.
  const int n_shells = at.n_shells;
  double nucleus = 0;
  for (int i = 0; i < 3 && l == 0; ++i) nucleus += at.first_radius_rule[i] * shells[int64_t{t.n_lm} * i];
  onto_grid(
      t, s, [&](int k) { return k == 0          ? nucleus
                                : k <= n_shells ? shells[int64_t{t.n_lm} * (k - 1)]
                                                : 0.0; }, M, f);
  const double moment = integrate(t, s, l, f, v);
  out.moments[column] = moment;
  const int64_t table = lm + int64_t{t.n_lm} * 4 * t.n_knots * of_atom;
  put_table(t, s, l, v, moment, values, M, out.potential + table);
  if (out.density) put_table(t, s, l, f, 0, values, M, out.density + table);
}

constexpr int64_t most_spline_work = int64_t{1} << 26;  // numbers

class PoissonSolverGpu : public PoissonSolver {
public:
  explicit PoissonSolverGpu(const device::Queue& queue) : queue_(queue) {}

  PowerColumns columns(const PoissonCall& call) const override {
    PowerColumns columns{{}, call.l_max + 1, false};
    for (int l = 0; l <= call.l_max; ++l) columns.l.push_back(l);
    return columns;
  }

  void set(const PoissonTables& tables) override {
    const size_t n_species = tables.step.size(), n_l = tables.knot_power.size() / tables.rule.size(),
                 of_species = tables.power.size() / n_species;
    std::vector<SpeciesTable> species;
    std::vector<double> start, inverse_pivot;
    for (size_t s = 0; s < n_species; ++s) {
      const double* const rule = &tables.at_nucleus[3 * s];
      species.push_back({tables.n_shells[s], {rule[0], rule[1], rule[2]}, tables.step[s]});
      for (size_t l = 0; l < n_l; ++l) start.push_back(tables.power[of_species * s + l] / static_cast<double>(l + 3));
    }
    for (const double pivot : tables.pivot) inverse_pivot.push_back(1 / pivot);
    species_.set(species);
    place_.set(tables.place);
    power_.set(tables.power);
    start_.set(start);
    knot_power_.set(tables.knot_power);
    inverse_pivot_.set(inverse_pivot);
    rule_.set(tables.rule);
  }

  void run(const Poisson& c, const PoissonCall& call) override {
    const Tables tables{c.species.data(),
                        species_.data(),
                        place_.data(),
                        power_.data(),
                        start_.data(),
                        rule_.data(),
                        knot_power_.data(),
                        inverse_pivot_.data(),
                        c.rho_multipole.data(),
                        static_cast<int>(call.n_lm),
                        call.l_max + 1,
                        static_cast<int>(call.n_radial),
                        static_cast<int>(call.n_grid),
                        static_cast<int>(call.n_knots),
                        static_cast<int>(call.n_atoms)};
    const Outputs out{c.potential_spl.data(), c.moments.data(), c.density_spl.data()};
    const int64_t rows = longest_spline(call), of_one = 2 * (call.n_grid + rows);
    const int64_t all = call.n_lm * call.n_atoms * call.n_dir;
    const int64_t at_a_time = std::clamp<int64_t>(most_spline_work / of_one, block_threads, all + block_threads);
    for (int64_t first = 0; first < all; first += at_a_time) {
      const int64_t some = std::min(at_a_time, all - first);
      SUITE_GPU_LAUNCH(solve, blocks_for(some, block_threads), block_threads, 0, queue_.stream(), tables, first, some,
                       static_cast<int>(rows), work_.at_least(of_one * some).data(), out);
    }
  }

private:
  const device::Queue& queue_;
  device::Buffer<SpeciesTable> species_{queue_, "the species' tables"};
  device::Buffer<Place> place_{queue_, "the grid among the shells"};
  device::Buffer<double> power_{queue_, "powers of the radii"}, start_{queue_, "powers of the radii"},
      knot_power_{queue_, "powers of the radii"}, inverse_pivot_{queue_, "pivots"}, work_{queue_, "the components on the grid"};
  device::Buffer<KnotRule> rule_{queue_, "the tables' knots"};
};

}  // namespace

std::unique_ptr<PoissonSolver> poisson_solver(device::Queue& queue) { return std::make_unique<PoissonSolverGpu>(queue); }

}  // namespace suite::dfpt
