// SPDX-License-Identifier: BSD-3-Clause
#include "hardware_counters.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace suite::app {
namespace {

constexpr double line_B = 64;

constexpr uint64_t cache_event(uint64_t cache, uint64_t operation, uint64_t result) { return cache | (operation << 8) | (result << 16); }

std::string vendor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("vendor_id", 0) == 0) return line.substr(line.find(':') + 2);
  return "";
}

// The threads of this process.
std::vector<pid_t> threads() {
  std::vector<pid_t> all;
  std::error_code error;
  for (std::filesystem::directory_iterator i("/proc/self/task", error), end; !error && i != end; i.increment(error))
    all.push_back(static_cast<pid_t>(std::atoi(i->path().filename().c_str())));
  return all;
}

int open_event(const CounterEvent& event, pid_t thread) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.inherit = 1;  // includes threads started while counting
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string reason(int error) {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  file >> level;
  if (error == EACCES || error == EPERM)
    return "the operating system does not allow this user to count (" + std::string(std::strerror(error)) +
           "; kernel.perf_event_paranoid is " + (level.empty() ? "unknown" : level) + ", 2 or less is needed)";
  if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
    return "this machine has no such hardware counters (" + std::string(std::strerror(error)) + "; virtual machines often lack them)";
  if (error == EMFILE) return "this process cannot open a file for each of its threads (ulimit -n)";
  if (error == ENOSYS) return "the operating system has no perf events";
  return std::string("perf_event_open: ") + std::strerror(error);
}

}  // namespace

std::vector<CounterEvent> cpu_events() {
  std::vector<CounterEvent> events{
      {"L2", PERF_TYPE_HW_CACHE, cache_event(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS),
       line_B},
      {"memory", PERF_TYPE_HW_CACHE, cache_event(PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS),
       line_B}};
  const std::string made_by = vendor();
  if (made_by == "GenuineIntel")
    // L2_LINES_IN.ALL, event F1 mask 1F since Skylake: lines into L2.
    events.push_back({"L3", PERF_TYPE_RAW, 0xf1 | (uint64_t{0x1f} << 8), line_B});
  else if (made_by == "AuthenticAMD")
    // L2 misses of data-cache requests (PMCx064, mask 08): lines from L3 and beyond.
    events.push_back({"L3", PERF_TYPE_RAW, 0x64 | (uint64_t{0x08} << 8), line_B});
  return events;
}

HardwareCounters::HardwareCounters(const std::vector<CounterEvent>& events) : events_(events) {
  int error = 0;
  const std::vector<pid_t> all = threads();
  for (size_t i = 0; i < events_.size(); ++i) {
    // Count on every thread or not at all: a partial count (each thread takes a file descriptor, which may run out) would be taken for the
    // total.
    const size_t before = open_.size();
    for (const pid_t thread : all) {
      const int file = open_event(events_[i], thread);
      if (file >= 0) {
        open_.push_back({file, i});
      } else if (errno != ESRCH) {  // a thread that has ended counts nothing
        error = errno;
        for (; open_.size() > before; open_.pop_back()) close(open_.back().file);
        break;
      }
    }
  }
  if (open_.empty()) why_ = reason(error);
}

HardwareCounters::~HardwareCounters() {
  for (const Open& o : open_) close(o.file);
}

std::vector<Counted> HardwareCounters::count(const std::function<void()>& f) {
  for (const Open& o : open_) ioctl(o.file, PERF_EVENT_IOC_RESET, 0);
  for (const Open& o : open_) ioctl(o.file, PERF_EVENT_IOC_ENABLE, 0);
  f();
  for (const Open& o : open_) ioctl(o.file, PERF_EVENT_IOC_DISABLE, 0);
  std::vector<Counted> counted;
  for (const Open& o : open_) {
    struct {
      uint64_t value, enabled, running;
    } now{};
    if (read(o.file, &now, sizeof now) != sizeof now || now.running == 0) continue;
    const double amount =
        static_cast<double>(now.value) * static_cast<double>(now.enabled) / static_cast<double>(now.running) * events_[o.event].scale;
    const std::string& quantity = events_[o.event].quantity;
    auto* known = static_cast<Counted*>(nullptr);
    for (auto& c : counted)
      if (c.quantity == quantity) known = &c;
    if (known) known->amount += amount;
    else counted.push_back({quantity, amount});
  }
  return counted;
}

}  // namespace suite::app
