// SPDX-License-Identifier: BSD-3-Clause
// What one thread of a process computes items (k,q) with: kernels of its own.
//
// A call for one item of a small cell takes a few ms. Two threads that share each call wait for each other, and what lies between the
// calls they do not share; two that take items of their own do neither. Where a call is long, or has a device, all threads share it.
#pragma once

#include <span>

#include "consistency.hpp"
#include "contour.hpp"
#include "multipole.hpp"
#include "matrix_elements.hpp"
#include "offdiag.hpp"

namespace suite::gw {

// What one item contributes to one external band: x, exact static CH, static CH of the bands, then SX-X and
// CH at each energy, complex. Ry, without the weight of q. Behind all bands: the terms of the elements of offdiag.
struct Slots {
  int nw, nex;
  size_t elements = 0, per_element = 0;
  size_t per_band() const { return at(nw); }
  static size_t at(int iw) { return 3 + 4 * static_cast<size_t>(iw); }
  size_t of_element(size_t i) const { return per_band() * nex + i * per_element; }
  size_t per_item() const { return of_element(elements); }
};

class Worker {
public:
  // For the items [first, end) of the plan.
  Worker(const Plan& plan, const Slots& slots, const app::Context& context, const Slice& slice, const Range& items);
  // Another one beside the first.
  Worker(const Worker& first, const app::Context& context);

  // Item number i into its places of `values`, those of all items; where it has nothing they stay as they are. Ranks that share an item
  // each compute those before it first.
  void compute(size_t i, std::span<double> values);

  const Seen& seen() const { return seen_; }
  const std::vector<std::string>& warnings() const { return source_.warnings(); }
  double iterations() const {
    return contour_ ? contour_->iterations() : multipole_ ? multipole_->iterations() : kernel_->record().merit.count;
  }
  // The rows of result.json, gpp.sigma first, where there is one.
  std::vector<app::Row> records() const;

private:
  void open_self_energy();
  bool take_screening(const Plan::Item& item);
  void exchange(size_t i, std::span<double> values);
  std::span<double> places_of(size_t i, std::span<double> values) const { return values.subspan(i * slots_.per_item(), slots_.per_item()); }

  const Plan& plan_;
  Slots slots_;
  Slice slice_;
  size_t end_;  // of its items
  KernelSource source_;
  std::optional<SigmaKernel> kernel_;          // of these three there is one
  std::optional<ContourSelfEnergy> contour_;
  std::optional<MultipoleSelfEnergy> multipole_;
  OffDiagonalKernel off_diagonal_;
  MatrixElements elements_;
  Screenings screenings_;
  Seen seen_;
  SigmaArguments arguments_;
  int screened_q_ = -1;
  std::vector<double> x_, exact_;
  std::vector<std::complex<double>> x_between_, exact_between_;
  std::vector<ElementTerms> terms_;
};

// Threads of a process that take items of their own, all of OpenMP's or one: by the number of items and the memory of a call; and by
// the implementation and its parameters, too.
int most_workers(const Plan& plan, int groups, int slices);
int workers_for(const Plan& plan, const app::Context& context, int groups, int slices);

}  // namespace suite::gw
