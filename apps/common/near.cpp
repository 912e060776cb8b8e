// SPDX-License-Identifier: BSD-3-Clause
#include "near.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace suite::app {
namespace {

// Restricted Damerau-Levenshtein distance in half units, so that a wrong case costs half an edit.
int distance2(const std::string& a, const std::string& b) {
  const size_t n = a.size(), m = b.size();
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  if (n == m && std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); })) return a == b ? 0 : 1;
  std::vector<std::vector<int>> d(n + 1, std::vector<int>(m + 1));
  for (size_t i = 0; i <= n; ++i) d[i][0] = static_cast<int>(2 * i);
  for (size_t j = 0; j <= m; ++j) d[0][j] = static_cast<int>(2 * j);
  for (size_t i = 1; i <= n; ++i)
    for (size_t j = 1; j <= m; ++j) {
      const int replace = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      d[i][j] = std::min({d[i - 1][j] + 2, d[i][j - 1] + 2, d[i - 1][j - 1] + replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 2);
    }
  return d[n][m];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > 64) return "";
  std::string best;
  int least = 0;
  for (const auto& candidate : candidates) {
    if (candidate.empty() || candidate.size() > 256) continue;
    const int d = distance2(word, candidate);
    // Up to a third of the letters may differ, one in short words; truncated words ("band" for "band_max") count too.
    const int allowed = 2 * static_cast<int>(std::max<size_t>(1, std::max(word.size(), candidate.size()) / 3));
    const bool prefix = word.size() >= 3 && candidate.compare(0, word.size(), word) == 0;
    if ((d <= allowed || prefix) && d < 2 * static_cast<int>(std::max(word.size(), candidate.size())) && (best.empty() || d < least)) {
      best = candidate;
      least = d;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

std::string in_quotes(const std::string& text) {
  std::string shown = "'";
  size_t letters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool starts_letter = (c & 0xc0) != 0x80;
    if (starts_letter && ++letters > 60) {
      shown += "...";
      break;
    }
    shown += c < 0x20 || c == 0x7f ? '?' : text[i];
  }
  return shown + "'";
}

std::string shell_word(const std::string& text) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c >= 0x80 || std::strchr("_-./+=:,@%", c); };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace suite::app
