// SPDX-License-Identifier: BSD-3-Clause
// The backend "cpu": host memory used in place, work done when execute returns, the monotonic clock.
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <suite/plugin.hpp>

struct suite_queue {
  double marks[16] = {};
  std::string description;
};

namespace {

constexpr size_t cache_line = 64;

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
  }
  return "CPU";
}

// The cores this process may use, which a batch system often limits.
int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

std::string vector_instructions() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  if (__builtin_cpu_supports("avx")) return "AVX";
  return "SSE2";
#else
  return "";
#endif
}

// Flops of a core per cycle in FMA and double precision, with two units where there is FMA; 0: not known.
int flops_per_cycle() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 32;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 16;
  return __builtin_cpu_supports("avx") ? 8 : 4;
#else
  return 0;
#endif
}

// The highest clock that the system tells, in GHz: under a hypervisor often the nominal one. 0: not told.
double clock_GHz() {
  double kHz = 0, MHz = 0;
  if (std::ifstream("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") >> kHz) return 1e-6 * kHz;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("cpu MHz", 0) == 0 && std::sscanf(line.c_str(), "cpu MHz : %lf", &MHz) == 1) return 1e-3 * MHz;
  return 0;
}

// "peak 166 GFLOP/s FP64 at 2.60 GHz"
std::string peak(int cores) {
  const double GHz = clock_GHz(), flops = GHz * cores * flops_per_cycle();
  char text[64] = "";
  if (flops > 0) std::snprintf(text, sizeof text, ", peak %.0f GFLOP/s FP64 at %.2f GHz", flops, GHz);
  return text;
}

std::string description() {
  const int cores = usable_cores();
  const std::string vectors = vector_instructions();
  return suite::concat(cpu_name(), ", ", cores, cores == 1 ? " core" : " cores", vectors.empty() ? "" : ", " + vectors, peak(cores));
}

int device_count(int* count, suite_error*) {
  *count = 1;
  return SUITE_OK;
}

int open(int, suite_queue** queue, suite_error* error) {
  return suite::guarded(error, [&] { *queue = new suite_queue{{}, description()}; });
}

void close(suite_queue* queue) { delete queue; }

int allocate(suite_queue*, size_t bytes, void** data, suite_error* error) {
  if (::posix_memalign(data, cache_line, bytes) == 0) return SUITE_OK;
  suite::tell(error, "out of memory");
  return SUITE_OUT_OF_MEMORY;
}

void release(suite_queue*, void* data) { std::free(data); }

int copy(suite_queue*, void* to, const void* from, size_t bytes, suite_error*) {
  if (to != from) std::memmove(to, from, bytes);
  return SUITE_OK;
}

int wait(suite_queue*, suite_error*) { return SUITE_OK; }

int mark(suite_queue* queue, int slot, suite_error* error) {
  if (slot < 0 || slot >= 16) {
    suite::tell(error, "the slot of a mark must be from 0 to 15");
    return SUITE_INVALID_ARGUMENT;
  }
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  queue->marks[slot] = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  return SUITE_OK;
}

double seconds(suite_queue* queue, int from, int to) {
  if (from < 0 || from >= 16 || to < 0 || to >= 16) return 0;
  return queue->marks[to] - queue->marks[from];
}

void* native(suite_queue*) { return nullptr; }

const char* describe(suite_queue* queue) { return queue->description.c_str(); }

uint64_t number_in(const std::string& file, const std::string& key = "") {
  std::ifstream in(file);
  uint64_t value = 0;
  for (std::string word; !key.empty() && in >> word && word != key;) in.ignore(1 << 12, '\n');
  return in >> value ? value : 0;
}

// What the control groups of a container or batch job leave this process (cgroup v2), all of the memory
// without them. A process beyond its limit is killed, whatever the machine has free. File pages count as used
// but are given back.
uint64_t available_in_control_groups() {
  uint64_t available = ~uint64_t(0);
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (line.rfind("0::/", 0) != 0) continue;
    for (std::string path = line.substr(3); !path.empty(); path.resize(path.rfind('/'))) {
      const std::string folder = "/sys/fs/cgroup" + path;
      const uint64_t most = number_in(folder + "/memory.max");  // "max" reads as 0: no limit
      if (most == 0) continue;
      const uint64_t used = number_in(folder + "/memory.current");
      const uint64_t given_back = number_in(folder + "/memory.stat", "inactive_file");
      const uint64_t left = most + given_back > used ? most + given_back - used : 0;
      available = std::min({available, most, left});
    }
  }
  return available;
}

// MemAvailable counts what the kernel can give without swapping.
int memory(suite_queue*, uint64_t* free, uint64_t* total, suite_error* error) {
  return suite::guarded(error, [&] {
    std::ifstream info("/proc/meminfo");
    *free = *total = 0;
    std::string key, unit;
    for (uint64_t kibibytes; info >> key >> kibibytes; std::getline(info, unit)) {
      if (key == "MemTotal:") *total = kibibytes * 1024;
      if (key == "MemAvailable:") *free = kibibytes * 1024;
    }
    if (*total == 0 || *free == 0) throw suite::Failure(SUITE_DEVICE_ERROR, "/proc/meminfo does not contain MemTotal and MemAvailable");
    *free = std::min(*free, available_in_control_groups());
  });
}

int place(suite_queue*, const void*) { return SUITE_HOST; }

constexpr suite_backend cpu{sizeof(suite_backend),
                            "cpu",
                            1,
                            device_count,
                            open,
                            close,
                            allocate,
                            release,
                            copy,
                            copy,
                            wait,
                            mark,
                            seconds,
                            native,
                            describe,
                            memory,
                            place};

}  // namespace

SUITE_BACKEND_PLUGIN(&cpu)
