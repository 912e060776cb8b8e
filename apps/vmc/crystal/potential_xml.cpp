// SPDX-License-Identifier: BSD-3-Clause
#include "potential_xml.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/structure/structure.hpp"
#include "base/text_lines.hpp"
#include "base/units.hpp"
#include "common/io.hpp"

namespace suite::vmc {
namespace {

constexpr size_t largest_xml_file = 64 << 20;
constexpr long most_xml_points = 1000000;

using Attributes = std::map<std::string, std::string>;

// The elements of an XML file, one after the other: what a file of numbers needs, without entities and name spaces.
class XmlElements {
public:
  struct Element {
    std::string name;  // "/vps" where it ends
    Attributes attributes;
    bool closed = false;  // <grid ... />
  };

  XmlElements(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  [[noreturn]] void fail(const std::string& sentence) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: {}", file_, line, sentence));
  }

  // The next element; none at the end of the file.
  std::optional<Element> next() {
    for (;;) {
      at_ = text_.find('<', at_);
      if (at_ == std::string::npos) return std::nullopt;
      if (text_.compare(at_, 4, "<!--") == 0) skip("-->");
      else if (text_.compare(at_, 2, "<?") == 0) skip("?>");
      else if (text_.compare(at_, 2, "<!") == 0) skip(">");
      else return element();
    }
  }

  // The numbers up to the next element.
  std::vector<double> numbers() {
    std::vector<double> values;
    const char *p = text_.data() + at_, *const end = text_.data() + std::min(text_.find('<', at_), text_.size());
    for (;;) {
      while (p < end && std::isspace(static_cast<unsigned char>(*p))) ++p;
      if (p == end) break;
      if (*p == '+') ++p;
      double value = 0;
      const auto [after, error] = std::from_chars(p, end, value);
      at_ = static_cast<size_t>(p - text_.data());
      if (error != std::errc() || !std::isfinite(value)) fail("a number is expected here");
      values.push_back(value);
      p = after;
    }
    at_ = static_cast<size_t>(end - text_.data());
    return values;
  }

private:
  void skip(const char* to) {
    const size_t end = text_.find(to, at_);
    if (end == std::string::npos) fail(std::string("there is no '") + to + "' before the end of the file");
    at_ = end + std::char_traits<char>::length(to);
  }
  Element element() {
    Element e;
    size_t p = at_ + 1;
    const auto blank = [&] { return p < text_.size() && std::isspace(static_cast<unsigned char>(text_[p])); };
    while (p < text_.size() && !blank() && text_[p] != '>' && !(text_[p] == '/' && p > at_ + 1)) e.name += text_[p++];
    for (;;) {
      while (blank()) ++p;
      if (p >= text_.size()) fail("the file ends within <" + e.name + ">");
      if (text_[p] == '>') break;
      if (text_[p] == '/') {
        e.closed = true, ++p;
        continue;
      }
      std::string key;
      while (p < text_.size() && !blank() && text_[p] != '=' && text_[p] != '>') key += text_[p++];
      while (blank()) ++p;
      if (p >= text_.size() || text_[p] != '=') fail("'=' is expected after '" + key + "' in <" + e.name + ">");
      ++p;
      while (blank()) ++p;
      if (p >= text_.size() || (text_[p] != '"' && text_[p] != '\'')) fail("the value of '" + key + "' must be in quotes");
      const size_t end = text_.find(text_[p], p + 1);
      if (end == std::string::npos) fail("the value of '" + key + "' has no end");
      e.attributes[key] = text_.substr(p + 1, end - p - 1);
      p = end + 1;
    }
    at_ = p + 1;
    return e;
  }

  const std::string &file_, &text_;
  size_t at_ = 0;
};

class PotentialXml {
public:
  PotentialXml(const std::string& name, const std::string& text) : xml_(name, text) {}

  NamedPotential parse() {
    NamedPotential out;
    bool header = false;
    while (auto e = xml_.next()) {
      if (e->name == "header") {
        header = true;
        out.element = text(*e, "symbol");
        out.potential.charge = number(*e, "zval");
        out.potential.atomic_number = std::lround(number(*e, "atomic-number"));
      } else if (e->name == "semilocal") {
        if (!channels_.empty()) xml_.fail("there is a second <semilocal>");
        read_semilocal(*e);
      }
    }
    if (!header) xml_.fail("there is no <header> with symbol, atomic-number and zval; is this a pseudopotential of QMCPACK?");
    if (channels_.empty()) xml_.fail("there is no <semilocal> with potentials");
    if (!(out.potential.charge > 0)) xml_.fail(fmt::format("zval is {:g}; it must be positive", out.potential.charge));
    const auto of_local = channels_.find(local_);
    if (of_local == channels_.end()) xml_.fail(fmt::format("l-local is {}, but there is no potential of this l", local_));
    out.potential.terms = semilocal_terms(r_, channels_, local_, out.potential.charge);
    return out;
  }

private:
  std::string text(const XmlElements::Element& e, const std::string& key) const {
    const auto found = e.attributes.find(key);
    if (found == e.attributes.end()) xml_.fail("<" + e.name + "> has no '" + key + "'");
    return found->second;
  }
  std::string text_or(const XmlElements::Element& e, const std::string& key, const std::string& otherwise) const {
    return e.attributes.contains(key) ? e.attributes.at(key) : otherwise;
  }
  double number(const XmlElements::Element& e, const std::string& key) const {
    const std::string value = text(e, key);
    char* end = nullptr;
    const double x = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0' || !std::isfinite(x))
      xml_.fail("'" + key + "' of <" + e.name + "> must be a number; got '" + value + "'");
    return x;
  }

  void read_semilocal(const XmlElements::Element& semilocal) {
    const std::string units = app::lower(text_or(semilocal, "units", "hartree"));
    if (units == "rydberg") unit_ = 0.5;
    else if (units == "ev") unit_ = 1 / app::hartree_eV;
    else if (units != "hartree") xml_.fail("units of <semilocal> must be hartree, rydberg or ev; got '" + units + "'");
    const std::string format = text_or(semilocal, "format", "r*V");
    if (format != "r*V" && format != "V") xml_.fail("format of <semilocal> must be 'r*V' or 'V'; got '" + format + "'");
    local_ = static_cast<long>(number(semilocal, "l-local"));
    long l = -1;
    while (auto e = xml_.next()) {
      if (e->name == "/semilocal") return;
      if (e->name == "vps") {
        const std::string name = app::lower(text(*e, "l"));
        const size_t found = std::string("spdfg").find(name);
        if (name.size() != 1 || found == std::string::npos) xml_.fail("l of <vps> must be s, p, d, f or g; got '" + name + "'");
        l = static_cast<long>(found);
        if (channels_.contains(l)) xml_.fail("there is a second <vps> of l = " + name);
      } else if (e->name.rfind("vps", 0) == 0) {
        xml_.fail("<" + e->name + "> is not read: only <vps>, without spin-orbit coupling");
      } else if (e->name == "grid") {
        read_grid(*e);
      } else if (e->name == "data") {
        if (l < 0) xml_.fail("<data> is expected within <vps>");
        read_data(l, format == "r*V");
        l = -1;
      }
    }
    xml_.fail("the file ends within <semilocal>");
  }

  void read_grid(const XmlElements::Element& grid) {
    if (const std::string type = text(grid, "type"); type != "linear")
      xml_.fail("the grid is of type '" + type + "'; potentials are read on linear grids");
    const double first = number(grid, "ri"), last = number(grid, "rf"), points = number(grid, "npts");
    if (!(points >= 4 && points <= most_xml_points) || points != std::floor(points))
      xml_.fail(fmt::format("npts is {:g}; it must be a whole number from 4 to {}", points, most_xml_points));
    if (!(first >= 0 && last > first))
      xml_.fail(fmt::format("the grid goes from {:g} to {:g} bohr; it must ascend from 0 or more", first, last));
    std::vector<double> r(static_cast<size_t>(points));
    for (size_t i = 0; i < r.size(); ++i) r[i] = first + (last - first) * static_cast<double>(i) / (points - 1);
    if (!channels_.empty() && r != r_) xml_.fail("the grids of the potentials differ");
    r_ = std::move(r);
  }

  void read_data(long l, bool times_r) {
    if (r_.empty()) xml_.fail("there is no <grid> before <data>");
    auto values = xml_.numbers();
    if (values.size() != r_.size()) xml_.fail(fmt::format("<data> has {} numbers for {} points of the grid", values.size(), r_.size()));
    for (size_t i = 0; i < values.size(); ++i) values[i] *= unit_ * (times_r ? 1 : r_[i]);
    channels_[l] = std::move(values);
  }

  XmlElements xml_;
  double unit_ = 1;
  long local_ = 0;
  std::vector<double> r_;
  std::map<long, std::vector<double>> channels_;  // r V_l, Ha bohr
};

}  // namespace

NamedPotential parse_potential_xml(const std::string& name, const std::string& text) { return PotentialXml(name, text).parse(); }

NamedPotential read_potential(const std::filesystem::path& file) {
  const std::string text = app::read_text_file(file, largest_xml_file);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '<') return parse_potential_xml(file.string(), text);
  return {"", parse_casino_potential(file.string(), text)};
}

}  // namespace suite::vmc
