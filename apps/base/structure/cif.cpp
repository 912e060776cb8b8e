// SPDX-License-Identifier: BSD-3-Clause
// CIF: the cell, the symmetry operations and the sites of the first data block that has atoms. The grammar is that of CIF 1.1 (Hall, Allen
// and Brown, Acta Cryst. A 47, 655 (1991)). Every value keeps its place in the file for messages, which readers in libraries drop.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/core.h>

#include "common/near.hpp"
#include "common/quantities.hpp"
#include "formats.hpp"

namespace suite::app {
namespace {

constexpr double same_site_angstrom = 0.05;  // images of a site on a symmetry element; CIFs have three to five decimals
constexpr size_t most_operations = 4096;

struct Value {
  Word word;
  bool quoted = false;
  bool is(const char* keyword) const { return !quoted && lower(word.text).rfind(keyword, 0) == 0; }
  bool is_tag() const { return !quoted && !word.text.empty() && word.text[0] == '_'; }
  bool unknown() const { return !quoted && (word.text == "?" || word.text == "."); }
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The text as words: bare, in quotes, or between lines that begin with ';'.
class Words {
public:
  Words(const Lines& lines, const std::string& text) : lines_(lines), text_(text) {}

  std::vector<Value> all() {
    std::vector<Value> values;
    while (skip_blanks()) values.push_back(next());
    return values;
  }

private:
  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (!is_blank(text_[at_])) return true;
      else step();
    }
    return false;
  }
  void step() {
    if (text_[at_++] == '\n') ++line_, line_begin_ = at_;
  }
  Position here(size_t width = 1) const { return {line_, static_cast<int>(at_ - line_begin_), static_cast<int>(width)}; }

  Value next() {
    if (text_[at_] == ';' && at_ == line_begin_) return block();
    if (text_[at_] == '\'' || text_[at_] == '"') return quoted();
    const size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    Value value{{text_.substr(begin, at_ - begin), {line_, static_cast<int>(begin - line_begin_), static_cast<int>(at_ - begin)}}, false};
    return value;
  }
  Value quoted() {
    const char quote = text_[at_];
    const Position opened = here();
    const size_t begin = at_ + 1;
    for (size_t i = begin; i < text_.size() && text_[i] != '\n'; ++i)
      if (text_[i] == quote && (i + 1 == text_.size() || is_blank(text_[i + 1]))) {
        at_ = i + 1;
        return {{text_.substr(begin, i - begin), {opened.line, opened.column, static_cast<int>(i - begin + 2)}}, true};
      }
    lines_.fail(opened, "the quote that opens here is not closed on its line");
  }
  Value block() {
    const Position opened = here();
    const size_t begin = at_ + 1, end = text_.find("\n;", begin);
    if (end == std::string::npos) lines_.fail(opened, "the text that opens here is not closed by a line that begins with ';'");
    while (at_ < end + 2) step();
    return {{text_.substr(begin, end - begin), opened}, true};
  }

  const Lines& lines_;
  const std::string& text_;
  size_t at_ = 0, line_begin_ = 0;
  int line_ = 0;
};

struct Operation {
  std::array<std::array<int, 3>, 3> turn{};
  Vector shift{};
  Vector operator()(const Vector& r) const {
    Vector out = shift;
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) out[i] += turn[i][j] * r[j];
    for (double& x : out) {
      x -= std::floor(x);
      if (1 - x < 1e-9) x = 0;
    }
    return out;
  }
};

class CifReader {
public:
  CifReader(const std::string& name, const std::string& text) : lines_(name, text, ""), words_(Words(lines_, text).all()) {}

  Structure read() {
    size_t at = 0;
    while (at < words_.size() && !block_has_atoms()) block(at);
    if (!block_has_atoms()) lines_.fail(end(), "there is no data block with atoms (_atom_site_fract_x, _y, _z)");
    Structure structure;
    structure.title = title_;
    const Cell cell = read_cell();
    structure.cell = cell;
    add_atoms(cell, operations(), structure);
    return structure;
  }

private:
  // A column has one value for each row of its loop, a single item one.
  using Column = std::vector<Value>;

  Position end() const { return words_.empty() ? Position{} : words_.back().word.at; }
  bool block_has_atoms() const { return columns_.count("_atom_site_fract_x") > 0; }
  const Column* find(const char* tag) const {
    const auto found = columns_.find(tag);
    return found == columns_.end() ? nullptr : &found->second;
  }
  const Column* find(std::initializer_list<const char*> tags) const {
    for (const char* tag : tags)
      if (const Column* column = find(tag)) return column;
    return nullptr;
  }
  const Column& need(const char* tag) const {
    if (const Column* column = find(tag)) return *column;
    lines_.fail(end(), std::string(tag) + " is missing");
  }

  // From data_NAME to the next.
  void block(size_t& at) {
    if (!words_[at].is("data_")) lines_.fail(words_[at].word.at, "a CIF begins with data_NAME; got " + in_quotes(words_[at].word.text));
    title_ = words_[at++].word.text.substr(5);
    columns_.clear();
    while (at < words_.size() && !words_[at].is("data_")) {
      if (words_[at].is("loop_")) {
        loop(++at);
        continue;
      }
      const Value& tag = words_[at++];
      if (!tag.is_tag()) lines_.fail(tag.word.at, "expected a name such as _cell_length_a; got " + in_quotes(tag.word.text));
      if (at >= words_.size() || !is_value(words_[at])) lines_.fail(tag.word.at, tag.word.text + " has no value");
      columns_[lower(tag.word.text)] = {words_[at++]};
    }
  }

  static bool is_value(const Value& v) { return !v.is_tag() && !v.is("loop_") && !v.is("data_"); }

  void loop(size_t& at) {
    std::vector<Column*> columns;
    const size_t first = at;
    for (; at < words_.size() && words_[at].is_tag(); ++at) {
      Column& column = columns_[lower(words_[at].word.text)];
      column.clear();
      columns.push_back(&column);
    }
    if (columns.empty()) lines_.fail(words_[first - 1].word.at, "a loop_ without names");
    size_t count = 0;
    for (; at < words_.size() && is_value(words_[at]); ++at) columns[count++ % columns.size()]->push_back(words_[at]);
    if (count == 0 || count % columns.size() != 0)
      lines_.fail(words_[first].word.at,
                  fmt::format("the loop has {}, which do not fill its {}", counted(static_cast<long>(count), "value"),
                              counted(static_cast<long>(columns.size()), "column")));
  }

  // Uncertainties, "5.4307(2)", are left out.
  double number(const Value& value, const std::string& what) const {
    Word word = value.word;
    word.text = word.text.substr(0, word.text.find('('));
    if (value.unknown()) lines_.fail(word.at, what + " is unknown ('" + value.word.text + "')");
    return lines_.real(word, what);
  }
  double positive(const char* tag) const {
    const Value& value = need(tag).front();
    const double x = number(value, tag);
    if (!(x > 0)) lines_.fail(value.word.at, std::string(tag) + " must be above 0; got " + in_quotes(value.word.text));
    return x;
  }
  static double cosine(double degrees) { return degrees == 90 ? 0 : std::cos(degrees * std::numbers::pi / 180); }

  Cell read_cell() const {
    const double a = positive("_cell_length_a"), b = positive("_cell_length_b"), c = positive("_cell_length_c");
    const double alpha = positive("_cell_angle_alpha"), beta = positive("_cell_angle_beta"), gamma = positive("_cell_angle_gamma");
    const double sine = gamma == 90 ? 1 : std::sin(gamma * std::numbers::pi / 180);
    const double x = c * cosine(beta), y = c * (cosine(alpha) - cosine(beta) * cosine(gamma)) / sine, z2 = c * c - x * x - y * y;
    const Position at = need("_cell_angle_alpha").front().word.at;
    if (!(z2 > 0) || !(sine > 0))
      lines_.fail(at, fmt::format("angles of {:g}, {:g} and {:g} degrees do not form a cell", alpha, beta, gamma));
    const Cell cell{{{a, 0, 0}, {b * cosine(gamma), b * sine, 0}, {x, y, std::sqrt(z2)}}};
    check_cell(lines_, at, cell);
    return cell;
  }

  std::vector<Operation> operations() const {
    const Column* texts = find({"_symmetry_equiv_pos_as_xyz", "_space_group_symop_operation_xyz", "_space_group_symop.operation_xyz"});
    if (texts) {
      if (texts->size() > most_operations)
        lines_.fail(texts->front().word.at, fmt::format("{} symmetry operations; at most {} are possible", texts->size(), most_operations));
      std::vector<Operation> all;
      for (const auto& text : *texts) all.push_back(operation(text));
      return all;
    }
    require_trivial_group();
    return {operation({{"x,y,z", {}}, true})};
  }

  // Without operations the file must be of P 1, or of no group at all.
  void require_trivial_group() const {
    if (const Column* number = find({"_symmetry_int_tables_number", "_space_group_it_number"});
        number && !number->front().unknown() && number->front().word.text != "1")
      refuse_group(number->front());
    const Column* name = find({"_symmetry_space_group_name_h-m", "_space_group_name_h-m_alt"});
    if (!name || name->front().unknown()) return;
    std::string bare;
    for (const char c : lower(name->front().word.text))
      if (c != ' ' && c != '_') bare += c;
    if (bare != "p1") refuse_group(name->front());
  }
  [[noreturn]] void refuse_group(const Value& group) const {
    lines_.fail(group.word.at,
                "space group " + in_quotes(group.word.text) + " without its operations; a file with _symmetry_equiv_pos_as_xyz has them");
  }

  // "-y, x-y+1/2, z+1/3".
  Operation operation(const Value& value) const {
    const std::string text = lower(value.word.text);
    const auto malformed = [&] {
      lines_.fail(value.word.at, "must be a symmetry operation such as -x,y+1/2,-z; got " + in_quotes(value.word.text));
    };
    Operation operation;
    size_t row = 0;
    int sign = 1;
    bool empty = true;
    for (size_t i = 0; i < text.size();) {
      const char c = text[i];
      if (c == ',') {
        if (empty || ++row > 2) malformed();
        sign = 1, empty = true, ++i;
      } else if (c == '+' || c == '-') {
        sign = c == '-' ? -1 : 1, ++i;
      } else if (c >= 'x' && c <= 'z') {
        operation.turn[row][static_cast<size_t>(c - 'x')] += sign;
        sign = 1, empty = false, ++i;
      } else if ((c >= '0' && c <= '9') || c == '.') {
        operation.shift[row] += sign * fraction(text, i, malformed);
        sign = 1, empty = false;
      } else if (c == ' ' || c == '\t') {
        ++i;
      } else {
        malformed();
      }
    }
    if (row != 2 || empty) malformed();
    const auto& t = operation.turn;
    const int determinant = t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) - t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                            t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
    if (determinant != 1 && determinant != -1) malformed();
    return operation;
  }

  // "1/2" or "0.25" at text[i].
  template <class F> static double fraction(const std::string& text, size_t& i, F&& malformed) {
    double top = 0, bottom = 1;
    const auto digits = [&](double& to) {
      const auto [last, error] = std::from_chars(text.data() + i, text.data() + text.size(), to, std::chars_format::fixed);
      if (error != std::errc()) malformed();
      i = static_cast<size_t>(last - text.data());
    };
    digits(top);
    if (i < text.size() && text[i] == '/') {
      ++i;
      digits(bottom);
      if (!(bottom >= 1)) malformed();
    }
    if (!(std::abs(top / bottom) <= 1000)) malformed();
    return top / bottom;
  }

  void add_atoms(const Cell& cell, const std::vector<Operation>& operations, Structure& structure) const {
    const Column &x = need("_atom_site_fract_x"), &y = need("_atom_site_fract_y"), &z = need("_atom_site_fract_z");
    const Column* symbols = find({"_atom_site_type_symbol", "_atom_site_label"});
    if (!symbols) lines_.fail(x.front().word.at, "the atoms have neither _atom_site_type_symbol nor _atom_site_label");
    const Column *occupancies = find("_atom_site_occupancy"), *flags = find("_atom_site_calc_flag");
    for (const Column* column : {&y, &z, symbols, occupancies, flags})
      if (column && column->size() != x.size()) lines_.fail(x.front().word.at, "the columns of the atoms are in different loops");
    for (size_t i = 0; i < x.size(); ++i) {
      if (flags && lower((*flags)[i].word.text) == "dum") continue;
      const Value& symbol = (*symbols)[i];
      const std::string element = element_in(symbol.word.text);
      if (element.empty()) lines_.fail(symbol.word.at, "there is no element " + in_quotes(symbol.word.text));
      if (occupancies && !(*occupancies)[i].unknown()) require_full((*occupancies)[i], symbol);
      add_images(cell, operations, element, {number(x[i], "fract_x"), number(y[i], "fract_y"), number(z[i], "fract_z")}, x[i].word.at,
                 structure);
    }
    if (structure.atoms.empty()) lines_.fail(x.front().word.at, "there are no atoms");
  }

  void require_full(const Value& occupancy, const Value& symbol) const {
    if (!(std::abs(number(occupancy, "the occupancy") - 1) <= 1e-3))
      lines_.fail(occupancy.word.at, "site " + in_quotes(symbol.word.text) + " is occupied to " + occupancy.word.text +
                                         "; only fully occupied sites can be computed");
  }

  void add_images(const Cell& cell, const std::vector<Operation>& operations, const std::string& element, const Vector& site,
                  const Position& at, Structure& structure) const {
    std::vector<Vector> images;
    for (const auto& operation : operations) {
      const Vector image = operation(site);
      const bool known = std::any_of(images.begin(), images.end(), [&](const Vector& other) {
        Vector apart{};
        for (size_t d = 0; d < 3; ++d) apart[d] = image[d] - other[d] - std::round(image[d] - other[d]);
        const Vector r = position_in(cell, apart);
        return std::hypot(r[0], r[1], r[2]) < same_site_angstrom;
      });
      if (known) continue;
      images.push_back(image);
      structure.atoms.push_back({element, position_in(cell, image)});
    }
    if (structure.atoms.size() > static_cast<size_t>(most_atoms)) lines_.fail(at, fmt::format("at most {} atoms are possible", most_atoms));
  }

  Lines lines_;
  std::vector<Value> words_;
  std::map<std::string, Column> columns_;
  std::string title_;
};

}  // namespace

Structure parse_cif(const std::string& name, const std::string& text) { return CifReader(name, text).read(); }

}  // namespace suite::app
