// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>

struct PluginPath {
  PluginPath() {
    ::setenv("SUITE_PLUGIN_PATH", TEST_PLUGINS, 1);
    ::unsetenv("SUITE_ISA");
    ::unsetenv("SUITE_CHECK");
  }
};
BOOST_TEST_GLOBAL_FIXTURE(PluginPath);
