// SPDX-License-Identifier: BSD-3-Clause
#include "session.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <suite/cpu/levels.hpp>
#include <suite/deterministic.hpp>

#include "common/communicator.hpp"
#include "common/io.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "common/paths.hpp"
#include "measure/installed.hpp"
#include "registry.hpp"
#include "replay.hpp"
#include "table.hpp"

namespace suite::app {

namespace fs = std::filesystem;

fs::path find_input(const std::string& name) {
  const fs::path here = name;
  std::error_code error;
  if (fs::exists(here, error) || here.has_parent_path()) return here;
  const fs::path installed = installed_inputs() / here;
  if (fs::exists(installed, error)) return installed;
  std::vector<std::string> others;
  for (const fs::path& folder : {fs::path("."), installed_inputs()})
    for (fs::directory_iterator i(folder, error), end; !error && i != end && others.size() < 1000; i.increment(error))
      if (i->path().extension() == ".yaml" || i->path().extension() == ".yml") others.push_back(i->path().filename().string());
  const std::string known = what_else_it_is(name);
  throw IoFailure(name + ": no such file here or in " + installed_inputs().string() + (known.empty() ? did_you_mean(name, others) : known));
}

static bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

static bool is_family_of(const std::vector<std::string>& kernels, const std::string& name) {
  return std::any_of(kernels.begin(), kernels.end(), [&](const std::string& kernel) { return kernel.rfind(name + ".", 0) == 0; });
}

std::string what_else_it_is(const std::string& name) {
  if (is_one_of(app_names(), name))
    return "; it is an app: 'suite help " + name + "' describes it, 'suite init " + name + "' writes an input";
  const auto kernels = kernel_names();
  if (is_one_of(kernels, name)) return "; it is a kernel: 'suite list " + name + "' describes it, 'suite bench " + name + "' times it";
  return is_family_of(kernels, name) ? "; it is a family of kernels: 'suite bench " + name + "' times them" : "";
}

void require_kernel_asked_for(const std::string& name) {
  // A family may have the name of an app: require_kernel lists its kernels.
  if (is_one_of(app_names(), name) && !is_family_of(kernel_names(), name))
    throw Failure(SUITE_NOT_FOUND, "no kernel " + in_quotes(name) + what_else_it_is(name));
  require_kernel(name);
}

namespace {

// Ends an input that is sound, with its warnings on standard error.
void finish(const Input& input, const Arguments& arguments) {
  input.finish();
  const std::string warnings = input.warnings();
  if (!warnings.empty() && !arguments.has("--quiet") && launched_rank() <= 0) std::cerr << warnings << "\n";
}

// Refuses parameters that have a key or an option of their own. section: "kernel." or "".
void check_settings(const Input& input, const std::string& section) {
  for (const auto& [name, value] : input.settings(section + "parameters")) {
    const std::string path = section + "parameters." + name;
    if (name == "variant") input.fail(path, "'variant' is a separate key: " + section + "variant");
    if (name == "threads") input.fail(path, "threads are set by --threads");
  }
}

}  // namespace

Loaded load_input(const Arguments& arguments, std::ostream& about) {
  const fs::path file = find_input(arguments.positional()[0]);
  if (Replay::recognises(file)) {
    auto replay = std::make_shared<Replay>(file);
    Input input = replay->input(arguments);
    check_settings(input, "");
    input.finish();
    return {nullptr, std::move(input), replay->kernel(), replay};
  }
  const auto overrides = arguments.all("--set");
  // An app missing in this build is no error of the input: make_app gives the reason.
  std::vector<std::string> apps;
  for (const auto& app : registered_apps()) apps.push_back(app.name);
  const InputText text = read_input_text(file);
  const Header header = read_header(text, apps, overrides);
  if (!header.app.empty()) {
    auto app = make_app(header.app);
    try {
      Input input = Input::read_on(text, app->keys(), overrides);
      input.group([&] { check_settings(input, "kernel."); });
      input.group([&] { app->check(input, about); });
      finish(input, arguments);
      return {std::move(app), std::move(input), ""};
    } catch (InputErrors& e) {
      e.set_app(header.app);
      throw;
    }
  }
  Input input = Input::read_on(text, kernel_keys(), overrides);
  const auto names = kernel_names();
  if (std::find(names.begin(), names.end(), header.kernel) == names.end())
    input.fail("kernel", "no kernel " + in_quotes(header.kernel) + did_you_mean(header.kernel, names), SUITE_NOT_FOUND);
  input.group([&] { check_settings(input, ""); });
  finish(input, arguments);
  return {nullptr, std::move(input), header.kernel};
}

bool prints(const Arguments& arguments) { return !arguments.has("--json") && !arguments.has("--csv") && !arguments.has("--quiet"); }

uint64_t seed_of(const Arguments& arguments) { return static_cast<uint64_t>(arguments.number("--seed", 1, 0, 1L << 62)); }

long repeat_of(const Arguments& arguments, long otherwise) { return arguments.number("--repeat", otherwise, 1, 100000); }

void apply_environment(const Arguments& arguments) {
  const std::string plugin = arguments.get("--plugin");
  std::error_code error;
  if (!plugin.empty()) {
    if (!fs::exists(plugin, error))
      throw Failure(SUITE_NOT_FOUND, "--plugin names a file or folder that does not exist: " + in_quotes(plugin));
    if (fs::is_directory(plugin, error)) {
      const char* before = std::getenv("SUITE_PLUGIN_PATH");
      setenv("SUITE_PLUGIN_PATH", (fs::canonical(plugin).string() + (before && *before ? std::string(":") + before : "")).c_str(), 1);
    }
  }
  if (arguments.has("--deterministic")) setenv("SUITE_DETERMINISTIC", "1", 1);
  if (arguments.verb() != "bench") use_threads(static_cast<int>(arguments.number("--threads", 0, 1, 4096)), ranks_on_this_machine());
}

namespace {

// The plugin file of --plugin as a path.
std::string plugin_file(const Arguments& arguments) {
  std::error_code error;
  const std::string plugin = arguments.get("--plugin");
  if (plugin.empty() || fs::is_directory(plugin, error)) return "";
  return plugin.find('/') == std::string::npos ? "./" + plugin : plugin;
}

}  // namespace

void require_device(const Arguments& arguments) {
  if (arguments.has("--implementations")) {
    if (arguments.has("--backend")) throw UsageError("--implementations and --backend each choose the implementations; give one");
  } else if (arguments.has("--implementation") + arguments.has("--backend") + !plugin_file(arguments).empty() > 1) {
    throw UsageError("--implementation, --backend and --plugin FILE each choose the implementation; give one");
  }
  if (arguments.has("--backend")) Device(arguments.get("--backend"));
}

std::string chosen_implementation(const Arguments& arguments, const std::string& kernel, const std::string& otherwise) {
  if (const std::string file = plugin_file(arguments); !file.empty()) return file;
  if (arguments.has("--backend")) return implementation_on(kernel, arguments.get("--backend"));
  return arguments.get("--implementation", otherwise);
}

Parameters given_parameters(const Arguments& arguments) {
  Parameters parameters;
  const bool lists = arguments.verb() == "compare" || arguments.verb() == "bench" || arguments.verb() == "roofline";
  for (const auto& text : arguments.all("--parameter")) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw UsageError("option --parameter must be NAME=VALUE, such as precision=mixed; got " + in_quotes(text));
    const Parameter parameter{text.substr(0, equals), text.substr(equals + 1)};
    if (parameter.name == "variant")
      throw UsageError(std::string("--parameter: ") + (arguments.verb() == "ladder" ? "a ladder runs all variants"
                                                       : lists                      ? "variants are selected by --variants"
                                                                                    : "the variant is selected by --variant"));
    if (parameter.name == "threads") throw UsageError("--parameter: threads are set by --threads");
    for (const auto& earlier : parameters)
      if (earlier.name == parameter.name)
        throw UsageError("--parameter: " + in_quotes(parameter.name) + " is given twice" +
                         (lists ? "; several values are written " + parameter.name + "=A,B" : ""));
    parameters.push_back(parameter);
  }
  return parameters;
}

std::shared_ptr<const TunedFile> tuned_settings(const Arguments& arguments) {
  for (const char* without : {"--no-tuned", "--tune"})
    if (arguments.has(without)) return nullptr;
  // Knobs may affect the order of a sum.
  if (deterministic_wanted()) return nullptr;
  return std::make_shared<TunedFile>();
}

bool are_named(const Arguments& arguments) { return arguments.has("--implementations") || arguments.has("--backend"); }

namespace {

// The first candidate of an implementation, or null if it is optional and cannot be opened here.
std::unique_ptr<Candidate> open_candidate(const std::string& kernel, const std::string& implementation, bool named,
                                          std::vector<LeftOut>& left_out) {
  try {
    auto candidate = std::make_unique<Candidate>(kernel, implementation, "");
    if (named || candidate->record().backend != "emulated") return candidate;
    left_out.push_back({implementation, "an emulation, not meant for speed; select it explicitly"});
    return nullptr;
  } catch (const Failure& failure) {
    const int status = failure.status();
    if (named || (status != SUITE_NOT_FOUND && status != SUITE_DEVICE_ERROR && status != SUITE_UNSUPPORTED)) throw;
    left_out.push_back({implementation, failure.what()});
    return nullptr;
  }
}

// Every combination of the wanted values of the parameters that the implementation has; one empty combination if it has none.
std::vector<Parameters> combinations(const Parameters& wanted, const suite_kernel_table& table) {
  std::vector<Parameters> all(1);
  for (const auto& [name, values] : wanted) {
    if (!find_parameter(table, name)) continue;
    std::vector<Parameters> more;
    for (const auto& so_far : all)
      for (const auto& value : split_list(values, "--parameter")) {
        more.push_back(so_far);
        more.back().push_back({name, value});
      }
    all = std::move(more);
  }
  return all;
}

// " (opencl: no device; emulated: ...)"
std::string reasons(const std::vector<LeftOut>& left_out) {
  std::string text;
  for (const auto& [implementation, why] : left_out) text += (text.empty() ? " (" : "; ") + implementation + ": " + why;
  return text.empty() ? "" : text + ")";
}

void require_known(const Parameters& wanted, const std::vector<std::string>& known, const std::vector<std::string>& implementations) {
  std::string list;
  for (const auto& name : implementations) list += (list.empty() ? "" : ", ") + name;
  for (const auto& parameter : wanted)
    if (std::find(known.begin(), known.end(), parameter.name) == known.end())
      throw UsageError("--parameter: no implementation here (" + list + ") has a parameter " + in_quotes(parameter.name) +
                       did_you_mean(parameter.name, known));
}

}  // namespace

std::vector<std::unique_ptr<Candidate>> make_candidates(const Arguments& arguments, const std::string& kernel,
                                                        const std::vector<std::string>& by_default, std::vector<LeftOut>& left_out,
                                                        const Parameters& of_input) {
  std::vector<std::unique_ptr<Candidate>> candidates;
  std::vector<std::string> implementations = by_default;
  if (arguments.has("--implementations")) implementations = split_list(arguments.get("--implementations"), "--implementations");
  if (arguments.has("--backend")) {
    // Keep the reference in a comparison that starts with it.
    if (!by_default.empty() && by_default.front() == "reference") implementations = {"reference"};
    else implementations.clear();
    implementations.push_back(implementation_on(kernel, arguments.get("--backend")));
  }
  const std::string asked = arguments.get("--variants");
  Parameters parameters = given_parameters(arguments);
  for (const auto& parameter : of_input)
    if (std::none_of(parameters.begin(), parameters.end(), [&](const Parameter& given) { return given.name == parameter.name; }))
      parameters.push_back(parameter);
  std::vector<std::string> wanted, known, known_parameters, opened;
  if (!asked.empty() && asked != "all") wanted = split_list(asked, "--variants");
  for (const auto& implementation : implementations) {
    auto first = open_candidate(kernel, implementation, are_named(arguments), left_out);
    if (!first) continue;
    const suite_kernel_table& table = first->kernel().table();
    const auto its = variants_of(table);
    known.insert(known.end(), its.begin(), its.end());
    opened.push_back(implementation);
    for (uint32_t i = 0; i < table.parameter_count; ++i) known_parameters.push_back(table.parameters[i].name);
    const size_t before = candidates.size();
    for (const auto& combination : combinations(parameters, table)) {
      if (asked.empty() || its.empty())
        candidates.push_back(combination.empty() ? std::move(first) : std::make_unique<Candidate>(kernel, implementation, "", combination));
      else
        for (const auto& variant : its)
          if (asked == "all" || std::find(wanted.begin(), wanted.end(), variant) != wanted.end())
            candidates.push_back(std::make_unique<Candidate>(kernel, implementation, variant, combination));
    }
    if (candidates.size() == before) left_out.push_back({implementation, "it has none of the variants " + asked});
  }
  if (opened.empty())
    throw Failure(SUITE_NOT_FOUND, "no implementation of " + kernel + " is available besides the reference" + reasons(left_out));
  require_known(parameters, known_parameters, opened);
  if (known.empty() && (!wanted.empty() || (asked == "all" && arguments.verb() != "bench")))
    throw Failure(SUITE_NOT_FOUND, "--variants: none of the implementations has variants");
  for (const auto& variant : wanted)
    if (std::find(known.begin(), known.end(), variant) == known.end())
      throw Failure(SUITE_NOT_FOUND, "--variants: no implementation has a variant " + in_quotes(variant) + did_you_mean(variant, known));
  Candidate::name_apart(candidates);
  if (const auto tuned = tuned_settings(arguments))
    for (auto& candidate : candidates) candidate->use(tuned);
  return candidates;
}

std::string level_of(const std::string& plugin_file) {
  const std::string folder = fs::path(plugin_file).parent_path().filename().string();
  for (const auto& level : cpu::levels)
    if (folder == level.name) return folder;
  return "baseline";
}

std::string simd_of(const std::string& plugin_file) {
  for (const auto& level : cpu::levels)
    if (level_of(plugin_file) == level.name) return level.vectors;
  return "baseline build";
}

std::string giga(double per_second) {
  if (!(per_second > 0)) return "-";
  const double g = per_second * 1e-9;
  return fixed(g, g < 10 ? 2 : 1);
}

}  // namespace suite::app
