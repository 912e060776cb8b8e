// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoint.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <suite/plugin.hpp>

namespace suite::app {
namespace {

std::string kind(const std::string& app, int version) { return fmt::format("suite {} checkpoint {}", app, version); }

}  // namespace

void begin_checkpoint(hdf5::Writer& file, const std::string& app, int version, const std::string& settings) {
  file.text("kind", kind(app, version));
  file.text("settings", settings);
}

void require_checkpoint(const hdf5::File& file, const std::string& app, int version, const std::string& settings) {
  if (file.text("kind") != kind(app, version)) file.fail("kind", "this is not a checkpoint of the " + app + " app of this version");
  const auto theirs = nlohmann::json::parse(file.text("settings"), nullptr, false).flatten();
  const auto ours = nlohmann::json::parse(settings).flatten();
  const auto shown = [](const nlohmann::json& flat, const std::string& key) {
    return flat.contains(key) ? flat[key].dump() : std::string("missing");
  };
  for (const auto* keys : {&ours, &theirs})
    for (const auto& [key, value] : keys->items())
      if (shown(ours, key) != shown(theirs, key))
        throw Failure(SUITE_INVALID_ARGUMENT, file.path().string() + " has other settings: " + key.substr(1) + " is " + shown(theirs, key) +
                                                  " there and " + shown(ours, key) + " here");
}

void write_rows(hdf5::Writer& file, const std::string& name, const std::vector<std::array<double, 3>>& rows) {
  file.write(name, rows.empty() ? nullptr : rows.front().data(), {static_cast<int64_t>(rows.size()), 3});
}

std::vector<std::array<double, 3>> read_rows(const hdf5::File& file, const std::string& name) {
  const auto flat = file.read<double>(name, {hdf5::any, 3});
  std::vector<std::array<double, 3>> rows(flat.size() / 3);
  for (size_t i = 0; i < flat.size(); ++i) rows[i / 3][i % 3] = flat[i];
  return rows;
}

}  // namespace suite::app
