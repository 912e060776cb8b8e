// SPDX-License-Identifier: BSD-3-Clause
#include "capture.hpp"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <mutex>

#include "call.hpp"
#include "process.hpp"
#include "registry.hpp"
#include "sha256.hpp"
#include "text.hpp"

namespace suite::core {
namespace {

// Calls a function of the module, whose failure is a sentence.
template <class F, class... A> void must(F function, A... arguments) {
  suite_error error{};
  require_ok(function(arguments..., &error), error, "capture");
}

std::string utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char line[32] = {};
  ::gmtime_r(&now, &parts);
  std::strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return line;
}

std::string hash_of(const std::string& file) {
  if (file == registered_file) return "";
  static std::mutex mutex;
  static auto& known = *new std::map<std::string, std::string>;
  const std::lock_guard lock(mutex);
  std::string& digits = known[file];
  if (digits.empty()) digits = hexadecimal(hash_file(file));
  return digits;
}

const char* intent_text(const suite_argument& argument) {
  switch (argument.intent) {
    case SUITE_IN: return "in";
    case SUITE_OUT: return "out";
    case SUITE_INOUT: return "inout";
    default: return "constant";
  }
}

bool goes_in(const suite_argument& argument) { return (argument.intent & SUITE_IN) != 0; }
bool comes_out(const suite_argument& argument) { return (argument.intent & SUITE_OUT) != 0; }

// f for each argument that is set.
template <class F> void each_set(suite_call& call, F&& f) {
  for (uint32_t i = 0; i < call.table->argument_count; ++i) {
    const suite_argument& argument = call.table->arguments[i];
    const suite_array bound = call.bound_array(argument.name);
    if (bound.rank >= 0) f(argument, bound);
  }
}

uint64_t bytes_of(suite_call& call) {
  uint64_t bytes = 0;
  each_set(call, [&](const suite_argument& argument, const suite_array& bound) {
    bytes += array_bytes(bound, argument.name) * (goes_in(argument) + comes_out(argument));
  });
  return bytes;
}

// "variant=best block=32".
std::string parameters_text(const suite_call& call) {
  std::string text;
  for (uint32_t i = 0; i < call.table->parameter_count; ++i) {
    const suite_parameter& knob = call.table->parameters[i];
    const int64_t value = call.parameter(knob.name);
    text += (i ? " " : "") + std::string(knob.name) + "=" + (knob.choices ? knob.choices[value].name : std::to_string(value));
  }
  return text;
}

// The largest tolerance of the choices in force.
double tolerance_of(const suite_call& call) {
  double largest = 0;
  for (uint32_t i = 0; i < call.table->parameter_count; ++i) {
    const suite_parameter& knob = call.table->parameters[i];
    if (knob.choices) largest = std::max(largest, knob.choices[call.parameter(knob.name)].tolerance);
  }
  return largest;
}

}  // namespace

std::unique_ptr<Capture> Capture::wanted(const suite_kernel_table& table) {
  auto settings = capture_settings(table.kernel);
  return settings ? std::unique_ptr<Capture>(new Capture(std::move(*settings))) : nullptr;
}

void Capture::text(const std::string& name, const std::string& value, const std::string& of) {
  must(settings_.module->text, file_.get(), of.c_str(), name.c_str(), value.c_str());
}

void Capture::number(const std::string& name, double value) { must(settings_.module->number, file_.get(), "/", name.c_str(), value); }

void Capture::write(suite_call& call, const suite_argument& argument, const std::string& dataset) {
  suite_array array = call.bound_array(argument.name);
  HostMemory copy;
  if (array.rank > 0 && !call.device->shares_host_memory()) {
    copy = host_memory(array_bytes(array, argument.name), std::string("the capture of ") + argument.name);
    array.data = copy.get();
    array.place = SUITE_HOST;
    call.get(argument.name, &array);
  }
  must(settings_.module->array, file_.get(), dataset.c_str(), &array);
  text("unit", argument.unit, dataset);
  text("shape", argument.shape, dataset);
  text("intent", intent_text(argument), dataset);
}

void Capture::describe(suite_call& call) {
  const long rank = launched_rank();
  std::string arguments;
  each_set(call, [&](const suite_argument& argument, const suite_array&) {
    arguments += (arguments.empty() ? "" : " ") + std::string(argument.name);
  });
  const std::pair<const char*, std::string> texts[] = {
      {"schema", "suite-capture-2"},
      {"kernel", call.table->kernel},
      {"implementation", call.table->implementation},
      {"backend", call.table->backend},
      {"device", suite_device_describe(call.device)},
      {"parameters", parameters_text(call)},
      {"arguments", arguments},
      {"plugin_file", call.plugin->file},
      {"plugin_sha256", hash_of(call.plugin->file)},
      {"plugin_version", call.plugin->table.version},
      {"plugin_compiler", call.plugin->table.compiler},
      {"suite_version", suite_version()},
      {"program", program_path()},
      {"host", host_name()},
      {"pid", std::to_string(::getpid())},
      {"rank", rank < 0 ? "" : std::to_string(rank)},
      {"utc", utc()},
  };
  for (const auto& [name, value] : texts) text(name, value);
  number("call", static_cast<double>(admission_.call));
  number("tolerance", tolerance_of(call));
}

void Capture::begin(suite_call& call) noexcept {
  abandon();
  try {
    admission_ = admit(settings_, call.table->kernel, bytes_of(call));
    if (!admission_.granted) return;
    const std::string name =
        concat(settings_.folder, "/", call.table->kernel, "-", host_name(), "-", ::getpid(), "-", admission_.call, ".h5");
    suite_capture_file* file = nullptr;
    must(settings_.module->create, name.c_str(), &file);
    file_ = {file, Discard{settings_.module}};
    describe(call);
    each_set(call, [&](const suite_argument& argument, const suite_array&) {
      if (goes_in(argument)) write(call, argument, std::string("/") + argument.name);
    });
  } catch (const std::exception& e) {
    abandon();
    stop_captures(e.what());
  }
}

void Capture::finish(suite_call& call, double seconds) noexcept {
  if (!file_) return;
  try {
    each_set(call, [&](const suite_argument& argument, const suite_array&) {
      if (comes_out(argument)) write(call, argument, std::string("/results/") + argument.name);
    });
    number("seconds", seconds);
    must(settings_.module->commit, file_.get(), (settings_.folder + "/" + call.table->kernel).c_str());
    file_.reset();
  } catch (const std::exception& e) {
    abandon();
    stop_captures(e.what());
  }
}

void Capture::abandon() noexcept {
  if (!file_) return;
  file_.reset();
  give_back(admission_);
}

}  // namespace suite::core
