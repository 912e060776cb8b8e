// SPDX-License-Identifier: BSD-3-Clause
// What must hold for a page made of any results: only harmless elements and attributes, all of them closed in
// order, nothing of a hostile name outside of text and quoted values.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace fuzz {

class PageCheck {
public:
  explicit PageCheck(const std::string& page) : page_(page) {}

  // What is wrong first, with the text around it; "" for a sound page.
  std::string problem() {
    for (const char c : page_)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') return "a control character " + std::to_string(c);
    while (at_ < page_.size() && wrong_.empty()) {
      if (page_[at_] == '<') markup();
      else ++at_;
    }
    if (wrong_.empty() && !open_.empty()) fail("<" + open_.back() + "> is never closed");
    return wrong_;
  }

private:
  void fail(const std::string& what) {
    if (wrong_.empty()) wrong_ = what + ", near: " + page_.substr(at_ < 60 ? 0 : at_ - 60, 140);
  }
  bool next_is(const char* word) const { return page_.compare(at_, std::string(word).size(), word) == 0; }
  void skip_past(const char* word) {
    const size_t found = page_.find(word, at_);
    if (found == std::string::npos) return fail(std::string("no ") + word);
    at_ = found + std::string(word).size();
  }
  std::string name() {
    const size_t begin = at_;
    while (at_ < page_.size() && (std::isalnum(static_cast<unsigned char>(page_[at_])) || page_[at_] == '-' || page_[at_] == ':')) ++at_;
    return page_.substr(begin, at_ - begin);
  }
  void blanks() {
    while (at_ < page_.size() && std::isspace(static_cast<unsigned char>(page_[at_]))) ++at_;
  }

  void markup() {
    static const std::set<std::string> harmless = {
        "html",     "head",  "meta",   "title",  "style",    "body",       "main",    "header",   "footer", "nav",   "section",
        "article",  "aside", "div",    "span",   "p",        "h1",         "h2",      "h3",       "h4",     "h5",    "ul",
        "ol",       "li",    "dl",     "dt",     "dd",       "table",      "caption", "colgroup", "col",    "thead", "tbody",
        "tfoot",    "tr",    "th",     "td",     "figure",   "figcaption", "details", "summary",  "code",   "pre",   "strong",
        "em",       "small", "sup",    "sub",    "a",        "abbr",       "br",      "hr",       "time",   "svg",   "g",
        "path",     "line",  "rect",   "circle", "polyline", "polygon",    "text",    "tspan",    "desc",   "defs",  "pattern",
        "clipPath", "use",   "symbol", "marker", "ellipse",  "wbr",        "var",     "kbd",      "samp"};
    if (next_is("<!--")) return skip_past("-->");
    if (next_is("<!DOCTYPE html>") || next_is("<!doctype html>")) return skip_past(">");
    ++at_;
    const bool closes = at_ < page_.size() && page_[at_] == '/';
    if (closes) ++at_;
    const std::string tag = name();
    if (!harmless.count(tag)) return fail("the element <" + tag + ">");
    if (closes) {
      blanks();
      if (at_ >= page_.size() || page_[at_] != '>') return fail("</" + tag + " without >");
      ++at_;
      if (open_.empty() || open_.back() != tag)
        return fail("</" + tag + "> closes " + (open_.empty() ? "nothing" : "<" + open_.back() + ">"));
      open_.pop_back();
      return;
    }
    const bool empty = attributes(tag);
    static const std::set<std::string> no_content = {"meta", "br", "hr", "col", "wbr"};
    if (!wrong_.empty() || empty || no_content.count(tag)) return;
    if (tag == "style") {
      const size_t end = page_.find("</style", at_);
      if (page_.substr(at_, end - at_).find("m4rk") != std::string::npos) return fail("a name in <style>");
      return skip_past("</style>");
    }
    open_.push_back(tag);
  }

  // Returns whether the element ends at once: "/>".
  bool attributes(const std::string& tag) {
    for (;;) {
      blanks();
      if (next_is("/>")) return at_ += 2, true;
      if (next_is(">")) return ++at_, false;
      const std::string attribute = name();
      if (attribute.empty() || attribute.find("m4rk") != std::string::npos || attribute.rfind("on", 0) == 0)
        return fail("the attribute '" + attribute + "' of <" + tag + ">"), false;
      if (!next_is("=")) continue;
      ++at_;
      if (!next_is("\"") && !next_is("'")) return fail("a value of " + attribute + " without quotes"), false;
      const char quote = page_[at_];
      const size_t begin = ++at_;
      at_ = page_.find(quote, at_);
      if (at_ == std::string::npos) return at_ = begin, fail("a value of " + attribute + " without end"), false;
      value(attribute, page_.substr(begin, at_ - begin));
      ++at_;
    }
  }

  void value(const std::string& attribute, const std::string& text) {
    if (text.find('<') != std::string::npos) return fail("< in a value of " + attribute);
    const bool address = attribute == "href" || attribute == "src" || attribute == "xlink:href" || attribute == "action";
    if (address && !text.empty() && text[0] != '#' && text.rfind("https://", 0) != 0) return fail("an address '" + text + "'");
    if ((address || attribute == "style" || attribute == "id" || attribute == "class") && text.find("m4rk") != std::string::npos)
      fail("a name in " + attribute);
  }

  const std::string& page_;
  size_t at_ = 0;
  std::vector<std::string> open_;
  std::string wrong_;
};

}  // namespace fuzz
