// SPDX-License-Identifier: BSD-3-Clause
// What the files of this plugin ask of each other.
#pragma once

#include <vector>

#include <suite/cpu/buffer.hpp>

#include "../gpp.hpp"

namespace suite::gpp {

// 1/(4 TOL_Small) of the model: |w/D|^2 beyond it is branch B.
inline constexpr double limit_one = 2.5e5;

// The arguments of one call, named.
struct Call {
  explicit Call(const suite_array* arguments);
  const double* wtilde;  // complex, interleaved
  const double *I, *aqsn, *aqsm;
  const double *vcoul, *wx, *occ;
  const int32_t* indigp;
  double gamma, sexcut;
  std::complex<double>*asx, *ach, *ach_n1, *ach_static;
  int64_t ncouls, ngpown, ntband, nw, nex;
  bool real;
  int parts() const { return real ? 1 : 2; }
  // x = E - E_n', never closer to zero than the model has it.
  double x(int64_t iw, int64_t n1, int64_t e) const {
    const double value = wx[(e * ntband + n1) * nw + iw];
    return value < 1e-12 && value > -1e-12 ? 1e-12 : value;
  }
};

// An owned column that counts.
struct Column {
  int64_t igp, g;  // column of wtilde and I; row of aqsm, both from 0
  double v;
};
std::vector<Column> owned_columns(const Call& call);

struct Buffer : cpu::Buffer<double> {
  Buffer() : cpu::Buffer<double>(Sigma::name) {}
};

// For real w >= 0 (fast.cpp).
class FastSums {
public:
  FastSums(int64_t panel_bytes, int64_t block_bytes) : panel_bytes_(panel_bytes), block_bytes_(block_bytes) {}
  // asx, ach, ach_static and ach_n1; unless `totals`, ach_n1 only.
  void run(const Call& call, int threads, bool totals);

private:
  void run_together(const Call& call, int threads, bool totals);

  int64_t panel_bytes_, block_bytes_;
  Buffer rows_, columns_, sums_, modes_, slots_;
};

// For any complex w, band by band (general.cpp). Writes ach_n1 if asked for; asx, ach and ach_static if
// `totals`.
void general_sums(const Call& call, int threads, bool totals);

// The published steps v1 to v9, and fixed_length as step 10 (ladder.cpp).
void ladder_sums(const Call& call, int threads, int step);

}  // namespace suite::gpp
