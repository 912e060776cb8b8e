// SPDX-License-Identifier: BSD-3-Clause
#include "process.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>

#include <suite/openmp_waiting.hpp>
#include <suite/plugin.hpp>

#include "capture_settings.hpp"
#include "registry.hpp"
#include "text.hpp"
#include "trace_file.hpp"

namespace suite::core {

// Two OpenMP runtimes in one process fight for the cores, each with spinning threads of its own.
static std::set<std::string> openmp_runtimes() {
  std::set<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    const std::string path = line.substr(slash), name = path.substr(path.rfind('/') + 1);
    for (const char* runtime : {"libgomp.so", "libomp.so", "libomp5.so", "libiomp5.so"})
      if (name.rfind(runtime, 0) == 0 || (name.rfind("libomp-", 0) == 0 && name.find(".so") != std::string::npos)) found.insert(path);
  }
  return found;
}

bool openmp_is_loaded() {
  void* handle = ::dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (handle) ::dlclose(handle);
  return handle != nullptr;
}

// Its threads spin as libgomp likes, and nothing can be done about it in this process.
static bool openmp_of_host_spins = false;

void note_openmp_of_host() {
  const char* threads = std::getenv("OMP_NUM_THREADS");
  openmp_of_host_spins = openmp_is_loaded() && !openmp_waiting_is_chosen() && !(threads && !std::strcmp(threads, "1"));
}

std::vector<std::string> process_warnings() {
  std::vector<std::string> warnings;
  if (openmp_of_host_spins)
    warnings.push_back(std::string("OpenMP's threads spin for milliseconds after every kernel and take the cores from "
                                   "other work: libgomp was loaded before suite could change its settings; start the "
                                   "program with ") +
                       openmp_spin_variable + "=" + openmp_spin_count + " or OMP_WAIT_POLICY=passive");
  const auto runtimes = openmp_runtimes();
  if (runtimes.size() > 1)
    warnings.push_back(concat(runtimes.size(), " OpenMP runtimes are loaded: ", joined({runtimes.begin(), runtimes.end()}, ", "),
                              "; their threads compete, so build the plugins with one compiler"));
  if (const std::string defect = environment_defect(); !defect.empty()) warnings.push_back(defect);
  if (const std::string trouble = TraceFile::trouble(); !trouble.empty()) warnings.push_back(trouble);
  for (const auto& warning : capture_warnings()) warnings.push_back(warning);
  return warnings;
}

Digest hash_file(const std::string& path) {
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (!file) throw Failure(SUITE_NOT_FOUND, fitted("cannot open " + path + ": " + std::strerror(errno)));
  Sha256 hash;
  std::vector<char> buffer(size_t(1) << 18);
  for (size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0;) hash.update(buffer.data(), got);
  if (std::ferror(file.get())) throw Failure(SUITE_NOT_FOUND, fitted("cannot read " + path + ": " + std::strerror(errno)));
  return hash.finish();
}

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string program_path() {
  char path[PATH_MAX] = {};
  return ::readlink("/proc/self/exe", path, sizeof path - 1) > 0 ? path : "unknown";
}

long launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"})
    if (const char* value = std::getenv(name); value && *value) return std::atol(value);
  return -1;
}

long local_rank() {
  if (const char* said = std::getenv("SUITE_LOCAL_RANK"); said && *said) {
    char* end = nullptr;
    const long rank = std::strtol(said, &end, 10);
    if (*end || rank < 0) throw Failure(SUITE_INVALID_ARGUMENT, "SUITE_LOCAL_RANK is " + quoted(said) + "; it must be a number, 0 or more");
    return rank;
  }
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"})
    if (const char* value = std::getenv(name); value && *value) return std::atol(value);
  return -1;
}

}  // namespace suite::core
