// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"

#include "call.hpp"
#include "ranges.hpp"
#include "trace_file.hpp"

namespace suite::core {
namespace {

std::string member(const char* name, const std::string& text) { return '"' + std::string(name) + "\":" + json_text(text); }

// The choice of the parameter "variant", or nothing.
std::string variant_of(const suite_call& call) {
  for (uint32_t i = 0; i < call.table->parameter_count; ++i) {
    const suite_parameter& parameter = call.table->parameters[i];
    if (std::string("variant") == parameter.name && parameter.choices) return parameter.choices[call.parameter("variant")].name;
  }
  return "";
}

std::string name_of(const suite_call& call) {
  const std::string variant = variant_of(call);
  return std::string("suite/") + call.table->kernel + "/" + (variant.empty() ? call.table->implementation : variant);
}

std::string arguments_of(const suite_call& call) {
  std::string text = member("kernel", call.table->kernel) + "," + member("implementation", call.table->implementation);
  if (const std::string variant = variant_of(call); !variant.empty()) text += "," + member("variant", variant);
  return text + "," + member("device", call.device->name);
}

// A kernel that does not count its operations has none to tell.
std::string cost_of(suite_call& call) {
  try {
    const suite_cost cost = call.cost();
    return ",\"flops\":" + json_number(cost.flops) + ",\"bytes\":" + json_number(cost.bytes);
  } catch (const Failure&) { return ""; }
}

}  // namespace

bool somebody_looks() { return TraceFile::wanted() || Ranges::of_process().wanted(); }

void Span::begin(const char* step, std::string name, std::string arguments) {
  open_ = std::make_unique<Open>(Open{step, std::move(name), std::move(arguments), trace_clock()});
  Ranges::of_process().push(open_->name.c_str());
}

void Span::begin(const char* step, const suite_call& call, const char* argument, uint64_t bytes) {
  const bool whole = std::string("run") == step;
  std::string name = name_of(call) + (whole ? "" : std::string(" ") + step), arguments = arguments_of(call);
  if (argument) {
    name += std::string(" ") + argument;
    arguments += concat(",", member("argument", argument), ",\"bytes\":", bytes);
  }
  begin(step, std::move(name), std::move(arguments));
}

void Span::begin(const char* step, const suite_device& device, uint64_t bytes) {
  begin(step, "suite/" + device.name + " " + step, concat(member("device", device.name), ",\"bytes\":", bytes));
}

void Span::begin_open(const std::string& kernel, const std::string& implementation) {
  begin("open", "suite/" + kernel + "/" + implementation + " open",
        member("kernel", kernel) + "," + member("implementation", implementation));
}

void Span::tell_opened(const suite_call& call) {
  open_->arguments += "," + member("device", call.device->name) + "," + member("plugin", call.plugin->file);
}

// When the device began is not known, only for how long it worked: the event is drawn from the moment at
// which the work was handed over.
void Span::tell_took(suite_call& call, double seconds) {
  open_->arguments += ",\"device_s\":" + json_number(seconds);
  if (!TraceFile::wanted()) return;
  const std::string cost = cost_of(call);
  open_->arguments += cost;
  TraceFile::of_process().add_on_device(call.device->name, name_of(call), call.handed_over, call.handed_over + 1e6 * seconds,
                                        arguments_of(call) + cost);
}

Span::~Span() {
  if (!open_) return;
  Ranges::of_process().pop();
  try {
    if (TraceFile::wanted()) TraceFile::of_process().add(open_->name, open_->step, open_->from, trace_clock(), open_->arguments);
  } catch (const std::exception&) {
    // Out of memory: an event is missing.
  }
}

}  // namespace suite::core
