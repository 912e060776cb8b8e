// SPDX-License-Identifier: BSD-3-Clause
// The implementations of gpp.sigma that are held against the truth: the reference, and cpu in every variant.
#pragma once

#include <functional>
#include <string>

#include <suite/suite.hpp>

inline void for_each_implementation(const std::function<void(suite::Kernel&, const std::string& name)>& f) {
  suite::Kernel reference("gpp.sigma", "reference");
  f(reference, "reference");
  const std::string variants[] = {"v1", "v2", "v3", "v4",   "v5",          "v6",
                                  "v7", "v8", "v9", "best", "fixed_length"};
  for (const std::string& variant : variants) {
    suite::Kernel cpu("gpp.sigma", "cpu");
    cpu.choose("variant", variant);
    f(cpu, "cpu " + variant);
  }
}
