// SPDX-License-Identifier: BSD-3-Clause
#include "tuned.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/json_text.hpp"
#include "common/near.hpp"
#include "fields_json.hpp"
#include "sizes.hpp"

namespace suite::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* schema = "suite-tuned-1";
constexpr size_t largest_file_B = 16 * 1024 * 1024;

struct TunedSettings {
  std::vector<TunedEntry> settings;
};

std::string class_of(int64_t extent) { return extent > 0 ? fmt::format("2^{}", std::lround(std::log2(static_cast<double>(extent)))) : "0"; }

}  // namespace

template <>
inline constexpr auto fields<TunedSettings> = std::tuple{
    Constant{"schema", schema},
    Field{&TunedSettings::settings, "settings", "", ""},
};

SchemaObject tuned_schema() { return schema_of<TunedSettings>(); }

std::string shape_class(const Kernel& kernel) {
  const suite_kernel_table& table = kernel.table();
  std::set<std::string> types;
  std::vector<suite_array> arguments(table.argument_count);
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    arguments[i] = kernel.argument(table.arguments[i].name);
    if (!arguments[i].data) arguments[i].rank = -1;
    // Only types that a call may choose distinguish shapes.
    if (arguments[i].rank >= 0 && table.arguments[i].type & SUITE_TYPE_SET) types.insert(suite_type_name(arguments[i].type));
  }
  std::string text;
  for (const auto& type : types) text += " " + type;
  for (const auto& [name, extent] : named_extents(table, arguments)) text += " " + name + " " + class_of(extent);
  return text.empty() ? "" : text.substr(1);
}

TunedFor tuned_for(const Kernel& kernel, const std::string& variant, const std::string& plugin_file, const std::string& device,
                   int threads) {
  static std::map<std::string, std::string> hashes;
  std::string& hash = hashes[plugin_file];
  if (hash.empty()) {
    char digits[65] = {};
    suite_error error{};
    require(suite_hash_file(plugin_file.c_str(), digits, &error), error);
    hash = digits;
  }
  const suite_kernel_table& table = kernel.table();
  return {table.kernel, table.implementation, variant, hash, device, shape_class(kernel), threads};
}

fs::path TunedFile::place() {
  if (const char* named = std::getenv("SUITE_TUNED"); named && *named) return named;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return fs::path(cache) / "suite" / "tuned.json";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "suite" / "tuned.json";
  return {};
}

TunedFile::TunedFile(const fs::path& file) : file_(file) {
  std::error_code error;
  if (file_.empty() || !fs::exists(file_, error)) return;
  try {
    const std::string name = file_.filename().string();
    const stored::Value document(
        std::make_shared<stored::Value::Document>(stored::Value::Document{name, parse_json(name, read_text_file(file_, largest_file_B))}));
    if (document["schema"].text() != schema) throw Failure(SUITE_INVALID_ARGUMENT, "its schema is not " + std::string(schema));
    TunedSettings read;
    read_all_fields(document, read);
    entries_ = std::move(read.settings);
  } catch (const IoFailure&) { throw; } catch (const Failure& failure) {
    throw Failure(SUITE_INVALID_ARGUMENT, "the file of tuned settings " + in_quotes(file_.string()) + " is damaged (" + failure.what() +
                                              "); remove it, or ignore it with --no-tuned");
  }
}

const TunedEntry* TunedFile::find(const TunedFor& key) const {
  for (const auto& entry : entries_)
    if (entry.key == key) return &entry;
  return nullptr;
}

Parameters TunedFile::settings_for(const TunedFor& key, const Parameters& named) const {
  const TunedEntry* entry = find(key);
  if (!entry) return {};
  Parameters settings = entry->parameters;
  std::erase_if(settings, [&](const Parameter& s) {
    return std::any_of(named.begin(), named.end(), [&](const Parameter& n) { return n.name == s.name; });
  });
  return settings;
}

void TunedFile::keep(const TunedEntry& entry) { write(entry.key, &entry); }

void TunedFile::forget(const TunedFor& key) { write(key, nullptr); }

void TunedFile::write(const TunedFor& key, const TunedEntry* entry) {
  if (file_.empty()) throw IoFailure("cannot store tuned settings: none of SUITE_TUNED, XDG_CACHE_HOME and HOME is set");
  std::error_code error;
  if (file_.has_parent_path()) fs::create_directories(file_.parent_path(), error);
  if (error) throw IoFailure("cannot create the folder '" + file_.parent_path().string() + "': " + error.message());
  // Keep what another process has written meanwhile.
  entries_ = TunedFile(file_).entries_;
  std::erase_if(entries_, [&](const TunedEntry& e) { return e.key == key; });
  if (entry) entries_.push_back(*entry);
  write_text_file(file_, json_document(json_of(TunedSettings{entries_})));
}

}  // namespace suite::app
