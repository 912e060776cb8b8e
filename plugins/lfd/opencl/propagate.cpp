// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate in OpenCL: its parameters.
#include "../steps.hpp"
#include "propagation.hpp"

namespace suite::lfd::cl {
namespace {

// The family's steps without scratch_free and complex_1d, which offloaded holds.
constexpr auto steps = [] {
  // clang-format off
  constexpr auto all = with_meaning(propagate_steps, {
      {"original", "one orbital at a time, each a grid of its own; every part through a work array"},
      {"specialised", "the same with one vector of orbitals at a time"},
      {"reordered", "orbitals innermost, psi[i][j][k][n], still through a work array"},
      {"offloaded", "pairs in place, shared by all work-items, the field (field=loop) by one work-item; includes the talk's scratch_free and complex_1d, "
                    "which have no OpenCL counterpart: a pair needs no old row, and complex numbers are read as adjacent "
                    "(re, im)"},
      {"field_sync", "each loop of each field step by all work-items, followed by a wait"},
      {"field_async", "all field steps queued without a wait"},
      {"best", "cells of 2 x 2 x 2 in tangent form in padded blocks of orbitals, phases and constants merged; on a CPU one pass over memory per step, "
               "including the density"},
  });
  // clang-format on
  std::array<suite_choice, all.size() - 2> kept{};
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == static_cast<size_t>(Step::scratch_free) || i == static_cast<size_t>(Step::complex_1d)) continue;
    kept[i < static_cast<size_t>(Step::scratch_free) ? i : i - 2] = all[i];
  }
  return kept;
}();

class PropagateCL : Propagation {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,           parameter::functional, parameter::gauge,
      parameter::mass_correction, parameter::kinetic,    variant("variant", static_cast<int>(Variant::best), steps, propagate_variant),
      vector_parameter,           local_parameter,
  };

  PropagateCL(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : Propagation(backend, queue, Choices(p), static_cast<Variant>(p[Choices::count]), {p[Choices::count + 1], p[Choices::count + 2]}) {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Propagate::cost_with(a, Choices(p).kinetic, cost); }
  using Propagation::execute;
  using Propagation::prepare;
};

}  // namespace

extern const suite_kernel_table propagate_table;
constexpr suite_kernel_table propagate_table = kernel_table<Propagate, PropagateCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
