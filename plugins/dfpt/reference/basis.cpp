// SPDX-License-Identifier: BSD-3-Clause
// dfpt.basis: chi_i(r) = R_f(|r - R_a|) Y_lm, each function at each point of its batches.
#include "kernels.hpp"

namespace suite::dfpt::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const Basis c(arguments);
    const BasisCall call = check_basis(c);
    double* wave = c.wave.data();
    for (const Batch& batch : call.batches.batch)
      for (int64_t p = batch.first_point; p < batch.first_point + batch.points; ++p)
        for (int64_t i = 0; i < batch.functions; ++i) *wave++ = function(c, call, c.i_basis(batch.first_function + i) - 1, &c.coords(0, p));
  }

private:
  static double function(const Basis& c, const BasisCall& call, int64_t i, const double* point) {
    const int64_t atom = c.basis_atom(i) - 1, fn = c.basis_fn(i) - 1;
    const int l = c.basis_l(i), m = c.basis_m(i);
    const Displacement displacement = displacement_to(point, &c.atom_coords(0, atom));
    if (displacement.r >= c.outer_radius(fn)) return 0;
    const RadialGrid& grid = call.grids[static_cast<size_t>(c.species(atom) - 1)];
    const Knot knot = grid.position(displacement.r);
    const Harmonics h = harmonics_of(l, displacement, grid.is_at_nucleus(displacement.r));
    return cubic(&c.basis_wave_spl(0, knot.number, fn), 1, knot.fraction) * h.Y[l * l + l + m];
  }
};

}  // namespace

extern const suite_kernel_table basis_table;
constexpr suite_kernel_table basis_table = kernel_table<Basis, Reference>("reference", "cpu");

}  // namespace suite::dfpt::reference
