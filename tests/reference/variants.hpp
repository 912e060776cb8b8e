// SPDX-License-Identifier: BSD-3-Clause
// The implementations of gpp.sigma that are held against the truth: all that are found, in every variant. One
// that cannot be opened here (no such device) is skipped, and that is said.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <suite/suite.hpp>

// By implementation: its variants, or "" alone.
inline std::map<std::string, std::vector<std::string>> implementations_found() {
  std::map<std::string, std::vector<std::string>> found;
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        auto& all = *static_cast<std::map<std::string, std::vector<std::string>>*>(with);
        for (uint32_t k = 0; plugin && k < plugin->kernel_count; ++k) {
          const suite_kernel_table& table = *plugin->kernels[k];
          if (std::strcmp(table.kernel, "gpp.sigma") != 0 || all.contains(table.implementation)) continue;
          std::vector<std::string>& variants = all[table.implementation];
          for (uint32_t p = 0; p < table.parameter_count; ++p)
            if (!std::strcmp(table.parameters[p].name, "variant") && table.parameters[p].choices)
              for (const char* const* choice = table.parameters[p].choices; *choice; ++choice)
                variants.emplace_back(*choice);
          if (variants.empty()) variants.emplace_back();
        }
      },
      &found);
  return found;
}

inline void for_each_implementation(const std::function<void(suite::Kernel&, const std::string& name)>& f) {
  const auto all = implementations_found();
  BOOST_REQUIRE(all.contains("reference"));
  BOOST_REQUIRE(all.contains("cpu"));
  for (const auto& [implementation, variants] : all) {
    std::unique_ptr<suite::Kernel> kernel;
    try {
      kernel = std::make_unique<suite::Kernel>("gpp.sigma", implementation);
    } catch (const suite::Failure& failure) {
      if (failure.status() != SUITE_DEVICE_ERROR && failure.status() != SUITE_NOT_FOUND) throw;
      BOOST_TEST_MESSAGE("SKIPPED " << implementation << ": " << failure.what());
      continue;
    }
    for (const std::string& variant : variants) {
      if (!variant.empty()) kernel->choose("variant", variant);
      f(*kernel, implementation + (variant.empty() ? "" : " ") + variant);
    }
  }
}

// Whether the kernel has a parameter `precision` with the choice `mixed`.
inline bool has_mixed_precision(const suite::Kernel& kernel) {
  const suite_kernel_table& table = kernel.table();
  for (uint32_t p = 0; p < table.parameter_count; ++p)
    if (!std::strcmp(table.parameters[p].name, "precision") && table.parameters[p].choices)
      for (const char* const* choice = table.parameters[p].choices; *choice; ++choice)
        if (!std::strcmp(*choice, "mixed")) return true;
  return false;
}
