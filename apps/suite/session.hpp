// SPDX-License-Identifier: BSD-3-Clause
// What several verbs do alike: finding the input, choosing implementations, printing times.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/app.hpp"
#include "measure/candidate.hpp"
#include "options.hpp"

namespace suite::app {

class Replay;

// A name without a folder is looked for here, then among the installed inputs. Throws IoFailure.
std::filesystem::path find_input(const std::string& name);

// An input with the app that it is for (app is null for one kernel on generated or captured data), checked.
struct Loaded {
  std::unique_ptr<App> app;
  Input input;
  std::string kernel;  // of a kernel input, or of a capture
  std::shared_ptr<Replay> replay = nullptr;
};
// about: where the app's check describes what it found.
Loaded load_input(const Arguments& arguments, std::ostream& about);

// Whether tables go to standard output: without --json and --quiet.
bool prints(const Arguments& arguments);
uint64_t seed_of(const Arguments& arguments);    // --seed
long repeat_of(const Arguments& arguments, long otherwise = 0);  // --repeat

// --threads and --plugin FOLDER, before anything is loaded.
void apply_environment(const Arguments& arguments);

// Before any work: that only one of --implementation(s), --backend and --plugin FILE is given, and that the device of
// --backend can be opened. There is no other device to fall back on.
void require_device(const Arguments& arguments);
// The implementation of a kernel by --implementation, --backend and --plugin, or what the input says.
std::string chosen_implementation(const Arguments& arguments, const std::string& kernel, const std::string& otherwise);

// --parameter NAME=VALUE, each name once. Throws UsageError.
Parameters given_parameters(const Arguments& arguments);

// Settings of knobs that --tune has kept; null with --no-tuned, and where knobs must stay as they are.
std::shared_ptr<const TunedFile> tuned_settings(const Arguments& arguments);

// Whether the candidates were named, by --implementations or --backend.
bool are_named(const Arguments& arguments);
// One candidate per implementation, variant and combination of parameters, of --implementations or --backend, --variants,
// and --parameter, which is for those implementations that have it and may list values. Of the default ones, those that
// cannot be opened here are left out; one that was named fails. of_input: parameters that hold unless --parameter names them.
std::vector<std::unique_ptr<Candidate>> make_candidates(const Arguments& arguments, const std::string& kernel,
                                                        const std::vector<std::string>& by_default, std::vector<LeftOut>& left_out,
                                                        const Parameters& of_input = {});

// The instruction set that a plugin was built for, by the folder it lies in: "x86-64-v4" or "baseline"; and the vector
// instructions that this means.
std::string level_of(const std::string& plugin_file);
std::string simd_of(const std::string& plugin_file);

// "4.1e+09" as "4.10": G terms/s, GFLOP/s; "-" for nothing.
std::string giga(double per_second);

}  // namespace suite::app
