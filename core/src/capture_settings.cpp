// SPDX-License-Identifier: BSD-3-Clause
#include "capture_settings.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <suite/plugin.hpp>

#include "registry.hpp"
#include "text.hpp"

namespace suite::core {
namespace {

// Of one kernel.
struct Runs {
  long seen = 0, taken = 0, left_out = 0;  // left_out: by the limit on data
  uint64_t smallest = UINT64_MAX;          // of those, in bytes
};

struct State {
  std::mutex mutex;
  const suite_capture_module* module = nullptr;
  std::map<std::string, Runs> runs;  // by kernel
  std::set<std::string> not_wanted;  // kernels that were opened and that SUITE_CAPTURE_KERNEL leaves out
  bool any_wanted = false;
  CaptureSettings last;
  uint64_t bytes = 0;
  bool stopped = false;
  std::string why_stopped;
};
State& state() {
  static auto& one = *new State;  // never destroyed: a host's exit handlers may still call us
  return one;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// "8" calls, "2GiB", or both: "8,2GiB".
void read_limit(const std::string& text, CaptureSettings& settings) {
  bool calls_known = false, bytes_known = false;
  constexpr struct {
    const char* name;
    int shift;
  } units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, value);
    const std::string unit(end, static_cast<size_t>(text.data() + to - end));
    bool good = error == std::errc() && value > 0 && value < uint64_t(1) << 22;
    if (unit.empty()) {
      settings.calls = static_cast<long>(value);
      good = good && !std::exchange(calls_known, true);
    } else {
      const auto* known = std::find_if(std::begin(units), std::end(units), [&](const auto& u) { return unit == u.name; });
      good = good && known != std::end(units) && !std::exchange(bytes_known, true);
      if (good) settings.bytes = value << known->shift;
    }
    if (!good)
      throw Failure(SUITE_INVALID_ARGUMENT, "SUITE_CAPTURE_LIMIT is " + quoted(text) +
                                                "; it must be a number of calls (8), an amount of data (512MiB, 2GiB) or both (8,2GiB)");
    from = to + 1;
  }
}

long read_skip(const std::string& text) {
  long calls = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), calls);
  if (error != std::errc() || end != text.data() + text.size() || calls < 0)
    throw Failure(SUITE_INVALID_ARGUMENT, fitted("SUITE_CAPTURE_SKIP is " + quoted(text) + "; it must be a number of calls (100)"));
  return calls;
}

// Makes it where it is not there, and says where it lies.
std::string make_folder(const std::string& folder) {
  struct stat info;
  const auto refuse = [&](const std::string& why) {
    throw Failure(SUITE_INVALID_ARGUMENT, fitted("SUITE_CAPTURE is " + quoted(folder) + ", " + why));
  };
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    refuse(std::string("a folder that cannot be created: ") + std::strerror(errno));
  if (::stat(folder.c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) refuse("which is not a folder");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(std::string("a folder that is not writable: ") + std::strerror(errno));
  char whole[PATH_MAX];
  return ::realpath(folder.c_str(), whole) ? whole : folder;
}

[[noreturn]] void no_module(const std::string& why) {
  throw Failure(SUITE_INVALID_ARGUMENT, fitted("SUITE_CAPTURE is set, but calls cannot be captured: " + why));
}

// With a host's own HDF5 in the process, perhaps of another version, the module must see the one it was
// linked with. The address sanitizer does not have that.
int binding() { return ::dlsym(RTLD_DEFAULT, "__asan_init") ? 0 : RTLD_DEEPBIND; }

const suite_capture_module* load_module() {
  const std::string file = library_folder() + "/suite/modules/suite_capture_hdf5.so";
  struct stat info;
  if (::stat(file.c_str(), &info) != 0) no_module("there is no " + file + "; build suite with HDF5 (libhdf5-dev)");
  void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | binding());
  if (!handle) {
    const char* why = ::dlerror();
    no_module(why ? why : file + " cannot be loaded");
  }
  const auto query = reinterpret_cast<decltype(&suite_capture_module_query)>(::dlsym(handle, "suite_capture_module_query"));
  const suite_capture_module* module = query ? query() : nullptr;
  if (!module || module->version != SUITE_CAPTURE_MODULE_VERSION) no_module(file + " is of another version of suite");
  return module;
}

}  // namespace

std::optional<CaptureSettings> capture_settings(const std::string& kernel) {
  CaptureSettings settings;
  settings.folder = variable("SUITE_CAPTURE");
  if (settings.folder.empty()) return std::nullopt;
  if (const std::string limit = variable("SUITE_CAPTURE_LIMIT"); !limit.empty()) read_limit(limit, settings);
  if (const std::string skip = variable("SUITE_CAPTURE_SKIP"); !skip.empty()) settings.skip = read_skip(skip);
  const std::string only = variable("SUITE_CAPTURE_KERNEL");
  const bool family = only.find('.') == std::string::npos && kernel.rfind(only + ".", 0) == 0;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (!only.empty() && only != kernel && !family) {
    s.not_wanted.insert(kernel);
    return std::nullopt;
  }
  settings.folder = make_folder(settings.folder);
  if (!s.module) s.module = load_module();
  settings.module = s.module;
  s.any_wanted = true;
  s.last = settings;
  return settings;
}

Admission admit(const CaptureSettings& settings, const std::string& kernel, uint64_t bytes) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  Runs& runs = s.runs[kernel];
  Admission admission{kernel, bytes, ++runs.seen, false};
  if (s.stopped || admission.call <= settings.skip || runs.taken >= settings.calls) return admission;
  if (bytes > settings.bytes || s.bytes > settings.bytes - bytes) {
    ++runs.left_out;
    runs.smallest = std::min(runs.smallest, bytes);
    return admission;
  }
  ++runs.taken;
  s.bytes += bytes;
  admission.granted = true;
  return admission;
}

void give_back(Admission& admission) {
  if (!admission.granted) return;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  --s.runs[admission.kernel].taken;
  s.bytes -= admission.bytes;
  admission.granted = false;
}

void stop_captures(const char* why) noexcept try {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (std::exchange(s.stopped, true)) return;
  s.why_stopped = why;
} catch (const std::exception&) {
  // Without memory even for a warning there is none.
}

std::vector<std::string> capture_warnings() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  std::vector<std::string> warnings;
  if (!s.any_wanted && !s.not_wanted.empty())
    warnings.push_back("SUITE_CAPTURE_KERNEL is " + quoted(variable("SUITE_CAPTURE_KERNEL")) +
                       ", but only these kernels were opened: " + joined({s.not_wanted.begin(), s.not_wanted.end()}, ", "));
  std::vector<std::string> skipped, left_out;
  for (const auto& [kernel, runs] : s.runs) {
    if (runs.seen <= s.last.skip && runs.taken == 0) skipped.push_back(concat(kernel, " (", runs.seen, ")"));
    if (runs.left_out > 0) left_out.push_back(concat(kernel, " (", runs.left_out, ", of ", bytes_text(runs.smallest), " or more each)"));
  }
  if (!skipped.empty())
    warnings.push_back(concat("SUITE_CAPTURE_SKIP is ", s.last.skip,
                              "; kernels that had no more calls than this, so that none was captured: ", joined(skipped, ", ")));
  if (!left_out.empty())
    warnings.push_back("SUITE_CAPTURE: calls not captured because the captures would exceed " + bytes_text(s.last.bytes) +
                       " in all (SUITE_CAPTURE_LIMIT): " + joined(left_out, ", "));
  if (s.stopped) warnings.push_back("SUITE_CAPTURE: no more calls are captured: " + s.why_stopped);
  return warnings;
}

}  // namespace suite::core
