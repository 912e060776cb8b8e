// SPDX-License-Identifier: BSD-3-Clause
#include "registry.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include <suite/cpu/levels.hpp>
#include <suite/plugin.hpp>

#include "loader.hpp"
#include "text.hpp"

namespace suite::core {
namespace {

// Best first. SUITE_ISA forbids the levels above the one it names.
struct Level {
  std::string name;
  bool runs, allowed;
};
std::vector<Level> levels() {
  const char* asked = std::getenv("SUITE_ISA");
  bool allowed = !asked || !*asked;
  std::vector<Level> all;
  for (size_t at = 0; at < cpu::levels.size(); ++at) {
    allowed = allowed || std::string_view(cpu::levels[at].name) == asked;
    all.push_back({cpu::levels[at].name, cpu::runs(at), allowed});
  }
  return all;
}

std::vector<std::string> search_folders() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("SUITE_PLUGIN_PATH")) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const size_t colon = rest.find(':');
      if (colon != 0) folders.emplace_back(rest.substr(0, colon));
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
  }
  folders.push_back(library_folder() + "/suite");
  return folders;
}

std::vector<std::string> plugin_files(const std::string& folder) {
  std::vector<std::string> names;
  DIR* open = ::opendir(folder.c_str());
  if (!open) return names;
  while (const dirent* entry = ::readdir(open)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with("suite_") && name.ends_with(".so")) names.emplace_back(name);
  }
  ::closedir(open);
  std::sort(names.begin(), names.end());
  return names;
}

bool exists(const std::string& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0;
}

std::string file_name_of(const Plugin& plugin) {
  if (plugin.table.backend) return std::string("suite_backend_") + plugin.backend.name + ".so";
  return std::string("suite_") + plugin.table.family + "_" + plugin.table.implementation + ".so";
}

// Plugins of the program itself, oldest first. Never destroyed, and none is dropped: calls may use an older one of a name.
struct Registered {
  std::mutex mutex;
  std::vector<std::unique_ptr<Plugin>> plugins;
};
Registered& registered() {
  static auto& all = *new Registered;
  return all;
}

// The newest of each file name that a plugin would have.
std::map<std::string, const Plugin*> registered_by_name() {
  const std::lock_guard lock(registered().mutex);
  std::map<std::string, const Plugin*> newest;
  for (const auto& plugin : registered().plugins) newest[file_name_of(*plugin)] = plugin.get();
  return newest;
}

// A plugin found by its name must be what the name says.
const Plugin& load_named(const std::string& path) {
  const Plugin& plugin = load_plugin(path);
  const std::string name = path.substr(path.rfind('/') + 1), own = file_name_of(plugin);
  if (name != own) throw Failure(SUITE_UNSUPPORTED, "its table requires the name " + own);
  return plugin;
}

// Every file of a name on the search path, in the order in which they are tried.
std::vector<std::string> candidates(const std::string& name) {
  std::vector<std::string> files;
  for (const auto& folder : search_folders()) {
    for (const auto& level : levels())
      if (level.runs && level.allowed) files.push_back(folder + "/" + level.name + "/" + name);
    files.push_back(folder + "/" + name);
  }
  files.erase(std::remove_if(files.begin(), files.end(), [](const auto& f) { return !exists(f); }), files.end());
  return files;
}

// The middle of every suite_<middle>.so on the search path.
std::vector<std::string> known_middles() {
  std::set<std::string> middles;
  const auto insert = [&](const std::string& name) { middles.insert(name.substr(6, name.size() - 9)); };
  const auto add = [&](const std::string& folder) {
    for (const auto& name : plugin_files(folder)) insert(name);
  };
  for (const auto& [name, plugin] : registered_by_name()) insert(name);
  for (const auto& folder : search_folders()) {
    for (const auto& level : levels())
      if (level.runs && level.allowed) add(folder + "/" + level.name);
    add(folder);
  }
  return {middles.begin(), middles.end()};
}

// What follows `prefix` in the known names.
std::vector<std::string> known_behind(const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& middle : known_middles())
    if (middle.starts_with(prefix)) names.push_back(middle.substr(prefix.size()));
  return names;
}

void require_environment() {
  if (const std::string defect = environment_defect(); !defect.empty()) throw Failure(SUITE_INVALID_ARGUMENT, defect);
}

// A registered plugin, or the first usable file of the name; null after filling `reasons`, one per file tried.
const Plugin* first_usable(const std::string& name, std::vector<std::string>& reasons) {
  const auto own = registered_by_name();
  if (const auto found = own.find(name); found != own.end()) return found->second;
  for (const auto& file : candidates(name)) {
    try {
      return &load_named(file);
    } catch (const Failure& e) { reasons.push_back(file + ": " + e.what()); }
  }
  return nullptr;
}

const KernelEntry& kernel_of(const Plugin& plugin, const std::string& kernel) {
  if (const KernelEntry* entry = plugin.find(kernel)) return *entry;
  std::vector<std::string> names;
  for (const auto& entry : plugin.kernels) names.push_back(entry.table.kernel);
  throw Failure(SUITE_NOT_FOUND, fitted("no kernel " + quoted(kernel) + " in " + plugin.file + known_names(kernel, names)));
}

[[noreturn]] void no_implementation(const std::string& kernel, const std::string& family, const std::string& implementation) {
  const auto others = known_behind(family + "_");
  if (!others.empty())
    throw Failure(SUITE_NOT_FOUND,
                  fitted("no implementation " + quoted(implementation) + " of " + kernel + known_names(implementation, others)));
  std::vector<std::string> families;
  for (const auto& middle : known_middles()) {
    const std::string name = middle.substr(0, middle.find('_'));
    if (name != "backend" && std::find(families.begin(), families.end(), name) == families.end()) families.push_back(name);
  }
  const std::string near = did_you_mean(family, families);
  throw Failure(SUITE_NOT_FOUND, fitted("no plugin has kernel " + quoted(kernel) +
                                        (families.empty() ? "; there are no kernel plugins in "
                                         : near.empty()   ? "; searched "
                                                          : near + " Searched: ") +
                                        joined(search_folders(), ", ")));
}

FoundKernel find_in_file(const std::string& kernel, const std::string& path) {
  try {
    const Plugin& plugin = load_plugin(path);
    return {&plugin, &kernel_of(plugin, kernel)};
  } catch (const Failure& e) {
    if (std::string_view(e.what()).starts_with("no kernel ")) throw;
    throw Failure(e.status(), fitted("cannot use " + path + ": " + e.what()));
  }
}

}  // namespace

std::string library_folder() {
  Dl_info info{};
  static const char anchor = 0;
  if (!::dladdr(&anchor, &info) || !info.dli_fname) return ".";
  char* resolved = ::realpath(info.dli_fname, nullptr);
  std::string path = resolved ? resolved : info.dli_fname;
  std::free(resolved);
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

DeviceName parse_device(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text};
  DeviceName device{text.substr(0, colon), 0};
  const char *from = text.data() + colon + 1, *to = text.data() + text.size();
  const auto read = std::from_chars(from, to, device.index);
  if (read.ec == std::errc() && read.ptr == to && device.index >= 0) return device;
  device.index = 0;
  device.part.assign(from, to);
  // A number that no device can have is no description either.
  const bool number = device.part.find_first_not_of("+-0123456789") == std::string::npos;
  if (number)
    throw Failure(SUITE_INVALID_ARGUMENT, "the device of " + quoted(text) +
                                              " must be a number, as in cuda:1, or a part of its "
                                              "description, as in opencl:pocl");
  return device;
}

FoundKernel find_kernel(const std::string& kernel, const std::string& implementation) {
  require_environment();
  if (implementation.find('/') != std::string::npos) return find_in_file(kernel, implementation);
  const size_t dot = kernel.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == kernel.size())
    throw Failure(SUITE_NOT_FOUND, "a kernel is named family.name, as gpp.sigma; " + quoted(kernel) + " is not");
  const std::string family = kernel.substr(0, dot);
  std::vector<std::string> reasons;
  if (const Plugin* plugin = first_usable("suite_" + family + "_" + implementation + ".so", reasons))
    return {plugin, &kernel_of(*plugin, kernel)};
  if (reasons.empty()) no_implementation(kernel, family, implementation);
  throw Failure(SUITE_NOT_FOUND, fitted("no usable plugin for " + kernel + " on " + implementation + ": " + joined(reasons, "; ")));
}

const Plugin& find_backend(const std::string& name) {
  require_environment();
  std::vector<std::string> reasons;
  if (name.find('/') == std::string::npos)
    if (const Plugin* plugin = first_usable("suite_backend_" + name + ".so", reasons)) return *plugin;
  if (!reasons.empty()) throw Failure(SUITE_NOT_FOUND, fitted("no usable plugin for backend " + name + ": " + joined(reasons, "; ")));
  const auto others = known_behind("backend_");
  throw Failure(SUITE_NOT_FOUND,
                fitted("no backend " + quoted(name) +
                       (others.empty() ? "; none was found in " + joined(search_folders(), ", ") : known_names(name, others))));
}

void register_plugin(const suite_plugin& table) {
  auto plugin = std::make_unique<Plugin>();
  adopt(&table, *plugin);
  plugin->file = registered_file;
  const std::lock_guard lock(registered().mutex);
  registered().plugins.push_back(std::move(plugin));
}

void visit_plugins(const Seen& seen) {
  for (const auto& [name, plugin] : registered_by_name()) seen(plugin->file, plugin, "");
  struct Found {
    std::string file, unusable;
  };
  std::vector<Found> found;
  const auto add = [&](const std::string& folder, const std::string& unusable) {
    for (const auto& name : plugin_files(folder)) found.push_back({folder + "/" + name, unusable});
  };
  for (const auto& folder : search_folders()) {
    struct stat info;
    if (::stat(folder.c_str(), &info) != 0) {
      found.push_back({folder, std::strerror(errno)});
      continue;
    }
    for (const auto& level : levels())
      add(folder + "/" + level.name, !level.runs      ? "it needs " + level.name + ", which this CPU does not support"
                                     : !level.allowed ? std::string("SUITE_ISA=") + std::getenv("SUITE_ISA") + " excludes it"
                                                      : "");
    add(folder, "");
  }
  std::vector<std::string> wanted;
  for (const auto& f : found)
    if (f.unusable.empty()) wanted.push_back(f.file);
  check_ahead(wanted);
  for (auto& [file, why] : found) {
    const Plugin* plugin = nullptr;
    try {
      if (why.empty()) plugin = &load_named(file);
    } catch (const std::exception& e) { why = e.what(); }
    seen(file, plugin, why);
  }
}

std::string environment_defect() {
  const char* asked = std::getenv("SUITE_ISA");
  if (!asked || !*asked) return "";
  std::vector<std::string> known;
  for (const auto& level : cpu::levels) known.emplace_back(level.name);
  known.emplace_back("baseline");
  if (std::find(known.begin(), known.end(), asked) != known.end()) return "";
  return "SUITE_ISA is " + quoted(asked) + "; it must be one of " + joined(known, ", ");
}

}  // namespace suite::core
