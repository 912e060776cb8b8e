// SPDX-License-Identifier: BSD-3-Clause
#include "ceilings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/core.h>

#include "common/machine.hpp"
#include "caches.hpp"
#include "idle_threads.hpp"
#include "installed.hpp"
#include "statistics.hpp"

namespace suite::app {
namespace {

// long enough that starting threads or launching on a device is negligible
constexpr double cpu_run_s = 1e-3, device_run_s = 5e-3;
constexpr double patience_s = 0.05, longest_s = 1;
constexpr int least_runs = 10;

bool is_cpu(const std::string& backend) { return backend.substr(0, backend.find(':')) == "cpu"; }

// Opens a ceiling kernel on a backend; nothing if it does not exist, or only in a plugin hidden by another.
std::optional<Kernel> open_ceiling(const std::string& kernel, const std::string& backend) {
  const auto found = find_implementation_on(kernel, backend);
  if (!found) return std::nullopt;
  try {
    return std::optional<Kernel>(std::in_place, kernel, *found);
  } catch (const Failure& failure) {
    if (failure.status() != SUITE_NOT_FOUND) throw;
    return std::nullopt;
  }
}

// The fastest run: ends when 0.05 s have brought no run that is a percent faster. On an idle machine that is soon; on a busy one all
// threads rarely run undisturbed.
struct Fastest {
  double wall_s;  // wall time of the fastest run
  double cpu_s;   // mean CPU time of a run: the system updates it once per tick, so a single run may miss a thread
};
Fastest fastest(Kernel& kernel) {
  wait_for_idle_threads();  // threads of another backend
  const double begin = wall_s(), cpu = cpu_s();
  Fastest best{INFINITY, INFINITY};
  double since = begin;
  int runs = 0;
  for (; runs < least_runs || wall_s() - since < patience_s; ++runs) {
    const double s = kernel.run();
    if (s < 0.99 * best.wall_s && wall_s() - begin < longest_s) since = wall_s();
    best.wall_s = std::min(best.wall_s, s);
  }
  best.cpu_s = (cpu_s() - cpu) / runs;
  return best;
}
double fastest_s(Kernel& kernel) { return fastest(kernel).wall_s; }

struct Rates {
  double per_s = 0, per_cpu_s = 0;
};

// Operations per second of a kernel of dependent chains.
Rates arithmetic(const std::string& kernel_name, const std::string& backend, bool single) {
  auto opened = open_ceiling(kernel_name, backend);
  if (!opened) return {};
  Kernel& kernel = *opened;
  const std::string precision = single ? ",precision=single" : "";
  kernel.generate("small" + precision, 1);
  kernel.run();
  const double enough_s = is_cpu(backend) ? cpu_run_s : device_run_s;
  if (const double s = kernel.run(); s < enough_s) {
    const double n = kernel.merit() * enough_s / std::max(s, 1e-7);
    kernel.generate(fmt::format("n={}{}", std::llround(n), precision), 1);
  }
  const Fastest best = fastest(kernel);
  const double flops = kernel.cost().flops;
  return {flops / best.wall_s, is_cpu(backend) ? flops / best.cpu_s : 0};
}

// Bytes per second when reading a working set repeatedly.
double reading(Kernel& kernel, double working_set_B) {
  constexpr double begin_B = 2e8, short_s = 1e-3, long_s = 3e-3;
  const std::string size = fmt::format("n={}", std::llround(working_set_B / 8));
  double repeats = std::max(1.0, begin_B / working_set_B), best_s = 0;
  // On a busy machine a single run is unreliable; take the fastest of a few.
  for (int round = 0; round < 3; ++round) {
    kernel.generate(fmt::format("{},repeats={}", size, std::llround(repeats)), 1);
    best_s = kernel.run();
    for (int i = 0; i < 3; ++i) best_s = std::min(best_s, kernel.run());
    if (best_s > short_s) break;
    repeats = std::ceil(repeats * long_s / std::max(best_s, 1e-6));
  }
  return kernel.cost().bytes / std::min(best_s, fastest_s(kernel));
}

double free_memory_B(const Kernel& kernel) {
  uint64_t free = 0, total = 0;
  suite_error error{};
  if (suite_device_memory(suite_call_device(kernel.handle()), &free, &total, &error) != SUITE_OK) return 0;
  return static_cast<double>(free);
}

// The CPU's caches, each filled by half to leave room for the rest of the program.
std::vector<Ceiling> cpu_levels(Kernel& read, int threads) {
  constexpr double vectors_B = 96 * 8;  // step of the loop, so that a share has no remainder
  std::vector<Ceiling> levels;
  double last_B = 0, before_B = 0;
  for (const Cache& cache : cpu_caches()) {
    const int sharing = std::min(threads, cache.shared_by);
    const double share_B = std::floor(cache.size_B / 2 / sharing / vectors_B) * vectors_B;
    const double capacity_B = cache.size_B * std::ceil(static_cast<double>(threads) / cache.shared_by);
    last_B = std::max(last_B, capacity_B);
    if (share_B < 1.5 * before_B || share_B == 0) continue;  // its capacity belongs to the previous level
    before_B = share_B;
    levels.push_back({fmt::format("L{}", cache.level), "ceilings.read", reading(read, share_B * threads), share_B * threads, capacity_B});
  }
  if (last_B == 0) return {};
  const double memory_B = std::min(std::max(4 * last_B, 268435456.0), free_memory_B(read) / 4);
  levels.push_back({"memory", "ceilings.read", reading(read, memory_B), memory_B, INFINITY});
  return levels;
}

// For devices that do not report their cache sizes.
std::vector<Ceiling> scanned_levels(Kernel& read) {
  const double most = std::min(268435456.0, free_memory_B(read) / 4);
  std::vector<double> sizes, bandwidths;
  for (double size = 16384; size <= most; size *= 2) {
    sizes.push_back(size);
    bandwidths.push_back(reading(read, size));
  }
  return levels_of(sizes, bandwidths);
}

// a = b + s c, which also writes; it is the memory ceiling if it moves more bytes per second than reading.
void add_triad(DeviceCeilings& c) {
  auto opened = c.bandwidth.empty() ? std::nullopt : open_ceiling("ceilings.triad", c.device);
  if (!opened) return;
  Kernel& triad = *opened;
  const Ceiling& memory = c.bandwidth.back();
  const double bytes = memory.working_set_B;
  triad.generate(fmt::format("n={}", std::llround(bytes / 24)), 1);
  triad.run();
  c.bandwidth.push_back({"memory, triad", "ceilings.triad", triad.cost().bytes / fastest_s(triad), bytes, INFINITY});
}

DeviceCeilings measured_ceilings(int threads, const std::string& backend, bool single) {
  DeviceCeilings c{backend, "", single, threads, {}, {}};
  const double fma = fma_ceiling(threads, backend, single);
  c.compute.push_back({"FMA", "ceilings.fma", fma});
  // Where a device has no matrix units, or slow ones, theirs is no ceiling.
  if (const double matrix = single ? 0 : arithmetic("ceilings.matrix", backend, single).per_s; matrix > fma)
    c.compute.push_back({"matrix", "ceilings.matrix", matrix});
  for (const auto& [name, kernel] :
       {std::pair{"no FMA", "ceilings.nofma"}, {"divide", "ceilings.divide"}, {"reciprocal", "ceilings.reciprocal"}})
    c.compute.push_back({name, kernel, arithmetic(kernel, backend, single).per_s});
  std::erase_if(c.compute, [](const Ceiling& one) { return !(one.per_s > 0); });
  if (auto opened = open_ceiling("ceilings.read", backend)) {
    Kernel& read = *opened;
    c.description = suite_device_describe(suite_call_device(read.handle()));
    if (is_cpu(backend)) c.bandwidth = cpu_levels(read, threads);
    if (c.bandwidth.empty()) c.bandwidth = scanned_levels(read);
    add_triad(c);
  }
  return c;
}

}  // namespace

double fma_ceiling(int threads, const Candidate& candidate) { return fma_ceiling(threads, candidate.device(), candidate.is_single()); }

std::string in_single(const Candidate& candidate) { return candidate.is_single() ? " in single precision" : ""; }

static const Rates& fma_rates(int threads, const std::string& backend, bool single) {
  static std::map<std::tuple<int, std::string, bool>, Rates> measured;
  const auto [at, is_new] = measured.try_emplace({threads, backend, single});
  if (is_new) at->second = arithmetic("ceilings.fma", backend, single);
  return at->second;
}

double fma_ceiling(int threads, const std::string& backend, bool single) { return fma_rates(threads, backend, single).per_s; }

double fma_ceiling_of_cpu(int threads, const Candidate& candidate) {
  return fma_rates(threads, candidate.device(), candidate.is_single()).per_cpu_s;
}

double fma_fraction_of_cpu(int threads, const Candidate& candidate) {
  const Row& r = candidate.record();
  const double ceiling = fma_ceiling_of_cpu(threads, candidate);
  if (!(ceiling > 0) || r.samples_s.empty() || !(r.flops > 0)) return 0;
  const double cpu = estimate(r.cpu_samples_s).median;
  return cpu > 0 ? r.flops_per_run() / cpu / ceiling : 0;
}

const DeviceCeilings& ceilings_of(int threads, const std::string& backend, bool single) {
  static std::map<std::tuple<int, std::string, bool>, DeviceCeilings> measured;
  const auto known = measured.find({threads, backend, single});
  if (known != measured.end()) return known->second;
  return measured.emplace(std::tuple(threads, backend, single), measured_ceilings(threads, backend, single)).first->second;
}

}  // namespace suite::app
