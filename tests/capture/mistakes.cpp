// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with the environment is told when a kernel is opened, before anything was computed.
#include <boost/test/unit_test.hpp>

#include <fstream>

#include "../common/outcome.hpp"
#include "support.hpp"

using namespace suite::test;

namespace {

std::string opening() {
  return outcome([] { suite::Kernel("probe.sum", "cpu"); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_is_refused) {
  const Captures captures;
  std::ofstream(captures.file("file")) << "x";
  const std::string file = captures.file("file"), below = captures.file("no") / "such";
  ::setenv("SUITE_CAPTURE", file.c_str(), 1);
  BOOST_TEST(opening() == "invalid argument: SUITE_CAPTURE is '" + file + "', which is not a folder");
  ::setenv("SUITE_CAPTURE", below.c_str(), 1);
  BOOST_TEST(opening() == "invalid argument: SUITE_CAPTURE is '" + below + "', a folder that cannot be created: No such file or directory");
  ::setenv("SUITE_CAPTURE", captures.file("new").c_str(), 1);
  BOOST_TEST(opening() == "ok");
  ::setenv("SUITE_CAPTURE", "", 1);
  BOOST_TEST(opening() == "ok");
}

BOOST_AUTO_TEST_CASE(a_limit_that_cannot_be_read_is_refused) {
  for (const char* limit :
       {"0", "-1", "many", "8,", ",8", "2 GiB", "2GB", "1e3", "99999999999999999999", "8,2GiB,", "0KiB", "GiB", "8,9", "1GiB,2GiB"}) {
    const Captures captures(limit);
    BOOST_TEST(opening() == "invalid argument: SUITE_CAPTURE_LIMIT is '" + std::string(limit) +
                                "'; it must be a number of calls (8), an amount of data (512MiB, 2GiB) or both (8,2GiB)");
  }
  for (const char* limit : {"1", "512MiB", "8,2TiB", "2KiB,8"}) {
    const Captures captures(limit);
    BOOST_TEST(opening() == "ok");
  }
}

BOOST_AUTO_TEST_CASE(a_number_of_calls_to_skip_that_cannot_be_read_is_refused) {
  const Captures captures;
  for (const char* skip : {"-1", "many", "8,", "1e3", " 8", "2GiB", "99999999999999999999"}) {
    ::setenv("SUITE_CAPTURE_SKIP", skip, 1);
    BOOST_TEST(opening() == "invalid argument: SUITE_CAPTURE_SKIP is '" + std::string(skip) + "'; it must be a number of calls (100)");
  }
  for (const char* skip : {"", "0", "1", "1000000000000"}) {
    ::setenv("SUITE_CAPTURE_SKIP", skip, 1);
    BOOST_TEST(opening() == "ok");
  }
}
