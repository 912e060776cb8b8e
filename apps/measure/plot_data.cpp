// SPDX-License-Identifier: BSD-3-Clause
#include "plot_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/core.h>

#include "markup.hpp"

namespace suite::plot {
namespace {

using nlohmann::ordered_json;

constexpr const char* marker_names[] = {"none", "o", "wo", "s", "ws", "^", "_", "D", "x"};  // as matplotlib has them; w: open
constexpr const char* line_names[] = {"none", "solid", "dashed"};
constexpr const char *begins = "<metadata>", *ends = "</metadata>";

ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr)) : ordered_json(nullptr);
}
ordered_json numbers(const std::vector<double>& values) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

ordered_json data_of(const Series& series) {
  ordered_json j{{"name", series.name},
                 {"marker", marker_names[static_cast<size_t>(series.marker)]},
                 {"line", line_names[static_cast<size_t>(series.line)]},
                 {"x", numbers(series.x)},
                 {"y", numbers(series.y)}};
  if (!series.low.empty()) j["low"] = numbers(series.low), j["high"] = numbers(series.high);
  return j;
}

ordered_json data_of(const Panel& panel) {
  ordered_json j{{"title", panel.title},           {"x_label", panel.x_label},       {"y_label", panel.y_label},
                 {"log_x", panel.log_x},           {"log_y", panel.log_y},           {"x_labels", ordered_json::array()},
                 {"bands", ordered_json::array()}, {"series", ordered_json::array()}};
  for (const auto& [value, text] : panel.x_labels) j["x_labels"].push_back({number(value), text});
  for (const auto& band : panel.bands) j["bands"].push_back({number(band.low), number(band.high), band.name});
  for (const auto& series : panel.series) j["series"].push_back(data_of(series));
  if (!panel.map) return j;
  const Map map = reduced(*panel.map);
  j["map"] = {{"columns", map.columns},
              {"rows", map.rows},
              {"x", {number(map.x_low), number(map.x_high)}},
              {"y", {number(map.y_low), number(map.y_high)}},
              {"signed", map.signed_},
              {"unit", map.unit},
              {"value", numbers(map.value)}};
  return j;
}

std::string cell(const ordered_json& value) { return value.is_null() ? "" : value.dump(); }
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}
ordered_json at(const ordered_json& list, size_t i) { return i < list.size() ? list[i] : ordered_json(nullptr); }

// Draws what FIGURE describes; the numbers are those of the other file.
constexpr const char* program = R"PY(
def typeset(text):
    return re.sub(r"([_^])\{([^}]*)\}", r"$\1{\\mathrm{\2}}$", text)


def number(text):
    return float(text) if text else float("nan")


def read(name):
    series, maps = {}, {}
    with open(pathlib.Path(__file__).with_name(name), newline="") as file:
        for row in csv.DictReader(file):
            if row["value"] or row["series"] == "(map)":
                maps.setdefault(int(row["panel"]), []).append(number(row["value"]))
            else:
                series.setdefault((int(row["panel"]), row["series"]), []).append([number(row[key]) for key in ("x", "y", "low", "high")])
    return series, maps


def draw(axes, panel, index, series, maps):
    axes.set_title(typeset(panel["title"]))
    axes.set_xlabel(typeset(panel["x_label"]))
    axes.set_ylabel(typeset(panel["y_label"]))
    if panel["log_x"]:
        axes.set_xscale("log")
    if panel["log_y"]:
        axes.set_yscale("log")
    for low, high, name in panel["bands"]:
        axes.axhspan(low, high, color="0.9", label=typeset(name))
    if "map" in panel:
        grid = panel["map"]
        values = np.array(maps[index]).reshape(grid["columns"], grid["rows"]).T
        limit = np.nanmax(np.abs(values)) if grid["signed"] else None
        image = axes.imshow(values, origin="lower", extent=[*grid["x"], *grid["y"]], aspect="auto", cmap="RdBu" if grid["signed"] else "Blues",
                            vmin=-limit if grid["signed"] else None, vmax=limit)
        axes.figure.colorbar(image, ax=axes, label=typeset(grid["unit"]))
    for number_of_series, style in enumerate(panel["series"]):
        rows = series.get((index, f"{number_of_series + 1} {style['name']}"), [])
        if not rows:
            continue
        x, y, low, high = np.array(rows).T
        marker, filled = style["marker"].lstrip("w"), not style["marker"].startswith("w")
        (line,) = axes.plot(x, y, linestyle=style["line"], marker="" if marker == "none" else marker, label=typeset(style["name"]) or None,
                            fillstyle="full" if filled else "none", markersize=5)
        if "low" in style and marker == "none":
            axes.fill_between(x, low, high, color=line.get_color(), alpha=0.22, linewidth=0)
        elif "low" in style:
            axes.vlines(x, low, high, color=line.get_color(), linewidth=1)
    if panel["x_labels"]:
        axes.set_xticks([value for value, _ in panel["x_labels"]], [typeset(text) for _, text in panel["x_labels"]], rotation=45, ha="right")
    if axes.get_legend_handles_labels()[1]:
        axes.legend()


series, maps = read(DATA)
panels = FIGURE["panels"]
figure, all_axes = plt.subplots(1, len(panels), figsize=(6 * len(panels), 4.5), squeeze=False, layout="constrained")
figure.suptitle(typeset(FIGURE["title"]))
for index, (axes, panel) in enumerate(zip(all_axes[0], panels), 1):
    draw(axes, panel, index, series, maps)
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1])
else:
    plt.show()
)PY";

}  // namespace

ordered_json data_of(const std::string& title, const std::vector<Panel>& panels) {
  ordered_json j{{"title", title}, {"panels", ordered_json::array()}};
  for (const auto& panel : panels) j["panels"].push_back(data_of(panel));
  return j;
}

ordered_json data_in(const std::string& drawing) {
  const size_t begin = drawing.find(begins), end = drawing.find(ends);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return nullptr;
  const size_t from = begin + std::string(begins).size();
  ordered_json data = ordered_json::parse(markup::unescaped(drawing.substr(from, end - from)), nullptr, false);
  return data.is_object() && data.contains("title") && data.contains("panels") ? data : ordered_json(nullptr);
}

std::string without_data(const std::string& drawing) {
  const size_t begin = drawing.find(begins), end = drawing.find(ends);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return drawing;
  return drawing.substr(0, begin) + drawing.substr(end + std::string(ends).size());
}

std::string csv_of(const ordered_json& data) {
  std::string text = "panel,series,x,y,low,high,value\n";
  int number_of_panel = 0;
  for (const auto& panel : data.at("panels")) {
    ++number_of_panel;
    int number_of_series = 0;
    for (const auto& series : panel.at("series")) {
      const std::string name = quoted(fmt::format("{} {}", ++number_of_series, series.at("name").get<std::string>()));
      const auto &x = series.at("x"), &y = series.at("y");
      const ordered_json none = ordered_json::array();
      const auto &low = series.contains("low") ? series["low"] : none, &high = series.contains("high") ? series["high"] : none;
      for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        text += fmt::format("{},{},{},{},{},{},\n", number_of_panel, name, cell(x[i]), cell(y[i]), cell(at(low, i)), cell(at(high, i)));
    }
    if (!panel.contains("map")) continue;
    const auto& map = panel["map"];
    const int columns = map.at("columns"), rows = map.at("rows");
    const auto centre = [](const ordered_json& range, int i, int n) {
      const double low = range.at(0), high = range.at(1);
      return low + (i + 0.5) * (high - low) / n;
    };
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < rows; ++j)
        text += fmt::format("{},(map),{:.7g},{:.7g},,,{}\n", number_of_panel, centre(map.at("x"), i, columns), centre(map.at("y"), j, rows),
                            cell(at(map.at("value"), static_cast<size_t>(i) * static_cast<size_t>(rows) + static_cast<size_t>(j))));
  }
  return text;
}

std::string script_of(const ordered_json& data, const std::string& csv) {
  ordered_json bare = data;
  for (auto& panel : bare["panels"]) {
    for (auto& series : panel["series"])
      for (const char* key : {"x", "y", "low", "high"})
        if (series.contains(key)) series[key] = nullptr;
    if (panel.contains("map")) panel["map"].erase("value");
  }
  // A string of JSON is one of Python too.
  const auto literal = [](const ordered_json& value) { return value.dump(-1, ' ', true, ordered_json::error_handler_t::replace); };
  return "#!/usr/bin/env python3\n\"\"\"Draws the data of " + csv +
         " with matplotlib (pip install matplotlib): shows the figure, or writes it to the file given, such as figure.pdf.\"\"\"\n"
         "import csv\nimport json\nimport pathlib\nimport re\nimport sys\n\nimport matplotlib.pyplot as plt\nimport numpy as np\n\n"
         "DATA = " +
         literal(csv) + "\nFIGURE = json.loads(" + literal(literal(bare)) + ")\n\n" + program;
}

}  // namespace suite::plot
