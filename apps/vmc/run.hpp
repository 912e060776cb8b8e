// SPDX-License-Identifier: BSD-3-Clause
// Shared by the methods of the app (vmc, dmc, optimise): the walkers of this process, sums independent of the number of processes, the
// equilibrated start, and the output of a method.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/app.hpp"
#include "base/stop.hpp"
#include "common/io.hpp"
#include "settings.hpp"
#include "walkers.hpp"

namespace suite::vmc {

// Walkers [begin, begin + own) of all belong to this process; their streams are their numbers.
struct Share {
  int64_t all = 0, begin = 0, own = 0;
  Share(int64_t all, const app::Communicator& world);
  std::vector<int64_t> streams() const;
};

// Gathers values(rows,own) of every process as values(rows,all) on all of them; exact, so that sums over it are the same for any number of
// processes.
std::vector<double> gather(const app::Communicator& world, const Share& share, std::span<const double> values);
// Sum of each row over all walkers, in walker order.
std::vector<double> sum_over_walkers(const app::Communicator& world, const Share& share, std::span<const double> values);

// Acceptance of all walkers in the last sweep(); collective.
double acceptance_of(const Walkers& walkers, int64_t sweeps, const Share& share, const app::Communicator& world);

Implementation implementation_of(const app::Context& context);

// Equilibrates the walkers of this share, tuning tau during the first part if it is 0. Collective. The next sweep is number `sweeps`. Stops
// early on a signal.
struct Equilibrated {
  double tau = 0, acceptance = 0;
  int64_t sweeps = 0;
  int stopped_by = 0;  // signal that stopped the run, or 0
};
Equilibrated equilibrate(Walkers& walkers, const Share& share, const VmcSettings& settings, int64_t reinvert_interval,
                         app::Context& context, const app::StopRequest& stop);

inline constexpr const char* checkpoint_name = "checkpoint.h5";

// Output of a method: the first sections of the results; the files are written by the app.
struct MethodOutput {
  nlohmann::ordered_json results;
  std::string table;  // for the terminal
  std::vector<app::TextFile> files;
  int stopped_by = 0;  // signal that stopped the run, or 0
  // How to continue from a file of the run: the key for --set, and the file.
  const char *continue_key = "restart.file", *continue_file = checkpoint_name;
};

MethodOutput run_vmc(const Settings& settings, app::Context& context);
MethodOutput run_dmc(const Settings& settings, app::Context& context);  // dmc.cpp
MethodOutput run_optimise(const Settings& settings, app::Context& context);  // optimise.cpp

// Formats an estimate: "-1.09892(31)", with the error in the last digits shown.
std::string with_error(double value, double error);

}  // namespace suite::vmc
