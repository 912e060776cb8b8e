// SPDX-License-Identifier: BSD-3-Clause
#include "installed.hpp"

#include <algorithm>
#include <span>

#include "common/near.hpp"
#include "parameters.hpp"

namespace suite::app {
namespace {

template <class F> void each_kernel(F&& seen) {
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        if (plugin)
          for (uint32_t i = 0; i < plugin->kernel_count; ++i) (*static_cast<std::remove_reference_t<F>*>(with))(*plugin->kernels[i]);
      },
      &seen);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

std::vector<std::string> variants_of(const suite_kernel_table& table) {
  std::vector<std::string> names;
  if (const suite_parameter* p = find_parameter(table, "variant"); p && p->choices)
    for (const suite_choice& choice : std::span(p->choices, p->choice_count)) names.push_back(choice.name);
  return names;
}

std::optional<std::string> find_implementation_on(const std::string& kernel, const std::string& backend) {
  const size_t colon = backend.find(':');
  const std::string name = backend.substr(0, colon), device = colon == std::string::npos ? "" : backend.substr(colon);
  std::vector<std::string> names;
  each_kernel([&](const suite_kernel_table& table) {
    if (kernel == table.kernel && name == table.backend && std::string(table.implementation) != "reference")
      add_once(names, table.implementation);
  });
  if (names.empty()) return std::nullopt;
  const bool same = std::find(names.begin(), names.end(), name) != names.end();
  return (same ? name : names.front()) + device;
}

std::string implementation_on(const std::string& kernel, const std::string& backend) {
  if (const auto found = find_implementation_on(kernel, backend)) return *found;
  std::vector<std::string> backends;
  each_kernel([&](const suite_kernel_table& table) {
    if (kernel == table.kernel) add_once(backends, table.backend);
  });
  std::string list;
  for (const auto& name : backends) list += (list.empty() ? "" : ", ") + name;
  throw Failure(SUITE_NOT_FOUND, "no implementation of " + kernel + " runs on backend " + in_quotes(backend.substr(0, backend.find(':'))) +
                                     (list.empty() ? "" : " (it runs on: " + list + ")") +
                                     did_you_mean(backend.substr(0, backend.find(':')), backends));
}

std::vector<std::string> implementations_of(const std::string& kernel) {
  std::vector<std::string> names;
  each_kernel([&](const suite_kernel_table& table) {
    if (kernel == table.kernel) add_once(names, table.implementation);
  });
  std::sort(names.begin(), names.end(),
            [](const std::string& a, const std::string& b) { return std::pair(a != "reference", a) < std::pair(b != "reference", b); });
  return names;
}

std::vector<std::string> implementations_beside_reference(const std::string& kernel) {
  auto names = implementations_of(kernel);
  std::erase(names, "reference");
  return names;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  each_kernel([&](const suite_kernel_table& table) { add_once(names, table.kernel); });
  std::sort(names.begin(), names.end());
  return names;
}

void require_kernel(const std::string& kernel) {
  const auto names = kernel_names();
  if (std::find(names.begin(), names.end(), kernel) != names.end()) return;
  const auto family_of = [](const std::string& name) { return name.substr(0, name.find('.')); };
  const std::string family = family_of(kernel), sentence = "no kernel " + in_quotes(kernel);
  std::vector<std::string> families;
  std::string kernels_of_family, list;
  for (const auto& name : names) {
    add_once(families, family_of(name));
    if (family_of(name) == family) kernels_of_family += (kernels_of_family.empty() ? "" : ", ") + name;
  }
  for (const auto& name : families) list += (list.empty() ? "" : ", ") + name;
  if (names.empty()) throw Failure(SUITE_NOT_FOUND, sentence + "; no usable plugin was found");
  if (kernels_of_family.empty())
    throw Failure(SUITE_NOT_FOUND, sentence + did_you_mean(kernel, names) + " (families: " + list + "; 'suite list' shows their kernels)");
  throw Failure(SUITE_NOT_FOUND, sentence + (kernel == family ? "; it is a family" : did_you_mean(kernel, names)) + " (kernels of " +
                                     family + ": " + kernels_of_family + ")");
}

}  // namespace suite::app
