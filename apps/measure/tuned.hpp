// SPDX-License-Identifier: BSD-3-Clause
// Knob settings that `suite bench --tune` found faster than the defaults, stored for later runs on the same machine with the same plugin.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <suite/suite.hpp>

#include "row_fields.hpp"

namespace suite::app {

// What a setting is valid for. With another build of the plugin, another driver (part of the device's description) or another number of
// threads it is not used.
struct TunedFor {
  std::string kernel, implementation, variant, plugin_sha256, device, shape;
  int threads = 1;
  bool operator==(const TunedFor&) const = default;
};
// For a kernel whose arguments are set.
TunedFor tuned_for(const Kernel& kernel, const std::string& variant, const std::string& plugin_file, const std::string& device,
                   int threads);
// Types and extents of the arguments, extents rounded to powers of two: "complex128 ncouls 2^12 ngpown 2^9". Shapes of one class are
// within a factor of two of each other.
std::string shape_class(const Kernel& kernel);

struct TunedEntry {
  TunedFor key;
  Parameters parameters;
  Estimate ratio;         // time with the settings relative to the time without, when they were found
  std::string size, utc;  // size on which they were found, and when
};

// clang-format off
template <> inline constexpr auto fields<TunedFor> = std::tuple{
    Field{&TunedFor::kernel,         "kernel",         "", "", name_limits},
    Field{&TunedFor::implementation, "implementation", "", "", name_limits},
    Field{&TunedFor::variant,        "variant",        "", "", name_or_none},
    Field{&TunedFor::plugin_sha256,  "plugin_sha256",  "", "", {.pattern = "^[0-9a-f]{64}$"}},
    Field{&TunedFor::device,         "device",         "", "", not_empty},
    Field{&TunedFor::threads,        "threads",        "", "", {.low = 1}},
    Field{&TunedFor::shape,          "shape",          "", "class of shapes for which a setting is valid: types, extents rounded to powers of two", not_empty},
};
template <> inline constexpr auto fields<TunedEntry> = std::tuple{
    Flat{&TunedEntry::key},
    Field{&TunedEntry::parameters, "parameters", "", "", {.longest = 256}},
    Field{&TunedEntry::ratio,      "ratio",      "1", "time with the settings relative to the time without, when they were found"},
    Field{&TunedEntry::size,       "size",       "", "size on which they were found", not_empty},
    Field{&TunedEntry::utc,        "utc",        "", "when they were found", not_empty},
};
// clang-format on

nlohmann::ordered_json tuned_schema();

class TunedFile {
public:
  // $SUITE_TUNED, else $XDG_CACHE_HOME/suite/tuned.json, else $HOME/.cache/suite/tuned.json; "" if none is set.
  static std::filesystem::path place();
  // Empty if there is no such file. Throws Failure (invalid argument) if it is damaged.
  explicit TunedFile(const std::filesystem::path& file = place());
  const TunedEntry* find(const TunedFor& key) const;
  bool empty() const { return entries_.empty(); }
  // The settings of the entry, except parameters that the user set.
  Parameters settings_for(const TunedFor& key, const Parameters& named) const;
  const std::filesystem::path& file() const { return file_; }
  // Rewrites the file, replacing the entry with the same key.
  void keep(const TunedEntry& entry);
  void forget(const TunedFor& key);

private:
  void write(const TunedFor& key, const TunedEntry* entry);
  std::filesystem::path file_;
  std::vector<TunedEntry> entries_;
};

}  // namespace suite::app
