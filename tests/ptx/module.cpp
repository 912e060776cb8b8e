// SPDX-License-Identifier: BSD-3-Clause
// Where a module's functions and variables are.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "parser.hpp"

namespace suite::ptx {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(separators, at);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    at = end;
  }
  return words;
}

namespace {

// The place after the brace that closes the one at `open`.
size_t after_braces(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (text[at] == '"') at = text.find('"', at + 1);
    else if (text[at] == '{') ++depth;
    else if (text[at] == '}' && --depth == 0) return at + 1;
    if (at == std::string::npos) break;
  }
  throw ParseError("a brace is not closed in the PTX");
}

std::string name_of_function(std::string_view head) {
  const bool entry = head.find(".entry") != std::string_view::npos;
  std::string_view rest = trimmed(head.substr(head.find(entry ? ".entry" : ".func") + (entry ? 6 : 5)));
  if (!rest.empty() && rest.front() == '(') rest = trimmed(rest.substr(rest.find(')') + 1));
  return std::string(rest.substr(0, rest.find_first_of(" \t\n(")));
}

}  // namespace

uint32_t bytes_of_type(std::string_view type) {
  if (type == "pred") return 1;
  uint32_t bits = 0;
  if (type.size() < 2 || std::from_chars(type.data() + 1, type.data() + type.size(), bits).ec != std::errc() || bits < 8)
    throw ParseError("a type was expected, not '" + std::string(type) + "'");
  return bits / 8;
}

Declared declared(std::string_view statement) {
  Declared d;
  const size_t equals = statement.find('=');
  if (equals != std::string_view::npos) {
    d.initial = trimmed(statement.substr(equals + 1));
    statement = trimmed(statement.substr(0, equals));
  }
  const auto words = words_of(statement);
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == ".align") std::from_chars(words[i + 1].data(), words[i + 1].data() + words[i + 1].size(), d.align), ++i;
    else if (words[i] == ".ptr") continue;
    else if (words[i].front() == '.') d.type = words[i].substr(1);
    else {
      const size_t bracket = words[i].find('[');
      d.name = words[i].substr(0, bracket);
      d.count = 1;
      if (bracket != std::string_view::npos) {
        d.count = 0;
        std::from_chars(words[i].data() + bracket + 1, words[i].data() + words[i].size(), d.count);
      }
    }
  }
  if (d.name.empty()) throw ParseError("a variable has no name in '" + std::string(statement) + "'");
  d.element = bytes_of_type(d.type);
  d.align = std::max(d.align, d.element);
  return d;
}

Module::Module(std::string text) : text_(std::move(text)) {
  // Comments become blanks, so that places and lines stay.
  for (size_t at = 0; (at = text_.find("//", at)) != std::string::npos;)
    for (; at < text_.size() && text_[at] != '\n'; ++at) text_[at] = ' ';
  scan();
}

void Module::scan() {
  int line = 1;
  size_t counted = 0;
  const auto line_at = [&](size_t at) {
    line += static_cast<int>(std::count(text_.begin() + static_cast<ptrdiff_t>(counted), text_.begin() + static_cast<ptrdiff_t>(at), '\n'));
    counted = at;
    return line;
  };
  for (size_t at = 0;;) {
    at = text_.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos || text_[at] == '\0') return;
    const auto starts = [&](std::string_view word) { return text_.compare(at, word.size(), word) == 0; };
    if (starts(".version") || starts(".target") || starts(".address_size") || starts(".file")) {
      at = std::min(text_.find('\n', at), text_.size());
      continue;
    }
    const size_t stop = text_.find_first_of(";{", at);
    if (stop == std::string::npos) return;
    const std::string_view head = std::string_view(text_).substr(at, stop - at);
    const bool is_function = head.find(".entry") != std::string_view::npos || head.find(".func") != std::string_view::npos;
    if (text_[stop] == ';') {
      if (!is_function) declare_variable(head, line_at(at));
      at = stop + 1;
    } else if (is_function) {
      const size_t end = after_braces(text_, stop);
      bodies_[name_of_function(head)] = {at, end, line_at(at)};
      at = end;
    } else if (starts(".section")) {
      at = after_braces(text_, stop);
    } else {
      const size_t end = text_.find(';', after_braces(text_, stop));
      declare_variable(std::string_view(text_).substr(at, end - at), line_at(at));
      at = end + 1;
    }
  }
}

void Module::declare_variable(std::string_view statement, int line) {
  if (statement.find(".pragma") != std::string_view::npos) return;
  const bool is_shared = statement.find(".shared") != std::string_view::npos;
  if (!is_shared && statement.find(".global") == std::string_view::npos && statement.find(".const") == std::string_view::npos)
    throw ParseError("line " + std::to_string(line) + " of the PTX: a function or a variable was expected, not '" + std::string(statement) +
                     "'");
  const Declared d = declared(statement);
  Variable variable{is_shared ? Space::shared : Space::global, 0, d.count * d.element, nullptr};
  if (!is_shared) {
    std::vector<uint8_t>& bytes = globals_.emplace_back(std::max(variable.bytes, 1u) + 16);
    size_t at = 0;
    for (const auto word : words_of(d.initial, "{}, \t\n")) {
      uint64_t value = 0;
      const bool hexadecimal =
          word.starts_with("0x") || word.starts_with("0f") || word.starts_with("0d") || word.starts_with("0F") || word.starts_with("0D");
      const auto digits = hexadecimal ? word.substr(2) : word;
      int64_t as_signed = 0;
      if (std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10).ec != std::errc() &&
          std::from_chars(digits.data(), digits.data() + digits.size(), as_signed).ec == std::errc())
        value = static_cast<uint64_t>(as_signed);
      for (uint32_t b = 0; b < d.element && at < variable.bytes; ++b) bytes[at++] = static_cast<uint8_t>(value >> (8 * b));
    }
    variable.global = bytes.data();
  }
  variables_.emplace(std::string(d.name), variable);
}

const Function& Module::function(const std::string& name) {
  const auto known = functions_.find(name);
  if (known != functions_.end()) return *known->second;
  const auto body = bodies_.find(name);
  if (body == bodies_.end()) throw ParseError("the PTX has no function " + name);
  const auto text = std::string_view(text_).substr(body->second.begin, body->second.end - body->second.begin);
  auto made = Parser(*this, name, text, body->second.line).parse();
  const Function& result = *functions_.emplace(name, std::move(made)).first->second;
  for (const Instruction& i : result.code)
    if (i.call) i.call->function = &function(i.call->name);
  return result;
}

}  // namespace suite::ptx
