// SPDX-License-Identifier: BSD-3-Clause
#include "plugin_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <suite/layout.hpp>
#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::core {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(SUITE_UNSUPPORTED, sentence); }

// Every struct begins so long that version 2 of the contract is complete; what lies behind is optional.
template <class T> T copy_of(const T* from, size_t least, const char* what) {
  if (from->struct_size < least)
    refuse(concat("its ", what, " has struct_size ", from->struct_size, ", less than the ", least, " of version 2"));
  T copy{};
  std::memcpy(&copy, from, std::min<size_t>(from->struct_size, sizeof copy));
  copy.struct_size = sizeof copy;
  return copy;
}

// The elements of an array as this host knows them, however large they are where the plugin was compiled. Once a struct has
// grown, the least size is no longer that of today's.
template <class T> std::vector<T> elements(const T* first, uint32_t count, uint32_t size, const char* what) {
  if (count > 0 && !first) refuse(concat("it counts ", count, " ", what, " but has no table of them"));
  if (count > 0 && size < sizeof(T))
    refuse(concat("the elements of its table of ", what, " have ", size, " bytes, less than the ", sizeof(T), " of version 2"));
  std::vector<T> copies(count);
  for (uint32_t i = 0; i < count; ++i) std::memcpy(&copies[i], reinterpret_cast<const char*>(first) + size_t{size} * i, sizeof(T));
  return copies;
}

std::string require_name(const char* name, const std::string& what) {
  if (!name || !*name) refuse("its " + what + " has no name");
  const size_t length = std::strlen(name);
  const bool plain = std::all_of(name, name + length, [](char c) { return c > ' ' && c < 0x7f; });
  if (length > 64 || !plain) refuse("its " + what + " has the impossible name " + quoted(name));
  return name;
}

void check_type(const suite_argument& argument, const std::string& name) {
  const int32_t type = argument.type;
  if (!(type & SUITE_TYPE_SET)) {
    if (type_size(type) == 0) refuse(concat(name, " has the unknown type ", type));
    return;
  }
  const int32_t known = (1 << (SUITE_COMPLEX128 + 1)) - (1 << SUITE_INT32);
  const int32_t members = type & ~SUITE_TYPE_SET;
  if (members == 0 || (members & ~known)) refuse(concat(name, " has the unknown type set ", type));
}

void check_argument(const suite_argument& argument, const std::string& kernel) {
  const std::string name =
      "argument " + quoted(require_name(argument.name, "kernel " + kernel + " has an argument that")) + " of " + kernel;
  check_type(argument, name);
  if (argument.rank < 0 || argument.rank > SUITE_MAX_RANK)
    refuse(concat(name, " has rank ", argument.rank, "; it must be from 0 to ", SUITE_MAX_RANK));
  const int32_t intent = argument.intent;
  if (intent != SUITE_IN && intent != SUITE_OUT && intent != SUITE_INOUT && intent != SUITE_CONSTANT)
    refuse(concat(name, " has the unknown intent ", argument.intent));
  if (!argument.shape || !argument.unit || !argument.meaning) refuse(name + " lacks its shape, unit or meaning");
  if (std::strlen(argument.shape) > 1024) refuse(name + " has a shape of more than 1024 characters");
  if (argument.copied && (argument.intent & SUITE_OUT)) refuse(name + " is copied when it is set, but it is a result");
  if (!(argument.tolerance >= 0) || std::isinf(argument.tolerance)) refuse(name + " has an impossible tolerance");
}

void check_published(const suite_published& published, const std::string& of) {
  if (!published.device || !*published.device || !published.unit || !*published.unit || !published.source || !*published.source)
    refuse(of + " has a published number without its device, unit or source");
  if (!(published.low <= published.high) || std::isinf(published.low) || std::isinf(published.high))
    refuse(of + " has a published number that is not a range");
}

void check_choice(const suite_choice& choice, const std::vector<suite_choice>& earlier, const std::string& name) {
  const std::string of = "choice " + quoted(require_name(choice.name, name + " has a choice that")) + " of " + name;
  if (!choice.meaning) refuse(of + " lacks its meaning");
  if (!(choice.tolerance >= 0) || std::isinf(choice.tolerance)) refuse(of + " has an impossible tolerance");
  if (choice.expected < SUITE_UNKNOWN || choice.expected > SUITE_SLOWER)
    refuse(concat(of, " has the unknown expectation ", choice.expected));
  if (choice.after &&
      std::none_of(earlier.begin(), earlier.end(), [&](const suite_choice& c) { return !std::strcmp(c.name, choice.after); }))
    refuse(of + " comes after " + quoted(choice.after) + ", which is not an earlier choice");
}

// Copies and checks a parameter's choices.
void adopt_choices(suite_parameter& parameter, const suite_sizes& sizes, const std::string& name, KernelEntry& entry) {
  constexpr uint32_t most = 1024;
  if (parameter.choice_count > most || parameter.value < 0 || parameter.value >= parameter.choice_count)
    refuse(concat(name, " has the default ", parameter.value, " of ", parameter.choice_count, " choices"));
  const auto all = elements(parameter.choices, parameter.choice_count, sizes.choice, "choices");
  std::vector<suite_choice> checked;
  for (suite_choice choice : all) {
    check_choice(choice, checked, name);
    for (const auto& c : checked)
      if (!std::strcmp(c.name, choice.name)) refuse(name + " has two choices " + quoted(choice.name));
    entry.published.push_back(elements(choice.published, std::min(choice.published_count, most), sizes.published, "published numbers"));
    for (const auto& published : entry.published.back()) check_published(published, "choice " + quoted(choice.name) + " of " + name);
    choice.published = entry.published.back().data();
    choice.published_count = static_cast<uint32_t>(entry.published.back().size());
    checked.push_back(choice);
  }
  entry.choices.push_back(std::move(checked));
  parameter.choices = entry.choices.back().data();
}

void adopt_parameter(suite_parameter& parameter, const suite_sizes& sizes, const std::string& kernel, KernelEntry& entry) {
  const std::string name =
      "parameter " + quoted(require_name(parameter.name, "kernel " + kernel + " has a parameter that")) + " of " + kernel;
  if (!parameter.meaning || !parameter.unit) refuse(name + " lacks its meaning or unit");
  if (parameter.choices) return adopt_choices(parameter, sizes, name, entry);
  if (!(parameter.low <= parameter.value && parameter.value <= parameter.high))
    refuse(concat(name, " has the default ", parameter.value, " outside its range ", parameter.low, " to ", parameter.high));
}

template <class T> void check_unique(const std::vector<T>& entries, const char* what, const std::string& kernel) {
  for (size_t i = 0; i < entries.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (!std::strcmp(entries[i].name, entries[j].name)) refuse("kernel " + kernel + " has two " + what + " " + quoted(entries[i].name));
}

KernelEntry adopt_kernel(const suite_kernel_table* from, const std::string& family) {
  if (!from) refuse("one of its kernels has no table");
  KernelEntry entry;
  entry.table = copy_of(from, offsetof(suite_kernel_table, sums_over), "kernel table");
  suite_kernel_table& table = entry.table;
  const std::string kernel = require_name(table.kernel, "kernel");
  if (kernel.rfind(family + ".", 0) != 0 || kernel.size() == family.size() + 1)
    refuse("its kernel " + quoted(kernel) + " is not named " + family + ".<name>");
  require_name(table.implementation, "kernel " + kernel + " of an implementation that");
  require_name(table.backend, "kernel " + kernel + " of a backend that");
  if (!table.summary) refuse("its kernel " + kernel + " has no summary");
  if (!table.create || !table.execute || !table.destroy) refuse("its kernel " + kernel + " lacks create, execute or destroy");
  constexpr uint32_t most = 256;
  if (table.argument_count == 0 || table.argument_count > most || !table.arguments)
    refuse(concat("its kernel ", kernel, " has ", table.argument_count, " arguments; it must have 1 to ", most));
  if (table.parameter_count > most)
    refuse(concat("its kernel ", kernel, " has ", table.parameter_count, " parameters; it must have at most ", most));
  entry.arguments = elements(table.arguments, table.argument_count, table.sizes.argument, "arguments");
  entry.parameters = elements(table.parameters, table.parameter_count, table.sizes.parameter, "parameters");
  for (const auto& argument : entry.arguments) check_argument(argument, kernel);
  for (auto& parameter : entry.parameters) adopt_parameter(parameter, table.sizes, kernel, entry);
  check_unique(entry.arguments, "arguments", kernel);
  check_unique(entry.parameters, "parameters", kernel);
  table.arguments = entry.arguments.data();
  table.parameters = entry.parameters.data();
  table.sizes = {sizeof(suite_argument), sizeof(suite_parameter), sizeof(suite_choice), sizeof(suite_published)};
  for (uint32_t i = 0; table.layouts && i < table.argument_count; ++i)
    if (table.layouts[i]) layout::check(layout::parse(table.layouts[i]), table.arguments[i]);
  entry.shapes = std::make_unique<Shapes>(table.arguments, table.argument_count, table.merit_unit, table.merit_count);
  return entry;
}

void check_backend(const suite_backend& backend) {
  require_name(backend.name, "backend");
  if (!backend.device_count || !backend.open || !backend.close || !backend.allocate || !backend.release || !backend.upload ||
      !backend.download || !backend.wait || !backend.mark || !backend.seconds || !backend.describe || !backend.memory)
    refuse("its backend " + quoted(backend.name) + " lacks one of the functions that every backend has");
}

}  // namespace

const KernelEntry* Plugin::find(std::string_view kernel) const {
  for (const auto& entry : kernels)
    if (kernel == entry.table.kernel) return &entry;
  return nullptr;
}

void adopt(const suite_plugin* from, Plugin& plugin) {
  if (!from) refuse(concat("it does not serve version ", SUITE_ABI_VERSION, " of the plugin contract"));
  if (from->abi_version != SUITE_ABI_VERSION)
    refuse(concat("it was built for version ", from->abi_version, " of the plugin contract; this suite has version ", SUITE_ABI_VERSION));
  plugin.table = copy_of(from, sizeof(suite_plugin), "plugin table");
  if (!plugin.table.version || !plugin.table.compiler) refuse("it does not state its version and compiler");
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
      refuse(concat("it has ", plugin.table.kernel_count, " kernels; it must have 1 to ", most));
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
