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
      {"original", "an orbital after the other, each a grid of its own; every part through a work array"},
      {"specialised", "the same with as many orbitals at a time as vectors have numbers"},
      {"reordered", "orbitals innermost, psi[i][j][k][n], still through a work array"},
      {"offloaded", "pairs in place, shared by all work-items, the field (field=loop) by one; holds the talk's scratch_free and complex_1d as "
                    "well, which have no counterpart of their own in OpenCL: a pair needs no old row, and its numbers are read as (re, im) next "
                    "to each other"},
      {"field_sync", "each loop of each field step by all work-items, with a wait behind it"},
      {"field_async", "all field steps queued without a wait"},
      {"best", "cells of 2 x 2 x 2 in tangent form in padded blocks of orbitals, phases and constants merged; on a CPU one pass of memory a step "
               "with the density in it"},
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
      parameter::field,
      parameter::functional,
      parameter::gauge,
      parameter::mass_correction,
      variant("variant", static_cast<int>(Variant::best), steps, propagate_variant),
      vector_parameter,
      local_parameter,
  };

  PropagateCL(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : Propagation(backend, queue, Choices(p), static_cast<Variant>(p[4]), {p[5], p[6]}) {}
  using Propagation::execute;
  using Propagation::prepare;
};

}  // namespace

extern const suite_kernel_table propagate_table;
constexpr suite_kernel_table propagate_table = kernel_table<Propagate, PropagateCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
