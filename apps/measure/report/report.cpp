// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <suite/suite.h>

#include "common/quantities.hpp"
#include "frame.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

std::vector<Source> sources_of(const std::vector<Result>& results) {
  std::vector<Source> sources;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string mark = i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i + 1);
    sources.push_back({results[i], results.size() > 1 ? mark : ""});
  }
  return sources;
}

std::string where_and_when(const app::Provenance& p) {
  std::string text = p.host.name;
  if (!p.host.cpu.empty()) text += (text.empty() ? "" : ", ") + p.host.cpu;
  if (!p.utc.empty()) text += (text.empty() ? "" : ", ") + p.utc.substr(0, 10);
  return text;
}

Html top(const std::vector<Source>& sources, const std::string& title) {
  Html out = tag("p", {{"class", "eyebrow"}}, "suite report") + tag("h1", title);
  if (sources.size() == 1) return tag("header", out + tag("p", {{"class", "lede"}}, where_and_when(sources[0].result.provenance)));
  Table list{"Results on this page", columns("|what|status|where and when|file"), {}};
  for (const auto& s : sources)
    list.rows.push_back({tag("span", {{"class", "mark"}}, s.mark), title_of(s.result), s.result.status, where_and_when(s.result.provenance),
                         s.result.file.string()});
  return tag("header", out + table(list));
}

Html answers(const std::vector<Section>& sections) {
  Html list;
  for (const auto& s : sections)
    list += tag("li", tag("a", {{"href", std::string("#") + s.id}, {"class", s.bad ? "bad" : "good"}},
                          tag("span", {{"class", "question"}}, s.question) + Html(" ") + tag("strong", {{"class", "answer"}}, s.answer) +
                              Html(" ") + tag("span", {{"class", "because"}}, typeset(s.because)))) +
            Html::raw("\n");
  return tag("nav", {{"aria-label", "Summary"}}, tag("ul", {{"class", "answers"}}, list)) + Html::raw("\n");
}

constexpr std::pair<const char*, const char*> words[] = {
    {"verified",
     "Every element of every output was compared with the reference implementation on the same arguments, "
     "within the tolerance that the kernel declares."},
    {"FAILED", "An element differed by more than the tolerance. Such a row has neither rank nor time on this page."},
    {"median, 95 % interval",
     "The middle sample, and the range that contains the true median in 95 of 100 repetitions, from order statistics without assumptions "
     "about the noise."},
    {"ratio",
     "Median of the ratios of neighbouring samples to those of the first implementation; insensitive to noise that lasts longer than a "
     "sample."},
    {"FASTER, same, SLOWER, unclear", "Given only where the interval of the ratio supports it; unclear: more samples are needed."},
    {"intensity", "Counted floating-point operations divided by the minimum number of bytes that a kernel moves: its arguments once."},
    {"roof",
     "Highest rate of a device at an intensity, limited by arithmetic (flat) or memory (slope). Solid roofs were measured; dashed ones "
     "come from a data sheet."},
};

Html end() {
  Html list;
  for (const auto& [word, meaning] : words) list += tag("dt", word) + tag("dd", meaning) + Html::raw("\n");
  return tag("footer", tag("h2", "Terms on this page") + tag("dl", list) +
                           paragraph(std::string("Made by suite ") + suite_version() +
                                     ". The page needs no network and runs no script; equal results give equal pages."));
}

}  // namespace

Html paragraph(const std::string& text) { return tag("p", text) + Html::raw("\n"); }

Html figure(const Html& drawing, const Html& caption) { return tag("figure", drawing + tag("figcaption", caption)) + Html::raw("\n"); }

std::string report_page(const std::vector<Result>& results) {
  const std::vector<Source> sources = sources_of(results);
  std::vector<Section> sections{right_section(sources), physics_section(sources), fastest_section(sources), limit_section(sources),
                                measured_section(sources)};
  std::erase_if(sections, [](const Section& s) { return s.body.empty(); });
  const std::string title = results.size() == 1 ? title_of(results[0]) : app::counted(results.size(), "result") + " of suite";
  Html body = shape_definitions() + top(sources, title) + answers(sections);
  std::string about;
  for (const auto& s : sections) {
    body += tag("section", {{"id", s.id}},
                tag("h2", s.question) + tag("p", {{"class", "why"}}, tag("strong", s.answer) + " · " + typeset(s.because)) + s.body) +
            Html::raw("\n");
    about += (about.empty() ? "" : " ") + s.question + " " + s.answer + ".";
  }
  return page(title + " · suite report", about, tag("main", body + end()));
}

}  // namespace suite::report
