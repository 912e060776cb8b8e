// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate in OpenCL: its parameters.
#include "../steps.hpp"
#include "propagation.hpp"

namespace suite::lfd::cl {
namespace {

constexpr const char* variants[] = {"original",   "specialised", "reordered", "offloaded",
                                    "field_sync", "field_async", "best",      nullptr};

class PropagateCL : Propagation {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::field,
      parameter::functional,
      parameter::gauge,
      parameter::mass_correction,
      {"variant", static_cast<int>(Variant::best), 0, static_cast<int>(Variant::best), variants,
       "original: an orbital after the other, each a grid of its own; every part through a work "
       "array" SUITE_LFD_ORIGINAL_PUBLISHED "specialised: the same with as many orbitals at a time as "
                                            "vectors have numbers" SUITE_LFD_SPECIALISED_EXPECTED
       "reordered: orbitals innermost, psi[i][j][k][n], still through a work "
       "array" SUITE_LFD_REORDERED_PUBLISHED "offloaded: pairs in place, shared by all work-items, the field "
                                             "(field=loop) by one; holds the talk's scratch_free and complex_1d as well, "
                                             "which have no counterpart of their own in OpenCL: a pair needs no old row, "
                                             "and its numbers are read as (re, im) next to each other" SUITE_LFD_OFFLOADED_PUBLISHED
       "field_sync: each loop of each field step by all work-items, with a wait behind "
       "it" SUITE_LFD_FIELD_SYNC_PUBLISHED
       "field_async: all field steps queued without a wait" SUITE_LFD_FIELD_ASYNC_PUBLISHED
       "best: cells of 2 x 2 x 2 in tangent form in padded blocks of orbitals, phases and constants merged; "
       "on a "
       "processor one pass of memory a step with the density in it" SUITE_LFD_BEST_EXPECTED},
      vector_parameter,
      local_parameter,
  };

  PropagateCL(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : Propagation(backend, queue,
                    {static_cast<Field>(p[0]), static_cast<Functional>(p[1]), p[2] != 0, p[3] != 0,
                     static_cast<Variant>(p[4])},
                    {p[5], p[6]}) {}
  using Propagation::execute;
  using Propagation::prepare;
};

}  // namespace

extern const suite_kernel_table propagate_table;
constexpr suite_kernel_table propagate_table = kernel_table<Propagate, PropagateCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
