// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up: every point and every atom, near by the table, far by the moments.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    using K = SumUp;
    const SumUpCall call = check_sum_up(arguments);
    const View<const double, 2> coords(arguments[K::coords]), atoms(arguments[K::atom_coords]);
    const View<double, 2> potential(arguments[K::potential]);
    for (int64_t p = 0; p < call.n_points; ++p) {
      for (int64_t d = 0; d < call.n_dir; ++d) potential(p, d) = 0;
      for (int64_t a = 0; a < call.n_atoms; ++a) {
        const Way way = way_to(&coords(0, p), &atoms(0, a));
        const int64_t s = integers(arguments[K::species])[a] - 1;
        const bool is_near = way.r < numbers(arguments[K::multipole_radius])[s];
        const RadialGrid& grid = call.grids[static_cast<size_t>(s)];
        for (int64_t d = 0; d < call.n_dir; ++d)
          potential(p, d) +=
              is_near ? near_field(arguments, call, grid, way, a, d) : far_field(arguments, call, way, a, d);
      }
    }
  }

private:
  static double near_field(const suite_array* arguments, const SumUpCall& call, const RadialGrid& grid,
                           const Way& way, int64_t a, int64_t d) {
    const View<const double, 5> spline(arguments[SumUp::potential_spl]);
    const int64_t table = integers(arguments[SumUp::atom_table])[a] - 1;
    const Knot knot = grid.position(way.r);
    const Harmonics h = harmonics_of(call.l_max, way, grid.is_at_nucleus(way.r));
    double sum = 0;
    for (int64_t lm = 0; lm < call.n_lm; ++lm)
      sum += cubic(&spline(lm, 0, knot.number, table, d), call.n_lm, knot.fraction) * h.Y[lm];
    return sum;
  }

  static double far_field(const suite_array* arguments, const SumUpCall& call, const Way& way, int64_t a,
                          int64_t d) {
    const View<const double, 3> moments(arguments[SumUp::moments]);
    const int64_t table = integers(arguments[SumUp::atom_table])[a] - 1;
    const Harmonics h = harmonics_of(call.l_max, way, false);
    double sum = 0, power = 1 / way.r;
    for (int l = 0; l <= call.l_max; ++l, power /= way.r)
      for (int64_t lm = l * l; lm < components(l); ++lm) sum += moments(lm, table, d) * power * h.Y[lm];
    return sum;
  }
};

}  // namespace

extern const suite_kernel_table sum_up_table;
constexpr suite_kernel_table sum_up_table = kernel_table<SumUp, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
