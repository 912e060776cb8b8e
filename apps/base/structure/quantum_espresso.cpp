// SPDX-License-Identifier: BSD-3-Clause
// Inputs of Quantum ESPRESSO's pw.x: the namelist &system with the lattice, and the cards CELL_PARAMETERS and ATOMIC_POSITIONS.
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "base/units.hpp"
#include "common/near.hpp"
#include "formats.hpp"

namespace suite::app {
namespace {

class PwReader {
public:
  PwReader(const std::string& name, const std::string& text) : lines_(name, text, "!#") {}

  Structure read() {
    while (!lines_.at_end()) {
      const Line line = lines_.take();
      const std::string first = lower(line.words[0].text);
      if (first[0] == '&') namelist(first == "&system");
      else if (first.rfind("cell_parameters", 0) == 0) cell_card(line);
      else if (first.rfind("atomic_positions", 0) == 0) position_card(line);
    }
    const Position end = lines_.peek().at;
    if (!has_system_) lines_.fail(end, "there is no namelist &system");
    if (atoms_.empty()) lines_.fail(end, "there is no card ATOMIC_POSITIONS");
    Structure structure;
    structure.cell = cell();
    for (const auto& [element, numbers] : atoms_) structure.atoms.push_back({element, position(numbers, *structure.cell)});
    return structure;
  }

private:
  // "nat = 2, ntyp=1 celldm(1) = 10.2": pairs behind commas or blanks, up to a line "/".
  void namelist(bool system) {
    has_system_ = has_system_ || system;
    while (!lines_.at_end()) {
      const Line line = lines_.take();
      if (line.text[0] == '/' || lower(line.text) == "&end") return;
      if (system) pairs(line);
    }
    lines_.fail(lines_.peek().at, "a namelist is not closed by '/'");
  }

  void pairs(const Line& line) {
    const std::string& text = line.text;
    for (size_t begin = 0, equals; (equals = text.find('=', begin)) != std::string::npos;) {
      const size_t key_from = text.find_first_not_of(" \t,", begin), from = text.find_first_not_of(" \t", equals + 1);
      if (from == std::string::npos || key_from >= equals) lines_.fail(line.at, "must be key = value; got " + in_quotes(text));
      const size_t end = std::min(text.find_first_of(" \t,", from), text.size());
      std::string key;
      for (const char c : text.substr(key_from, equals - key_from))
        if (c != ' ' && c != '\t') key += c;
      const Position at{line.at.line, line.at.column + static_cast<int>(from), static_cast<int>(end - from)};
      system_[lower(key)] = {text.substr(from, end - from), at};
      begin = end;
    }
  }

  // "{angstrom}", "(bohr)" or "crystal" behind the name of a card.
  static Word unit_of(const Line& card) {
    std::string unit;
    for (size_t i = 1; i < card.words.size(); ++i) unit += card.words[i].text;
    const size_t open = card.words[0].text.find_first_of("{(");
    if (open != std::string::npos) unit = card.words[0].text.substr(open) + unit;
    std::string bare;
    for (const char c : lower(unit))
      if (std::string("{}() ").find(c) == std::string::npos) bare += c;
    return {bare, card.words.size() > 1 ? card.words[1].at : card.at};
  }

  void cell_card(const Line& card) {
    cell_unit_ = unit_of(card);
    card_cell_ = lattice_vectors(lines_);
  }

  void position_card(const Line& card) {
    position_unit_ = unit_of(card);
    const auto nat = system_.find("nat");
    if (nat == system_.end()) lines_.fail(card.at, "the number of atoms, 'nat', is missing in &system");
    const long count = lines_.integer(nat->second, "nat", 1, most_atoms);
    atoms_.clear();
    for (long i = 0; i < count; ++i) {
      if (lines_.at_end()) lines_.fail(lines_.peek().at, fmt::format("nat is {}, but ATOMIC_POSITIONS has {} lines", count, i));
      const Line& line = lines_.take();
      const Word& label = line.words[0];
      const std::string element = element_in(label.text);
      if (element.empty()) lines_.fail(label.at, "there is no element that the label " + in_quotes(label.text) + " begins with");
      atoms_.emplace_back(element, three_numbers(lines_, line, 1, "coordinate"));
    }
  }

  bool given(const std::string& key) const { return system_.count(key) > 0; }
  double number(const std::string& key) const {
    const auto found = system_.find(key);
    if (found == system_.end()) lines_.fail(lines_.peek().at, "'" + key + "' is missing in &system");
    const double value = lines_.real(found->second, key);
    if (!(value > 0)) lines_.fail(found->second.at, key + " must be above 0; got " + in_quotes(found->second.text));
    return value;
  }

  // The lattice parameter a in angstrom.
  double alat() const {
    if (given("celldm(1)")) return number("celldm(1)") * bohr_angstrom;
    if (given("a")) return number("a");
    if (!card_cell_ || cell_unit_.text == "alat")
      lines_.fail(lines_.peek().at, "the lattice parameter, 'celldm(1)' or 'A', is missing in &system");
    const Vector& first = (*card_cell_)[0];
    return std::hypot(first[0], first[1], first[2]) * (cell_unit_.text == "angstrom" ? 1 : bohr_angstrom);
  }
  // b/a or c/a.
  double ratio(const char* celldm, const char* edge) const { return given(edge) ? number(edge) / number("a") : number(celldm); }

  Cell cell() const {
    const auto found = system_.find("ibrav");
    if (found == system_.end()) lines_.fail(lines_.peek().at, "'ibrav' is missing in &system");
    const long ibrav = lines_.integer(found->second, "ibrav", -100, 100);
    if (ibrav == 0) return given_cell();
    const double h = 0.5;
    Cell cell{};
    switch (ibrav) {
      case 1: cell = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; break;
      case 2: cell = {{{-h, 0, h}, {0, h, h}, {-h, h, 0}}}; break;
      case 3: cell = {{{h, h, h}, {-h, h, h}, {-h, -h, h}}}; break;
      case 4: cell = {{{1, 0, 0}, {-h, std::sqrt(3.0) / 2, 0}, {0, 0, ratio("celldm(3)", "c")}}}; break;
      case 6: cell = {{{1, 0, 0}, {0, 1, 0}, {0, 0, ratio("celldm(3)", "c")}}}; break;
      case 7: {
        const double c = ratio("celldm(3)", "c") / 2;
        cell = {{{h, -h, c}, {h, h, c}, {-h, -h, c}}};
        break;
      }
      case 8: cell = {{{1, 0, 0}, {0, ratio("celldm(2)", "b"), 0}, {0, 0, ratio("celldm(3)", "c")}}}; break;
      default: lines_.fail(found->second.at, fmt::format("ibrav {} is not read here (known: 0, 1, 2, 3, 4, 6, 7, 8)", ibrav));
    }
    return scaled(cell, alat());
  }

  Cell given_cell() const {
    if (!card_cell_) lines_.fail(lines_.peek().at, "ibrav is 0, but there is no card CELL_PARAMETERS");
    const std::string& unit = cell_unit_.text;
    if (unit == "alat" || (unit.empty() && (given("celldm(1)") || given("a")))) return scaled(*card_cell_, alat());
    if (unit == "bohr" || unit.empty()) return scaled(*card_cell_, bohr_angstrom);
    if (unit != "angstrom") lines_.fail(cell_unit_.at, "CELL_PARAMETERS must be in alat, bohr or angstrom; got " + in_quotes(unit));
    return *card_cell_;
  }

  static Cell scaled(Cell cell, double factor) {
    for (auto& row : cell)
      for (double& x : row) x *= factor;
    return cell;
  }

  Vector position(const Vector& numbers, const Cell& cell) const {
    const std::string& unit = position_unit_.text;
    if (unit == "crystal") return position_in(cell, numbers);
    double factor = 1;
    if (unit == "alat" || unit.empty()) factor = alat();
    else if (unit == "bohr") factor = bohr_angstrom;
    else if (unit != "angstrom")
      lines_.fail(position_unit_.at, "ATOMIC_POSITIONS must be in alat, bohr, angstrom or crystal; got " + in_quotes(unit));
    return {factor * numbers[0], factor * numbers[1], factor * numbers[2]};
  }

  Lines lines_;
  bool has_system_ = false;
  std::map<std::string, Word> system_;
  Word cell_unit_, position_unit_;
  std::optional<Cell> card_cell_;
  std::vector<std::pair<std::string, Vector>> atoms_;
};

}  // namespace

Structure parse_quantum_espresso(const std::string& name, const std::string& text) { return PwReader(name, text).read(); }

}  // namespace suite::app
