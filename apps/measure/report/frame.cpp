// SPDX-License-Identifier: BSD-3-Clause
#include "frame.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace suite::report {

std::string pc(double percent) { return fmt::format("{:.2f}%", percent); }

double Axis::operator()(double value) const { return 100 * std::clamp(part(value), 0.0, 1.0); }

void Axis::decades(const std::function<std::string(double)>& text) {
  for (double t : plot::log_ticks(low, high)) ticks.emplace_back(t, text(t));  // none if a stored time is 0
}

Html Axis::grid(double top, double bottom) const {
  Html out;
  for (const auto& [at, text] : ticks) out += line((*this)(at), top, (*this)(at), bottom, "grid");
  return out;
}

Html Axis::labels(double bottom) const {
  Html out = line(0, bottom, 100, bottom, "axis");
  for (const auto& [at, text] : ticks) {
    const double x = (*this)(at);
    const char* anchor = x < 4 ? "start" : x > 96 ? "end" : "middle";
    out += tag("text", {{"class", "tick"}, {"x", pc(x)}, {"y", px(bottom + 17)}, {"text-anchor", anchor}}, text);
  }
  if (!title.empty()) out += tag("text", {{"class", "title"}, {"x", "100%"}, {"y", px(bottom + 36)}, {"text-anchor", "end"}}, title);
  return out;
}

Html line(double x1, double y1, double x2, double y2, const char* kind) {
  return empty_tag("line", {{"class", kind}, {"x1", pc(x1)}, {"y1", px(y1)}, {"x2", pc(x2)}, {"y2", px(y2)}});
}

Html placed(double x, double y, const char* kind, const std::string& shape, const std::string& tip) {
  return tag("use", {{"class", kind}, {"href", "#" + shape}, {"x", pc(x)}, {"y", px(y)}}, tip.empty() ? Html() : tag("title", tip));
}

Html shape_definitions() {
  constexpr std::pair<const char*, const char*> shapes[] = {{"marker0", "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z"},
                                                            {"marker1", "M-8 -8h16v16h-16z"},
                                                            {"marker2", "M0 -11l11 11l-11 11l-11 -11z"},
                                                            {"marker3", "M0 -11l11 18h-22z"},
                                                            {"marker4", "M0 12l-11 -18h22z"},
                                                            {"arrow-left", "M6 -4l-7 4l7 4z"},
                                                            {"arrow-right", "M-6 -4l7 4l-7 4z"},
                                                            {"cross", "M-5 -5l10 10M-5 5l10 -10"}};
  Html out;
  for (const auto& [id, path] : shapes) out += empty_tag("path", {{"id", id}, {"d", path}});
  return tag("svg", {{"class", "shapes"}, {"width", "0"}, {"height", "0"}, {"aria-hidden", "true"}}, tag("defs", out)) + Html::raw("\n");
}

Html drawing(const std::string& about, double height, const char* kind, const Html& content) {
  return tag("svg",
             {{"class", std::string("chart ") + kind},
              {"role", "img"},
              {"aria-label", about},
              {"width", "100%"},
              {"height", fmt::format("{:.0f}", height)}},
             tag("title", about) + content) +
         Html::raw("\n");
}

std::string shortened(const std::string& text, size_t longest) {
  std::vector<size_t> starts;  // of characters: bytes other than continuation bytes
  for (size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) starts.push_back(i);
  if (starts.size() <= longest) return text;
  const size_t half = longest / 2;
  return text.substr(0, starts[half]) + "…" + text.substr(starts[starts.size() - half]);
}

}  // namespace suite::report
