// SPDX-License-Identifier: BSD-3-Clause
#include "picture.hpp"

#include <algorithm>
#include <cctype>

#include "common/io.hpp"
#include "measure/plot_data.hpp"
#include "html.hpp"

namespace suite::report {
namespace {

constexpr size_t largest_picture = 4 << 20;

// The text between two marks; "" if they are not found.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const size_t from = at + begin.size(), to = text.find(end, from);
  return to == std::string::npos ? "" : text.substr(from, to - from);
}

// Accepts whole numbers of pixels only.
std::string pixels(const std::string& text) {
  return !text.empty() && text.size() < 6 && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }) ? text
                                                                                                                                    : "";
}

}  // namespace

std::string problem_of_drawing(const std::string& text) {
  if (text.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0) != 0) return "it is not a drawing made by suite";
  if (text.find("</svg>") == std::string::npos) return "it is truncated";
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* part : {"<script", "<!", "<?", "href", "<foreignobject", "<image", "<iframe", "url(", "@import", "onload"})
    if (lower.find(part) != std::string::npos) return "it contains '" + std::string(part) + "', which no drawing made by suite contains";
  return "";
}

Picture picture_of(const std::string& text, const std::string& name) {
  Picture picture;
  picture.problem = problem_of_drawing(text);
  picture.title = markup::unescaped(between(text, "<title>", "</title>"));
  if (picture.title.empty()) picture.title = name;
  const std::string root = text.substr(0, text.find('>'));
  picture.width = pixels(between(root, "width=\"", "\""));
  picture.height = pixels(between(root, "height=\"", "\""));
  if (picture.width.empty() || picture.height.empty())
    picture.problem = picture.problem.empty() ? "it does not state its size" : picture.problem;
  if (picture.problem.empty()) picture.source = "data:image/svg+xml;base64," + base64(plot::without_data(text));
  return picture;
}

Picture read_picture(const std::filesystem::path& folder, const std::string& name) {
  Picture picture;
  if (name.find('/') != std::string::npos || name[0] == '.') {
    picture.problem = "its path leaves the folder of the result";
    return picture;
  }
  try {
    return picture_of(app::read_text_file(folder / name, largest_picture), name);
  } catch (const Failure& failure) {
    picture.problem = failure.what();
    return picture;
  }
}

}  // namespace suite::report
