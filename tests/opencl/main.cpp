// SPDX-License-Identifier: BSD-3-Clause
// Exit 77, with the reason, where this machine has no OpenCL device.
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "support.hpp"

const suite_backend& backend_table() {
  void* const plugin = ::dlopen(BACKEND_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!plugin) throw std::runtime_error(::dlerror());
  void* const symbol = ::dlsym(plugin, "suite_plugin_query");
  decltype(&suite_plugin_query) query;
  std::memcpy(&query, &symbol, sizeof query);
  return *query(SUITE_ABI_VERSION)->backend;
}

namespace {
bool init() { return true; }
}  // namespace

BOOST_AUTO_TEST_SUITE(no_platform, *boost::unit_test::disabled())

// The loader is pointed at an empty folder.
BOOST_AUTO_TEST_CASE(it_is_said) {
  int count = -1;
  suite_error error{};
  BOOST_TEST(backend_table().device_count(&count, &error) == SUITE_DEVICE_ERROR);
  const std::string sentence = "no OpenCL platform: install an ICD such as pocl-opencl-icd";
  BOOST_TEST(contains(error.message, sentence));
  BOOST_TEST(contains(outcome([] { suite::Kernel("gpp.sigma", "opencl"); }), sentence));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_device_is_intels, *boost::unit_test::disabled())

// What the tests opencl_intel.* rest on, and how a user chooses it among several platforms.
BOOST_AUTO_TEST_CASE(it_is_chosen_by_name) {
  const std::string first = suite::Device("opencl").describe();
  BOOST_TEST(contains(first, "Intel(R) OpenCL"), first);
  BOOST_TEST(suite::Device("opencl:intel").describe() == first);
}

BOOST_AUTO_TEST_SUITE_END()

int main(int argc, char** argv) {
  bool without_platform = false;
  for (int i = 1; i < argc; ++i) without_platform = without_platform || std::strstr(argv[i], "no_platform");
  if (!without_platform) try {
      suite::Device("opencl");
    } catch (const suite::Failure& failure) {
      std::cout << "SKIPPED: " << failure.what() << '\n';
      return 77;
    }
  return boost::unit_test::unit_test_main(init, argc, argv);
}
