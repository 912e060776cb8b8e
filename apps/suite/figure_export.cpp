// SPDX-License-Identifier: BSD-3-Clause
#include "figure_export.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include <fmt/core.h>

#include "common/io.hpp"
#include "common/near.hpp"
#include "common/quantities.hpp"
#include "measure/plot_data.hpp"
#include "measure/report/picture.hpp"
#include "child_program.hpp"
#include "exit_codes.hpp"

namespace suite::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t largest_drawing = 64 << 20;
const std::vector<std::string> figure_formats{"svg", "pdf", "png"};

struct ExportedFigure {
  std::string name;  // "spectrum", without the ending
  std::string drawing;
};

std::vector<ExportedFigure> drawings_of(const std::vector<stored::Result>& results) {
  std::vector<ExportedFigure> figures;
  std::set<std::string> names;
  for (const auto& result : results) {
    const stored::Value files = result.results["files"] ? result.results["files"] : result.root["files"];
    if (!files.is_list()) continue;
    for (const auto& file : files.items()) {
      const fs::path path = file.is_text() ? file.text() : "";
      if (path.extension() != ".svg" || path.has_parent_path()) continue;
      std::string drawing = read_text_file(result.folder / path, largest_drawing);
      if (const std::string problem = report::problem_of_drawing(drawing); !problem.empty())
        throw Failure(SUITE_INVALID_ARGUMENT, (result.folder / path).string() + ": " + problem);
      // Results of one kind have figures of one name.
      std::string name = path.stem().string();
      for (int number = 2; !names.insert(name).second; ++number) name = fmt::format("{}-{}", path.stem().string(), number);
      figures.push_back({name, std::move(drawing)});
    }
  }
  return figures;
}

bool succeeds(const std::vector<std::string>& words) { return is_program(words[0]) && run_program(words, "/dev/null") == 0; }

std::string text_between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  return text.substr(from + begin.size(), text.find(end, from + begin.size()) - from - begin.size());
}

// Chromium prints a page of the size of the drawing.
bool convert_by_chromium(const fs::path& svg, const fs::path& to, const std::string& drawing) {
  const std::string width = text_between(drawing, "width=\"", "\""), height = text_between(drawing, "height=\"", "\"");
  const fs::path page = fs::path(to).concat(".part.html");
  write_text_file(page, "<!DOCTYPE html><meta charset=\"utf-8\"><style>@page{size:" + width + "px " + height +
                            "px;margin:0}html,body{margin:0}img{display:block}</style><img src=\"" + svg.filename().string() + "\">");
  const std::string url = "file://" + fs::absolute(page).string();
  const bool pdf = to.extension() == ".pdf";
  const std::string out = (pdf ? "--print-to-pdf=" : "--screenshot=") + fs::absolute(to).string();
  bool done = false;
  for (const char* program : {"chromium", "chromium-browser", "google-chrome"})
    done = done || succeeds({program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                             "--allow-file-access-from-files", "--no-pdf-header-footer", "--force-device-scale-factor=2",
                             "--window-size=" + width + "," + height, out, url});
  std::error_code error;
  fs::remove(page, error);
  return done && fs::exists(to, error);
}

// The programs are tried in this order.
bool convert_drawing(const fs::path& svg, const fs::path& to, const std::string& drawing) {
  const std::string format = to.extension().string().substr(1);
  std::error_code error;
  if (succeeds({"rsvg-convert", "--zoom", "2", "--format", format, "--output", to.string(), svg.string()}) && fs::exists(to, error))
    return true;
  if (succeeds({"cairosvg", svg.string(), "--format", format, "--scale", "2", "--output", to.string()}) && fs::exists(to, error))
    return true;
  return convert_by_chromium(svg, to, drawing);
}

std::vector<std::string> asked_formats(const Arguments& arguments) {
  std::vector<std::string> formats = split_list(arguments.get("--format", "svg"), "--format");
  for (const auto& format : formats)
    if (std::find(figure_formats.begin(), figure_formats.end(), format) == figure_formats.end())
      throw UsageError("--format has " + in_quotes(format) + "; it takes svg, pdf and png, separated by commas" +
                       did_you_mean(format, figure_formats));
  return formats;
}

fs::path figures_folder(const Arguments& arguments) {
  const fs::path folder = arguments.get("--figures");
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    throw UsageError("--figures " + in_quotes(folder.string()) + " exists and is not a folder");
  if (fs::is_directory(folder, error) && !fs::is_empty(folder, error))
    throw UsageError("--figures " + in_quotes(folder.string()) + " is not empty; figures are never overwritten");
  return folder;
}

}  // namespace

int export_figures(const Arguments& arguments, const std::vector<stored::Result>& results) {
  if (arguments.has("--output")) throw UsageError("--figures and --output exclude each other");
  const auto formats = asked_formats(arguments);
  const fs::path folder = figures_folder(arguments);
  const auto figures = drawings_of(results);
  if (figures.empty()) throw Failure(SUITE_INVALID_ARGUMENT, "these results have no figures; runs of apps and 'suite roofline' have");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoFailure("cannot create the folder " + in_quotes(folder.string()) + ": " + error.message());
  std::vector<std::string> missing, without_data;
  for (const auto& figure : figures) {
    const fs::path svg = folder / (figure.name + ".svg");
    write_text_file(svg, figure.drawing);
    if (const auto data = plot::data_in(figure.drawing); !data.is_null()) {
      write_text_file(folder / (figure.name + ".csv"), plot::csv_of(data));
      write_text_file(folder / (figure.name + ".py"), plot::script_of(data, figure.name + ".csv"));
    } else {
      without_data.push_back(figure.name);
    }
    for (const auto& format : formats)
      if (format != "svg" && !convert_drawing(svg, folder / (figure.name + "." + format), figure.drawing) &&
          std::find(missing.begin(), missing.end(), format) == missing.end())
        missing.push_back(format);
  }
  for (const auto& name : without_data)
    std::cerr << "suite: warning: " << name << ".svg was drawn by an earlier version and carries no data: there is no CSV file or script\n";
  if (!arguments.has("--quiet"))
    std::cout << counted(static_cast<long>(figures.size()), "figure") << " in " << folder.lexically_normal().string() << "\n";
  if (!missing.empty()) {
    std::string list;
    for (const auto& format : missing) list += (list.empty() ? "" : " and ") + format;
    throw Failure(SUITE_UNSUPPORTED, "no program here converts SVG to " + list +
                                         ": install rsvg-convert (Debian: librsvg2-bin), cairosvg (pip install cairosvg) or Chromium; "
                                         "everything else was written");
  }
  return exit_ok;
}

}  // namespace suite::app
