// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up: every point and every atom, near by the table, far by the moments.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const SumUp c(arguments);
    const SumUpCall call = check_sum_up(c);
    for (int64_t p = 0; p < call.n_points; ++p) {
      for (int64_t d = 0; d < call.n_dir; ++d) c.potential(p, d) = 0;
      for (int64_t a = 0; a < call.n_atoms; ++a) {
        const Displacement displacement = displacement_to(&c.coords(0, p), &c.atom_coords(0, a));
        const bool is_near = displacement.r < c.radius_of(a);
        const RadialGrid& grid = call.grids[static_cast<size_t>(c.species(a) - 1)];
        for (int64_t d = 0; d < call.n_dir; ++d)
          c.potential(p, d) += is_near ? near_field(c, call, grid, displacement, a, d) : far_field(c, call, displacement, a, d);
      }
    }
  }

private:
  static double near_field(const SumUp& c, const SumUpCall& call, const RadialGrid& grid, const Displacement& displacement, int64_t a,
                           int64_t d) {
    const int64_t table = c.atom_table(a) - 1;
    const Knot knot = grid.position(displacement.r);
    const Harmonics h = harmonics_of(call.l_max, displacement, grid.is_at_nucleus(displacement.r));
    double sum = 0;
    for (int64_t lm = 0; lm < call.n_lm; ++lm)
      sum += cubic(&c.potential_spl(lm, 0, knot.number, table, d), call.n_lm, knot.fraction) * h.Y[lm];
    return sum;
  }

  static double far_field(const SumUp& c, const SumUpCall& call, const Displacement& displacement, int64_t a, int64_t d) {
    const int64_t table = c.atom_table(a) - 1;
    const Harmonics h = harmonics_of(call.l_max, displacement, false);
    double sum = 0, power = 1 / displacement.r;
    for (int l = 0; l <= call.l_max; ++l, power /= displacement.r)
      for (int64_t lm = l * l; lm < components(l); ++lm) sum += c.moments(lm, table, d) * power * h.Y[lm];
    return sum;
  }
};

}  // namespace

extern const suite_kernel_table sum_up_table;
constexpr suite_kernel_table sum_up_table = kernel_table<SumUp, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
