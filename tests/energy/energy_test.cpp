// SPDX-License-Identifier: BSD-3-Clause
// Energy from a pretended /sys/class/powercap and a pretended NVML.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

#include <suite/plugin.hpp>

#include "../common/outcome.hpp"
#include "common/quantities.hpp"
#include "measure/energy.hpp"

namespace fs = std::filesystem;
using suite::app::EnergyCounter;
using suite::app::EnergyMeter;
using suite::test::outcome;

namespace {

// Folders like the kernel's: two packages, the memory of one, and what must not be counted.
struct Powercap {
  Powercap() : folder(fs::temp_directory_path() / ("suite-energy-" + std::to_string(::getpid()))) {
    domain("intel-rapl:0", "package-0", 1000);
    domain("intel-rapl:1", "package-1", 2000);
    domain("intel-rapl:0:0", "core", 500);
    domain("intel-rapl:0:1", "dram", 300);
    domain("intel-rapl:2", "psys", 9000);
    domain("intel-rapl-mmio:0", "package-0", 1000);
    write("intel-rapl", "enabled", "1");
  }
  ~Powercap() { fs::remove_all(folder); }
  void write(const std::string& where, const std::string& file, const std::string& text) const {
    fs::create_directories(folder / where);
    std::ofstream(folder / where / file) << text << "\n";
  }
  void set(const std::string& where, long uJ) const { write(where, "energy_uj", std::to_string(uJ)); }
  void domain(const std::string& where, const std::string& name, long uJ) const {
    write(where, "name", name);
    write(where, "max_energy_range_uj", "262143328850");
    set(where, uJ);
  }
  std::unique_ptr<EnergyCounter> open() {
    return suite::app::open_rapl(folder, [this] { return now_s; });
  }
  fs::path folder;
  double now_s = 0;
};

constexpr double micro = 1e-6;

}  // namespace

BOOST_AUTO_TEST_CASE(packages_and_memory_are_added_and_nothing_is_counted_twice) {
  Powercap powercap;
  const auto counter = powercap.open();
  BOOST_TEST(counter->read().joules == 0);
  powercap.now_s = 0.1;
  powercap.set("intel-rapl:0", 1000 + 7);
  powercap.set("intel-rapl:1", 2000 + 20);
  powercap.set("intel-rapl:0:1", 300 + 400);
  for (const char* not_counted : {"intel-rapl:0:0", "intel-rapl:2", "intel-rapl-mmio:0"}) powercap.set(not_counted, 100000);
  BOOST_TEST(counter->read().joules == 427 * micro, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(counter->read().gaps == 0);
}

BOOST_AUTO_TEST_CASE(a_counter_that_wraps_around_goes_on) {
  Powercap powercap;
  powercap.set("intel-rapl:0", 262143328850 - 10);
  const auto counter = powercap.open();
  powercap.now_s = 0.1;
  powercap.set("intel-rapl:0", 32);
  const auto now = counter->read();
  BOOST_TEST(now.joules == 42 * micro, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(now.gaps == 0);
}

BOOST_AUTO_TEST_CASE(a_time_in_which_it_may_have_wrapped_twice_is_a_gap) {
  Powercap powercap;
  const auto counter = powercap.open();
  powercap.now_s = 130;  // 2000 W for 131 s are its range
  BOOST_TEST(counter->read().gaps == 0);
  powercap.now_s += 132;
  BOOST_TEST(counter->read().gaps == 1);
  powercap.now_s += 1;
  BOOST_TEST(counter->read().gaps == 1);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_for_a_while_is_a_gap) {
  Powercap powercap;
  const auto counter = powercap.open();
  powercap.write("intel-rapl:0", "energy_uj", "none");
  BOOST_TEST(counter->read().gaps == 1);
  powercap.set("intel-rapl:0", 5000);
  BOOST_TEST(counter->read().gaps == 2);  // nobody knows since when these are counted
  powercap.set("intel-rapl:0", 5003);
  const auto before = counter->read();
  powercap.set("intel-rapl:0", 5010);
  const auto now = counter->read();
  BOOST_TEST(now.gaps == before.gaps);
  BOOST_TEST(now.joules - before.joules == 7 * micro, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(why_there_are_none_is_told) {
  BOOST_TEST(outcome([] { suite::app::open_rapl("/nonexistent", [] { return 0.0; }); }) ==
             "not found: there are no RAPL counters (intel-rapl:*) in /nonexistent");
  Powercap powercap;
  fs::remove(powercap.folder / "intel-rapl:0" / "energy_uj");
  BOOST_TEST(outcome([&] { powercap.open(); }) ==
             "unsupported: " + (powercap.folder / "intel-rapl:0/energy_uj cannot be read: No such file or directory").string());
  powercap.set("intel-rapl:0", 1);
  powercap.write("intel-rapl:1", "max_energy_range_uj", "0");
  BOOST_TEST(outcome([&] { powercap.open(); }) ==
             "unsupported: " + (powercap.folder / "intel-rapl:1/max_energy_range_uj contains no range").string());
}

BOOST_AUTO_TEST_CASE(samples_are_of_one_run_and_long_enough_or_there_are_none) {
  Powercap powercap;
  ::setenv("SUITE_POWERCAP", powercap.folder.c_str(), 1);
  suite::app::EnergySamples samples("cpu");
  for (int i = 1; i <= 3; ++i) {
    samples.begin();
    powercap.set("intel-rapl:0", 1000 + 80 * i);
    samples.end(0.02, 4);
  }
  BOOST_TEST(samples.why_not() == "");
  BOOST_TEST(samples.joules().size() == 3);
  for (const double joules : samples.joules()) BOOST_TEST(joules == 20 * micro, boost::test_tools::tolerance(1e-9));
  samples.begin();
  samples.end(0.002, 4);
  BOOST_TEST(samples.joules().empty());
  BOOST_TEST(samples.why_not() == "a sample took 2.00 ms, less than the 10.0 ms required by the energy counter");
}

BOOST_AUTO_TEST_CASE(joules_are_read_by_people) {
  BOOST_TEST(suite::app::joules_text(12345) == "12.3 kJ");
  BOOST_TEST(suite::app::joules_text(1.234) == "1.23 J");
  BOOST_TEST(suite::app::joules_text(0.0456) == "45.6 mJ");
  BOOST_TEST(suite::app::joules_text(7e-5) == "70.0 uJ");
}

BOOST_AUTO_TEST_CASE(a_run_has_its_energy) {
  Powercap powercap;
  ::setenv("SUITE_POWERCAP", powercap.folder.c_str(), 1);
  EnergyMeter meter("emulated");
  const suite::app::EnergyOfRun run(meter);
  powercap.set("intel-rapl:1", 2000 + 1000000);
  BOOST_TEST(run.joules() == 1.0, boost::test_tools::tolerance(1e-9));
  EnergyMeter none("opencl:pocl");
  BOOST_TEST(none.why_not() == "energy is measured on backends cpu, emulated and cuda, not on opencl");
  BOOST_TEST(std::isnan(suite::app::EnergyOfRun(none).joules()));
}

// With libnvidia-ml.so.1 of this folder on the search path, as the next one.
BOOST_AUTO_TEST_CASE(a_gpu_that_cannot_be_read_for_a_while_is_a_gap) {
  const auto counter = suite::app::open_nvml(0);
  BOOST_TEST(counter->read().gaps == 0);
  ::setenv("PRETENDED_OLD", "0", 1);
  BOOST_TEST(counter->read().gaps == 1);
  ::unsetenv("PRETENDED_OLD");
  const auto before = counter->read();
  BOOST_TEST(before.gaps == 2);  // nobody knows what was drawn meanwhile
  const auto now = counter->read();
  BOOST_TEST(now.gaps == 2);
  BOOST_TEST(now.joules - before.joules == 1.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(gpus_are_those_that_cuda_counts) {
  const auto drawn = [](int device) {
    const auto counter = suite::app::open_nvml(device);
    return counter->read().joules;
  };
  const auto trouble = [](int device) { return outcome([&] { suite::app::open_nvml(device); }); };
  ::setenv("PRETENDED_GPUS", "0", 1);
  BOOST_TEST(trouble(0) == "unsupported: nvmlInit: Driver Not Loaded");
  ::setenv("PRETENDED_GPUS", "1", 1);
  BOOST_TEST(drawn(0) == 1.0);
  ::setenv("PRETENDED_GPUS", "4", 1);
  BOOST_TEST(trouble(1) ==
             "unsupported: cannot determine which of the 4 GPUs is cuda:1; CUDA_DEVICE_ORDER=PCI_BUS_ID makes CUDA "
             "number them like the driver");
  ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  BOOST_TEST(drawn(1) == 2.0);
  ::setenv("CUDA_VISIBLE_DEVICES", "3,2", 1);
  BOOST_TEST(drawn(1) == 3.0);
  ::setenv("CUDA_VISIBLE_DEVICES", "GPU-3", 1);
  BOOST_TEST(drawn(0) == 4.0);
  ::setenv("CUDA_VISIBLE_DEVICES", "MIG-1", 1);
  BOOST_TEST(trouble(0) == "unsupported: the energy of 'MIG-1' in CUDA_VISIBLE_DEVICES is not counted separately");
  ::setenv("CUDA_VISIBLE_DEVICES", "0", 1);
  ::setenv("PRETENDED_OLD", "0", 1);
  BOOST_TEST(trouble(0) == "unsupported: nvmlDeviceGetTotalEnergyConsumption: Not Supported");
}
