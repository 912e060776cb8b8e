// SPDX-License-Identifier: BSD-3-Clause
// The data of a drawing, which it carries with it as metadata: so a figure can be drawn again elsewhere without the program that made it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "plot.hpp"

namespace suite::plot {

// Title, and of each panel its titles, kinds of axes, series, bands and map; numbers with seven digits, null where nothing is drawn.
nlohmann::ordered_json data_of(const std::string& title, const std::vector<Panel>& panels);

// From a drawing made by svg(); null if it has none or they are damaged.
nlohmann::ordered_json data_in(const std::string& drawing);
// The drawing without them, for a page that only shows it.
std::string without_data(const std::string& drawing);

// The numbers as comma-separated values: panel, series, x, y, low, high; value of a map's cell at x, y.
std::string csv_of(const nlohmann::ordered_json& data);
// A Python program that draws them with matplotlib: reads the file csv beside it, writes the figure it is asked for, or shows it.
std::string script_of(const nlohmann::ordered_json& data, const std::string& csv);

}  // namespace suite::plot
