// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

namespace suite::vmc {
namespace {

constexpr double wanted_acceptance = 0.5;
constexpr int64_t window = 10;         // sweeps between changes of the time step
constexpr double first_step = 0.8;     // in r_s: roughly half of the moves accepted at any density
constexpr double first_tau_of_molecule = 0.1;  // hbar/Ha
constexpr double largest_change = 2;   // of the step length in one adjustment
constexpr double tuning_share = 0.75;  // fraction of the equilibration; the rest runs with the final step

}  // namespace

Share::Share(int64_t all_walkers, const app::Communicator& world)
    : all(all_walkers), begin(all_walkers * world.rank() / world.size()), own(all_walkers * (world.rank() + 1) / world.size() - begin) {
  if (all < world.size())
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} walkers on {} processes; each needs at least one", all, world.size()));
}

std::vector<int64_t> Share::streams() const {
  std::vector<int64_t> numbers(static_cast<size_t>(own));
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

std::vector<double> gather(const app::Communicator& world, const Share& share, std::span<const double> values) {
  if (share.own == share.all) return {values.begin(), values.end()};
  const size_t rows = values.size() / static_cast<size_t>(share.own);
  std::vector<double> all(rows * static_cast<size_t>(share.all), 0.0);
  std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(rows) * share.begin);
  world.sum(all);
  return all;
}

std::vector<double> sum_over_walkers(const app::Communicator& world, const Share& share, std::span<const double> values) {
  const auto all = gather(world, share, values);
  const size_t rows = all.size() / static_cast<size_t>(share.all);
  std::vector<double> sums(rows, 0.0);
  for (size_t i = 0; i < all.size(); ++i) sums[i % rows] += all[i];
  return sums;
}

Implementation implementation_of(const app::Context& context) { return {context.implementation, context.variant, context.parameters}; }

double acceptance_of(const Walkers& walkers, int64_t sweeps, const Share& share, const app::Communicator& world) {
  double accepted = 0;
  for (const int32_t count : walkers.accepted()) accepted += count;
  world.sum({&accepted, 1});  // whole numbers: exact in any order
  return accepted / (static_cast<double>(sweeps) * static_cast<double>(share.all) * static_cast<double>(walkers.system().netot()));
}

Equilibrated equilibrate(Walkers& walkers, const Share& share, const VmcSettings& settings, int64_t reinvert_interval,
                         app::Context& context, const app::StopRequest& stop) {
  Equilibrated e;
  const System& system = walkers.system();
  const double first = system.molecule ? first_tau_of_molecule : first_step * first_step * system.rs * system.rs;
  e.tau = settings.tau > 0 ? settings.tau : settings.first_tau > 0 ? settings.first_tau : first;
  const auto tuned = static_cast<int64_t>(tuning_share * static_cast<double>(settings.equilibration));
  // With few electrons nothing may ever be rejected; the step is limited to the size of the cell. In open space it is limited by itself.
  const double longest = std::pow(system.volume(), 2.0 / 3);
  walkers.scatter(share.streams());
  context.progress.start("equilibration", settings.equilibration);
  int64_t since_inversion = 0;
  while (e.sweeps < settings.equilibration) {
    const int64_t n = std::min(window, settings.equilibration - e.sweeps);
    walkers.sweep({settings.move, e.tau, 0.5, n, e.sweeps});
    e.sweeps += n;
    e.acceptance = acceptance_of(walkers, n, share, context.world);
    if (settings.tau == 0 && e.sweeps <= tuned) {
      // Acceptance decreases with the step length; at the wanted acceptance the factor is 1.
      const double change = std::clamp(e.acceptance / wanted_acceptance, 1 / largest_change, largest_change);
      e.tau = std::min(e.tau * change * change, longest);
    }
    since_inversion += n;
    if (since_inversion >= reinvert_interval) walkers.reinvert(), since_inversion = 0;
    context.progress.advance(e.sweeps);
    e.stopped_by = app::agreed_signal(context.world, stop);
    if (e.stopped_by) break;
  }
  context.progress.finish();
  walkers.reinvert();
  return e;
}

std::string with_error(double value, double error) {
  constexpr int most_decimals = 12;
  if (!(error >= 0.5 * std::pow(10, -most_decimals)) || !std::isfinite(error)) return fmt::format("{:.12g}", value);
  // Two digits of the error.
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, most_decimals);
  return fmt::format("{:.{}f}({:.0f})", value, decimals, std::round(error * std::pow(10, decimals)));
}

}  // namespace suite::vmc
