// SPDX-License-Identifier: BSD-3-Clause
#include "loader.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <suite/openmp_waiting.hpp>
#include <suite/plugin.hpp>

#include "elf.hpp"
#include "probe.hpp"
#include "process.hpp"
#include "seal.hpp"
#include "text.hpp"

namespace suite::core {
namespace {

constexpr uint64_t largest_plugin = uint64_t(2) << 30;

[[noreturn]] void refuse_file(const std::string& reason) { throw Failure(SUITE_UNSUPPORTED, reason); }

// Whoever may write a plugin, or replace it in its folder, runs code as us.
void check_owner(const std::string& path, const char* what) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) throw Failure(SUITE_NOT_FOUND, std::string("cannot be read: ") + std::strerror(errno));
  if (info.st_uid != 0 && info.st_uid != ::geteuid())
    refuse_file(concat("unsafe: ", what, " belongs to user ", info.st_uid, ", not to root or you"));
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    refuse_file(std::string("unsafe: ") + what + " may be written by " + (info.st_mode & S_IWOTH ? "everybody" : "its group") +
                " (chmod go-w " + path + ")");
}

std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  if (!::realpath(path.c_str(), resolved)) throw Failure(SUITE_NOT_FOUND, std::strerror(errno));
  return resolved;
}

// Throws when the file must not be loaded; returns whether its seal vouches for it.
bool check_file(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) throw Failure(SUITE_NOT_FOUND, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) refuse_file("it is not a regular file");
  check_owner(path, "the file");
  check_owner(path.substr(0, path.rfind('/') + 1), "its folder");
  const File file(path, largest_plugin);
  if (file.size() == 0) refuse_file("damaged: it is empty");
  const bool has_seal = looks_sealed(file);
  if (has_seal)
    if (const std::string defect = seal_defect(file); !defect.empty()) refuse_file("damaged: " + defect);
  const Elf elf = examine_elf(file);
  if (!elf.defect.empty()) refuse_file("damaged: " + elf.defect);
  if (!has_seal && elf.wants_seal) refuse_file("damaged: its seal is missing (suite-seal renews it after strip)");
  if (!has_seal && file.size() > elf.end + 16) refuse_file(concat("damaged: ", file.size() - elf.end, " unknown bytes follow its end"));
  return has_seal;
}

// A plugin that was *linked* with -ffast-math sets flush-to-zero in its constructor; the host's rounding and
// exception flags are its own business. fenv_t holds MXCSR as well.
class SavedFloatingPoint {
public:
  SavedFloatingPoint() { std::fegetenv(&environment_); }
  ~SavedFloatingPoint() { std::fesetenv(&environment_); }

private:
  std::fenv_t environment_;
};

// The first plugin brings libgomp, where the host has not: from now on its threads wait in a way that does
// not burn the cores. The host's environment is left as it was, for libgomp reads it while it is loaded.
class PatientOpenMP {
public:
  PatientOpenMP() : sets_(!openmp_waiting_is_chosen() && !openmp_is_loaded()) {
    if (sets_) ::setenv(openmp_spin_variable, openmp_spin_count, 1);
  }
  ~PatientOpenMP() {
    if (sets_) ::unsetenv(openmp_spin_variable);
  }

private:
  bool sets_;
};

}  // namespace

// dlopen, query, check. Never dlclose: an OpenMP runtime whose threads still run inside the library would
// crash.
void open_plugin(const std::string& path, Plugin& plugin) {
  const SavedFloatingPoint saved;
  if (static bool first = true; std::exchange(first, false)) note_openmp_of_host();
  const PatientOpenMP patient;
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char* text = ::dlerror();
    std::string reason = text ? text : "dlopen failed without a reason";
    if (reason.rfind(path + ": ", 0) == 0) reason.erase(0, path.size() + 2);
    refuse_file(reason);
  }
  auto* query = reinterpret_cast<const suite_plugin* (*)(uint32_t)>(::dlsym(handle, "suite_plugin_query"));
  if (!query) refuse_file("it has no function suite_plugin_query, so it is not a plugin of suite");
  adopt(query(SUITE_ABI_VERSION), plugin);
}

namespace {

// The outcome of check_file.
struct Checked {
  bool sealed = false;
  std::exception_ptr defect;
};

struct Known {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Plugin>> loaded;
  std::map<std::string, Checked> ahead;  // by real path, until they are loaded
};
Known& known() {
  static auto& all = *new Known;  // never destroyed: a host's exit handlers may still call us
  return all;
}

Checked checked(const std::string& path) {
  try {
    return {check_file(path), nullptr};
  } catch (...) { return {false, std::current_exception()}; }
}

// A host's signals are not for threads that it has not made.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

// Runs work(i) for all i below count, by several threads where there are cores; work must not throw.
template <class F> void in_parallel(size_t count, const F& work) {
  constexpr size_t most = 8;
  std::atomic<size_t> next{0};
  const auto loop = [&] {
    for (size_t i; (i = next++) < count;) work(i);
  };
  std::vector<std::thread> helpers;
  try {
    const BlockedSignals blocked;
    const size_t threads = std::min({count, most, size_t(std::thread::hardware_concurrency())});
    helpers.reserve(threads);
    for (size_t t = 1; t < threads; ++t) helpers.emplace_back(loop);
  } catch (const std::system_error&) {
    // As many as there are have to do.
  }
  loop();
  for (auto& helper : helpers) helper.join();
}

}  // namespace

void check_ahead(const std::vector<std::string>& paths) {
  const std::lock_guard lock(known().mutex);
  std::vector<std::pair<std::string, Checked>> files;
  for (const auto& path : paths) {
    char real[PATH_MAX];
    if (::realpath(path.c_str(), real) && !known().loaded[real]) files.emplace_back(real, Checked{});
  }
  in_parallel(files.size(), [&](size_t i) { files[i].second = checked(files[i].first); });
  for (auto& [path, outcome] : files) known().ahead[path] = std::move(outcome);
}

const Plugin& load_plugin(const std::string& path) {
  const std::string real = real_path(path);
  const std::lock_guard lock(known().mutex);
  auto& entry = known().loaded[real];
  if (!entry) {
    const auto node = known().ahead.extract(real);
    const Checked outcome = node.empty() ? checked(real) : node.mapped();
    if (outcome.defect) std::rethrow_exception(outcome.defect);
    if (!outcome.sealed)
      if (const std::string reason = probe_plugin(real); !reason.empty()) refuse_file(reason);
    auto plugin = std::make_unique<Plugin>();
    plugin->file = path;
    open_plugin(real, *plugin);
    entry = std::move(plugin);
  }
  return *entry;
}

}  // namespace suite::core
