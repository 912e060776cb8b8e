// SPDX-License-Identifier: BSD-3-Clause
#include "plugin_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <suite/layout.hpp>
#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::core {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(SUITE_UNSUPPORTED, sentence); }

// Every struct begins so long that version 1 of the contract is complete; what lies behind is optional.
template <class T>
T copy_of(const T* from, size_t least, const char* what) {
  if (from->struct_size < least)
    refuse(std::string("its ") + what + " has struct_size " + std::to_string(from->struct_size) +
           ", less than the " + std::to_string(least) + " of version 1");
  T copy{};
  std::memcpy(&copy, from, std::min<size_t>(from->struct_size, sizeof copy));
  copy.struct_size = sizeof copy;
  return copy;
}

const std::string require_name(const char* name, const std::string& what) {
  if (!name || !*name) refuse("its " + what + " has no name");
  const size_t length = std::strlen(name);
  const bool plain = std::all_of(name, name + length, [](char c) { return c > ' ' && c < 0x7f; });
  if (length > 64 || !plain) refuse("its " + what + " has the impossible name " + quoted(name));
  return name;
}

void check_type(const suite_argument& argument, const std::string& name) {
  const int32_t type = argument.type;
  if (!(type & SUITE_TYPE_SET)) {
    if (type_size(type) == 0) refuse(name + " has the unknown type " + std::to_string(type));
    return;
  }
  const int32_t known = (1 << (SUITE_COMPLEX128 + 1)) - (1 << SUITE_INT32);
  const int32_t members = type & ~SUITE_TYPE_SET;
  if (members == 0 || (members & ~known)) refuse(name + " has the unknown type set " + std::to_string(type));
}

void check_argument(const suite_argument& argument, const std::string& kernel) {
  const std::string name = "argument " +
                           quoted(require_name(argument.name, "kernel " + kernel + " has an argument that")) +
                           " of " + kernel;
  check_type(argument, name);
  if (argument.rank < 0 || argument.rank > SUITE_MAX_RANK)
    refuse(name + " has rank " + std::to_string(argument.rank) + "; 0 to " + std::to_string(SUITE_MAX_RANK) +
           " are possible");
  const int32_t intent = argument.intent & ~SUITE_OPTIONAL;
  if (intent != SUITE_IN && intent != SUITE_OUT && intent != SUITE_INOUT && intent != SUITE_CONSTANT)
    refuse(name + " has the unknown intent " + std::to_string(argument.intent));
  if (!argument.shape || !argument.unit || !argument.meaning)
    refuse(name + " lacks its shape, unit or meaning");
  if (std::strlen(argument.shape) > 1024) refuse(name + " has a shape of more than 1024 characters");
  if (!(argument.tolerance >= 0) || std::isinf(argument.tolerance))
    refuse(name + " has an impossible tolerance");
}

void check_parameter(const suite_parameter& parameter, const std::string& kernel) {
  const std::string name =
      "parameter " + quoted(require_name(parameter.name, "kernel " + kernel + " has a parameter that")) +
      " of " + kernel;
  if (!parameter.meaning) refuse(name + " lacks its meaning");
  if (!parameter.choices) {
    if (!(parameter.low <= parameter.value && parameter.value <= parameter.high))
      refuse(name + " has the default " + std::to_string(parameter.value) + " outside its range " +
             std::to_string(parameter.low) + " to " + std::to_string(parameter.high));
    return;
  }
  constexpr int64_t most = 1024;
  int64_t count = 0;
  for (; count < most && parameter.choices[count]; ++count)
    require_name(parameter.choices[count], name + " has a choice that");
  if (count == 0 || count == most || parameter.value < 0 || parameter.value >= count)
    refuse(name + " has the default " + std::to_string(parameter.value) + " of " + std::to_string(count) +
           " choices");
}

template <class T>
void check_unique(const T* entries, uint32_t count, const char* what, const std::string& kernel) {
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < i; ++j)
      if (!std::strcmp(entries[i].name, entries[j].name))
        refuse("kernel " + kernel + " has two " + what + " " + quoted(entries[i].name));
}

KernelEntry adopt_kernel(const suite_kernel_table* from, const std::string& family) {
  if (!from) refuse("one of its kernels has no table");
  KernelEntry entry{copy_of(from, offsetof(suite_kernel_table, layouts), "kernel table"), nullptr};
  const suite_kernel_table& table = entry.table;
  const std::string kernel = require_name(table.kernel, "kernel");
  if (kernel.rfind(family + ".", 0) != 0 || kernel.size() == family.size() + 1)
    refuse("its kernel " + quoted(kernel) + " is not named " + family + ".<name>");
  require_name(table.implementation, "kernel " + kernel + " of an implementation that");
  require_name(table.backend, "kernel " + kernel + " of a backend that");
  if (!table.summary) refuse("its kernel " + kernel + " has no summary");
  if (!table.create || !table.execute || !table.destroy)
    refuse("its kernel " + kernel + " lacks create, execute or destroy");
  constexpr uint32_t most = 256;
  if (table.argument_count == 0 || table.argument_count > most || !table.arguments)
    refuse("its kernel " + kernel + " has " + std::to_string(table.argument_count) + " arguments; 1 to " +
           std::to_string(most) + " are possible");
  if (table.parameter_count > most || (table.parameter_count > 0 && !table.parameters))
    refuse("its kernel " + kernel + " has " + std::to_string(table.parameter_count) +
           " parameters and no table of them");
  for (uint32_t i = 0; i < table.argument_count; ++i) check_argument(table.arguments[i], kernel);
  for (uint32_t i = 0; i < table.parameter_count; ++i) check_parameter(table.parameters[i], kernel);
  check_unique(table.arguments, table.argument_count, "arguments", kernel);
  check_unique(table.parameters, table.parameter_count, "parameters", kernel);
  for (uint32_t i = 0; table.layouts && i < table.argument_count; ++i)
    if (table.layouts[i]) layout::check(layout::parse(table.layouts[i]), table.arguments[i]);
  entry.shapes = std::make_unique<Shapes>(table.arguments, table.argument_count, table.merit);
  return entry;
}

void check_backend(const suite_backend& backend) {
  require_name(backend.name, "backend");
  if (!backend.device_count || !backend.open || !backend.close || !backend.allocate || !backend.release ||
      !backend.upload || !backend.download || !backend.wait || !backend.mark || !backend.seconds ||
      !backend.describe || !backend.memory)
    refuse("its backend " + quoted(backend.name) + " lacks one of the functions that every backend has");
}

}  // namespace

const KernelEntry* Plugin::find(std::string_view kernel) const {
  for (const auto& entry : kernels)
    if (kernel == entry.table.kernel) return &entry;
  return nullptr;
}

void adopt(const suite_plugin* from, Plugin& plugin) {
  if (!from)
    refuse("it does not serve version " + std::to_string(SUITE_ABI_VERSION) + " of the plugin contract");
  if (from->abi_version != SUITE_ABI_VERSION)
    refuse("it was built for version " + std::to_string(from->abi_version) +
           " of the plugin contract; this suite has version " + std::to_string(SUITE_ABI_VERSION));
  plugin.table = copy_of(from, sizeof(suite_plugin), "plugin table");
  if (!plugin.table.version || !plugin.table.compiler) refuse("it does not say its version and compiler");
  if (plugin.table.backend) {
    plugin.backend = copy_of(plugin.table.backend, offsetof(suite_backend, place), "backend table");
    check_backend(plugin.backend);
    plugin.table.backend = &plugin.backend;
  }
  if (!plugin.table.backend || plugin.table.kernel_count > 0) {
    const std::string family = require_name(plugin.table.family, "family");
    require_name(plugin.table.implementation, "implementation");
    constexpr uint32_t most = 256;
    if (plugin.table.kernel_count == 0 || plugin.table.kernel_count > most || !plugin.table.kernels)
      refuse("it has " + std::to_string(plugin.table.kernel_count) + " kernels; 1 to " +
             std::to_string(most) + " are possible");
    for (uint32_t i = 0; i < plugin.table.kernel_count; ++i) {
      plugin.kernels.push_back(adopt_kernel(plugin.table.kernels[i], family));
      for (uint32_t j = 0; j < i; ++j)
        if (!std::strcmp(plugin.kernels[i].table.kernel, plugin.kernels[j].table.kernel))
          refuse("it has two kernels " + quoted(plugin.kernels[i].table.kernel));
    }
  }
  for (const auto& entry : plugin.kernels) plugin.pointers.push_back(&entry.table);
  plugin.table.kernels = plugin.pointers.data();
}

}  // namespace suite::core
