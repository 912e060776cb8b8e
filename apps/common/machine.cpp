// SPDX-License-Identifier: BSD-3-Clause
#include "machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <suite/cpu/levels.hpp>

#include "communicator.hpp"
#include "memory.hpp"

namespace suite::app {
namespace {

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, get_nprocs());
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) {
      const size_t colon = line.find(':');
      return colon + 2 < line.size() ? line.substr(colon + 2) : "";
    }
  return "unknown CPU";
}

std::string simd_name() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  if (__builtin_cpu_supports("avx")) return "AVX";
  return "SSE2";
#elif defined(__aarch64__)
  return cpu::runs(0) ? "SVE" : "NEON";
#else
  return "scalar or unknown vectors";
#endif
}

// A function of an OpenMP runtime loaded by some library or plugin. Plugins are loaded with local symbols, so the runtime is looked up
// by its file name.
void* openmp_function(const char* name) {
  if (void* found = dlsym(RTLD_DEFAULT, name)) return found;
  for (const char* library : {"libgomp.so.1", "libomp.so.5", "libiomp5.so"})
    if (void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
      void* found = dlsym(handle, name);
      dlclose(handle);
      if (found) return found;
    }
  return nullptr;
}

double clock_s(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

Machine machine() {
  Machine m;
  m.cpu = cpu_name();
  m.simd = simd_name();
  m.cores = usable_cores();
  m.memory_B = allowed_memory_B();
  utsname u{};
  if (uname(&u) == 0) {
    m.name = u.nodename;
    m.system = std::string(u.sysname) + " " + u.release + " " + u.machine;
  }
  return m;
}

void use_threads(int threads, int ranks_here) {
  if (threads <= 0) {
    if (std::getenv("OMP_NUM_THREADS") || ranks_here <= 1) return;
    // A launcher that binds its ranks has already divided the cores.
    const int cores = usable_cores();
    threads = cores < get_nprocs() ? cores : std::max(1, cores / ranks_here);
  }
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  if (const auto set = reinterpret_cast<void (*)(int)>(openmp_function("omp_set_num_threads"))) set(threads);
}

int threads_in_use() {
  if (const auto get = reinterpret_cast<int (*)()>(openmp_function("omp_get_max_threads"))) return get();
  if (const char* value = std::getenv("OMP_NUM_THREADS")) return std::max(1, std::atoi(value));
  return usable_cores();
}

int ranks_on_this_machine() {
  if (launched_rank() < 0) return 1;  // SLURM_NTASKS_PER_NODE is also set in the script of a batch job
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"})
    if (const char* value = std::getenv(name)) return std::max(1, std::atoi(value));
  return 1;
}

double wall_s() { return clock_s(CLOCK_MONOTONIC); }
double cpu_s() { return clock_s(CLOCK_PROCESS_CPUTIME_ID); }

double waited_s() {
  std::error_code none;
  std::filesystem::directory_iterator task("/proc/self/task", none);
  if (none) return NAN;
  double waited_ns = 0;
  bool known = false;
  for (const std::filesystem::directory_iterator end; task != end; task.increment(none)) {
    double ran = 0, waited = 0;
    if (std::ifstream(task->path() / "schedstat") >> ran >> waited) {
      waited_ns += waited;
      known = true;
    }
    if (none) break;
  }
  return known ? 1e-9 * waited_ns : NAN;
}

double waited_share(double waited_s, double cpu_s) {
  if (!std::isfinite(waited_s) || !(cpu_s > 0)) return NAN;
  const double waited = std::max(0.0, waited_s);  // waiting time of threads that have ended is lost
  return waited / (waited + cpu_s);
}

std::string utc_time(bool for_name) {
  const time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, for_name ? "%Y%m%dT%H%M%SZ" : "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace suite::app
