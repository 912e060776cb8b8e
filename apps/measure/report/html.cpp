// SPDX-License-Identifier: BSD-3-Clause
#include "html.hpp"

#include <regex>
#include <sstream>

#include "style.hpp"  // generated at build time from style.css

namespace suite::report {
namespace {

std::string raised(const std::string& exponent) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (size_t i = exponent.find_first_not_of("+-0"); i < exponent.size(); ++i) out += digits[exponent[i] - '0'];
  return (exponent[0] == '-' ? "⁻" : "") + (out.empty() ? digits[0] : out);
}

}  // namespace

std::string typeset(const std::string& text) {
  static const std::regex special(R"((\b\d(?:\.\d+)?)e([+-]?\d+)\b|\b(eps)?\^(-?\d+))");
  std::string out;
  size_t done = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), special), end; it != end; ++it) {
    const std::smatch& m = *it;
    out += text.substr(done, static_cast<size_t>(m.position()) - done);
    out += m[1].matched ? m.str(1) + "·10" + raised(m.str(2)) : (m[3].matched ? "ε" : "") + raised(m.str(4));
    done = static_cast<size_t>(m.position() + m.length());
  }
  return out + text.substr(done);
}

std::vector<Column> columns(const std::string& titles) {
  std::vector<Column> all;
  std::istringstream stream(titles);
  for (std::string title; std::getline(stream, title, '|');) {
    const bool number = !title.empty() && title[0] == '>';
    all.push_back({title.substr(number), number});
  }
  if (!titles.empty() && titles.back() == '|') all.push_back({});
  return all;
}

Html table(const Table& t) {
  const auto attributes = [&](size_t column) {
    return column < t.columns.size() && t.columns[column].number ? Attributes{{"class", "n"}} : Attributes{};
  };
  Html head, body;
  for (size_t i = 0; i < t.columns.size(); ++i) {
    Attributes a = attributes(i);
    a.emplace_back("scope", "col");
    head += tag("th", a, t.columns[i].title);
  }
  for (const auto& row : t.rows) {
    Html cells;
    for (size_t i = 0; i < row.size(); ++i) {
      Attributes a = attributes(i);
      if (i == 0) a.emplace_back("scope", "row");
      cells += tag(i == 0 ? "th" : "td", a, row[i]);
    }
    body += tag("tr", cells) + Html::raw("\n");
  }
  const Html inner = tag("caption", tag("span", t.caption)) + tag("thead", tag("tr", head)) + Html::raw("\n") + tag("tbody", body);
  return tag("div", {{"class", t.narrow ? "table narrow" : "table"}, {"role", "region"}, {"aria-label", t.caption}, {"tabindex", "0"}},
             tag("table", inner)) +
         Html::raw("\n");
}

std::string page(const std::string& title, const std::string& about, const Html& body) {
  // The policy forbids scripts and network access even if some text were not escaped.
  const Html head = Html::raw(
                        "<meta charset=\"utf-8\"/>\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                        "style-src 'unsafe-inline'; img-src data:\"/>\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                        "<meta name=\"color-scheme\" content=\"light dark\"/>\n") +
                    empty_tag("meta", {{"name", "description"}, {"content", about}}) + Html::raw("\n") + tag("title", title) +
                    Html::raw(std::string("\n<style>\n") + style_sheet + "</style>\n");
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n" + head.str() + "</head>\n<body>\n" + body.str() + "</body>\n</html>\n";
}

std::string base64(const std::string& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(bytes.size() / 3 * 4 + 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t block = 0;
    for (size_t n = 0; n < 3; ++n) block = block << 8 | (i + n < bytes.size() ? static_cast<unsigned char>(bytes[i + n]) : 0u);
    for (size_t n = 0; n < 4; ++n) out += i + n > bytes.size() ? '=' : digits[block >> (18 - 6 * n) & 63];
  }
  return out;
}

}  // namespace suite::report
