// SPDX-License-Identifier: BSD-3-Clause
// The polarizability chi(G,G';z) of one q after the other: matrix elements by gw.mtxel, products by gw.chi.
//
// Only one k of those that the operations which keep q join is computed, and the sum is made symmetric at the end: with L operations N_G^2 L instead of
// N_G^2 times as many pairs of bands.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "band_store.hpp"
#include "dielectric_plan.hpp"
#include "elements_kernel.hpp"
#include "kernel_source.hpp"

namespace suite::gw {

// Pairs of bands that gw.chi takes in one call.
inline constexpr int64_t pairs_together = 1024;

// The arguments of gw.chi for some pairs. They must live until it has run.
struct ChiArguments {
  Numbers m;  // (G, pairs)
  std::vector<double> delta, weight;
  std::vector<std::complex<double>> z;
  std::vector<int32_t> column;  // G', from 1
  Numbers chi;  // (G, columns, z): added to

  int64_t pairs() const { return static_cast<int64_t>(delta.size()); }
  void set(Kernel& kernel);
  // A few columns of these, from all over the list; and all but the matrix elements, which are most of the memory.
  ChiArguments part() const;
  ChiArguments part_without_elements() const;
};

class Polarizability {
public:
  // Reads the bands of all k.
  Polarizability(const DielectricPlan& plan, KernelSource& source);
  // chi(G, G', z) of q number iq, G fastest, Ry^-1 bohr^-3.
  Numbers compute(size_t iq);
  // The same; after(pairs) is called when some more pairs of bands are done, and where it is false the rest is left, and nothing returned.
  std::optional<Numbers> compute(size_t iq, const std::function<bool(int64_t)>& after);
  // The first call of gw.chi for q number iq.
  ChiArguments sample(size_t iq);
  // The rows of gw.mtxel and gw.chi in result.json.
  std::vector<app::Row> records() const { return {elements_.timed().record(), timed_.record()}; }

private:
  void begin(size_t iq);
  // Gathers the pairs of a point and spin in slab_; full() takes them away.
  template <class Full> void gather(size_t iq, const DielectricPlan::Point& point, int spin, const Full& full);
  void clear_pairs();
  void run();
  void verify(ChiArguments expected);
  void make_symmetric(size_t iq, Numbers& chi) const;

  const DielectricPlan& plan_;
  std::vector<Wavefunctions::Sphere> bands_, bands_q0_;  // by stored k, and after all k of a spin those of the next
  ElementsKernel elements_;
  app::TimedKernel timed_;
  ChiArguments slab_;
  BandImage valence_, empty_;
};

}  // namespace suite::gw
