// SPDX-License-Identifier: BSD-3-Clause
// The implementations of gpp.sigma_offdiag that can run here; what cannot is said aloud.
#pragma once

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <suite/suite.hpp>

inline std::vector<std::string> implementations() {
  std::vector<std::string> names{"reference", "cpu"};
  for (const char* name : {"opencl", "emulated"}) try {
      const suite::Kernel kernel("gpp.sigma_offdiag", name);
      names.emplace_back(name);
    } catch (const suite::Failure& failure) {
      if (failure.status() != SUITE_DEVICE_ERROR && failure.status() != SUITE_NOT_FOUND) throw;
      BOOST_TEST_MESSAGE("SKIPPED " << name << ": " << failure.what());
    }
  return names;
}
