// SPDX-License-Identifier: BSD-3-Clause
#include "parser.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "actions.hpp"

namespace suite::ptx {
namespace {

constexpr uint32_t shared_gap = 256;  // bytes between shared variables that belong to none

uint32_t aligned(uint32_t at, uint32_t to) { return (at + to - 1) / to * to; }

// "a, {b, c}, [d+8]" at its outer commas.
std::vector<std::string_view> split_operands(std::string_view text) {
  std::vector<std::string_view> all;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (std::strchr("([{", text[at])) ++depth;
    else if (std::strchr(")]}", text[at])) --depth;
    else if (text[at] == ',' && depth == 0) all.push_back(trimmed(text.substr(begin, at - begin))), begin = at + 1;
  }
  const auto last = trimmed(text.substr(begin));
  if (!last.empty()) all.push_back(last);
  return all;
}
std::vector<std::string_view> inside(std::string_view braces) { return split_operands(braces.substr(1, braces.size() - 2)); }

bool is_number(std::string_view text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) ||
                           (text[0] == '-' && text.size() > 1 && std::isdigit(static_cast<unsigned char>(text[1]))));
}

}  // namespace

bool Parser::Opcode::has(std::string_view part) const { return std::find(parts.begin(), parts.end(), part) != parts.end(); }

Parser::Parser(Module& module, const std::string& name, std::string_view text, int line)
    : module_(module), function_(std::make_unique<Function>()), text_(text), line_(line) {
  function_->name = name;
  function_->entry = text.find(".entry") < text.find('{');
}

void Parser::fail(const std::string& why) const {
  throw ParseError("line " + std::to_string(current_.line) + " of the PTX, '" + std::string(current_.text) + "': " + why);
}

std::unique_ptr<Function> Parser::parse() {
  const size_t brace = text_.find('{');
  scopes_.emplace_back();
  head(text_.substr(0, brace));
  split(brace);
  lay_out_shared();
  for (const Statement& s : statements_) {
    current_ = s;
    if (s.text == "{") scopes_.emplace_back();
    else if (s.text == "}") {
      scopes_.pop_back();
      found_.clear();
    } else if (s.text.back() == ':') labels_[trimmed(s.text.substr(0, s.text.size() - 1))] = static_cast<uint32_t>(function_->code.size());
    else if (s.text.starts_with(".reg")) declare_registers(s.text);
    else if (s.text.starts_with(".local") || s.text.starts_with(".param")) declare_in_frame(s.text);
    else if (s.text.starts_with(".shared")) continue;
    else if (s.text.starts_with(".pragma")) {
      const size_t at = s.text.find("used_bytes_mask");
      if (at != std::string_view::npos) {
        auto digits = trimmed(s.text.substr(at + 15));
        const bool hexadecimal = digits.starts_with("0x");
        if (hexadecimal) digits.remove_prefix(2);
        std::from_chars(digits.data(), digits.data() + digits.size(), used_bytes_, hexadecimal ? 16 : 10);
      }
    } else if (s.text.front() == '.') fail("a directive that the executor does not know");
    else instruction(s);
  }
  // A body may end without a return.
  Instruction end;
  end.flow = Flow::end;
  end.run = nothing;
  end.kind = Kind::branch;
  end.line = current_.line;
  end.text = "}";
  function_->code.push_back(end);
  for (const auto& [at, label] : jumps_) {
    const auto to = labels_.find(label);
    if (to == labels_.end()) throw ParseError(function_->name + " has no label " + std::string(label));
    function_->code[at].target = to->second;
  }
  for (const Instruction& i : function_->code)
    if ((i.space == Space::shared || i.space == Space::generic) && (i.width == 1 || i.width == 2)) function_->granule = 1;
  function_->executed.assign(function_->code.size(), 0);
  function_->executed_lanes.assign(function_->code.size(), 0);
  return std::move(function_);
}

void Parser::head(std::string_view text) {
  const auto add = [&](std::string_view list, std::vector<Parameter>& to) {
    for (const auto one : split_operands(list)) {
      const Declared d = declared(one);
      uint32_t& end = function_->entry ? function_->parameter_bytes : function_->frame_bytes;
      const Parameter p{aligned(end, d.align), d.element * d.count};
      end = p.offset + p.bytes;
      to.push_back(p);
      scopes_.back().variables[d.name] = {function_->entry ? Space::param : Space::local, p.offset, p.bytes, nullptr};
    }
  };
  size_t at = text.find(function_->entry ? ".entry" : ".func") + (function_->entry ? 6 : 5);
  const auto name = text.find(function_->name, at);
  const auto returns = text.find('(', at);
  if (returns < name) add(text.substr(returns + 1, text.find(')', returns) - returns - 1), function_->return_values);
  const auto open = text.find('(', name);
  if (open != std::string_view::npos) add(text.substr(open + 1, text.find(')', open) - open - 1), function_->parameters);
}

// Instructions, labels, declarations and braces of scopes, each with its line.
void Parser::split(size_t brace) {
  int line = line_ + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(brace), '\n')), source = 0;
  const size_t end = text_.rfind('}');
  for (size_t at = brace + 1; at < end;) {
    const char letter = text_[at];
    if (letter == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(letter)) || letter == ';') {
      ++at;
      continue;
    }
    if (letter == '{' || letter == '}') {
      statements_.push_back({text_.substr(at++, 1), line, source});
      continue;
    }
    if (text_.compare(at, 4, ".loc") == 0 && std::isspace(static_cast<unsigned char>(text_[at + 4]))) {
      const size_t stop = text_.find('\n', at);
      const auto words = words_of(text_.substr(at, stop - at));
      if (words.size() > 2) std::from_chars(words[2].data(), words[2].data() + words[2].size(), source);
      at = stop;
      continue;
    }
    size_t stop = text_.find_first_of(";:", at);
    if (text_[stop] == ':') ++stop;
    const auto statement = text_.substr(at, stop - at);
    statements_.push_back({trimmed(statement), line, source});
    line += static_cast<int>(std::count(statement.begin(), statement.end(), '\n'));
    at = stop;
  }
}

void Parser::lay_out_shared() {
  uint32_t at = shared_gap;
  const auto place = [&](std::string_view name, uint32_t align, uint32_t bytes) {
    at = aligned(at, std::max(align, 16u));
    const Variable v{Space::shared, at, bytes, nullptr};
    scopes_.front().variables[name] = v;
    function_->shared.push_back(v);
    function_->shared_sum = aligned(function_->shared_sum, align) + bytes;
    at += bytes + shared_gap;
  };
  for (const Statement& s : statements_)
    if (s.text.starts_with(".shared")) {
      const Declared d = declared(s.text);
      place(d.name, d.align, d.element * d.count);
    }
  std::vector<std::string_view> dynamic;
  for (const auto& [name, v] : module_.variables_)
    if (v.space == Space::shared && text_.find(name) != std::string_view::npos) {
      if (v.bytes > 0) place(name, 16, v.bytes);
      else dynamic.push_back(name);
    }
  function_->shared_bytes = aligned(at, 16);
  for (const auto name : dynamic) scopes_.front().variables[name] = {Space::shared, function_->shared_bytes, 0, nullptr};
}

void Parser::declare_registers(std::string_view text) {
  const auto words = words_of(text, " \t\r\n,");
  const bool predicate = words.at(1) == ".pred";
  uint32_t& next = predicate ? function_->predicates : function_->registers;
  for (size_t i = 2; i < words.size(); ++i) {
    const size_t bracket = words[i].find('<');
    if (bracket == std::string_view::npos) {
      scopes_.back().registers[words[i]] = {next++, predicate};
    } else {
      Range range{next, 0, predicate};
      std::from_chars(words[i].data() + bracket + 1, words[i].data() + words[i].size(), range.count);
      scopes_.back().ranges[words[i].substr(0, bracket)] = range;
      next += range.count;
    }
  }
}

void Parser::declare_in_frame(std::string_view text) {
  const Declared d = declared(text);
  const Variable v{Space::local, aligned(function_->frame_bytes, d.align), d.element * d.count, nullptr};
  function_->frame_bytes = v.offset + v.bytes;
  scopes_.back().variables[d.name] = v;
}

const Parser::Register* Parser::find_register(std::string_view name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto at = scope->registers.find(name);
    if (at != scope->registers.end()) return &at->second;
  }
  const auto known = found_.find(name);
  if (known != found_.end()) return &known->second;
  size_t digits = name.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
  uint32_t number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto at = scope->ranges.find(name.substr(0, digits));
    if (at != scope->ranges.end() && number < at->second.count) return &(found_[name] = {at->second.first + number, at->second.predicate});
  }
  static const std::map<std::string_view, Register> special{
      {"%tid.x", {tid_x}},       {"%tid.y", {tid_y}},       {"%tid.z", {tid_z}},     {"%ntid.x", {ntid_x}},   {"%ntid.y", {ntid_y}},
      {"%ntid.z", {ntid_z}},     {"%ctaid.x", {ctaid_x}},   {"%ctaid.y", {ctaid_y}}, {"%ctaid.z", {ctaid_z}}, {"%nctaid.x", {nctaid_x}},
      {"%nctaid.y", {nctaid_y}}, {"%nctaid.z", {nctaid_z}}, {"%laneid", {laneid}},   {"%warpid", {warpid}}};
  const auto at = special.find(name);
  return at == special.end() ? nullptr : &at->second;
}

Parser::Register Parser::need_register(std::string_view name) {
  const Register* const found = find_register(name);
  if (!found) fail("there is no register " + std::string(name));
  return *found;
}

uint32_t Parser::need_predicate(std::string_view name) {
  if (is_number(name)) return name == "0" ? 0 : 1;
  const Register found = need_register(name);
  if (!found.predicate) fail(std::string(name) + " is no predicate");
  return found.index;
}

const Variable* Parser::find_variable(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto at = scope->variables.find(name);
    if (at != scope->variables.end()) return &at->second;
  }
  const auto at = module_.variables_.find(name);
  return at == module_.variables_.end() ? nullptr : &at->second;
}

Operand Parser::constant(uint64_t value) {
  const auto [at, is_new] = constants_.try_emplace(value, static_cast<uint32_t>(function_->constants.size()));
  if (is_new) function_->constants.emplace_back().fill(value);
  return {at->second, true};
}

void Parser::add_result(Instruction& i, std::string_view name) {
  if (i.results == i.result.size()) fail("more than four results");
  // "_" takes what nobody wants.
  i.result[i.results++] = name == "_" ? function_->registers++ : need_register(name).index;
}

void Parser::add_source(Instruction& i, std::string_view text) {
  if (text.front() == '{') {
    for (const auto one : inside(text)) add_source(i, one);
    return;
  }
  if (i.sources == i.source.size()) fail("more than seven operands");
  Operand& to = i.source[i.sources++];
  if (text.front() == '%') {
    const Register found = need_register(text);
    if (found.predicate) {
      --i.sources;
      if (i.predicates == i.predicate.size()) fail("more than two predicates");
      i.predicate[i.predicates++] = found.index;
    } else {
      to = {found.index, false};
    }
  } else if (is_number(text)) {
    uint64_t value = 0;
    const bool real = text.size() > 1 && text[0] == '0' && std::strchr("fFdD", text[1]) != nullptr;
    if (real || text.starts_with("0x")) {
      if (std::from_chars(text.data() + 2, text.data() + text.size(), value, 16).ec != std::errc()) fail("a number was expected");
    } else if (text[0] == '-') {
      int64_t negative = 0;
      std::from_chars(text.data(), text.data() + text.size(), negative);
      value = static_cast<uint64_t>(negative);
    } else {
      std::from_chars(text.data(), text.data() + text.size(), value);
    }
    to = constant(value);
  } else if (text == "WARP_SZ") {
    to = constant(warp_lanes);
  } else {
    const size_t plus = text.find('+');
    const Variable* const v = find_variable(trimmed(text.substr(0, plus)));
    if (!v) fail("there is no variable " + std::string(text));
    if (v->space == Space::local) fail("an address of local memory is expected in mov only");
    int64_t offset = 0;
    if (plus != std::string_view::npos) std::from_chars(text.data() + plus + 1, text.data() + text.size(), offset);
    to = constant((v->global ? reinterpret_cast<uint64_t>(v->global) : v->offset) + static_cast<uint64_t>(offset));
  }
}

// [%rd1+8], [name+-8], [name]
void Parser::address(Instruction& i, std::string_view text) {
  if (text.size() < 3 || text.front() != '[') fail("an address was expected, not '" + std::string(text) + "'");
  text = trimmed(text.substr(1, text.size() - 2));
  const size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    const auto number = trimmed(text.substr(plus + 1));
    std::from_chars(number.data(), number.data() + number.size(), i.offset);
    text = trimmed(text.substr(0, plus));
  }
  const Variable* const v = text.front() == '%' ? nullptr : find_variable(text);
  if (v && v->space == Space::local) {  // parameters and results of functions too
    i.space = Space::local;
    i.mode = 1;
    i.offset += v->offset;
    text = "0";
  }
  add_source(i, text);
}

}  // namespace suite::ptx
