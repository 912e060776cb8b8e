// SPDX-License-Identifier: BSD-3-Clause
// The self-energy of every external state: for each (k,q), matrix elements, exchange, and gpp.sigma; then the
// sum over q.
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <span>

#include <fmt/core.h>

#include "base/app.hpp"
#include "checkpoint.hpp"
#include "deal.hpp"
#include "dielectric.hpp"
#include "memory.hpp"
#include "worker.hpp"

namespace suite::gw {

namespace {

// The ranks of one group share each (k,q); the groups share the items.
struct Division {
  size_t group, groups;
  Slice slice;
  // Rounded up, so that the root has something to do, and to verify, even where there are more groups than
  // items.
  size_t first(size_t items) const { return (items * group + groups - 1) / groups; }
  size_t end(size_t items) const { return (items * (group + 1) + groups - 1) / groups; }
  Range items(size_t all) const { return {static_cast<int64_t>(first(all)), static_cast<int64_t>(end(all))}; }
};

Division divide(const app::Communicator& world, int slices) {
  if (slices < 1 || world.size() % slices != 0)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("{} processes cannot share each q by {} slices of G': give a number of processes that {} divides",
                              world.size(), slices, slices));
  return {static_cast<size_t>(world.rank() / slices), static_cast<size_t>(world.size() / slices), {world.rank() % slices, slices, &world}};
}

using Workers = std::vector<std::unique_ptr<Worker>>;

// The pairs (k,q) of a process, in rounds between which all processes meet: one, or as checkpoints want them.
class Items {
public:
  Items(const Plan& plan, const Slots& slots, const Division& division, app::Context& context, Checkpoint& checkpoint, Workers& workers)
      : context_(context),
        checkpoint_(checkpoint),
        workers_(workers),
        division_(division),
        all_(plan.items.size()),
        per_item_(slots.per_item()),
        items_(division.items(all_)),
        values_(all_ * per_item_ * static_cast<size_t>(division.slice.slices)),
        done_(all_),
        seen_(plan.eps.count()) {
    if (checkpoint_.has_sigma(all_, values_.size(), seen_.numbers().size())) before_ = checkpoint_.sigma;
    else before_ = {std::vector<double>(all_), std::vector<double>(values_.size()), std::vector<double>(seen_.numbers().size())};
    for (int64_t i = items_.first; i < items_.end; ++i)
      if (before_.done[static_cast<size_t>(i)] == 0) to_do_.push_back(i);
  }

  void compute() {
    // The same number of rounds on all, whose lists differ.
    std::vector<double> lengths(static_cast<size_t>(context_.world.size()));
    lengths[static_cast<size_t>(context_.world.rank())] = static_cast<double>(to_do_.size());
    context_.world.sum(lengths);
    const auto longest = static_cast<int64_t>(*std::max_element(lengths.begin(), lengths.end()));
    const int64_t step = checkpoint_.interval() > 0 ? checkpoint_.interval() : std::max<int64_t>(1, longest);
    context_.progress.start("pairs (k,q)", std::ssize(to_do_));
    for (int64_t first = 0; first < longest; first += step) {
      const auto at = [&](int64_t i) { return std::min(i, static_cast<int64_t>(to_do_.size())); };
      compute({at(first), at(first + step)}, step);
      const bool last = first + step >= longest;
      const int signal = checkpoint_.agreed_signal();
      if (last && !signal) break;
      gather();
      if (std::find(checkpoint_.sigma.done.begin(), checkpoint_.sigma.done.end(), 0.0) == checkpoint_.sigma.done.end()) break;
      checkpoint_.save();
      if (signal) checkpoint_.stop(signal);
    }
    context_.progress.finish();
    gather();
  }

private:
  // Of to_do_; `step`: the most that a process has in this round.
  void compute(const Range& part, int64_t step) {
    if (division_.slice.shares()) {
      // They exchange parts of what they compute: all stop at the same item.
      for (int64_t i = 0; i < step && !checkpoint_.agreed_signal(); ++i)
        if (part.first + i < part.end) compute(0, part.first + i);
    } else if (workers_.size() == 1) {
      for (int64_t i = part.first; i < part.end && !checkpoint_.stopped(); ++i) compute(0, i);
    } else {
      share_among_threads(part);
    }
  }

  void compute(size_t worker, int64_t i) {
    const auto item = static_cast<size_t>(to_do_[static_cast<size_t>(i)]);
    const size_t of_slice = all_ * per_item_;
    workers_[worker]->compute(item, std::span<double>(values_).subspan(of_slice * static_cast<size_t>(division_.slice.slice), of_slice));
    done_[item] = division_.slice.slice == 0 ? 1 : 0;  // counted once
    if (worker == 0) context_.progress.advance(static_cast<long>(++taken_));
  }

  void share_among_threads(const Range& part) {
    Deal deal(part, static_cast<int>(workers_.size()));
    std::atomic<size_t> threads = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    const int64_t before = taken_;
    // Parallel regions of what these threads call have one thread each, for they are nested.
#pragma omp parallel num_threads(static_cast<int>(workers_.size()))
    {
      const size_t thread = threads++;
      try {
        while (!failed && !checkpoint_.stopped()) {
          const auto i = deal.next(static_cast<int>(thread));
          if (!i) break;
          if (thread == 0) taken_ = before + deal.taken() - 1;
          compute(thread, *i);
        }
      } catch (...) {
#pragma omp critical(suite_gw_failure)
        failure = std::current_exception();
        failed = true;
      }
    }
    if (failure) std::rethrow_exception(failure);
    taken_ = before + deal.taken();
  }

  // What all processes and the earlier run have done, into the checkpoint.
  void gather() {
    Checkpoint::Sigma& sigma = checkpoint_.sigma;
    sigma.done = done_;
    sigma.values = values_;
    for (size_t item = 0; item < all_; ++item)
      if (before_.done[item] != 0) clear(item);  // its exchange may have been made once more
    context_.world.sum(std::span<double>(sigma.done));
    context_.world.sum(std::span<double>(sigma.values));
    for (size_t i = 0; i < sigma.values.size(); ++i) sigma.values[i] += before_.values[i];
    for (size_t item = 0; item < all_; ++item) {
      sigma.done[item] += before_.done[item];
      if (sigma.done[item] == 0) clear(item);  // exchange goes ahead of the rest
    }
    sigma.iterations = 0;
    Seen seen = seen_;
    for (const auto& worker : workers_) {
      sigma.iterations += worker->iterations();
      seen.join(worker->seen());
    }
    context_.world.sum(std::span<double>(&sigma.iterations, 1));
    sigma.iterations += before_.iterations;
    seen.share(context_.world, division_.slice.slices);
    seen.join(Seen(before_.seen));
    sigma.seen = seen.numbers();
  }

  void clear(size_t item) {
    for (size_t slice = 0; slice < static_cast<size_t>(division_.slice.slices); ++slice)
      std::fill_n(checkpoint_.sigma.values.begin() + static_cast<std::ptrdiff_t>((slice * all_ + item) * per_item_), per_item_, 0.0);
  }

  app::Context& context_;
  Checkpoint& checkpoint_;
  Workers& workers_;
  const Division& division_;
  size_t all_, per_item_;
  Range items_;
  std::vector<double> values_, done_;
  Seen seen_;
  Checkpoint::Sigma before_;
  std::vector<int64_t> to_do_;
  int64_t taken_ = 0;
};

// The rows of all threads of a process. Calls beside each other take, each, its share of the time that passes.
std::vector<app::Row> joined_records(const Workers& workers) {
  std::vector<app::Row> all;
  for (const auto& worker : workers)
    for (app::Row& row : worker->records()) {
      for (double& s : row.samples_s) s /= static_cast<double>(workers.size());
      app::add_or_join(all, std::move(row));
    }
  return all;
}

// The sum over q in the order of the items, so that it does not depend on who computed them. By external k
// and band.
std::vector<std::vector<double>> sum_over_q(const Plan& plan, const Slots& slots, const std::vector<double>& values) {
  std::vector<std::vector<double>> sums(plan.externals.size(), std::vector<double>(slots.per_item()));
  for (size_t i = 0; i < plan.items.size(); ++i)
    for (size_t j = 0; j < slots.per_item(); ++j)
      sums[plan.items[i].external][j] += plan.items[i].weight * values[i * slots.per_item() + j];
  return sums;
}

// Where the asked-for bands cut a degenerate set, only the average over the set has a meaning.
void average_cut_sets(const Plan& plan, const Slots& slots, std::vector<std::vector<double>>& sums) {
  for (size_t e = 0; e < plan.externals.size(); ++e) {
    const auto& external = plan.externals[e];
    const auto average = [&](int from, int to) {
      for (size_t j = 0; j < slots.per_band(); ++j) {
        double sum = 0;
        for (int n = from; n < to; ++n) sum += sums[e][n * slots.per_band() + j];
        for (int n = from; n < to; ++n) sums[e][n * slots.per_band() + j] = sum / (to - from);
      }
    };
    const auto same = [&](int a, int b) {
      return std::abs(plan.outer().mean_field(external.k, external.first + a, external.spin) -
                      plan.outer().mean_field(external.k, external.first + b, external.spin)) < tol_energy_Ry;
    };
    if (external.first < plan.settings.band_min - 1) {
      int to = 1;
      while (to < external.count() && same(to - 1, to)) ++to;
      average(0, to);
    }
    if (external.end > plan.settings.band_max) {
      int from = external.count() - 1;
      while (from > 0 && same(from - 1, from)) --from;
      average(from, external.count());
    }
  }
}

// What the sums mean for the elements of offdiag.
std::vector<OffDiagonal> elements_between_bands(const Plan& plan, const Slots& slots, const std::vector<std::vector<double>>& sums) {
  const Settings& s = plan.settings;
  std::vector<OffDiagonal> all;
  for (size_t e = 0; e < plan.externals.size(); ++e)
    for (size_t i = 0; i < slots.elements; ++i) {
      const ElementTerms terms = unpack(s, sums[e].data() + slots.of_element(i));
      OffDiagonal& out = all.emplace_back();
      out.k = static_cast<int>(e) / plan.wavefunctions.spins();
      out.spin = plan.externals[e].spin + 1;
      out.element = s.offdiag[i];
      out.e_l = plan.external_eV(plan.externals[e], out.element.l - 1);
      out.iw = offdiag_energies(s);
      out.x = -rydberg_eV * terms.x;
      for (const auto& z : terms.sx) out.sx.push_back(rydberg_eV * z);
      for (const auto& z : terms.ch) out.ch.push_back(rydberg_eV * z);
      const auto exact = rydberg_eV * terms.exact_ch;
      if (s.static_bands()) out.remainder = 0.5 * (exact - rydberg_eV * terms.static_ch);
      if (s.model == Model::cohsex) {
        if (s.exact_static_ch) out.ch.assign(1, exact);
        out.remainder = exact - out.ch[0];
      }
    }
  return all;
}

Result make_result(const Plan& plan, const Slots& slots, const std::vector<std::vector<double>>& sums) {
  Result result;
  const Wavefunctions& w = plan.outer();
  result.spins = w.spins();
  result.occupied = w.occupied_of_spins();
  if (w.partly_filled()) result.fermi_eV = w.levels().fermi()[0] * rydberg_eV;
  result.system = plan.system();
  result.triples_nw = slots.nw;
  for (size_t e = 0; e < plan.externals.size(); ++e) {
    const auto& external = plan.externals[e];
    if (external.spin == 0) {
      result.kpoints.push_back(w.kpoints()[external.k]);
      result.kweights.push_back(w.weights()[external.k]);
    }
    for (int band = plan.settings.band_min; band <= plan.settings.band_max; ++band) {
      const double* sum = sums[e].data() + (band - 1 - external.first) * slots.per_band();
      State state;
      state.k = static_cast<int>(result.kpoints.size()) - 1;
      state.spin = external.spin + 1;
      state.band = band;
      state.emf = plan.mean_field_eV(external, band - 1);
      state.correction = plan.external_eV(external, band - 1) - state.emf;
      state.x = -sum[0] * rydberg_eV;
      for (int iw = 0; iw < slots.nw; ++iw) {
        state.energies.push_back(state.eo() + plan.energy_shifts[iw]);
        const double* of_energy = sum + Slots::at(iw);
        state.sx.emplace_back(of_energy[0] * rydberg_eV, of_energy[1] * rydberg_eV);
        state.ch.emplace_back(of_energy[2] * rydberg_eV, of_energy[3] * rydberg_eV);
        if (!plan.settings.full_frequency()) continue;
        state.imaginary.push_back(state.sx.back().imag() + state.ch.back().imag());
        state.sx.back().imag(0);
        state.ch.back().imag(0);
      }
      const double exact = sum[1] * rydberg_eV;
      if (plan.settings.static_bands()) state.remainder = 0.5 * (exact - sum[2] * rydberg_eV);
      if (plan.settings.model == Model::cohsex) {
        if (plan.settings.exact_static_ch) state.ch.assign(1, exact);
        state.remainder = exact - state.ch[0].real();
      }
      result.states.push_back(std::move(state));
    }
  }
  return result;
}

// The files that the first step writes are what the second reads: what it would refuse is refused before.
Result self_energy_with_own_screening(Settings settings, app::Context& context, Checkpoint& checkpoint) {
  Plan{settings};
  DielectricResult dielectric = make_dielectric(DielectricPlan(settings), context, checkpoint);
  settings.eps0 = dielectric.eps0;
  settings.eps = dielectric.eps;
  Result result = self_energy(settings, context, checkpoint);
  report(dielectric, context);
  result.dielectric = std::move(dielectric.q);
  return result;
}

}  // namespace

Result self_energy(const Settings& settings, app::Context& context, Checkpoint& checkpoint) {
  if (settings.makes_epsilon()) return self_energy_with_own_screening(settings, context, checkpoint);
  const Plan plan(settings);
  const Division division = divide(context.world, settings.gprime_slices);
  const int slices = division.slice.slices, groups = static_cast<int>(division.groups);
  const int count = workers_for(plan, context, groups, slices);
  require_memory(memory_of(memory_counts(plan, groups, slices), count));
  const Slots slots{static_cast<int>(plan.energy_shifts.size()), plan.largest_external(), settings.offdiag.size(),
                    numbers_of_terms(settings)};
  const Range items = division.items(plan.items.size());
  Workers workers;
  workers.push_back(std::make_unique<Worker>(plan, slots, context, division.slice, items));
  while (std::ssize(workers) < count) workers.push_back(std::make_unique<Worker>(*workers[0], context));
  Items(plan, slots, division, context, checkpoint, workers).compute();

  const Checkpoint::Sigma& done = checkpoint.sigma;
  // Slices in their order, so that it does not depend on how many groups there are.
  const size_t all = plan.items.size() * slots.per_item();
  std::vector<double> values(done.values.begin(), done.values.begin() + static_cast<std::ptrdiff_t>(all));
  for (size_t i = all; i < done.values.size(); ++i) values[i % all] += done.values[i];
  const Seen seen(done.seen);
  check_sums(plan, seen, context.outcome);
  auto sums = sum_over_q(plan, slots, values);
  average_cut_sets(plan, slots, sums);
  Result result = make_result(plan, slots, sums);
  result.off_diagonal = elements_between_bands(plan, slots, sums);
  result.iterations = done.iterations;
  result.poles = seen.poles();
  for (app::Row& record : joined_records(workers)) {
    share_verification(context.world, record);
    context.kernels.push_back(std::move(record));
  }
  const auto& warnings = workers[0]->warnings();
  context.outcome.warnings.insert(context.outcome.warnings.end(), warnings.begin(), warnings.end());
  return result;
}

}  // namespace suite::gw
