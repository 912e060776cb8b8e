// SPDX-License-Identifier: BSD-3-Clause
#include "casino_input.hpp"

#include <algorithm>
#include <map>

#include "../common/io.hpp"
#include "../common/text_lines.hpp"

namespace suite::vmc {
namespace {

using app::Line;
using app::Lines;
using app::lower;
using app::Word;

constexpr size_t largest_input_file = 1 << 20;
constexpr long most_electrons = 100000, most_steps = 2000000000;

// Switched on, these make another wave function or Hamiltonian.
constexpr const char* must_be_off[] = {"backflow",     "complex_wf", "expot",       "use_expot",
                                       "noncoll_spin", "use_mpc",    "use_gjastrow"};

class InputReader {
public:
  InputReader(const std::string& name, const std::string& text) : lines_(name, text, "#!") {}

  CasinoInput read() {
    while (!lines_.at_end()) {
      const Line& line = lines_.take();
      if (lower(line.words[0].text) == "%block")
        read_block(line);
      else
        read_keyword(line);
    }
    const auto at = lines_.peek().at;
    if (!block_) lines_.fail(at, "there is no block free_particles: only the electron gas is supported");
    for (size_t spin = 0; spin < 2; ++spin)
      if (count_[spin] && count_[spin] != out_.nele[spin])
        lines_.fail(count_at_[spin], std::string(spin ? "ned" : "neu") + " is " +
                                         std::to_string(count_[spin]) + ", but particle " +
                                         std::to_string(spin + 1) + " of free_particles has " +
                                         std::to_string(out_.nele[spin]) + " orbitals");
    return std::move(out_);
  }

private:
  bool truth(const Word& word, const std::string& what) {
    const std::string text = lower(word.text);
    for (const char* yes : {"t", "true", ".true.", "yes", "1"})
      if (text == yes) return true;
    for (const char* no : {"f", "false", ".false.", "no", "0"})
      if (text == no) return false;
    lines_.fail(word.at, what + " must be T or F; got '" + word.text + "'");
  }

  void read_keyword(const Line& line) {
    // "neu : 27", also without the blanks around the colon.
    const std::string& text = line.text;
    const size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0)
      lines_.fail(line.at, "expected 'keyword : value', found '" + text + "'");
    std::string keyword = lower(text.substr(0, colon));
    keyword.erase(keyword.find_last_not_of(" \t") + 1);
    const size_t begin = text.find_first_not_of(" \t", colon + 1);
    if (begin == std::string::npos) lines_.fail(line.at, keyword + " has no value");
    const size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    const Word value{text.substr(begin, end - begin),
                     {line.at.line, line.at.column + static_cast<int>(begin), static_cast<int>(end - begin)}};
    if (!keywords_.emplace(keyword, line.at.line).second)
      lines_.fail(line.at, keyword + " was there before, in line " + std::to_string(keywords_[keyword] + 1));
    set(keyword, value);
  }

  void set(const std::string& keyword, const Word& value) {
    const auto steps = [&](std::optional<int64_t>& to) {
      to = lines_.integer(value, keyword, 0, most_steps);
    };
    const auto positive = [&](std::optional<double>& to) {
      to = lines_.real(value, keyword);
      if (!(*to > 0)) lines_.fail(value.at, keyword + " must be above 0; got '" + value.text + "'");
    };
    if (keyword == "neu" || keyword == "ned") {
      const size_t spin = keyword == "ned";
      count_[spin] = static_cast<int32_t>(lines_.integer(value, keyword, 0, most_electrons));
      count_at_[spin] = value.at;
    } else if (keyword == "atom_basis_type") {
      if (lower(value.text) != "none")
        lines_.fail(value.at,
                    "atom_basis_type " + value.text + " is not supported: only none, the electron gas, is");
    } else if (std::find(std::begin(must_be_off), std::end(must_be_off), keyword) != std::end(must_be_off)) {
      if (truth(value, keyword)) lines_.fail(value.at, keyword + " is not supported; it must be F");
    } else if (keyword == "runtype") {
      out_.runtype = lower(value.text);
    } else if (keyword == "use_jastrow") {
      out_.use_jastrow = truth(value, keyword);
    } else if (keyword == "dtvmc") {
      positive(out_.dtvmc);
    } else if (keyword == "dtdmc") {
      positive(out_.dtdmc);
    } else if (keyword == "dmc_target_weight") {
      positive(out_.dmc_target_weight);
    } else if (keyword == "alimit") {
      positive(out_.alimit);
    } else if (keyword == "vmc_nstep") {
      steps(out_.vmc_nstep);
    } else if (keyword == "vmc_equil_nstep") {
      steps(out_.vmc_equil_nstep);
    } else if (keyword == "vmc_decorr_period") {
      steps(out_.vmc_decorr_period);
    } else if (keyword == "dmc_equil_nstep") {
      steps(out_.dmc_equil_nstep);
    } else if (keyword == "dmc_stats_nstep") {
      steps(out_.dmc_stats_nstep);
    } else {
      out_.ignored.push_back(keyword);
    }
  }

  void read_block(const Line& start) {
    const std::string name = lower(lines_.word(start, 1, "the name of the block").text);
    if (name != "free_particles") lines_.fail(start.at, "the block " + name + " is not supported");
    if (block_) lines_.fail(start.at, "there is a second block free_particles");
    block_ = true;
    while (!lines_.starts_with("%endblock")) {
      if (lines_.at_end()) lines_.expect("%endblock");
      read_block_line(lines_.take());
    }
    const Line& end = lines_.take();
    if (!(out_.rs > 0)) lines_.fail(end.at, "free_particles has no r_s");
    if (!cell_) lines_.fail(end.at, "free_particles has no cell_geometry");
    if (out_.nele[0] + out_.nele[1] == 0) lines_.fail(end.at, "free_particles has no line of a particle");
  }

  void read_block_line(const Line& line) {
    const std::string first = lower(line.words[0].text);
    if (first == "r_s") {
      const Word& word = lines_.word(line, 1, "r_s");
      out_.rs = lines_.real(word, "r_s");
      if (!(out_.rs > 0)) lines_.fail(word.at, "r_s must be above 0; got '" + word.text + "'");
    } else if (first == "dimensionality" || first == "periodicity") {
      const Word& word = lines_.word(line, 1, first);
      if (lines_.integer(word, first, 0, 3) != 3)
        lines_.fail(word.at, first + " " + word.text + " is not supported; it must be 3");
    } else if (first == "cell_geometry") {
      read_cell();
    } else if (first == "particle") {
      read_particle(line);
    } else if (first == "k_offset") {
      for (size_t d = 0; d < 3; ++d) {
        const Word& word = lines_.word(line, d + 1, "a component of k_offset");
        if (lines_.real(word, "k_offset") != 0)
          lines_.fail(word.at, "k_offset is not supported; it must be 0 0 0");
      }
    } else {
      lines_.fail(line.at, "'" + line.words[0].text + "' in free_particles is not supported");
    }
  }

  void read_cell() {
    for (size_t i = 0; i < 3; ++i) {
      const Line& row = lines_.take();
      for (size_t d = 0; d < 3; ++d) {
        const std::string what = "a component of a lattice vector";
        out_.shape[3 * i + d] = lines_.real(lines_.word(row, d, what), what);
      }
    }
    const auto& a = out_.shape;
    const double volume = a[0] * (a[4] * a[8] - a[5] * a[7]) + a[1] * (a[5] * a[6] - a[3] * a[8]) +
                          a[2] * (a[3] * a[7] - a[4] * a[6]);
    if (volume == 0) lines_.fail(lines_.peek().at, "the lattice vectors of cell_geometry lie in a plane");
    cell_ = true;
  }

  // particle 1 det 1 : 27 orbitals free
  void read_particle(const Line& line) {
    const long spin = lines_.integer(lines_.word(line, 1, "the number of the particle"),
                                     "the number of the particle (1 spin up, 2 spin down)", 1, 2);
    size_t at = 2;
    if (lower(lines_.word(line, at, "':'").text) == "det") {
      const std::string what = "the number of the determinant (one is supported)";
      lines_.integer(lines_.word(line, 3, what), what, 1, 1);
      at = 4;
    }
    if (lines_.word(line, at, "':'").text != ":")
      lines_.fail(line.words[at].at, "expected ':', found '" + line.words[at].text + "'");
    const std::string what = "the number of orbitals";
    const long count = lines_.integer(lines_.word(line, at + 1, what), what, 1, most_electrons);
    const Word& orbitals = lines_.word(line, at + 2, "'orbitals'");
    if (lower(orbitals.text) != "orbitals")
      lines_.fail(orbitals.at, "expected 'orbitals', found '" + orbitals.text + "'");
    const Word& kind = lines_.word(line, at + 3, "the kind of the orbitals");
    if (lower(kind.text) != "free")
      lines_.fail(kind.at, "orbitals '" + kind.text + "' are not supported; they must be free");
    int32_t& nele = out_.nele[static_cast<size_t>(spin - 1)];
    if (nele) lines_.fail(line.at, "particle " + std::to_string(spin) + " was there before");
    nele = static_cast<int32_t>(count);
  }

  Lines lines_;
  CasinoInput out_;
  bool block_ = false, cell_ = false;
  std::array<int32_t, 2> count_{};  // neu and ned; 0 in inputs of free particles
  std::array<app::Position, 2> count_at_{};
  std::map<std::string, int> keywords_;
};

}  // namespace

CasinoInput parse_casino_input(const std::string& name, const std::string& text) {
  return InputReader(name, text).read();
}

CasinoInput read_casino_input(const std::filesystem::path& file) {
  return parse_casino_input(file.string(), app::read_text_file(file, largest_input_file));
}

}  // namespace suite::vmc
