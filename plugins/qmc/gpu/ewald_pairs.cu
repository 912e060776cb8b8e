// SPDX-License-Identifier: BSD-3-Clause
// The variants of qmc.ewald that go over pairs with both sums.
#include "ewald.hpp"

namespace suite::qmc {
namespace {

template <LatticeKind kind> struct EwaldTerms {
  const Wave* waves;
  int count;
  Powers powers;
  DeviceEwald e;
  ImageRule rule;
  const double* charge;
  EwaldOut out;
  __device__ __forceinline__ double coefficient(int g, const Wave&, int, int j) const { return e.weight[g] * charge[j]; }
  __device__ __forceinline__ void add_pair(int, int j, const double* r, Local& sum) const {
    double d[3] = {r[0], r[1], r[2]};
    closest_image<kind>(rule, d[0], d[1], d[2]);
    add_screened<true, false>(e, d, 0, charge[j], sum);
    sum.value -= charge[j] * e.background;
  }
  __device__ __forceinline__ void finish(int64_t position, int i, const Local& sum) const {
    const double q = charge[i];
    if (out.energy) out.energy[position] = q * (sum.value + q * e.xi);
    for (int d = 0; d < 3 && out.field; ++d) out.field[3 * position + d] = -sum.gradient[d];
  }
};

}  // namespace

void ewald_over_pairs(const gpu::Queue& queue, bool split, const Reciprocal& cell, const ImageRule& rule, const DeviceEwald& e,
                      const double* charge, const Positions& at, gpu::Buffer<Complex>& tables, const EwaldOut& out) {
  by_kind(rule.kind, [&](auto k) {
    const EwaldTerms<decltype(k)::value> terms{e.waves, e.count, e.powers, e, rule, charge, out};
    sum_over_pairs(queue, split, cell, terms, at, tables);
  });
}

}  // namespace suite::qmc
