// SPDX-License-Identifier: BSD-3-Clause
// A host does not lose its run by a full disk. Writes are made to fail from a given size of the file on, in a
// child process for each, because a failure stops all captures of a process.
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <functional>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.hpp"

using namespace suite::test;

namespace {

// Whether work() says so in a child that comes to its end, exit handlers included.
bool in_a_child(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) std::exit(work() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool runs_with_files_of_at_most(rlim_t bytes, const Captures& captures) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  Sum sum("cpu");
  for (int i = 0; i < 3; ++i) sum.kernel.run();
  const auto said = warnings();
  return sum.total == std::vector<double>{12, 24} && captures.count() == 0 && said.size() == 1 &&
         said[0].find("SUITE_CAPTURE: no more calls are captured: capture: cannot write '") == 0 &&
         said[0].find("File too large") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_full_disk_costs_the_capture_and_not_the_run) {
  uintmax_t whole = 0;
  {
    const Captures captures;
    Sum("cpu").kernel.run();
    whole = std::filesystem::file_size(captures.file("probe.sum-1.h5"));
  }
  for (uintmax_t bytes = 0; bytes < whole; bytes += whole / 50 + 1) {
    const Captures captures;
    BOOST_TEST(in_a_child([&] { return runs_with_files_of_at_most(bytes, captures); }), bytes << " of " << whole << " bytes");
  }
}
