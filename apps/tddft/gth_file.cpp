// SPDX-License-Identifier: BSD-3-Clause
// CP2K's file of Goedecker-Teter-Hutter pseudopotentials; # and ! begin comments. An entry has lines of
//   element, names
//   electrons in s, p, d, ..
//   r_loc, number of C, C..
//   NLCC, number of terms of the core's density; for each r, number of c, c.. (only with a nonlinear core correction)
//   number of channels
//   r_l, number of projectors, the upper triangle of h (for each l from 0; its rows may have lines of their own)
#include "gth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "harmonics.hpp"
#include "numbers_in_text.hpp"

namespace suite::tddft {
namespace {

using std::numbers::pi;

using Words = std::vector<std::string_view>;

bool is_name(std::string_view word) { return !word.empty() && ((word[0] >= 'A' && word[0] <= 'Z') || (word[0] >= 'a' && word[0] <= 'z')); }

std::string upper(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

class GthReader {
public:
  GthReader(const std::string& file, const std::string& text) : file_(file, text) {
    const std::string_view all = file_.text();
    for (size_t at = 0; at < all.size();) {
      const size_t end = std::min(all.find('\n', at), all.size());
      const std::string_view line = all.substr(at, end - at);
      Words words = words_of(line.substr(0, line.find_first_of("#!")));
      if (!words.empty()) lines_.push_back(std::move(words));
      at = end + 1;
    }
  }

  std::unique_ptr<Gth> read(const std::string& element, const std::string& entry) {
    std::vector<size_t> found;
    std::string others, names;
    std::string_view other;
    for (size_t n = 0; n < lines_.size(); ++n) {
      const Words& line = lines_[n];
      if (line.size() < 2 || !is_name(line[0]) || line[0].size() > 2) continue;
      if (line[0] != element) {
        if (others.size() < 60 && line[0] != other) others += (others.empty() ? "" : ", ") + std::string(line[0]);
        other = line[0];
        continue;
      }
      names += (names.empty() ? "" : ", ") + std::string(line.back());
      if (entry.empty() || std::find(line.begin() + 1, line.end(), entry) != line.end()) found.push_back(n);
    }
    const char* const start = file_.text().data();
    if (names.empty()) {
      if (others.empty()) file_.fail(start, "this is neither a UPF file nor one of GTH pseudopotentials in CP2K's format");
      file_.fail(start, fmt::format("there is no pseudopotential of {}, but of {}", element, others));
    }
    if (found.empty()) file_.fail(start, fmt::format("{} has no entry named '{}' (there are: {})", element, entry, names));
    if (found.size() > 1 && entry.empty())
      file_.fail(start, fmt::format("{} has several entries; choose one as FILE:NAME (there are: {})", element, names));
    return one(found.front());
  }

private:
  // The next word of the entry, whatever line it is on.
  std::string_view next(const char* what) {
    while (line_ < lines_.size() && word_ == lines_[line_].size()) ++line_, word_ = 0;
    if (line_ == lines_.size()) file_.fail(last_.data() + last_.size(), fmt::format("the entry ends before {}", what));
    return last_ = lines_[line_][word_++];
  }
  double real(const char* what) { return file_.real(next(what), what); }
  double positive(const char* what) {
    const double value = real(what);
    if (!(value > 0 && value <= 20)) file_.fail(last_.data(), fmt::format("{} must be above 0 and at most 20 bohr; got {:g}", what, value));
    return value;
  }
  int integer(const char* what, long low, long high) { return static_cast<int>(file_.integer(next(what), what, low, high)); }

  void electrons(Gth& p) {
    if (++line_ == lines_.size()) file_.fail(last_.data(), "the entry ends before its numbers of electrons");
    word_ = lines_[line_].size();
    for (const std::string_view word : lines_[line_])
      p.charge += static_cast<double>(file_.integer(last_ = word, "the number of electrons", 0, 100));
    if (!(p.charge > 0)) file_.fail(last_.data(), "the ion has no valence electrons");
  }

  void channel(Gth& p, int l) {
    p.radii.push_back(positive("the radius of the projectors"));
    const int n = integer("the number of projectors", 0, 4);
    std::vector<double> h(static_cast<size_t>(n * n));
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j)
        h[static_cast<size_t>(i * n + j)] = h[static_cast<size_t>(j * n + i)] = real("a coefficient h of the projectors");
    p.channels.push_back({l, n, h});
    if (n > 0) return;
    p.channels.pop_back();
    p.radii.pop_back();
  }

  void core(Gth& p, std::string_view where) {
    const int terms = integer("the number of terms of the core's density", 0, 8);
    for (int n = 0; n < terms; ++n) {
      Gth::CoreTerm term{positive("the radius of the core's density"), {}};
      const int count = integer("the number of coefficients of the core's density", 0, 4);
      double moment = std::pow(std::sqrt(2 * pi) * term.r, 3) / (4 * pi);  // of y^2i exp(-y^2/2), over 4 pi
      for (int i = 0; i < count; ++i) {
        term.c.push_back(real("a coefficient of the core's density"));
        p.core_charge += moment * term.c.back();
        moment *= 2 * i + 3;
      }
      p.core_terms.push_back(std::move(term));
    }
    for (double r = 0; r < p.core_reach(); r += 0.01)
      if (const double density = p.core(r).value; !(density >= 0))
        file_.fail(where.data(), fmt::format("the density of the core must not be negative; it is {:g} bohr^-3 at {:g} bohr", density, r));
  }

  std::unique_ptr<Gth> one(size_t first) {
    line_ = first;
    last_ = lines_[first][0];
    auto p = std::make_unique<Gth>();
    p->element = last_;
    for (const std::string_view name : lines_[first]) {
      const std::string text = upper(name);
      if (text.rfind("GTH-", 0) != 0) continue;
      std::string functional = text.substr(4, text.rfind("-Q") - 4);
      functional = functional.substr(functional.rfind('-') + 1);  // after GGA-, HYB-, MGGA-
      p->functional = functional_of(functional);
    }
    electrons(*p);
    p->r_local = positive("the radius of the local potential");
    const int coefficients = integer("the number of coefficients C", 0, 4);
    for (int i = 0; i < coefficients; ++i) p->c[static_cast<size_t>(i)] = real("a coefficient C of the local potential");
    std::string_view word = next("the number of channels");
    if (upper(word) == "NLCC") {
      core(*p, word);
      word = next("the number of channels");
    }
    if (is_name(word)) file_.fail(word.data(), fmt::format("'{}' is not known here", word));
    const int channels = static_cast<int>(file_.integer(word, "the number of channels", 0, largest_l + 1));
    for (int l = 0; l < channels; ++l) channel(*p, l);
    while (line_ < lines_.size() && word_ == lines_[line_].size()) ++line_, word_ = 0;
    if (line_ < lines_.size() && !is_name(lines_[line_][word_]))
      file_.fail(lines_[line_][word_].data(), "the entry should end here; more numbers follow (spin-orbit coupling is not supported)");
    return p;
  }

  TextFile file_;
  std::vector<Words> lines_;
  size_t line_ = 0, word_ = 0;
  std::string_view last_;
};

}  // namespace

std::unique_ptr<Gth> parse_gth(const std::string& file, const std::string& text, const std::string& element, const std::string& entry) {
  return GthReader(file, text).read(element, entry);
}

}  // namespace suite::tddft
