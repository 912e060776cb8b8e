// SPDX-License-Identifier: BSD-3-Clause
#include "app.hpp"

#include <nlohmann/json.hpp>

namespace suite::app {

void write_files(const Context& context, const std::vector<TextFile>& files, nlohmann::ordered_json& results) {
  for (const auto& file : files) {
    results["files"].push_back(file.name);
    if (context.world.root()) write_text_file(context.folder / file.name, file.text);
  }
}

}  // namespace suite::app
