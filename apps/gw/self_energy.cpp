// SPDX-License-Identifier: BSD-3-Clause
// The self-energy of every external state: for each (k,q), matrix elements, exchange, and gpp.sigma; then the
// sum over q.
#include <algorithm>
#include <ostream>
#include <span>

#include <fmt/core.h>

#include "base/app.hpp"
#include "consistency.hpp"
#include "gw.hpp"
#include "kernel_call.hpp"
#include "matrix_elements.hpp"
#include "memory.hpp"
#include "offdiag.hpp"
#include "plan.hpp"
#include "screening.hpp"

namespace suite::gw {

namespace {

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

// The ranks of one group share each (k,q); the groups share the items.
struct Division {
  size_t group, groups;
  Slice slice;
  // Rounded up, so that the root has something to do, and to verify, even where there are more groups than
  // items.
  size_t first(size_t items) const { return (items * group + groups - 1) / groups; }
  size_t end(size_t items) const { return (items * (group + 1) + groups - 1) / groups; }
};

Division divide(const app::Communicator& world, int slices) {
  if (slices < 1 || world.size() % slices != 0)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("{} processes cannot share each q by {} slices of G': give a number of processes that {} divides",
                              world.size(), slices, slices));
  return {static_cast<size_t>(world.rank() / slices), static_cast<size_t>(world.size() / slices), {world.rank() % slices, slices, &world}};
}

// A rank's items into its places of `values`; all others stay zero.
void compute_items(const Plan& plan, const Division& division, app::Context& context, const Slots& slots, std::span<double> values,
                   Screenings& screenings, MatrixElements& elements, SigmaKernel& kernel, OffDiagonalKernel& off_diagonal, Seen& seen) {
  const size_t first = division.first(plan.items.size()), end = division.end(plan.items.size());
  if (first == end) return;
  const bool exact_ch = plan.settings.exact_ch(), static_part = plan.settings.static_bands();
  SigmaArguments arguments;
  int screened_q = -1;
  std::vector<double> x(slots.nex), exact(slots.nex);
  std::vector<std::complex<double>> x_between(slots.elements), exact_between(slots.elements);
  std::vector<ElementTerms> terms(slots.elements);
  context.progress.start("q-points", static_cast<long>(end - first));
  for (size_t i = first; i < end; ++i) {
    const Plan::Item& item = plan.items[i];
    const auto& point = plan.q_full[item.q];
    const int wanted = plan.screening_by_image ? item.q : point.irreducible;
    if (wanted != screened_q) {
      arguments.screening = screenings.make(point);
      if (!seen.knows(point.irreducible))
        seen.see(point.irreducible, quality(plan.eps, point.irreducible, plan.wavefunctions.operations(), division.slice),
                 arguments.screening.poles);
      kernel.constants(arguments);
      screened_q = wanted;
    }
    arguments.take_item(plan, item);
    elements.compute(item, arguments.screening, arguments.m);
    seen.see_closure(point.irreducible, closure_excess(arguments, division.slice));
    const bool with_exchange = elements.exchange(i, arguments.screening, x.data(), x_between.data());
    if (exact_ch) elements.static_coulomb_hole(item, arguments.screening, exact.data(), exact_between.data());
    kernel.run(arguments);
    off_diagonal.run(item, arguments, terms);
    for (size_t j = 0; j < slots.elements; ++j) {
      terms[j].x = with_exchange ? x_between[j] : 0;
      terms[j].exact_ch = exact_between[j];
      pack(terms[j], values.data() + i * slots.per_item() + slots.of_element(j));
    }
    for (int n = 0; n < arguments.nex; ++n) {
      double* out = values.data() + i * slots.per_item() + n * slots.per_band();
      out[0] = with_exchange ? x[n] : 0;
      out[1] = exact_ch ? exact[n] : 0;
      out[2] = static_part ? arguments.achs[n].real() : 0;
      for (int iw = 0; iw < slots.nw; ++iw) {
        const auto sx = arguments.asx[static_cast<size_t>(n) * slots.nw + iw], ch = arguments.ach[static_cast<size_t>(n) * slots.nw + iw];
        double* of_energy = out + Slots::at(iw);
        of_energy[0] = sx.real(), of_energy[1] = sx.imag();
        of_energy[2] = ch.real(), of_energy[3] = ch.imag();
      }
    }
    context.progress.advance(static_cast<long>(i + 1 - first));
  }
  context.progress.finish();
}

// What failed on one rank failed on all.
void share_verification(const app::Communicator& world, app::Row& record) {
  std::vector<double> of_rank(2 * static_cast<size_t>(world.size()));
  of_rank[2 * world.rank()] = record.failed();
  of_rank[2 * world.rank() + 1] = record.verification.max_relative_error;
  world.sum(std::span<double>(of_rank));
  for (int rank = 0; rank < world.size(); ++rank) {
    if (!(of_rank[2 * rank + 1] <= record.verification.max_relative_error)) record.verification.max_relative_error = of_rank[2 * rank + 1];
    if (of_rank[2 * rank] == 0 || record.failed()) continue;
    record.verification.status = "failed";
    record.verification.detail = fmt::format("on process {}", rank);
  }
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
      return std::abs(plan.wavefunctions.energy(external.k, external.first + a) -
                      plan.wavefunctions.energy(external.k, external.first + b)) < tol_energy_Ry;
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
      out.k = static_cast<int>(e);
      out.element = s.offdiag[i];
      out.e_l = plan.energy_eV(plan.externals[e].k, out.element.l - 1);
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
  result.occupied = plan.wavefunctions.occupied();
  result.system = plan.system();
  result.triples_nw = slots.nw;
  for (size_t e = 0; e < plan.externals.size(); ++e) {
    const auto& external = plan.externals[e];
    result.kpoints.push_back(plan.wavefunctions.kpoints()[external.k]);
    result.kweights.push_back(plan.wavefunctions.weights()[external.k]);
    for (int band = plan.settings.band_min; band <= plan.settings.band_max; ++band) {
      const double* sum = sums[e].data() + (band - 1 - external.first) * slots.per_band();
      State state;
      state.k = static_cast<int>(e);
      state.band = band;
      state.emf = plan.energy_eV(external.k, band - 1);
      state.x = -sum[0] * rydberg_eV;
      for (int iw = 0; iw < slots.nw; ++iw) {
        state.energies.push_back(state.emf + plan.energy_shifts[iw]);
        const double* of_energy = sum + Slots::at(iw);
        state.sx.emplace_back(of_energy[0] * rydberg_eV, of_energy[1] * rydberg_eV);
        state.ch.emplace_back(of_energy[2] * rydberg_eV, of_energy[3] * rydberg_eV);
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

}  // namespace

Result self_energy(const Settings& settings, app::Context& context) {
  const Plan plan(settings);
  const Division division = divide(context.world, settings.gprime_slices);
  const int slices = division.slice.slices;
  require_memory(memory_of(memory_counts(plan, static_cast<int>(division.groups), slices)));
  const Slots slots{static_cast<int>(plan.energy_shifts.size()), plan.largest_external(), settings.offdiag.size(),
                    numbers_of_terms(settings)};
  KernelSource source(context.implementation, context.variant, context.parameters);
  SigmaKernel kernel(source, settings.static_bands());
  OffDiagonalKernel off_diagonal(plan, source);
  MatrixElements elements(plan, division.first(plan.items.size()), division.end(plan.items.size()), source, division.slice);
  Screenings screenings(plan, source, division.slice);
  const size_t all = plan.items.size() * slots.per_item();
  std::vector<double> values(all * static_cast<size_t>(slices));
  Seen seen(plan.eps.count());
  compute_items(plan, division, context, slots, std::span<double>(values).subspan(all * static_cast<size_t>(division.slice.slice), all),
                screenings, elements, kernel, off_diagonal, seen);

  double iterations = kernel.record().merit.count;
  context.world.sum(std::span<double>(values));
  // Slices in their order, so that it does not depend on how many groups there are.
  for (size_t i = all; i < values.size(); ++i) values[i % all] += values[i];
  values.resize(all);
  context.world.sum(std::span<double>(&iterations, 1));
  seen.share(context.world, slices);
  check_sums(plan, seen, context.outcome);
  auto sums = sum_over_q(plan, slots, values);
  average_cut_sets(plan, slots, sums);
  Result result = make_result(plan, slots, sums);
  result.off_diagonal = elements_between_bands(plan, slots, sums);
  result.iterations = iterations;
  result.poles = seen.poles();
  std::vector<app::Row> records{kernel.record(), elements.record(), screenings.record()};
  if (off_diagonal.wanted()) records.insert(records.begin() + 1, off_diagonal.record());
  for (app::Row& record : records) {
    share_verification(context.world, record);
    context.kernels.push_back(std::move(record));
  }
  context.outcome.warnings.insert(context.outcome.warnings.end(), source.warnings().begin(), source.warnings().end());
  return result;
}

}  // namespace suite::gw
