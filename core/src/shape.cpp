// SPDX-License-Identifier: BSD-3-Clause
#include "shape.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include <suite/plugin.hpp>

#include "text.hpp"

namespace suite::core {

// expression: term {(+|-) term};  term: factor {(*|/) factor};  factor: number | name | ( expression )
class ShapeParser {
public:
  ShapeParser(Shapes& shapes, const std::string& text) : shapes_(shapes), text_(text) {}

  std::vector<Shapes::Token> parse() {
    expression(0);
    skip();
    if (at_ != text_.size()) fail();
    return std::move(code_);
  }

private:
  [[noreturn]] void fail() const { throw Failure(SUITE_UNSUPPORTED, "its extent " + quoted(text_) + " cannot be read"); }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expression(int depth) {
    constexpr int deepest = 32;
    if (depth > deepest) fail();
    term(depth);
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at_;
      term(depth);
      code_.push_back({Shapes::Token::operation, c});
    }
  }
  void term(int depth) {
    factor(depth);
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      ++at_;
      factor(depth);
      code_.push_back({Shapes::Token::operation, c});
    }
  }
  void factor(int depth) {
    const char c = peek();
    if (c == '(') {
      ++at_;
      expression(depth + 1);
      if (peek() != ')') fail();
      ++at_;
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      int64_t value = 0;
      for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value)) fail();
      code_.push_back({Shapes::Token::number, value});
    } else if (std::isalpha(static_cast<unsigned char>(c))) {
      const size_t from = at_;
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
      code_.push_back({Shapes::Token::name, shapes_.name_index(text_.substr(from, at_ - from))});
    } else {
      fail();
    }
  }

  Shapes& shapes_;
  const std::string& text_;
  size_t at_ = 0;
  std::vector<Shapes::Token> code_;
};

Shapes::Shapes(const suite_argument* arguments, uint32_t count, const char* merit_unit, const char* merit_count)
    : arguments_(arguments), count_(count) {
  for (uint32_t i = 0; i < count; ++i) {
    const auto parts = extents_in(arguments[i].shape);
    if (static_cast<int>(parts.size()) != arguments[i].rank)
      throw Failure(SUITE_UNSUPPORTED, concat("argument ", quoted(arguments[i].name), " has rank ", arguments[i].rank, " but its shape ",
                                              quoted(arguments[i].shape), " has ", parts.size(), " extents"));
    for (int axis = 0; axis < arguments[i].rank; ++axis) {
      try {
        Dimension d{static_cast<int>(i), axis, parts[axis], ShapeParser(*this, parts[axis]).parse()};
        if (d.code.size() == 1 && d.code[0].kind == Token::name) d.name = static_cast<int>(d.code[0].value);
        dimensions_.push_back(std::move(d));
      } catch (const Failure& e) { throw Failure(SUITE_UNSUPPORTED, "argument " + quoted(arguments[i].name) + ": " + e.what()); }
    }
  }
  if (!merit_unit && !merit_count) return;
  if (!merit_unit || !*merit_unit || !merit_count) throw Failure(SUITE_UNSUPPORTED, "its figure of merit lacks its unit or count");
  const std::string text = merit_count;
  const size_t names = names_.size();
  try {
    merit_ = ShapeParser(*this, text).parse();
  } catch (const Failure&) { throw Failure(SUITE_UNSUPPORTED, "the count of its figure of merit, " + quoted(text) + ", cannot be read"); }
  for (size_t n = names; n < names_.size(); ++n) {
    bool scalar = false;
    for (uint32_t i = 0; i < count; ++i) scalar = scalar || (arguments[i].rank == 0 && names_[n] == arguments[i].name);
    if (!scalar)
      throw Failure(SUITE_UNSUPPORTED, "its figure of merit " + quoted(text) + " uses " + quoted(names_[n].c_str()) +
                                           ", which is neither an extent nor a scalar of its arguments");
  }
}

int Shapes::name_index(const std::string& name) {
  for (size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == name) return static_cast<int>(i);
  names_.push_back(name);
  return static_cast<int>(names_.size()) - 1;
}

std::optional<int64_t> Shapes::evaluate(const std::vector<Token>& code, const std::vector<Known>& known) {
  std::vector<int64_t> stack;
  for (const Token& token : code) {
    if (token.kind == Token::number) {
      stack.push_back(token.value);
    } else if (token.kind == Token::name) {
      if (!known[token.value].known) return std::nullopt;
      stack.push_back(known[token.value].value);
    } else {
      const int64_t b = stack.back();
      stack.pop_back();
      int64_t& a = stack.back();
      bool overflow = false;
      switch (token.value) {
        case '+': overflow = __builtin_add_overflow(a, b, &a); break;
        case '-': overflow = __builtin_sub_overflow(a, b, &a); break;
        case '*': overflow = __builtin_mul_overflow(a, b, &a); break;
        default:
          if (b == 0) return std::nullopt;
          a /= b;
      }
      if (overflow) return std::nullopt;
    }
  }
  return stack.back();
}

// A name that no extent gives alone may be an integer scalar among the arguments.
void Shapes::learn_scalars(const suite_array* arrays, std::vector<Known>& known) const {
  for (size_t n = 0; n < names_.size(); ++n) {
    if (known[n].known) continue;
    for (uint32_t i = 0; i < count_; ++i) {
      if (arguments_[i].rank != 0 || !arrays[i].data || names_[n] != arguments_[i].name) continue;
      if (arrays[i].type == SUITE_INT32) known[n] = {true, *static_cast<const int32_t*>(arrays[i].data), static_cast<int>(i)};
      if (arrays[i].type == SUITE_INT64) known[n] = {true, *static_cast<const int64_t*>(arrays[i].data), static_cast<int>(i)};
    }
  }
}

// One unknown name in an expression that is linear in it.
bool Shapes::solve(const Dimension& dimension, int64_t extent, std::vector<Known>& known) const {
  int unknown = -1;
  for (const Token& token : dimension.code) {
    if (token.kind != Token::name || known[token.value].known) continue;
    if (unknown >= 0 && unknown != token.value) return false;
    unknown = static_cast<int>(token.value);
  }
  if (unknown < 0) return false;
  Known& name = known[unknown];
  const auto with = [&](int64_t value) {
    name = {true, value, dimension.argument};
    return evaluate(dimension.code, known);
  };
  const auto at0 = with(0), at1 = with(1);
  if (at0 && at1 && *at0 != *at1) {
    const int64_t value = (extent - *at0) / (*at1 - *at0);
    if (with(value) == extent) return true;
  }
  name = {};
  return false;
}

void Shapes::contradict(const Dimension& dimension, int64_t extent, int64_t wanted, const std::vector<Known>& known) const {
  const char* here = arguments_[dimension.argument].name;
  if (dimension.name >= 0)
    throw Failure(SUITE_INVALID_ARGUMENT, concat(names_[dimension.name], " is ", wanted, " in ",
                                                 arguments_[known[dimension.name].argument].name, " but ", extent, " in ", here));
  std::vector<std::string> origins;
  for (const Token& token : dimension.code)
    if (token.kind == Token::name)
      origins.push_back(concat(names_[token.value], " = ", known[token.value].value, " of ", arguments_[known[token.value].argument].name));
  throw Failure(SUITE_INVALID_ARGUMENT, concat("extent ", dimension.axis + 1, " of ", here, " is ", extent, " but ", dimension.text, " is ",
                                               wanted, origins.empty() ? "" : " (" + joined(origins, ", ") + ")"));
}

double Shapes::merit(const suite_array* arrays) const {
  if (merit_.empty()) return 0;
  std::vector<Known> known(names_.size());
  learn_extents(arrays, known);
  learn_scalars(arrays, known);
  learn_by_solving(arrays, known);
  for (uint32_t i = 0; i < count_; ++i)
    for (size_t n = 0; n < names_.size(); ++n)
      if (!known[n].known && arguments_[i].rank == 0 && names_[n] == arguments_[i].name) known[n] = {true, 1, static_cast<int>(i)};
  // So does an extent that only optional arrays have, all of them unset.
  std::vector<char> needed(names_.size());
  for (const auto& d : dimensions_)
    for (const Token& token : d.code)
      if (token.kind == Token::name && !arguments_[d.argument].when_unset) needed[static_cast<size_t>(token.value)] = 1;
  for (size_t n = 0; n < names_.size(); ++n)
    if (!known[n].known && !needed[n]) known[n] = {true, 1, -1};
  const auto number = evaluate(merit_, known);
  return number && *number > 0 ? static_cast<double>(*number) : 0;
}

void Shapes::learn_extents(const suite_array* arrays, std::vector<Known>& known) const {
  for (const auto& d : dimensions_) {
    if (d.name < 0 || !arrays[d.argument].data) continue;
    const int64_t extent = arrays[d.argument].extent[d.axis];
    Known& name = known[d.name];
    if (!name.known) name = {true, extent, d.argument};
    if (name.value != extent) contradict(d, extent, name.value, known);
  }
}

void Shapes::learn_by_solving(const suite_array* arrays, std::vector<Known>& known) const {
  for (const auto& d : dimensions_)
    if (d.name < 0 && arrays[d.argument].data && !evaluate(d.code, known)) solve(d, arrays[d.argument].extent[d.axis], known);
}

void Shapes::expect(const suite_array* arrays, int argument, int64_t* extents) const {
  std::vector<suite_array> inputs(arrays, arrays + count_);
  for (uint32_t i = 0; i < count_; ++i)
    if (arguments_[i].intent == SUITE_OUT) inputs[i].data = nullptr;  // perhaps of an earlier run, with other extents
  std::vector<Known> known(names_.size());
  learn_extents(inputs.data(), known);
  learn_scalars(inputs.data(), known);
  learn_by_solving(inputs.data(), known);
  std::fill_n(extents, SUITE_MAX_RANK, 1);
  for (const auto& d : dimensions_)
    if (d.argument == argument) extents[d.axis] = evaluate(d.code, known).value_or(-1);
}

void Shapes::check(const suite_array* arrays) const {
  std::vector<Known> known(names_.size());
  learn_extents(arrays, known);
  learn_scalars(arrays, known);
  for (const auto& d : dimensions_) {
    if (d.name >= 0 || !arrays[d.argument].data) continue;
    const int64_t extent = arrays[d.argument].extent[d.axis];
    auto wanted = evaluate(d.code, known);
    if (!wanted && solve(d, extent, known)) wanted = extent;
    if (wanted && *wanted != extent) contradict(d, extent, *wanted, known);
  }
}

}  // namespace suite::core
