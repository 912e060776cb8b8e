// SPDX-License-Identifier: BSD-3-Clause
// What the methods of the app (vmc, dmc, optimise) share: the walkers of this process, sums that do not
// depend on the number of processes, the equilibrated start, and what a method leaves behind.
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

// values(rows,own) of every process as values(rows,all), on all of them; exact, so that sums over it are the
// same for any number of processes.
std::vector<double> gather(const app::Communicator& world, const Share& share, std::span<const double> values);
// sum over all walkers of each row, in the order of the walkers.
std::vector<double> sum_over_walkers(const app::Communicator& world, const Share& share, std::span<const double> values);

// Moves accepted in the last sweep(), of all walkers; collective.
double acceptance_of(const Walkers& walkers, int64_t sweeps, const Share& share, const app::Communicator& world);

Implementation implementation_of(const app::Context& context);

// Walkers of this share, swept until they have forgotten their start; tau is tuned during it where it is 0.
// Collective. The next sweep is number `sweeps`. Ends early on a signal.
struct Equilibrated {
  double tau = 0, acceptance = 0;
  int64_t sweeps = 0;
  int stopped_by = 0;  // the signal, or 0
};
Equilibrated equilibrate(Walkers& walkers, const Share& share, const VmcSettings& settings, int64_t reinvert_interval,
                         app::Context& context, const app::StopRequest& stop);

inline constexpr const char* checkpoint_name = "checkpoint.h5";

// What a method leaves behind. Its sections of the results come first; files are written by the app.
struct MethodOutput {
  nlohmann::ordered_json results;
  std::string table;  // for the terminal
  std::vector<app::TextFile> files;
  int stopped_by = 0;  // the signal, or 0
  // What goes on from a file of the run: the key for --set, and the file.
  const char *go_on_key = "restart.file", *go_on_file = checkpoint_name;
};

MethodOutput run_vmc(const Settings& settings, app::Context& context);
MethodOutput run_dmc(const Settings& settings, app::Context& context);       // dmc.cpp
MethodOutput run_optimise(const Settings& settings, app::Context& context);  // optimise.cpp

// The line of an estimate: "-1.09892(31)", the error in the last digits shown.
std::string with_error(double value, double error);

}  // namespace suite::vmc
