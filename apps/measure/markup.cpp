// SPDX-License-Identifier: BSD-3-Clause
#include "markup.hpp"

#include <cstdint>

#include <fmt/core.h>

namespace suite::markup {
namespace {

constexpr const char* replacement = "\xef\xbf\xbd";

// The character at text[i] with its length; 0 for invalid UTF-8, including overlong forms and surrogates.
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

// Refuses what HTML forbids, and marks that change the direction of the text.
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

Markup::Markup(const std::string& text) : text_(escaped(text)) {}

Markup Markup::raw(std::string text) {
  Markup made;
  made.text_ = std::move(text);
  return made;
}

Markup& Markup::operator+=(const Markup& other) {
  text_ += other.text_;
  return *this;
}

Markup tag(const char* name, const Attributes& attributes, const Markup& content) {
  return Markup::raw(opened(name, attributes) + ">" + content.str() + "</" + name + ">");
}

Markup empty_tag(const char* name, const Attributes& attributes) { return Markup::raw(opened(name, attributes) + "/>"); }

std::string px(double length) { return fmt::format("{:.1f}", length); }

std::string unescaped(std::string text) {
  for (const auto& [entity, character] :
       {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""}, std::pair{"&#39;", "'"}, std::pair{"&amp;", "&"}})
    for (size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) text.replace(at, std::string(entity).size(), character);
  return text;
}

}  // namespace suite::markup
