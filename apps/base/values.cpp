// SPDX-License-Identifier: BSD-3-Clause
#include "values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/core.h>

#include "common/near.hpp"
#include "quantity.hpp"

namespace suite::app {
namespace {

// Whether the node is a single value; otherwise sets problem.
bool is_value(const Node& node, std::string& problem) {
  if (node.type == Node::Type::null) problem = "has no value";
  if (node.type == Node::Type::list) problem = "must be a single value, not a list";
  if (node.type == Node::Type::map) problem = "must be a single value, not a mapping";
  return node.type == Node::Type::scalar;
}

bool digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string without_sign(const std::string& text) { return !text.empty() && (text[0] == '-' || text[0] == '+') ? text.substr(1) : text; }

// Leading zeros are refused: some readers take 010 for 8, others for 10.
bool leading_zero(const std::string& text) {
  const std::string t = without_sign(text);
  return t.size() > 1 && t[0] == '0' && t[1] >= '0' && t[1] <= '9';
}

std::string leading_zero_problem(const std::string& text) {
  const std::string t = without_sign(text);
  const size_t first = std::min(t.find_first_not_of('0'), t.size() - 1);
  const std::string sign = text[0] == '-' ? "-" : "";
  return "is ambiguous: " + in_quotes(text) + " may be octal; write " + in_quotes(sign + (t[first] == '.' ? "0" : "") + t.substr(first));
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(10);
  text << value;
  return text.str();
}

// "must be a number; got 'x'", or what to leave out if the value has a unit.
std::string must_be(const std::string& what, const std::string& text) {
  return "must be " + what + (unit_written(text).empty() ? "" : " without a unit") + "; got " + in_quotes(text);
}

}  // namespace

std::optional<double> parse_real(const std::string& text, std::string& problem) {
  if (leading_zero(text)) {
    problem = leading_zero_problem(text);
    return std::nullopt;
  }
  const std::string t = !text.empty() && text[0] == '+' ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
  if (error == std::errc::result_out_of_range) {
    problem = "is too large or too small for a number in double precision; got " + in_quotes(text);
    return std::nullopt;
  }
  const bool number_like = !t.empty() && (t[0] == '-' || t[0] == '.' || (t[0] >= '0' && t[0] <= '9'));
  if (error == std::errc() && end == t.data() + t.size() && std::isfinite(value) && number_like) return value;
  problem = must_be("a number", text);
  std::string fixed = t;  // Fortran writes 1.0d-3
  const size_t d = fixed.find_first_of("dD");
  if (d != std::string::npos && d > 0) {
    fixed[d] = 'e';
    double again = 0;
    const auto [last, trouble] = std::from_chars(fixed.data(), fixed.data() + fixed.size(), again);
    if (trouble == std::errc() && last == fixed.data() + fixed.size()) problem += "; did you mean '" + fixed + "'?";
  }
  return std::nullopt;
}

// 1e4 and 2.5e3 are accepted as integers; 2.5 and 1e-1 are not.
static std::optional<long> integer_with_exponent(const std::string& text) {
  constexpr double largest_exact = 9007199254740992;  // 2^53
  std::string ignored;
  if (text.find_first_of("eE") == std::string::npos) return std::nullopt;
  const auto value = parse_real(text, ignored);
  if (!value || *value != std::floor(*value) || !(std::abs(*value) <= largest_exact)) return std::nullopt;
  return static_cast<long>(*value);
}

std::optional<long> read_integer(const Node& node, std::string& problem) {
  if (!is_value(node, problem)) return std::nullopt;
  const std::string& text = node.text;
  if (!node.quoted)
    if (const auto value = integer_with_exponent(text)) return value;
  const std::string body = without_sign(text);
  if (!digits(body) || node.quoted) {
    problem = node.quoted ? "must be an integer; got the quoted text " + in_quotes(text) : must_be("an integer", text);
    return std::nullopt;
  }
  if (leading_zero(text)) {
    problem = leading_zero_problem(text);
    return std::nullopt;
  }
  long value = 0;
  const char* begin = text.data() + (text[0] == '+');
  if (std::from_chars(begin, text.data() + text.size(), value).ec != std::errc()) {
    problem = "is too large for an integer; got " + in_quotes(text);
    return std::nullopt;
  }
  return value;
}

std::optional<double> read_real(const Node& node, std::string& problem) {
  if (!is_value(node, problem)) return std::nullopt;
  if (node.quoted) {
    problem = "must be a number; got the quoted text " + in_quotes(node.text);
    return std::nullopt;
  }
  return parse_real(node.text, problem);
}

std::optional<bool> read_boolean(const Node& node, std::string& problem) {
  if (!is_value(node, problem)) return std::nullopt;
  if (!node.quoted && node.text == "true") return true;
  if (!node.quoted && node.text == "false") return false;
  std::string lower = node.text;
  for (auto& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool yes = lower == "yes" || lower == "on" || lower == "1" || lower == ".true." || lower == "t" || lower == "true";
  const bool no = lower == "no" || lower == "off" || lower == "0" || lower == ".false." || lower == "f" || lower == "false";
  problem = "must be true or false; got " + in_quotes(node.text) + (yes ? "; did you mean 'true'?" : no ? "; did you mean 'false'?" : "");
  return std::nullopt;
}

std::optional<std::string> read_text(const Node& node, std::string& problem) {
  if (!is_value(node, problem)) return std::nullopt;
  return node.text;
}

namespace {

// Reads the items of a list one by one.
template <class T, class F>
std::optional<std::vector<T>> read_list(const Node& node, const char* like, std::string& problem, const Node*& at, F&& read) {
  if (node.type != Node::Type::list) {
    problem = node.type == Node::Type::null ? "has no value" : std::string("must be a list of ") + like;
    if (node.type == Node::Type::scalar) problem += "; got " + in_quotes(node.text);
    return std::nullopt;
  }
  std::vector<T> values;
  for (const auto& item : node.items) {
    const auto value = read(item, problem);
    if (!value) {
      problem = fmt::format("item {} {}", values.size() + 1, problem);
      at = &item;
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

}  // namespace

std::optional<std::vector<long>> read_integers(const Node& node, std::string& problem, const Node*& at) {
  return read_list<long>(node, "integers such as [1, 4]", problem, at, read_integer);
}

std::optional<std::vector<double>> read_reals(const Node& node, std::string& problem, const Node*& at) {
  return read_list<double>(node, "numbers such as [0, 0, 1]", problem, at, read_real);
}

std::optional<std::vector<std::string>> read_names(const Node& node, std::string& problem, const Node*& at) {
  return read_list<std::string>(node, "names such as [Na, Na]", problem, at, read_text);
}

std::optional<std::vector<std::vector<double>>> read_points(const Node& node, std::string& problem, const Node*& at) {
  if (node.type != Node::Type::list) {
    problem = node.type == Node::Type::null ? "has no value" : "must be a list of rows of numbers such as [[0, 0, 0], [0, 0, 0.5]]";
    return std::nullopt;
  }
  std::vector<std::vector<double>> rows;
  for (const auto& item : node.items) {
    const std::string row = fmt::format("row {}", rows.size() + 1);
    if (item.type != Node::Type::list) {
      at = &item;
      problem = row + " must be a list of numbers such as [0, 0, 0.5]";
      return std::nullopt;
    }
    rows.emplace_back();
    for (const auto& entry : item.items) {
      const auto value = read_real(entry, problem);
      if (!value) {
        at = &entry;
        problem = fmt::format("{} number {} {}", row, rows.back().size() + 1, problem);
        return std::nullopt;
      }
      rows.back().push_back(*value);
    }
    if (rows.back().size() != rows.front().size()) {
      at = &item;
      problem = fmt::format("{} has {} numbers; row 1 has {}", row, rows.back().size(), rows.front().size());
      return std::nullopt;
    }
  }
  return rows;
}

std::optional<std::vector<std::pair<std::string, std::string>>> read_settings(const Node& node, std::string& problem, const Node*& at) {
  if (node.type != Node::Type::map) {
    problem = node.type == Node::Type::null ? "has no value" : "must be a mapping of names to values such as {precision: mixed}";
    if (node.type == Node::Type::scalar) problem += "; got " + in_quotes(node.text);
    return std::nullopt;
  }
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, value] : node.members) {
    const auto text = read_text(value, problem);
    if (!text) {
      problem = "entry " + in_quotes(name.text) + " " + problem;
      at = value.type == Node::Type::null ? &name : &value;
      return std::nullopt;
    }
    values.emplace_back(name.text, *text);
  }
  return values;
}

std::vector<std::string> split_choices(const char* choices) {
  std::istringstream stream(choices ? choices : "");
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string check_range(double value, const Key& key, const std::string& text) {
  if (!key.choices || !*key.choices) return "";
  const std::string range = key.choices;
  const bool open = range[0] == '>';
  const size_t dots = range.find("..");
  auto bound = [](const std::string& t) { return std::strtod(t.c_str(), nullptr); };
  bool inside = true;
  if (open) {
    inside = value > bound(range.substr(1));
  } else if (dots != std::string::npos) {
    const std::string low = range.substr(0, dots), high = range.substr(dots + 2);
    inside = (low.empty() || value >= bound(low)) && (high.empty() || value <= bound(high));
  }
  if (inside) return "";
  return "must be " + describe_range(key) + "; got " + in_quotes(text);
}

std::string describe_range(const Key& key) {
  if (!key.choices || !*key.choices) return "";
  const std::string range = key.choices, unit = has_unit(key.kind) ? " " + canonical_unit(key.kind) : "";
  const size_t dots = range.find("..");
  if (range[0] == '>') return "above " + number(std::strtod(range.c_str() + 1, nullptr)) + unit;
  if (dots == std::string::npos) return range + unit;
  if (dots + 2 == range.size()) return "at least " + range.substr(0, dots) + unit;
  if (dots == 0) return "at most " + range.substr(2) + unit;
  return range + unit;
}

std::string describe_kind(const Key& key) {
  const std::string range = describe_range(key);
  auto with_range = [&](const std::string& what) { return range.empty() || key.kind == Kind::choice ? what : what + ", " + range; };
  switch (key.kind) {
    case Kind::integer: return with_range("integer");
    case Kind::real: return with_range("number");
    case Kind::energies:
    case Kind::lengths:
    case Kind::times: return with_range("list of numbers with a unit (" + unit_list(key.kind) + ")");
    case Kind::positions: return with_range("list of rows of numbers with a unit (" + unit_list(key.kind) + ")");
    case Kind::boolean: return "true or false";
    case Kind::text: return "text";
    case Kind::file: return "file";
    case Kind::integers: return with_range("list of integers");
    case Kind::reals: return with_range("list of numbers");
    case Kind::names: return "list of names";
    case Kind::points: return with_range("list of rows of numbers");
    case Kind::settings: return "mapping of names to values";
    case Kind::choice: {
      std::string list;
      for (const auto& choice : split_choices(key.choices)) list += (list.empty() ? "" : ", ") + choice;
      return "one of " + list;
    }
    default: return with_range(dimension_name(key.kind) + " (" + unit_list(key.kind) + ")");
  }
}

}  // namespace suite::app
