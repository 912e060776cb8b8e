// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>

#include <suite/plugin.hpp>

#include <common/memory.hpp>
#include <common/quantities.hpp>

namespace fs = std::filesystem;
using namespace suite::app;

namespace {

constexpr uint64_t MiB = 1048576;

// A folder in place of /.
class Root {
public:
  Root() {
    char name[] = "/tmp/suite-memory-XXXXXX";
    BOOST_REQUIRE(mkdtemp(name) != nullptr);
    at_ = name;
  }
  ~Root() { fs::remove_all(at_); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((at_ / file).parent_path());
    std::ofstream(at_ / file) << text;
  }
  uint64_t allowed() const { return allowed_memory_B(at_); }

private:
  fs::path at_;
};

uint64_t of_the_machine() { return Root().allowed(); }

}  // namespace

BOOST_AUTO_TEST_CASE(without_limits_it_is_the_machines) {
  BOOST_REQUIRE(of_the_machine() > 512 * MiB);  // the limits pretended below are smaller
  BOOST_TEST(allowed_memory_B() <= of_the_machine());
  const Root root;
  root.write("proc/self/cgroup", "12:memory:/\n0::/\n");
  root.write("sys/fs/cgroup/memory.max", "max\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  BOOST_TEST(root.allowed() == of_the_machine());
}

BOOST_AUTO_TEST_CASE(a_group_and_those_above_it_count) {
  const Root root;
  root.write("proc/self/cgroup", "0::/batch/job:7/step_0\n");
  root.write("sys/fs/cgroup/batch/job:7/step_0/memory.max", "max\n");
  root.write("sys/fs/cgroup/batch/job:7/memory.max", std::to_string(300 * MiB));
  BOOST_TEST(root.allowed() == 300 * MiB);
  root.write("sys/fs/cgroup/batch/memory.max", std::to_string(400 * MiB));
  BOOST_TEST(root.allowed() == 300 * MiB);
  root.write("sys/fs/cgroup/batch/job:7/step_0/memory.max", std::to_string(200 * MiB));
  BOOST_TEST(root.allowed() == 200 * MiB);
  root.write("sys/fs/cgroup/other/memory.max", "1048576\n");
  BOOST_TEST(root.allowed() == 200 * MiB);
}

// The group's files are at the top of what it sees, whatever its own name is outside.
BOOST_AUTO_TEST_CASE(a_container_sees_its_own_limit) {
  const Root two;
  two.write("proc/self/cgroup", "0::/\n");
  two.write("sys/fs/cgroup/memory.max", std::to_string(256 * MiB));
  BOOST_TEST(two.allowed() == 256 * MiB);
  const Root one;
  one.write("proc/self/cgroup", "3:cpu,cpuacct:/docker/c0ffee\n2:memory:/docker/c0ffee\n0::/docker/c0ffee\n");
  one.write("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(128 * MiB));
  BOOST_TEST(one.allowed() == 128 * MiB);
}

BOOST_AUTO_TEST_CASE(version_1_counts_groups_of_memory_only) {
  const Root root;
  root.write("proc/self/cgroup", "5:cpuset,memory:/job\n4:pids:/tiny\n");
  root.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", std::to_string(200 * MiB));
  root.write("sys/fs/cgroup/memory/tiny/memory.limit_in_bytes", "4096\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  BOOST_TEST(root.allowed() == 200 * MiB);
}

BOOST_AUTO_TEST_CASE(damaged_files_are_no_limit) {
  const Root root;
  root.write("proc/self/cgroup", "\n:\n0:\n0::\n0::job\n7:memory\n6:memory:job\nmemory\n");
  root.write("sys/fs/cgroup/memory.max", "many\n");
  BOOST_TEST(root.allowed() == of_the_machine());
}

BOOST_AUTO_TEST_CASE(too_much_is_refused_with_what_is_there) {
  BOOST_CHECK_NO_THROW(require_memory(0.9 * memory_share_B(), "it needs much", "take less"));
  try {
    require_memory(memory_share_B(), "it needs all", "take less");
    BOOST_ERROR("all of the memory was not refused");
  } catch (const suite::Failure& failure) {
    BOOST_TEST(failure.status() == SUITE_OUT_OF_MEMORY);
    BOOST_TEST(failure.what() ==
               "it needs all and this machine has " + bytes_text(static_cast<double>(allowed_memory_B())) + ": take less");
  }
}

BOOST_AUTO_TEST_CASE(processes_of_a_run_share_the_machine) {
  const double all = memory_share_B();
  setenv("SLURM_NTASKS_PER_NODE", "4", 1);
  BOOST_TEST(memory_share_B() == all);  // no launcher started this one
  setenv("PMI_RANK", "0", 1);
  BOOST_TEST(memory_share_B() == all / 4);
  try {
    require_memory(all / 2, "it needs half", "take less");
    BOOST_ERROR("half of the memory for each of four processes was not refused");
  } catch (const suite::Failure& failure) {
    BOOST_TEST(std::string(failure.what()).find("it needs half in each of 4 processes and this machine has ") == 0);
  }
  unsetenv("PMI_RANK");
  unsetenv("SLURM_NTASKS_PER_NODE");
}
