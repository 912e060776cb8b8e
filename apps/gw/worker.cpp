// SPDX-License-Identifier: BSD-3-Clause
#include "worker.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/app.hpp"
#include "common/machine.hpp"
#include "memory.hpp"

namespace suite::gw {

Worker::Worker(const Plan& plan, const Slots& slots, const app::Context& context, const Slice& slice, const Range& items)
    : plan_(plan),
      slots_(slots),
      slice_(slice),
      end_(static_cast<size_t>(items.end)),
      source_(context.implementation, context.variant, context.parameters),
      off_diagonal_(plan, source_),
      elements_(plan, static_cast<size_t>(items.first), static_cast<size_t>(items.end), source_, slice),
      screenings_(plan, source_, slice),
      seen_(plan.eps.count()),
      x_(slots.nex),
      exact_(slots.nex),
      x_between_(slots.elements),
      exact_between_(slots.elements),
      terms_(slots.elements) {
  open_self_energy();
}

Worker::Worker(const Worker& first, const app::Context& context)
    : plan_(first.plan_),
      slots_(first.slots_),
      slice_(first.slice_),
      end_(first.end_),
      source_(context.implementation, context.variant, context.parameters),
      off_diagonal_(plan_, source_),
      elements_(first.elements_, source_),
      screenings_(first.screenings_, source_),
      seen_(plan_.eps.count()),
      x_(first.x_.size()),
      exact_(first.exact_.size()),
      x_between_(slots_.elements),
      exact_between_(slots_.elements),
      terms_(slots_.elements) {
  open_self_energy();
}

void Worker::open_self_energy() {
  if (plan_.settings.contour()) contour_.emplace(plan_);
  else if (plan_.settings.multipole()) multipole_.emplace(plan_);
  else kernel_.emplace(source_, plan_.settings.static_bands());
}

// Whether it is another one than before.
bool Worker::take_screening(const Plan::Item& item) {
  const auto& point = plan_.q_full[item.q];
  const int wanted = plan_.screening_of(item);
  if (wanted == screened_q_) return false;
  arguments_.screening = {};  // or that of the last q would be in memory beside the new one
  arguments_.screening = screenings_.make(point);
  if (!seen_.knows(point.irreducible))
    seen_.see(point.irreducible, quality(plan_.eps, point.irreducible, plan_.wavefunctions.operations(), slice_),
              arguments_.screening.poles);
  if (kernel_) kernel_->constants(arguments_);
  screened_q_ = wanted;
  return true;
}

void Worker::exchange(size_t i, std::span<double> values) {
  if (!elements_.exchange(i, arguments_.screening, x_.data(), x_between_.data())) return;
  const std::span<double> places = places_of(i, values);
  for (int n = 0; n < plan_.externals[plan_.items[i].external].count(); ++n) places[n * slots_.per_band()] = x_[n];
  for (size_t j = 0; j < slots_.elements; ++j) put_exchange(x_between_[j], places.data() + slots_.of_element(j));
}

void Worker::compute(size_t i, std::span<double> values) {
  const Plan::Item& item = plan_.items[i];
  const std::span<double> places = places_of(i, values);
  const bool exact_ch = plan_.settings.exact_ch(), static_part = plan_.settings.static_bands();
  const bool other_screening = take_screening(item);
  // Ranks that take turns do so for all items of a screening at once, or each would wait for the others at every item.
  if (!elements_.takes_turns()) exchange(i, values);
  else if (other_screening)
    for (size_t j = i; j < end_ && plan_.screening_of(plan_.items[j]) == screened_q_; ++j) exchange(j, values);
  arguments_.take_item(plan_, item);
  elements_.compute(item, arguments_.screening, arguments_.m);
  seen_.see_closure(plan_.q_full[item.q].irreducible, closure_excess(arguments_, slice_));
  if (exact_ch) elements_.static_coulomb_hole(item, arguments_.screening, exact_.data(), exact_between_.data());
  if (contour_) {
    contour_->run(item, arguments_, terms_);
  } else if (multipole_) {
    multipole_->run(item, arguments_, terms_);
  } else {
    kernel_->run(arguments_);
    off_diagonal_.run(item, arguments_, terms_);
  }
  for (size_t j = 0; j < slots_.elements; ++j) {
    terms_[j].exact_ch = exact_between_[j];
    put_screened(terms_[j], places.data() + slots_.of_element(j));
  }
  for (int n = 0; n < arguments_.nex; ++n) {
    double* out = places.data() + n * slots_.per_band();
    out[1] = exact_ch ? exact_[n] : 0;
    out[2] = static_part ? arguments_.achs[n].real() : 0;
    for (int iw = 0; iw < slots_.nw; ++iw) {
      const size_t at = static_cast<size_t>(n) * slots_.nw + iw;
      double* of_energy = out + Slots::at(iw);
      of_energy[0] = arguments_.asx[at].real(), of_energy[1] = arguments_.asx[at].imag();
      of_energy[2] = arguments_.ach[at].real(), of_energy[3] = arguments_.ach[at].imag();
    }
  }
}

std::vector<app::Row> Worker::records() const {
  std::vector<app::Row> records;
  if (kernel_) records.push_back(kernel_->record());
  if (off_diagonal_.wanted()) records.push_back(off_diagonal_.record());
  records.push_back(elements_.record());
  records.push_back(screenings_.record());
  return records;
}

int most_workers(const Plan& plan, int groups, int slices) {
#ifndef _OPENMP
  return 1;
#endif
  // Where a thread would need more than this for itself, its calls are long enough to be shared.
  constexpr double small_B = 128.0 * 1048576;
  constexpr int fewest_items = 8;  // of each
  const int threads = app::threads_in_use();
  if (slices > 1 || plan.items.size() < static_cast<size_t>(fewest_items) * groups * threads) return 1;
  return memory_of(memory_counts(plan, groups)).of_thread() <= small_B ? threads : 1;
}

int workers_for(const Plan& plan, const app::Context& context, int groups, int slices) {
  const bool chosen = std::any_of(context.parameters.begin(), context.parameters.end(), [](const auto& p) { return p.name == "threads"; });
  // Captured calls are written one after the other, by HDF5.
  if (chosen || std::getenv("SUITE_CAPTURE") || !KernelSource(context.implementation).on_cpu()) return 1;
  return most_workers(plan, groups, slices);
}

}  // namespace suite::gw
