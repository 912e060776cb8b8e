// SPDX-License-Identifier: BSD-3-Clause
// The implementations of gpp.sigma that are held against the truth: all that are found, in every variant; an emulated device, which is
// slow, in its default one. One that cannot be opened here (no such device) is skipped, and that is said.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "../common/implementations.hpp"

inline void for_each_implementation(const std::function<void(suite::Kernel&, const std::string& name)>& f) {
  const auto all = suite::test::implementations_of("gpp.sigma");
  for (const char* name : {"reference", "cpu"})
    BOOST_REQUIRE(std::any_of(all.begin(), all.end(), [&](const auto& found) { return found.implementation == name; }));
  for (const auto& [implementation, backend, variants] : all) {
    const auto kernel = suite::test::open_or_skip("gpp.sigma", implementation);
    if (!kernel) continue;
    const int64_t as_given = variants.front().empty() ? 0 : suite::parameter_of(*kernel, "variant");
    for (size_t i = 0; i < variants.size(); ++i) {
      if (backend == "emulated" && i != static_cast<size_t>(as_given)) continue;
      const std::string& variant = variants[i];
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
      for (uint32_t i = 0; i < table.parameters[p].choice_count; ++i)
        if (!std::strcmp(table.parameters[p].choices[i].name, "mixed")) return true;
  return false;
}
