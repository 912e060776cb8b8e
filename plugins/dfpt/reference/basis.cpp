// SPDX-License-Identifier: BSD-3-Clause
// dfpt.basis: chi_i(r) = R_f(|r - R_a|) Y_lm, each function at each point of its batches.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    using K = Basis;
    const BasisCall call = check_basis(arguments);
    const int32_t* const i_basis = integers(arguments[K::i_basis]);
    const View<const double, 2> coords(arguments[K::coords]);
    auto* wave = static_cast<double*>(arguments[K::wave].data);
    for (const Batch& batch : call.batches.batch)
      for (int64_t p = batch.first_point; p < batch.first_point + batch.points; ++p)
        for (int64_t i = 0; i < batch.functions; ++i)
          *wave++ = function(arguments, call, i_basis[batch.first_function + i] - 1, &coords(0, p));
  }

private:
  static double function(const suite_array* a, const BasisCall& call, int64_t i, const double* point) {
    using K = Basis;
    const int64_t atom = integers(a[K::basis_atom])[i] - 1, fn = integers(a[K::basis_fn])[i] - 1;
    const int l = integers(a[K::basis_l])[i], m = integers(a[K::basis_m])[i];
    const Way way = way_to(point, numbers(a[K::atom_coords]) + 3 * atom);
    if (way.r >= numbers(a[K::outer_radius])[fn]) return 0;
    const RadialGrid& grid = call.grids[static_cast<size_t>(integers(a[K::species])[atom] - 1)];
    const Knot knot = grid.position(way.r);
    const double* const spline = numbers(a[K::basis_wave_spl]) + 4 * (knot.number + grid.n_knots * fn);
    const Harmonics h = harmonics_of(l, way, grid.is_at_nucleus(way.r));
    return cubic(spline, 1, knot.fraction) * h.Y[l * l + l + m];
  }
};

}  // namespace

extern const suite_kernel_table basis_table;
constexpr suite_kernel_table basis_table = kernel_table<Basis, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
