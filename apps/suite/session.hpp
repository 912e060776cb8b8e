// SPDX-License-Identifier: BSD-3-Clause
// Shared by several verbs: finding the input, choosing implementations, formatting.
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

// Looks for a name without folder in the current folder, then among the installed inputs. Throws IoFailure.
std::filesystem::path find_input(const std::string& name);

// Of a word that is given where something else is expected: "; it is a kernel: 'suite list gpp.sigma' describes it, ...", of an app or a family
// of kernels likewise, and "" of any other.
std::string what_else_it_is(const std::string& name);
// Throws Failure (not found) unless it is a kernel of a plugin.
void require_kernel_asked_for(const std::string& name);

// A validated input with its app (null for one kernel on generated or captured data).
struct Loaded {
  std::unique_ptr<App> app;
  Input input;
  std::string kernel;  // of a kernel input or a capture
  std::shared_ptr<Replay> replay = nullptr;
};
// about: receives the description from the app's check.
Loaded load_input(const Arguments& arguments, std::ostream& about);

// Whether to print tables on standard output: without --json, --csv and --quiet.
bool prints(const Arguments& arguments);
uint64_t seed_of(const Arguments& arguments);  // --seed
long repeat_of(const Arguments& arguments, long otherwise = 0);  // --repeat

// Applies --threads and --plugin FOLDER before anything is loaded.
void apply_environment(const Arguments& arguments);

// Before any work: checks that at most one of --implementation(s), --backend and --plugin FILE is given, and that the device of --backend
// can be opened. There is no fallback to another device.
void require_device(const Arguments& arguments);
// The implementation selected by --implementation, --backend or --plugin, else the one of the input.
std::string chosen_implementation(const Arguments& arguments, const std::string& kernel, const std::string& otherwise);

// --parameter NAME=VALUE, each name once. Throws UsageError.
Parameters given_parameters(const Arguments& arguments);

// Knob settings stored by --tune; null with --no-tuned, and if knobs must keep their defaults.
std::shared_ptr<const TunedFile> tuned_settings(const Arguments& arguments);

// Whether the candidates were named by --implementations or --backend.
bool are_named(const Arguments& arguments);
// One candidate per implementation, variant and combination of parameters, selected by --implementations or --backend, --variants, and
// --parameter, which applies to implementations that have it and may list values. Default candidates that cannot be opened are left out;
// named ones throw. of_input: parameters used unless --parameter overrides them.
std::vector<std::unique_ptr<Candidate>> make_candidates(const Arguments& arguments, const std::string& kernel,
                                                        const std::vector<std::string>& by_default, std::vector<LeftOut>& left_out,
                                                        const Parameters& of_input = {});

// The instruction set a plugin was built for, from its folder: "x86-64-v4" or "baseline"; and the corresponding vector instructions.
std::string level_of(const std::string& plugin_file);
std::string simd_of(const std::string& plugin_file);

// "4.1e+09" as "4.10": G terms/s, GFLOP/s; "-" for zero.
std::string giga(double per_second);

}  // namespace suite::app
