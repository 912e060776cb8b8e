// SPDX-License-Identifier: BSD-3-Clause
#include "gaussian.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "base/text_lines.hpp"
#include "common/io.hpp"
#include "elements.hpp"
#include "integration_setup.hpp"

namespace suite::all_electron {
namespace {

using app::Line;
using app::lower;
using app::Word;

constexpr size_t largest_basis_file = 64 << 20;

using Basis = std::map<int, std::vector<GaussianShell>>;

bool is_number(const std::string& text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.' || text[0] == '-' || text[0] == '+');
}

class Reader {
public:
  Reader(const std::string& name, const std::string& text) : lines_(name, text, "#!") {}

  Basis read() {
    do { read_block(); } while (!lines_.at_end());
    if (basis_.empty())
      lines_.fail(lines_.peek().at, fmt::format("the file has no shell of an element up to {}", element_symbol(last_element)));
    return std::move(basis_);
  }

private:
  void read_block() {
    const Line& head = lines_.expect("basis");
    for (const Word& word : head.words)
      if (lower(word.text) == "cartesian") lines_.fail(word.at, "only spherical functions are supported, not cartesian ones");
    while (!lines_.starts_with("end")) {
      if (lines_.at_end()) lines_.expect("end");
      read_shell();
    }
    lines_.take();
  }

  void read_shell() {
    const Line head = lines_.take();
    const int Z = element(head.words[0]);
    const Word& kind = lines_.word(head, 1, "the letter of the shell (S, P, D ... or SP)");
    std::vector<int> l = momenta(kind);
    if (head.words.size() > 2) lines_.fail(head.words[2].at, "an exponent must begin a new line");
    std::vector<GaussianShell> shells = read_primitives(kind, l);
    if (Z == 0) return;
    for (GaussianShell& shell : shells) basis_[Z].push_back(std::move(shell));
  }

  // Returns 0 for an element beyond krypton.
  int element(const Word& word) const {
    std::string symbol = lower(word.text);
    const bool letters_only = std::all_of(symbol.begin(), symbol.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (!letters_only || symbol.size() > 2)
      lines_.fail(word.at, "a shell must begin with the symbol of its element, such as H or Si; got '" + word.text + "'");
    symbol[0] = static_cast<char>(std::toupper(symbol[0]));
    return atomic_number(symbol);
  }

  std::vector<int> momenta(const Word& kind) const {
    const std::string letter = lower(kind.text);
    if (letter == "sp" || letter == "l") return {0, 1};
    const std::string known(shell_letters);
    if (letter.size() != 1 || known.find(letter) == std::string::npos)
      lines_.fail(kind.at, "a shell must be S, P, D, F, G, H, I, K or SP; got '" + kind.text + "'");
    return {static_cast<int>(known.find(letter))};
  }

  std::vector<GaussianShell> read_primitives(const Word& kind, const std::vector<int>& l) {
    std::vector<GaussianShell> shells;
    if (lines_.at_end() || !is_number(lines_.peek().words[0].text)) lines_.fail(lines_.peek().at, "the shell has no exponents");
    while (!lines_.at_end() && is_number(lines_.peek().words[0].text)) {
      const Line& line = lines_.take();
      const double exponent = lines_.real(line.words[0], "the exponent");
      if (!(exponent > 0)) lines_.fail(line.words[0].at, "the exponent must be above 0; got '" + line.words[0].text + "'");
      lines_.word(line, 1, "the contraction coefficient");
      const size_t columns = line.words.size() - 1;
      if (shells.empty()) {
        if (l.size() > 1 && columns != l.size())
          lines_.fail(line.at, "a shell " + kind.text + " needs an exponent and two coefficients per line");
        for (size_t c = 0; c < columns; ++c) shells.push_back({l.size() > 1 ? l[c] : l[0], {}, {}});
      }
      if (columns != shells.size())
        lines_.fail(line.at, fmt::format("the line has {} coefficients, but the first line of the shell has {}", columns, shells.size()));
      for (size_t c = 0; c < columns; ++c) {
        const double coefficient = lines_.real(line.words[c + 1], "the contraction coefficient");
        if (coefficient == 0) continue;
        shells[c].exponents.push_back(exponent);
        shells[c].coefficients.push_back(coefficient);
      }
    }
    for (const GaussianShell& shell : shells)
      if (shell.exponents.empty()) lines_.fail(kind.at, "all coefficients of a contraction of the shell are 0");
    return shells;
  }

  app::Lines lines_;
  Basis basis_;
};

}  // namespace

Basis parse_gaussian_basis(const std::string& name, const std::string& text) { return Reader(name, text).read(); }

Basis read_gaussian_basis(const std::filesystem::path& file) {
  return parse_gaussian_basis(file.string(), app::read_text_file(file, largest_basis_file));
}

}  // namespace suite::all_electron
