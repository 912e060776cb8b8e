// SPDX-License-Identifier: BSD-3-Clause
// dfpt.poisson: all components of an atom and direction at once, side by side in vectors; powers of the
// radii and the weights of interpolation are made once for a species.
#include <numbers>

#include "../spline.hpp"
#include "kernels.hpp"

namespace suite::dfpt {
namespace {

// What a species has that does not depend on densities; powers stand there for every component.
struct SpeciesTables {
  double step = 0;  // in ln r
  int64_t shells = 0;
  double nucleus[3] = {};                        // of the parabola through the first three shells
  Numbers inner, outer, inner_back, outer_back;  // r^(l+3), r^(2-l), r^-(l+1), r^l on the grid
  Numbers factor, first;                         // 4 pi/(2l+1); of the integral below the first point
  std::vector<int64_t> grid_knot;                // spline's knot at each point, or -1 behind the shells
  Numbers grid_fraction;
  std::vector<int64_t> from;  // first of six points for each table's knot; -1: below, -2: behind the shells
  Numbers weights;            // six for each knot
  Numbers tail;               // r^l below the first point, r^-(l+1) behind, for every component
};

double power(double r, int l) { return std::pow(r, l); }

class Tables {
public:
  Tables(const PoissonCall& call, const Poisson& c, int64_t s) : call_(call), grid_(call.grids[at(s)]) {
    t.step = 1 / grid_.factor;
    t.shells = c.radial_points(s);
    const double* const r_shell = &c.r_radial(0, s);
    for (int i = 0; i < 3; ++i) {
      t.nucleus[i] = 1;
      for (int j = 0; j < 3; ++j)
        if (j != i) t.nucleus[i] *= r_shell[j] / (r_shell[j] - r_shell[i]);
    }
    grid_powers();
    const double* const shell = &c.grid_shell(0, s);
    for (int64_t i = 0; i < call.n_grid; ++i) {
      const bool inside = shell[i] <= real(t.shells);
      const auto knot = inside ? static_cast<int64_t>(shell[i]) : -1;
      t.grid_knot.push_back(knot);
      t.grid_fraction.push_back(inside ? shell[i] - real(knot) : 0);
    }
    for (int64_t k = 0; k < call.n_knots; ++k) knot_weights(c.knots(k, s), r_shell[t.shells - 1]);
  }
  SpeciesTables t;

private:
  template <class F> void each_component(Numbers& to, F&& f) const {
    for (int l = 0; l <= call_.l_max; ++l) to.insert(to.end(), at(2 * l + 1), f(l));
  }
  void grid_powers() {
    for (int64_t i = 0; i < call_.n_grid; ++i) {
      const double r = grid_.radius(real(i));
      each_component(t.inner, [r](int l) { return power(r, l + 3); });
      each_component(t.outer, [r](int l) { return power(r, 2 - l); });
      each_component(t.inner_back, [r](int l) { return power(r, -(l + 1)); });
      each_component(t.outer_back, [r](int l) { return power(r, l); });
    }
    each_component(t.factor, [](int l) { return 4 * std::numbers::pi / (2 * l + 1); });
    const double r = grid_.radius(0);
    each_component(t.first, [r](int l) { return power(r, l + 3) / (l + 3); });
  }
  void knot_weights(double r, double last_shell) {
    const bool behind = r > last_shell, below = r < grid_.radius(0);
    const double x = behind || below ? 0 : grid_.coordinate(r), first_radius = grid_.radius(0);
    const int64_t first = std::clamp<int64_t>(static_cast<int64_t>(x) - 2, 0, call_.n_grid - 6);
    t.from.push_back(behind ? -2 : below ? -1 : first);
    for (int i = 0; i < 6; ++i) {
      double weight = 1;
      for (int j = 0; j < 6; ++j)
        if (j != i) weight *= (x - real(first + j)) / (i - j);
      t.weights.push_back(weight);
    }
    each_component(t.tail, [&](int l) { return behind ? power(r, -(l + 1)) : l == 0 ? 1 : power(r / first_radius, l); });
  }

  const PoissonCall& call_;
  const RadialGrid& grid_;
};

// One atom and direction; arrays are [point][component].
class Atom {
public:
  Atom(const PoissonCall& call, const SpeciesTables& tables) : call_(call), t_(tables), n_(call.n_lm), size_(at(call.n_grid * call.n_lm)) {}

  void run(const double* shells, double* potential, double* moments, double* density) {
    on_logarithmic_grid(shells);
    integrate(moments);
    put_table(v_, moments, potential);
    if (density) put_table(f_, nullptr, density);
  }

private:
  void on_logarithmic_grid(const double* shells) {
    Numbers values(at((t_.shells + 2) * n_)), spline(4 * values.size());
    for (int i = 0; i < 3; ++i) values[0] += t_.nucleus[i] * shells[n_ * i];
    std::copy_n(shells, n_ * t_.shells, values.data() + n_);
    interleaved_splines(values.data(), t_.shells + 2, n_, spline.data());
    f_.assign(size_, 0.0);
    for (int64_t i = 0; i < call_.n_grid; ++i) {
      if (t_.grid_knot[at(i)] < 0) continue;
      const double* const c = spline.data() + 4 * n_ * t_.grid_knot[at(i)];
      const double d = t_.grid_fraction[at(i)];
      for (int64_t lm = 0; lm < n_; ++lm) f_[at(i * n_ + lm)] = c[lm] + d * (c[n_ + lm] + d * (c[2 * n_ + lm] + d * c[3 * n_ + lm]));
    }
  }

  // to += int g dx over the interval from point i to i + 1.
  void add_interval(const Numbers& g, int64_t i, Numbers& to) const {
    const int64_t last = call_.n_grid - 2, first = i == 0 ? 0 : i == last ? last - 2 : i - 1;
    const double h = t_.step / 24;
    const double c[3][4] = {{9, 19, -5, 1}, {1, -5, 19, 9}, {-1, 13, 13, -1}};
    const double* const w = c[i == 0 ? 0 : i == last ? 1 : 2];
    const double* const from = g.data() + first * n_;
    for (int64_t lm = 0; lm < n_; ++lm)
      to[at(lm)] += h * (w[0] * from[lm] + w[1] * from[n_ + lm] + w[2] * from[2 * n_ + lm] + w[3] * from[3 * n_ + lm]);
  }

  void integrate(double* moments) {
    weighted_.resize(size_);
    v_.resize(size_);
    Numbers sum(at(n_));
    const int64_t n_grid = call_.n_grid;
    for (size_t i = 0; i < size_; ++i) weighted_[i] = t_.inner[i] * f_[i];
    for (int64_t lm = 0; lm < n_; ++lm) sum[at(lm)] = f_[at(lm)] * t_.first[at(lm)];
    for (int64_t i = 0; i < n_grid; ++i) {
      if (i > 0) add_interval(weighted_, i - 1, sum);
      for (int64_t lm = 0; lm < n_; ++lm) v_[at(i * n_ + lm)] = t_.factor[at(lm)] * t_.inner_back[at(i * n_ + lm)] * sum[at(lm)];
    }
    for (int64_t lm = 0; lm < n_; ++lm) moments[lm] = t_.factor[at(lm)] * sum[at(lm)];
    for (size_t i = 0; i < size_; ++i) weighted_[i] = t_.outer[i] * f_[i];
    std::fill(sum.begin(), sum.end(), 0.0);
    for (int64_t i = n_grid - 2; i >= 0; --i) {
      add_interval(weighted_, i, sum);
      for (int64_t lm = 0; lm < n_; ++lm) v_[at(i * n_ + lm)] += t_.factor[at(lm)] * t_.outer_back[at(i * n_ + lm)] * sum[at(lm)];
    }
  }

  // Values at the knots, then splines; moments unset: 0 behind the shells.
  void put_table(const Numbers& g, const double* moments, double* table) const {
    Numbers values(at(call_.n_knots * n_));
    for (int64_t k = 0; k < call_.n_knots; ++k) {
      const int64_t from = t_.from[at(k)];
      const double *const w = t_.weights.data() + 6 * k, *const tail = t_.tail.data() + n_ * k;
      double* const to = values.data() + n_ * k;
      for (int64_t lm = 0; lm < n_; ++lm) {
        if (from == -2) {
          to[lm] = moments ? moments[lm] * tail[lm] : 0;
        } else if (from == -1) {
          to[lm] = g[at(lm)] * tail[lm];
        } else {
          for (int i = 0; i < 6; ++i) to[lm] += w[i] * g[at((from + i) * n_ + lm)];
        }
      }
    }
    interleaved_splines(values.data(), call_.n_knots, n_, table);
  }

  const PoissonCall& call_;
  const SpeciesTables& t_;
  int64_t n_;
  size_t size_;
  Numbers f_, v_, weighted_;
};

class Cpu : public cpu::WithThreads<> {
public:
  using cpu::WithThreads<>::WithThreads;
  void prepare(const suite_array* a) {
    const Poisson c(a);
    call_ = check_poisson(c);
    tables_.clear();
    for (int64_t s = 0; s < c.r_radial.extent(1); ++s) tables_.push_back(Tables(call_, c, s).t);
  }
  void execute(const suite_array* a) {
    const Poisson c(a);
    const int64_t count = call_.n_atoms * call_.n_dir, n = call_.n_lm;
    const int team = cpu::useful_threads(threads_, count, 20 * real(call_.n_grid * n));
    cpu::each(team, count, [&](int64_t i, int) {
      const int64_t atom = i % call_.n_atoms, table = 4 * n * call_.n_knots * i;
      Atom(call_, tables_[at(c.species(atom) - 1)])
          .run(c.rho_multipole.data() + n * call_.n_radial * i, c.potential_spl.data() + table, c.moments.data() + n * i,
               c.density_spl ? c.density_spl.data() + table : nullptr);
    });
  }

private:
  PoissonCall call_;
  std::vector<SpeciesTables> tables_;
};

}  // namespace

extern const suite_kernel_table poisson_table;
constexpr suite_kernel_table poisson_table = kernel_table<Poisson, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
