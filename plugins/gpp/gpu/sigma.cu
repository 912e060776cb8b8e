// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma on a GPU: which of the sums (best.cu, general.cu, ladder.cu) serves a call. One source for CUDA, HIP and the
// emulation.
#include "../step_cost.hpp"
#include "best.hpp"
#include "columns.hpp"
#include "general.hpp"
#include "ladder.hpp"
#include "offdiag.hpp"

namespace suite::gpp {

Call::Call(const suite_array* a)
    : wtilde(static_cast<const Z*>(a[Sigma::wtilde_array].data)),
      I(a[Sigma::I_eps_array].data),
      aqsn(a[Sigma::aqsntemp].data),
      aqsm(a[Sigma::aqsmtemp].data),
      vcoul(static_cast<const double*>(a[Sigma::vcoul].data)),
      wx(static_cast<const double*>(a[Sigma::wx_array].data)),
      occ(static_cast<const double*>(a[Sigma::occ_array].data)),
      asx(static_cast<Z*>(a[Sigma::asxtemp].data)),
      ach(static_cast<Z*>(a[Sigma::achtemp].data)),
      ach_n1(static_cast<Z*>(a[Sigma::acht_n1].data)),
      ach_static(static_cast<Z*>(a[Sigma::achstemp].data)),
      gamma(scalar_or(a[Sigma::gamma], 0.5)),
      sexcut(scalar_or(a[Sigma::sexcut], 4.0)),
      ncouls(a[Sigma::wtilde_array].extent[0]),
      ngpown(a[Sigma::wtilde_array].extent[1]),
      ntband(a[Sigma::wx_array].extent[1]),
      nw(a[Sigma::wx_array].extent[0]),
      nex(a[Sigma::wx_array].extent[2]),
      real(a[Sigma::I_eps_array].type == SUITE_REAL64) {
  check_addresses<Sigma>(a);
}

namespace {

constexpr const char* precisions[] = {"double", "mixed", nullptr};
constexpr const char* groups[] = {"2", "4", "8", nullptr};

class SigmaGpu {
public:
  static constexpr suite_parameter parameters[] = {
      {"variant", best_variant, 0, fixed_length_variant, sigma_variants,
       "v1: collapse3: one thread for each (n',G',G), all energies inside" SUITE_GPP_V1_PUBLISHED
       "v2: n' inside: one thread for each (G',G), which goes through all n'" SUITE_GPP_V2_PUBLISHED
       "v3: blocks of 512 threads instead of 128" SUITE_GPP_V3_PUBLISHED
       "v4: the loop over energies outside of the kernel, one launch each" SUITE_GPP_V4_PUBLISHED
       "v5: wx_array with n' as its first index" SUITE_GPP_V5_PUBLISHED
       "v6: simplified: w^2, Omega^2 and the cutoff hoisted, two branches instead of three" SUITE_GPP_V6_PUBLISHED
       "v7: complex divisions replaced by a real reciprocal and complex products" SUITE_GPP_V7_PUBLISHED
       "v8: |z|^2 against limits squared instead of |z|" SUITE_GPP_V8_PUBLISHED
       "v9: blocks of G and of n', strided over threads so that those running together share rows in "
       "cache" SUITE_GPP_V9_PUBLISHED
       "best: real w, one reciprocal for all energies, register tiles of G x G' over n' in shared memory, tests for "
       "branches per tile" SUITE_GPP_BEST_EXPECTED
       "fixed_length: a step back: v8 with blocks of 64 threads, as a vector length fixed at a poor "
       "value" SUITE_GPP_FIXED_LENGTH_PUBLISHED},
      {"precision", 0, 0, 1, precisions,
       "double: all in double precision\n"
       "mixed: best sums up to 32 bands in single precision where no test is due, all else in double; tolerance 1e-5"},
      {"columns", 1, 0, 2, groups,
       "2: best keeps 2 columns G' of a row in a thread's registers\n"
       "4: best keeps 4 columns\n"
       "8: best keeps 8 columns, and fewer threads at a time"},
      {"scratch", 0, 0, int64_t{1} << 30, nullptr,
       "KiB that best may take for packed columns and sums of blocks; 0: 70 % of what is free"},
  };

  SigmaGpu(const suite_backend* backend, suite_queue* queue, const int64_t* parameters)
      : variant_(static_cast<int>(parameters[0])),
        mixed_(parameters[1] != 0),
        queue_(backend, queue),
        columns_(queue_),
        best_(queue_, backend, queue, 2 << parameters[2], parameters[3] << 10),
        general_(queue_),
        ladder_(queue_) {}

  static int cost(const suite_array* arguments, const int64_t* parameters, suite_cost* cost) {
    return step_cost({false, false, false, 3, true}, parameters[0], arguments, cost);
  }

  // Looks at indigp and w. Waits for the device.
  void prepare(const suite_array* arguments) {
    queue_.select();
    const Call call(arguments);
    columns_.prepare(arguments);
    best_.prepare(call, columns_.columns());
  }

  void execute(const suite_array* arguments) {
    queue_.select();
    const Call call(arguments);
    const Columns& owned = columns_.columns();
    const bool rational = variant_ == best_variant && best_.serves(call);
    best_.run(call, owned, rational, mixed_);
    if (variant_ != best_variant) ladder_.run(call, owned, step_of(variant_));
    const bool totals = variant_ == best_variant && !rational;
    if (totals || call.ach_n1) general_.run(call, owned, totals);
  }

private:
  int variant_;
  bool mixed_;
  gpu::Queue queue_;
  ColumnList columns_;
  Best best_;
  General general_;
  Ladder ladder_;
};

constexpr suite_kernel_table sigma_table =
    kernel_table<Sigma, SigmaGpu>(SUITE_GPU_BACKEND, SUITE_GPU_BACKEND);

}  // namespace
}  // namespace suite::gpp

SUITE_GPU_PLUGIN("gpp", &suite::gpp::sigma_table, suite::gpp::offdiag_table())
