// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson on a GPU: a thread for each component of each atom and direction. What depends on the species
// alone, powers of the radii and weights of polynomials, is made beforehand.
#include <cmath>
#include <numbers>

#include "call.hpp"

namespace suite::dfpt {
namespace {

// Where a point of the logarithmic grid lies among the shells; knot -1: behind the last.
struct Place {
  int32_t knot;
  double fraction;
};
// How a knot's value comes about: by six points of the grid from `first` on, or the first point or the moment
// times a power.
enum class Source : int32_t { six_points, first_point, moment };
struct KnotRule {
  Source source;
  int32_t first;
  double weight[6];
};
enum Power : int { inner, outer, inner_potential, outer_potential, power_kinds };

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
__device__ __forceinline__ void second_derivatives(const Value& value, int n, const double* inverse_pivot,
                                                   const WorkColumn& M) {
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
__device__ __forceinline__ void onto_grid(const Tables& t, int s, const Value& value, const WorkColumn& M,
                                          const WorkColumn& f) {
  second_derivatives(value, t.species_table[s].n_shells + 2, t.inverse_pivot, M);
  for (int i = 0; i < t.n_grid; ++i) {
    const Place place = t.place[i + int64_t{t.n_grid} * s];
    const int k = place.knot;
    f(i) = k < 0 ? 0.0 : Cubic(value(k), value(k + 1), M(k), M(k + 1)).at(place.fraction);
  }
}

// The integral over the interval in the middle of four points; at the ends of the grid the others.
__device__ __forceinline__ double middle(double a, double b, double c, double d) {
  return -a + 13 * b + 13 * c - d;
}
__device__ __forceinline__ double end(double a, double b, double c, double d) {
  return 9 * a + 19 * b - 5 * c + d;
}

// Step 2: v, and the moment.
__device__ __forceinline__ double integrate(const Tables& t, int s, int l, const WorkColumn& f,
                                            const WorkColumn& v) {
  const double four_pi = 12.566370614359172954;
  const double prefactor = four_pi / (2 * l + 1), h = t.species_table[s].step / 24;
  const auto power = [&](Power kind, int i) {
    return t.power[l + t.n_l * (kind + power_kinds * (i + int64_t{t.n_grid} * s))];
  };
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
__device__ __forceinline__ void put_table(const Tables& t, int s, int l, const WorkColumn& g, double moment,
                                          const WorkColumn& values, const WorkColumn& M, double* table) {
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
  const WorkColumn f = rows(0), v = rows(t.n_grid), values = rows(int64_t{2} * t.n_grid),
                   M = rows(int64_t{2} * t.n_grid + work_rows);
  const double* const shells = t.shells + lm + t.n_lm * (t.n_radial * of_atom);
  const SpeciesTable& at = t.species_table[s];
  // Shell s is knot s + 1 of the spline.
  const int n_shells = at.n_shells;
  double nucleus = 0;
  for (int i = 0; i < 3 && l == 0; ++i) nucleus += at.first_radius_rule[i] * shells[int64_t{t.n_lm} * i];
  onto_grid(
      t, s, [&](int k) { return k == 0          ? nucleus
                                : k <= n_shells ? shells[int64_t{t.n_lm} * (k - 1)]
                                                : 0.0; },
      M, f);
  const double moment = integrate(t, s, l, f, v);
  out.moments[column] = moment;
  const int64_t table = lm + int64_t{t.n_lm} * 4 * t.n_knots * of_atom;
  put_table(t, s, l, v, moment, values, M, out.potential + table);
  if (out.density) put_table(t, s, l, f, 0, values, M, out.density + table);
}

// The tables of all species, on the host.
struct HostTables {
  std::vector<SpeciesTable> species;
  std::vector<Place> place;
  std::vector<double> power, start, knot_power, inverse_pivot;
  std::vector<KnotRule> rule;

  HostTables(const PoissonCall& call, const Poisson& host) {
    for (int64_t s = 0; s < std::ssize(call.grids); ++s) {
      const RadialGrid& grid = call.grids[static_cast<size_t>(s)];
      const double* const shell = &host.r_radial(0, s);
      const int32_t n = host.radial_points(s);
      add_species(grid, shell, n);
      add_places(&host.grid_shell(0, s), call.n_grid, n);
      add_powers(grid, call.l_max);
      for (int64_t k = 0; k < call.n_knots; ++k) add_knot(grid, host.knots(k, s), shell[n - 1], call.l_max);
    }
    const int64_t most = std::max(call.n_radial + 2, call.n_knots);
    double pivot = 4;
    for (int64_t k = 0; k < most; ++k) {
      inverse_pivot.push_back(1 / pivot);
      if (k >= 2) pivot = 4 - 1 / pivot;
    }
  }

private:
  void add_species(const RadialGrid& grid, const double* shell, int32_t n) {
    SpeciesTable table{n, {1, 1, 1}, 1 / grid.factor};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (j != i) table.first_radius_rule[i] *= shell[j] / (shell[j] - shell[i]);
    species.push_back(table);
  }
  void add_places(const double* grid_shell, int64_t n_grid, int32_t n) {
    for (int64_t i = 0; i < n_grid; ++i) {
      const double x = grid_shell[i];
      const bool behind = x > n;
      const auto knot = behind ? -1 : static_cast<int32_t>(x);
      place.push_back({knot, behind ? 0.0 : x - knot});
    }
  }
  void add_powers(const RadialGrid& grid, int l_max) {
    for (int32_t i = 0; i < grid.n_knots; ++i) {
      const double r = grid.radius(i);
      for (int kind = 0; kind < power_kinds; ++kind)
        for (int l = 0; l <= l_max; ++l) {
          const int exponent[] = {l + 3, 2 - l, -(l + 1), l};
          power.push_back(std::pow(r, exponent[kind]));
        }
    }
    for (int l = 0; l <= l_max; ++l) start.push_back(std::pow(grid.radius(0), l + 3) / (l + 3));
  }
  void add_knot(const RadialGrid& grid, double r, double last_shell, int l_max) {
    KnotRule knot{Source::six_points, 0, {}};
    if (r > last_shell)
      knot.source = Source::moment;
    else if (r < grid.radius(0))
      knot.source = Source::first_point;
    else
      set_weights(grid.coordinate(r), grid.n_knots, knot);
    rule.push_back(knot);
    for (int l = 0; l <= l_max; ++l)
      knot_power.push_back(knot.source == Source::moment ? std::pow(r, -(l + 1))
                           : l == 0                      ? 1.0
                                                         : std::pow(r / grid.radius(0), l));
  }
  static void set_weights(double x, int32_t n_grid, KnotRule& knot) {
    knot.first = std::clamp<int32_t>(static_cast<int32_t>(x) - 2, 0, n_grid - 6);
    for (int i = 0; i < 6; ++i) {
      knot.weight[i] = 1;
      for (int j = 0; j < 6; ++j)
        if (j != i) knot.weight[i] *= (x - (knot.first + j)) / (i - j);
    }
  }
};

constexpr int64_t most_spline_work = int64_t{1} << 26;  // numbers

class PoissonGpu {
public:
  PoissonGpu(const suite_backend* backend, suite_queue* queue, const int64_t*)
      : queue_(backend, queue),
        species_(queue_, "the species' tables"),
        place_(queue_, "the grid among the shells"),
        power_(queue_, "powers of the radii"),
        start_(queue_, "powers of the radii"),
        knot_power_(queue_, "powers of the radii"),
        inverse_pivot_(queue_, "pivots"),
        rule_(queue_, "the tables' knots"),
        work_(queue_, "the components on the grid") {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Poisson> host(
        queue_, a, {"species", "r_radial", "radial_points", "r_grid_min", "r_grid_inc", "grid_shell", "knots"});
    call_ = check_poisson(*host);
    const HostTables tables(call_, *host);
    species_.set(tables.species);
    place_.set(tables.place);
    power_.set(tables.power);
    start_.set(tables.start);
    knot_power_.set(tables.knot_power);
    inverse_pivot_.set(tables.inverse_pivot);
    rule_.set(tables.rule);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const Poisson c(a);
    const Tables tables{c.species.data(),
                        species_.data(),
                        place_.data(),
                        power_.data(),
                        start_.data(),
                        rule_.data(),
                        knot_power_.data(),
                        inverse_pivot_.data(),
                        c.rho_multipole.data(),
                        static_cast<int>(call_.n_lm),
                        call_.l_max + 1,
                        static_cast<int>(call_.n_radial),
                        static_cast<int>(call_.n_grid),
                        static_cast<int>(call_.n_knots),
                        static_cast<int>(call_.n_atoms)};
    const Outputs out{c.potential_spl.data(), c.moments.data(), c.density_spl.data()};
    const int64_t rows = std::max(call_.n_radial + 2, call_.n_knots), of_one = 2 * (call_.n_grid + rows);
    const int64_t all = call_.n_lm * call_.n_atoms * call_.n_dir;
    const int64_t at_a_time =
        std::clamp<int64_t>(most_spline_work / of_one, block_threads, all + block_threads);
    for (int64_t first = 0; first < all; first += at_a_time) {
      const int64_t some = std::min(at_a_time, all - first);
      SUITE_GPU_LAUNCH(solve, blocks_for(some, block_threads), block_threads, 0, queue_.stream(), tables,
                       first, some, static_cast<int>(rows), work_.at_least(of_one * some), out);
    }
  }

private:
  gpu::Queue queue_;
  PoissonCall call_;
  DeviceList<SpeciesTable> species_;
  DeviceList<Place> place_;
  DeviceList<double> power_, start_, knot_power_, inverse_pivot_;
  DeviceList<KnotRule> rule_;
  gpu::Buffer<double> work_;
};

}  // namespace

const suite_kernel_table* poisson_table() {
  static constexpr suite_kernel_table table =
      kernel_table<Poisson, PoissonGpu>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);
  return &table;
}

}  // namespace suite::dfpt
