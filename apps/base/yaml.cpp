// SPDX-License-Identifier: BSD-3-Clause
// Uses yaml-cpp's event parser only: its node interface accepts duplicate keys and expands aliases without bound.
#include "yaml.hpp"

#include <sstream>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "common/near.hpp"

namespace suite::app {
namespace {

struct Stop {};  // ends parsing

class Builder : public YAML::EventHandler {
public:
  Builder(const std::string& text, Diagnostics& diagnostics, int override) : text_(text), diagnostics_(diagnostics), override_(override) {}
  Node take() { return std::move(root_); }
  bool sound() const { return sound_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) stop(at(mark), "a second document starts here; an input is one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { put(make(Node::Type::null, mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    if (!std::exchange(aliased_, true)) refuse(at(mark), "aliases (*) are not accepted; write the value out");
    put(make(Node::Type::null, mark));
  }
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    if (!std::exchange(anchored_, true)) refuse(at(mark, name.size() + 1), "anchors (&) are not accepted; write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    check_tag(mark, tag);
    Node node = make(Node::Type::scalar, mark);
    node.quoted = tag == "!";
    if (node.quoted) check_quote(mark);
    node.text = value;
    node.at.width = static_cast<int>(std::max<size_t>(1, value.size())) + (node.quoted ? 2 : 0);
    put(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(make(Node::Type::list, mark));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(make(Node::Type::map, mark));
  }
  void OnMapEnd() override { close(); }

private:
  struct Level {
    Node node;
    std::optional<Node> key;  // of a map: the key of the next value
    std::unordered_map<std::string, int> seen;  // key and its line number
  };
  Position at(const YAML::Mark& mark, size_t width = 1) const { return {mark.line, mark.column, static_cast<int>(width), override_}; }
  Node make(Node::Type type, const YAML::Mark& mark) {
    if (++nodes_ > most_nodes) stop(at(mark), fmt::format("more than {} values; an input is smaller", most_nodes));
    Node node;
    node.type = type;
    node.at = at(mark);
    return node;
  }
  void refuse(const Position& position, const std::string& sentence) {
    diagnostics_.add(position, sentence);
    sound_ = false;
  }
  [[noreturn]] void stop(const Position& position, const std::string& sentence) {
    refuse(position, sentence);
    throw Stop{};
  }
  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") refuse(at(mark), "tags (!) are not accepted; got " + in_quotes(tag));
  }
  // yaml-cpp accepts the end of the file as a closing quote.
  void check_quote(const YAML::Mark& mark) {
    while (line_ < mark.line) {
      line_begin_ = text_.find('\n', line_begin_) + 1;
      ++line_;
    }
    const size_t begin = line_begin_ + static_cast<size_t>(mark.column);
    const char quote = begin < text_.size() ? text_[begin] : '\0';
    if (quote != '"' && quote != '\'') return;  // a block scalar (| or >)
    size_t i = begin + 1;
    while (i < text_.size() && text_[i] != quote) i += quote == '"' && text_[i] == '\\' ? 2 : 1;
    if (i >= text_.size()) stop(at(mark), "the quote that opens here is not closed");
  }
  void open(Node node) {
    if (levels_.size() >= deepest) stop(node.at, fmt::format("nested deeper than {} levels", deepest));
    levels_.push_back({std::move(node), std::nullopt, {}});
  }
  void close() {
    Node node = std::move(levels_.back().node);
    levels_.pop_back();
    put(std::move(node));
  }
  void put(Node node) {
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.type == Node::Type::list) {
      level.node.items.push_back(std::move(node));
    } else if (!level.key) {
      check_key(level, node);
      level.key = std::move(node);
    } else {
      if (node.type == Node::Type::null) node.at = level.key->at;  // the parser reports the position of the next token
      level.node.members.emplace_back(std::move(*level.key), std::move(node));
      level.key.reset();
    }
  }
  void check_key(Level& level, const Node& key) {
    if (key.type == Node::Type::list || key.type == Node::Type::map) stop(key.at, "a key must be a plain name, not a list or a mapping");
    if (key.text == "<<" && !key.quoted) refuse(key.at, "merge keys (<<) are not accepted; write the keys out");
    const auto [first, fresh] = level.seen.emplace(key.text, key.at.line + 1);
    if (!fresh) refuse(key.at, fmt::format("key {} appears twice; it is already on line {}", in_quotes(key.text), first->second));
  }

  const std::string& text_;
  Diagnostics& diagnostics_;
  int override_;
  int line_ = 0;  // line number of line_begin_
  size_t line_begin_ = 0;
  bool anchored_ = false, aliased_ = false;
  Node root_;
  std::vector<Level> levels_;
  size_t nodes_ = 0;
  int documents_ = 0;
  bool sound_ = true;
};

// Length of a valid UTF-8 sequence at text[i], or 0.
size_t utf8_length(const std::string& text, size_t i) {
  auto byte = [&](size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u; };
  auto follows = [&](size_t k) { return (byte(k) & 0xc0) == 0x80; };
  const unsigned c = byte(0);
  if (c < 0x80) return 1;
  if (c >= 0xc2 && c <= 0xdf) return follows(1) ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef) {
    if (!follows(1) || !follows(2) || (c == 0xe0 && byte(1) < 0xa0) || (c == 0xed && byte(1) > 0x9f)) return 0;
    return 3;
  }
  if (c >= 0xf0 && c <= 0xf4) {
    if (!follows(1) || !follows(2) || !follows(3) || (c == 0xf0 && byte(1) < 0x90) || (c == 0xf4 && byte(1) > 0x8f)) return 0;
    return 4;
  }
  return 0;
}

// Checks the bytes: NUL, invalid UTF-8, control characters, tabs in the indentation. Returns false if parsing is useless.
bool check_bytes(const std::string& text, Diagnostics& diagnostics, int override_) {
  Position p{0, 0, 1, override_};
  bool indentation = true, sound = true;
  auto refuse = [&](const std::string& sentence) {
    diagnostics.add(p, sentence);
    sound = false;
  };
  for (size_t i = 0; i < text.size() && diagnostics.size() < 20;) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      ++p.line;
      p.column = 0;
      indentation = true;
      ++i;
      continue;
    }
    const size_t length = utf8_length(text, i);
    if (c == 0) {
      refuse("a NUL byte; this is not a text file");
      return false;
    }
    if (length == 0) {
      refuse(fmt::format("byte {:#04x} is not UTF-8", c));
      return false;
    }
    if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7f) refuse(fmt::format("control character {:#04x}", c));
    if (c == '\t' && indentation) {
      const size_t word = text.find_first_not_of(" \t\r", i);
      const bool blank = word == std::string::npos || text[word] == '\n' || text[word] == '#';
      if (!blank) refuse("a tab in the indentation; use spaces");
      indentation = false;  // report once per line
    }
    if (c != ' ') indentation = false;
    i += length;
    p.column += static_cast<int>(length);
  }
  return sound;
}

// Rephrases the parser's messages for the reader.
std::string plainly(const std::string& message) {
  if (message == "illegal map value") return "unexpected ':'; check the indentation, and whether a ':' is missing above";
  if (message == "end of sequence flow not found") return "the list opened by '[' is not closed";
  if (message == "end of map flow not found") return "the mapping opened by '{' is not closed";
  return message;
}

}  // namespace

const Node* Node::find(const std::string& key) const {
  for (const auto& [k, value] : members)
    if (k.text == key) return &value;
  return nullptr;
}

std::optional<Node> parse_yaml(const std::string& text, Diagnostics& diagnostics, int override_) {
  if (!check_bytes(text, diagnostics, override_)) return std::nullopt;
  Builder builder(text, diagnostics, override_);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return Node{Node::Type::null, {0, 0, 1, override_}, "", false, {}, {}};
    while (parser.HandleNextDocument(builder)) {}
  } catch (const Stop&) { return std::nullopt; } catch (const YAML::Exception& e) {
    const auto& mark = e.mark;
    Position p{mark.is_null() ? 0 : mark.line, mark.is_null() ? 0 : mark.column, 1, override_};
    diagnostics.add(p, "not valid YAML: " + plainly(e.msg));
    return std::nullopt;
  }
  if (!builder.sound()) return std::nullopt;
  return builder.take();
}

}  // namespace suite::app
