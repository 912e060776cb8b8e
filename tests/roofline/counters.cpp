// SPDX-License-Identifier: BSD-3-Clause
// What was counted: by the processor, and by Nsight Compute.
#include <atomic>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <suite/suite.hpp>

#include "common/io.hpp"
#include "measure/hardware_counters.hpp"
#include "measure/ncu_table.hpp"

using namespace suite::app;

namespace {

std::string profile(const std::string& name) { return read_text_file(std::string(PROFILES) + "/" + name, 1 << 20); }

std::string complaint(const std::string& text) {
  try {
    read_ncu("profile.csv", text);
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

// Page faults are counted by every kernel, with and without counters in the hardware; those of another thread
// too.
BOOST_AUTO_TEST_CASE(every_thread_is_counted) {
  HardwareCounters counters({{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 4096}});
  if (!counters.why().empty()) {
    BOOST_TEST_MESSAGE("SKIPPED: " << counters.why());
    return;
  }
  constexpr size_t pages = 500;
  const auto touch = [] {
    std::vector<char> memory(pages * 4096 * 2);
    for (size_t i = 0; i < memory.size(); i += 4096) const_cast<volatile char*>(memory.data())[i] = 1;
  };
  const auto nothing = counters.count([] {});
  const auto counted = counters.count([&] { std::thread(touch).join(); });
  BOOST_REQUIRE(counted.size() == 1u);
  BOOST_TEST(counted[0].quantity == "faults");
  BOOST_TEST(counted[0].amount >= pages * 4096.0);
  BOOST_TEST((nothing.empty() || nothing[0].amount < 100 * 4096.0));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_counted_has_a_reason) {
  HardwareCounters counters({{"nonsense", 12345, 0, 1}});
  BOOST_TEST(!counters.why().empty());
  bool ran = false;
  BOOST_TEST(counters.count([&] { ran = true; }).empty());
  BOOST_TEST(ran);
}

// Where there are too few files for all threads, the rest of them would be missing in the sum.
BOOST_AUTO_TEST_CASE(a_part_of_the_threads_is_not_taken_for_all) {
  const std::vector<CounterEvent> faults{{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 4096}};
  if (const std::string why = HardwareCounters(faults).why(); !why.empty()) {
    BOOST_TEST_MESSAGE("SKIPPED: " << why);
    return;
  }
  std::atomic<bool> over = false;
  std::vector<std::thread> idle;
  for (int i = 0; i < 8; ++i) idle.emplace_back([&] { over.wait(false); });
  rlimit before{};
  BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = dup(0);
  close(next);
  const rlimit few{static_cast<rlim_t>(next) + 4, before.rlim_max};
  BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  const std::string why = HardwareCounters(faults).why();
  setrlimit(RLIMIT_NOFILE, &before);
  over = true;
  over.notify_all();
  for (auto& thread : idle) thread.join();
  BOOST_TEST(why == "this process cannot open a file for each of its threads (ulimit -n)");
}

BOOST_AUTO_TEST_CASE(names_of_profiled_kernels_are_short) {
  for (const auto& [full, wanted] :
       {std::pair{"void suite::gpp::<unnamed>::sigma_v9<double>(const double *, long)", "sigma_v9<double>"},
        {"void suite::gpp::(anonymous namespace)::pack<(int)4, a::B<float>>(const T1 *)", "pack<(int)4, a::B<float>>"},
        {"sigma_v9(const double *, \"x\", long)", "sigma_v9"},
        {"reduce", "reduce"},
        {"(", "("},
        {"", ""}})
    BOOST_TEST(short_name(full) == wanted);
}

// The same launches as a table by columns and as one by rows, with what else a log holds around them.
BOOST_AUTO_TEST_CASE(both_layouts_of_a_profile_say_the_same) {
  for (const char* file : {"by_column.csv", "by_row.csv"}) {
    const auto kernels = read_ncu(file, profile(file));
    BOOST_REQUIRE(kernels.size() == 2u);
    const ProfiledKernel& sigma = kernels[0];
    BOOST_TEST(sigma.name == "sigma_v9(const double *, \"x\", long)");
    BOOST_TEST(sigma.launches == 2);
    BOOST_TEST(std::abs(sigma.seconds - 2e-3) < 1e-15);  // of 1 and 3 ms
    BOOST_TEST(sigma.flops == 1000.0 + 500 + 2 * 2000);
    BOOST_TEST(sigma.flops_single == 0.0);
    BOOST_TEST(std::abs(sigma.dram_B - 2e6) < 1e-3);  // of 1,500 KB and 2.5 MB
    BOOST_TEST(sigma.l2_B == 4e6);
    BOOST_TEST(sigma.l1_B == 9e6);
    BOOST_TEST(kernels[1].name == "reduce");
    BOOST_TEST(kernels[1].flops == 64.0);
    BOOST_TEST(kernels[1].flops_single == 64.0);
  }
}

BOOST_AUTO_TEST_CASE(names_of_a_profile_reach_a_terminal_without_control_characters) {
  std::string text = profile("by_column.csv");
  text.replace(text.find("reduce"), 6, "re\x1b[31mduce");
  BOOST_TEST(read_ncu("profile.csv", text)[1].name == "re\xef\xbf\xbd[31mduce");
}

BOOST_AUTO_TEST_CASE(bad_profiles_are_refused_with_their_line) {
  const std::string good = profile("by_column.csv");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  BOOST_TEST(complaint(good) == "");
  BOOST_TEST(complaint("").find("profile.csv:1: error: this is not a table of Nsight Compute") == 0);
  BOOST_TEST(complaint(changed("\"Kernel Name\"", "\"Name\"")) == "profile.csv:3: error: the table has no column 'Kernel Name'");
  BOOST_TEST(complaint(changed("\"ms\"", "\"weeks\"")) == "profile.csv:4: error: the unit 'weeks' of gpu__time_duration.sum is unknown");
  BOOST_TEST(complaint(changed("\"1,500\"", "\"-1\"")) ==
             "profile.csv:5: error: dram__bytes.sum is '-1'; it must be a non-negative number");
  BOOST_TEST(complaint(changed("\"1,500\"", "\"nan\"")).find("profile.csv:5: error: dram__bytes.sum is 'nan'") == 0);
  BOOST_TEST(complaint(changed("\"1,500\"", "\"1,500")).find("profile.csv:5: error: a quoted cell is not closed") == 0);
  BOOST_TEST(complaint(changed("\"1,500\",", "")).find("profile.csv:5: error: the row has 15 cells; the header has 16") == 0);
  BOOST_TEST(complaint(changed("gpu__time_duration.sum", "gpu__time_other.sum")).find("profile.csv:5: error: the launch of sigma_v9") == 0);
  BOOST_TEST(complaint(changed("\"1\",\"1,500\"", "\"0\",\"1,500\"")).find("took no time at all") != std::string::npos);
  // Cut anywhere: a sentence or a shorter table, never anything else.
  for (size_t length = 0; length < good.size(); length += 7) {
    const std::string said = complaint(good.substr(0, length));
    BOOST_TEST((said.empty() || said.find("profile.csv:") == 0));
  }
}
