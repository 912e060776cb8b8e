// SPDX-License-Identifier: BSD-3-Clause
// Settings of knobs that `suite bench --tune` found faster than the default ones, kept in a file for later
// runs on the same machine with the same plugin.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <suite/suite.hpp>

#include "row_fields.hpp"

namespace suite::app {

// What a setting holds for. Another build of the plugin, another driver (which the device's description
// names), another number of threads: nothing is taken over.
struct TunedFor {
  std::string kernel, implementation, variant, plugin_sha256, device, shape;
  int threads = 1;
  bool operator==(const TunedFor&) const = default;
};
// Of a kernel whose arguments are set.
TunedFor tuned_for(const Kernel& kernel, const std::string& variant, const std::string& plugin_file, const std::string& device,
                   int threads);
// Types and extents of the arguments, extents as powers of two: "complex128 ncouls 2^12 ngpown 2^9". Shapes
// of one class are within a factor of two of each other.
std::string shape_class(const Kernel& kernel);

struct TunedEntry {
  TunedFor key;
  Parameters parameters;
  Estimate ratio;         // time with the settings relative to the time without, time at which they were found
  std::string size, utc;  // machine on which they were found, and when
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
    Field{&TunedEntry::ratio,      "ratio",      "1", "time with them to the time without, when they were found"},
    Field{&TunedEntry::size,       "size",       "", "what they were found on", not_empty},
    Field{&TunedEntry::utc,        "utc",        "", "when they were found", not_empty},
};
// clang-format on

nlohmann::ordered_json tuned_schema();

class TunedFile {
public:
  // $SUITE_TUNED, else $XDG_CACHE_HOME/suite/tuned.json, else $HOME/.cache/suite/tuned.json; "" without any
  // of them.
  static std::filesystem::path place();
  // Empty where there is no such file. Throws Failure (invalid argument) when there is one that is damaged.
  explicit TunedFile(const std::filesystem::path& file = place());
  const TunedEntry* find(const TunedFor& key) const;
  bool empty() const { return entries_.empty(); }
  // Those of the entry, without the parameters that somebody named.
  Parameters settings_for(const TunedFor& key, const Parameters& named) const;
  const std::filesystem::path& file() const { return file_; }
  // Rewrites the file with this entry in place of the one with its key.
  void keep(const TunedEntry& entry);
  void forget(const TunedFor& key);

private:
  void write(const TunedFor& key, const TunedEntry* entry);
  std::filesystem::path file_;
  std::vector<TunedEntry> entries_;
};

}  // namespace suite::app
