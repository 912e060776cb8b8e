// SPDX-License-Identifier: BSD-3-Clause
#include "html.hpp"

#include <cstdint>
#include <sstream>

#include "style.hpp"  // generated at build time from style.css

namespace suite::report {
namespace {

constexpr const char* replacement = "\xef\xbf\xbd";

// The character at text[i] with its length; 0 where the bytes are not UTF-8 (overlong forms and surrogates
// are not).
uint32_t decode(const std::string& text, size_t i, size_t& length) {
  const auto byte = [&](size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
  const uint32_t first = byte(i);
  length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length == 0) return length = 1, 0;
  uint32_t code = length == 1 ? first : first & (0x7fu >> length);
  for (size_t n = 1; n < length; ++n) {
    if ((byte(i + n) & 0xc0) != 0x80) return length = n, 0;
    code = code << 6 | (byte(i + n) & 0x3f);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : code;
}

// What HTML forbids, and marks that turn the direction of the text that follows.
bool allowed(uint32_t c) {
  const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
  const bool direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
  const bool none = (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe;
  return !control && !direction && !none;
}

std::string escaped(const std::string& text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (size_t i = 0, length = 1; i < text.size(); i += length) {
    const uint32_t c = decode(text, i, length);
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (allowed(c)) out.append(text, i, length);
        else out += replacement;
    }
  }
  return out;
}

std::string opened(const char* name, const Attributes& attributes) {
  std::string out = std::string("<") + name;
  for (const auto& [key, value] : attributes) out += std::string(" ") + key + "=\"" + escaped(value) + "\"";
  return out;
}

}  // namespace

Html::Html(const std::string& text) : markup_(escaped(text)) {}

Html Html::markup(std::string text) {
  Html html;
  html.markup_ = std::move(text);
  return html;
}

Html& Html::operator+=(const Html& other) {
  markup_ += other.markup_;
  return *this;
}

Html tag(const char* name, const Attributes& attributes, const Html& content) {
  return Html::markup(opened(name, attributes) + ">" + content.str() + "</" + name + ">");
}

Html empty_tag(const char* name, const Attributes& attributes) { return Html::markup(opened(name, attributes) + "/>"); }

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
    body += tag("tr", cells) + Html::markup("\n");
  }
  const Html inner = tag("caption", tag("span", t.caption)) + tag("thead", tag("tr", head)) + Html::markup("\n") + tag("tbody", body);
  return tag("div", {{"class", t.narrow ? "table narrow" : "table"}, {"role", "region"}, {"aria-label", t.caption}, {"tabindex", "0"}},
             tag("table", inner)) +
         Html::markup("\n");
}

std::string page(const std::string& title, const std::string& about, const Html& body) {
  // The policy forbids scripts and the network even if an escape were forgotten.
  const Html head = Html::markup(
                        "<meta charset=\"utf-8\"/>\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                        "style-src 'unsafe-inline'; img-src data:\"/>\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                        "<meta name=\"color-scheme\" content=\"light dark\"/>\n") +
                    empty_tag("meta", {{"name", "description"}, {"content", about}}) + Html::markup("\n") + tag("title", title) +
                    Html::markup(std::string("\n<style>\n") + style_sheet + "</style>\n");
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
