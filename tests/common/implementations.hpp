// SPDX-License-Identifier: BSD-3-Clause
// The implementations of a kernel that are found, with their variants; whether they can be opened here is
// another matter.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "recent.hpp"

namespace suite::test {

struct Found {
  std::string implementation, backend;
  std::vector<std::string> variants;  // "" alone where there are none
};

inline std::vector<Found> implementations_of(const std::string& kernel) {
  struct Search {
    std::string kernel;
    std::vector<Found> found;
  } search{kernel, {}};
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        auto& s = *static_cast<Search*>(with);
        for (uint32_t k = 0; plugin && k < plugin->kernel_count; ++k) {
          const suite_kernel_table& table = *plugin->kernels[k];
          if (s.kernel != table.kernel) continue;
          bool known = false;
          for (const Found& f : s.found) known = known || f.implementation == table.implementation;
          if (known) continue;
          Found found{table.implementation, table.backend, {}};
          for (uint32_t p = 0; p < table.parameter_count; ++p)
            if (!std::strcmp(table.parameters[p].name, "variant"))
              for (uint32_t i = 0; i < table.parameters[p].choice_count; ++i)
                found.variants.emplace_back(table.parameters[p].choices[i].name);
          if (found.variants.empty()) found.variants.emplace_back();
          s.found.push_back(found);
        }
      },
      &search);
  return search.found;
}

// Opens one, or says that it is skipped and why, such as no device of its kind.
inline std::shared_ptr<suite::Kernel> open_or_skip(const std::string& kernel, const std::string& implementation) {
  try {
    return kept_a_while(std::make_shared<suite::Kernel>(kernel, implementation));
  } catch (const suite::Failure& failure) {
    if (failure.status() != SUITE_DEVICE_ERROR && failure.status() != SUITE_NOT_FOUND) throw;
    BOOST_TEST_MESSAGE("SKIPPED " << kernel << " on " << implementation << ": " << failure.what());
    return nullptr;
  }
}

}  // namespace suite::test
